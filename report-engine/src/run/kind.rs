//! Runs as a kind of job.

use std::sync::Arc;

use domain::{
    jobs::Heartbeat,
    runs::{self, ClaimedRun, Lease},
};
use sqlx::PgPool;
use uuid::Uuid;

use super::{execute::execute, runner::Runner};
use crate::jobs::{Boxed, Kind, LeasedJob, ServedQueue};

impl Kind for Runner {
    type Id = Uuid;
    type Claimed = ClaimedRun;

    const NOUN: &'static str = "run";
    const WRITES: bool = true;
    const WAITS_FOR_OTHERS: bool = true;

    fn queues(&self) -> &[ServedQueue] {
        &self.queues
    }

    /// Redis calls in the order in which runs were asked for; whose turn it is, PostgreSQL knows.
    async fn claim(&self, queue: &ServedQueue, _: Uuid) -> sqlx::Result<Option<ClaimedRun>> {
        self.claim_next(queue).await
    }

    async fn claim_next(&self, queue: &ServedQueue) -> sqlx::Result<Option<ClaimedRun>> {
        runs::claim_next(&self.app, queue.column, &self.owner, self.knows, self.lease_seconds).await
    }

    async fn execute(self: Arc<Self>, claimed: ClaimedRun) {
        execute(&self, &claimed).await;
    }

    async fn sweep(&self) {
        runs::sweep(&self.app).await;
    }
}

impl LeasedJob for Lease {
    fn name(&self) -> String {
        format!("run {}", self.run)
    }

    fn fence(&self) -> i64 {
        self.fence
    }

    fn renew<'a>(&'a self, db: &'a PgPool, lease_seconds: f64) -> Boxed<'a, sqlx::Result<Heartbeat>> {
        Box::pin(runs::heartbeat(db, *self, lease_seconds))
    }
}
