//! Takes from a worker the account of the provider that she is linked to.

use axum::{extract::State, http::StatusCode};
use domain::db;
use platform::{
    error::{Error, Result},
    extract::Path,
    routes::{Routes, routes},
    state::AppState,
};

use crate::{
    auth::{self, Actor},
    ceiling, confirming, reach,
    rights::{Allowed, ExternalAccounts},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(unlink))
}

/// Takes the link from a worker: the next account of her name at the provider is linked anew. What it has opened ends.
#[utoipa::path(post, path = "/api/workers/{id}/external-account-unlink", params(("id" = i64, Path)), responses((status = 204)))]
pub async fn unlink(State(state): State<AppState>, actor: Allowed<ExternalAccounts>, Path(id): Path<i64>) -> Result<StatusCode> {
    let actor: &Actor = &actor;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    reach::require_worker(&mut tx, actor, id).await?;
    let there = sqlx::query_scalar!("select id from worker where id = $1 and aktivan", id).fetch_optional(&mut *tx).await?;
    if there.is_none() {
        return Err(Error::NotFound);
    }
    ceiling::over_worker(&mut tx, actor, id).await?;
    reach::require_all_of(&mut tx, actor, id).await?;
    confirming::dangerous(&mut tx, actor, "worker", id, "Radniku se raskida veza sa spoljnim nalogom.").await?;
    sqlx::query!("delete from external_account where radnik_id = $1", id).execute(&mut *tx).await?;
    auth::end_external_sessions(&mut tx, id, &actor.session).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
