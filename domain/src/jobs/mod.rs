//! What every kind of job shares: a row that one engine at a time holds by a lease, retries that end, and the call through Redis that
//! says which row to look at.
//!
//! A kind of job is a table with `fence`, `lease_until` and a status. Its row is claimed for a time, kept by heartbeats, written by its
//! holder only (every write names the fence), given back for a later attempt, or swept when its lease has lapsed. [`claim`], [`held`] and
//! [`sweep`] say that once; the literals of a table say what is its own, and each statement is checked at build time.
//!
//! [`claim`]: crate::job_claim
//! [`held`]: crate::job_held
//! [`sweep`]: crate::job_sweep

mod lease;
mod retry;
mod wake;

pub use lease::Heartbeat;
pub use retry::Retries;
pub use wake::{Dispatcher, JobId, MAIL_QUEUE, PushError, QUALITY_QUEUE, Queue, RECOMPUTE_QUEUE, VERSION, Wake};
pub use {crate::job_claim as claim, crate::job_held as held, crate::job_sweep as sweep};
