//! Text as people type it: trimmed, and nothing where only blanks were typed; and as they read it: a noun after its number.

use serde::{Deserialize, Deserializer};

/// For required fields: absent, null and blank are all the empty text, which validation then refuses by name.
pub fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(optional(deserializer)?.unwrap_or_default())
}

/// For fields that may be left out.
pub fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()))
}

/// Whether the text has the shape of an e-mail address, in any script: someone at a domain with a dot, and nothing that could end a
/// header line or name a second recipient. Of patients, whom nothing is mailed; `mail_address` says where mail may go.
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let plain =
        |part: &str| !part.is_empty() && part.chars().all(|c| !c.is_whitespace() && !c.is_control() && !"@,;:<>()[]\\\"".contains(c));
    let labels = || domain.split('.');
    plain(local) && plain(domain) && text.len() <= 254 && labels().count() >= 2 && labels().all(|label| !label.is_empty())
}

/// In one line: without what ends a line or turns the direction of reading.
pub fn in_one_line(text: &str) -> String {
    let misleads =
        |letter: char| letter.is_control() || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let plain: String = text.chars().map(|letter| if misleads(letter) { ' ' } else { letter }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A number with the form of the noun that Serbian wants after it: 1 unos, 2 unosa, 5 unosa, 21 unos.
pub fn number_of(count: i64, [one, few, many]: [&str; 3]) -> String {
    let word = match (count % 10, count % 100) {
        (1, tens) if tens != 11 => one,
        (2..=4, tens) if !(12..=14).contains(&tens) => few,
        _ => many,
    };
    format!("{count} {word}")
}

pub const ENTRIES: [&str; 3] = ["unos", "unosa", "unosa"];
pub const PATIENTS: [&str; 3] = ["pacijent", "pacijenta", "pacijenata"];

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Form {
        #[serde(default, deserialize_with = "required")]
        naziv: String,
        #[serde(default, deserialize_with = "optional")]
        opis: Option<String>,
    }

    #[test]
    fn blank_text_is_no_text() {
        for body in [r#"{}"#, r#"{"naziv": null, "opis": null}"#, r#"{"naziv": " \t ", "opis": ""}"#] {
            let form: Form = serde_json::from_str(body).unwrap();
            assert_eq!((form.naziv.as_str(), form.opis), ("", None), "{body}");
        }
        let form: Form = serde_json::from_str(r#"{"naziv": " Klinika ", "opis": " x"}"#).unwrap();
        assert_eq!((form.naziv.as_str(), form.opis.as_deref()), ("Klinika", Some("x")));
    }

    /// The browser's tests read the same table.
    #[test]
    fn an_address_is_someone_at_a_domain_with_a_dot() {
        let cases: serde_json::Value = serde_json::from_str(include_str!("../address-cases.json")).expect("the table of cases reads");
        let addresses = |which: &str| cases["written"][which].as_array().unwrap().iter().map(|address| address.as_str().unwrap());
        assert_eq!(addresses("right").find(|address| !is_email(address)), None);
        assert_eq!(addresses("wrong").find(|address| is_email(address)), None);
    }

    #[test]
    fn a_noun_follows_its_number() {
        let said: Vec<String> = [1, 2, 5, 11, 12, 21, 22, 111, 412].into_iter().map(|count| number_of(count, PATIENTS)).collect();
        assert_eq!(
            said,
            [
                "1 pacijent",
                "2 pacijenta",
                "5 pacijenata",
                "11 pacijenata",
                "12 pacijenata",
                "21 pacijent",
                "22 pacijenta",
                "111 pacijenata",
                "412 pacijenata"
            ]
        );
    }
}
