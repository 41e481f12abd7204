//! Work found in PostgreSQL: due rows that Redis did not announce, and rows that the dead left.

use std::{sync::Arc, time::Duration};

use super::kind::{Desk, Kind, Served, Work};

/// Takes due work straight from PostgreSQL until the engine stops: the way when Redis is down or has forgotten.
pub async fn poll(desk: &Desk, kinds: &[Arc<dyn Work>], every: Duration) {
    while !desk.stopping.is_cancelled() {
        let freed = desk.freed.notified();
        tokio::pin!(freed);
        // Listening starts before looking, so that a slot freed meanwhile is not missed.
        freed.as_mut().enable();
        let full = match take_due(desk, kinds).await {
            Ok(full) => full,
            Err(error) => {
                tracing::warn!(%error, "the poll for due jobs failed");
                false
            }
        };
        tokio::select! {
            () = tokio::time::sleep(every) => {}
            () = &mut freed, if full => {}
            () = desk.stopping.cancelled() => {}
        }
    }
}

async fn take_due(desk: &Desk, kinds: &[Arc<dyn Work>]) -> sqlx::Result<bool> {
    let mut full = false;
    for kind in kinds {
        for queue in kind.queues() {
            full |= kind.clone().take_due(desk, queue).await?;
        }
    }
    Ok(full)
}

/// Starts what is due in one queue while there are slots.
pub async fn take<K: Kind>(kind: &Arc<K>, desk: &Desk, queue: &Served) -> sqlx::Result<bool> {
    while let Some(slot) = queue.slots.try_one(&desk.freed) {
        let Some(claimed) = kind.claim_next(queue).await? else {
            slot.unused();
            return Ok(false);
        };
        desk.start(kind, claimed, slot);
    }
    Ok(true)
}

/// Takes back the rows of every kind whose holders are dead.
pub async fn sweep(kinds: &[Arc<dyn Work>]) {
    for kind in kinds {
        kind.sweep().await;
    }
}
