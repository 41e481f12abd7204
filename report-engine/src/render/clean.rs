//! Text made safe for every format: characters that no page, sheet or reader can show are taken out.
use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Drops control characters but keeps line breaks (as `\n`) and tabs.
pub fn clean(text: &str) -> Cow<'_, str> {
    if is_plain(text) || !text.chars().any(is_unwanted) {
        return Cow::Borrowed(text);
    }
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(unified.chars().filter(|letter| !is_unwanted(*letter)).collect())
}

/// Whether the bytes alone show that nothing has to be done: no controls, no line breaks, no letter beyond Latin Extended-B.
fn is_plain(text: &str) -> bool {
    // Without a way out at the first such byte, the compiler looks at many at a time.
    text.bytes().fold(true, |is_plain, byte| is_plain & is_plain_byte(byte))
}

/// Whether a byte can only stand in a text of which nothing has to be taken.
pub const fn is_plain_byte(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7E | 0x80..=0xC1 | 0xC3..=0xC9)
}

/// The text on one line: breaks and tabs become spaces.
pub fn one_line(text: &str) -> Cow<'_, str> {
    match clean(text) {
        cleaned if cleaned.contains(['\n', '\t']) => Cow::Owned(cleaned.replace(['\n', '\t'], " ")),
        cleaned => cleaned,
    }
}

/// Text as a page can show it: composed letters, no controls, blanks for tabs; line breaks stay.
pub fn legible(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut legible = clean(text);
    if is_nfc_quick(legible.chars()) != IsNormalized::Yes {
        legible = Cow::Owned(legible.nfc().collect());
    }
    if legible.contains('\t') {
        legible = Cow::Owned(legible.replace('\t', " "));
    }
    legible
}

fn is_unwanted(letter: char) -> bool {
    let kept = matches!(letter, '\n' | '\t');
    let noncharacter = matches!(letter, '\u{FFFE}' | '\u{FFFF}');
    (letter.is_control() && !kept) || noncharacter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_go_and_letters_stay() {
        assert_eq!(clean("a\u{8}b\u{0}c\u{9f}"), "abc");
        assert_eq!(clean("red\r\nred\rred\tč"), "red\nred\nred\tč");
        assert_eq!(one_line("red\r\nred"), "red red");
        assert!(matches!(clean("čćžšđ Ђорђе"), Cow::Borrowed(_)));
    }
}
