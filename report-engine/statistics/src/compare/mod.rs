//! Comparisons of groups, of repeated measurements, and of two variables.
pub mod adjust;
pub mod correlation;
pub mod fisher;
pub mod means;
pub mod ranks;
mod ranks_exact;
pub mod standardised;
pub mod table;
