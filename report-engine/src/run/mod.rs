//! Runs of reports and prints of entries: the kind of job that makes files.

mod execute;
mod failure;
mod kind;
mod load;
mod print;
mod produce;
mod progress;
mod query;
mod runner;
mod words;

pub use runner::{Runner, queues};
