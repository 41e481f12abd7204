//! Rendering: a plan and a stream of rows become a PDF, XLSX or CSV file, with constant memory.
//!
//! ```text
//! ReportTemplate::parse -> template.plan(&Context) -> Plan
//! render(targets, columns, rows, limits, cancel) -> one Outcome a target
//! ```
//! Several formats of one run are fed from one pass over the rows. The functions block: call them from a blocking task.
mod chart_data;
mod clean;
mod csv;
mod document;
mod error;
mod feed;
mod file;
mod measure;
mod pdf;
mod plan;
mod sink;
pub mod text;
mod value;
mod wrap;
mod xlsx;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use tokio_util::sync::CancellationToken;

pub use document::entry;
pub use document::entry::{EntryDocument, print_entry};
pub use error::RenderError;
pub use measure::{Measure, Ratio};
pub use plan::*;
pub use value::Value;

/// The formats a report can be had in, by the catalogue's `naziv_kratki`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Pdf,
    Xlsx,
    Csv,
}

impl Format {
    pub const ALL: [Format; 3] = [Format::Pdf, Format::Xlsx, Format::Csv];

    pub fn extension(self) -> &'static str {
        match self {
            Format::Pdf => "pdf",
            Format::Xlsx => "xlsx",
            Format::Csv => "csv",
        }
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Format::Pdf => "application/pdf",
            Format::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Format::Csv => "text/csv; charset=utf-8",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Format::Pdf => "PDF",
            Format::Xlsx => "XLSX",
            Format::Csv => "CSV",
        })
    }
}

/// A short name that is no format.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown report format {0}")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Format::ALL.into_iter().find(|format| text.trim().eq_ignore_ascii_case(format.extension()));
        found.ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

/// What to do when the rows outnumber the cap of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Stop at once with [`RenderError::TooManyRows`].
    Fail,
    /// Keep the rows up to the cap and say so visibly in the file.
    Cut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    pub rows: u64,
    pub overflow: Overflow,
}

/// The bounds of one rendering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    pub pdf: Cap,
    pub xlsx: Cap,
    pub csv: Cap,
    /// Rows a flowing document may be filled with; its rows are held in memory.
    pub document: Cap,
    /// Bytes of one file.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            pdf: Cap { rows: 10_000, overflow: Overflow::Fail },
            xlsx: Cap { rows: 1_000_000, overflow: Overflow::Cut },
            csv: Cap { rows: 5_000_000, overflow: Overflow::Cut },
            document: Cap { rows: 5_000, overflow: Overflow::Cut },
            bytes: 200 * 1024 * 1024,
        }
    }
}

impl Limits {
    pub fn of(&self, plan: &Plan) -> Cap {
        match (&plan.body, plan.format) {
            (Body::Document(_), _) => self.document,
            (Body::Table(_), Format::Pdf) => self.pdf,
            (Body::Table(_), Format::Xlsx) => self.xlsx,
            (Body::Table(_), Format::Csv) => self.csv,
        }
    }
}

/// One file to make.
#[derive(Clone, Debug)]
pub struct Target {
    pub plan: Plan,
    pub path: PathBuf,
}

/// A finished file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    pub rows: u64,
    pub bytes: u64,
    /// Pages of a PDF.
    pub pages: Option<u32>,
    /// The file does not hold every row, and says so.
    pub truncated: bool,
    /// Characters that the report font lacks, shown as a replacement sign.
    pub missing_glyphs: Vec<char>,
}

/// What became of one target.
#[derive(Debug)]
pub struct Outcome {
    pub format: Format,
    pub path: PathBuf,
    pub result: Result<Rendered, RenderError>,
}

/// Renders every target from one pass over `rows`.
///
/// A target that fails (too many rows, a template fault) leaves the others running and removes its own partial file.
/// The call as a whole fails when the producer of rows fails or when `cancel` fires; then no file is left behind.
/// `columns` are the names of the result's columns, in the order of the cells.
pub fn render(
    targets: Vec<Target>,
    columns: &[String],
    rows: impl Iterator<Item = Result<Vec<Value>, RenderError>>,
    limits: &Limits,
    cancel: &CancellationToken,
) -> Result<Vec<Outcome>, RenderError> {
    sink::run(targets, columns, rows, limits, cancel)
}
