//! Announcing waiting runs to the engines through Redis, a bounded number at a time.

use domain::{
    jobs::Dispatcher,
    runs::{self, DISPATCH_WINDOW},
};
use sqlx::PgPool;

/// A run that waits this long after it was announced is announced again: the call may be lost.
const STALE_SECONDS: f64 = 120.0;

/// Announces runs that Redis has not heard of, or heard of too long ago; gives how many. While Redis is down nothing is
/// marked: the engines look at the table themselves.
pub async fn announce(db: &PgPool, dispatcher: &Dispatcher) -> sqlx::Result<usize> {
    if !dispatcher.ping().await {
        return Ok(0);
    }
    let mut tx = db.begin().await?;
    let due = runs::due_for_dispatch(&mut tx, DISPATCH_WINDOW, STALE_SECONDS).await?;
    let ids: Vec<_> = due.iter().map(|(run, _)| *run).collect();
    runs::mark_dispatched(&mut tx, &ids).await?;
    tx.commit().await?;

    let mut announced = 0;
    for (run, queue) in due {
        if let Err(error) = dispatcher.push(run, queue).await {
            tracing::warn!(cause = %error, announced, "Redis took no more calls: the rest of the queued runs is announced later");
            break;
        }
        announced += 1;
    }
    Ok(announced)
}
