//! Runs of quality rules: all patients of a register looked at, page by page, at night or when somebody asks.

mod kind;
mod queue;
mod work;

pub use kind::QualityRuns;
