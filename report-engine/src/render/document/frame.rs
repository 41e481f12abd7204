//! What a document has around its content.
use jiff::civil::DateTime;

use crate::plan::Mark;

/// What stands around the content, and what the file says of itself.
pub struct Frame {
    pub landscape: bool,
    /// Text size in points.
    pub size: u8,
    pub title: String,
    pub author: String,
    /// On top of the first page.
    pub marks: Vec<Mark>,
    pub generisano: DateTime,
    /// At the head of every page but the first.
    pub running: String,
    /// At the foot of every page, beside its number.
    pub made: String,
}
