//! Checking a file, bringing it in, stopping either, and leaving the import. An attempt is taken once: by the state of its row.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
};
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

use super::{
    Importer,
    own::{BUSY, OwnImport, sweep},
    work::{self, Attempt},
};
use crate::import::fingerprint::Fingerprint;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(check)).routes(routes!(confirm)).routes(routes!(cancel)).routes(routes!(leave))
}

/// Does everything and rolls it back.
#[utoipa::path(post, path = "/api/data-imports/{id}/check", tag = "uvoz",
    responses((status = 204), (status = 409, description = "U toku je ova ili druga provera, ili uvoz")))]
async fn check(State(state): State<AppState>, actor: Importer, Path(id): Path<i64>) -> Result<StatusCode> {
    begin(&state, &actor, id, None).await
}

#[derive(Deserialize, ToSchema)]
#[schema(as = ImportConfirmation)]
struct Confirmation {
    /// Of the check that was looked at.
    #[serde(default)]
    otisak: String,
}

/// Brings in what was checked and had no fault. All of it is checked again: what is found otherwise than the check has shown is a new check,
/// and nothing is stored. The second of two confirmations does nothing.
#[utoipa::path(post, path = "/api/data-imports/{id}/confirm", tag = "uvoz", request_body = Confirmation,
    responses((status = 204), (status = 409, description = "Nije provereno bez greške, nije ta provera, ili je uvoz već pokrenut")))]
async fn confirm(
    State(state): State<AppState>,
    actor: Importer,
    Path(id): Path<i64>,
    Json(confirmation): Json<Confirmation>,
) -> Result<StatusCode> {
    begin(&state, &actor, id, Some(confirmation.otisak)).await
}

/// An import where a check is confirmed, else a check.
async fn begin(state: &AppState, actor: &Actor, id: i64, confirmed: Option<String>) -> Result<StatusCode> {
    let dry = confirmed.is_none();
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = OwnImport::load(&mut tx, actor, id).await?;
    own.require_resting()?;
    if confirmed.is_some() && own.otisak.is_some() && confirmed != own.otisak {
        return Err(Error::conflict("To nije poslednja provera ovog uvoza. Pogledajte nalaz poslednje, pa potvrdite."));
    }
    let shown = own.otisak.as_deref().map(Fingerprint::parse).filter(|_| !dry);
    let taken = match take(&mut tx, id, dry).await {
        Err(sqlx::Error::Database(error)) if error.constraint() == Some("data_import_one_running") => {
            return Err(Error::conflict("Upravo se izvršava drugi uvoz. Pokušajte ponovo za koji minut."));
        }
        taken => taken?,
    };
    let fence = taken.ok_or_else(|| Error::conflict("Uvesti se može samo fajl koji je proveren i nema grešaka."))?;
    tx.commit().await?;
    let actor = Actor { ustanova_id: Some(own.ustanova_id), ..actor.clone() };
    work::start(state, Attempt { id, fence, actor, registar_id: own.registar_id, registar: own.registar, izvor: own.izvor, shown });
    Ok(StatusCode::NO_CONTENT)
}

/// The number of the attempt; none where the import is not ready for it.
async fn take(tx: &mut PgConnection, id: i64, dry: bool) -> sqlx::Result<Option<i64>> {
    sweep(&mut *tx).await?;
    sqlx::query_scalar!(
        "update data_import
            set status = case when $2 then 'checking' else 'importing' end, fence = fence + 1, lease_until = clock_timestamp() + make_interval(secs => $3),
                korak = null, obradjeno = 0, ukupno = 0, prekid = null, prekid_poruka = null, vreme_izmene = clock_timestamp()
          where id = $1 and (case when $2 then status in ('open', 'checked') else status = 'checked' and otisak is not null end)
         returning fence",
        id,
        dry,
        work::LEASE_SECONDS
    )
    .fetch_optional(tx)
    .await
}

/// Whoever carries it out finds that it is no longer his: nothing of it is stored.
#[utoipa::path(post, path = "/api/data-imports/{id}/cancel", tag = "uvoz",
    responses((status = 204), (status = 409, description = "Ništa nije u toku")))]
async fn cancel(State(state): State<AppState>, actor: Importer, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = OwnImport::load(&mut tx, &actor, id).await?;
    // Waits for an import that is just being committed, and then finds that it is done.
    let stopped = sqlx::query!(
        "update data_import set status = 'open', prekid = 'otkazan', lease_until = null, fence = fence + 1, vreme_izmene = clock_timestamp()
          where id = $1 and status in ('checking', 'importing')",
        id
    );
    if stopped.execute(&mut *tx).await?.rows_affected() == 0 {
        return Err(Error::conflict("Ništa nije u toku: provera ili uvoz su završeni."));
    }
    note(&mut tx, &actor, &own, "otkazivanje").await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Its file goes at once.
#[utoipa::path(delete, path = "/api/data-imports/{id}", tag = "uvoz",
    responses((status = 204), (status = 409, description = "U toku je, ili je završen")))]
async fn leave(State(state): State<AppState>, actor: Importer, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = OwnImport::load(&mut tx, &actor, id).await?;
    own.require_resting()?;
    let left = sqlx::query!(
        "update data_import set status = 'left', ishod = ishod - 'greske' where id = $1 and status in ('open', 'checked')",
        id
    );
    if left.execute(&mut *tx).await?.rows_affected() == 0 {
        return Err(Error::conflict(BUSY));
    }
    sqlx::query!("delete from data_import_file where uvoz_id = $1", id).execute(&mut *tx).await?;
    note(&mut tx, &actor, &own, "napuštanje").await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn note(tx: &mut PgConnection, actor: &Actor, own: &OwnImport, akcija: &str) -> sqlx::Result<()> {
    let actor = Actor { ustanova_id: Some(own.ustanova_id), ..actor.clone() };
    let polja = vec![told("Ustanova", own.ustanova.as_str()), told("Redova", own.redova)];
    let (red_id, opis) = (Some(own.id.to_string()), Some(format!("Registar: {}", own.registar)));
    look(tx, &actor, &Look { klasa: "data_import", akcija, red_id, opis, polja, ..Look::default() }).await?;
    Ok(())
}
