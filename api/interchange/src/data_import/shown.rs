//! Where the worker's imports stand: the ones that are open, and what became of the others.

use axum::extract::State;
use domain::time::server_text;
use platform::{
    error::Result,
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Importer,
    outcome::ImportOutcome,
    own::{OwnImport, Status},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(one))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DataImport {
    id: i64,
    registar: String,
    ustanova: String,
    fajl: String,
    izvor: String,
    redova: i32,
    vreme: String,
    /// `open`, `checking`, `checked`, `importing`, `done` or `left`.
    #[schema(value_type = String)]
    status: Status,
    /// What is being done, and how far it is.
    korak: Option<String>,
    obradjeno: i64,
    ukupno: i64,
    /// Why the last attempt gave nothing: `otkazan`, `prekinut`, `neuspeo`, `istekao`, `promenjeno` or `anonimizacija`.
    prekid: Option<String>,
    prekid_poruka: Option<String>,
    ishod: Option<ImportOutcome>,
    /// Of the check that is shown; sent back with its confirmation.
    otisak: Option<String>,
}

#[utoipa::path(get, path = "/api/data-imports", tag = "uvoz", responses((status = 200, body = Vec<DataImport>)))]
async fn list(State(state): State<AppState>, actor: Importer) -> Result<Json<Vec<DataImport>>> {
    let mut db = state.db.acquire().await?;
    let own = OwnImport::all(&mut db, &actor, None).await?;
    Ok(Json(own.into_iter().map(shown).collect::<Result<_>>()?))
}

#[utoipa::path(get, path = "/api/data-imports/{id}", tag = "uvoz", responses((status = 200, body = DataImport)))]
async fn one(State(state): State<AppState>, actor: Importer, Path(id): Path<i64>) -> Result<Json<DataImport>> {
    let mut db = state.db.acquire().await?;
    Ok(Json(shown(OwnImport::load(&mut db, &actor, id).await?)?))
}

fn shown(own: OwnImport) -> Result<DataImport> {
    let ishod = own.ishod.map(serde_json::from_value).transpose().map_err(anyhow::Error::from)?;
    Ok(DataImport {
        id: own.id,
        registar: own.registar,
        ustanova: own.ustanova,
        fajl: own.fajl,
        izvor: own.izvor,
        redova: own.redova,
        vreme: server_text(own.vreme_kreiranja.to_jiff()),
        status: own.status,
        korak: own.korak,
        obradjeno: own.obradjeno,
        ukupno: own.ukupno,
        prekid: own.prekid,
        prekid_poruka: own.prekid_poruka,
        ishod,
        otisak: own.otisak,
    })
}
