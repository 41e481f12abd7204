//! In whose name a report is mailed: the installation's address under the requester's name, and her own address for replies.

use domain::{mail_address::ascii_address, text::in_one_line};
use lettre::message::Mailbox;

/// Letters of a name that a mail shows.
const LONGEST_NAME: usize = 80;

/// Who asked for the report.
pub struct Requester {
    pub name: String,
    /// As her account has it.
    pub email: Option<String>,
}

impl Requester {
    /// `Ana Anić putem Regix`, from the installation's own address: no mail server takes another's for ours.
    pub fn from(&self, installation: &Mailbox, aplikacija: &str) -> Mailbox {
        let name = format!("{} putem {}", self.shown(), short(aplikacija));
        Mailbox::new(Some(name), installation.email.clone())
    }

    /// Where a reply goes; `None`: she has no address that can take one.
    pub fn reply_to(&self) -> Option<Mailbox> {
        let address = ascii_address(self.email.as_deref()?.trim())?;
        Some(Mailbox::new(Some(self.shown()), address.parse().ok()?))
    }

    pub fn shown(&self) -> String {
        short(&self.name)
    }
}

/// Not longer than a mail shows.
fn short(text: &str) -> String {
    in_one_line(text).chars().take(LONGEST_NAME).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use lettre::Message;

    use super::*;

    /// The lines of the headers, unfolded, as they go over the wire.
    fn headers(requester: &Requester) -> Vec<String> {
        let installation: Mailbox = "Regix <regix@bolnica.test>".parse().unwrap();
        let mut builder = Message::builder().from(requester.from(&installation, "Regix")).to("a@b.rs".parse().unwrap());
        if let Some(reply_to) = requester.reply_to() {
            builder = builder.reply_to(reply_to);
        }
        let message = String::from_utf8(builder.body(String::new()).unwrap().formatted()).unwrap();
        let (head, _) = message.split_once("\r\n\r\n").unwrap();
        head.replace("\r\n ", " ").split("\r\n").map(str::to_owned).collect()
    }

    fn requester(name: &str, email: Option<&str>) -> Requester {
        Requester { name: name.to_owned(), email: email.map(str::to_owned) }
    }

    #[test]
    fn the_installations_address_bears_the_requesters_name() {
        let lines = headers(&requester("Ana Anic", Some(" ana@bolnica.test ")));
        assert!(lines.contains(&"From: \"Ana Anic putem Regix\" <regix@bolnica.test>".to_owned()), "{lines:?}");
        assert!(lines.contains(&"Reply-To: \"Ana Anic\" <ana@bolnica.test>".to_owned()), "{lines:?}");
    }

    #[test]
    fn serbian_letters_are_encoded() {
        let lines = headers(&requester("Željka Đurić", None));
        let from = lines.iter().find(|line| line.starts_with("From:")).unwrap();
        assert!(from.is_ascii() && from.contains("=?utf-8?b?") && from.ends_with("<regix@bolnica.test>"), "{from}");
        assert!(lines.iter().all(|line| !line.starts_with("Reply-To:")));
    }

    #[test]
    fn an_odd_name_adds_no_header_and_no_address() {
        for odd in [
            "Ana\r\nBcc: x@y.rs",
            "Ana\" <x@y.rs>, \"B",
            "Ana <x@y.rs>",
            "x@y.rs,",
            "Ana\u{2028}Bcc: x@y.rs\u{202e}",
            "=?utf-8?q?=0D=0ABcc:_x@y.rs?=",
            &"Ž".repeat(5000),
            "\\",
        ] {
            let requester = requester(odd, Some("ana@bolnica.test\r\nBcc: x@y.rs"));
            assert!(requester.reply_to().is_none(), "{odd}");
            let lines = headers(&requester);
            assert_eq!(lines.iter().filter(|line| line.starts_with("From:")).count(), 1, "{lines:?}");
            assert!(lines.iter().all(|line| !line.to_lowercase().starts_with("bcc")), "{lines:?}");
            let from = requester.from(&"regix@bolnica.test".parse().unwrap(), "Regix");
            assert_eq!(from.email.to_string(), "regix@bolnica.test");
            let name = from.name.unwrap();
            assert!(name.ends_with(" putem Regix") && name.chars().count() <= LONGEST_NAME + 12 && !name.contains(['\r', '\n']), "{name}");
        }
    }
}
