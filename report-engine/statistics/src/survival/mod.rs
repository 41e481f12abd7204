//! Time to event: curves, tests, competing risks. Regression is in [`crate::model::cox`].
pub mod competing;
pub mod curve;
pub mod follow_up;
pub mod gray;
pub mod log_rank;
pub mod nelson_aalen;
pub mod restricted_mean;
