//! Mappings under a name, of a register and an institution: the one that was used last is chosen again when a file has its columns.

use axum::{extract::State, http::StatusCode};
use domain::db;
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    Importer,
    edit::named,
    may,
    own::{Content, OwnImport},
};
use crate::import::{mapping::Mapping, sheet::Sheet};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(save)).routes(routes!(forget))
}

#[derive(Serialize, ToSchema)]
pub struct SavedMapping {
    id: i64,
    naziv: String,
    izvor: String,
    #[schema(value_type = Object)]
    mapiranje: Value,
}

/// The one that was used last first.
pub async fn all(db: &mut PgConnection, register: i64, institution: i64) -> sqlx::Result<Vec<SavedMapping>> {
    sqlx::query_as!(
        SavedMapping,
        "select id, naziv, izvor, mapiranje from import_mapping where registar_id = $1 and ustanova_id = $2 order by koriscen desc, id desc",
        register,
        institution
    )
    .fetch_all(db)
    .await
}

/// The newest of them whose every column the file has, with the name of its source.
pub async fn fitting(db: &mut PgConnection, register: i64, institution: i64, sheet: &Sheet) -> Result<Option<(String, Mapping)>> {
    for saved in all(db, register, institution).await? {
        let mapping: Mapping = serde_json::from_value(saved.mapiranje).map_err(anyhow::Error::from)?;
        if mapping.columns().iter().all(|(_, column)| sheet.has(column)) {
            return Ok(Some((saved.izvor, mapping)));
        }
    }
    Ok(None)
}

#[derive(Deserialize, ToSchema)]
struct MappingName {
    naziv: String,
}

/// Keeps the import's mapping under a name; one of the same name is replaced.
#[utoipa::path(post, path = "/api/data-imports/{id}/saved-mapping", tag = "uvoz", request_body = MappingName,
    responses((status = 200, body = Vec<SavedMapping>)))]
async fn save(
    State(state): State<AppState>,
    actor: Importer,
    Path(id): Path<i64>,
    Json(sent): Json<MappingName>,
) -> Result<Json<Vec<SavedMapping>>> {
    let naziv = named(&sent.naziv, "naziv", "Upišite naziv mapiranja, najviše 100 znakova.")?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = OwnImport::load(&mut tx, &actor, id).await?;
    let Content { mapping, .. } = own.content(&mut tx).await?;
    sqlx::query!(
        "insert into import_mapping (registar_id, ustanova_id, naziv, izvor, mapiranje, radnik_id) values ($1, $2, $3, $4, $5, $6)
         on conflict (registar_id, ustanova_id, naziv) do update
            set izvor = excluded.izvor, mapiranje = excluded.mapiranje, radnik_id = excluded.radnik_id, koriscen = clock_timestamp()",
        own.registar_id,
        own.ustanova_id,
        naziv,
        own.izvor,
        serde_json::to_value(&mapping).map_err(anyhow::Error::from)?,
        actor.radnik_id
    )
    .execute(&mut *tx)
    .await?;
    let saved = all(&mut tx, own.registar_id, own.ustanova_id).await?;
    tx.commit().await?;
    Ok(Json(saved))
}

/// Of an institution of the worker's.
#[utoipa::path(delete, path = "/api/import-mappings/{id}", tag = "uvoz", responses((status = 204)))]
async fn forget(State(state): State<AppState>, actor: Importer, Path(id): Path<i64>) -> Result<StatusCode> {
    may(&actor)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let gone = sqlx::query!("delete from import_mapping where id = $1 and works_at($2, ustanova_id)", id, actor.radnik_id);
    if gone.execute(&mut *tx).await?.rows_affected() == 0 {
        return Err(Error::NotFound);
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
