//! The scheduler: turns due schedules into runs, announces waiting runs, and clears away what has expired.
//!
//! Any number of schedulers may run at once. None of them leads: row locks share the work, and the unique key of a
//! schedule and its nominal moment keeps a fire from happening twice.

pub mod dispatch;
pub mod fire;
pub mod following;
pub mod plans;
pub mod quality;
pub mod questions;
pub mod retention;
pub mod service;
pub mod settings;
