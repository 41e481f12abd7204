//! Why a number cannot be told. Each variant names the variable, so that a caller can say it in the reader's language.
use thiserror::Error;

/// The outcome of a calculation that has no answer. Rows are counted from zero, as in the slices.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Error {
    #[error("{variable}: row {row} is not a finite number within 1e±60")]
    NotFinite { variable: String, row: usize },
    #[error("{variable}: {rows} rows where {expected} are expected")]
    LengthsDiffer { variable: String, rows: usize, expected: usize },
    #[error("{variable}: row {row} has a level that the variable does not have")]
    UnknownLevel { variable: String, row: usize },
    #[error("{variable}: {n} values, at least {needed} are needed")]
    TooFew { variable: String, n: usize, needed: usize },
    #[error("{variable}: all values are the same")]
    Constant { variable: String },
    #[error("{variable}: {groups} groups have values, {needed} are needed")]
    GroupCount { variable: String, groups: usize, needed: &'static str },
    #[error("{variable}: nobody is in {level}")]
    EmptyLevel { variable: String, level: String },
    #[error("{variable}: row {row} has an event without a time")]
    EventWithoutTime { variable: String, row: usize },
    #[error("{variable}: the time of row {row} is negative")]
    NegativeTime { variable: String, row: usize },
    #[error("{variable}: row {row} enters at or after the end of its follow-up")]
    EntryAfterExit { variable: String, row: usize },
    #[error("{variable}: nobody had the event")]
    NoEvents { variable: String },
    #[error("{variable}: the follow-up ends before {time}")]
    BeyondFollowUp { variable: String, time: f64 },
    #[error("a count of zero in the table leaves {measure} undefined")]
    ZeroCell { measure: &'static str },
    #[error("{variable}: the value is outside of what {measure} allows")]
    OutOfRange { variable: String, measure: &'static str },
    #[error("{measure} would take more work than is allowed")]
    TooMuchWork { measure: &'static str },
    #[error("{covariate} is a combination of the other covariates")]
    Collinear { covariate: String },
    #[error("no convergence after {iterations} iterations")]
    NotConverged { iterations: usize },
}

impl Error {
    pub(crate) fn too_few(variable: &str, n: usize, needed: usize) -> Error {
        Error::TooFew { variable: variable.into(), n, needed }
    }

    pub(crate) fn constant(variable: &str) -> Error {
        Error::Constant { variable: variable.into() }
    }

    pub(crate) fn out_of_range(variable: &str, measure: &'static str) -> Error {
        Error::OutOfRange { variable: variable.into(), measure }
    }

    pub(crate) fn two_groups(variable: &str, groups: usize) -> Error {
        Error::GroupCount { variable: variable.into(), groups, needed: "exactly two" }
    }

    pub(crate) fn more_groups(variable: &str, groups: usize) -> Error {
        Error::GroupCount { variable: variable.into(), groups, needed: "at least two" }
    }
}

pub type Result<T> = std::result::Result<T, Error>;
