//! CSV for Serbian Excel: UTF-8 with a byte order mark, `;` between fields, decimal comma, dates as `DD.MM.YYYY.`
//!
//! The file is flat: one line a row, the group columns first, no bands and no totals, numbers as exact as they came and
//! without thousands points; a minus of a number is a hyphen in texts too. A text that a spreadsheet would take for a formula gets an apostrophe in front, one that it would take
//! for a number a tab behind, by which Excel and LibreOffice leave its zeros. A report for programs may ask for texts to the letter.
use std::io::{self, Write};

use domain::shown::{push_plain_decimal, with_hyphens};

use super::chart::Picture;
use super::clean::{clean, is_plain_byte, one_line};
use super::error::RenderError;
use super::feed::{Cells, FileFacts, Footer, GroupHeader, TableSink};
use super::file::{OutFile, explain};
use crate::plan::{CellFormat, CsvTexts, Format, PageSetup, TablePlan, Value, write_value};

/// More decimals than that come only from divisions.
const MAX_DECIMALS: u32 = 10;
/// A number of so many digits is shown by its power of ten where its column is narrow.
const LONG_NUMBER: usize = 11;
/// Bytes that go to the file together.
const CHUNK: usize = 128 * 1024;

pub struct CsvSink {
    file: OutFile,
    lines: Lines,
    formats: Vec<Option<CellFormat>>,
    texts: CsvTexts,
    heads: Vec<String>,
    /// What stands below the rows of an analysis.
    notes: Vec<String>,
    limit: u64,
}

/// What a line of words begins with, by which readers of data leave it out.
const WORDS: &str = "# ";

impl CsvSink {
    /// `plan` is already flat, so each of its columns is a field.
    pub fn new(plan: &TablePlan, file: OutFile, limit: u64) -> Result<Self, RenderError> {
        let mut sink = CsvSink {
            file,
            lines: Lines::new(),
            formats: plan.columns.iter().map(|column| column.format.clone()).collect(),
            texts: plan.csv_texts,
            heads: heads(plan),
            notes: Vec::new(),
            limit,
        };
        sink.begin_analysis(plan);
        sink.write_heads()?;
        Ok(sink)
    }

    fn write_heads(&mut self) -> Result<(), RenderError> {
        self.lines.line(&self.heads);
        self.pass_on()
    }

    /// A table of statistics says what it is above its heads: its numbers mean nothing without.
    fn begin_analysis(&mut self, table: &TablePlan) {
        if table.is_analysis {
            self.words(table.title.as_deref().unwrap_or_default());
            self.notes = table.notes.clone();
        }
    }

    fn write_notes(&mut self) {
        std::mem::take(&mut self.notes).iter().for_each(|note| self.words(note));
    }

    /// A line of words over the columns.
    fn words(&mut self, text: &str) {
        let line = format!("{WORDS}{}", with_hyphens(&one_line(text)));
        let fields: Vec<&str> = std::iter::once(line.as_str()).chain(std::iter::repeat_n("", self.heads.len().saturating_sub(1))).collect();
        self.lines.line(&fields);
    }

    /// Gives the file what has gathered.
    fn pass_on(&mut self) -> Result<(), RenderError> {
        self.lines.pass_on(&mut self.file).map_err(|error| explain(error, Format::Csv, self.limit))
    }
}

fn heads(plan: &TablePlan) -> Vec<String> {
    plan.columns.iter().map(|column| guard(words_of(&column.head), plan.csv_texts)).collect()
}

impl TableSink for CsvSink {
    fn group_header(&mut self, _: &GroupHeader) -> Result<(), RenderError> {
        Ok(())
    }

    fn row(&mut self, cells: &Cells) -> Result<(), RenderError> {
        for (value, format) in cells.iter().zip(&self.formats) {
            write_cell(&mut self.lines, value, format.as_ref(), self.texts);
        }
        self.lines.end();
        self.pass_on()
    }

    fn footer(&mut self, _: &Footer) -> Result<(), RenderError> {
        Ok(())
    }

    /// Tables of the same columns are one; others begin with their heads after a blank line.
    fn section(&mut self, _: &[Picture], table: &TablePlan, _: PageSetup) -> Result<(), RenderError> {
        self.formats = table.columns.iter().map(|column| column.format.clone()).collect();
        let heads = heads(table);
        if heads == self.heads && !table.is_analysis {
            return Ok(());
        }
        self.write_notes();
        self.heads = heads;
        let blank: Vec<&str> = self.heads.iter().map(|_| "").collect();
        self.lines.line(&blank);
        self.begin_analysis(table);
        self.write_heads()
    }

    fn finish(mut self: Box<Self>, _: &[Picture], cut: Option<&str>) -> Result<FileFacts, RenderError> {
        self.write_notes();
        if let Some(note) = cut {
            let fields: Vec<&str> = std::iter::once(note).chain(std::iter::repeat_n("", self.formats.len() - 1)).collect();
            self.lines.line(&fields);
        }
        let CsvSink { file, lines, limit, .. } = *self;
        Ok(FileFacts { bytes: lines.keep(file).map_err(|error| explain(error, Format::Csv, limit))?, ..FileFacts::default() })
    }
}

/// Writes label and value lines: the CSV of a flowing document.
pub fn write_pairs(mut file: OutFile, limit: u64, pairs: &[Vec<String>]) -> Result<u64, RenderError> {
    let mut lines = Lines::new();
    let width = pairs.iter().map(Vec::len).max().unwrap_or(1);
    for pair in pairs {
        let empty = std::iter::repeat_n(String::new(), width - pair.len());
        let fields = pair.iter().map(|field| guard(words_of(field), CsvTexts::Safe)).chain(empty);
        lines.line(&fields.collect::<Vec<_>>());
        lines.pass_on(&mut file).map_err(|error| explain(error, Format::Csv, limit))?;
    }
    lines.keep(file).map_err(|error| explain(error, Format::Csv, limit))
}

/// A text for a CSV that people open in a spreadsheet.
pub fn safe_text(text: String) -> String {
    guard(clean(&text).into_owned(), CsvTexts::Safe)
}

/// Lines of fields, between quotes where a reader would take them for something else.
struct Lines {
    buffer: String,
    /// Where the present line begins in the buffer.
    start: usize,
    is_first: bool,
}

impl Lines {
    fn new() -> Self {
        let mut buffer = String::with_capacity(CHUNK + CHUNK / 8);
        buffer.push('\u{FEFF}');
        Lines { start: buffer.len(), buffer, is_first: true }
    }

    /// The place for one more field, which needs no quotes.
    fn next(&mut self) -> &mut String {
        if !std::mem::take(&mut self.is_first) {
            self.buffer.push(';');
        }
        &mut self.buffer
    }

    /// A field that may hold anything.
    fn field(&mut self, write: impl FnOnce(&mut String)) {
        let out = self.next();
        let start = out.len();
        write(out);
        if out.as_bytes()[start..].iter().any(|byte| needs_quotes(*byte)) {
            let field = out.split_off(start).replace('"', "\"\"");
            out.push('"');
            out.push_str(&field);
            out.push('"');
        }
    }

    fn line(&mut self, fields: &[impl AsRef<str>]) {
        fields.iter().for_each(|field| self.field(|out| out.push_str(field.as_ref())));
        self.end();
    }

    fn end(&mut self) {
        // A line of one blank field would be no line at all.
        if self.buffer.len() == self.start {
            self.buffer.push_str("\"\"");
        }
        self.buffer.push_str("\r\n");
        self.is_first = true;
        self.start = self.buffer.len();
    }

    /// Gives the lines to the file when there are enough.
    fn pass_on(&mut self, file: &mut OutFile) -> io::Result<()> {
        if self.buffer.len() >= CHUNK {
            file.write_all(self.buffer.as_bytes())?;
            self.buffer.clear();
            self.start = 0;
        }
        Ok(())
    }

    fn keep(self, mut file: OutFile) -> io::Result<u64> {
        file.write_all(self.buffer.as_bytes())?;
        file.keep()
    }
}

const fn needs_quotes(byte: u8) -> bool {
    matches!(byte, b';' | b'"' | b'\r' | b'\n')
}

/// Bytes of texts that stand in a field as they are.
const AS_IS: [bool; 256] = {
    let mut as_is = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        as_is[byte] = is_plain_byte(byte as u8) && !needs_quotes(byte as u8);
        byte += 1;
    }
    as_is
};

fn write_cell(lines: &mut Lines, value: &Value, format: Option<&CellFormat>, texts: CsvTexts) {
    match value {
        Value::Text(content) => write_text(lines, content, texts),
        Value::Decimal(number) => push_plain_decimal(lines.next(), *number, number.scale().min(MAX_DECIMALS)),
        Value::Float(number) => match value.as_decimal() {
            Some(decimal) => push_plain_decimal(lines.next(), decimal, decimal.scale()),
            None if number.is_finite() => lines.next().push_str(&number.to_string().replace('.', ",")),
            // What is no number is blank.
            None => _ = lines.next(),
        },
        Value::Int(number) => push_int(lines.next(), *number),
        // A mask may hold anything between the parts of a date.
        _ => lines.field(|out| write_value(out, value, format)),
    }
}

fn push_int(out: &mut String, number: i64) {
    out.push_str(itoa::Buffer::new().format(number));
}

fn write_text(lines: &mut Lines, content: &str, texts: CsvTexts) {
    if !content.bytes().all(|byte| AS_IS[usize::from(byte)]) {
        let content = if texts == CsvTexts::Safe { words_of(content) } else { clean(content).into_owned() };
        return lines.field(|out| out.push_str(&guard(content, texts)));
    }
    let safe = texts == CsvTexts::Safe;
    let out = lines.next();
    if safe && is_formula(content) {
        out.push('\'');
    }
    out.push_str(content);
    if safe && is_number(content) {
        out.push('\t');
    }
}

/// Clean, with the hyphens by which programs read numbers.
fn words_of(text: &str) -> String {
    with_hyphens(&clean(text)).into_owned()
}

fn guard(field: String, texts: CsvTexts) -> String {
    match texts {
        CsvTexts::Safe if is_formula(&field) => format!("'{field}"),
        CsvTexts::Safe if is_number(&field) => format!("{field}\t"),
        _ => field,
    }
}

/// Whether a spreadsheet would show the text as another number: without its zeros, or rounded.
fn is_number(text: &str) -> bool {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (text.len() >= LONG_NUMBER || text.len() > 1 && text.starts_with('0'))
}

/// Whether a spreadsheet could take the text for a formula, full-width forms included.
fn is_formula(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n') => true,
        Some(0xEF) => text.starts_with(['＝', '＋', '－', '＠']),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(value: Value, mask: Option<&str>) -> String {
        let format = mask.and_then(CellFormat::parse);
        written(&value, format.as_ref(), CsvTexts::Safe)
    }

    fn written(value: &Value, format: Option<&CellFormat>, texts: CsvTexts) -> String {
        let mut lines = Lines::new();
        write_cell(&mut lines, value, format, texts);
        lines.buffer.split_off('\u{FEFF}'.len_utf8())
    }

    #[test]
    fn digits_keep_their_zeros_where_a_spreadsheet_opens_them_and_are_to_the_letter_where_a_program_does() {
        let written = |content: &str, texts| written(&Value::Text(content.to_owned()), None, texts);
        for digits in ["0101990710006", "2805987710006", "01", "12345678901"] {
            assert_eq!(written(digits, CsvTexts::Safe), format!("{digits}\t"));
        }
        for content in ["0", "1234567890", "", "0,5", "0101990710006 "] {
            assert_eq!(written(content, CsvTexts::Safe), content);
        }
        for content in ["0101990710006", "+381641234567", "=1+1"] {
            assert_eq!(written(content, CsvTexts::Raw), content);
        }
    }

    #[test]
    fn numbers_stay_exact_with_decimal_comma() {
        assert_eq!(cell(Value::Decimal("1234567.10".parse().expect("a decimal")), Some("#.##0")), "1234567,10");
        assert_eq!(cell(Value::Int(-5), Some("#.##0")), "-5");
        assert_eq!(cell(Value::Float(0.1), None), "0,1");
        assert_eq!(cell(Value::Float(1e300), None).len(), 301, "too large for a decimal, and still a number");
    }

    #[test]
    fn a_field_that_a_reader_would_break_stands_between_quotes() {
        let text = |content: &str| cell(Value::Text(content.to_owned()), None);
        assert_eq!(text("a;b"), "\"a;b\"");
        assert_eq!(text("rekao \"da\""), "\"rekao \"\"da\"\"\"");
        assert_eq!(text("dva\r\nreda"), "\"dva\nreda\"");
        assert_eq!(text("=1;2"), "\"'=1;2\"");
        assert_eq!(cell(Value::Date(jiff::civil::date(2026, 3, 5)), Some("dd;MM")), "\"05;03\"");
        let mut lines = Lines::new();
        lines.line(&[""]);
        lines.line(&["", ""]);
        assert_eq!(lines.buffer, "\u{FEFF}\"\"\r\n;\r\n", "one blank field is a line all the same");
    }

    #[test]
    fn what_is_no_number_is_blank() {
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(|number| cell(Value::Float(number), None)), ["", "", ""]);
    }

    #[test]
    fn texts_that_look_like_formulas_are_disarmed_and_numbers_are_not() {
        for formula in ["=1+1", "+1", "-1", "@sum", "\t=1", "＝1", "\u{1}=cmd"] {
            assert!(cell(Value::Text(formula.to_owned()), None).starts_with('\''), "{formula:?}");
        }
        assert_eq!(cell(Value::Text("a=1".to_owned()), None), "a=1");
        assert_eq!(cell(Value::Decimal("-3.5".parse().expect("a decimal")), None), "-3,5");
    }
}
