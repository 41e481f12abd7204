//! One model of a chart: what is drawn is worked out here once, and each format has a small drawer of it.
mod data;
mod entry;
mod picture;

pub use data::ChartData;
pub use entry::of_entry;
pub use picture::{Picture, Scale, Series, Slice, Tick};
