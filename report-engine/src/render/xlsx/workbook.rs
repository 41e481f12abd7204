//! A workbook from its beginning to its file, and what every sheet of it has: paper, name, heading.
use rust_xlsxwriter::{DocProperties, Workbook, Worksheet, XlsxError};

use super::cell::fit;
use super::formats::{self, Formats, Weight};
use super::marks;
use super::outline::Outline;
use crate::disk::{self, guarded};
use crate::plan::{Format, Heading, push_moment};
use crate::render::clean::one_line;
use crate::render::error::RenderError;
use crate::render::feed::Finished;
use crate::render::file::{OutFile, explain};

/// The longest name of a sheet that Excel takes.
const NAME_LETTERS: usize = 31;
pub(super) const NOTE_SHEET: &str = "Napomena";
/// Half the size of zlib's default effort, a seventh larger.
pub(super) const COMPRESSION: u8 = 2;
/// For what is read again at once.
const QUICKEST: u8 = 1;

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

pub(super) fn begin_workbook(heading: &Heading, file: &OutFile) -> Result<Workbook, RenderError> {
    let mut workbook = Workbook::new();
    workbook.set_zip_compression_level(COMPRESSION);
    // Rows wait for the end beside the file itself: on a real disk, not in a small /tmp.
    if let Some(folder) = file.folder() {
        workbook.set_tempdir(folder)?;
    }
    let properties = DocProperties::new()
        .set_title(one_line(&heading.naslov))
        .set_author(one_line(&heading.radnik_ime_prezime))
        .set_company(one_line(&heading.ustanova));
    workbook.set_properties(&properties);
    Ok(workbook)
}

pub(super) fn save(mut workbook: Workbook, mut file: OutFile, limit: u64) -> Result<Finished, RenderError> {
    let saved = guarded(|| Ok::<_, RenderError>(workbook.save_to_writer(&mut file)?));
    if file.has_outgrown() {
        return Err(RenderError::TooLarge { format: Format::Xlsx, limit });
    }
    saved?;
    let bytes = file.keep().map_err(|error| explain(error, Format::Xlsx, limit))?;
    Ok(Finished { bytes, ..Finished::default() })
}

/// As [`save`], by way of a file beside it that the levels of lines are put into.
pub(super) fn save_folded(mut workbook: Workbook, outline: &Outline, mut file: OutFile, limit: u64) -> Result<Finished, RenderError> {
    workbook.set_zip_compression_level(QUICKEST);
    let mut flat = file.beside("bez-nivoa")?;
    guarded(|| Ok::<_, RenderError>(workbook.save_to_writer(&mut flat)?))?;
    drop(workbook);
    let copied = flat.reread().map_err(RenderError::Io).and_then(|flat| Ok(outline.put_into(flat, &mut file)?));
    if file.has_outgrown() {
        return Err(RenderError::TooLarge { format: Format::Xlsx, limit });
    }
    copied?;
    let bytes = file.keep().map_err(|error| explain(error, Format::Xlsx, limit))?;
    Ok(Finished { bytes, ..Finished::default() })
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
