//! What every kind of job shares in an engine: slots, the ways by which work is found, heartbeats that keep leases, and stopping.
//!
//! A kind is one file that implements [`Kind`] and stands in the list of `Engine::start`; its statements are made by
//! `domain::jobs`. From there on its rows are claimed when Redis calls, found in PostgreSQL when it does not, executed in a slot, and
//! taken back when an engine has died.

mod heartbeat;
mod held;
mod interval;
mod kind;
mod listener;
mod pages;
mod poll;
mod slots;
mod trim;

pub use heartbeat::start as start_heartbeats;
pub use held::{HeldJobs, Hold, LeasedJob, StopReason, Stopper};
pub use kind::{Boxed, JobHost, Kind, ServedQueue, Work};
pub use listener::{connection, listen};
pub use pages::{LeaseState, POISON_AFTER, RETRIES};
pub use poll::{poll, sweep};
pub use slots::{Slot, Slots};
pub use trim::trim;
