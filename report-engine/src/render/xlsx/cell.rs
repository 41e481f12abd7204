//! One cell: what of a text fits in it, and the room that its text takes.
use rust_xlsxwriter::Worksheet;

use crate::render::error::RenderError;

pub const UNITS_PER_CELL: usize = 32_767;
/// Excel counts its days from here.
pub const FIRST_YEAR: i16 = 1900;
const CUT_MARK: &str = "… [skraćeno]";
pub const WIDTHS: std::ops::RangeInclusive<usize> = 9..=60;
/// Points that a line of text takes, and lines that the highest row can show.
pub const LINE_HEIGHT: f64 = 15.0;
pub const MAX_LINES: usize = 27;

/// The text cut to what a cell can hold, with a mark where it was cut.
pub fn fit(text: &str) -> String {
    let surely_fits = text.len() <= UNITS_PER_CELL;
    if surely_fits || text.encode_utf16().count() <= UNITS_PER_CELL {
        return text.to_owned();
    }
    let room = UNITS_PER_CELL - CUT_MARK.encode_utf16().count();
    let mut used = 0;
    let kept = text.chars().take_while(|letter| {
        used += letter.len_utf16();
        used <= room
    });
    kept.chain(CUT_MARK.chars()).collect()
}

/// The least width at which a head takes two lines and no word of it is broken.
pub fn head_width(head: &str) -> usize {
    let longest = head.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
    WIDTHS.into_iter().find(|width| *width >= longest && lines_of(head, *width) <= 2).unwrap_or(*WIDTHS.end())
}

/// The lines that a text takes in a column when it is broken between words, and within those that are longer than a line.
pub fn lines_of(text: &str, width: usize) -> usize {
    let (mut lines, mut used) = (1, 0);
    for word in text.split_whitespace().map(|word| word.chars().count()) {
        if used > 0 && used + 1 + word > width {
            (lines, used) = (lines + 1, 0);
        }
        used += word + usize::from(used > 0);
        if used > width {
            lines += (used - 1) / width;
            used = (used - 1) % width + 1;
        }
    }
    lines
}

/// The lines that a text takes in its column, which is as wide as its longest text needs, up to a limit.
pub fn text_lines(text: &str) -> usize {
    let surely_one = text.len() <= *WIDTHS.end() && !text.contains('\n');
    if surely_one { 1 } else { text.lines().map(|line| lines_of(line, *WIDTHS.end())).sum() }
}

/// The width that a text asks for.
pub fn text_width(text: &str) -> usize {
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    longest.min(*WIDTHS.end())
}

/// Makes a row as high as its lines need: not every program does that by itself.
pub fn set_lines(sheet: &mut Worksheet, row: u32, lines: usize) -> Result<(), RenderError> {
    if lines > 1 {
        sheet.set_row_height(row, lines.min(MAX_LINES) as f64 * LINE_HEIGHT)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_too_long_for_a_cell_is_cut_with_a_mark() {
        let long = "č".repeat(40_000);
        let fitted = fit(&long);
        assert_eq!(fitted.encode_utf16().count(), UNITS_PER_CELL);
        assert!(fitted.ends_with(CUT_MARK));
        assert_eq!(fit("kratko"), "kratko");
    }

    #[test]
    fn heads_take_two_lines_at_most() {
        let heads = [
            "Pol",
            "Dob (godine)",
            "Prosečno ležanje (dani)",
            "Nepodeljivanajdužareč",
            "Vreme od prvih simptoma do prijema u bolnicu (sati)",
        ];
        assert_eq!(heads.map(head_width), [9, 9, 14, 21, 26]);
        assert_eq!(["", "Pol", "Dob (godine)", "Prosečno ležanje (dani)"].map(|head| lines_of(head, 9)), [1, 1, 2, 3]);
    }

    #[test]
    fn a_row_is_as_high_as_its_longest_text() {
        let of = |text: &str| text_lines(text);
        assert_eq!((of(""), of("kratko"), of("dva\nreda"), of(&"č".repeat(60))), (1, 1, 2, 1));
        assert_eq!((of(&"č".repeat(61)), of(&"č".repeat(120)), of(&"č".repeat(121))), (2, 2, 3));
        assert_eq!(of(&"reč ".repeat(40)), 3, "fifteen words of three letters a line");
    }
}
