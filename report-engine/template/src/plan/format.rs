//! The formats a report can be had in, by the catalogue's `naziv_kratki`, and the one in which it is read on the screen.
use std::fmt;
use std::str::FromStr;

use domain::report_screen;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Pdf,
    Xlsx,
    Csv,
    /// No file that anybody takes away: what the screen shows of the run.
    Screen,
}

impl Format {
    /// Those that are taken away.
    pub const ALL: [Format; 3] = [Format::Pdf, Format::Xlsx, Format::Csv];

    /// It is read by people, with its groups; the others are for programs too, and each of their rows can stand alone.
    pub fn has_groups(self) -> bool {
        matches!(self, Format::Pdf | Format::Screen)
    }

    /// What a template is told: the screen shows what the PDF does.
    pub fn told(self) -> &'static str {
        if self == Format::Screen { Format::Pdf.extension() } else { self.extension() }
    }

    pub fn extension(self) -> &'static str {
        match self {
            Format::Pdf => "pdf",
            Format::Xlsx => "xlsx",
            Format::Csv => "csv",
            Format::Screen => "ekran",
        }
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Format::Pdf => "application/pdf",
            Format::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Format::Csv => "text/csv; charset=utf-8",
            Format::Screen => "application/octet-stream",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Format::Pdf => "PDF",
            Format::Xlsx => "XLSX",
            Format::Csv => "CSV",
            Format::Screen => report_screen::FORMAT,
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
        let found = Format::ALL.into_iter().chain([Format::Screen]).find(|format| text.trim().eq_ignore_ascii_case(format.extension()));
        found.ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}
