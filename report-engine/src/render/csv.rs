//! CSV for Serbian Excel: UTF-8 with a byte order mark, `;` between fields, decimal comma, dates as `DD.MM.YYYY.`
//!
//! The file is flat: one line a row, the group columns first, no bands and no totals, numbers as exact as they came and
//! without thousands points. A text that a spreadsheet would take for a formula gets an apostrophe in front, one that it would take
//! for a number a tab behind, by which Excel and LibreOffice leave its zeros. A report for programs may ask for texts to the letter.
use std::io::Write;

use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};
use domain::shown::push_decimal;

use super::chart::Picture;
use super::clean::clean;
use super::error::RenderError;
use super::feed::{Cells, Finished, Footer, GroupHeader, TableSink};
use super::file::{OutFile, explain};
use crate::plan::{CellFormat, CsvTexts, Format, PageSetup, TablePlan, Value, write_value};

/// More decimals than that come only from divisions.
const MAX_DECIMALS: u32 = 10;
/// A number of so many digits is shown by its power of ten where its column is narrow.
const LONG_NUMBER: usize = 11;

pub struct CsvSink {
    writer: Writer<OutFile>,
    formats: Vec<Option<CellFormat>>,
    texts: CsvTexts,
    heads: Vec<String>,
    limit: u64,
    cell: String,
}

impl CsvSink {
    /// `plan` is already flat, so each of its columns is a field.
    pub fn new(plan: &TablePlan, file: OutFile, limit: u64) -> Result<Self, RenderError> {
        let mut sink = CsvSink {
            writer: open(file, limit)?,
            formats: plan.columns.iter().map(|column| column.format.clone()).collect(),
            texts: plan.csv_texts,
            heads: heads(plan),
            limit,
            cell: String::new(),
        };
        sink.write_heads()?;
        Ok(sink)
    }

    fn write_heads(&mut self) -> Result<(), RenderError> {
        self.writer.write_record(&self.heads).map_err(|error| failure(error, self.limit))
    }
}

fn heads(plan: &TablePlan) -> Vec<String> {
    plan.columns.iter().map(|column| guard(clean(&column.head).into_owned(), plan.csv_texts)).collect()
}

impl TableSink for CsvSink {
    fn group_header(&mut self, _: &GroupHeader) -> Result<(), RenderError> {
        Ok(())
    }

    fn row(&mut self, cells: &Cells) -> Result<(), RenderError> {
        let limit = self.limit;
        for (value, format) in cells.iter().zip(&self.formats) {
            self.cell.clear();
            write_cell(&mut self.cell, value, format.as_ref(), self.texts);
            self.writer.write_field(&self.cell).map_err(|error| failure(error, limit))?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(|error| failure(error, limit))
    }

    fn footer(&mut self, _: &Footer) -> Result<(), RenderError> {
        Ok(())
    }

    /// Tables of the same columns are one; others begin with their heads after a blank line.
    fn section(&mut self, _: &[Picture], table: &TablePlan, _: PageSetup) -> Result<(), RenderError> {
        self.formats = table.columns.iter().map(|column| column.format.clone()).collect();
        let heads = heads(table);
        if heads == self.heads {
            return Ok(());
        }
        self.heads = heads;
        let blank = self.heads.iter().map(|_| "");
        self.writer.write_record(blank).map_err(|error| failure(error, self.limit))?;
        self.write_heads()
    }

    fn finish(mut self: Box<Self>, _: &[Picture], cut: Option<&str>) -> Result<Finished, RenderError> {
        if let Some(note) = cut {
            let fields = std::iter::once(note).chain(std::iter::repeat_n("", self.formats.len() - 1));
            self.writer.write_record(fields).map_err(|error| failure(error, self.limit))?;
        }
        Ok(Finished { bytes: close(self.writer, self.limit)?, ..Finished::default() })
    }
}

/// Writes label and value lines: the CSV of a flowing document.
pub fn write_pairs(file: OutFile, limit: u64, lines: &[Vec<String>]) -> Result<u64, RenderError> {
    let mut writer = open(file, limit)?;
    let width = lines.iter().map(Vec::len).max().unwrap_or(1);
    for line in lines {
        let empty = std::iter::repeat_n(String::new(), width - line.len());
        let fields = line.iter().map(|field| guard(clean(field).into_owned(), CsvTexts::Safe)).chain(empty);
        writer.write_record(fields).map_err(|error| failure(error, limit))?;
    }
    close(writer, limit)
}

/// A text for a CSV that people open in a spreadsheet.
pub fn safe_text(text: String) -> String {
    guard(clean(&text).into_owned(), CsvTexts::Safe)
}

fn open(mut file: OutFile, limit: u64) -> Result<Writer<OutFile>, RenderError> {
    file.write_all("\u{FEFF}".as_bytes()).map_err(|error| explain(error, Format::Csv, limit))?;
    let mut builder = WriterBuilder::new();
    builder.delimiter(b';').quote_style(QuoteStyle::Necessary).terminator(Terminator::CRLF).flexible(true);
    Ok(builder.from_writer(file))
}

fn close(writer: Writer<OutFile>, limit: u64) -> Result<u64, RenderError> {
    let file = writer.into_inner().map_err(|error| explain(error.into_error(), Format::Csv, limit))?;
    file.keep().map_err(|error| explain(error, Format::Csv, limit))
}

fn failure(error: csv::Error, limit: u64) -> RenderError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => explain(error, Format::Csv, limit),
        other => RenderError::Writer { format: Format::Csv, detail: format!("{other:?}") },
    }
}

fn write_cell(out: &mut String, value: &Value, format: Option<&CellFormat>, texts: CsvTexts) {
    match value {
        Value::Text(content) => {
            let content = clean(content);
            let safe = texts == CsvTexts::Safe;
            if safe && is_formula(&content) {
                out.push('\'');
            }
            out.push_str(&content);
            if safe && is_number(&content) {
                out.push('\t');
            }
        }
        Value::Decimal(number) => push_decimal(out, *number, number.scale().min(MAX_DECIMALS), false),
        Value::Float(number) => match value.as_decimal() {
            Some(decimal) => push_decimal(out, decimal, decimal.scale(), false),
            None if number.is_finite() => out.push_str(&number.to_string().replace('.', ",")),
            // What is no number is blank.
            None => {}
        },
        Value::Int(_) => write_value(out, value, None),
        _ => write_value(out, value, format),
    }
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
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(value: Value, mask: Option<&str>) -> String {
        let format = mask.and_then(CellFormat::parse);
        let mut out = String::new();
        write_cell(&mut out, &value, format.as_ref(), CsvTexts::Safe);
        out
    }

    #[test]
    fn digits_keep_their_zeros_where_a_spreadsheet_opens_them_and_are_to_the_letter_where_a_program_does() {
        let written = |content: &str, texts| {
            let mut out = String::new();
            write_cell(&mut out, &Value::Text(content.to_owned()), None, texts);
            out
        };
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
