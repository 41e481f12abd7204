//! Runs of reports, prints of entries and exports of data: the kind of job that makes files.

mod board;
mod execute;
mod export;
mod failure;
mod kind;
mod load;
mod logo;
mod print;
mod produce;
mod progress;
mod query;
mod rows;
mod runner;
mod shown;
mod summary;
mod visit_dates;
mod words;

pub use runner::{Runner, queues};
