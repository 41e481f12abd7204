//! A failed run that an operator lets begin again: the same run, so that what it promises holds, one mail to each address too.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::jobs::Queue;

/// What asking for another beginning did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    Queued(Queue),
    /// It has not failed, or somebody else let it begin again.
    NotFailed,
    Unknown,
}

/// Queues a failed run anew, with all its attempts. Rights are the caller's matter. What its owner and its recipients were told of the failure
/// keeps its place beside the deliveries of what is made now, and is told once.
pub async fn retry(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Retry> {
    let queue = sqlx::query_scalar!(
        "update report_run
            set status = 'queued', attempt = 0, crash_count = 0, error_code = null, error_text = null, finished_at = null, rows_done = null,
                cancel_requested_at = null, not_before = clock_timestamp(), due_at = clock_timestamp(), dispatched_at = null
          where id = $1 and status = 'failed' and deleted_at is null
         returning queue",
        id,
    )
    .fetch_optional(&mut *conn)
    .await?;
    let Some(queue) = queue else {
        let known =
            sqlx::query_scalar!("select 1 as one from report_run where id = $1 and deleted_at is null", id).fetch_optional(conn).await?;
        return Ok(if known.is_some() { Retry::NotFailed } else { Retry::Unknown });
    };
    sqlx::query!(
        "update report_delivery set redni_broj = 0 where run_id = $1 and redni_broj = 1 and (message_id like '%.vlasnik@regix>' or message_id like '%.primalac@regix>')",
        id
    )
    .execute(conn)
    .await?;
    Ok(Retry::Queued(Queue::from_column(&queue)))
}
