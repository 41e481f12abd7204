//! The jobs that this engine holds, and the one way to stop each of them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    time::Duration,
};

use domain::jobs::Heartbeat;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use super::kind::Boxed;

/// Why a job is stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// A person asked for it.
    Cancelled,
    /// The lease is gone: another engine may be at it.
    Lost,
    /// The engine is going down.
    Shutdown,
    /// It took longer than it may.
    TimeLimit(Duration),
}

/// Stops one job; the first reason counts.
#[derive(Clone, Default)]
pub struct Stopper {
    token: CancellationToken,
    why: Arc<OnceLock<StopReason>>,
}

impl Stopper {
    pub fn stop(&self, why: StopReason) {
        // A later reason changes nothing.
        let _ = self.why.set(why);
        self.token.cancel();
    }

    pub fn why(&self) -> Option<StopReason> {
        self.why.get().copied()
    }

    /// Fires when the job is to stop.
    pub fn token(&self) -> &CancellationToken {
        &self.token
    }

    /// Stops the job when `limit` has passed, unless the limit is lifted before.
    pub fn limit(&self, limit: Duration) -> Limit {
        let stopper = self.clone();
        let timer = tokio::spawn(async move {
            tokio::time::sleep(limit).await;
            stopper.stop(StopReason::TimeLimit(limit));
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

/// A lease that heartbeats keep.
pub trait LeasedJob: Send + Sync + 'static {
    /// The kind and the id of the job, such as `run 0190…`.
    fn name(&self) -> String;
    fn fence(&self) -> i64;
    fn renew<'a>(&'a self, db: &'a PgPool, lease_seconds: f64) -> Boxed<'a, sqlx::Result<Heartbeat>>;
}

type ByName = HashMap<String, (Arc<dyn LeasedJob>, Stopper)>;

/// All jobs of this engine whose leases heartbeats keep, by name.
#[derive(Clone, Default)]
pub struct HeldJobs {
    jobs: Arc<Mutex<ByName>>,
}

/// Keeps a job in the list while it is done.
pub struct Hold {
    held: HeldJobs,
    lease: Arc<dyn LeasedJob>,
    stopper: Stopper,
}

impl HeldJobs {
    pub fn enter(&self, lease: impl LeasedJob) -> Hold {
        let lease: Arc<dyn LeasedJob> = Arc::new(lease);
        let stopper = Stopper::default();
        self.lock().insert(lease.name(), (lease.clone(), stopper.clone()));
        Hold { held: self.clone(), lease, stopper }
    }

    /// Stops the job, if it is here.
    pub fn stop(&self, name: &str, why: StopReason) {
        if let Some((_, stopper)) = self.lock().get(name) {
            stopper.stop(why);
        }
    }

    pub fn stop_all(&self, why: StopReason) {
        for (_, stopper) in self.lock().values() {
            stopper.stop(why);
        }
    }

    pub fn leases(&self) -> Vec<(Arc<dyn LeasedJob>, Stopper)> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, ByName> {
        self.jobs.lock().expect("no panic happens under this lock")
    }
}

impl Hold {
    pub fn stopper(&self) -> &Stopper {
        &self.stopper
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let (name, mut jobs) = (self.lease.name(), self.held.lock());
        // A lost job may have come back to this very engine under a newer fence.
        if jobs.get(&name).is_some_and(|(lease, _)| lease.fence() == self.lease.fence()) {
            jobs.remove(&name);
        }
    }
}
