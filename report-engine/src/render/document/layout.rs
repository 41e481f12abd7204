//! The lines of a document, broken by measured width, and their division into pages. Lengths are in micrometres.
use std::rc::Rc;

use super::drawing::{Drawing, Length};
use super::photo::FramedPhoto;
use crate::plan::{Block, Heading};
use crate::render::clean::legible;
use crate::render::wrap::wrap;

/// Shown for a value that is not there.
pub(super) const EMPTY: &str = "–";

/// What a piece of text is; the page decides how that looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    Title,
    Institution,
    Heading(u8),
    Label,
    Value,
    Body,
    TableHead,
    /// Small words beside a value or on a chart.
    Note,
    Warning,
}

#[derive(Clone, Debug)]
pub struct Piece {
    pub x: Length,
    pub role: Role,
    pub text: String,
}

/// One line over the whole width.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub height: Length,
    pub pieces: Vec<Piece>,
    pub rule_below: bool,
    /// Must not be the last one of a page.
    pub keep_with_next: bool,
    /// A picture that fills the line.
    pub drawing: Option<Drawing>,
    /// A picture of a file that fills the line; it is put into the finished file.
    pub photo: Option<FramedPhoto>,
    /// Lines that are repeated when a page begins with this one.
    pub repeat: Option<Rc<Vec<Line>>>,
}

impl Line {
    /// Only distance.
    fn is_blank(&self) -> bool {
        self.pieces.is_empty() && self.drawing.is_none() && self.photo.is_none()
    }
}

/// Widths of characters and heights of lines, as the page's fonts have them.
pub trait Measure {
    fn width(&mut self, role: Role, character: char) -> Length;
    fn line_height(&self, role: Role) -> Length;
    /// The text with a sign in the place of each character that the font lacks.
    fn covered(&mut self, text: &str) -> String;
}

pub struct Layout<'a, M> {
    pub measure: &'a mut M,
    pub width: Length,
    pub(super) lines: Vec<Line>,
}

/// Share of the line that labels take.
pub(super) const LABEL_PERCENT: Length = 34;
pub(super) const GUTTER: Length = 3_000;
pub(super) const SPACE: Length = 2_500;

impl<'a, M: Measure> Layout<'a, M> {
    pub fn new(measure: &'a mut M, width: Length) -> Self {
        Layout { measure, width, lines: Vec::new() }
    }

    pub fn heading(&mut self, heading: &Heading, generated: &str) {
        self.text(Role::Institution, &heading.ustanova);
        self.text(Role::Title, &heading.naslov);
        for (naziv, vrednost) in &heading.parametri {
            self.field(naziv, vrednost);
        }
        self.field("Izradio", &heading.radnik_ime_prezime);
        self.field("Vreme", generated);
        self.rule();
    }

    /// Room for the pictures on top, which are put into the finished file.
    pub fn marks(&mut self, height: Length) {
        self.lines.push(Line { height, keep_with_next: true, drawing: Some(Drawing::default()), ..Line::default() });
    }

    pub fn block(&mut self, block: &Block) {
        match block {
            Block::Heading { level, text } => self.section(*level, text),
            Block::Paragraph(text) => self.text(Role::Body, text),
            Block::Field { label, value } => self.field(label, value),
            Block::Table { heads, rows } => self.table(heads, rows),
            Block::Space => self.space(SPACE),
        }
    }

    /// The heading of a section, with air above it; it stands with what follows.
    pub fn section(&mut self, level: u8, text: &str) {
        self.space(if level == 1 { 2 * SPACE } else { SPACE });
        self.kept(Role::Heading(level), text);
        if level == 1 {
            self.rule();
        }
    }

    /// Text that stands with what follows.
    pub fn kept(&mut self, role: Role, text: &str) {
        let from = self.lines.len();
        self.text(role, text);
        self.lines[from..].iter_mut().for_each(|line| line.keep_with_next = true);
    }

    pub fn warning(&mut self, text: &str) {
        self.space(SPACE);
        self.text(Role::Warning, text);
    }

    pub fn into_lines(self) -> Vec<Line> {
        self.lines
    }

    pub(super) fn space(&mut self, height: Length) {
        self.lines.push(Line { height, keep_with_next: true, ..Line::default() });
    }

    pub(super) fn rule(&mut self) {
        if let Some(last) = self.lines.last_mut() {
            last.rule_below = true;
            last.height += 800;
        }
    }

    pub(super) fn text(&mut self, role: Role, text: &str) {
        let rows = self.columns(&[(0, self.width, role, text)]);
        self.lines.extend(rows);
    }

    fn field(&mut self, label: &str, value: &str) {
        let split = self.width * LABEL_PERCENT / 100;
        let value = if value.trim().is_empty() { EMPTY } else { value };
        let columns = [(0, split - GUTTER, Role::Label, label), (split, self.width - split, Role::Value, value)];
        let rows = self.columns(&columns);
        self.lines.extend(rows);
    }

    pub(super) fn table(&mut self, heads: &[String], rows: &[Vec<String>]) {
        let widths = self.table_widths(heads, rows);
        let mut heads = self.table_row(heads, &widths, Role::TableHead);
        if let Some(last) = heads.last_mut() {
            last.rule_below = true;
        }
        heads.iter_mut().for_each(|line| line.keep_with_next = true);
        let repeat = Rc::new(heads.clone());
        self.space(SPACE / 2);
        self.lines.extend(heads);
        for row in rows {
            let mut lines = self.table_row(row, &widths, Role::Body);
            lines.iter_mut().for_each(|line| line.repeat = Some(repeat.clone()));
            self.lines.extend(lines);
        }
        self.space(SPACE / 2);
    }

    fn table_row(&mut self, cells: &[String], widths: &[Length], role: Role) -> Vec<Line> {
        let mut x = 0;
        let mut columns = Vec::with_capacity(cells.len());
        for (cell, width) in cells.iter().zip(widths) {
            columns.push((x, width - GUTTER.min(width / 2), role, cell.as_str()));
            x += width;
        }
        self.columns(&columns)
    }

    /// Widths in proportion to the longest texts; where there is room, none is narrower than the longest word in it.
    fn table_widths(&mut self, heads: &[String], rows: &[Vec<String>]) -> Vec<Length> {
        let longest = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column)).chain(heads.get(column));
            cells.map(|cell| cell.chars().count().clamp(6, 60)).max().unwrap_or(6) as Length
        };
        let letters: Vec<Length> = (0..heads.len()).map(longest).collect();
        let words: Vec<Length> = (0..heads.len()).map(|column| self.longest_word(heads, rows, column)).collect();
        let share = |width: Length, among: Length, count: Length| width / among.max(1) * count;
        let mut widths: Vec<Length> = letters.iter().map(|count| share(self.width, letters.iter().sum(), *count)).collect();
        if words.iter().sum::<Length>() > self.width {
            return widths;
        }
        let mut widened = vec![false; letters.len()];
        while let Some(narrow) = (0..letters.len()).find(|column| !widened[*column] && widths[*column] < words[*column]) {
            widened[narrow] = true;
            let taken: Length = (0..letters.len()).filter(|column| widened[*column]).map(|column| words[column]).sum();
            let others: Length = (0..letters.len()).filter(|column| !widened[*column]).map(|column| letters[column]).sum();
            let settled = |column: usize| {
                if widened[column] { words[column] } else { share(self.width - taken, others, letters[column]) }
            };
            widths = (0..letters.len()).map(settled).collect();
        }
        widths
    }

    /// How wide the longest word of a column is, with the space after it.
    fn longest_word(&mut self, heads: &[String], rows: &[Vec<String>], column: usize) -> Length {
        let head = heads.get(column).map(|head| (Role::TableHead, head));
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| (Role::Body, cell));
        let mut longest = 0;
        for (role, cell) in head.into_iter().chain(cells) {
            for word in cell.split_whitespace() {
                longest = longest.max(word.chars().map(|character| self.measure.width(role, character)).sum());
            }
        }
        longest + GUTTER
    }

    /// Texts side by side, each broken to its own width.
    pub(super) fn columns(&mut self, columns: &[(Length, Length, Role, &str)]) -> Vec<Line> {
        let mut rows: Vec<Line> = Vec::new();
        for (x, width, role, text) in columns {
            let text = self.measure.covered(&legible(text));
            let mut ranges = Vec::new();
            wrap(&text, *width, &mut ranges, |character| self.measure.width(*role, character));
            if rows.len() < ranges.len() {
                rows.resize_with(ranges.len(), Line::default);
            }
            let height = self.measure.line_height(*role);
            for (row, range) in rows.iter_mut().zip(ranges) {
                row.height = row.height.max(height);
                row.pieces.push(Piece { x: *x, role: *role, text: text[range].to_owned() });
            }
        }
        rows
    }
}

/// Divides the lines among pages of the given height, keeping headings with what follows them.
pub fn paginate(lines: Vec<Line>, page_height: Length) -> Vec<Vec<Line>> {
    let mut pages: Vec<Vec<Line>> = vec![Vec::new()];
    let mut used = 0;
    for line in lines {
        let is_full = used + line.height > page_height;
        let page = pages.last_mut().expect("there is always a page");
        if is_full && !page.is_empty() {
            let kept = page.iter().rposition(|line| !line.keep_with_next).map_or(page.len(), |last| last + 1);
            let mut next = page.split_off(kept);
            let blank = next.iter().take_while(|line| line.is_blank()).count();
            next.drain(..blank);
            if next.is_empty() {
                next.extend(line.repeat.iter().flat_map(|repeat| repeat.iter().cloned()));
            }
            used = next.iter().map(|line| line.height).sum();
            pages.push(next);
        }
        let page = pages.last_mut().expect("there is always a page");
        let is_leading_space = page.is_empty() && line.is_blank();
        if !is_leading_space {
            used += line.height;
            page.push(line);
        }
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    struct EvenSpread;

    impl Measure for EvenSpread {
        fn width(&mut self, _: Role, _: char) -> Length {
            1_000
        }

        fn line_height(&self, _: Role) -> Length {
            5_000
        }

        fn covered(&mut self, text: &str) -> String {
            text.to_owned()
        }
    }

    fn laid_out(blocks: &[Block]) -> Vec<Line> {
        let mut measure = EvenSpread;
        let mut layout = Layout::new(&mut measure, 60_000);
        blocks.iter().for_each(|block| layout.block(block));
        layout.into_lines()
    }

    fn texts(lines: &[Line]) -> Vec<&str> {
        lines.iter().flat_map(|line| &line.pieces).map(|piece| piece.text.as_str()).collect()
    }

    #[test]
    fn a_heading_moves_to_the_next_page_with_its_first_line() {
        let blocks = [
            Block::Paragraph("jedan".to_owned()),
            Block::Heading { level: 2, text: "Naslov".to_owned() },
            Block::Paragraph("dva".to_owned()),
        ];
        let pages = paginate(laid_out(&blocks), 14_000);
        assert_eq!(pages.iter().map(|page| texts(page)).collect::<Vec<_>>(), [vec!["jedan"], vec!["Naslov", "dva"]]);
    }

    #[test]
    fn table_heads_are_repeated_and_every_row_appears_once() {
        let rows = (0..7).map(|index| vec![format!("red{index}"), "x".to_owned()]).collect();
        let block = Block::Table { heads: vec!["A".to_owned(), "B".to_owned()], rows };
        let pages = paginate(laid_out(&[block]), 20_000);
        let all: Vec<String> = pages.iter().flat_map(|page| texts(page)).map(str::to_owned).collect();
        assert!(pages.len() > 1);
        assert!(pages.iter().all(|page| texts(page).first() == Some(&"A")));
        for index in 0..7 {
            assert_eq!(all.iter().filter(|text| **text == format!("red{index}")).count(), 1);
        }
    }

    #[test]
    fn a_date_stays_whole_beside_a_long_text() {
        let row = ["01.10.2026.", "Kontrola", "od 17.08.2026. do 15.11.2026."].map(str::to_owned).to_vec();
        let lines = laid_out(&[Block::Table { heads: ["Dan", "Šta", "Prozor"].map(str::to_owned).to_vec(), rows: vec![row] }]);
        let shown = texts(&lines);
        assert!(shown.contains(&"01.10.2026.") && shown.contains(&"Kontrola"), "{shown:?}");
    }

    #[test]
    fn a_long_word_in_a_field_is_broken_and_kept() {
        let value = "x".repeat(130);
        let lines = laid_out(&[Block::Field { label: "Oznaka".to_owned(), value: value.clone() }]);
        let shown: String =
            lines.iter().flat_map(|line| &line.pieces).filter(|piece| piece.role == Role::Value).map(|piece| piece.text.as_str()).collect();
        assert_eq!(shown, value);
    }
}
