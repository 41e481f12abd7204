//! Names of variables that R and SPSS both take: plain small letters, digits and underscores, a letter first, each once.
use std::collections::HashSet;

use domain::fold::fold;

/// SPSS takes 64 letters, R more: there is room for what tells a name from another one of the same letters.
const LONGEST_STEM: usize = 56;
/// Words of R and of SPSS that name no variable.
const RESERVED: [&str; 23] = [
    "all", "and", "break", "by", "else", "eq", "for", "function", "ge", "gt", "if", "in", "le", "lt", "ne", "next", "not", "or", "repeat",
    "to", "while", "with", "na",
];

/// Gives names out, none of them twice.
#[derive(Default)]
pub struct Names(HashSet<String>);

impl Names {
    pub fn take(&mut self, wanted: &str) -> String {
        let stem = stem(wanted);
        let mut name = stem.clone();
        let mut another = 1;
        while !self.0.insert(name.clone()) {
            another += 1;
            name = format!("{stem}_{another}");
        }
        name
    }
}

fn stem(wanted: &str) -> String {
    let mut stem = String::new();
    for letter in fold(wanted).chars() {
        match letter {
            letter if letter.is_ascii_alphanumeric() => stem.push(letter),
            _ if stem.is_empty() || stem.ends_with('_') => {}
            _ => stem.push('_'),
        }
    }
    stem.truncate(LONGEST_STEM);
    let stem = stem.trim_end_matches('_');
    let starts_well = stem.starts_with(|letter: char| letter.is_ascii_alphabetic());
    match stem {
        "" => "v".to_owned(),
        stem if !starts_well => format!("v_{stem}"),
        stem if RESERVED.contains(&stem) => format!("{stem}_v"),
        stem => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_of_both_programs_and_none_comes_twice() {
        let mut names = Names::default();
        let long = "x".repeat(200);
        let asked = ["DAS28", "das28", "Štampa č/ć đ", "_skriveno", "28 zglobova", "by", "IF", "", "///", &long, &long];
        let given: Vec<String> = asked.iter().map(|name| names.take(name)).collect();
        let expected = ["das28", "das28_2", "stampa_c_c_dj", "skriveno", "v_28_zglobova", "by_v", "if_v", "v", "v_2"];
        assert_eq!(given[..expected.len()], expected);
        for name in &given {
            assert!(name.len() <= 64 && name.starts_with(|letter: char| letter.is_ascii_lowercase()), "{name}");
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'), "{name}");
        }
        let different: HashSet<&String> = given.iter().collect();
        assert_eq!(different.len(), given.len());
    }
}
