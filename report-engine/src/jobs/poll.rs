//! Work found in PostgreSQL: due rows that Redis did not announce, and rows that the dead left.

use std::{sync::Arc, time::Duration};

use super::kind::{JobHost, Kind, ServedQueue, Work};

/// Takes due work straight from PostgreSQL until the engine stops: the way when Redis is down or has forgotten.
pub async fn poll(host: &JobHost, kinds: &[Arc<dyn Work>], every: Duration) {
    while !host.stopping.is_cancelled() {
        let freed = host.freed.notified();
        tokio::pin!(freed);
        // Listening starts before looking, so that a slot freed meanwhile is not missed.
        freed.as_mut().enable();
        let more = match take_due(host, kinds).await {
            Ok(more) => more,
            Err(error) => {
                tracing::warn!(%error, "the poll for due jobs failed");
                false
            }
        };
        tokio::select! {
            () = tokio::time::sleep(every) => {}
            () = &mut freed, if more => {}
            () = host.stopping.cancelled() => {}
        }
    }
}

async fn take_due(host: &JobHost, kinds: &[Arc<dyn Work>]) -> sqlx::Result<bool> {
    let mut more = false;
    for kind in kinds.iter().filter(|kind| !host.rests(kind.writes())) {
        for queue in kind.queues() {
            more |= kind.clone().take_due(host, queue).await?;
        }
    }
    Ok(more)
}

/// Starts what is due in one queue while there are slots; gives whether there may be more when a job ends.
pub async fn take<K: Kind>(kind: &Arc<K>, host: &JobHost, queue: &ServedQueue) -> sqlx::Result<bool> {
    while let Some(slot) = queue.slots.try_one(&host.freed) {
        let Some(claimed) = host.take(K::WRITES, kind.claim_next(queue)).await else {
            slot.unused();
            return Ok(false);
        };
        let Some(claimed) = claimed? else {
            slot.unused();
            return Ok(K::WAITS_FOR_OTHERS);
        };
        host.start(kind, claimed, slot);
    }
    Ok(true)
}

/// Takes back the rows of every kind whose holders are dead.
pub async fn sweep(kinds: &[Arc<dyn Work>]) {
    for kind in kinds {
        kind.sweep().await;
    }
}
