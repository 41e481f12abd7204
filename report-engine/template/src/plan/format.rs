//! The formats a report can be had in, by the catalogue's `naziv_kratki`.
use std::fmt;
use std::str::FromStr;

/// As the rows of files name it.
pub const SCREEN: &str = "EKRAN";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Pdf,
    Xlsx,
    Csv,
    /// Tables and drawings for the site, of an analysis; nobody asks for it, and it is no file to download.
    Screen,
}

impl Format {
    /// Those that are asked for.
    pub const ALL: [Format; 3] = [Format::Pdf, Format::Xlsx, Format::Csv];

    pub fn extension(self) -> &'static str {
        match self {
            Format::Pdf => "pdf",
            Format::Xlsx => "xlsx",
            Format::Csv => "csv",
            Format::Screen => "json",
        }
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Format::Pdf => "application/pdf",
            Format::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Format::Csv => "text/csv; charset=utf-8",
            Format::Screen => "application/json",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Format::Pdf => "PDF",
            Format::Xlsx => "XLSX",
            Format::Csv => "CSV",
            Format::Screen => SCREEN,
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
