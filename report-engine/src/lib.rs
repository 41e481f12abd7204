//! The parts of the report engine: templates, rendering, and the running of reports.
pub mod disk;
pub mod engine;
pub mod export;
pub mod failpoint;
pub mod jobs;
pub mod mail;
pub mod quality;
pub mod recompute;
pub mod render;
pub mod run;
pub mod settings;
pub mod store;

pub use report_template::{plan, template};
