//! Recomputations as a kind of job.

use std::sync::Arc;

use domain::jobs::RECOMPUTE_QUEUE;
use sqlx::PgPool;

use super::{
    queue::{self, ClaimedRecomputation},
    work::recompute,
};
use crate::jobs::{JobHost, Kind, ServedQueue, Slots};

pub struct Recompute {
    pub(super) app: PgPool,
    /// Says when to stop between two patients.
    pub(super) host: Arc<JobHost>,
    /// How long one patient's entries may take.
    pub(super) lease_seconds: f64,
    queues: [ServedQueue; 1],
}

impl Recompute {
    /// One at a time: it writes without a pause, and people save meanwhile.
    pub fn new(app: PgPool, host: Arc<JobHost>, lease_seconds: f64) -> Self {
        let slots = Slots::new(1);
        Self { app, host, lease_seconds, queues: [ServedQueue { name: RECOMPUTE_QUEUE, column: RECOMPUTE_QUEUE, slots }] }
    }
}

impl Kind for Recompute {
    type Id = i64;
    type Claimed = ClaimedRecomputation;

    const NOUN: &'static str = "recomputation";

    fn queues(&self) -> &[ServedQueue] {
        &self.queues
    }

    async fn claim(&self, _: &ServedQueue, id: i64) -> sqlx::Result<Option<ClaimedRecomputation>> {
        queue::claim(&self.app, id, self.lease_seconds).await
    }

    async fn claim_next(&self, queue: &ServedQueue) -> sqlx::Result<Option<ClaimedRecomputation>> {
        queue::claim_next(&self.app, queue.column, self.lease_seconds).await
    }

    async fn execute(self: Arc<Self>, claimed: ClaimedRecomputation) {
        recompute(&self, claimed).await;
    }

    async fn sweep(&self) {
        match queue::sweep_lapsed(&self.app).await {
            Ok(swept) => {
                for one in swept {
                    tracing::warn!(recomputation = one.id, status = one.status, "the lease of a recomputation had lapsed");
                }
            }
            Err(error) => tracing::warn!(%error, "lapsed leases of recomputations were not swept"),
        }
    }
}
