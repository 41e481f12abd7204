//! What two Regix binaries need: configuration, database, time, folding of Serbian text, recurrence, report runs.

pub mod access;
pub mod config;
pub mod db;
pub mod entry;
pub mod fold;
pub mod formula;
pub mod jmbg;
pub mod jobs;
pub mod listen;
pub mod logging;
pub mod maintenance;
pub mod picture;
pub mod process;
pub mod recurrence;
pub mod refusal;
pub mod register;
pub mod relative_day;
pub mod report_sql;
pub mod runs;
pub mod schema;
pub mod shown;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
pub mod time;
pub mod typed;
