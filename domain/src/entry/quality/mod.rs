//! Rules of quality over a patient's entries, and the findings that they keep open: a finding is of what the rule has looked at, and ends when
//! that or the rule is another (docs/decisions/0109-a-finding-is-of-one-value.md).

mod course;
mod look;
mod rule;
mod settle;

pub use rule::{QualityKind, RuleSet, Severity};
pub use settle::{Counts, patients_after, settle, settle_due, settle_entry};
