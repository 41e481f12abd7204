//! What can go wrong while a report is rendered; the run maps each case to a code and a Serbian text.
use std::error::Error;

use domain::runs::FailureCode;
use thiserror::Error as ThisError;

use crate::disk::is_full;
use crate::plan::{Format, TemplateError, grouped};

/// What a run is told whose files could not be written.
pub const NOT_WRITTEN: &str = "Izveštaj nije mogao da se upiše na disk servera. Obratite se administratoru.";
pub const NO_ROOM: &str = "Na disku servera nema mesta za izveštaj. Obratite se administratoru.";

#[derive(Debug, ThisError)]
pub enum RenderError {
    /// More rows than the format may hold; the run is not cut silently.
    #[error("{format} would exceed {limit} rows")]
    TooManyRows { format: Format, limit: u64 },
    /// The file outgrew the artifact limit.
    #[error("{format} would exceed {limit} bytes")]
    TooLarge { format: Format, limit: u64 },
    /// The template names a column that the query does not deliver.
    #[error("the query has no column {column}")]
    UnknownColumn { column: String },
    /// A sum or an average over a column that holds something else than numbers.
    #[error("column {column} is not numeric")]
    NotNumeric { column: String },
    /// A cross-table would get more columns than its template allows.
    #[error("column {column} has more than {limit} values")]
    CrossTooWide { column: String, limit: usize },
    /// A cross-table would hold more than memory is given to it.
    #[error("the cross-table of {column} would exceed {cells} cells")]
    CrossTooLarge { column: String, cells: usize },
    /// Analyses would hold more rows than memory is given to them.
    #[error("{words} would exceed {limit} rows")]
    AnalysisTooLarge { words: String, limit: u64 },
    /// The value of a row is one that no section of the template is for.
    #[error("no section for {value} of {column}")]
    NoSection { column: String, value: String },
    #[error("more than {limit} sections")]
    TooManySections { format: Format, limit: usize },
    /// A band, a computed cell or a document block failed while it was filled with data.
    #[error("template: {0}")]
    Template(#[from] TemplateError),
    #[error("cancelled")]
    Cancelled,
    /// The producer of rows failed; its own error is inside, for the run to take out again.
    #[error("rows: {0}")]
    Source(#[source] Box<dyn Error + Send + Sync>),
    #[error("file: {0}")]
    Io(#[from] std::io::Error),
    /// A writer library refused its input: a defect of ours, not of the template's author.
    #[error("{format} writer: {detail}")]
    Writer { format: Format, detail: String },
}

impl RenderError {
    /// Wraps an error of the row producer.
    pub fn source(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        RenderError::Source(error.into())
    }

    /// The stable code stored with the run.
    pub fn code(&self) -> FailureCode {
        match self {
            RenderError::TooManyRows { .. } => FailureCode::TooManyRows,
            RenderError::NoSection { .. } => FailureCode::Template,
            RenderError::TooManySections { .. } => FailureCode::TooLarge,
            RenderError::TooLarge { .. } | RenderError::CrossTooWide { .. } | RenderError::CrossTooLarge { .. } => FailureCode::TooLarge,
            RenderError::AnalysisTooLarge { .. } => FailureCode::TooLarge,
            RenderError::UnknownColumn { .. } | RenderError::NotNumeric { .. } | RenderError::Template(_) => FailureCode::Template,
            RenderError::Cancelled => FailureCode::Internal,
            RenderError::Source(_) => FailureCode::Query,
            RenderError::Io(_) => FailureCode::Storage,
            RenderError::Writer { .. } => FailureCode::Render,
        }
    }

    /// What the user is told, with advice where there is one.
    pub fn message(&self) -> String {
        match self {
            RenderError::TooManyRows { format, limit } => format!(
                "Izveštaj ima više od {} redova, koliko staje u {format}. Suzite period ili izaberite XLSX ili CSV.",
                grouped(*limit)
            ),
            RenderError::TooLarge { format, limit } => {
                format!("{format} fajl bi bio veći od {} MB. Suzite period ili izaberite drugi format.", limit / (1024 * 1024))
            }
            RenderError::UnknownColumn { column } => {
                format!("Šablon izveštaja traži kolonu „{column}“, koju upit ne vraća.")
            }
            RenderError::NotNumeric { column } => {
                format!("Šablon izveštaja sabira kolonu „{column}“, koja nije brojčana.")
            }
            RenderError::NoSection { column, value } => {
                format!("Šablon izveštaja nema odeljak za vrednost „{value}“ kolone „{column}“, koju upit vraća.")
            }
            RenderError::TooManySections { format, limit } => {
                format!("Izveštaj bi imao više od {limit} odeljaka, koliko staje u {format}. Suzite uslove ili izaberite drugi format.")
            }
            RenderError::CrossTooWide { column, limit } => format!(
                "Kolona „{column}“ ima više od {limit} različitih vrednosti, koliko kolona ukrštena tabela sme da ima. Suzite uslove \
                 izveštaja ili u šablonu navedite veći „limit“ (do 100)."
            ),
            RenderError::CrossTooLarge { column, cells } => {
                format!("Ukrštena tabela po koloni „{column}“ imala bi više od {} ćelija. Suzite uslove izveštaja.", grouped(*cells as u64))
            }
            RenderError::AnalysisTooLarge { words, limit } => format!(
                "Statistika ({words}) obuhvatila bi više od {} redova, koliko se drži u memoriji. Suzite uslove izveštaja ili navedite manje \
                 kolona.",
                grouped(*limit)
            ),
            RenderError::Template(error) => format!("Greška u šablonu izveštaja: {error}"),
            RenderError::Cancelled => "Generisanje izveštaja je otkazano.".to_owned(),
            RenderError::Source(_) => "Greška pri čitanju podataka za izveštaj.".to_owned(),
            RenderError::Io(error) if is_full(error) => NO_ROOM.to_owned(),
            RenderError::Io(_) => NOT_WRITTEN.to_owned(),
            RenderError::Writer { .. } => "Greška pri izradi izveštaja.".to_owned(),
        }
    }
}
