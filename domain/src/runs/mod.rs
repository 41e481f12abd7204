//! Report runs: the rows that decide what a run is, who holds it and how it ends.
//!
//! `queued → running → succeeded | failed | cancelled`; back to `queued` only by a retry or when a lease lapses. A run is
//! held by the engine whose fence the row carries: every later write names that fence, so that an engine that was
//! thought dead cannot write over its successor. Time is the database's clock, never a process's.

mod failure_code;
mod finish;
mod lease;
mod retry;
mod stage;
mod status;
mod sweep;

use jiff::civil;
use jiff_sqlx::ToSqlx;
use serde_json::Value as Json;
use sqlx::PgConnection;
use uuid::Uuid;

pub use failure_code::FailureCode;
pub use finish::{Artifact, Failure, Recipient, fail, finish_cancelled, finish_succeeded, requeue};
pub use lease::{
    ClaimedRun, Lease, RowsOfRun, claim, claim_next, heartbeat, keep_start, progress, set_backend, set_definition, set_notices, set_rows,
};
pub use retry::{Retry, retry};
pub use stage::Stage;
pub use status::RunStatus;
pub use sweep::{DISPATCH_WINDOW, SweptRun, due_for_dispatch, mark_dispatched, sweep, sweep_lapsed};

use crate::jobs::Queue;

/// Leases that may lapse on one run before it is taken for the cause.
pub const POISON_AFTER: i32 = 3;

/// The version of things that engines of this source know. A change that an older engine would carry out wrongly raises it by one, and
/// whoever writes runs of the changed kind writes it as their `needs`; those that say nothing need what the table's default says.
pub const KNOWN_VERSION: i32 = 8;
/// Engines from here on make a board of its tiles. The database writes it (`report_run_needs_boards`), for schedules as for whoever asks.
pub const BOARDS: i32 = 8;
/// Engines from here on make what the screen shows of a run. The database writes it (`report_run_needs`), since programs of before insert
/// such runs from schedules.
pub const SCREENS: i32 = 7;
/// Engines from here on print a patient's dates; those before would print the entry that names the patient.
const DATES: i32 = 6;
/// Engines from here on print a patient's summary; those before would print the entry that names the patient.
const SUMMARIES: i32 = 5;
const PRINTS: i32 = 4;

/// How a run enters the table. Everything but `Queued` is there to be seen, not to be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    Queued,
    /// A fire found the previous run of its schedule still open.
    SkippedOverlap,
    /// The schedule's owner is inactive or has lost the right or the institution.
    SkippedUnauthorised,
    /// A fire that found its schedule failing again and again, and paused it.
    SkippedPaused,
    /// No fire: its schedule ended because its report was deleted or hidden.
    SkippedEnded,
    /// A fire that fell into downtime and is not caught up.
    Missed,
}

impl Entry {
    fn status(self) -> RunStatus {
        match self {
            Entry::Queued => RunStatus::Queued,
            Entry::SkippedOverlap => RunStatus::SkippedOverlap,
            Entry::SkippedUnauthorised => RunStatus::SkippedUnauthorised,
            Entry::SkippedPaused => RunStatus::SkippedPaused,
            Entry::SkippedEnded => RunStatus::SkippedEnded,
            Entry::Missed => RunStatus::Missed,
        }
    }
}

/// A run to be written, by a request or by a fire.
#[derive(Clone, Debug)]
pub struct NewRun {
    pub id: Uuid,
    pub izvestaj_id: i64,
    pub radnik_id: i64,
    pub ustanova_id: i64,
    pub registar_id: Option<i64>,
    /// By request name: a text, a list of texts, or null.
    pub parametri: Json,
    /// `[{"naziv", "vrednost"}]` as people read them.
    pub parametri_opis: Json,
    /// Short names of formats.
    pub formati: Vec<String>,
    pub emails: Vec<String>,
    pub queue: Queue,
    /// The version of the definition that a designer tries out; none: an ordinary run, of the live one.
    pub proba: Option<i64>,
}

/// Writes a requested run. `None`: the worker has sent this idempotency key before, see [`find_by_client_key`].
pub async fn insert(conn: &mut PgConnection, run: &NewRun, client_key: Option<Uuid>) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, registar_id, client_key, queue, parametri,
             parametri_opis, formati, emails, definicija_id, proba)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12::bigint is not null)
         on conflict (radnik_id, client_key) do nothing
         returning id",
        run.id,
        run.izvestaj_id,
        run.radnik_id,
        run.ustanova_id,
        run.registar_id,
        client_key,
        run.queue.column(),
        run.parametri,
        run.parametri_opis,
        &run.formati,
        &run.emails,
        run.proba,
    )
    .fetch_optional(conn)
    .await
}

/// The print of one entry, or of the summary of its patient in its register, which its worker waits for.
#[derive(Clone, Debug)]
pub struct NewPrint {
    pub id: Uuid,
    pub unos_id: i64,
    pub radnik_id: i64,
    pub ustanova_id: i64,
    pub registar_id: i64,
    /// The patient's summary.
    pub sazetak: bool,
    /// The dates on which the patient is awaited.
    pub termini: bool,
}

/// Writes a requested print. `None`: the worker has sent this idempotency key before.
pub async fn insert_print(conn: &mut PgConnection, print: &NewPrint, client_key: Option<Uuid>) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "insert into report_run (id, unos_id, radnik_id, ustanova_id, registar_id, client_key, queue, formati, sazetak, needs, termini)
         values ($1, $2, $3, $4, $5, $6, $7, '{PDF}', $8, $9, $10)
         on conflict (radnik_id, client_key) do nothing
         returning id",
        print.id,
        print.unos_id,
        print.radnik_id,
        print.ustanova_id,
        print.registar_id,
        client_key,
        Queue::Interactive.column(),
        print.sazetak,
        match (print.termini, print.sazetak) {
            (true, _) => DATES,
            (false, true) => SUMMARIES,
            (false, false) => PRINTS,
        },
        print.termini,
    )
    .fetch_optional(conn)
    .await
}

/// The run that the worker made with this idempotency key.
pub async fn find_by_client_key(conn: &mut PgConnection, worker: i64, client_key: Uuid) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("select id from report_run where radnik_id = $1 and client_key = $2", worker, client_key).fetch_optional(conn).await
}

/// Writes the run of one fire, which was due by the clock of the schedule's zone of now; a schedule that ends while it is paused has no
/// moment. `None`: this nominal moment of the schedule has fired already.
pub async fn insert_fire(
    conn: &mut PgConnection,
    run: &NewRun,
    zakazivanje_id: i64,
    fire_local: impl Into<Option<civil::DateTime>>,
    entry: Entry,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, registar_id, zakazivanje_id, fire_local, fire_zone, queue,
             parametri, parametri_opis, formati, emails, status, finished_at)
         values ($1, $2, $3, $4, $5, $6, $7, case when $7::timestamp is not null then (select vremenska_zona from report_schedule where id = $6) end,
                 $8, $9, $10, $11, $12, $13, case when $13 <> 'queued' then now() end)
         on conflict (zakazivanje_id, fire_local) do nothing
         returning id",
        run.id,
        run.izvestaj_id,
        run.radnik_id,
        run.ustanova_id,
        run.registar_id,
        zakazivanje_id,
        fire_local.into().map(ToSqlx::to_sqlx) as _,
        run.queue.column(),
        run.parametri,
        run.parametri_opis,
        &run.formati,
        &run.emails,
        entry.status().name(),
    )
    .fetch_optional(conn)
    .await
}

/// What is told of a run that cannot be cancelled any more.
pub const HAS_ENDED: &str = "Generisanje izveštaja je već završeno.";

/// What asking for a cancel did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancel {
    /// It was waiting and will not run.
    Done,
    /// It is running; its engine has been told.
    Asked,
    /// It had ended before.
    Ended,
    Unknown,
}

/// Cancels a waiting run at once and asks the engine of a running one to stop. Rights are the caller's matter.
pub async fn request_cancel(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Cancel> {
    let status = sqlx::query_scalar!(
        r#"update report_run
            set cancel_requested_at = coalesce(cancel_requested_at, now()),
                status = case status when 'queued' then 'cancelled' else status end,
                finished_at = case status when 'queued' then now() end
          where id = $1 and status in ('queued', 'running')
         returning status as "status: RunStatus""#,
        id,
    )
    .fetch_optional(&mut *conn)
    .await?;
    match status {
        Some(RunStatus::Cancelled) => Ok(Cancel::Done),
        Some(_) => Ok(Cancel::Asked),
        None => {
            let known = sqlx::query_scalar!("select 1 as one from report_run where id = $1", id).fetch_optional(conn).await?;
            Ok(if known.is_some() { Cancel::Ended } else { Cancel::Unknown })
        }
    }
}
