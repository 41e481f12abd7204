//! Text made safe for every format: characters that no page, sheet or reader can show are taken out.
use std::borrow::Cow;

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
