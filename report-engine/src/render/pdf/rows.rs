//! Rows of wrapped text boxes: how tall they are, and how they are drawn, over the end of a page where they must be.
use std::io;
use std::ops::Range;

use super::columns::{Measures, Place};
use super::content::{Color, TextStyle, Unit};
use super::font::{Fonts, Weight};
use super::look;
use super::paper::Paper;
use super::tags::Tag;
use crate::plan::Align;

/// What the heads of the columns have above and below more than a row.
const HEAD_PAD: Unit = 100;

/// A text in its place on the line.
pub struct TextBox {
    pub x: Unit,
    pub width: Unit,
    pub align: Align,
    pub text: String,
    pub lines: Vec<Range<usize>>,
    /// The codes of the whole text and their width, where it is one plain line.
    pub codes: Vec<u8>,
    pub plain_width: Option<u32>,
    /// Columns that it stands over.
    pub span: u16,
    /// It catches the eye, whatever its row looks like.
    pub emphasised: bool,
}

/// How a row is drawn.
#[derive(Clone, Copy)]
pub struct RowLook {
    pub style: TextStyle,
    pub fill: Option<Color>,
    pub rule_above: Option<Color>,
    pub rule_below: Option<Color>,
    /// It has been told already, on an earlier page.
    pub repeats: bool,
}

impl TextBox {
    /// A box at the left edge, still without lines.
    pub fn new(x: Unit, width: Unit, text: String) -> Self {
        let (lines, codes) = (Vec::new(), Vec::new());
        TextBox { x, width, align: Align::Left, text, lines, codes, plain_width: None, span: 1, emphasised: false }
    }

    /// Bold, dark red: told apart also where a printer knows no colours.
    fn style(&self, of_row: TextStyle) -> TextStyle {
        if self.emphasised { TextStyle { weight: Weight::Bold, color: look::WARNING, ..of_row } } else { of_row }
    }

    /// Breaks the text into lines of so many thousandths of its size; call after the text has changed.
    pub fn break_lines(&mut self, fonts: &mut Fonts, style: TextStyle, limit: u32) {
        self.lines.clear();
        let style = self.style(style);
        self.plain_width = fonts.encode_plain(style.weight, &self.text, &mut self.codes).filter(|width| *width <= limit);
        let fits = |fonts: &mut Fonts| !self.text.contains('\n') && fonts.width(style.weight, &self.text) <= limit;
        let is_short = self.plain_width.is_some() || fits(fonts);
        if is_short {
            self.lines.push(0..self.text.len());
        } else {
            fonts.wrap(style.weight, &self.text, limit, &mut self.lines);
        }
    }
}

pub fn height(boxes: &[TextBox], measures: Measures) -> Unit {
    height_of(line_count(boxes), measures)
}

fn line_count(boxes: &[TextBox]) -> usize {
    boxes.iter().map(|text_box| text_box.lines.len()).max().unwrap_or(1).max(1)
}

fn height_of(lines: usize, measures: Measures) -> Unit {
    lines as Unit * measures.leading + 2 * measures.pad_y
}

/// Draws the row. One that fits on a page is kept whole; a taller one runs on over the pages, line by line.
pub fn draw(paper: &mut Paper, places: &[Place], boxes: &[TextBox], look: RowLook, measures: Measures) -> io::Result<()> {
    let lines = line_count(boxes);
    let height = height_of(lines, measures);
    if paper.room() < height && height <= page_room(paper, places, measures) {
        turn(paper, places, measures)?;
    }
    let mut next = 0;
    while next < lines {
        let fitting = |paper: &Paper| (paper.room() - 2 * measures.pad_y) / measures.leading;
        if fitting(paper) < 1 {
            turn(paper, places, measures)?;
        }
        // A page too low for even one line gets one all the same: nothing is left out.
        let count = usize::try_from(fitting(paper)).unwrap_or(0).clamp(1, lines - next);
        draw_part(paper, boxes, next..next + count, look, measures)?;
        next += count;
    }
    Ok(())
}

/// The room for rows on a new page, below its column heads.
pub fn page_room(paper: &Paper, places: &[Place], measures: Measures) -> Unit {
    paper.whole_room() - heads_height(places, measures)
}

/// Begins a new page with the column heads.
pub fn turn(paper: &mut Paper, places: &[Place], measures: Measures) -> io::Result<()> {
    paper.turn()?;
    draw_heads(paper, places, measures, true)
}

/// The row of column heads, standing on its lower edge.
pub fn draw_heads(paper: &mut Paper, places: &[Place], measures: Measures, repeats: bool) -> io::Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    if repeats {
        paper.content.begin_artifact();
    } else {
        paper.begin_table()?;
        paper.begin_row();
    }
    let lines = head_lines(places);
    let height = heads_height(places, measures);
    paper.content.rect(paper.left(), paper.y, paper.inner_width(), height, look::HEAD_FILL);
    let style = TextStyle { weight: Weight::Bold, size: measures.size, color: look::ACCENT };
    for place in places {
        if !repeats && place.head.is_empty() {
            paper.blank_piece(Tag::Head)?;
        } else if !repeats {
            paper.begin_piece(Tag::Head)?;
        }
        let first = lines - place.head_lines.len();
        for (index, line) in place.head_lines.iter().enumerate() {
            let y = paper.y + measures.pad_y + HEAD_PAD + (first + index) as Unit * measures.leading + measures.baseline;
            let bounds = (place.x + measures.pad_x, place.x + place.width - measures.pad_x);
            draw_line(paper, style, place.align, bounds, y, &place.head[line.clone()]);
        }
        if !repeats && !place.head.is_empty() {
            paper.end_piece();
        }
    }
    if repeats {
        paper.content.end_piece();
    } else {
        paper.end_row()?;
    }
    paper.y += height;
    paper.content.rule(paper.left(), paper.y, paper.inner_width(), 80, look::ACCENT);
    Ok(())
}

fn head_lines(places: &[Place]) -> usize {
    places.iter().map(|place| place.head_lines.len()).max().unwrap_or(0)
}

/// Nothing for text that stands under no columns.
fn heads_height(places: &[Place], measures: Measures) -> Unit {
    match head_lines(places) {
        0 => 0,
        lines => lines as Unit * measures.leading + 2 * (measures.pad_y + HEAD_PAD),
    }
}

fn draw_part(paper: &mut Paper, boxes: &[TextBox], lines: Range<usize>, row: RowLook, measures: Measures) -> io::Result<()> {
    let height = height_of(lines.len(), measures);
    let (left, width) = (paper.left(), paper.inner_width());
    if let Some(color) = row.fill {
        paper.content.rect(left, paper.y, width, height, color);
    }
    for text_box in boxes.iter().filter(|text_box| text_box.emphasised) {
        paper.content.rect(text_box.x, paper.y, text_box.width, height, look::WARNING_FILL);
    }
    if let Some(color) = row.rule_above {
        paper.content.rule(left, paper.y, width, 60, color);
    }
    if let Some(color) = row.rule_below {
        paper.content.rule(left, paper.y + height, width, 40, color);
    }
    let is_told = if row.repeats {
        paper.content.begin_artifact();
        false
    } else {
        paper.begin_line(boxes.iter().map(|text_box| text_box.span).sum())?
    };
    for text_box in boxes {
        if is_told {
            let tag = if paper.is_in_row() { Tag::Cell(text_box.span) } else { Tag::Paragraph };
            if text_box.text.is_empty() {
                paper.blank_piece(tag)?;
                continue;
            }
            paper.begin_piece(tag)?;
        }
        draw_lines(paper, text_box, &lines, row.style, measures);
        if is_told {
            paper.end_piece();
        }
    }
    if row.repeats {
        paper.content.end_piece();
    } else if is_told {
        paper.end_row()?;
    }
    paper.y += height;
    Ok(())
}

/// Those of a box that are among `lines`, from the present place down.
fn draw_lines(paper: &mut Paper, text_box: &TextBox, lines: &Range<usize>, of_row: TextStyle, measures: Measures) {
    let (style, align) = (text_box.style(of_row), text_box.align);
    let bounds = (text_box.x + measures.pad_x, text_box.x + text_box.width - measures.pad_x);
    let mut y = paper.y + measures.pad_y + measures.baseline;
    if let Some(width) = text_box.plain_width {
        if lines.start == 0 && !text_box.codes.is_empty() {
            paper.content.codes_between(style, align, bounds, y, (&text_box.codes, width));
        }
        return;
    }
    for line in text_box.lines.iter().skip(lines.start).take(lines.len()) {
        draw_line(paper, style, align, bounds, y, &text_box.text[line.clone()]);
        y += measures.leading;
    }
}

fn draw_line(paper: &mut Paper, style: TextStyle, align: Align, bounds: (Unit, Unit), y: Unit, text: &str) {
    if !text.is_empty() {
        paper.content.text_between(&mut paper.fonts, style, align, bounds, y, text);
    }
}
