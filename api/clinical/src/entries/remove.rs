//! Deleting an entry: soft, so that the entry, its values and its history stay in the database; and bringing it back.

use accounts::auth::Actor;
use axum::{extract::State, http::StatusCode};
use domain::{
    db,
    entry::{follow::follow, quality},
    time,
};
use platform::{
    error::{Error, ErrorBody, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    form::EntryForm,
    save::may_return,
    told_status::{self, TellingEntry},
    values,
};
use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(delete)).routes(routes!(restore_entry))
}

#[derive(Deserialize, ToSchema)]
struct DeleteRequest {
    id: i64,
    /// The version that the worker decided about; one that was changed since is not deleted.
    verzija: Option<i32>,
}

/// An entry that is deleted already stays so: a repeated call changes nothing.
#[utoipa::path(post, path = "/api/delete-entry", request_body = DeleteRequest,
    responses((status = 204), (status = 409, body = ErrorBody)))]
async fn delete(State(state): State<AppState>, actor: Actor, Json(request): Json<DeleteRequest>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    own(&mut tx, &actor, request.id).await?;
    let row =
        sqlx::query!("select pacijent_id, form_version_id, vrednosti, aktivan, verzija from entry where id = $1 for update", request.id)
            .fetch_one(&mut *tx)
            .await?;
    if row.aktivan && request.verzija.is_some_and(|version| version != row.verzija) {
        return Err(Error::conflict("Neko je izmenio unos otkad ste ga otvorili, pa nije obrisan. Pogledajte izmene pre brisanja."));
    }
    if row.aktivan {
        sqlx::query!("update entry set aktivan = false where id = $1", request.id).execute(&mut *tx).await?;
        let form = EntryForm::of_version(&mut tx, row.form_version_id).await?;
        let telling =
            TellingEntry { id: request.id, patient: row.pacijent_id, form: &form, today: state.clock.now().to_zoned(time::zone()).date() };
        told_status::tell(&mut tx, &actor, &telling, Some(&values::from_json(&row.vrednosti)), None).await?;
        follow(&mut tx, row.pacijent_id, form.registar_id).await?;
        quality::settle_entry(&mut tx, row.pacijent_id, form.registar_id, telling.today).await?;
        tx.commit().await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Brings a deleted entry back, where the form still has room for it.
#[utoipa::path(post, path = "/api/restore-entry", request_body = DeleteRequest,
    responses((status = 204), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn restore_entry(State(state): State<AppState>, actor: Actor, Json(request): Json<DeleteRequest>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    own(&mut tx, &actor, request.id).await?;
    let row = sqlx::query!(
        "select e.pacijent_id, e.aktivan, e.verzija, e.tsa_id, e.datum_unosa, e.form_version_id, e.vrednosti, f.aktivan as form_there
           from entry e join form f on f.id = e.tsa_id where e.id = $1 for update of e",
        request.id
    )
    .fetch_one(&mut *tx)
    .await?;
    if row.aktivan {
        return Ok(StatusCode::NO_CONTENT);
    }
    if request.verzija.is_some_and(|version| version != row.verzija) {
        return Err(Error::conflict("Unos je u međuvremenu izmenjen. Učitajte ga ponovo."));
    }
    if !row.form_there {
        return Err(Error::conflict("Formular ovog unosa je obrisan. Prvo ga mora vratiti administrator."));
    }
    let form = EntryForm::load(&mut tx, row.tsa_id).await?;
    may_return(&mut tx, row.pacijent_id, &form, row.datum_unosa.to_jiff()).await?;
    sqlx::query!("update entry set aktivan = true where id = $1", request.id).execute(&mut *tx).await?;
    let kept = EntryForm::of_version(&mut tx, row.form_version_id).await?;
    let telling =
        TellingEntry { id: request.id, patient: row.pacijent_id, form: &kept, today: state.clock.now().to_zoned(time::zone()).date() };
    told_status::tell(&mut tx, &actor, &telling, None, Some(&values::from_json(&row.vrednosti))).await?;
    follow(&mut tx, row.pacijent_id, kept.registar_id).await?;
    quality::settle_entry(&mut tx, row.pacijent_id, kept.registar_id, telling.today).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lets only those through who may delete, and entries of the own institution; what they may not see is not locked.
async fn own(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
    let entry = sqlx::query!("select pacijent_id, ustanova_id from entry where id = $1", id).fetch_optional(&mut *tx).await?;
    let (_, access) = PatientAccess::to_entry(tx, actor, entry, |entry| (entry.pacijent_id, entry.ustanova_id)).await?;
    access.require_delete()
}
