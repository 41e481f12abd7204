//! The runs that this engine holds, and the one way to stop each of them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    time::Duration,
};

use domain::runs::Lease;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Why a run is stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A person asked for it.
    Cancelled,
    /// The lease is gone: another engine may be at it.
    Lost,
    /// The engine is going down.
    Shutdown,
    /// It took longer than its report may.
    TimeLimit(Duration),
}

/// Stops one run; the first reason counts.
#[derive(Clone, Default)]
pub struct Stopper {
    token: CancellationToken,
    why: Arc<OnceLock<Why>>,
}

impl Stopper {
    pub fn stop(&self, why: Why) {
        // A later reason changes nothing.
        let _ = self.why.set(why);
        self.token.cancel();
    }

    pub fn why(&self) -> Option<Why> {
        self.why.get().copied()
    }

    /// Fires when the run is to stop.
    pub fn token(&self) -> &CancellationToken {
        &self.token
    }

    /// Stops the run when `limit` has passed, unless the limit is lifted before.
    pub fn limit(&self, limit: Duration) -> Limit {
        let stopper = self.clone();
        let timer = tokio::spawn(async move {
            tokio::time::sleep(limit).await;
            stopper.stop(Why::TimeLimit(limit));
        });
        Limit { timer: timer.abort_handle() }
    }
}

/// A running time limit; gone when lifted or dropped.
pub struct Limit {
    timer: tokio::task::AbortHandle,
}

impl Limit {
    pub fn lift(self) {}
}

impl Drop for Limit {
    fn drop(&mut self) {
        self.timer.abort();
    }
}

/// All runs of this engine, by id.
#[derive(Clone, Default)]
pub struct Running {
    held: Arc<Mutex<HashMap<Uuid, (Lease, Stopper)>>>,
}

/// Keeps a run in the list while it is executed.
pub struct Held {
    running: Running,
    lease: Lease,
    stopper: Stopper,
}

impl Running {
    pub fn enter(&self, lease: Lease) -> Held {
        let stopper = Stopper::default();
        self.lock().insert(lease.run, (lease, stopper.clone()));
        Held { running: self.clone(), lease, stopper }
    }

    /// Stops the run, if it is here.
    pub fn stop(&self, run: Uuid, why: Why) {
        if let Some((_, stopper)) = self.lock().get(&run) {
            stopper.stop(why);
        }
    }

    pub fn stop_all(&self, why: Why) {
        for (_, stopper) in self.lock().values() {
            stopper.stop(why);
        }
    }

    pub fn leases(&self) -> Vec<(Lease, Stopper)> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, (Lease, Stopper)>> {
        self.held.lock().expect("no panic happens under this lock")
    }
}

impl Held {
    pub fn stopper(&self) -> &Stopper {
        &self.stopper
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = self.running.lock();
        // A lost run may have come back to this very engine under a newer fence.
        if held.get(&self.lease.run).is_some_and(|(lease, _)| lease.fence == self.lease.fence) {
            held.remove(&self.lease.run);
        }
    }
}
