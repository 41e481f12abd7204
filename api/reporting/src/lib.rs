//! Reports: ordered, scheduled and fetched (`reports`), set up (`setup`), and made by whoever reads them (`analyses`).

pub mod analyses;
pub mod reports;
pub mod setup;
