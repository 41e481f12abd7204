//! The file: sent, read as far as its header, kept, and mapped by what is known of its columns.

use axum::{
    extract::{DefaultBodyLimit, State},
    http::StatusCode,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{
    db,
    parameters::{self, IMPORT_MEGABYTES},
    register::rules,
    shown,
};
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{Importer, may, saved};
use crate::import::{
    mapping::FileOptions,
    problems::Problems,
    proposal,
    schema::{RegisterName, RegisterSchema},
    sheet::Sheet,
};

/// The largest file that a parameter may allow, as base64 within JSON.
const BODY: usize = (IMPORT_MEGABYTES.most() as usize) * (4 << 20) / 3 + (1 << 20);

pub fn routes() -> Routes {
    Routes::new().routes(routes!(options)).merge(Routes::new().routes(routes!(upload)).layer(DefaultBodyLimit::max(BODY)))
}

#[derive(Serialize, ToSchema)]
struct ImportChoice {
    id: i64,
    naziv: String,
}

/// What an import begins with.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ImportOptions {
    registri: Vec<ImportChoice>,
    /// The worker's own.
    ustanove: Vec<ImportChoice>,
    /// The one that she works for now.
    #[serde(rename = "ustanovaID")]
    ustanova_id: Option<i64>,
    najvise_megabajta: i32,
}

#[utoipa::path(get, path = "/api/data-import-options", tag = "uvoz", responses((status = 200, body = ImportOptions)))]
async fn options(State(state): State<AppState>, actor: Importer) -> Result<Json<ImportOptions>> {
    may(&actor)?;
    let registers =
        sqlx::query_as!(ImportChoice, "select id, naziv from register where aktivan order by naziv").fetch_all(&state.db).await?;
    let institutions =
        sqlx::query_as!(ImportChoice, "select id, naziv from institution where works_at($1, id) order by naziv", actor.radnik_id);
    let institutions = institutions.fetch_all(&state.db).await?;
    Ok(Json(ImportOptions {
        registri: registers,
        ustanove: institutions,
        ustanova_id: actor.ustanova_id,
        najvise_megabajta: most(&state).await?,
    }))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = ImportUpload)]
struct Upload {
    #[serde(rename = "registarID")]
    registar_id: i64,
    #[serde(rename = "ustanovaID")]
    ustanova_id: i64,
    fajl: String,
    /// The bytes in base64.
    sadrzaj: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ImportUploaded)]
struct UploadedImport {
    id: i64,
}

#[utoipa::path(post, path = "/api/data-imports", tag = "uvoz", request_body = Upload,
    responses((status = 201, body = UploadedImport), (status = 422, description = "Polje i poruka")))]
async fn upload(State(state): State<AppState>, actor: Importer, Json(sent): Json<Upload>) -> Result<(StatusCode, Json<UploadedImport>)> {
    may(&actor)?;
    let turn = state.parsers.sheet().await?;
    let bytes = bytes(&sent.sadrzaj, most(&state).await?)?;
    let fajl = name(&sent.fajl)?;
    let sheet = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        read(&bytes).map(|sheet| (sheet, bytes))
    });
    let (sheet, bytes) = sheet.await.map_err(anyhow::Error::from)??;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let institution = institution(&mut tx, actor.radnik_id, sent.ustanova_id).await?;
    let register = register(&mut tx, sent.registar_id).await?;
    let (izvor, mapping) = match saved::fitting(&mut tx, register.id, sent.ustanova_id, &sheet).await? {
        Some(saved) => saved,
        None => (fajl.chars().take(100).collect(), proposal::propose(&sheet, &register)),
    };
    let mapping = proposal::of_institution(mapping, &institution);
    let id = sqlx::query_scalar!(
        "insert into data_import (radnik_id, ustanova_id, registar_id, fajl, sha256, redova, izvor) values ($1, $2, $3, $4, $5, $6, $7) returning id",
        actor.radnik_id,
        sent.ustanova_id,
        register.id,
        fajl,
        Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
        i32::try_from(sheet.len()).map_err(anyhow::Error::from)?,
        izvor
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into data_import_file (uvoz_id, sadrzaj, mapiranje) values ($1, $2, $3)",
        id,
        bytes,
        serde_json::to_value(&mapping).map_err(anyhow::Error::from)?
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(UploadedImport { id })))
}

async fn most(state: &AppState) -> Result<i32> {
    Ok(parameters::load(&state.db).await?.number(&IMPORT_MEGABYTES))
}

fn bytes(base64: &str, most: i32) -> Result<Vec<u8>> {
    let too_long = || Error::invalid("sadrzaj", format!("Fajl je veći od {} MB, koliko je dozvoljeno.", shown::number(f64::from(most))));
    let most = usize::try_from(most).unwrap_or_default() << 20;
    if base64.len() / 4 * 3 > most + 3 {
        return Err(too_long());
    }
    let bytes = BASE64_STANDARD.decode(base64).map_err(|_| Error::invalid("sadrzaj", "Fajl nije ispravno poslat."))?;
    if bytes.len() > most { Err(too_long()) } else { Ok(bytes) }
}

fn name(given: &str) -> Result<String> {
    let name: String = given.trim().chars().filter(|letter| !letter.is_control()).take(200).collect();
    if name.is_empty() { Err(Error::invalid("fajl", "Fajl nema naziv.")) } else { Ok(name) }
}

fn read(bytes: &[u8]) -> Result<Sheet> {
    let wrong = |message: &str| Error::invalid("sadrzaj", message.to_owned());
    let mut problems = Problems::default();
    let sheet = Sheet::read(bytes, &FileOptions::default(), &mut problems).map_err(|error| wrong(&format!("{error:#}")))?;
    if let Some(doubled) = problems.defects.iter().find(|problem| problem.row == Some(1)) {
        return Err(wrong(&doubled.to_string()));
    }
    match sheet.len() {
        0 => Err(wrong("Fajl nema nijedan red ispod zaglavlja.")),
        _ if sheet.header().any(str::is_empty) => Err(wrong("U zaglavlju fajla neka kolona nema naziv.")),
        _ => Ok(sheet),
    }
}

/// The name of one of the worker's institutions.
async fn institution(db: &mut PgConnection, worker: i64, id: i64) -> Result<String> {
    let own =
        sqlx::query_scalar!("select naziv from institution where id = $2 and works_at($1, $2)", worker, id).fetch_optional(db).await?;
    own.ok_or_else(|| Error::invalid("ustanovaID", "Uvoziti možete samo za ustanovu kojoj pripadate."))
}

async fn register(db: &mut PgConnection, id: i64) -> Result<RegisterSchema> {
    let active = sqlx::query_scalar!("select id from register where id = $1 and aktivan", id).fetch_optional(&mut *db).await?;
    active.ok_or_else(|| Error::invalid("registarID", rules::UNKNOWN_REGISTER))?;
    Ok(RegisterSchema::load(db, RegisterName::Id(id)).await?)
}
