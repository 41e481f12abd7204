//! Taking a run and keeping it: the lease, its fence, and what the holder writes while it works.

use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    jobs::{self, Heartbeat},
    locks,
    report_screen::ScreenStart,
};

/// A hold on a run: writes are accepted while the row carries this fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    pub run: Uuid,
    pub fence: i64,
    /// How many times the run has been started, this time included.
    pub attempt: i32,
}

/// A run that was taken, with what the logs know it by.
#[derive(Clone, Debug)]
pub struct ClaimedRun {
    pub run: Uuid,
    pub fence: i64,
    pub attempt: i32,
    pub queue: String,
    pub radnik_id: i64,
    pub zahtev_id: Option<String>,
}

impl ClaimedRun {
    pub fn lease(&self) -> Lease {
        Lease { run: self.run, fence: self.fence, attempt: self.attempt }
    }
}

// A run that needs a version of things that the asking engine does not know is none of its business. Whose turn it is: what people wait
// for before what a schedule made, unless that has waited for ten minutes; then the worker with the fewest runs under way, then the
// institution with the fewest, then the worker who was served longest ago, then the oldest run. The names of the queues are in the order of their alphabet: whoever serves schedules serves both. Of each worker who waits, found from
// one to the next by the index, the eight oldest are looked at, so that engines which ask at the same moment all find one.
// The last free slot of all working engines is for what is soon over: a print, a report whose last runs took no ten seconds, and of what
// nobody knows yet what a person waits for who waits for nothing else, unless all other slots, of three or more, are hers. A worker's slow
// runs leave it to the others.
mod turn {
    use super::{ClaimedRun, Uuid, jobs};

    jobs::claim! {
        "report_run",
        id: Uuid,
        due: "status = 'queued' and cancel_requested_at is null and (not_before is null or not_before <= clock_timestamp()) and needs <= $4",
        among: ("join (
            with recursive waiting (queue, radnik_id) as (
                (select queue, radnik_id from report_run where status = 'queued' and queue <= $1 order by queue, radnik_id limit 1)
                union all
                select next.queue, next.radnik_id
                  from waiting w,
                       lateral (select queue, radnik_id from report_run
                                 where status = 'queued' and queue <= $1 and (queue, radnik_id) > (w.queue, w.radnik_id)
                                 order by queue, radnik_id limit 1) next)
            select head.id,
                   room.slots < 2 or room.slots - room.busy > 1 or head.unos_id is not null
                       or case when not head.proba then (select max(extract(epoch from past.finished_at - past.started_at))
                                  from (select started_at, finished_at from report_run
                                         where izvestaj_id = head.izvestaj_id and status in ('succeeded', 'failed') and not proba
                                         order by finished_at desc limit 5) past) end <= 10
                       or w.queue = 'interactive'
                          and not exists (select from report_run where status = 'running' and radnik_id = w.radnik_id and queue = 'interactive')
                          and (room.slots = 2
                               or (select count(*) from report_run where status = 'running' and radnik_id = w.radnik_id) < room.slots - 1)
                          and (head.proba or head.izvestaj_id is null
                               or not exists (select from report_run
                                   where izvestaj_id = head.izvestaj_id and status in ('succeeded', 'failed') and not proba)
                                  and not exists (select from report_run
                                   where izvestaj_id = head.izvestaj_id and status = 'running'
                                     and started_at < clock_timestamp() - interval '10 seconds')) as fits,
                   w.queue = 'interactive' or coalesce(head.due_at, head.created_at) < clock_timestamp() - interval '10 minutes' as pressing,
                   (select count(*) from report_run where status = 'running' and radnik_id = w.radnik_id) + head.nth as of_worker,
                   (select count(*) from report_run where status = 'running' and ustanova_id = head.ustanova_id) as of_institution,
                   (select max(started_at) from report_run where radnik_id = w.radnik_id and started_at is not null) as served
              from waiting w,
                   (select coalesce(sum(p.slots), 0) as slots,
                           (select count(*) from report_run r join process h on h.id = r.lease_owner
                             where r.status = 'running' and h.seen_at > clock_timestamp() - interval '30 seconds' and h.rests is null) as busy
                      from process p
                     where p.kind = 'report-engine' and p.seen_at > clock_timestamp() - interval '30 seconds' and p.rests is null) room,
                   lateral (select id, izvestaj_id, unos_id, proba, ustanova_id, created_at, due_at, row_number() over (order by created_at, id) as nth
                              from (select id, izvestaj_id, unos_id, proba, ustanova_id, created_at, due_at from report_run
                                     where queue = w.queue and radnik_id = w.radnik_id and " due "
                                     order by created_at, id limit 8) oldest) head) turn on turn.id = job.id and turn.fits"),
        in_queue: "queue <= $1",
        order: "turn.pressing desc, turn.of_worker, turn.of_institution, turn.served nulls first, created_at, job.id",
        begin: "status = 'running', stage = 'query', attempt = attempt + 1, lease_owner = $3, heartbeat_at = clock_timestamp(),
                started_at = clock_timestamp(), rows_done = null, backend_pid = null, error_code = null, error_text = null,
                error_detail = null",
        returning: "id as run, fence, attempt, queue, radnik_id, zahtev_id" as ClaimedRun,
        with: (owner: &str, knows: i32)
    }
}

pub use turn::claim;

/// Takes the run of the queue whose turn it is. Those who ask at the same moment see each other's choice.
pub async fn claim_next(pool: &PgPool, queue: &str, owner: &str, knows: i32, lease_seconds: f64) -> sqlx::Result<Option<ClaimedRun>> {
    let mut tx = pool.begin().await?;
    sqlx::query!("select pg_advisory_xact_lock($1)", locks::TURN).execute(&mut *tx).await?;
    let claimed = turn::claim_next(&mut *tx, queue, owner, knows, lease_seconds).await?;
    tx.commit().await?;
    Ok(claimed)
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

/// Keeps the first lines of a report for the screen, for as long as the run is under way.
pub async fn keep_start(pool: &PgPool, lease: Lease, start: &ScreenStart) -> sqlx::Result<bool> {
    write!(pool, lease, "ekran_pocetak = $3", serde_json::to_value(start).unwrap_or_default())
}

/// What is known of a run's rows when its query has been planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsOfRun {
    /// They can name no patient and are of one institution.
    pub names_nobody: bool,
    /// They are the same for every worker of the institution.
    pub is_shared: bool,
}

/// Notes whom its rows can name, and for whom they are the same.
pub async fn set_rows(pool: &PgPool, lease: Lease, rows: RowsOfRun) -> sqlx::Result<bool> {
    write!(pool, lease, "bez_imena = $3, deljiv = $4", rows.names_nobody, rows.is_shared)
}

/// Notes the version of the report's definition that the run is made from: it stays with it, whatever is published meanwhile.
pub async fn set_definition(pool: &PgPool, lease: Lease, definition: i64) -> sqlx::Result<bool> {
    write!(pool, lease, "definicija_id = $3", definition)
}

/// Notes the server process that executes the run's statements, and the template that it follows.
pub async fn set_backend(pool: &PgPool, lease: Lease, backend_pid: i32, template_sha: &[u8], notices: &[String]) -> sqlx::Result<bool> {
    write!(pool, lease, "backend_pid = $3, template_sha = $4, napomene = $5", backend_pid, template_sha, notices)
}

/// What the files say beside their rows, where they are of several queries.
pub async fn set_notices(pool: &PgPool, lease: Lease, notices: &[String]) -> sqlx::Result<bool> {
    write!(pool, lease, "napomene = $3", notices)
}
