//! One model of a chart: what is drawn is worked out here once, and each format has a small drawer of it.
mod data;
mod entry;
mod picture;
mod times;

pub use data::ChartData;
pub use entry::of_entry;
pub use picture::{Axis, Picture, Scale, Series, Slice, Tick};
