//! Reports: ordered, scheduled and fetched (`reports`), and set up (`setup`).

pub mod reports;
pub mod setup;
