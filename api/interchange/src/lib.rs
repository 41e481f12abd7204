//! Definitions and data from files and into them: by command (`import`), by screen (`data_import`, `exchange`), and the demo's.

pub mod data_import;
pub mod demo;
pub mod exchange;
pub mod import;
