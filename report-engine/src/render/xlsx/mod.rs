//! XLSX: typed cells, constant memory, further sheets when one is full, native charts, and never a formula from data.
mod charts;
mod document;
mod formats;

use rust_xlsxwriter::{Format as CellStyle, IgnoreError, IntoExcelDateTime, Workbook, Worksheet, XlsxError};

use super::chart::Picture;
use super::clean::{clean, one_line};
use super::error::RenderError;
use super::feed::{Cells, Finished, Footer, GroupHeader, TableSink};
use super::file::{OutFile, explain};
use crate::plan::{Column, Format, Heading, Plan, TablePlan, Value, push_moment, show};
use formats::{Formats, Kind, Weight};

pub use document::write_document;

/// What Excel itself can open.
const ROWS_PER_SHEET: u32 = 1_048_576;
const UNITS_PER_CELL: usize = 32_767;
/// Excel counts its days from here.
const FIRST_YEAR: i16 = 1900;
const CUT_MARK: &str = "… [skraćeno]";
/// Rows on which the columns of numbers and dates are measured; texts are measured on all.
const SAMPLE: u64 = 200;
const WIDTHS: std::ops::RangeInclusive<usize> = 9..=60;
/// Half the size of zlib's default effort, a seventh larger.
const COMPRESSION: u8 = 2;
/// Points that a line of text takes, and lines that the highest row can show.
const LINE_HEIGHT: f64 = 15.0;
const MAX_LINES: usize = 27;

pub struct XlsxSink {
    workbook: Workbook,
    file: OutFile,
    limit: u64,
    landscape: bool,
    heading: Heading,
    columns: Vec<Column>,
    formats: Formats,
    widths: Vec<usize>,
    /// What the cells of each column of the present sheet are unless they say otherwise.
    usual: Vec<Option<Kind>>,
    rows: u64,
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
            workbook: begin_workbook(&plan.heading, &file)?,
            file,
            limit,
            landscape: plan.page.landscape,
            heading: plan.heading.clone(),
            widths: table.columns.iter().map(|column| head_width(&column.head)).collect(),
            usual: Vec::new(),
            formats: Formats::new(&table.columns),
            columns: table.columns.clone(),
            rows: 0,
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
        let sheet = self.workbook.add_worksheet_with_constant_memory()?;
        set_up_page(sheet, self.landscape)?;
        sheet.set_name(sheet_name(self.sheets))?;
        let mut row = 0;
        if self.sheets == 1 {
            row = write_heading(sheet, &self.heading, &self.formats)?;
        }
        let lines = self.columns.iter().zip(&self.widths).map(|(column, width)| lines_of(&column.head, *width)).max();
        set_lines(sheet, row, lines.unwrap_or(1))?;
        for (index, column) in self.columns.iter().enumerate() {
            sheet.write_string_with_format(row, index as u16, one_line(&column.head), &self.formats.head)?;
        }
        sheet.set_freeze_panes(row + 1, 0)?;
        sheet.set_repeat_rows(row, row)?;
        self.next = row + 1;
        Ok(())
    }

    /// The sheet and row for one more line, on a new sheet when the present one is full.
    fn line(&mut self) -> Result<(&mut Worksheet, &Formats, u32), RenderError> {
        if self.next >= self.rows_per_sheet {
            self.begin_sheet()?;
        }
        let row = self.next;
        self.next += 1;
        let sheet = self.workbook.worksheet_from_index(self.sheets - 1)?;
        Ok((sheet, &self.formats, row))
    }

    /// A line of text over the whole width of the table.
    fn write_band(&mut self, text: &str, weight: Weight) -> Result<(), RenderError> {
        let columns = self.columns.len() as u16;
        let (sheet, formats, row) = self.line()?;
        let format = formats.band(weight);
        sheet.write_string_with_format(row, 0, fit(&clean(text)), format)?;
        for column in 1..columns {
            sheet.write_blank(row, column, format)?;
        }
        Ok(())
    }

    fn write_footer(&mut self, footer: &Footer) -> Result<(), RenderError> {
        let weight = if footer.level.is_some() { Weight::Subtotal } else { Weight::Summary };
        let first_is_total = footer.cells.first().is_some_and(|value| !value.is_null());
        if first_is_total && !footer.label.is_empty() {
            self.write_band(footer.label, weight)?;
        }
        // A label runs on over the empty cells beside it; where there are none its column is made to hold it.
        if !first_is_total && footer.cells.get(1).is_none_or(|value| !value.is_null()) {
            self.widths[0] = self.widths[0].max(footer.label.chars().count().min(*WIDTHS.end()));
        }
        let (sheet, formats, row) = self.line()?;
        for (index, value) in footer.cells.iter().enumerate() {
            if index == 0 && !first_is_total {
                sheet.write_string_with_format(row, 0, fit(&clean(footer.label)), formats.band(weight))?;
            } else {
                let format = formats.of(index, formats.kind(index, value), weight);
                write_cell(sheet, row, index as u16, value, Some(format))?;
            }
        }
        Ok(())
    }

    fn write_row(&mut self, cells: &Cells) -> Result<(), RenderError> {
        self.rows += 1;
        let mut lines = 1;
        for ((width, value), column) in self.widths.iter_mut().zip(cells.iter()).zip(&self.columns) {
            if let Value::Text(text) = value {
                *width = (*width).max(text_width(text));
                lines = lines.max(text_lines(text));
            } else if self.rows <= SAMPLE {
                *width = (*width).max(text_width(&show(value, column.format.as_ref())));
            }
        }
        let row = self.line()?.2;
        let sheet = self.workbook.worksheet_from_index(self.sheets - 1)?;
        set_lines(sheet, row, lines)?;
        for (index, value) in cells.iter().enumerate().filter(|(_, value)| !value.is_null()) {
            let kind = self.formats.kind(index, value);
            let format = self.formats.of(index, kind, Weight::Body);
            // The writer looks a format up for each cell that names one; most cells are as the first of their column.
            let usual = &mut self.usual[index];
            if usual.is_none() {
                sheet.set_column_format(index as u16, format)?;
                *usual = Some(kind);
            }
            let named = if *usual == Some(kind) { None } else { Some(format) };
            write_cell(sheet, row, index as u16, value, named)?;
        }
        Ok(())
    }

    fn end(&mut self, charts: &[Picture], cut: Option<&str>) -> Result<(), RenderError> {
        if self.rows == 0 {
            self.write_band("Nema podataka za zadate uslove.", Weight::Plain)?;
        }
        if let Some(note) = cut {
            self.write_band(note, Weight::Warning)?;
            let first = self.workbook.worksheet_from_index(0)?;
            first.set_tab_color(formats::WARNING_COLOR);
        }
        let last_column = self.columns.len().saturating_sub(1) as u16;
        for index in 0..self.sheets {
            let sheet = self.workbook.worksheet_from_index(index)?;
            for (column, width) in self.widths.iter().enumerate() {
                sheet.set_column_width(column as u16, *width as f64 + 2.0)?;
            }
            // Identifiers are texts on purpose: no green corners on each of them.
            sheet.ignore_error_range(0, 0, self.rows_per_sheet - 1, last_column, IgnoreError::NumberStoredAsText)?;
        }
        charts::add(&mut self.workbook, charts, &self.formats)?;
        if let Some(note) = cut {
            add_note_sheet(&mut self.workbook, note, &self.formats)?;
        }
        Ok(())
    }
}

impl TableSink for XlsxSink {
    fn group_header(&mut self, header: &GroupHeader) -> Result<(), RenderError> {
        if header.text.is_empty() { Ok(()) } else { self.write_band(header.text, Weight::Group) }
    }

    fn row(&mut self, cells: &Cells) -> Result<(), RenderError> {
        self.write_row(cells)
    }

    fn footer(&mut self, footer: &Footer) -> Result<(), RenderError> {
        self.write_footer(footer)
    }

    fn finish(mut self: Box<Self>, charts: &[Picture], cut: Option<&str>) -> Result<Finished, RenderError> {
        self.end(charts, cut)?;
        save(self.workbook, self.file, self.limit)
    }
}

impl From<XlsxError> for RenderError {
    fn from(error: XlsxError) -> Self {
        match error {
            XlsxError::IoError(error) => RenderError::Io(error),
            other => RenderError::Writer { format: Format::Xlsx, detail: other.to_string() },
        }
    }
}

fn begin_workbook(heading: &Heading, file: &OutFile) -> Result<Workbook, RenderError> {
    let mut workbook = Workbook::new();
    workbook.set_zip_compression_level(COMPRESSION);
    // Rows wait for the end beside the file itself: on a real disk, not in a small /tmp.
    if let Some(folder) = file.folder() {
        workbook.set_tempdir(folder)?;
    }
    let properties = rust_xlsxwriter::DocProperties::new()
        .set_title(one_line(&heading.naslov))
        .set_author(one_line(&heading.radnik_ime_prezime))
        .set_company(one_line(&heading.ustanova));
    workbook.set_properties(&properties);
    Ok(workbook)
}

fn save(mut workbook: Workbook, mut file: OutFile, limit: u64) -> Result<Finished, RenderError> {
    let saved = workbook.save_to_writer(&mut file);
    if file.has_outgrown() {
        return Err(RenderError::TooLarge { format: Format::Xlsx, limit });
    }
    saved?;
    let bytes = file.keep().map_err(|error| explain(error, Format::Xlsx, limit))?;
    Ok(Finished { bytes, ..Finished::default() })
}

fn set_up_page(sheet: &mut Worksheet, landscape: bool) -> Result<(), RenderError> {
    const A4: u8 = 9;
    sheet.set_paper_size(A4).set_print_fit_to_pages(1, 0).set_footer("&LStrana &P od &N&RRegix");
    if landscape {
        sheet.set_landscape();
    }
    Ok(())
}

fn sheet_name(number: usize) -> String {
    if number == 1 { "Izveštaj".to_owned() } else { format!("Izveštaj ({number})") }
}

/// Title, institution, parameters and origin above the table; returns the first free row, after a blank one.
fn write_heading(sheet: &mut Worksheet, heading: &Heading, formats: &Formats) -> Result<u32, RenderError> {
    sheet.write_string_with_format(0, 0, one_line(&heading.naslov), &formats.title)?;
    let mut row = 1;
    let mut generated = String::from("Generisano: ");
    push_moment(&mut generated, heading.generisano);
    generated = format!("{generated}, {}", heading.radnik_ime_prezime);
    let parametri = heading.parametri.iter().map(|(naziv, vrednost)| format!("{naziv}: {vrednost}"));
    let lines = heading.podnaslov.iter().cloned().chain([heading.ustanova.clone()]).chain(parametri).chain([generated]);
    for line in lines {
        sheet.write_string_with_format(row, 0, fit(&one_line(&line)), &formats.note)?;
        row += 1;
    }
    Ok(row + 1)
}

/// The sheet that opens first when the report does not hold every row.
fn add_note_sheet(workbook: &mut Workbook, note: &str, formats: &Formats) -> Result<(), RenderError> {
    let sheet = workbook.add_worksheet();
    sheet.set_name("Napomena")?.set_tab_color(formats::WARNING_COLOR).set_active(true);
    sheet.set_column_width(0, 110.0)?;
    sheet.write_string_with_format(0, 0, note, formats.band(Weight::Warning))?;
    Ok(())
}

/// Writes a value with its type; without a format it is shown as its column says.
fn write_cell(sheet: &mut Worksheet, row: u32, column: u16, value: &Value, format: Option<&CellStyle>) -> Result<(), RenderError> {
    match value {
        Value::Null => {
            if let Some(format) = format {
                sheet.write_blank(row, column, format)?;
            }
        }
        Value::Int(_) | Value::Decimal(_) | Value::Float(_) => match value.as_f64().filter(|number| number.is_finite()) {
            Some(number) => write_number(sheet, row, column, number, format)?,
            None => write_text(sheet, row, column, show(value, None), format)?,
        },
        Value::Text(text) => write_text(sheet, row, column, fit(&clean(text)), format)?,
        Value::Date(date) if date.year() >= FIRST_YEAR => write_moment(sheet, row, column, *date, format)?,
        Value::DateTime(moment) if moment.year() >= FIRST_YEAR => write_moment(sheet, row, column, *moment, format)?,
        // Truth values, and dates that Excel's calendar does not reach.
        Value::Bool(_) | Value::Date(_) | Value::DateTime(_) => write_text(sheet, row, column, show(value, None), format)?,
    }
    Ok(())
}

type Written = Result<(), XlsxError>;

fn write_number(sheet: &mut Worksheet, row: u32, column: u16, number: f64, format: Option<&CellStyle>) -> Written {
    match format {
        Some(format) => sheet.write_number_with_format(row, column, number, format)?,
        None => sheet.write_number(row, column, number)?,
    };
    Ok(())
}

fn write_text(sheet: &mut Worksheet, row: u32, column: u16, text: String, format: Option<&CellStyle>) -> Written {
    match format {
        Some(format) => sheet.write_string_with_format(row, column, text, format)?,
        None => sheet.write_string(row, column, text)?,
    };
    Ok(())
}

fn write_moment(sheet: &mut Worksheet, row: u32, column: u16, moment: impl IntoExcelDateTime, format: Option<&CellStyle>) -> Written {
    match format {
        Some(format) => sheet.write_datetime_with_format(row, column, moment, format)?,
        None => sheet.write_datetime(row, column, moment)?,
    };
    Ok(())
}

/// The text cut to what a cell can hold, with a mark where it was cut.
fn fit(text: &str) -> String {
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
fn head_width(head: &str) -> usize {
    let longest = head.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
    WIDTHS.into_iter().find(|width| *width >= longest && lines_of(head, *width) <= 2).unwrap_or(*WIDTHS.end())
}

/// The lines that a text takes in a column when it is broken between words, and within those that are longer than a line.
fn lines_of(text: &str, width: usize) -> usize {
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
fn text_lines(text: &str) -> usize {
    let surely_one = text.len() <= *WIDTHS.end() && !text.contains('\n');
    if surely_one { 1 } else { text.lines().map(|line| lines_of(line, *WIDTHS.end())).sum() }
}

/// The width that a text asks for.
fn text_width(text: &str) -> usize {
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    longest.min(*WIDTHS.end())
}

/// Makes a row as high as its lines need: not every program does that by itself.
fn set_lines(sheet: &mut Worksheet, row: u32, lines: usize) -> Result<(), RenderError> {
    if lines > 1 {
        sheet.set_row_height(row, lines.min(MAX_LINES) as f64 * LINE_HEIGHT)?;
    }
    Ok(())
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

    #[test]
    fn a_full_sheet_is_followed_by_another_with_the_same_heads() {
        use crate::plan::{Body, PageSetup, Source};
        use crate::render::feed::Feed;
        use calamine::{Data, Reader};

        let number =
            Column { head: "Broj".to_owned(), width: None, align: None, format: None, source: Source::Field("a".to_owned()), foot: None };
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
