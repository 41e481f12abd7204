//! How a run ends. Each of these is accepted once, from the holder of the lease only.

use serde_json::Value as Json;
use sqlx::PgPool;

use super::{
    failure_code::FailureCode,
    lease::{Lease, let_go},
};
use crate::parameters::{self, EXPORT_DAYS, REPORT_DAYS};

/// A file of a finished run; `path` is relative to the artifact folder.
#[derive(Clone, Debug)]
pub struct Artifact {
    pub format: String,
    pub path: String,
    pub bytes: i64,
    pub sha256: Vec<u8>,
    pub rows: i64,
}

/// Someone the result is mailed to, with the Message-ID that every attempt carries.
#[derive(Clone, Debug)]
pub struct Recipient {
    pub address: String,
    pub message_id: String,
}

/// Why a run failed: a code for machines, a text for its reader.
#[derive(Clone, Debug)]
pub struct Failure {
    pub code: FailureCode,
    pub text: String,
    /// What the database said of the query, quoting no value of the data: for who may write reports, and no other.
    pub detail: Option<Json>,
}

/// Ends the run with its files and its deliveries, in one transaction. A print or a trial is looked at once, so it is kept for a day only; an
/// export has days of its own.
/// One that was made while a patient of its institution became anonymous may name her still, so it is expired at once.
/// `note` is told to the reader of a success that is not whole (a format that could not be made). False: the run was cancelled
/// or lost meanwhile, and nothing is written.
pub async fn finish_succeeded(
    pool: &PgPool,
    lease: Lease,
    artifacts: &[Artifact],
    recipients: &[Recipient],
    rows: i64,
    truncated: bool,
    note: Option<&Failure>,
) -> sqlx::Result<bool> {
    let mut tx = pool.begin().await?;
    let parameters = parameters::load(&mut *tx).await?;
    let ended = let_go!(
        &mut *tx,
        lease,
        and: "cancel_requested_at is null",
        "status = 'succeeded', rows_done = $3, truncated = $4, error_code = $5, error_text = $6, finished_at = clock_timestamp(),
         expires_at = clock_timestamp() + case
             when exists (select from patient_erasure e where coalesce(e.zavrseno_at, e.vreme + interval '1 minute') >= started_at and ustanova_id = any (e.ustanove)) then interval '0'
             when unos_id is not null or proba then interval '1 day'
             else make_interval(days => case when izvoz_id is not null then $7::int else $8 end) end",
        rows,
        truncated,
        note.map(|note| note.code.name()),
        note.map(|note| note.text.as_str()),
        parameters.number(&EXPORT_DAYS),
        parameters.number(&REPORT_DAYS)
    )?;
    if !ended {
        return Ok(false);
    }
    for artifact in artifacts {
        sqlx::query!(
            "insert into report_artifact (run_id, format, path, bytes, sha256, rows) values ($1, $2, $3, $4, $5, $6)",
            lease.run,
            artifact.format,
            artifact.path,
            artifact.bytes,
            artifact.sha256,
            artifact.rows,
        )
        .execute(&mut *tx)
        .await?;
    }
    for recipient in recipients {
        sqlx::query!(
            "insert into report_delivery (run_id, address, message_id) values ($1, $2, $3) on conflict (run_id, address, redni_broj) do nothing",
            lease.run,
            recipient.address,
            recipient.message_id,
        )
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Ends the run as failed. False: it is no longer this holder's.
pub async fn fail(pool: &PgPool, lease: Lease, failure: &Failure) -> sqlx::Result<bool> {
    let_go!(
        pool,
        lease,
        and: "true",
        "status = 'failed', error_code = $3, error_text = $4, error_detail = $5,
         finished_at = clock_timestamp()",
        failure.code.name(),
        failure.text,
        failure.detail
    )
}

/// Ends the run as cancelled, which only a run that was asked to stop can be.
pub async fn finish_cancelled(pool: &PgPool, lease: Lease) -> sqlx::Result<bool> {
    let_go!(pool, lease, and: "cancel_requested_at is not null", "status = 'cancelled', finished_at = clock_timestamp()")
}

/// Gives the run back to be started again after `delay_seconds`: a passing fault, or an engine that is going down.
/// A run that was asked to stop meanwhile ends as cancelled.
pub async fn requeue(pool: &PgPool, lease: Lease, delay_seconds: f64) -> sqlx::Result<bool> {
    let_go!(
        pool,
        lease,
        and: "true",
        "status = case when cancel_requested_at is null then 'queued' else 'cancelled' end,
         finished_at = case when cancel_requested_at is not null then clock_timestamp() end,
         not_before = clock_timestamp() + make_interval(secs => $3), dispatched_at = null",
        delay_seconds
    )
}
