//! Deliveries as a kind of job.

use std::sync::Arc;

use super::{
    delivery::deliver,
    mailer::Mail,
    queue::{self, ClaimedDelivery},
};
use crate::jobs::{Kind, ServedQueue};

impl Kind for Mail {
    type Id = i64;
    type Claimed = ClaimedDelivery;

    const NOUN: &'static str = "delivery";

    fn queues(&self) -> &[ServedQueue] {
        &self.queues
    }

    async fn claim(&self, _: &ServedQueue, delivery: i64) -> sqlx::Result<Option<ClaimedDelivery>> {
        queue::claim(&self.app, delivery, self.lease_seconds).await
    }

    async fn claim_next(&self, queue: &ServedQueue) -> sqlx::Result<Option<ClaimedDelivery>> {
        queue::claim_next(&self.app, queue.column, self.lease_seconds).await
    }

    async fn execute(self: Arc<Self>, claimed: ClaimedDelivery) {
        deliver(&self, claimed).await;
    }

    async fn sweep(&self) {
        match queue::sweep_lapsed(&self.app, self.delay_scale).await {
            Ok(swept) => {
                for delivery in swept {
                    tracing::warn!(delivery = delivery.id, status = delivery.status, "the lease of a delivery had lapsed");
                }
            }
            Err(error) => tracing::warn!(%error, "lapsed leases of deliveries were not swept"),
        }
    }
}
