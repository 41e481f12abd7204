//! What of a plan waits for data: pieces of the template that are filled while the rows pass, or when all are there.
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::Value;

/// A group's header, a footer, or a computed cell.
pub trait Fill: fmt::Debug + Send + Sync {
    /// The paths that it reads, cut at their dots.
    fn paths(&self) -> &[Vec<String>];

    /// Its text with `data`, which wins over what was known before any row; without blanks around it.
    fn fill(&self, data: Map<String, Json>) -> Result<String, TemplateError>;
}

pub type Band = Arc<dyn Fill>;

/// A flowing document.
pub trait FillDocument: fmt::Debug + Send + Sync {
    /// The blocks of its pages in reading order, for these rows.
    fn blocks(&self, columns: &[String], rows: &[Vec<Value>]) -> Result<Vec<Block>, TemplateError>;
}

pub type Flow = Arc<dyn FillDocument>;

/// One piece of a flowing document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    Heading { level: u8, text: String },
    Paragraph(String),
    Field { label: String, value: String },
    Table { heads: Vec<String>, rows: Vec<Vec<String>> },
    Space,
}

/// A fault in a template, told to its author in Serbian, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// Serbian, without the place.
    pub message: String,
    pub line: Option<usize>,
    pub column: Option<usize>,
}

impl TemplateError {
    pub fn new(message: impl Into<String>) -> Self {
        TemplateError { message: message.into(), line: None, column: None }
    }

    pub fn at(message: impl Into<String>, line: usize, column: usize) -> Self {
        TemplateError { message: message.into(), line: Some(line), column: Some(column) }
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(out, "{} (red {line}, kolona {column})", self.message),
            _ => out.write_str(&self.message),
        }
    }
}

impl std::error::Error for TemplateError {}
