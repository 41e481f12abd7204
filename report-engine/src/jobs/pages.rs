//! What jobs share that go through patients page by page: whether they go on after a page, and how often they are tried.

use domain::jobs::Retries;

/// Seconds between attempts of which none came further; after the last of them the job has failed.
pub const RETRIES: Retries = Retries(&[2.0, 10.0, 60.0, 300.0]);

/// Engines that may die in a row without a page between them.
pub const POISON_AFTER: i32 = 3;

/// Whether it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseState {
    GoOn,
    Cancel,
    /// Another engine is at it, or it has ended: nothing of this transaction may stay.
    Lost,
}

impl LeaseState {
    /// By what the write of a page found: whether it was asked to stop; none: it is not this engine's.
    pub fn of(cancel: Option<bool>) -> Self {
        match cancel {
            Some(false) => Self::GoOn,
            Some(true) => Self::Cancel,
            None => Self::Lost,
        }
    }
}
