//! Taking a run and keeping it: the lease, its fence, and what the holder writes while it works.

use sqlx::PgPool;
use uuid::Uuid;

use crate::jobs::Queue;

/// A hold on a run: writes are accepted while the row carries this fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    pub run: Uuid,
    pub fence: i64,
    /// How many times the run has been started, this time included.
    pub attempt: i32,
}

/// Takes the run for `owner`, unless it is held, ended, cancelled or not yet due.
pub async fn claim(pool: &PgPool, run: Uuid, owner: &str, lease_seconds: f64) -> sqlx::Result<Option<Lease>> {
    sqlx::query_as!(
        Lease,
        "update report_run
            set status = 'running', stage = 'query', fence = fence + 1, attempt = attempt + 1, lease_owner = $2,
                lease_until = clock_timestamp() + make_interval(secs => $3), heartbeat_at = clock_timestamp(),
                started_at = clock_timestamp(), rows_done = null,
                backend_pid = null, error_code = null, error_text = null
          where id = $1 and status = 'queued' and cancel_requested_at is null
            and (not_before is null or not_before <= clock_timestamp())
         returning id as run, fence, attempt",
        run,
        owner,
        lease_seconds,
    )
    .fetch_optional(pool)
    .await
}

/// Takes the oldest due run of `queue`: the way of an engine that Redis tells nothing.
pub async fn claim_next(pool: &PgPool, queue: Queue, owner: &str, lease_seconds: f64) -> sqlx::Result<Option<Lease>> {
    sqlx::query_as!(
        Lease,
        "update report_run
            set status = 'running', stage = 'query', fence = fence + 1, attempt = attempt + 1, lease_owner = $2,
                lease_until = clock_timestamp() + make_interval(secs => $3), heartbeat_at = clock_timestamp(),
                started_at = clock_timestamp(), rows_done = null,
                backend_pid = null, error_code = null, error_text = null
          where id = (select id from report_run
                       where status = 'queued' and queue = $1 and cancel_requested_at is null
                         and (not_before is null or not_before <= clock_timestamp())
                       order by created_at, id limit 1 for update skip locked)
         returning id as run, fence, attempt",
        queue.column(),
        owner,
        lease_seconds,
    )
    .fetch_optional(pool)
    .await
}

/// What the row answers to a holder's beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    Held,
    /// Still held, and asked to stop.
    Cancel,
    /// The lease lapsed and the run is no longer this holder's.
    Lost,
}

/// Renews the lease.
pub async fn heartbeat(pool: &PgPool, lease: Lease, lease_seconds: f64) -> sqlx::Result<Beat> {
    let cancel = sqlx::query_scalar!(
        r#"update report_run set lease_until = clock_timestamp() + make_interval(secs => $3), heartbeat_at = clock_timestamp()
            where id = $1 and fence = $2 and status = 'running'
           returning cancel_requested_at is not null as "cancel!""#,
        lease.run,
        lease.fence,
        lease_seconds,
    )
    .fetch_optional(pool)
    .await?;
    Ok(match cancel {
        Some(false) => Beat::Held,
        Some(true) => Beat::Cancel,
        None => Beat::Lost,
    })
}

/// Writes how far the run is; `stage` is `query`, `render` or `store`. False: the run is no longer this holder's.
pub async fn progress(pool: &PgPool, lease: Lease, stage: &str, rows_done: Option<i64>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "update report_run set stage = $3, rows_done = coalesce($4, rows_done) where id = $1 and fence = $2 and status = 'running'",
        lease.run,
        lease.fence,
        stage,
        rows_done,
    )
    .execute(pool)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Notes the server process that executes the run's statements, and the template that it follows.
pub async fn set_backend(pool: &PgPool, lease: Lease, backend_pid: i32, template_sha: &[u8]) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "update report_run set backend_pid = $3, template_sha = $4 where id = $1 and fence = $2 and status = 'running'",
        lease.run,
        lease.fence,
        backend_pid,
        template_sha,
    )
    .execute(pool)
    .await?;
    Ok(done.rows_affected() == 1)
}
