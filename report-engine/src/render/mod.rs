//! Rendering: a plan and a stream of rows become a PDF, XLSX or CSV file or what the screen shows, with constant memory.
//!
//! ```text
//! ReportTemplate::parse -> template.plan(&Context) -> Plan
//! render(targets, columns, rows, limits, cancel) -> one Outcome a target
//! ```
//! Several formats of one run are fed from one pass over the rows. The functions block: call them from a blocking task.
mod analysis;
mod bundle;
pub mod chart;
mod clean;
mod cross;
mod csv;
mod direction;
mod document;
mod error;
mod feed;
mod file;
mod look;
mod pdf;
mod screen;
mod searches;
mod sink;
mod target;
mod totals;
mod wrap;
mod xlsx;

pub use bundle::{Bundle, Chapter, join};
pub use csv::safe_text;
pub use document::{entry, photo};
pub use error::{NO_ROOM, NOT_WRITTEN, RenderError};
pub use sink::render;
pub use target::{Cap, Limits, Outcome, Overflow, RenderedFile, TRIAL_ROWS, Target};
