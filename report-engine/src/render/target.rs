//! What is to be made and within which bounds, and what became of it.
use std::path::PathBuf;

use domain::report_screen::ScreenStart;
use tokio::sync::mpsc::UnboundedSender;

use super::error::RenderError;
use crate::plan::{Body, Format, Plan};

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
    /// Rows that a reader goes through on the screen.
    pub screen: Cap,
    /// Rows a flowing document may be filled with; its rows are held in memory.
    pub document: Cap,
    /// Rows that a cross-table may gather into its lines.
    pub cross: Cap,
    /// Rows whose numbers analyses may gather.
    pub analyses: Cap,
    /// Bytes of one file.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            pdf: Cap { rows: 10_000, overflow: Overflow::Fail },
            xlsx: Cap { rows: 1_000_000, overflow: Overflow::Cut },
            csv: Cap { rows: 5_000_000, overflow: Overflow::Cut },
            screen: Cap { rows: 1_000_000, overflow: Overflow::Cut },
            document: Cap { rows: 5_000, overflow: Overflow::Cut },
            cross: Cap { rows: 1_000_000, overflow: Overflow::Fail },
            analyses: Cap { rows: 1_000_000, overflow: Overflow::Fail },
            bytes: 200 * 1024 * 1024,
        }
    }
}

/// Rows of a designer's trial.
pub const TRIAL_ROWS: u64 = 50;

impl Limits {
    /// The usual ones, with another number of rows in PDF.
    pub fn with_pdf_rows(rows: u64) -> Self {
        Limits { pdf: Cap { rows, overflow: Overflow::Fail }, ..Limits::default() }
    }

    /// The first rows, in whatever format.
    pub fn trial() -> Self {
        let cap = Cap { rows: TRIAL_ROWS, overflow: Overflow::Cut };
        Limits { pdf: cap, xlsx: cap, csv: cap, screen: cap, document: cap, cross: cap, analyses: cap, ..Limits::default() }
    }

    pub fn of(&self, plan: &Plan) -> Cap {
        match (&plan.body, plan.format) {
            (Body::Document(_), _) => self.document,
            (Body::Table(table), _) if table.cross.is_some() => self.cross,
            // Too many are told by the gathering, which names the analysis.
            (Body::Table(table), _) if table.is_of_analyses() && self.analyses.overflow == Overflow::Fail => {
                Cap { rows: u64::MAX, ..self.analyses }
            }
            (Body::Table(table), _) if table.is_of_analyses() => self.analyses,
            (Body::Table(_), Format::Pdf) => self.pdf,
            (Body::Table(_), Format::Xlsx) => self.xlsx,
            (Body::Table(_), Format::Csv) => self.csv,
            (Body::Table(_), Format::Screen) => self.screen,
        }
    }
}

/// One file to make.
#[derive(Clone, Debug)]
pub struct Target {
    pub plan: Plan,
    pub path: PathBuf,
    /// What a CSV ends with; the others say it in their headings.
    pub notices: Vec<String>,
    /// Who is told the first lines of a report on the screen while the others are on their way.
    pub start: Option<UnboundedSender<ScreenStart>>,
}

/// A finished file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedFile {
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
    pub result: Result<RenderedFile, RenderError>,
}
