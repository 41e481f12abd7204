//! Text in the order in which it is drawn: a script that runs from right to left (Hebrew, Arabic) stands reversed on the line, numbers and
//! Latin words within it do not. By the rules of Unicode, line by line, once a text is broken into lines.

use std::borrow::Cow;

use unicode_bidi::BidiInfo;

/// Whether a text may hold a letter that runs from right to left, by the bytes that such letters begin with in UTF-8.
pub fn may_turn(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, 0xD6..=0xE0 | 0xEF | 0xF0))
}

/// The letters of one line from the left to the right.
pub fn visual(line: &str) -> Cow<'_, str> {
    if !may_turn(line) {
        return Cow::Borrowed(line);
    }
    let bidi = BidiInfo::new(line, None);
    if !bidi.has_rtl() {
        return Cow::Borrowed(line);
    }
    let mut drawn = String::with_capacity(line.len());
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            if levels[run.start].is_rtl() {
                drawn.extend(line[run].chars().rev().map(mirrored));
            } else {
                drawn.push_str(&line[run]);
            }
        }
    }
    Cow::Owned(drawn)
}

/// A bracket opens where its text begins, on whichever side that is.
fn mirrored(letter: char) -> char {
    const PAIRS: [(char, char); 5] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('«', '»')];
    let other = PAIRS.iter().find_map(|(open, close)| match letter {
        _ if letter == *open => Some(*close),
        _ if letter == *close => Some(*open),
        _ => None,
    });
    other.unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_from_right_to_left_is_turned_and_nothing_else() {
        for same in ["", "Đorđević Живана 12,5 €", "漢字", "a — b … ≤ 5"] {
            assert!(matches!(visual(same), Cow::Borrowed(text) if text == same), "{same}");
        }
        assert_eq!(visual("שלום"), "םולש");
        assert_eq!(visual("Ime: שלום 12"), "Ime: 12 םולש", "a number within it keeps its order");
        assert_eq!(visual("أحمد Ana (5)"), "Ana (5) دمحأ", "a number and its brackets stay with the Latin word before them");
        assert_eq!(visual("أحمد (5)"), "(5) دمحأ");
        assert_eq!(visual("(שלום)"), "(םולש)");
    }
}
