//! Stopping a run: the engine is told at once, and where it stays silent the api stops the statement itself.

use accounts::rights::{Allowed, Reports};
use axum::{extract::State, http::StatusCode};
use domain::{db, runs};
use platform::{
    error::{Error, Result},
    extract::Path,
    routes::{Routes, routes},
    run_order::stop_if_silent,
    state::AppState,
};
use uuid::Uuid;

use super::{
    runs::OwnRun,
    trail::{self, ReportAction},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(cancel))
}

#[utoipa::path(post, path = "/api/report-runs/{id}/cancel", tag = "izvestaji", params(("id" = Uuid, Path)), responses((status = 204), (status = 409, description = "Već je završen")))]
async fn cancel(State(state): State<AppState>, actor: Allowed<Reports>, Path(id): Path<Uuid>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let run = OwnRun::lock(&mut tx, actor.radnik_id, id).await?;
    let outcome = runs::request_cancel(&mut tx, id).await?;
    if outcome == runs::Cancel::Ended {
        return Err(Error::conflict(runs::HAS_ENDED));
    }
    trail::record(&mut tx, actor.radnik_id, ReportAction::Cancel, &run.subject(id), None).await?;
    tx.commit().await?;
    if outcome == runs::Cancel::Asked {
        tokio::spawn(stop_if_silent(state.db.clone(), id));
    }
    Ok(StatusCode::NO_CONTENT)
}
