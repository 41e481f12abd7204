//! A file in a mail, by a name that old and new mail programs read alike.

use std::error::Error;

use lettre::message::{
    SinglePart,
    header::{ContentType, Header, HeaderName, HeaderValue},
};

/// The file's name is of plain letters: it is said once in one piece, which everybody reads, and once as RFC 2231 has it. Long ones that are
/// cut into pieces, as lettre does, reach some programs as none.
#[derive(Clone)]
struct Disposition(String);

impl Header for Disposition {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Content-Disposition")
    }

    fn parse(value: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let name = value.split('"').nth(1).ok_or("no file name")?;
        Ok(Self(name.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        let plain: String = self.0.chars().filter(|letter| letter.is_ascii_graphic() && !matches!(letter, '"' | '\\' | '%')).collect();
        let folded = format!("attachment;\r\n filename=\"{plain}\";\r\n filename*=utf-8''{plain}");
        HeaderValue::dangerous_new_pre_encoded(Self::name(), format!("attachment; filename=\"{plain}\""), folded)
    }
}

pub fn part(name: &str, content: Vec<u8>, content_type: ContentType) -> SinglePart {
    SinglePart::builder().header(Disposition(name.to_owned())).header(content_type).body(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_stands_in_one_piece_as_every_program_reads_it() {
        let name = format!("{}-2026-10.pdf", "ishod-po-polu-i-dobi".repeat(8));
        let written = String::from_utf8(part(&name, b"x".to_vec(), ContentType::TEXT_PLAIN).formatted()).unwrap();
        assert!(
            written.contains(&format!("Content-Disposition: attachment;\r\n filename=\"{name}\";\r\n filename*=utf-8''{name}\r\n")),
            "{written}"
        );
        assert!(!written.contains("filename*0"), "{written}");
        let odd = String::from_utf8(part("a\"\r\nBcc: x.pdf", Vec::new(), ContentType::TEXT_PLAIN).formatted()).unwrap();
        assert!(odd.contains("filename=\"aBcc:x.pdf\""), "{odd}");
    }
}
