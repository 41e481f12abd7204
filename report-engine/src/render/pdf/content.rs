//! The operators of one page: boxes and lines below, text above, positions in hundredths of a point from the top left.
use super::font::{Fonts, Run, Weight};
use crate::plan::Align;
use crate::render::look::Rgb;

/// A length or position in hundredths of a point, so that the page holds no long fractions.
pub type Unit = i32;

pub fn points(length: f32) -> Unit {
    (length * 100.0).round() as Unit
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    pub const fn of((red, green, blue): Rgb) -> Self {
        Self(red, green, blue)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStyle {
    pub weight: Weight,
    /// Size in points.
    pub size: f32,
    pub color: Color,
}

/// The content of one page under construction.
pub struct Content {
    height: Unit,
    shapes: Vec<u8>,
    text: Vec<u8>,
    /// What is drawn after the text: form objects and pictures with their own text.
    above: Vec<u8>,
    pen: Pen,
    fill: Option<Color>,
    stroke: Option<(Color, Unit)>,
    encoded: Vec<u8>,
    runs: Vec<Run>,
}

/// Weight, page and size in points.
type Font = (Weight, u8, f32);

/// The text state that the operators so far have left behind.
#[derive(Default)]
struct Pen {
    x: Unit,
    y: Unit,
    font: Option<Font>,
    color: Option<Color>,
    /// The line of codes under way, which begins at `x`.
    line: Option<Line>,
    /// The step to the next line.
    leading: Option<Unit>,
}

/// Codes that are shown together.
#[derive(Clone, Copy)]
struct Line {
    /// How far it has come, in thousandths of the size of its text.
    reached: i32,
    /// So many of those in a [`Unit`].
    per_unit: f32,
}

impl Content {
    pub fn new(height: Unit) -> Self {
        Content {
            height,
            shapes: Vec::with_capacity(4 * 1024),
            text: Vec::with_capacity(24 * 1024),
            above: Vec::new(),
            pen: Pen::default(),
            fill: None,
            stroke: None,
            encoded: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// The height of the pages from now on; call between two of them.
    pub fn set_height(&mut self, height: Unit) {
        self.height = height;
    }

    /// Begins a marked piece of text.
    pub fn begin_piece(&mut self, name: &str, piece: usize) {
        self.end_line();
        self.text.push(b'/');
        self.text.extend_from_slice(name.as_bytes());
        self.text.extend_from_slice(b"<</MCID ");
        push_integer(&mut self.text, piece);
        self.text.extend_from_slice(b">>BDC\n");
    }

    /// Begins text that repeats on every page and is no part of what is read.
    pub fn begin_artifact(&mut self) {
        self.end_line();
        self.text.extend_from_slice(b"/Artifact<</Type/Pagination>>BDC\n");
    }

    pub fn end_piece(&mut self) {
        self.end_line();
        self.text.extend_from_slice(b"EMC\n");
    }

    /// Puts the page into `out` as one stream and starts an empty one.
    pub fn take(&mut self, out: &mut Vec<u8>) {
        self.end_line();
        out.clear();
        // Boxes and rules are no part of what is read.
        out.extend_from_slice(b"/Artifact BMC\n");
        out.extend_from_slice(&self.shapes);
        out.extend_from_slice(b"EMC\nBT\n");
        out.extend_from_slice(&self.text);
        out.extend_from_slice(b"ET\n");
        out.extend_from_slice(&self.above);
        self.shapes.clear();
        self.text.clear();
        self.above.clear();
        self.pen = Pen::default();
        self.fill = None;
        self.stroke = None;
    }

    pub fn rect(&mut self, x: Unit, y: Unit, width: Unit, height: Unit, color: Color) {
        if self.fill != Some(color) {
            push_color(&mut self.shapes, color, b"rg");
            self.fill = Some(color);
        }
        push_numbers(&mut self.shapes, &[x, self.height - y - height, width, height]);
        self.shapes.extend_from_slice(b"re f\n");
    }

    /// A horizontal rule.
    pub fn rule(&mut self, x: Unit, y: Unit, width: Unit, thickness: Unit, color: Color) {
        if self.stroke != Some((color, thickness)) {
            push_color(&mut self.shapes, color, b"RG");
            push_numbers(&mut self.shapes, &[thickness]);
            self.shapes.extend_from_slice(b"w\n");
            self.stroke = Some((color, thickness));
        }
        push_numbers(&mut self.shapes, &[x, self.height - y]);
        self.shapes.extend_from_slice(b"m ");
        push_numbers(&mut self.shapes, &[x + width, self.height - y]);
        self.shapes.extend_from_slice(b"l S\n");
    }

    /// Writes one line of text with its baseline at `y`; returns its width.
    pub fn text(&mut self, fonts: &mut Fonts, style: TextStyle, x: Unit, y: Unit, text: &str) -> Unit {
        let width = self.encode(fonts, style, text);
        self.show(style, x, y);
        width
    }

    /// Writes one line that ends at `right`.
    pub fn text_right(&mut self, fonts: &mut Fonts, style: TextStyle, right: Unit, y: Unit, text: &str) {
        let width = self.encode(fonts, style, text);
        self.show(style, right - width, y);
    }

    /// Writes one line between two edges.
    pub fn text_between(&mut self, fonts: &mut Fonts, style: TextStyle, align: Align, bounds: (Unit, Unit), y: Unit, text: &str) {
        let width = self.encode(fonts, style, text);
        self.show(style, begin(align, bounds, width), y);
    }

    /// Writes a line that is in codes of the first page of its font already; its width is in thousandths of its size. Neighbours of one
    /// look on one baseline are shown together, each as far from the one before as it has to be: a quarter fewer bytes.
    pub fn codes_between(&mut self, style: TextStyle, align: Align, bounds: (Unit, Unit), y: Unit, (codes, width): (&[u8], u32)) {
        let font = (style.weight, 0, style.size);
        let looks_alike = self.pen.font == Some(font) && self.pen.color == Some(style.color) && self.pen.y == self.height - y;
        let place = match self.pen.line {
            Some(Line { reached, per_unit }) if looks_alike => {
                // From the beginning of the line each time, so that what is rounded does not add up. Cells stand to the right of it.
                let edge = |edge: Unit| ((edge - self.pen.x) as f32 * per_unit + 0.5) as i32;
                let place = begin(align, (edge(bounds.0), edge(bounds.1)), width as i32);
                push_integer(&mut self.text, reached - place);
                place
            }
            _ => {
                let x = begin(align, bounds, scaled(width, style.size));
                self.end_line();
                self.set_color(style.color);
                self.set_font(font);
                self.set_place(x, y);
                self.text.push(b'[');
                0
            }
        };
        push_string(&mut self.text, codes);
        self.pen.line = Some(Line { reached: place + width as i32, per_unit: 10.0 / style.size });
    }

    fn end_line(&mut self) {
        if self.pen.line.take().is_some() {
            self.text.extend_from_slice(b"]TJ\n");
        }
    }

    /// Draws a form object with its origin at the place.
    pub fn form(&mut self, name: &str, x: Unit, y: Unit) {
        self.above.extend_from_slice(b"/Artifact<</Type/Pagination>>BDC\nq 1 0 0 1 ");
        push_numbers(&mut self.above, &[x, self.height - y]);
        self.above.extend_from_slice(b"cm /");
        self.above.extend_from_slice(name.as_bytes());
        self.above.extend_from_slice(b" Do Q\nEMC\n");
    }

    /// Draws foreign operators whose own coordinates run down from the place.
    pub fn picture(&mut self, x: Unit, y: Unit, operators: &[u8], piece: usize) {
        self.above.extend_from_slice(b"/Figure<</MCID ");
        push_integer(&mut self.above, piece);
        self.above.extend_from_slice(b">>BDC\nq 1 0 0 -1 ");
        push_numbers(&mut self.above, &[x, self.height - y]);
        self.above.extend_from_slice(b"cm\n");
        self.above.extend_from_slice(operators);
        self.above.extend_from_slice(b"Q\nEMC\n");
    }

    /// Draws the image of this name into the box whose upper left corner is the place.
    pub fn image(&mut self, name: &str, (x, y): (Unit, Unit), (width, height): (Unit, Unit), piece: usize) {
        self.above.extend_from_slice(b"/Figure<</MCID ");
        push_integer(&mut self.above, piece);
        self.above.extend_from_slice(b">>BDC\nq ");
        push_numbers(&mut self.above, &[width]);
        self.above.extend_from_slice(b"0 0 ");
        push_numbers(&mut self.above, &[height, x, self.height - y - height]);
        self.above.extend_from_slice(b"cm /");
        self.above.extend_from_slice(name.as_bytes());
        self.above.extend_from_slice(b" Do Q\nEMC\n");
    }

    fn encode(&mut self, fonts: &mut Fonts, style: TextStyle, text: &str) -> Unit {
        self.encoded.clear();
        self.runs.clear();
        let width = fonts.encode(style.weight, text, &mut self.encoded, &mut self.runs);
        scaled(width, style.size)
    }

    fn show(&mut self, style: TextStyle, x: Unit, y: Unit) {
        self.end_line();
        self.set_color(style.color);
        for index in 0..self.runs.len() {
            let run = self.runs[index];
            self.set_font((style.weight, run.page, style.size));
            if index == 0 {
                self.set_place(x, y);
            }
            push_run(&mut self.text, &run, &self.encoded);
        }
    }

    fn set_color(&mut self, color: Color) {
        if self.pen.color != Some(color) {
            push_color(&mut self.text, color, b"rg");
            self.pen.color = Some(color);
        }
    }

    fn set_font(&mut self, font: Font) {
        if self.pen.font != Some(font) {
            push_font(&mut self.text, font);
            self.pen.font = Some(font);
        }
    }

    fn set_place(&mut self, x: Unit, y: Unit) {
        let baseline = self.height - y;
        let (right, down) = (x - self.pen.x, baseline - self.pen.y);
        if right == 0 && self.pen.leading == Some(down) {
            self.text.extend_from_slice(b"T*");
        } else {
            push_numbers(&mut self.text, &[right, down]);
            if right == 0 {
                // Makes this the step of `T*` as well.
                self.text.extend_from_slice(b"TD");
                self.pen.leading = Some(down);
            } else {
                self.text.extend_from_slice(b"Td");
            }
        }
        (self.pen.x, self.pen.y) = (x, baseline);
    }
}

/// Where a line of this width begins between two edges, all in one unit.
fn begin(align: Align, (left, right): (i32, i32), width: i32) -> i32 {
    match align {
        Align::Left => left,
        Align::Center => (left + right) / 2 - width / 2,
        Align::Right => right - width,
    }
}

/// A width in thousandths of the text size as a length.
pub fn scaled(width: u32, size: f32) -> Unit {
    // Rounded: no width is below nothing.
    (width as f32 * size / 10.0 + 0.5) as Unit
}

/// Text at a place of its own, outside any page: for form objects and pictures.
pub fn push_text(out: &mut Vec<u8>, fonts: &mut Fonts, style: TextStyle, matrix: &str, text: &str) {
    let (mut encoded, mut runs) = (Vec::new(), Vec::new());
    fonts.encode(style.weight, text, &mut encoded, &mut runs);
    out.extend_from_slice(b"BT ");
    push_color(out, style.color, b"rg");
    out.extend_from_slice(matrix.as_bytes());
    out.extend_from_slice(b" Tm\n");
    for run in &runs {
        push_font(out, (style.weight, run.page, style.size));
        push_run(out, run, &encoded);
    }
    out.extend_from_slice(b"ET\n");
}

/// One run of codes; where the glyph only stands in for a character, the character itself is kept for extraction.
fn push_run(out: &mut Vec<u8>, run: &Run, encoded: &[u8]) {
    if let Some(character) = run.stands_for {
        out.extend_from_slice(b"/Span<</ActualText<FEFF");
        for unit in character.encode_utf16(&mut [0; 2]) {
            out.extend_from_slice(format!("{unit:04X}").as_bytes());
        }
        out.extend_from_slice(b">>>BDC\n");
    }
    push_codes(out, &encoded[run.start..run.end]);
    if run.stands_for.is_some() {
        out.extend_from_slice(b"EMC\n");
    }
}

fn push_codes(out: &mut Vec<u8>, codes: &[u8]) {
    push_string(out, codes);
    out.extend_from_slice(b"Tj\n");
}

/// No code needs to be escaped: see the fonts.
fn push_string(out: &mut Vec<u8>, codes: &[u8]) {
    out.push(b'(');
    out.extend_from_slice(codes);
    out.push(b')');
}

fn push_font(out: &mut Vec<u8>, (weight, page, size): Font) {
    out.push(b'/');
    out.push(weight.letter());
    push_integer(out, page);
    out.push(b' ');
    push_numbers(out, &[points(size)]);
    out.extend_from_slice(b"Tf\n");
}

pub fn push_color(out: &mut Vec<u8>, color: Color, operator: &[u8]) {
    for part in [color.0, color.1, color.2] {
        push_hundredths(out, (i32::from(part) * 100 + 127) / 255);
    }
    out.extend_from_slice(operator);
    out.push(b'\n');
}

/// Writes lengths, each followed by a blank.
pub fn push_numbers(out: &mut Vec<u8>, numbers: &[Unit]) {
    for number in numbers {
        push_hundredths(out, *number);
    }
}

/// Up to four bytes of a number.
#[derive(Clone, Copy)]
struct Piece {
    bytes: [u8; 4],
    length: u8,
}

/// Whole numbers below a thousand, and the decimals of hundredths with the blank after them.
const WHOLES: [Piece; 1000] = {
    let mut pieces = [Piece { bytes: *b"0   ", length: 1 }; 1000];
    let mut number = 1;
    while number < 1000 {
        let digits = [b'0' + (number / 100) as u8, b'0' + (number / 10 % 10) as u8, b'0' + (number % 10) as u8];
        pieces[number] = match number {
            100.. => Piece { bytes: [digits[0], digits[1], digits[2], b' '], length: 3 },
            10.. => Piece { bytes: [digits[1], digits[2], b' ', b' '], length: 2 },
            _ => Piece { bytes: [digits[2], b' ', b' ', b' '], length: 1 },
        };
        number += 1;
    }
    pieces
};
const DECIMALS: [Piece; 100] = {
    let mut pieces = [Piece { bytes: *b"    ", length: 1 }; 100];
    let mut number = 1;
    while number < 100 {
        let [tens, ones] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        pieces[number] = match number % 10 {
            0 => Piece { bytes: [b'.', tens, b' ', b' '], length: 3 },
            _ => Piece { bytes: [b'.', tens, ones, b' '], length: 4 },
        };
        number += 1;
    }
    pieces
};

/// Writes a number with the decimals that it needs and a blank.
fn push_hundredths(out: &mut Vec<u8>, number: i32) {
    // How far most cells stand below the one before.
    if number == 0 {
        out.extend_from_slice(b"0 ");
        return;
    }
    let (whole, hundredths) = ((number.unsigned_abs() / 100) as usize, (number.unsigned_abs() % 100) as usize);
    if number < 0 {
        out.push(b'-');
    }
    // Pieces of four bytes are copied faster than as many bytes as are needed.
    let mut text = [0; 8];
    let mut length = 0;
    if let Some(piece) = WHOLES.get(whole) {
        text[..4].copy_from_slice(&piece.bytes);
        length = usize::from(piece.length);
    } else {
        push_integer(out, whole);
    }
    let decimals = &DECIMALS[hundredths];
    text[length..length + 4].copy_from_slice(&decimals.bytes);
    length += usize::from(decimals.length);
    let end = out.len() + length;
    out.extend_from_slice(&text);
    out.truncate(end);
}

pub fn push_integer(out: &mut Vec<u8>, number: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_decimals_that_they_need() {
        for number in (-123_456..=123_456).chain([i32::MIN, i32::MAX]) {
            let mut out = b"x ".to_vec();
            push_numbers(&mut out, &[number, 7]);
            let sign = if number < 0 { "-" } else { "" };
            let text = format!("{sign}{}.{:02}", number.unsigned_abs() / 100, number.unsigned_abs() % 100);
            let shortest = text.trim_end_matches('0').trim_end_matches('.');
            assert_eq!(String::from_utf8(out).unwrap(), format!("x {shortest} 0.07 "));
        }
    }

    const HEIGHT: Unit = 84_200;
    const STYLE: TextStyle = TextStyle { weight: Weight::Regular, size: 7.0, color: Color(0, 0, 0) };

    /// Where each text of a page begins in hundredths of a point, by the operators that place it; letters are as wide as `width` says.
    fn places(page: &str, width: impl Fn(&str) -> f64) -> Vec<(f64, f64)> {
        let (mut x, mut y, mut leading) = (0.0, 0.0, f64::NAN);
        let mut places = Vec::new();
        for line in page.lines() {
            let Some((operands, array)) = line.split_once('[') else { continue };
            let moved: Vec<f64> = operands.split_whitespace().filter_map(|number| number.parse().ok()).collect();
            let (right, down) = if operands == "T*" { (0.0, leading) } else { (moved[0], moved[1]) };
            leading = if operands.ends_with("TD") { down } else { leading };
            (x, y) = (x + right * 100.0, y + down * 100.0);
            let mut reached = 0.0;
            for part in array.split_inclusive(')') {
                let Some((back, text)) = part.trim_end_matches(')').split_once('(') else { continue };
                reached -= back.parse::<f64>().unwrap_or_default();
                places.push((x + reached * f64::from(STYLE.size) / 10.0, y));
                reached += width(text);
            }
        }
        places
    }

    #[test]
    fn cells_of_a_row_that_are_shown_together_stand_where_each_belongs() {
        let mut fonts = Fonts::new();
        let mut content = Content::new(HEIGHT);
        // All of one width, whatever codes they have.
        let digit = fonts.width(Weight::Regular, "7");
        fonts.encode(Weight::Regular, "0123456789", &mut Vec::new(), &mut Vec::new());
        let (mut codes, mut wanted) = (Vec::new(), Vec::new());
        for row in 0..8 {
            for column in 0..12 {
                // The last rows begin below each other.
                let align = [Align::Left, Align::Center, Align::Right][(row.min(3) + column) as usize % 3];
                let text = "1".repeat(1 + (column % 5) as usize);
                let width = fonts.encode_plain(Weight::Regular, &text, &mut codes).expect("digits are plain");
                let bounds = (3_000 + column * 4_017, 3_000 + column * 4_017 + 3_800);
                content.codes_between(STYLE, align, bounds, 5_000 + row * 1_111, (&codes, width));
                wanted.push((begin(align, bounds, scaled(width, STYLE.size)), HEIGHT - 5_000 - row * 1_111));
            }
        }
        let mut page = Vec::new();
        content.take(&mut page);
        let page: String = page.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect();
        let found = places(&page, |text| f64::from(digit) * text.chars().count() as f64);
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.iter().zip(&wanted) {
            // A thousandth of a text of seven points is 0.7 of a hundredth.
            assert!(
                (found.0 - f64::from(wanted.0)).abs() < 1.0 && (found.1 - f64::from(wanted.1)).abs() < 0.01,
                "{found:?} is not {wanted:?}"
            );
        }
        assert_eq!((page.matches("TJ").count(), page.matches("T*").count()), (8, 3));
    }

    #[test]
    fn another_look_or_a_mark_ends_the_texts_that_are_shown_together() {
        let mut fonts = Fonts::new();
        let mut content = Content::new(HEIGHT);
        fonts.encode(Weight::Regular, "12", &mut Vec::new(), &mut Vec::new());
        let mut codes = Vec::new();
        let width = fonts.encode_plain(Weight::Regular, "12", &mut codes).expect("digits are plain");
        for (column, color) in [(0, 0), (1, 0), (2, 9), (3, 9)] {
            let bounds = (column * 5_000, column * 5_000 + 4_000);
            content.codes_between(TextStyle { color: Color(color, 0, 0), ..STYLE }, Align::Left, bounds, 900, (&codes, width));
        }
        content.begin_piece("TD", 7);
        content.codes_between(STYLE, Align::Left, (0, 4_000), 900, (&codes, width));
        content.end_piece();
        content.text(&mut fonts, STYLE, 0, 1_800, "12");
        let mut page = Vec::new();
        content.take(&mut page);
        let page: String = page.iter().map(|byte| char::from(*byte)).collect();
        assert_eq!(page.matches("TJ").count(), 3);
        assert_eq!(page.matches("Tj").count(), 1);
        assert!(page.contains("]TJ\n/TD<</MCID 7>>BDC\n") && page.contains("]TJ\nEMC\n"), "{page}");
    }
}
