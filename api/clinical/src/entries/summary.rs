//! A patient's summary in a register on one page: who she is, the last visit, what changed at it, and the newest values.

use accounts::{audit::look_at_patient, auth::Actor};
use axum::extract::State;
use domain::{
    db,
    entry::summary::{self, Summary},
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::patients::{PatientAccess, PatientHead};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(summary))
}

#[derive(Deserialize, IntoParams)]
struct RegisterQuery {
    #[serde(rename = "registarID")]
    registar_id: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PatientSummary {
    pacijent: PatientHead,
    registar: String,
    #[serde(flatten)]
    sazetak: Summary,
}

/// What stands on the page, within what the caller may read of the patient.
#[utoipa::path(get, path = "/api/patients/{id}/summary", params(RegisterQuery), responses((status = 200, body = PatientSummary)))]
async fn summary(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Query(query): Query<RegisterQuery>,
) -> Result<Json<PatientSummary>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    PatientAccess::to(&mut tx, &actor, id).await?;
    look_at_patient(&mut tx, &actor, id).await?;
    let registar = sqlx::query_scalar!("select naziv from register where id = $1 and aktivan", query.registar_id)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or(Error::NotFound)?;
    let sazetak = summary::of(&mut tx, id, query.registar_id, actor.ustanova_id).await?;
    let pacijent = PatientHead::of(&mut tx, id).await?;
    tx.commit().await?;
    Ok(Json(PatientSummary { pacijent, registar, sazetak }))
}
