//! Text as people type it: trimmed, and nothing where only blanks were typed.

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

/// Whether the text has the shape of an e-mail address: someone at a domain with a dot, and nothing that could end a
/// header line or name a second recipient.
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let plain =
        |part: &str| !part.is_empty() && part.chars().all(|c| !c.is_whitespace() && !c.is_control() && !"@,;:<>()[]\\\"".contains(c));
    let labels = || domain.split('.');
    plain(local) && plain(domain) && text.len() <= 254 && labels().count() >= 2 && labels().all(|label| !label.is_empty())
}

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

    #[test]
    fn an_address_is_someone_at_a_domain_with_a_dot() {
        for good in ["a@b.rs", "ime.prezime@klinika.bg.ac.rs", "o'neil+reg@x-y.org", "đorđe@пример.срб"] {
            assert!(is_email(good), "{good}");
        }
        for bad in ["", "a", "a@", "@b.rs", "a@b", "a b@c.rs", "a@b..rs", "a@b.rs,c@d.rs", "a@b.rs\r\nBcc: c@d.rs", "a@@b.rs", "<a@b.rs>"] {
            assert!(!is_email(bad), "{bad}");
        }
    }
}
