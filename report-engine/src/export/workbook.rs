//! `podaci.xlsx`: the data on as many sheets as they need, then the codebook and the items.
use std::path::Path;

use rust_xlsxwriter::{Format, Workbook, XlsxError};

use super::{
    cell::Cell,
    codebook, items,
    variables::{Kind, Variable, Variables},
};

/// What Excel itself can open.
const ROWS_PER_SHEET: u32 = 1_048_576;
pub const MOST_COLUMNS: usize = 16_384;
/// Letters of one cell.
const LONGEST_TEXT: usize = 32_767;
/// Half the size of zlib's default effort, a seventh larger.
const COMPRESSION: u8 = 2;
const FIRST_YEAR: i16 = 1900;

pub struct Book {
    workbook: Workbook,
    heads: Vec<(String, bool)>,
    head: Format,
    date: Format,
    time: Format,
    moment: Format,
    sheets: usize,
    next: u32,
}

impl Book {
    /// What does not fit into memory is laid into the folder.
    pub fn begin(variables: &[Variable], folder: &Path) -> Result<Self, XlsxError> {
        let mut workbook = Workbook::new();
        workbook.set_tempdir(folder)?;
        workbook.set_zip_compression_level(COMPRESSION);
        let is_day = |kind: &Kind| matches!(kind, Kind::Date | Kind::Moment);
        let heads = variables.iter().map(|variable| (variable.ime.clone(), is_day(&variable.kind))).collect();
        let (head, date) = (Format::new().set_bold(), Format::new().set_num_format("dd.mm.yyyy"));
        let (time, moment) = (Format::new().set_num_format("hh:mm"), Format::new().set_num_format("yyyy-mm-dd hh:mm"));
        let mut book = Self { workbook, heads, head, date, time, moment, sheets: 0, next: 0 };
        book.begin_sheet()?;
        Ok(book)
    }

    fn begin_sheet(&mut self) -> Result<(), XlsxError> {
        self.sheets += 1;
        let sheet = self.workbook.add_worksheet_with_constant_memory()?;
        sheet.set_name(if self.sheets == 1 { "podaci".to_owned() } else { format!("podaci {}", self.sheets) })?;
        sheet.set_freeze_panes(1, 0)?;
        for (column, (name, is_date)) in self.heads.iter().enumerate() {
            let width = name.chars().count().clamp(8, 30) + 2;
            sheet.set_column_width(column as u16, if *is_date { width.max(16) as f64 } else { width as f64 })?;
            sheet.write_string_with_format(0, column as u16, name, &self.head)?;
        }
        self.next = 1;
        Ok(())
    }

    pub fn row(&mut self, cells: &[Cell]) -> Result<(), XlsxError> {
        if self.next >= ROWS_PER_SHEET {
            self.begin_sheet()?;
        }
        let row = self.next;
        self.next += 1;
        let sheet = self.workbook.worksheet_from_index(self.sheets - 1)?;
        for (column, cell) in cells.iter().enumerate() {
            let column = column as u16;
            match cell {
                Cell::Number(number) if number.is_finite() => _ = sheet.write_number(row, column, *number)?,
                Cell::Date(date) if date.year() >= FIRST_YEAR => _ = sheet.write_datetime_with_format(row, column, *date, &self.date)?,
                Cell::Time(time) => _ = sheet.write_datetime_with_format(row, column, *time, &self.time)?,
                Cell::Moment(at) if at.year() >= FIRST_YEAR => _ = sheet.write_datetime_with_format(row, column, *at, &self.moment)?,
                Cell::Date(_) | Cell::Moment(_) => _ = sheet.write_string(row, column, cell.iso().unwrap_or_default())?,
                Cell::Text(text) => _ = sheet.write_string(row, column, fit(text))?,
                Cell::Missing | Cell::Number(_) => {}
            }
        }
        Ok(())
    }

    pub fn finish(mut self, variables: &Variables, path: &Path) -> Result<(), XlsxError> {
        let widths = [24.0, 40.0, 8.0, 12.0, 60.0, 14.0, 14.0, 20.0, 40.0];
        self.list("sifarnik", codebook::HEADS, widths, variables.columns.iter().map(codebook::line))?;
        let widths = [20.0, 24.0, 16.0, 60.0, 12.0, 10.0];
        self.list("stavke", items::HEADS, widths, variables.items.iter().map(items::line))?;
        self.workbook.save(path)
    }

    fn list<const N: usize>(
        &mut self,
        name: &str,
        heads: [&str; N],
        widths: [f64; N],
        lines: impl Iterator<Item = [String; N]>,
    ) -> Result<(), XlsxError> {
        let sheet = self.workbook.add_worksheet();
        sheet.set_name(name)?;
        sheet.set_freeze_panes(1, 0)?;
        for (column, (head, width)) in heads.into_iter().zip(widths).enumerate() {
            sheet.set_column_width(column as u16, width)?;
            sheet.write_string_with_format(0, column as u16, head, &self.head)?;
        }
        for (row, line) in lines.enumerate() {
            for (column, text) in line.iter().enumerate() {
                sheet.write_string(row as u32 + 1, column as u16, fit(text))?;
            }
        }
        Ok(())
    }
}

fn fit(text: &str) -> String {
    text.chars().take(LONGEST_TEXT).collect()
}
