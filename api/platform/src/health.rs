//! Whether the API and the processes around it can serve: what load balancers and operators ask.
//!
//! Anybody may ask, so little is told, and what many ask at one time is looked up once, on connections apart from those of the calls:
//! neither takes a crowd anything from them, nor does it fall silent when they are used up.

use std::time::{Duration, Instant};

use axum::{extract::State, http::StatusCode};
use domain::{
    metrics::Durations,
    process::RestReason,
    standing::{Finding, Ground, Precondition, Watch},
};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{
    extract::Json,
    routes::{Routes, routes},
    shared::Shared,
    state::AppState,
};

/// A process that has been silent for longer is taken for dead.
const SILENCE: SignedDuration = SignedDuration::from_secs(30);
/// A schedule that is due for so long is one that nobody fires.
const FIRE_LAG_SECONDS: f64 = 300.0;
/// How old an answer to what the process stands on may be.
const STANDING_AGE: Duration = Duration::from_secs(3);
/// A database that has not answered by then does not answer.
const PATIENCE: Duration = Duration::from_secs(5);

pub fn routes() -> Routes {
    Routes::new().routes(routes!(health)).routes(routes!(live)).routes(routes!(ready))
}

/// What must be told also when the calls have used up their connections.
#[derive(Clone)]
pub struct Vitals {
    pub db: PgPool,
    /// What the process stands on, as it was found last.
    pub watch: Watch,
    /// How the calls were answered.
    pub answers: Durations,
    ready: Shared<bool>,
    standing: Shared<Vec<Finding>>,
    seen: Shared<HealthReading>,
}

impl Vitals {
    pub fn new(db: PgPool) -> Self {
        Self {
            db,
            watch: Watch::default(),
            answers: Durations::default(),
            ready: Shared::default(),
            standing: Shared::default(),
            seen: Shared::default(),
        }
    }
}

/// `degraded`: people can work, but reports will not run, or not be mailed, until what is missing is back. `down`: nobody can work.
#[derive(Clone, Copy, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    Degraded,
    Down,
}

#[derive(Clone, Serialize, ToSchema)]
pub struct Health {
    status: Status,
    database: Part,
    redis: Part,
    /// Whether one of them takes jobs.
    engines: Part,
    scheduler: Part,
    /// The store of artifacts, which api and engines share.
    store: Part,
    /// Whether schedules become runs.
    firing: Part,
    /// Whether the mail server takes messages.
    mail: Part,
    /// Whether each waiting run has a living engine that knows the version of things that it needs.
    knowledge: Part,
}

/// Which version, which process and why is for operators (`/api/operations`).
#[derive(Clone, Copy, Serialize, ToSchema)]
#[schema(as = HealthPart)]
struct Part {
    ok: bool,
}

/// Why files of reports cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StoreProblem {
    Unusable,
    Full,
    /// An engine sees another store, or none.
    NotShared,
}

/// What a look found.
#[derive(Clone)]
pub struct HealthReading {
    pub health: Health,
    pub store_problem: Option<StoreProblem>,
}

/// Whether somebody can work with the API now.
#[derive(Serialize, ToSchema)]
struct Readiness {
    ready: bool,
    /// What is not as it must be, each in a sentence; `api check` tells more.
    fails: Vec<String>,
}

/// The process lives: it need not be started again, whatever it waits for.
#[utoipa::path(get, path = "/api/health/live", responses((status = 200, body = Readiness)))]
async fn live() -> Json<Readiness> {
    Json(Readiness { ready: true, fails: Vec::new() })
}

/// Calls may be sent here: the database answers, and is one that this program may work on.
#[utoipa::path(get, path = "/api/health/ready", responses((status = 200, body = Readiness), (status = 503, body = Readiness)))]
async fn ready(State(state): State<AppState>) -> (StatusCode, Json<Readiness>) {
    let asked = || told(sqlx::query_scalar!(r#"select true as "answers!""#).fetch_one(&state.vitals.db));
    let now = Instant::now();
    let fails = if state.vitals.ready.get(now, Duration::ZERO, || async { asked().await.is_some() }).await {
        let since = now.checked_sub(STANDING_AGE).unwrap_or(now);
        let ground = Ground::of(&state.config, None);
        let found = state.vitals.standing.get(since, Duration::ZERO, || async move { ground.ask_databases().await }).await;
        // What only does not answer just now has answered a moment ago, on a connection that is kept for it.
        found.iter().filter(|finding| finding.forbids()).map(|finding| told_to_all(finding.precondition)).collect()
    } else {
        vec![told_to_all(Precondition::Database)]
    };
    let ready = fails.is_empty();
    (if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }, Json(Readiness { ready, fails }))
}

/// Anybody may read it: neither places nor names of roles.
fn told_to_all(precondition: Precondition) -> String {
    format!("not so: {}; {}", precondition.name(), precondition.remedy())
}

#[utoipa::path(get, path = "/api/health", responses((status = 200, body = Health), (status = 503, body = Health)))]
async fn health(State(state): State<AppState>) -> (StatusCode, Json<Health>) {
    let HealthReading { health, .. } = look(&state).await;
    let code = if health.status == Status::Down { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    (code, Json(health))
}

pub async fn look(state: &AppState) -> HealthReading {
    state.vitals.seen.get(Instant::now(), Duration::ZERO, || found(state)).await
}

async fn found(state: &AppState) -> HealthReading {
    let now = state.clock.now();
    let (redis, stored) = (state.dispatcher.ping().await, told(stored(&state.vitals.db)).await);
    let database = stored.is_some();
    let DatabaseReading { processes, fires, known, mail } = stored.unwrap_or_default();
    let alive = |process: &&Living| now.duration_since(process.seen_at) <= SILENCE;
    let works = |kind| processes.iter().filter(alive).any(|process| process.kind == kind && process.rests.is_none());
    let (engines, scheduler) = (works("report-engine"), works("scheduler"));
    let store_problem = store_problem(state, processes.iter().filter(alive)).await;
    let firing = scheduler && fires;
    let status = match (database, redis && engines && firing && store_problem.is_none() && known && mail) {
        (false, _) => Status::Down,
        (true, false) => Status::Degraded,
        (true, true) => Status::Ok,
    };
    let part = |ok| Part { ok };
    let health = Health {
        status,
        database: part(database),
        redis: part(redis),
        engines: part(engines),
        scheduler: part(scheduler),
        store: part(store_problem.is_none()),
        firing: part(firing),
        mail: part(mail),
        knowledge: part(known),
    };
    HealthReading { health, store_problem }
}

/// What the database says; none where it does not answer in time.
async fn told<T>(asked: impl Future<Output = sqlx::Result<T>>) -> Option<T> {
    match tokio::time::timeout(PATIENCE, asked).await {
        Ok(Ok(told)) => Some(told),
        Ok(Err(error)) => {
            tracing::error!(%error, "the database does not answer");
            None
        }
        Err(_) => {
            tracing::error!("the database does not answer in time");
            None
        }
    }
}

/// The store as the api sees it, and whether all living engines see the same.
async fn store_problem<'a>(state: &AppState, mut alive: impl Iterator<Item = &'a Living>) -> Option<StoreProblem> {
    let apart = [RestReason::OtherStore, RestReason::NoStore].map(RestReason::name);
    let elsewhere =
        alive.any(|process| process.kind == "report-engine" && process.rests.as_deref().is_some_and(|rest| apart.contains(&rest)));
    match state.config.artifacts.look(false).await {
        None => Some(StoreProblem::Unusable),
        Some(store) if store.full => Some(StoreProblem::Full),
        Some(_) if elsewhere => Some(StoreProblem::NotShared),
        Some(_) => None,
    }
}

#[derive(Default)]
struct DatabaseReading {
    processes: Vec<Living>,
    /// Whether a living scheduler looks at the schedules, and none of them has been due for long.
    fires: bool,
    /// Whether no run waits for an engine newer than those that live. Where none lives, that alone is told.
    known: bool,
    mail: bool,
}

struct Living {
    kind: String,
    seen_at: Timestamp,
    /// Why a living engine takes nothing new.
    rests: Option<String>,
}

async fn stored(db: &PgPool) -> sqlx::Result<DatabaseReading> {
    let processes = sqlx::query!("select kind, seen_at, rests from process").fetch_all(db).await?;
    let living = processes.into_iter().map(|row| Living { kind: row.kind, seen_at: row.seen_at.to_jiff(), rests: row.rests });
    let judged = sqlx::query!(
        r#"select not exists (select from report_schedule where aktivan and sledece_izvrsavanje < clock_timestamp() - make_interval(secs => $1))
              and exists (select from process where kind = 'scheduler' and seen_at > clock_timestamp() - interval '30 seconds'
                             and coalesce(last_work_at, started_at) > clock_timestamp() - interval '1 minute') as "fires!",
                  not exists (select from report_run
                where status = 'queued'
                  and needs > (select max(knows) from process
                                where kind = 'report-engine' and seen_at > clock_timestamp() - interval '30 seconds')) as "known!",
                  not exists (select from mail_server where down_since is not null) as "mail!""#,
        FIRE_LAG_SECONDS
    )
    .fetch_one(db)
    .await?;
    Ok(DatabaseReading { processes: living.collect(), fires: judged.fires, known: judged.known, mail: judged.mail })
}
