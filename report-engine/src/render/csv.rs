//! CSV for Serbian Excel: UTF-8 with a byte order mark, `;` between fields, decimal comma, dates as `DD.MM.YYYY.`
//!
//! The file is flat: one line a row, the group columns first, no bands and no totals, numbers as exact as they came and
//! without thousands points. A text that a spreadsheet would take for a formula gets an apostrophe in front.
use std::io::Write;

use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};
use domain::shown::push_decimal;

use super::chart::Picture;
use super::clean::clean;
use super::error::RenderError;
use super::feed::{Cells, Finished, Footer, GroupHeader, TableSink};
use super::file::{OutFile, explain};
use crate::plan::{CellFormat, Format, TablePlan, Value, write_value};

/// More decimals than that come only from divisions.
const MAX_DECIMALS: u32 = 10;

pub struct CsvSink {
    writer: Writer<OutFile>,
    formats: Vec<Option<CellFormat>>,
    limit: u64,
    cell: String,
}

impl CsvSink {
    /// `plan` is already flat, so each of its columns is a field.
    pub fn new(plan: &TablePlan, file: OutFile, limit: u64) -> Result<Self, RenderError> {
        let mut sink = CsvSink {
            writer: open(file, limit)?,
            formats: plan.columns.iter().map(|column| column.format.clone()).collect(),
            limit,
            cell: String::new(),
        };
        let heads = plan.columns.iter().map(|column| guard(clean(&column.head).into_owned()));
        sink.writer.write_record(heads).map_err(|error| failure(error, limit))?;
        Ok(sink)
    }
}

impl TableSink for CsvSink {
    fn group_header(&mut self, _: &GroupHeader) -> Result<(), RenderError> {
        Ok(())
    }

    fn row(&mut self, cells: &Cells) -> Result<(), RenderError> {
        let limit = self.limit;
        for (value, format) in cells.iter().zip(&self.formats) {
            self.cell.clear();
            write_cell(&mut self.cell, value, format.as_ref());
            self.writer.write_field(&self.cell).map_err(|error| failure(error, limit))?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(|error| failure(error, limit))
    }

    fn footer(&mut self, _: &Footer) -> Result<(), RenderError> {
        Ok(())
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
        let fields = line.iter().map(|field| guard(clean(field).into_owned())).chain(empty);
        writer.write_record(fields).map_err(|error| failure(error, limit))?;
    }
    close(writer, limit)
}

fn open(mut file: OutFile, limit: u64) -> Result<Writer<OutFile>, RenderError> {
    file.write_all("\u{FEFF}".as_bytes()).map_err(|error| explain(error, Format::Csv, limit))?;
    let mut builder = WriterBuilder::new();
    builder.delimiter(b';').quote_style(QuoteStyle::Necessary).terminator(Terminator::CRLF);
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

fn write_cell(out: &mut String, value: &Value, format: Option<&CellFormat>) {
    match value {
        Value::Text(content) => {
            let content = clean(content);
            if is_formula(&content) {
                out.push('\'');
            }
            out.push_str(&content);
        }
        Value::Decimal(number) => push_decimal(out, *number, number.scale().min(MAX_DECIMALS), false),
        Value::Float(number) => match value.as_decimal() {
            Some(decimal) => push_decimal(out, decimal, decimal.scale(), false),
            None => out.push_str(&number.to_string().replace('.', ",")),
        },
        Value::Int(_) => write_value(out, value, None),
        _ => write_value(out, value, format),
    }
}

fn guard(field: String) -> String {
    if is_formula(&field) { format!("'{field}") } else { field }
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
        write_cell(&mut out, &value, format.as_ref());
        out
    }

    #[test]
    fn numbers_stay_exact_with_decimal_comma() {
        assert_eq!(cell(Value::Decimal("1234567.10".parse().expect("a decimal")), Some("#.##0")), "1234567,10");
        assert_eq!(cell(Value::Int(-5), Some("#.##0")), "-5");
        assert_eq!(cell(Value::Float(0.1), None), "0,1");
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
