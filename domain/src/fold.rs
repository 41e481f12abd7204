//! Folding of Serbian text for matching: š=s, č=ć=c, ž=z, đ=dj, Cyrillic and digraphs as Latin, case ignored.
//! The database has the same function (`fold`, first migration); both pass `fold-cases.csv`.

use unicode_normalization::UnicodeNormalization;

/// Folds `text` for comparison with the stored folded columns.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.nfc().flat_map(char::to_lowercase) {
        match letter {
            'č' | 'ć' | 'ц' | 'ч' | 'ћ' => folded.push('c'),
            'š' | 'с' | 'ш' => folded.push('s'),
            'ž' | 'з' | 'ж' => folded.push('z'),
            'á' | 'à' | 'â' | 'ä' | 'ã' | 'а' => folded.push('a'),
            'é' | 'è' | 'ê' | 'ë' | 'е' => folded.push('e'),
            'í' | 'ì' | 'î' | 'ï' | 'и' => folded.push('i'),
            'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'о' => folded.push('o'),
            'ú' | 'ù' | 'û' | 'ü' | 'у' => folded.push('u'),
            'ý' => folded.push('y'),
            'ñ' | 'н' => folded.push('n'),
            'б' => folded.push('b'),
            'в' => folded.push('v'),
            'г' => folded.push('g'),
            'д' => folded.push('d'),
            'ј' => folded.push('j'),
            'к' => folded.push('k'),
            'л' => folded.push('l'),
            'м' => folded.push('m'),
            'п' => folded.push('p'),
            'р' => folded.push('r'),
            'т' => folded.push('t'),
            'ф' => folded.push('f'),
            'х' => folded.push('h'),
            'đ' | 'ð' | 'ђ' => folded.push_str("dj"),
            'љ' | 'ǉ' => folded.push_str("lj"),
            'њ' | 'ǌ' => folded.push_str("nj"),
            'џ' | 'ǆ' => folded.push_str("dz"),
            other => folded.push(other),
        }
    }
    folded
}

/// Folds a name for a search, which does not tell dj from d: so đ is found however it was written.
pub fn fold_name(text: &str) -> String {
    fold(text).replace("dj", "d")
}

#[cfg(test)]
mod tests {
    use super::{fold, fold_name};

    #[test]
    fn a_name_is_the_same_whether_its_dj_is_written_as_one_letter_two_or_without_the_stroke() {
        for name in ["Đorđević", "Djordjević", "dordevic", "ЂОРЂЕВИЋ", "Đordjevic"] {
            assert_eq!(fold_name(name), "dordevic", "{name}");
        }
    }

    #[test]
    fn every_case_of_the_shared_table_folds_as_it_says() {
        let cases = include_str!("../fold-cases.csv");
        let mut checked = 0;
        for line in cases.lines().skip(1) {
            let (text, folded) = line.split_once(',').expect("two columns");
            assert_eq!(fold(text), folded, "fold of {text}");
            checked += 1;
        }
        assert!(checked > 20, "the table holds {checked} cases only");
    }
}
