//! Taking a run and keeping it: the lease, its fence, and what the holder writes while it works.

use sqlx::PgPool;
use uuid::Uuid;

use crate::jobs::{self, Heartbeat};

/// A hold on a run: writes are accepted while the row carries this fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    pub run: Uuid,
    pub fence: i64,
    /// How many times the run has been started, this time included.
    pub attempt: i32,
}

jobs::claim! {
    "report_run",
    id: Uuid,
    due: "status = 'queued' and cancel_requested_at is null and (not_before is null or not_before <= clock_timestamp())",
    in_queue: "queue = $1",
    oldest: "created_at, id",
    begin: "status = 'running', stage = 'query', attempt = attempt + 1, lease_owner = $3, heartbeat_at = clock_timestamp(),
            started_at = clock_timestamp(), rows_done = null, backend_pid = null, error_code = null, error_text = null",
    returning: "id as run, fence, attempt" as Lease,
    with: (owner: &str)
}

/// A write of the holder; gives whether the run is still this holder's.
macro_rules! write {
    ($db:expr, $lease:expr, $($rest:tt)+) => {
        $crate::jobs::held!("report_run", "running", $db, $lease.run, $lease.fence, $($rest)+)
    };
}

/// A write with which the holder lets the run go, where the condition holds.
macro_rules! let_go {
    ($db:expr, $lease:expr, and: $condition:literal, $($rest:tt)+) => {
        $crate::runs::lease::write!(
            $db,
            $lease,
            and: $condition,
            "stage = null, lease_owner = null, lease_until = null, backend_pid = null, " $($rest)+
        )
    };
}

pub(super) use {let_go, write};

/// Renews the lease.
pub async fn heartbeat(pool: &PgPool, lease: Lease, lease_seconds: f64) -> sqlx::Result<Heartbeat> {
    let cancel = jobs::held!(
        "report_run",
        "running",
        pool,
        lease.run,
        lease.fence,
        returning: r#"cancel_requested_at is not null as "cancel!""#,
        "lease_until = clock_timestamp() + make_interval(secs => $3), heartbeat_at = clock_timestamp()",
        lease_seconds
    )?;
    Ok(match cancel {
        Some(false) => Heartbeat::Held,
        Some(true) => Heartbeat::Cancel,
        None => Heartbeat::Lost,
    })
}

/// Writes how far the run is; `stage` is `query`, `render` or `store`. False: the run is no longer this holder's.
pub async fn progress(pool: &PgPool, lease: Lease, stage: &str, rows_done: Option<i64>) -> sqlx::Result<bool> {
    write!(pool, lease, "stage = $3, rows_done = coalesce($4, rows_done)", stage, rows_done)
}

/// Notes the server process that executes the run's statements, and the template that it follows.
pub async fn set_backend(pool: &PgPool, lease: Lease, backend_pid: i32, template_sha: &[u8]) -> sqlx::Result<bool> {
    write!(pool, lease, "backend_pid = $3, template_sha = $4", backend_pid, template_sha)
}
