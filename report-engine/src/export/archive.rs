//! The archive of a data set, written while the rows come.
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

use csv::{QuoteStyle, Terminator, WriterBuilder};
use domain::exports::{Count, Export, Row};
use jiff::civil::DateTime;
use rust_xlsxwriter::XlsxError;
use zip::{CompressionMethod, ZipWriter, result::ZipError, write::SimpleFileOptions};

use super::{
    cell::{Cell, number},
    codebook, items,
    profile::Patients,
    r, readme,
    sections::{self, Line, Sections},
    spss,
    variables::Variables,
    workbook::{Book, MOST_COLUMNS},
};
use crate::{
    disk::{self, guarded},
    render::safe_text,
};

/// What is to be made.
pub struct DataSet {
    pub export: Export,
    pub variables: Variables,
    pub sections: Sections,
    pub made: DateTime,
    /// Rows that it may have.
    pub most_rows: i64,
    /// Patients who are not in it because they have not agreed to research.
    pub without_consent: i64,
}

/// What was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportResult {
    pub count: Count,
    pub bytes: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("cancelled")]
    Cancelled,
    #[error("more than {0} rows")]
    TooManyRows(i64),
    #[error("{0} variables")]
    TooManyColumns(usize),
    #[error("file: {0}")]
    Io(#[from] io::Error),
    #[error("csv: {0}")]
    Csv(#[from] csv::Error),
    #[error("zip: {0}")]
    Zip(#[from] ZipError),
    #[error("xlsx: {0}")]
    Xlsx(#[from] XlsxError),
}

impl Fault {
    /// What the disk said, whichever writer was told.
    pub fn disk(&self) -> Option<&io::Error> {
        match self {
            Fault::Io(error) | Fault::Xlsx(XlsxError::IoError(error)) => Some(error),
            Fault::Xlsx(XlsxError::ZipError(error)) => disk::cause(error),
            Fault::Zip(error) => disk::cause(error),
            // An error of a table names no cause, it holds it.
            Fault::Csv(error) => match error.kind() {
                csv::ErrorKind::Io(error) => Some(error),
                _ => None,
            },
            _ => None,
        }
    }
}

const BOM: &str = "\u{FEFF}";

/// Writes the archive at `path`; what Excel needs meanwhile is laid beside it. Blocks.
pub fn write(set: &DataSet, path: &Path, rows: impl Iterator<Item = Result<Row, Fault>>) -> Result<ExportResult, Fault> {
    guarded(|| write_parts(set, path, rows))
}

fn write_parts(set: &DataSet, path: &Path, rows: impl Iterator<Item = Result<Row, Fault>>) -> Result<ExportResult, Fault> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let variables = &set.variables.columns;
    if set.export.xlsx && variables.len() > MOST_COLUMNS {
        return Err(Fault::TooManyColumns(variables.len()));
    }
    let mut zip = ZipWriter::new(BufWriter::with_capacity(128 * 1024, File::create(path)?));
    // Data of a hospital may fill more than four gigabytes before they are packed.
    let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).unix_permissions(0o600).large_file(true);
    let mut book = set.export.xlsx.then(|| Book::begin(variables, folder)).transpose()?;

    zip.start_file("podaci.csv", packed)?;
    let beside = folder.join(sections::FILE);
    let mut lines = (!set.sections.is_empty()).then(|| begin_lines(&beside)).transpose()?;
    let (count, widths) = write_rows(set, &mut zip, (book.as_mut(), lines.as_mut()), rows)?;
    if let Some(mut lines) = lines {
        lines.flush()?;
        drop(lines);
        zip.start_file(sections::FILE, packed)?;
        io::copy(&mut File::open(&beside)?, &mut zip)?;
        std::fs::remove_file(&beside)?;
    }
    if let Some(book) = book {
        let beside = folder.join("podaci.xlsx");
        book.finish(&set.variables, &beside)?;
        // It is packed already.
        zip.start_file("podaci.xlsx", packed.compression_method(CompressionMethod::Stored))?;
        io::copy(&mut File::open(&beside)?, &mut zip)?;
        std::fs::remove_file(&beside)?;
    }
    let packed = packed.large_file(false);
    zip.start_file("sifarnik.csv", packed)?;
    write_lists(&mut zip, codebook::HEADS, variables.iter().map(codebook::line))?;
    zip.start_file(items::FILE, packed)?;
    write_lists(&mut zip, items::HEADS, set.variables.items.iter().map(items::line))?;
    for (name, text) in [
        ("ucitaj.R", r::script(variables)),
        ("ucitaj.sps", spss::script(variables, &widths)),
        ("PROCITAJ.txt", format!("{BOM}{}", readme::text(&set.export, &set.sections, set.made, (count, set.without_consent)))),
    ] {
        zip.start_file(name, packed)?;
        zip.write_all(text.as_bytes())?;
    }
    let mut file = zip.finish()?;
    file.flush()?;
    let bytes = file.get_ref().metadata()?.len();
    Ok(ExportResult { count, bytes })
}

/// Gives how much was written, and the bytes of the longest text of each variable.
fn write_rows(
    set: &DataSet,
    out: &mut impl Write,
    (mut book, mut lines): (Option<&mut Book>, Option<&mut csv::Writer<BufWriter<File>>>),
    rows: impl Iterator<Item = Result<Row, Fault>>,
) -> Result<(Count, Vec<usize>), Fault> {
    let variables = &set.variables.columns;
    out.write_all(BOM.as_bytes())?;
    let mut csv = table(out);
    csv.write_record(variables.iter().map(|variable| &variable.ime))?;
    let mut patients = Patients::new(set.export.selection.profil, set.made.date());
    let mut widths = vec![1; variables.len()];
    let mut count = Count::default();
    let mut cells = Vec::with_capacity(variables.len());
    for row in rows {
        let row = row?;
        count.redova += 1;
        if count.redova > set.most_rows {
            return Err(Fault::TooManyRows(set.most_rows));
        }
        patients.enter(&row);
        set.variables.cells(&row, &patients, &mut cells);
        for (cell, width) in cells.iter().zip(&mut widths) {
            let text = written(cell);
            *width = text.len().max(*width);
            csv.write_field(text)?;
        }
        csv.write_record(None::<&[u8]>)?;
        if let Some(lines) = lines.as_deref_mut() {
            write_lines(lines, count.redova, &set.sections.lines(&row, &patients))?;
        }
        if let Some(book) = book.as_deref_mut() {
            book.row(&cells)?;
        }
    }
    csv.flush()?;
    count.pacijenata = patients.number;
    Ok((count, widths))
}

/// The rows of sections wait beside the archive, which takes one file after the other.
fn begin_lines(path: &Path) -> Result<csv::Writer<BufWriter<File>>, Fault> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(BOM.as_bytes())?;
    let mut csv = table(file);
    csv.write_record(sections::HEADS)?;
    Ok(csv)
}

fn write_lines<W: Write>(csv: &mut csv::Writer<W>, of: i64, lines: &[Line<'_>]) -> Result<(), Fault> {
    for line in lines {
        let text = |text: &str| written(&Cell::Text(text.to_owned()));
        let code = line.code.map(text).unwrap_or_default();
        let weight = line.weight.map(|weight| number(weight, ",")).unwrap_or_default();
        let place = [of.to_string(), text(line.section), line.row.to_string(), text(line.column)];
        csv.write_record(place.into_iter().chain([written(&line.value), code, weight]))?;
    }
    Ok(())
}

/// What the data are told by.
fn write_lists<const N: usize>(out: &mut impl Write, heads: [&str; N], lines: impl Iterator<Item = [String; N]>) -> Result<(), Fault> {
    out.write_all(BOM.as_bytes())?;
    let mut csv = table(out);
    csv.write_record(heads)?;
    for line in lines {
        csv.write_record(line.map(safe_text))?;
    }
    csv.flush()?;
    Ok(())
}

fn table<W: Write>(out: W) -> csv::Writer<W> {
    let mut builder = WriterBuilder::new();
    builder.delimiter(b';').quote_style(QuoteStyle::Necessary).terminator(Terminator::CRLF);
    builder.from_writer(out)
}

/// A cell of the CSV. Texts stand on one line: SPSS reads no other.
fn written(cell: &Cell) -> String {
    match cell {
        Cell::Missing => String::new(),
        Cell::Number(value) => number(*value, ","),
        Cell::Date(_) | Cell::Time(_) | Cell::Moment(_) => cell.iso().unwrap_or_default(),
        Cell::Text(text) => safe_text(text.split(['\r', '\n', '\t']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")),
    }
}
