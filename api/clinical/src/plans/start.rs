//! What the worker sees first, and which letters are wanted.

use accounts::auth::Actor;
use axum::{extract::State, http::StatusCode};
use domain::db;
use platform::{
    error::Result,
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(read, change))
}

/// The screen after signing in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
#[schema(as = FirstScreen)]
enum FirstScreen {
    /// The one that the specification leads to.
    #[default]
    Pacijenti,
    MojDan,
}

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WorkerStart {
    pocetna: FirstScreen,
    /// A letter each Monday: counts of visits, no names.
    nedeljni_pregled: bool,
    /// A letter on days on which questions come to wait: how many, and no names.
    javi_upite: bool,
}

impl Default for WorkerStart {
    fn default() -> Self {
        Self { pocetna: FirstScreen::default(), nedeljni_pregled: false, javi_upite: true }
    }
}

#[utoipa::path(get, path = "/api/worker-start", responses((status = 200, body = WorkerStart)))]
async fn read(State(state): State<AppState>, actor: Actor) -> Result<Json<WorkerStart>> {
    let chosen = sqlx::query_as!(
        WorkerStart,
        r#"select pocetna as "pocetna: FirstScreen", nedeljni_pregled, javi_upite from worker_start where radnik_id = $1"#,
        actor.radnik_id
    );
    Ok(Json(chosen.fetch_optional(&state.db).await?.unwrap_or_default()))
}

#[utoipa::path(put, path = "/api/worker-start", request_body = WorkerStart, responses((status = 204)))]
async fn change(State(state): State<AppState>, actor: Actor, Json(sent): Json<WorkerStart>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    sqlx::query!(
        "insert into worker_start (radnik_id, pocetna, nedeljni_pregled, javi_upite) values ($1, $2, $3, $4)
         on conflict (radnik_id) do update set pocetna = excluded.pocetna, nedeljni_pregled = excluded.nedeljni_pregled,
                                               javi_upite = excluded.javi_upite, vreme = clock_timestamp()",
        actor.radnik_id,
        sent.pocetna as FirstScreen,
        sent.nedeljni_pregled,
        sent.javi_upite
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
