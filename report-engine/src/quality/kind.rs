//! Runs of quality rules as a kind of job.

use std::sync::Arc;

use domain::jobs::QUALITY_QUEUE;
use sqlx::PgPool;

use super::{
    queue::{self, ClaimedQualityRun},
    work::look_at_all,
};
use crate::jobs::{JobHost, Kind, ServedQueue, Slots};

pub struct QualityRuns {
    pub(super) app: PgPool,
    /// Says when to stop between two pages.
    pub(super) host: Arc<JobHost>,
    /// How long one page of patients may take.
    pub(super) lease_seconds: f64,
    queues: [ServedQueue; 1],
}

impl QualityRuns {
    /// One at a time: it reads without a pause, and people work meanwhile.
    pub fn new(app: PgPool, host: Arc<JobHost>, lease_seconds: f64) -> Self {
        let slots = Slots::new(1);
        Self { app, host, lease_seconds, queues: [ServedQueue { name: QUALITY_QUEUE, column: QUALITY_QUEUE, slots }] }
    }
}

impl Kind for QualityRuns {
    type Id = i64;
    type Claimed = ClaimedQualityRun;

    const NOUN: &'static str = "quality run";

    fn queues(&self) -> &[ServedQueue] {
        &self.queues
    }

    async fn claim(&self, _: &ServedQueue, id: i64) -> sqlx::Result<Option<ClaimedQualityRun>> {
        queue::claim(&self.app, id, self.lease_seconds).await
    }

    async fn claim_next(&self, queue: &ServedQueue) -> sqlx::Result<Option<ClaimedQualityRun>> {
        queue::claim_next(&self.app, queue.column, self.lease_seconds).await
    }

    async fn execute(self: Arc<Self>, claimed: ClaimedQualityRun) {
        look_at_all(&self, claimed).await;
    }

    async fn sweep(&self) {
        match queue::sweep_lapsed(&self.app).await {
            Ok(swept) => {
                for one in swept {
                    tracing::warn!(run = one.id, status = one.status, "the lease of a run of quality rules had lapsed");
                }
            }
            Err(error) => tracing::warn!(%error, "lapsed leases of runs of quality rules were not swept"),
        }
    }
}
