//! The lines of the tables as the sheets hold them, packed as they come, so that neither memory nor the disk holds them plain.
//!
//! The writer of workbooks makes everything around them. Its own mode of constant memory looks each cell up and formats it by general
//! means, and forgets the levels of lines; here a cell is some bytes behind the last one.
use std::io::{self, Read, Seek, Write};

use jiff::civil::Date;
use rust_decimal::Decimal;
use rust_xlsxwriter::IntoExcelDateTime;
use rust_xlsxwriter::utility::column_number_to_name;

use super::cell::{FIRST_YEAR, LINE_HEIGHT, MAX_LINES, UNITS_PER_CELL, fit};
use super::packing::{PackedFacts, Packer};
use crate::plan::{Value, show};
use crate::render::clean::{clean, is_plain_byte};
use crate::render::file::OutFile;

/// Bytes that are packed together.
const CHUNK: usize = 64 * 1024;
/// Numbers up to here are their digits, whichever way they are read.
const EXACT: u64 = 1 << 53;

pub struct Lines {
    file: OutFile,
    written: u64,
    packer: Packer,
    plain: Vec<u8>,
    /// The number of the present line, and what stands between it and the format of a cell.
    number: Vec<u8>,
    /// How a cell of each column begins.
    cells: Vec<Vec<u8>>,
    sheets: Vec<Sheet>,
}

/// The lines of one sheet.
pub struct Sheet {
    /// Its head, counted from nought: the lines stand below.
    pub head: u32,
    /// The deepest level of its lines.
    pub level: u8,
    from: u64,
    told: PackedFacts,
}

impl Lines {
    /// Lines that are kept beside the file until it is put together.
    pub fn beside(file: &OutFile) -> io::Result<Self> {
        Ok(Lines {
            file: file.beside("redovi")?,
            written: 0,
            packer: Packer::new(),
            plain: Vec::with_capacity(CHUNK + CHUNK / 4),
            number: Vec::new(),
            cells: Vec::new(),
            sheets: Vec::new(),
        })
    }

    pub fn begin_sheet(&mut self, head: u32, columns: usize) -> io::Result<()> {
        self.end_sheet()?;
        self.cells = (0..columns).map(|column| format!("<c r=\"{}", column_number_to_name(column as u16)).into_bytes()).collect();
        self.sheets.push(Sheet { head, level: 0, from: self.written, told: PackedFacts::default() });
        Ok(())
    }

    fn end_sheet(&mut self) -> io::Result<()> {
        if let Some(sheet) = self.sheets.last_mut() {
            let mut packer = std::mem::replace(&mut self.packer, Packer::new());
            packer.add(&self.plain, &mut self.file)?;
            self.plain.clear();
            sheet.told = packer.end_piece(&mut self.file)?;
            self.written += sheet.told.packed;
        }
        Ok(())
    }

    /// Begins a line, `row` counted from nought, as high as so many lines of text.
    pub fn begin(&mut self, row: u32, lines: usize, level: u8) {
        self.number.clear();
        push_whole(&mut self.number, u64::from(row) + 1);
        self.plain.extend_from_slice(b"<row r=\"");
        self.plain.extend_from_slice(&self.number);
        self.plain.push(b'"');
        self.number.extend_from_slice(b"\" s=\"");
        if lines > 1 {
            let height = lines.min(MAX_LINES) as f64 * LINE_HEIGHT;
            self.plain.extend_from_slice(format!(" ht=\"{height}\" customHeight=\"1\"").as_bytes());
        }
        if level > 0 {
            self.plain.extend_from_slice(b" outlineLevel=\"");
            push_whole(&mut self.plain, level.into());
            self.plain.push(b'"');
            if let Some(sheet) = self.sheets.last_mut() {
                sheet.level = sheet.level.max(level);
            }
        }
        self.plain.push(b'>');
    }

    pub fn end(&mut self) -> io::Result<()> {
        self.plain.extend_from_slice(b"</row>");
        if self.plain.len() >= CHUNK {
            self.packer.add(&self.plain, &mut self.file)?;
            self.plain.clear();
        }
        Ok(())
    }

    fn begin_cell(&mut self, column: usize, style: u32) {
        self.plain.extend_from_slice(&self.cells[column]);
        self.plain.extend_from_slice(&self.number);
        match style {
            0..10 => self.plain.push(b'0' + style as u8),
            _ => push_whole(&mut self.plain, style.into()),
        }
    }

    pub fn blank(&mut self, column: usize, style: u32) {
        self.begin_cell(column, style);
        self.plain.extend_from_slice(b"\"/>");
    }

    /// A cell by its type: what is no number is blank, and dates that Excel's calendar does not reach are texts.
    pub fn value(&mut self, column: usize, style: u32, value: &Value) {
        match value {
            Value::Null => self.blank(column, style),
            Value::Int(number) => self.number(column, style, |out| push_int(out, *number)),
            Value::Decimal(number) => self.number(column, style, |out| push_decimal(out, *number)),
            Value::Float(number) if number.is_finite() => self.number(column, style, |out| push_float(out, *number)),
            Value::Float(_) => self.blank(column, style),
            Value::Text(text) => self.text(column, style, text),
            Value::Date(date) if date.year() >= FIRST_YEAR => self.number(column, style, |out| push_whole(out, serial(*date))),
            Value::DateTime(moment) if moment.year() >= FIRST_YEAR => {
                self.number(column, style, |out| push_float(out, moment.to_excel_serial_date()));
            }
            Value::Bool(_) | Value::Date(_) | Value::DateTime(_) => self.text(column, style, &show(value, None)),
        }
    }

    fn number(&mut self, column: usize, style: u32, push: impl FnOnce(&mut Vec<u8>)) {
        self.begin_cell(column, style);
        self.plain.extend_from_slice(b"\"><v>");
        push(&mut self.plain);
        self.plain.extend_from_slice(b"</v></c>");
    }

    pub fn text(&mut self, column: usize, style: u32, text: &str) {
        let is_simple = text.len() <= UNITS_PER_CELL && text.bytes().all(|byte| SIMPLE[usize::from(byte)]);
        if is_simple {
            return self.string(column, style, text, text);
        }
        let shown = fit(&clean(text));
        self.string(column, style, &shown, &escaped(&shown));
    }

    fn string(&mut self, column: usize, style: u32, shown: &str, escaped: &str) {
        if shown.is_empty() {
            return self.blank(column, style);
        }
        self.begin_cell(column, style);
        let keeps_blanks = shown.starts_with([' ', '\n', '\t']) || shown.ends_with([' ', '\n', '\t']);
        self.plain.extend_from_slice(match keeps_blanks {
            true => b"\" t=\"inlineStr\"><is><t xml:space=\"preserve\">",
            false => b"\" t=\"inlineStr\"><is><t>".as_slice(),
        });
        self.plain.extend_from_slice(escaped.as_bytes());
        self.plain.extend_from_slice(b"</t></is></c>");
    }

    /// A formula of ours with its result, for programs that do not compute.
    pub fn formula(&mut self, column: usize, style: u32, formula: &str, result: f64) {
        self.begin_cell(column, style);
        self.plain.extend_from_slice(b"\"><f>");
        self.plain.extend_from_slice(formula.as_bytes());
        self.plain.extend_from_slice(b"</f><v>");
        self.plain.extend_from_slice(result.to_string().as_bytes());
        self.plain.extend_from_slice(b"</v></c>");
    }

    /// Ends the last sheet.
    pub fn finish(mut self) -> io::Result<PackedLines> {
        self.end_sheet()?;
        let read = self.file.reread()?;
        Ok(PackedLines { read, sheets: self.sheets, _file: self.file })
    }
}

/// The packed lines of all sheets, waiting for what stands around them.
pub struct PackedLines {
    read: std::fs::File,
    sheets: Vec<Sheet>,
    /// Goes with it.
    _file: OutFile,
}

impl PackedLines {
    /// The lines of the sheet of this number.
    pub fn sheet(&self, number: usize) -> Option<&Sheet> {
        self.sheets.get(number.checked_sub(1)?)
    }

    pub fn copy(&self, sheet: &Sheet, out: &mut impl Write) -> io::Result<()> {
        let mut read = &self.read;
        read.seek(io::SeekFrom::Start(sheet.from))?;
        io::copy(&mut read.take(sheet.told.packed), out)?;
        Ok(())
    }
}

impl Sheet {
    pub fn told(&self) -> &PackedFacts {
        &self.told
    }
}

/// Bytes of texts that stand in a sheet as they are. Behind an underscore a text could look like an escaped character.
const SIMPLE: [bool; 256] = {
    let mut simple = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        simple[byte] = is_plain_byte(byte as u8) && !matches!(byte as u8, b'&' | b'<' | b'>' | b'_');
        byte += 1;
    }
    simple
};

/// A clean text as XML; what Excel would read as an escaped character has its underscore escaped.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for (place, letter) in text.char_indices() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '_' if is_escape(&text.as_bytes()[place..]) => out.push_str("_x005F_"),
            _ => out.push(letter),
        }
    }
    out
}

/// `_x0041_` and the like.
fn is_escape(bytes: &[u8]) -> bool {
    matches!(bytes, [b'_', b'x', digits @ .., ] if digits.len() > 4 && digits[4] == b'_' && digits[..4].iter().all(u8::is_ascii_hexdigit))
}

fn push_whole(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

fn push_int(out: &mut Vec<u8>, number: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// The digits themselves where every reader takes them for the same number.
fn push_decimal(out: &mut Vec<u8>, number: Decimal) {
    let mantissa = number.mantissa().unsigned_abs();
    let Some(mut mantissa) = u64::try_from(mantissa).ok().filter(|mantissa| *mantissa <= EXACT) else {
        return match Value::Decimal(number).as_f64() {
            Some(number) => push_float(out, number),
            None => out.push(b'0'),
        };
    };
    let mut scale = number.scale() as usize;
    while scale > 0 && mantissa % 10 == 0 {
        (mantissa, scale) = (mantissa / 10, scale - 1);
    }
    if number.is_sign_negative() && mantissa > 0 {
        out.push(b'-');
    }
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(mantissa).as_bytes();
    match digits.len().checked_sub(scale) {
        Some(split) if split > 0 => {
            out.extend_from_slice(&digits[..split]);
            if scale > 0 {
                out.push(b'.');
                out.extend_from_slice(&digits[split..]);
            }
        }
        _ => {
            out.extend_from_slice(b"0.");
            out.extend(std::iter::repeat_n(b'0', scale - digits.len()));
            out.extend_from_slice(digits);
        }
    }
}

/// The shortest digits that name the number.
fn push_float(out: &mut Vec<u8>, number: f64) {
    let mut buffer = zmij::Buffer::new();
    let digits = buffer.format_finite(number);
    out.extend_from_slice(digits.strip_suffix(".0").unwrap_or(digits).as_bytes());
}

/// The day as Excel counts it, from 1900 on, in which it believes in a 29th of February.
fn serial(date: Date) -> u64 {
    const MONTHS_BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let before = i64::from(date.year()) - 1;
    let leap_days = |year: i64| year / 4 - year / 100 + year / 400;
    let is_past_february = date.month() > 2 && date.in_leap_year();
    let days = (before - 1899) * 365 + leap_days(before) - leap_days(1899)
        + MONTHS_BEFORE[usize::from(date.month() as u8) - 1]
        + i64::from(is_past_february)
        + i64::from(date.day());
    (days + i64::from(days > 59)).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed<T>(push: fn(&mut Vec<u8>, T), number: T) -> String {
        let mut out = Vec::new();
        push(&mut out, number);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn days_are_those_of_excel() {
        let mut day = jiff::civil::date(1900, 1, 1);
        let last = jiff::civil::date(2101, 3, 2);
        while day <= last {
            assert_eq!(serial(day) as f64, day.to_excel_serial_date(), "{day}");
            day = day.tomorrow().unwrap();
        }
        assert_eq!(serial(jiff::civil::date(9999, 12, 31)), 2_958_465);
    }

    #[test]
    fn decimals_are_the_numbers_that_they_were() {
        for text in ["0", "0.00", "-0.5", "7.50", "0.004", "147664.08", "-1234567.10", "9007199254740992", "79228162514264337593543950335"]
        {
            let number: Decimal = text.parse().unwrap();
            let read: f64 = pushed(push_decimal, number).parse().unwrap();
            assert_eq!(read, text.parse::<f64>().unwrap(), "{text}");
        }
        assert_eq!(pushed(push_decimal, "7.50".parse().unwrap()), "7.5");
        assert_eq!(pushed(push_decimal, "-0.00".parse().unwrap()), "0");
        assert_eq!([5.0, -0.25, 1e300].map(|number| pushed(push_float, number)), ["5", "-0.25", "1e+300"]);
    }

    #[test]
    fn texts_are_escaped_as_the_writer_of_workbooks_does_it() {
        assert_eq!(escaped("a<b>&c\n_x0041_ _x00_ _xZZZZ_ _"), "a&lt;b&gt;&amp;c\n_x005F_x0041_ _x00_ _xZZZZ_ _");
        assert_eq!(escaped("_x0041_x0042_"), "_x005F_x0041_x005F_x0042_");
    }
}
