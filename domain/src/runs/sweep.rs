//! What keeps runs moving when something died: lapsed leases are taken back, waiting runs are announced again.

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::{POISON_AFTER, RunStatus};
use crate::jobs::{self, Queue};

/// Announced runs that may wait in Redis at one time; a queue of some thousands stops apalis-redis for good.
pub const DISPATCH_WINDOW: i64 = 500;

/// A run whose lease had lapsed, and what became of it: `queued`, `failed` (poison) or `cancelled`.
#[derive(Clone, Debug)]
pub struct SweptRun {
    pub run: Uuid,
    pub status: RunStatus,
    pub crash_count: i32,
}

/// Takes back every run whose lease has lapsed. The third lapse ends the run: it is what kills its engines.
pub async fn sweep_lapsed(pool: &PgPool) -> sqlx::Result<Vec<SweptRun>> {
    jobs::sweep!(
        "report_run",
        "running",
        pool,
        returning: r#"id as run, status as "status: RunStatus", crash_count"# as SweptRun,
        "crash_count = crash_count + 1,
         status = case when cancel_requested_at is not null then 'cancelled'
                       when crash_count + 1 >= $1 then 'failed' else 'queued' end,
         error_code = case when cancel_requested_at is null and crash_count + 1 >= $1 then 'poison' end,
         error_text = case when cancel_requested_at is null and crash_count + 1 >= $1
             then 'Generisanje je prekinuto više puta zaredom i neće se ponavljati. Suzite uslove izveštaja ili se obratite administratoru.' end,
         finished_at = case when cancel_requested_at is not null or crash_count + 1 >= $1 then clock_timestamp() end,
         stage = null, rows_done = null, dispatched_at = null, lease_owner = null, lease_until = null, backend_pid = null",
        POISON_AFTER
    )
}

/// As [`sweep_lapsed`], told to the log.
pub async fn sweep(pool: &PgPool) {
    match sweep_lapsed(pool).await {
        Ok(swept) => {
            for run in swept {
                tracing::warn!(run = %run.run, crashes = run.crash_count, status = %run.status, "the lease of a run had lapsed");
            }
        }
        Err(error) => tracing::warn!(%error, "lapsed leases of runs were not swept"),
    }
}

/// Due runs that Redis has not been told about, or was told so long ago that the call may be lost. They stay locked
/// until the transaction ends: call [`mark_dispatched`] in the same one, commit, then push.
pub async fn due_for_dispatch(conn: &mut PgConnection, limit: i64, stale_seconds: f64) -> sqlx::Result<Vec<(Uuid, Queue)>> {
    let due = sqlx::query!(
        "select id, queue from report_run
          where status = 'queued' and cancel_requested_at is null
            and (not_before is null or not_before <= clock_timestamp())
            and (dispatched_at is null or dispatched_at < clock_timestamp() - make_interval(secs => $2))
          order by queue, created_at, id
          limit greatest(0, $1 - (select count(*) from report_run
                                   where status = 'queued' and dispatched_at >= clock_timestamp() - make_interval(secs => $2)))
            for update skip locked",
        limit.min(DISPATCH_WINDOW),
        stale_seconds,
    )
    .fetch_all(conn)
    .await?;
    Ok(due.into_iter().map(|row| (row.id, Queue::from_column(&row.queue))).collect())
}

/// Notes that Redis is being told about these runs now.
pub async fn mark_dispatched(conn: &mut PgConnection, runs: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query!("update report_run set dispatched_at = clock_timestamp() where id = any($1) and status = 'queued'", runs)
        .execute(conn)
        .await?;
    Ok(())
}
