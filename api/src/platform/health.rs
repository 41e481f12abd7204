//! Whether the API and the processes around it can serve: what load balancers and operators ask.

use axum::{extract::State, http::StatusCode};
use domain::time::server_text;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{extract::Json, state::AppState};

/// A process that has been silent for longer is taken for dead.
const SILENCE: SignedDuration = SignedDuration::from_secs(30);

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(health))
}

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

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProcessHealth {
    id: String,
    version: String,
    seen_at: String,
    ok: bool,
}

#[utoipa::path(get, path = "/api/health", responses((status = 200, body = Health), (status = 503, body = Health)))]
async fn health(State(state): State<AppState>) -> (StatusCode, Json<Health>) {
    let now = state.clock.now();
    let database = database(&state.db).await;
    let redis = RedisHealth { ok: state.dispatcher.ping().await };
    let engines = processes(&state.db, "report-engine", now).await;
    let scheduler = processes(&state.db, "scheduler", now).await;
    let alive = |processes: &[ProcessHealth]| processes.iter().any(|process| process.ok);
    let status = match (database.ok, redis.ok && alive(&engines) && alive(&scheduler)) {
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

/// Silent where the database is: its own line of the report says so already.
async fn processes(db: &PgPool, kind: &str, now: Timestamp) -> Vec<ProcessHealth> {
    let rows = sqlx::query!("select id, version, seen_at from process where kind = $1 order by started_at, id", kind).fetch_all(db).await;
    let health = |seen_at: Timestamp| now.duration_since(seen_at) <= SILENCE;
    rows.unwrap_or_default()
        .into_iter()
        .map(|row| {
            let seen_at = row.seen_at.to_jiff();
            ProcessHealth { id: row.id, version: row.version, seen_at: server_text(seen_at), ok: health(seen_at) }
        })
        .collect()
}

/// The migrator's table is its own, unknown to the schema that queries are checked against.
async fn newest_migration(db: &PgPool) -> Option<i64> {
    sqlx::query_scalar("select max(version) from _sqlx_migrations where success").fetch_one(db).await.ok().flatten()
}
