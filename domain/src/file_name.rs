//! What the file of a report is called: the same attached to a mail, downloaded, and found behind the mailed link.

use jiff::Timestamp;

use crate::{fold::fold, period::Period, time::server_text};

/// Letters of a file's name, without its extension.
const LONGEST: usize = 200;

/// What tells one file of a report from the next: its period, and where it has none, when it was made.
pub fn told_apart(period: Option<Period>, made: Option<Timestamp>) -> String {
    period.map(Period::in_file_name).or(made.map(server_text)).unwrap_or_default()
}

/// Letters and digits that every file system and mail client takes, everything else as one hyphen (or underscore, where it is one).
pub fn slug(text: &str) -> String {
    let mut name = String::new();
    let mut between = None;
    for letter in fold(text).chars() {
        if letter.is_ascii_alphanumeric() {
            name.extend(between.take().filter(|_| !name.is_empty()));
            name.push(letter);
        } else {
            between = Some(if letter == '_' || between == Some('_') { '_' } else { '-' });
        }
    }
    name.truncate(LONGEST);
    let name = name.trim_end_matches(['-', '_']);
    if name.is_empty() { "izvestaj".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_is_of_plain_letters_and_single_hyphens() {
        for (text, name) in [
            ("Ishod po polu 2026-10", "ishod-po-polu-2026-10"),
            ("Lista pacijenata: č/ć (2026)", "lista-pacijenata-c-c-2026"),
            ("Извештај о ђацима", "izvestaj-o-djacima"),
            ("KCS _ Ishod__po – polu _", "kcs_ishod_po-polu"),
            ("../a\"; x=\r\nSet-Cookie: y\\z", "a-x-set-cookie-y-z"),
            ("///", "izvestaj"),
            ("", "izvestaj"),
        ] {
            assert_eq!(slug(text), name, "{text:?}");
        }
        assert_eq!(slug(&"ž-".repeat(1000)).len(), LONGEST - 1, "cut, and with no hyphen at its end");
    }

    #[test]
    fn files_are_told_apart_by_period_or_else_by_when_they_were_made() {
        let october = Period::of_values(&json!({ "od": "2026-10-01", "do": "2026-10-31" }));
        let made = "2026-11-20T13:05:00Z".parse().ok();
        assert_eq!(told_apart(october, made), "2026-10");
        assert_eq!(told_apart(None, made), "2026-11-20 14:05");
        assert_eq!(told_apart(None, None), "");
    }
}
