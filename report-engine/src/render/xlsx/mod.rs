//! XLSX: typed cells, constant memory, further sheets when one is full, native charts, and never a formula from data. Totals are
//! formulas of ours where the sheet holds what they add up, so that a reader who filters sees the total of what is left.
mod cell;
mod charts;
mod document;
mod formats;
mod lines;
mod marks;
mod outline;
mod packing;
mod workbook;

use rust_xlsxwriter::{IgnoreError, Workbook};

use super::chart::Picture;
use super::clean::{clean, one_line};
use super::error::RenderError;
use super::feed::{Cells, FileFacts, Footer, GroupHeader, TableSink};
use super::file::OutFile;
use crate::plan::{CellFormat, Column, Format, Heading, Measure, PageSetup, Plan, Source, TablePlan, Value, show};
use cell::{WIDTHS, fit, head_width, lines_of, set_lines, text_lines, text_width};
use formats::{Formats, Kind, Styles, Weight};
use lines::Lines;
use outline::Outline;
use workbook::{NOTE_SHEET, add_note_sheet, begin_workbook, free_name, save_with, set_up_page, write_heading};

pub use document::write_document;

/// What Excel itself can open.
const ROWS_PER_SHEET: u32 = 1_048_576;
/// Rows on which the columns of numbers and dates are measured; texts are measured on all.
const SAMPLE: u64 = 200;
/// Nobody finds the way in a workbook of more sheets.
const MAX_SECTIONS: usize = 200;

/// Where the lines begin that a total adds up.
#[derive(Clone, Copy)]
struct Start {
    sheet: usize,
    row: u32,
}

/// The table of one sheet: its heads, and its last line before the summary.
#[derive(Clone, Copy)]
struct Span {
    head: u32,
    last: u32,
}

pub struct XlsxSink {
    workbook: Workbook,
    lines: Lines,
    file: OutFile,
    limit: u64,
    landscape: bool,
    heading: Heading,
    columns: Vec<Column>,
    /// Where the present groups begin.
    starts: Vec<Start>,
    /// Which heads stand over numbers and dates; known from the first row on.
    right: Option<Vec<bool>>,
    /// Group headers that wait for the heads, with their level.
    waiting: Vec<(usize, String)>,
    tables: Vec<Span>,
    outline: Outline,
    notes: Vec<String>,
    formats: Formats,
    styles: Styles,
    widths: Vec<usize>,
    /// What the first cell of each column of the present sheet is, and the number of its format; the column has it too.
    usual: Vec<Option<(Kind, u32)>>,
    rows: u64,
    /// What the present section is called; it is the name of its sheets.
    title: Option<String>,
    names: Vec<String>,
    /// Charts of the sections before.
    charts: Vec<Picture>,
    /// Sheets before those of the present section.
    before: usize,
    sections: usize,
    sheets: usize,
    /// The next free row of the present sheet.
    next: u32,
    rows_per_sheet: u32,
}

impl XlsxSink {
    pub fn new(plan: &Plan, table: &TablePlan, file: OutFile, limit: u64) -> Result<Self, RenderError> {
        XlsxSink::with_sheet_size(plan, table, file, limit, ROWS_PER_SHEET)
    }

    fn with_sheet_size(plan: &Plan, table: &TablePlan, file: OutFile, limit: u64, rows_per_sheet: u32) -> Result<Self, RenderError> {
        let mut sink = XlsxSink {
            workbook: begin_workbook(&plan.heading),
            lines: Lines::beside(&file)?,
            file,
            limit,
            landscape: plan.page.landscape,
            heading: plan.heading.clone(),
            widths: table.columns.iter().map(|column| head_width(&column.head)).collect(),
            usual: Vec::new(),
            formats: Formats::new(&table.columns),
            styles: Styles::default(),
            columns: table.columns.clone(),
            notes: table.notes.clone(),
            outline: Outline::of(&table.groups),
            starts: vec![Start { sheet: 0, row: 0 }; table.groups.len()],
            right: None,
            waiting: Vec::new(),
            tables: Vec::new(),
            rows: 0,
            title: table.title.clone(),
            names: vec![charts::SHEET.to_owned(), NOTE_SHEET.to_owned()],
            charts: Vec::new(),
            before: 0,
            sections: 1,
            sheets: 0,
            next: 0,
            rows_per_sheet,
        };
        sink.begin_sheet()?;
        Ok(sink)
    }

    /// Starts a sheet: heading on the first one, column heads on each, frozen and repeated in print.
    fn begin_sheet(&mut self) -> Result<(), RenderError> {
        self.sheets += 1;
        self.usual = vec![None; self.columns.len()];
        let number = self.sheets - self.before;
        let name = free_name(self.title.as_deref().unwrap_or_default(), number, &self.names);
        let sheet = self.workbook.add_worksheet();
        set_up_page(sheet, self.landscape)?;
        self.outline.begin_sheet(sheet);
        sheet.set_name(&name)?;
        self.names.push(name);
        let mut row = 0;
        if self.sheets == 1 {
            row = write_heading(sheet, &self.heading, &self.formats)?;
        }
        if let Some(title) = self.title.as_ref().filter(|_| number == 1) {
            sheet.write_string_with_format(row, 0, fit(&one_line(title)), &self.formats.title)?;
            row += 2;
        }
        sheet.set_freeze_panes(row + 1, 0)?;
        sheet.set_repeat_rows(row, row)?;
        self.lines.begin_sheet(row, self.columns.len())?;
        self.tables.push(Span { head: row, last: row });
        self.next = row + 1;
        if self.right.is_some() { self.write_heads() } else { Ok(()) }
    }

    /// Writes what waited for the first row, whose values say on which side their heads stand.
    fn settle_heads(&mut self, cells: Option<&Cells>) -> Result<(), RenderError> {
        if self.right.is_some() {
            return Ok(());
        }
        let mut right: Vec<bool> = self.columns.iter().map(is_declared_right).collect();
        for ((index, value), right) in cells.iter().flat_map(|cells| cells.iter()).enumerate().zip(&mut right) {
            *right |= self.formats.kind(index, value) != Kind::Text;
        }
        self.right = Some(right);
        self.write_heads()?;
        for (level, text) in std::mem::take(&mut self.waiting) {
            self.open_group(level, &text)?;
        }
        Ok(())
    }

    fn write_heads(&mut self) -> Result<(), RenderError> {
        let row = self.tables[self.sheets - 1].head;
        let sheet = self.workbook.worksheet_from_index(self.sheets - 1)?;
        let lines = self.columns.iter().zip(&self.widths).map(|(column, width)| lines_of(&column.head, *width)).max();
        set_lines(sheet, row, lines.unwrap_or(1))?;
        for (index, column) in self.columns.iter().enumerate() {
            let right = self.right.as_ref().is_some_and(|right| right[index]);
            let format = if right { &self.formats.head_right } else { &self.formats.head };
            sheet.write_string_with_format(row, index as u16, one_line(&column.head), format)?;
        }
        Ok(())
    }

    fn open_group(&mut self, level: usize, text: &str) -> Result<(), RenderError> {
        if !text.is_empty() {
            self.write_band(text, Weight::Group, self.outline.of_group(level))?;
        }
        self.starts[level] = Start { sheet: self.sheets, row: self.next };
        Ok(())
    }

    /// The row of one more line, on a new sheet when the present one is full.
    fn line(&mut self) -> Result<u32, RenderError> {
        // The last line of a sheet is a blank one.
        if self.next + 1 >= self.rows_per_sheet {
            self.end_sheet()?;
            self.begin_sheet()?;
        }
        self.next += 1;
        Ok(self.next - 1)
    }

    /// A line of text over the whole width of the table.
    fn write_band(&mut self, text: &str, weight: Weight, level: u8) -> Result<(), RenderError> {
        let row = self.line()?;
        let style = self.styles.band(&mut self.workbook, &self.formats, weight);
        self.lines.begin(row, 1, level);
        self.lines.text(0, style, text);
        (1..self.columns.len()).for_each(|column| self.lines.blank(column, style));
        Ok(self.lines.end()?)
    }

    /// The same below the lines of the table.
    fn write_closing_band(&mut self, text: &str, weight: Weight) -> Result<(), RenderError> {
        let row = self.line()?;
        let sheet = self.workbook.worksheet_from_index(self.sheets - 1)?;
        let format = self.formats.band(weight);
        sheet.write_string_with_format(row, 0, fit(&clean(text)), format)?;
        for column in 1..self.columns.len() as u16 {
            sheet.write_blank(row, column, format)?;
        }
        Ok(())
    }

    fn write_footer(&mut self, footer: &Footer) -> Result<(), RenderError> {
        let weight = if footer.level.is_some() { Weight::Subtotal } else { Weight::Summary };
        let level = footer.level.map_or(0, |level| self.outline.of_group(level));
        let first_is_total = footer.cells.first().is_some_and(|value| !value.is_null());
        if first_is_total && !footer.label.is_empty() {
            self.write_band(footer.label, weight, level)?;
        }
        // A label runs on over the empty cells beside it; where there are none its column is made to hold it.
        if !first_is_total && footer.cells.get(1).is_none_or(|value| !value.is_null()) {
            self.widths[0] = self.widths[0].max(footer.label.chars().count().min(*WIDTHS.end()));
        }
        let row = self.line()?;
        let first = self.first_added(footer.level).filter(|first| *first < row);
        self.lines.begin(row, 1, level);
        for (index, value) in footer.cells.iter().enumerate() {
            if index == 0 && !first_is_total {
                let style = self.styles.band(&mut self.workbook, &self.formats, weight);
                self.lines.text(0, style, footer.label);
                continue;
            }
            let style = self.styles.of(&mut self.workbook, &self.formats, (index, self.formats.kind(index, value), weight));
            match first.and_then(|first| subtotal(&self.columns[index], value, index as u16, first, row - 1)) {
                Some((formula, result)) => self.lines.formula(index, style, &formula, result),
                None => self.lines.value(index, style, value),
            }
        }
        self.lines.end()?;
        if footer.level.is_some() {
            self.tables[self.sheets - 1].last = row;
        }
        Ok(())
    }

    /// The notes over the whole width, each as high as its text needs there.
    fn write_notes(&mut self) -> Result<(), RenderError> {
        let last_column = self.columns.len().saturating_sub(1) as u16;
        let width = self.widths.iter().map(|width| width + 2).sum();
        for note in std::mem::take(&mut self.notes) {
            let text = fit(&one_line(&note));
            let row = self.line()?;
            let sheet = self.workbook.worksheet_from_index(self.sheets - 1)?;
            set_lines(sheet, row, if last_column == 0 { 1 } else { lines_of(&text, width) })?;
            match last_column {
                0 => _ = sheet.write_string_with_format(row, 0, text.as_str(), &self.formats.note)?,
                _ => _ = sheet.merge_range(row, 0, row, last_column, &text, &self.formats.wrapped_note)?,
            }
        }
        Ok(())
    }

    /// Puts a blank line behind the last one: by it the writer of the workbook knows how far the lines go that it does not see.
    fn end_sheet(&mut self) -> Result<(), RenderError> {
        let sheet = self.workbook.worksheet_from_index(self.sheets - 1)?;
        sheet.write_blank(self.next, 0, self.formats.text())?;
        Ok(())
    }

    /// The first of the lines that a footer adds up, if all of them stand on the present sheet.
    fn first_added(&self, level: Option<usize>) -> Option<u32> {
        match level {
            Some(level) => self.starts.get(level).filter(|start| start.sheet == self.sheets).map(|start| start.row),
            None if self.sheets == self.before + 1 => Some(self.tables[self.before].head + 1),
            None => None,
        }
    }

    fn write_row(&mut self, cells: &Cells) -> Result<(), RenderError> {
        self.settle_heads(Some(cells))?;
        self.rows += 1;
        let mut lines = 1;
        for ((width, value), column) in self.widths.iter_mut().zip(cells.iter()).zip(&self.columns) {
            if let Value::Text(text) = value {
                // No text is wider than its bytes are many.
                if text.len() > *width {
                    *width = (*width).max(text_width(text));
                }
                lines = lines.max(text_lines(text));
            } else if self.rows <= SAMPLE {
                *width = (*width).max(text_width(&show(value, column.format.as_ref())));
            }
        }
        let row = self.line()?;
        self.lines.begin(row, lines, self.outline.of_rows());
        for (index, value) in cells.iter().enumerate().filter(|(_, value)| !value.is_null()) {
            let kind = self.formats.kind(index, value);
            let emphasised = self.columns[index].emphasis.as_ref().is_some_and(|emphasis| emphasis.holds(value));
            let style = match self.usual[index] {
                Some((usual, style)) if usual == kind && !emphasised => style,
                _ => self.style(index, kind, if emphasised { Weight::Emphasis } else { Weight::Body })?,
            };
            self.lines.value(index, style, value);
        }
        self.lines.end()?;
        self.tables[self.sheets - 1].last = row;
        Ok(())
    }

    /// The number of a cell's format. The first of a column becomes that of the column, for who writes below.
    fn style(&mut self, column: usize, kind: Kind, weight: Weight) -> Result<u32, RenderError> {
        let style = self.styles.of(&mut self.workbook, &self.formats, (column, kind, weight));
        if weight == Weight::Body && self.usual[column].is_none() {
            self.usual[column] = Some((kind, style));
            let sheet = self.workbook.worksheet_from_index(self.sheets - 1)?;
            sheet.set_column_format(column as u16, self.formats.of(column, kind, weight))?;
        }
        Ok(style)
    }

    /// Begins the sheets of another section.
    fn turn_to(&mut self, charts: &[Picture], table: &TablePlan, page: PageSetup) -> Result<(), RenderError> {
        if self.sections == MAX_SECTIONS {
            return Err(RenderError::TooManySections { format: Format::Xlsx, limit: MAX_SECTIONS });
        }
        self.end_table(None)?;
        self.charts.extend_from_slice(charts);
        self.sections += 1;
        self.before = self.sheets;
        self.landscape = page.landscape;
        self.columns = table.columns.clone();
        self.formats = Formats::new(&table.columns);
        self.styles.turn();
        self.widths = table.columns.iter().map(|column| head_width(&column.head)).collect();
        self.notes = table.notes.clone();
        self.outline = Outline::of(&table.groups);
        self.starts = vec![Start { sheet: 0, row: 0 }; table.groups.len()];
        self.right = None;
        self.waiting.clear();
        self.rows = 0;
        self.title = table.title.clone();
        self.begin_sheet()
    }

    /// Ends the sheets of one table.
    fn end_table(&mut self, cut: Option<&str>) -> Result<(), RenderError> {
        self.settle_heads(None)?;
        if self.rows == 0 {
            self.write_closing_band("Nema podataka za zadate uslove.", Weight::Plain)?;
        }
        self.write_notes()?;
        if let Some(note) = cut {
            self.write_closing_band(note, Weight::Warning)?;
            let first = self.workbook.worksheet_from_index(0)?;
            first.set_tab_color(formats::WARNING_COLOR);
        }
        self.end_sheet()?;
        let last_column = self.columns.len().saturating_sub(1) as u16;
        for index in self.before..self.sheets {
            let sheet = self.workbook.worksheet_from_index(index)?;
            for (column, width) in self.widths.iter().enumerate() {
                sheet.set_column_width(column as u16, *width as f64 + 2.0)?;
            }
            // Identifiers are texts on purpose: no green corners on each of them.
            sheet.ignore_error_range(0, 0, self.rows_per_sheet - 1, last_column, IgnoreError::NumberStoredAsText)?;
            let Span { head, last } = self.tables[index];
            if last > head {
                sheet.autofilter(head, 0, last, last_column)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, charts: &[Picture], cut: Option<&str>) -> Result<(), RenderError> {
        self.end_table(cut)?;
        self.charts.extend_from_slice(charts);
        charts::add(&mut self.workbook, &self.charts, &self.formats)?;
        if let Some(note) = cut {
            add_note_sheet(&mut self.workbook, note, &self.formats)?;
        }
        Ok(())
    }
}

impl TableSink for XlsxSink {
    fn group_header(&mut self, header: &GroupHeader) -> Result<(), RenderError> {
        if self.right.is_none() {
            self.waiting.push((header.level, header.text.to_owned()));
            return Ok(());
        }
        self.open_group(header.level, header.text)
    }

    fn row(&mut self, cells: &Cells) -> Result<(), RenderError> {
        self.write_row(cells)
    }

    fn footer(&mut self, footer: &Footer) -> Result<(), RenderError> {
        self.settle_heads(None)?;
        self.write_footer(footer)
    }

    fn section(&mut self, charts: &[Picture], table: &TablePlan, page: PageSetup) -> Result<(), RenderError> {
        self.turn_to(charts, table, page)
    }

    fn finish(mut self: Box<Self>, charts: &[Picture], cut: Option<&str>) -> Result<FileFacts, RenderError> {
        self.end(charts, cut)?;
        save_with(self.workbook, self.lines, self.file, self.limit)
    }
}

/// Whether the column says by itself that numbers or dates stand in it.
fn is_declared_right(column: &Column) -> bool {
    let masked = matches!(column.format, Some(CellFormat::Number(_) | CellFormat::Date(_)));
    masked || column.foot.is_some() || matches!(column.source, Source::Ratio(_))
}

/// The total of a column over lines of its own, subtotals among them left out: a formula and its result. `None` where the total is of something else than what the lines show, and where it is blank.
fn subtotal(column: &Column, value: &Value, index: u16, first: u32, last: u32) -> Option<(String, f64)> {
    let Source::Field(field) = &column.source else { return None };
    let (function, of) = match column.foot.as_ref()? {
        Measure::Avg(of) => (1, of),
        Measure::Max(of) => (4, of),
        Measure::Min(of) => (5, of),
        Measure::Sum(of) => (9, of),
        Measure::Count | Measure::Ratio(_) => return None,
    };
    let number = value.as_f64().filter(|number| of == field && number.is_finite())?;
    let cell = |row| rust_xlsxwriter::utility::row_col_to_cell(row, index);
    Some((format!("SUBTOTAL({function},{}:{})", cell(first), cell(last)), number))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Map, Value as Json};

    use super::*;
    use crate::plan::{Fill, TemplateError};

    #[derive(Debug)]
    struct Total;

    impl Fill for Total {
        fn paths(&self) -> &[Vec<String>] {
            &[]
        }

        fn fill(&self, _: Map<String, Json>) -> Result<String, TemplateError> {
            Ok("Ukupno".to_owned())
        }
    }

    #[test]
    fn a_full_sheet_is_followed_by_another_with_the_same_heads() {
        use crate::plan::{Body, PageSetup, Source};
        use crate::render::feed::Feed;
        use calamine::{Data, Reader};

        let number = Column {
            head: "Broj".to_owned(),
            width: None,
            align: None,
            format: None,
            source: Source::Field("a".to_owned()),
            emphasis: None,
            foot: None,
        };
        let table = TablePlan { columns: vec![number], summary: Some(Arc::new(Total)), ..TablePlan::default() };
        let plan = Plan {
            format: Format::Xlsx,
            heading: Heading {
                naslov: "Proba".to_owned(),
                podnaslov: None,
                ustanova: "Ustanova".to_owned(),
                radnik_ime_prezime: "Radnik".to_owned(),
                generisano: jiff::civil::date(2026, 1, 1).at(0, 0, 0, 0),
                parametri: Vec::new(),
                picture: None,
                marks: Vec::new(),
            },
            page: PageSetup { landscape: false, size: 8.0 },
            body: Body::Table(Box::new(table.clone())),
        };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("proba.xlsx");
        let file = OutFile::create(&path, u64::MAX).expect("a file");
        let mut sink = Box::new(XlsxSink::with_sheet_size(&plan, &table, file, u64::MAX, 10).expect("a sink"));
        let mut feed = Feed::bind(&table, &["a".to_owned()]).expect("a feed");
        for number in 0..30 {
            feed.push(&[Value::Int(number)], sink.as_mut()).expect("a row");
        }
        let charts = feed.finish(sink.as_mut()).expect("the end");
        TableSink::finish(sink, &charts, None).expect("a file");

        let mut workbook: calamine::Xlsx<_> = calamine::open_workbook(&path).expect("a workbook");
        let names = workbook.sheet_names().to_vec();
        assert!(names.len() > 3, "{names:?}");
        let mut numbers = Vec::new();
        for name in names {
            let range = workbook.worksheet_range(&name).expect("the sheet");
            assert!(range.end().expect("cells").0 < 10);
            assert!(range.rows().any(|row| row[0] == Data::String("Broj".to_owned())), "{name} has its heads");
            numbers.extend(range.rows().filter_map(|row| if let Data::Float(number) = row[0] { Some(number) } else { None }));
        }
        assert_eq!(numbers, (0..30).map(f64::from).collect::<Vec<_>>());
    }
}
