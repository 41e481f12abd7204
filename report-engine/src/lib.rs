//! The parts of the report engine: templates, rendering, and the running of reports.
pub mod render;
pub mod template;
