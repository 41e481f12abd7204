//! Patients and what they have: consents, entries, exports, and who looked at whose data.

pub mod consents;
pub mod entries;
pub mod entry_states;
pub mod exports;
pub mod looks;
pub mod patients;
pub mod plans;
pub mod quality;
pub mod questions;
