//! Recomputations as rows: how far each has come, and how it ended.

use domain::{entry::recompute::Counts, jobs};
use sqlx::{PgConnection, PgPool};

use crate::jobs::{LeaseState, POISON_AFTER, RETRIES};

/// A recomputation that this engine carries out.
#[derive(Clone, Debug)]
pub struct ClaimedRecomputation {
    pub id: i64,
    pub fence: i64,
    pub attempts: i32,
    pub form_id: i64,
    pub form_version_id: i64,
    pub radnik_id: i64,
    pub ustanova_id: Option<i64>,
    /// The last patient whose entries were looked at.
    pub poslednji_pacijent_id: i64,
    /// Why signatures end; none: what is signed stays as it is.
    pub razlog_potpisa: Option<String>,
}

// All recomputations stand in one queue.
jobs::claim! {
    "recomputation",
    id: i64,
    due: "status = 'queued' and cancel_requested_at is null and not_before <= clock_timestamp()",
    among: (""),
    in_queue: "$1 = 'recompute'",
    order: "not_before, id",
    begin: "status = 'running', attempts = attempts + 1",
    returning: "id, fence, attempts, form_id, form_version_id, radnik_id, ustanova_id, poslednji_pacijent_id, razlog_potpisa" as ClaimedRecomputation,
    with: ()
}

/// A write of the engine that holds the recomputation.
macro_rules! write {
    ($db:expr, $claimed:expr, $($rest:tt)+) => {
        jobs::held!("recomputation", "running", $db, $claimed.id, $claimed.fence, $($rest)+)
    };
}

/// Notes in the transaction of a patient's entries that they are done, and keeps the lease. Nothing of a patient is ever done without it.
pub async fn advance(
    tx: &mut PgConnection,
    claimed: &ClaimedRecomputation,
    patient: i64,
    counts: Counts,
    lease_seconds: f64,
) -> sqlx::Result<LeaseState> {
    let cancel = write!(
        tx,
        claimed,
        returning: r#"cancel_requested_at is not null as "cancel!""#,
        "poslednji_pacijent_id = $3, pregledano = pregledano + $4, promenjeno = promenjeno + $5, prevedeno = prevedeno + $6,
         ostavljeno = ostavljeno + $7, potpisa = potpisa + $8, attempts = 1, lapses = 0,
         lease_until = clock_timestamp() + make_interval(secs => $9)",
        patient,
        counts.examined,
        counts.changed,
        counts.taken,
        counts.left,
        counts.signatures,
        lease_seconds
    )?;
    Ok(LeaseState::of(cancel))
}

/// How it ends: `done`, `cancelled`, `superseded` or `failed`.
pub async fn end(app: &PgPool, claimed: &ClaimedRecomputation, status: &str) -> sqlx::Result<bool> {
    write!(app, claimed, "status = $3, lease_until = null, vreme_zavrsetka = clock_timestamp()", status)
}

/// The engine stops or rests: another goes on where it stands.
pub async fn give_back(app: &PgPool, claimed: &ClaimedRecomputation) -> sqlx::Result<bool> {
    write!(app, claimed, "status = 'queued', lease_until = null, attempts = greatest(0, attempts - 1)")
}

/// A fault that may pass: later again.
pub async fn put_off(app: &PgPool, claimed: &ClaimedRecomputation, attempts: i32) -> sqlx::Result<bool> {
    let Some(delay) = RETRIES.after(attempts) else { return end(app, claimed, "failed").await };
    write!(app, claimed, "status = 'queued', lease_until = null, not_before = clock_timestamp() + make_interval(secs => $3)", delay)
}

/// A recomputation whose lease had lapsed, and what became of it.
#[derive(Debug)]
pub struct SweptRecomputation {
    pub id: i64,
    pub status: String,
}

/// Takes back those whose engines died. What was done of them is done.
pub async fn sweep_lapsed(app: &PgPool) -> sqlx::Result<Vec<SweptRecomputation>> {
    jobs::sweep!(
        "recomputation",
        "running",
        app,
        returning: "id, status" as SweptRecomputation,
        "lapses = lapses + 1, lease_until = null,
         status = case when cancel_requested_at is not null then 'cancelled' when lapses + 1 >= $1 then 'failed' else 'queued' end,
         vreme_zavrsetka = case when cancel_requested_at is not null or lapses + 1 >= $1 then clock_timestamp() end",
        POISON_AFTER
    )
}
