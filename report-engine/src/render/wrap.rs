//! Breaking text into lines by measured width: at spaces, after hyphens and slashes, and inside words too long to fit.
use std::ops::Range;

/// Appends the byte ranges of the lines of `text`. No character is lost but blanks at the ends of lines.
///
/// `measure` gives the width of a character in the unit of `width`. A line holds at least one character, however narrow
/// the place.
pub fn wrap(text: &str, width: u32, lines: &mut Vec<Range<usize>>, mut measure: impl FnMut(char) -> u32) {
    let mut start = 0;
    for paragraph in text.split('\n') {
        wrap_paragraph(text, start..start + paragraph.len(), width, lines, &mut measure);
        start += paragraph.len() + 1;
    }
}

fn wrap_paragraph(text: &str, paragraph: Range<usize>, limit: u32, lines: &mut Vec<Range<usize>>, measure: &mut impl FnMut(char) -> u32) {
    let mut line_start = paragraph.start;
    let mut line_width = 0;
    // Where the line may end: the byte after the break, the last byte worth showing, and the width up to there.
    let mut candidate: Option<(usize, usize, u32)> = None;
    let mut shown_end = paragraph.start;
    for (offset, character) in text[paragraph.clone()].char_indices() {
        let at = paragraph.start + offset;
        let after = at + character.len_utf8();
        let advance = measure(character);
        if character == ' ' {
            line_width += advance;
            candidate = Some((after, shown_end, line_width));
            continue;
        }
        if line_width + advance > limit && at > line_start && !is_mark(character) {
            match candidate.take() {
                Some((next, end, width)) => {
                    lines.push(line_start..end.max(line_start));
                    line_start = next;
                    line_width -= width;
                }
                None => {
                    lines.push(line_start..at);
                    line_start = at;
                    line_width = 0;
                }
            }
            // The rest after a break may itself be too long when the break was early.
            if line_width + advance > limit && at > line_start {
                lines.push(line_start..at);
                line_start = at;
                line_width = 0;
            }
        }
        line_width += advance;
        shown_end = after;
        if matches!(character, '-' | '/' | '–') {
            candidate = Some((after, after, line_width));
        }
    }
    lines.push(line_start..shown_end.max(line_start));
}

/// A combining mark stays on the line of its letter.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every character is ten wide but the blank, which is five.
    fn measure(character: char) -> u32 {
        if character == ' ' { 5 } else { 10 }
    }

    fn wrapped(text: &str, width: u32) -> Vec<String> {
        let mut lines = Vec::new();
        wrap(text, width, &mut lines, measure);
        lines.into_iter().map(|line| text[line].to_owned()).collect()
    }

    #[test]
    fn breaks_at_spaces_and_after_hyphens() {
        assert_eq!(wrapped("Milica Petrović-Jovanović", 100), ["Milica", "Petrović-", "Jovanović"]);
        assert_eq!(wrapped("a b", 1000), ["a b"]);
        assert_eq!(wrapped("prvi\ndrugi", 1000), ["prvi", "drugi"]);
        assert_eq!(wrapped("", 1000), [""]);
    }

    #[test]
    fn a_long_word_is_split_and_every_line_fits() {
        let word = "otorinolaringološkoispitivanje".repeat(3);
        let lines = wrapped(&word, 75);
        assert_eq!(lines.concat(), word);
        assert!(lines.iter().all(|line| line.chars().map(measure).sum::<u32>() <= 75));
    }

    #[test]
    fn a_place_narrower_than_a_letter_still_shows_every_letter() {
        assert_eq!(wrapped("abc", 3), ["a", "b", "c"]);
    }

    proptest::proptest! {
        #[test]
        fn no_letter_is_ever_lost(text in "[a-zčćžšđ \\-/\n]{0,120}", width in 1u32..400) {
            let kept: String = wrapped(&text, width).concat().split([' ', '\n']).collect();
            let wanted: String = text.split([' ', '\n']).collect();
            proptest::prop_assert_eq!(kept, wanted);
        }
    }
}
