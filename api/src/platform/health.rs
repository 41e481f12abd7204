//! Whether the API and the processes around it can serve: what load balancers and operators ask.

use axum::{extract::State, http::StatusCode};
use domain::{process::Rest, time::server_text};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{extract::Json, state::AppState};

/// A process that has been silent for longer is taken for dead.
const SILENCE: SignedDuration = SignedDuration::from_secs(30);

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(health)).routes(routes!(live)).routes(routes!(ready))
}

/// A schedule that is due for so long is one that nobody fires.
const FIRE_LAG_SECONDS: f64 = 300.0;

/// `degraded`: people can work, but reports will not run until what is missing is back. `down`: nobody can work.
#[derive(Clone, Copy, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    Degraded,
    Down,
}

#[derive(Serialize, ToSchema)]
struct Health {
    status: Status,
    version: &'static str,
    database: DatabaseHealth,
    redis: RedisHealth,
    engines: Vec<ProcessHealth>,
    scheduler: Vec<ProcessHealth>,
    store: StoreHealth,
    firing: FiringHealth,
    knowledge: KnowledgeHealth,
    /// The version of the zone data and where it is from: a machine with old data shows here.
    tzdb: String,
    /// The newest migration that has run.
    migrations: Option<i64>,
}

#[derive(Default, Serialize, ToSchema)]
struct DatabaseHealth {
    ok: bool,
    version: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct RedisHealth {
    ok: bool,
}

/// The store of artifacts, which api and engines share.
#[derive(Serialize, ToSchema)]
struct StoreHealth {
    ok: bool,
    /// `unusable`, `full`, or `not_shared`: an engine sees another store, or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'static str>,
}

/// Whether schedules become runs.
#[derive(Serialize, ToSchema)]
struct FiringHealth {
    ok: bool,
}

/// Whether each waiting run has a living engine that knows the version of things that it needs.
#[derive(Serialize, ToSchema)]
struct KnowledgeHealth {
    ok: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProcessHealth {
    id: String,
    version: String,
    seen_at: String,
    ok: bool,
    /// Why a living engine takes nothing new.
    #[serde(skip_serializing_if = "Option::is_none")]
    rests: Option<String>,
}

/// Whether somebody can work with the API now.
#[derive(Serialize, ToSchema)]
struct Readiness {
    ready: bool,
}

/// The process lives: it need not be started again, whatever it waits for.
#[utoipa::path(get, path = "/api/health/live", responses((status = 200, body = Readiness)))]
async fn live() -> Json<Readiness> {
    Json(Readiness { ready: true })
}

/// Calls may be sent here: the database answers.
#[utoipa::path(get, path = "/api/health/ready", responses((status = 200, body = Readiness), (status = 503, body = Readiness)))]
async fn ready(State(state): State<AppState>) -> (StatusCode, Json<Readiness>) {
    let ready = database(&state.db).await.ok;
    (if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }, Json(Readiness { ready }))
}

#[utoipa::path(get, path = "/api/health", responses((status = 200, body = Health), (status = 503, body = Health)))]
async fn health(State(state): State<AppState>) -> (StatusCode, Json<Health>) {
    let now = state.clock.now();
    let database = database(&state.db).await;
    let redis = RedisHealth { ok: state.dispatcher.ping().await };
    let engines = processes(&state.db, "report-engine", now).await;
    let scheduler = processes(&state.db, "scheduler", now).await;
    let store = store(&state, &engines).await;
    let alive = |processes: &[ProcessHealth]| processes.iter().any(|process| process.ok && process.rests.is_none());
    let firing = FiringHealth { ok: alive(&scheduler) && fires(&state.db).await };
    let knowledge = KnowledgeHealth { ok: known(&state.db).await };
    let status = match (database.ok, redis.ok && alive(&engines) && firing.ok && store.ok && knowledge.ok) {
        (false, _) => Status::Down,
        (true, false) => Status::Degraded,
        (true, true) => Status::Ok,
    };
    let code = if status == Status::Down { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    let health = Health {
        status,
        version: env!("CARGO_PKG_VERSION"),
        migrations: newest_migration(&state.db).await,
        database,
        redis,
        engines,
        scheduler,
        store,
        firing,
        knowledge,
        tzdb: domain::time::zone_data(),
    };
    (code, Json(health))
}

async fn database(db: &PgPool) -> DatabaseHealth {
    match sqlx::query_scalar!(r#"select current_setting('server_version') as "version!""#).fetch_one(db).await {
        Ok(version) => DatabaseHealth { ok: true, version: Some(version) },
        Err(error) => {
            tracing::error!(%error, "the database does not answer");
            DatabaseHealth::default()
        }
    }
}

/// The store as the api sees it, and whether all living engines see the same.
async fn store(state: &AppState, engines: &[ProcessHealth]) -> StoreHealth {
    let apart = [Rest::OtherStore, Rest::NoStore].map(Rest::name);
    let elsewhere = engines.iter().any(|engine| engine.ok && engine.rests.as_deref().is_some_and(|rest| apart.contains(&rest)));
    let problem = match state.config.artifacts.look(false).await {
        None => Some("unusable"),
        Some(store) if store.full => Some("full"),
        Some(_) if elsewhere => Some("not_shared"),
        Some(_) => None,
    };
    StoreHealth { ok: problem.is_none(), problem }
}

/// Whether a living scheduler looks at the schedules, and none of them has been due for long. Silent where the database is.
async fn fires(db: &PgPool) -> bool {
    let fires = sqlx::query_scalar!(
        r#"select not exists (select from report_schedule where aktivan and sledece_izvrsavanje < clock_timestamp() - make_interval(secs => $1))
              and exists (select from process where kind = 'scheduler' and seen_at > clock_timestamp() - interval '30 seconds'
                             and coalesce(last_work_at, started_at) > clock_timestamp() - interval '1 minute') as "fires!""#,
        FIRE_LAG_SECONDS
    );
    fires.fetch_one(db).await.unwrap_or(false)
}

/// Whether no run waits for an engine newer than those that live. Where none lives, that alone is told. Silent where the database is.
async fn known(db: &PgPool) -> bool {
    let known = sqlx::query_scalar!(
        r#"select not exists (select from report_run
                where status = 'queued'
                  and needs > (select max(knows) from process
                                where kind = 'report-engine' and seen_at > clock_timestamp() - interval '30 seconds')) as "known!""#
    );
    known.fetch_one(db).await.unwrap_or(false)
}

/// Silent where the database is: its own line of the report says so already.
async fn processes(db: &PgPool, kind: &str, now: Timestamp) -> Vec<ProcessHealth> {
    let rows =
        sqlx::query!("select id, version, seen_at, rests from process where kind = $1 order by started_at, id", kind).fetch_all(db).await;
    let health = |seen_at: Timestamp| now.duration_since(seen_at) <= SILENCE;
    rows.unwrap_or_default()
        .into_iter()
        .map(|row| {
            let seen_at = row.seen_at.to_jiff();
            ProcessHealth { id: row.id, version: row.version, seen_at: server_text(seen_at), ok: health(seen_at), rests: row.rests }
        })
        .collect()
}

/// The migrator's table is its own, unknown to the schema that queries are checked against.
async fn newest_migration(db: &PgPool) -> Option<i64> {
    sqlx::query_scalar("select max(version) from _sqlx_migrations where success").fetch_one(db).await.ok().flatten()
}
