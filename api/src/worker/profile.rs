//! The routes of one worker: whoever administers workers changes the whole record, everybody some of the own one.

use accounts::{
    auth::Actor,
    reach,
    rights::{Allowed, Right},
};
use axum::{extract::State, http::StatusCode};
use configuration::crud::{self, WriteAccess};
use platform::{
    error::Result,
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde_json::{Map, Value};

use super::{Input, Record, Worker};

/// What workers may change of themselves.
const OWN_FIELDS: [&str; 10] = ["ime", "prezime", "datumRodjenja", "pol", "adresa", "email", "telefon", "theme", "ustanovaID", "verzija"];

pub fn routes() -> Routes {
    crud::routes_but_one::<Worker>().routes(routes!(profile, change, replace, delete))
}

/// The own profile; for administrators, that of a worker whom they reach.
#[utoipa::path(get, path = "/api/workers/{id}", params(("id" = i64, Path)), responses((status = 200, body = Record)))]
async fn profile(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<Record>> {
    own_or_reached(&state, &actor, id).await?;
    crud::read::<Worker>(&mut *state.db.acquire().await?, &actor, id).await.map(Json)
}

/// Changes the own profile, or as an administrator the whole record of anyone whom she reaches.
#[utoipa::path(patch, path = "/api/workers/{id}", params(("id" = i64, Path)), request_body = Input,
    responses((status = 200, body = Record)))]
async fn change(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Json(mut patch): Json<Map<String, Value>>,
) -> Result<Json<Record>> {
    own_or_reached(&state, &actor, id).await?;
    if !actor.prava.holds(Right::Workers) {
        patch.retain(|name, _| OWN_FIELDS.contains(&name.as_str()));
    }
    crud::update::<Worker>(&state, &actor, id, patch).await.map(Json)
}

#[utoipa::path(put, path = "/api/workers/{id}", params(("id" = i64, Path)), request_body = Input, responses((status = 200, body = Record)))]
async fn replace(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Worker>>,
    Path(id): Path<i64>,
    Json(patch): Json<Map<String, Value>>,
) -> Result<Json<Record>> {
    own_or_reached(&state, &actor, id).await?;
    crud::update::<Worker>(&state, &actor, id, patch).await.map(Json)
}

#[utoipa::path(delete, path = "/api/workers/{id}", params(("id" = i64, Path)), responses((status = 204)))]
async fn delete(State(state): State<AppState>, actor: Allowed<WriteAccess<Worker>>, Path(id): Path<i64>) -> Result<StatusCode> {
    own_or_reached(&state, &actor, id).await?;
    crud::delete::<Worker>(&state, &actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Before anything else: an answer that said more would tell that there is such a worker.
async fn own_or_reached(state: &AppState, actor: &Actor, id: i64) -> Result<()> {
    if actor.radnik_id == id {
        return Ok(());
    }
    actor.require(Right::Workers)?;
    reach::require_worker(&mut *state.db.acquire().await?, actor, id).await
}
