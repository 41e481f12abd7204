//! Stopping a run: the engine is told at once, and where it stays silent the api stops the statement itself.

use std::time::Duration;

use axum::{extract::State, http::StatusCode};
use domain::{db, runs};
use sqlx::PgPool;
use uuid::Uuid;

use super::{
    runs::OwnRun,
    trail::{self, Deed},
};
use crate::{
    error::{Error, Result},
    extract::Path,
    rights::{Allowed, Reports},
    routes::{Routes, routes},
    state::AppState,
};

/// How long the engine has to stop the run by itself.
const ENGINE_GRACE: Duration = Duration::from_secs(5);

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
    trail::record(&mut tx, actor.radnik_id, Deed::Cancel, &run.subject(id), None).await?;
    tx.commit().await?;
    if outcome == runs::Cancel::Asked {
        tokio::spawn(stop_if_silent(state.db.clone(), id));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The run itself is ended by its engine, or by the sweep of lapsed leases when the engine is gone.
pub(crate) async fn stop_if_silent(db: PgPool, id: Uuid) {
    tokio::time::sleep(ENGINE_GRACE).await;
    match stop_statement(&db, id).await {
        Ok(0) => {}
        Ok(stopped) => tracing::warn!(run = %id, stopped, "the engine did not react to a cancel: its statement was stopped"),
        Err(error) => tracing::error!(run = %id, cause = %error, "a cancelled run's statement could not be stopped"),
    }
}

/// Stops what the run's connection executes. A process id may be taken by another connection meanwhile, so the connection
/// is known by the name that the engine gives it.
async fn stop_statement(db: &PgPool, id: Uuid) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) filter (where pg_cancel_backend(a.pid)) as "stopped!"
             from pg_stat_activity a join report_run r on r.id = $1 and r.status = 'running' and r.cancel_requested_at is not null
            where a.datname = current_database() and a.application_name = 'run:' || r.id"#,
        id
    )
    .fetch_one(db)
    .await
}
