//! "Proveren, tačan": a worker answers for a value as it is. Another value is another finding.

use accounts::auth::Actor;
use axum::{extract::State, http::StatusCode};
use domain::db;
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::may_confirm;
use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(confirm)).routes(routes!(take_back))
}

/// Characters of a note.
const LONGEST: usize = 500;

#[derive(Deserialize, ToSchema)]
struct FindingNote {
    /// May be left out.
    #[serde(default)]
    napomena: String,
}

/// The value was checked and is right. It is a finding no more, until it is another.
#[utoipa::path(post, path = "/api/findings/{id}/confirm", request_body = FindingNote,
    responses((status = 204), (status = 409, description = "Nalaz je u međuvremenu završen")))]
async fn confirm(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>, Json(sent): Json<FindingNote>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    hold(&mut tx, &actor, id).await?;
    let note = Some(sent.napomena.trim()).filter(|note| !note.is_empty());
    if note.is_some_and(|note| note.chars().count() > LONGEST) {
        return Err(Error::invalid("napomena", "Napomena ima najviše 500 znakova."));
    }
    sqlx::query!(
        "update quality_finding set potvrdjen_at = clock_timestamp(), potvrdio_id = $2, napomena = $3 where id = $1",
        id,
        actor.radnik_id,
        note
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes a confirmation back: the value is a finding again.
#[utoipa::path(post, path = "/api/findings/{id}/unconfirm",
    responses((status = 204), (status = 409, description = "Nalaz je u međuvremenu završen")))]
async fn take_back(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    hold(&mut tx, &actor, id).await?;
    sqlx::query!("update quality_finding set potvrdjen_at = null, potvrdio_id = null, napomena = null where id = $1", id)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Holds an open finding of the worker's institution; one of another institution is as if it were not there.
async fn hold(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
    let found = sqlx::query!(
        r#"select n.pacijent_id, n.ustanova_id, n.kraj is not null as "ended!"
             from quality_finding n join entry e on e.id = n.unos_id and e.aktivan
            where n.id = $1 and n.ustanova_id = $2 for update of n"#,
        id,
        actor.ustanova_id
    )
    .fetch_optional(&mut *tx)
    .await?;
    let (found, _) = PatientAccess::to_entry(tx, actor, found, |row| (row.pacijent_id, row.ustanova_id)).await?;
    if !may_confirm(actor) {
        return Err(Error::refused("Nalaz potvrđuje ko menja pacijente."));
    }
    match found.ended {
        true => Err(Error::conflict("Nalaz je u međuvremenu završen: vrednost ili pravilo je promenjeno. Učitajte ga ponovo.")),
        false => Ok(()),
    }
}
