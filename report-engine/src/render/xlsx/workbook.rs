//! A workbook from its beginning to its file, and what every sheet of it has: paper, name, heading.
use std::io::{Cursor, Read, Write};

use rust_xlsxwriter::{DocProperties, Workbook, Worksheet, XlsxError};
use zip::ZipArchive;

use super::cell::fit;
use super::formats::{self, Formats, Weight};
use super::lines::{Lines, PackedLines, Sheet};
use super::marks;
use super::packing::{Archive, LEVEL, Packer};
use crate::disk;
use crate::plan::{Format, Heading, push_moment};
use crate::render::clean::one_line;
use crate::render::error::RenderError;
use crate::render::feed::FileFacts;
use crate::render::file::{OutFile, explain};

/// The longest name of a sheet that Excel takes.
const NAME_LETTERS: usize = 31;
pub(super) const NOTE_SHEET: &str = "Napomena";

impl From<zip::result::ZipError> for RenderError {
    fn from(error: zip::result::ZipError) -> Self {
        match error {
            zip::result::ZipError::Io(error) => RenderError::Io(error),
            other => refused(other),
        }
    }
}

impl From<XlsxError> for RenderError {
    fn from(error: XlsxError) -> Self {
        match error {
            XlsxError::IoError(error) => RenderError::Io(error),
            XlsxError::ZipError(error) => match disk::cause(&error) {
                Some(error) => RenderError::Io(std::io::Error::new(error.kind(), error.to_string())),
                None => refused(error),
            },
            other => refused(other),
        }
    }
}

fn refused(error: impl std::fmt::Display) -> RenderError {
    RenderError::Writer { format: Format::Xlsx, detail: error.to_string() }
}

pub(super) fn begin_workbook(heading: &Heading) -> Workbook {
    let mut workbook = Workbook::new();
    workbook.set_zip_compression_level(LEVEL);
    let properties = DocProperties::new()
        .set_title(one_line(&heading.naslov))
        .set_author(one_line(&heading.radnik_ime_prezime))
        .set_company(one_line(&heading.ustanova));
    workbook.set_properties(&properties);
    workbook
}

pub(super) fn save(mut workbook: Workbook, mut file: OutFile, limit: u64) -> Result<FileFacts, RenderError> {
    let saved = workbook.save_to_writer(&mut file);
    if file.has_outgrown() {
        return Err(RenderError::TooLarge { format: Format::Xlsx, limit });
    }
    saved?;
    let bytes = file.keep().map_err(|error| explain(error, Format::Xlsx, limit))?;
    Ok(FileFacts { bytes, ..FileFacts::default() })
}

/// As [`save`], with the lines put into their sheets.
pub(super) fn save_with(mut workbook: Workbook, lines: Lines, mut file: OutFile, limit: u64) -> Result<FileFacts, RenderError> {
    let lines = lines.finish()?;
    let around = workbook.save_to_buffer()?;
    drop(workbook);
    let written = put_together(around, &lines, &mut file);
    if file.has_outgrown() {
        return Err(RenderError::TooLarge { format: Format::Xlsx, limit });
    }
    written?;
    let bytes = file.keep().map_err(|error| explain(error, Format::Xlsx, limit))?;
    Ok(FileFacts { bytes, ..FileFacts::default() })
}

/// Copies the parts of a workbook as they are, and the lines into the sheets that they belong to.
fn put_together(around: Vec<u8>, lines: &PackedLines, out: &mut OutFile) -> Result<(), RenderError> {
    let mut around = ZipArchive::new(Cursor::new(around))?;
    let mut whole = Archive::begin(out);
    for index in 0..around.len() {
        let mut part = around.by_index(index)?;
        let name = part.name().to_owned();
        let mut plain = Vec::new();
        part.read_to_end(&mut plain)?;
        let number = name.strip_prefix("xl/worksheets/sheet").and_then(|name| name.strip_suffix(".xml")?.parse().ok());
        let (before, after, sheet) = match number.and_then(|number| lines.sheet(number)) {
            Some(sheet) => {
                let text = String::from_utf8(plain).map_err(refused)?;
                let (before, after) = parted(&text, sheet);
                (before.into_bytes(), after.as_bytes().to_vec(), Some(sheet))
            }
            None => (plain, Vec::new(), None),
        };
        let (mut packed_before, mut packed_after) = (Vec::new(), Vec::new());
        let mut first = Packer::new();
        first.add(&before, &mut packed_before)?;
        let told = match sheet {
            Some(sheet) => {
                let mut last = Packer::new();
                last.add(&after, &mut packed_after)?;
                first.end_piece(&mut packed_before)?.then(sheet.told()).then(&last.end(&mut packed_after)?)
            }
            None => first.end(&mut packed_before)?,
        };
        whole.part(&name, &told, |out| {
            out.write_all(&packed_before)?;
            sheet.map_or(Ok(()), |sheet| lines.copy(sheet, out))?;
            out.write_all(&packed_after)
        })?;
    }
    Ok(whole.end()?)
}

/// A sheet in front of its lines, with their deepest level, and behind them.
fn parted<'a>(text: &'a str, sheet: &Sheet) -> (String, &'a str) {
    const ROW: &str = "<row r=\"";
    const FORMAT: &str = "<sheetFormatPr";
    let is_below = |place: &usize| {
        let digits = text[place + ROW.len()..].split('"').next();
        // The rows of a sheet count from one, so this is the first below the heads.
        digits.and_then(|digits| digits.parse().ok()).is_some_and(|number: u32| number > sheet.head + 1)
    };
    let row = text.match_indices(ROW).map(|(place, _)| place).find(is_below);
    let place = row.or_else(|| text.find("</sheetData>")).unwrap_or(text.len());
    let (before, after) = text.split_at(place);
    let before = match sheet.level {
        0 => before.to_owned(),
        level => before.replacen(FORMAT, &format!("{FORMAT} outlineLevelRow=\"{level}\""), 1),
    };
    (before, after)
}

pub(super) fn set_up_page(sheet: &mut Worksheet, landscape: bool) -> Result<(), RenderError> {
    const A4: u8 = 9;
    sheet.set_paper_size(A4).set_print_fit_to_pages(1, 0).set_footer("&LStrana &P od &N&RRegix");
    if landscape {
        sheet.set_landscape();
    }
    Ok(())
}

/// The name of the sheet: of its section, without what a name must not hold, and not that of another sheet.
pub(super) fn free_name(title: &str, number: usize, taken: &[String]) -> String {
    let allowed = one_line(title).replace(['[', ']', ':', '*', '?', '/', '\\'], " ");
    let allowed = allowed.split_whitespace().collect::<Vec<_>>().join(" ");
    let allowed = allowed.trim_matches('\'');
    let base = if allowed.is_empty() { "Izveštaj" } else { allowed };
    let named = |number: usize| {
        let end = if number == 1 { String::new() } else { format!(" ({number})") };
        let kept: String = base.chars().take(NAME_LETTERS - end.len()).collect();
        format!("{}{end}", kept.trim_end())
    };
    let is_free = |name: &String| !taken.iter().any(|taken| taken.to_lowercase() == name.to_lowercase());
    (number..).map(named).find(is_free).unwrap_or_default()
}

/// Title, institution, parameters and origin above the table; returns the first free row, after a blank one.
pub(super) fn write_heading(sheet: &mut Worksheet, heading: &Heading, formats: &Formats) -> Result<u32, RenderError> {
    let mut row = marks::insert(sheet, &heading.marks)?;
    sheet.write_string_with_format(row, 0, one_line(&heading.naslov), &formats.title)?;
    row += 1;
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
pub(super) fn add_note_sheet(workbook: &mut Workbook, note: &str, formats: &Formats) -> Result<(), RenderError> {
    let sheet = workbook.add_worksheet();
    sheet.set_name(NOTE_SHEET)?.set_tab_color(formats::WARNING_COLOR).set_active(true);
    sheet.set_column_width(0, 110.0)?;
    sheet.write_string_with_format(0, 0, note, formats.band(Weight::Warning))?;
    Ok(())
}
