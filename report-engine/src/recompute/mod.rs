//! Recomputations: stored results by the newest version of a form, patient by patient, where whoever published it asked for that.

mod kind;
mod patient;
mod queue;
mod work;

pub use kind::Recompute;
