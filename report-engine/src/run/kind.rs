//! Runs as a kind of job.

use std::sync::Arc;

use domain::{
    jobs::Heartbeat,
    runs::{self, Lease},
};
use sqlx::PgPool;
use uuid::Uuid;

use super::{execute::execute, runner::Runner};
use crate::jobs::{Boxed, Kind, Leased, ServedQueue};

impl Kind for Runner {
    type Id = Uuid;
    type Claimed = Lease;

    const NOUN: &'static str = "run";

    fn queues(&self) -> &[ServedQueue] {
        &self.queues
    }

    async fn claim(&self, run: Uuid) -> sqlx::Result<Option<Lease>> {
        runs::claim(&self.app, run, &self.owner, self.lease_seconds).await
    }

    async fn claim_next(&self, queue: &ServedQueue) -> sqlx::Result<Option<Lease>> {
        runs::claim_next(&self.app, queue.column, &self.owner, self.lease_seconds).await
    }

    async fn execute(self: Arc<Self>, lease: Lease) {
        execute(&self, lease).await;
    }

    async fn sweep(&self) {
        runs::sweep(&self.app).await;
    }
}

impl Leased for Lease {
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
