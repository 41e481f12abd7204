//! Patients and what they have: entries, exports, and who looked at whose data.

pub mod entries;
pub mod exports;
pub mod looks;
pub mod patients;
