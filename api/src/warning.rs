//! The warning that blinks over every screen while it is not empty (A §2.2, B §2.8).

use accounts::{
    auth::Actor,
    rights::{Allowed, WarningsAndReleases},
};
use axum::{extract::State, http::StatusCode};
use domain::{db, text};
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(warning)).routes(routes!(save_warning)).routes(routes!(delete_warning))
}

#[derive(Serialize, Deserialize, ToSchema)]
struct Warning {
    /// Empty: there is nothing to warn of.
    #[serde(default, deserialize_with = "text::required")]
    message: String,
}

#[utoipa::path(get, path = "/api/warning", responses((status = 200, body = Warning)))]
async fn warning(State(state): State<AppState>) -> Result<Json<Warning>> {
    let message = sqlx::query_scalar!("select message from warning").fetch_optional(&state.db).await?;
    Ok(Json(Warning { message: message.unwrap_or_default() }))
}

#[utoipa::path(post, path = "/api/save-warning", request_body = Warning, responses((status = 204)))]
async fn save_warning(
    State(state): State<AppState>,
    actor: Allowed<WarningsAndReleases>,
    Json(warning): Json<Warning>,
) -> Result<StatusCode> {
    if warning.message.is_empty() {
        return Err(Error::invalid("message", "Niste uneli tekst upozorenja."));
    }
    store(&state, &actor, &warning.message).await
}

#[utoipa::path(post, path = "/api/delete-warning", responses((status = 204)))]
async fn delete_warning(State(state): State<AppState>, actor: Allowed<WarningsAndReleases>) -> Result<StatusCode> {
    store(&state, &actor, "").await
}

async fn store(state: &AppState, actor: &Actor, message: &str) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    sqlx::query!("update warning set message = $1", message).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
