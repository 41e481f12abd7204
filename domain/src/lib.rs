//! What two Regix binaries need: configuration, database, time, folding of Serbian text.

pub mod config;
pub mod db;
pub mod fold;
pub mod jmbg;
pub mod logging;
pub mod recurrence;
#[cfg(feature = "testing")]
pub mod testing;
pub mod time;
