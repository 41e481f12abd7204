//! Text made safe for every format: characters that no page, sheet or reader can show are taken out.
use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Drops control characters but keeps line breaks (as `\n`) and tabs.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unwanted) {
        return Cow::Borrowed(text);
    }
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(unified.chars().filter(|letter| !is_unwanted(*letter)).collect())
}

/// The text on one line: breaks and tabs become spaces.
pub fn one_line(text: &str) -> Cow<'_, str> {
    match clean(text) {
        cleaned if cleaned.contains(['\n', '\t']) => Cow::Owned(cleaned.replace(['\n', '\t'], " ")),
        cleaned => cleaned,
    }
}

/// Text as the page can show it: composed letters, no controls, blanks for tabs; line breaks stay.
pub fn legible(text: &str) -> String {
    let cleaned = clean(text);
    let composed = match is_nfc_quick(cleaned.chars()) {
        IsNormalized::Yes => cleaned.into_owned(),
        _ => cleaned.nfc().collect(),
    };
    if composed.contains('\t') { composed.replace('\t', " ") } else { composed }
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
