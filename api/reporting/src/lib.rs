//! Reports: ordered, scheduled and fetched (`reports`), before a worker on her board (`board`), set up (`setup`), and made by whoever reads them
//! (`analyses`).

pub mod analyses;
pub mod board;
pub mod reports;
pub mod setup;
