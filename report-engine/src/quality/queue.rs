//! Runs of quality rules as rows: how far each has come, and how it ended.

use domain::{entry::quality::Counts, jobs};
use sqlx::{PgConnection, PgPool};

use crate::jobs::{LeaseState, POISON_AFTER, RETRIES};

/// A run that this engine carries out.
#[derive(Clone, Debug)]
pub struct ClaimedQualityRun {
    pub id: i64,
    pub fence: i64,
    pub attempts: i32,
    pub registar_id: i64,
    pub radnik_id: i64,
    /// The last patient who was looked at.
    pub poslednji_pacijent_id: i64,
}

// All runs stand in one queue.
jobs::claim! {
    "quality_run",
    id: i64,
    due: "status = 'queued' and cancel_requested_at is null and not_before <= clock_timestamp()",
    among: (""),
    in_queue: "$1 = 'quality'",
    order: "not_before, id",
    begin: "status = 'running', attempts = attempts + 1",
    returning: "id, fence, attempts, registar_id, radnik_id, poslednji_pacijent_id" as ClaimedQualityRun,
    with: ()
}

/// A write of the engine that holds the run.
macro_rules! write {
    ($db:expr, $claimed:expr, $($rest:tt)+) => {
        jobs::held!("quality_run", "running", $db, $claimed.id, $claimed.fence, $($rest)+)
    };
}

/// Notes in the transaction of a page that its patients are done, and keeps the lease.
pub async fn advance(
    tx: &mut PgConnection,
    claimed: &ClaimedQualityRun,
    patient: i64,
    counts: Counts,
    lease_seconds: f64,
) -> sqlx::Result<LeaseState> {
    let cancel = write!(
        tx,
        claimed,
        returning: r#"cancel_requested_at is not null as "cancel!""#,
        "poslednji_pacijent_id = $3, pregledano = pregledano + $4, unosa = unosa + $5, novih = novih + $6, okoncanih = okoncanih + $7,
         attempts = 1, lapses = 0, lease_until = clock_timestamp() + make_interval(secs => $8)",
        patient,
        counts.patients,
        counts.entries,
        counts.begun,
        counts.ended,
        lease_seconds
    )?;
    Ok(LeaseState::of(cancel))
}

/// Rules were changed meanwhile: all patients are looked at again. Gives whether they were.
pub async fn begin_again(app: &PgPool, claimed: &ClaimedQualityRun, lease_seconds: f64) -> sqlx::Result<bool> {
    write!(
        app,
        claimed,
        and: "ponovo",
        "ponovo = false, poslednji_pacijent_id = 0, pregledano = 0, unosa = 0, lease_until = clock_timestamp() + make_interval(secs => $3)",
        lease_seconds
    )
}

/// How it ends: `done`, `cancelled` or `failed`. One whose rules were changed at this moment is not done.
pub async fn end(app: &PgPool, claimed: &ClaimedQualityRun, status: &str) -> sqlx::Result<bool> {
    write!(
        app,
        claimed,
        and: "not (ponovo and $3 = 'done')",
        "status = $3, lease_until = null, vreme_zavrsetka = clock_timestamp()",
        status
    )
}

/// The engine stops or rests: another goes on where it stands.
pub async fn give_back(app: &PgPool, claimed: &ClaimedQualityRun) -> sqlx::Result<bool> {
    write!(app, claimed, "status = 'queued', lease_until = null, attempts = greatest(0, attempts - 1)")
}

/// A fault that may pass: later again.
pub async fn put_off(app: &PgPool, claimed: &ClaimedQualityRun, attempts: i32) -> sqlx::Result<bool> {
    let Some(delay) = RETRIES.after(attempts) else { return end(app, claimed, "failed").await };
    write!(app, claimed, "status = 'queued', lease_until = null, not_before = clock_timestamp() + make_interval(secs => $3)", delay)
}

/// A run whose lease had lapsed, and what became of it.
#[derive(Debug)]
pub struct SweptQualityRun {
    pub id: i64,
    pub status: String,
}

/// Takes back those whose engines died. What was done of them is done.
pub async fn sweep_lapsed(app: &PgPool) -> sqlx::Result<Vec<SweptQualityRun>> {
    jobs::sweep!(
        "quality_run",
        "running",
        app,
        returning: "id, status" as SweptQualityRun,
        "lapses = lapses + 1, lease_until = null,
         status = case when cancel_requested_at is not null then 'cancelled' when lapses + 1 >= $1 then 'failed' else 'queued' end,
         vreme_zavrsetka = case when cancel_requested_at is not null or lapses + 1 >= $1 then clock_timestamp() end",
        POISON_AFTER
    )
}
