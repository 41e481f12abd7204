//! Statistics of clinical papers. Slices in, structs out: no I/O, no database, no clock, no randomness.
//!
//! - Columns are slices of `Option`; `None` is missing. Rows with a missing value are left out and counted. NaN and infinity
//!   are mistakes of the caller and refused.
//! - What cannot be told is an [`Error`] that names the variable. Nothing returns NaN and nothing panics on data.
//! - A result names its test and its kind of interval, and carries its n and its missing.
//! - All p-values are two-sided.
pub mod accuracy;
pub mod agreement;
pub mod column;
pub mod compare;
pub mod describe;
mod distribution;
pub mod error;
pub mod estimate;
mod matrix;
pub mod model;
mod numbers;
pub mod proportion;
pub mod rates;
pub mod survival;
pub mod test_result;
pub mod two_by_two;

pub use column::{Binary, Factor, Numeric};
pub use error::{Error, Result};
pub use estimate::{Estimate, Interval, IntervalMethod, Level};
pub use matrix::Symmetric;
pub use test_result::{Degrees, Test, TestResult};
