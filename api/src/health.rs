//! Whether the API can serve: what the load balancer and the operators ask.

use axum::{extract::State, http::StatusCode};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{extract::Json, state::AppState};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(health))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    Down,
}

#[derive(Serialize, ToSchema)]
struct Health {
    status: Status,
    version: &'static str,
    database: DatabaseHealth,
}

#[derive(Serialize, ToSchema)]
struct DatabaseHealth {
    ok: bool,
    version: Option<String>,
}

#[utoipa::path(get, path = "/api/health", responses((status = 200, body = Health), (status = 503, body = Health)))]
async fn health(State(state): State<AppState>) -> (StatusCode, Json<Health>) {
    let version = sqlx::query_scalar!(r#"select current_setting('server_version') as "version!""#).fetch_one(&state.db).await.ok();
    let (status, code) = if version.is_some() { (Status::Ok, StatusCode::OK) } else { (Status::Down, StatusCode::SERVICE_UNAVAILABLE) };
    let database = DatabaseHealth { ok: version.is_some(), version };
    (code, Json(Health { status, version: env!("CARGO_PKG_VERSION"), database }))
}
