//! Report templates: one Handlebars file a report, which declares what the report is and prints nothing itself.
//!
//! A template is rendered once for each run and format; its helpers record a [`Plan`](crate::plan::Plan), past which the rows stream.
mod analyses;
mod band;
mod call;
mod check;
mod context;
mod declaration;
mod declare;
mod document;
mod error;
mod files;
mod functions;
pub mod language;
mod parsed;

pub use context::Context;
pub use files::{LoadError, LoadedReport, Templates};
pub use parsed::ReportTemplate;
