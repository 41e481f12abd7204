//! Words of other systems as names, codes and notes here.

use domain::{fold::fold, register::FieldProperties};

use super::known_field::Choice;

/// A longer name is cut, and stands whole in the designer's note.
pub const LONGEST_NAME: usize = 200;

/// What a code may be: English letters, digits and underscores, none of them a digit at the beginning.
pub fn plain_code(source: &str) -> String {
    let plain = |letter: char| match letter {
        ascii if ascii.is_ascii_alphanumeric() => ascii.to_string(),
        ascii if ascii.is_ascii() => "_".to_owned(),
        other => fold(&other.to_string()).chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect(),
    };
    let code: String = source.chars().map(plain).collect();
    let begins = code.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if begins { code } else { format!("f_{code}") }
}

/// Adds a sentence to what whoever fills the field in reads beside it.
pub fn note(own: &mut FieldProperties, text: &str) {
    add(&mut own.napomena, text);
}

/// Adds a sentence to what only the designer of the form reads.
pub fn designer_note(own: &mut FieldProperties, text: &str) {
    add(&mut own.napomena_dizajnera, text);
}

fn add(note: &mut Option<String>, text: &str) {
    let text = text.trim();
    if !text.is_empty() {
        *note = Some(note.take().map_or_else(|| text.to_owned(), |before| format!("{before}\n{text}")));
    }
}

/// A name on one line, without the tags that other systems allow in it.
pub fn one_line(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        plain.push_str(before);
        match tag.split_once('>') {
            Some((inside, after)) if is_tag(inside) => {
                plain.push(' ');
                rest = after;
            }
            _ => {
                plain.push('<');
                rest = tag;
            }
        }
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tags that labels have; `x<y and y>z` has none.
const TAGS: [&str; 50] = [
    "a",
    "b",
    "big",
    "blockquote",
    "br",
    "center",
    "code",
    "dd",
    "del",
    "div",
    "dl",
    "dt",
    "em",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "input",
    "ins",
    "label",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "s",
    "script",
    "small",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
    "video",
    "wbr",
];

/// A known name, and behind it nothing but attributes with their values.
fn is_tag(inside: &str) -> bool {
    let inside = inside.trim_start_matches('/').trim_end_matches('/');
    let end = inside.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(inside.len());
    let (name, rest) = inside.split_at(end);
    TAGS.contains(&name.to_ascii_lowercase().as_str())
        && (rest.trim().is_empty() || (rest.starts_with(char::is_whitespace) && rest.contains('=')))
}

/// What a group without a label is called: its name as words, where people made it.
pub fn group_name(label: &str, name: &str, otherwise: &str) -> String {
    let label = label.trim();
    if !label.is_empty() && label != NO_LABEL {
        return label.to_owned();
    }
    let longest = name.split(['-', '_', '.', '/']).map(str::len).max().unwrap_or_default();
    let digits = name.chars().filter(char::is_ascii_digit).count();
    let generated = longest > 24
        || (digits > 0 && name.split(['-', '_']).skip(1).any(|part| part.len() >= 6 && part.contains(|one: char| one.is_ascii_digit())));
    if generated || !name.contains(|letter: char| letter.is_alphabetic()) { otherwise.to_owned() } else { titled(name) }
}

/// What forms of the Community Health Toolkit write where they have no label.
pub const NO_LABEL: &str = "NO_LABEL";

pub fn titled(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.trim().chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What a set of these options is called: by the options, so that two alike are one.
pub fn name_of_options(choices: &[Choice]) -> String {
    const LONGEST: usize = 80;
    let all: Vec<String> = choices.iter().map(|one| one_line(if one.label.trim().is_empty() { &one.code } else { &one.label })).collect();
    let name = format!("Izbor: {}", all.join(" / "));
    if name.chars().count() <= LONGEST {
        return name;
    }
    let cut: String = name.chars().take(LONGEST - 8).collect();
    format!("{}… ({})", cut.trim_end_matches([' ', '/']), all.len())
}

/// The codes of yes and no, where two options say so and their labels say the same: one whose `0` is Yes is a list like others.
pub fn yes_and_no(choices: &[Choice]) -> Option<(String, String)> {
    let yes = ["yes", "da", "true", "1", "y", "tačno"];
    let no = ["no", "ne", "false", "0", "n", "netačno"];
    let says = |one: &Choice, list: &[&str]| {
        let label = one.label.trim().to_lowercase();
        let spoken = label.is_empty()
            || (list.contains(&label.as_str()) && label.chars().count() > 1 && !label.starts_with(|first: char| first.is_ascii_digit()));
        list.contains(&one.code.to_lowercase().as_str()) && spoken
    };
    let on = choices.iter().find(|one| says(one, &yes))?;
    let off = choices.iter().find(|one| says(one, &no))?;
    (choices.len() == 2).then(|| (on.code.clone(), off.code.clone()))
}

/// A note of one short word beside a number is its unit, where it looks like one.
pub fn unit(note: &str) -> Option<&str> {
    const LONGEST: usize = 20;
    let plain = note.trim().trim_matches(['(', ')', '[', ']']);
    let parts: Vec<&str> = plain.split(['/', '·', '*']).map(str::trim).collect();
    let is_number = |part: &str| part.strip_prefix('x').unwrap_or(part).chars().all(|one| one.is_ascii_digit() || one == '^' || one == '.');
    let is_unit = |part: &str| {
        let bare = part.trim_end_matches(|last: char| last.is_ascii_digit() || matches!(last, '²' | '³' | '^' | '.'));
        UNITS.contains(&bare) || UNITS.contains(&bare.to_lowercase().as_str())
    };
    let fits = !plain.is_empty() && plain.chars().count() <= LONGEST && parts.iter().any(|part| is_unit(part));
    (fits && parts.iter().all(|part| part.is_empty() || is_number(part) || is_unit(part))).then_some(plain)
}

/// What stands in units of medicine, without powers.
const UNITS: [&str; 108] = [
    "%", "‰", "°c", "°f", "g", "kg", "mg", "µg", "μg", "ug", "mcg", "ng", "pg", "fg", "t", "l", "dl", "cl", "ml", "µl", "μl", "ul", "fl",
    "pl", "m", "km", "cm", "dm", "mm", "µm", "μm", "um", "nm", "mol", "mmol", "µmol", "μmol", "umol", "nmol", "pmol", "fmol", "eq", "meq",
    "iu", "miu", "uiu", "u", "mu", "ku", "kiu", "i.u", "osm", "mosm", "cal", "kcal", "j", "kj", "pa", "kpa", "hpa", "bar", "mbar", "mmhg",
    "cmh2o", "h2o", "torr", "s", "sec", "ms", "min", "mins", "minutes", "h", "hr", "hrs", "hour", "hours", "d", "day", "days", "wk",
    "week", "weeks", "mo", "month", "months", "y", "yr", "yrs", "year", "years", "bpm", "hz", "gy", "msv", "v", "mv", "ma", "w", "n",
    "cells", "dan", "dana", "god", "godina", "nedelja", "meseci", "puls",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tags_are_taken_out_of_a_label() {
        for (text, plain) in [
            ("<b>bold</b> a", "bold a"),
            ("x<y and y>z", "x<y and y>z"),
            ("a < b", "a < b"),
            ("p<a or b>2", "p<a or b>2"),
            ("eGFR <30 or >90", "eGFR <30 or >90"),
            ("<span style=\"x\">w</span><br/>v", "w v"),
        ] {
            assert_eq!(one_line(text), plain);
        }
    }

    #[test]
    fn a_unit_looks_like_one() {
        for note in ["kg", "mmol/L", "%", "mm/h", "10^9/L", "x10^9/L", "kg/m2", "beats/min", "cmH2O", "(mg/dL)", "°C"] {
            assert_eq!(unit(note).is_some(), note != "beats/min", "{note}");
        }
        for note in ["0-10", "optional", "DD-MM-YYYY", "1", "yes", "e.g.", "hh:mm", ""] {
            assert_eq!(unit(note), None, "{note}");
        }
    }

    #[test]
    fn a_list_that_is_turned_about_is_no_choice() {
        let list = |all: [(&str, &str); 2]| {
            yes_and_no(&all.map(|(code, label)| Choice { code: code.to_owned(), label: label.to_owned(), weight: None }))
        };
        let codes = |on: &str, off: &str| Some((on.to_owned(), off.to_owned()));
        assert_eq!(list([("1", "Yes"), ("0", "No")]), codes("1", "0"));
        assert_eq!(list([("no", "Ne"), ("yes", "Da")]), codes("yes", "no"));
        assert_eq!(list([("0", "Yes"), ("1", "No")]), None);
        assert_eq!(list([("1", "Male"), ("0", "Female")]), None);
    }

    #[test]
    fn a_group_is_called_by_its_label_or_by_words_that_people_made() {
        assert_eq!(group_name("Rizik", "g", "Obrazac"), "Rizik");
        assert_eq!(group_name("NO_LABEL", "risk_factors", "Obrazac"), "Risk factors");
        assert_eq!(group_name("", "group_ab1cd23", "Obrazac"), "Obrazac");
        assert_eq!(group_name("", "a7837ce4-6ba4-4d01-913c-d20a6685556b", "Obrazac"), "Obrazac");
    }
}
