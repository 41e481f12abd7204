//! The mapping of a file: what it may choose from, how its first rows are read by it, and its file for the command.

use std::collections::BTreeSet;

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use domain::{
    db,
    entry::{form::Choice, meaning::unit},
    register::ValueType,
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    file_name::content_disposition,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    Importer,
    own::{BUSY, Content, OwnImport},
    preview::{self, ImportPreview},
    saved::{self, SavedMapping},
};
use crate::import::{
    item_texts,
    mapping::{Delimiter, Encoding, FileOptions, Mapping},
    problems::Problems,
    proposal,
    schema::{RegisterName, RegisterSchema, code},
    sheet::{self, Sheet},
};

/// Cells of a column that are shown beside its name.
const EXAMPLES: usize = 3;
/// So many letters of each.
const EXAMPLE: usize = 40;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(read, change)).routes(routes!(as_file))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ImportMapping {
    /// As the file for the command has it (docs/import.md).
    #[schema(value_type = Object)]
    mapiranje: Value,
    izvor: String,
    kolone: Vec<FileColumn>,
    formulari: Vec<MappedForm>,
    sacuvana: Vec<SavedMapping>,
    pregled: ImportPreview,
    prepoznato: DetectedFile,
}

/// What the file is taken for where the mapping does not say it, as a mapping names it.
#[derive(Serialize, ToSchema)]
struct DetectedFile {
    #[schema(value_type = String)]
    kodiranje: Encoding,
    #[schema(value_type = String)]
    razdelnik: Delimiter,
}

#[derive(Serialize, ToSchema)]
struct FileColumn {
    naziv: String,
    primeri: Vec<String>,
}

/// A form with the fields that a file may fill.
#[derive(Serialize, ToSchema)]
struct MappedForm {
    /// How a mapping names it.
    sifra: String,
    naziv: String,
    polja: Vec<MappedField>,
    sekcije: Vec<MappedSection>,
}

/// A section that repeats: lines of one entry are its rows.
#[derive(Serialize, ToSchema)]
struct MappedSection {
    sifra: String,
    naziv: String,
    polja: Vec<MappedField>,
}

#[derive(Serialize, ToSchema)]
struct MappedField {
    sifra: String,
    naziv: String,
    #[schema(value_type = i32)]
    tip: ValueType,
    obavezno: bool,
    /// Items of a set that may be chosen.
    stavke: Vec<MappedItem>,
    /// Several of them may be chosen.
    vise: bool,
    /// Units in which its numbers may be written, its own first; none where there is no other.
    jedinice: Vec<String>,
}

#[derive(Serialize, ToSchema)]
struct MappedItem {
    naziv: String,
    /// By which a cell names it.
    sifra: Option<String>,
    /// Its weight, where it has one.
    broj: Option<f64>,
    /// How a mapping names it.
    oznaka: String,
}

impl MappedItem {
    fn of(item: &Choice) -> Self {
        let sifra = item_texts::code(item).map(str::to_owned);
        let oznaka = sifra.clone().unwrap_or_else(|| item.naziv.clone());
        Self { naziv: item.naziv.clone(), sifra, broj: item.num_vrednost, oznaka }
    }
}

#[utoipa::path(get, path = "/api/data-imports/{id}/mapping", tag = "uvoz", responses((status = 200, body = ImportMapping)))]
async fn read(State(state): State<AppState>, actor: Importer, Path(id): Path<i64>) -> Result<Json<ImportMapping>> {
    let turn = state.parsers.sheet().await?;
    let mut db = state.db.acquire().await?;
    let own = OwnImport::load(&mut db, &actor, id).await?;
    let Content { bytes, mapping, .. } = own.content(&mut db).await?;
    let register = RegisterSchema::load(&mut db, RegisterName::Id(own.registar_id)).await?;
    let sacuvana = saved::all(&mut db, own.registar_id, own.ustanova_id).await?;
    drop(db);
    let (kolone, pregled, mapiranje, formulari, prepoznato) = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let kolone = columns(&bytes, &mapping.file)?;
        let pregled = preview::preview(&bytes, &mapping, &register)?;
        let (kodiranje, razdelnik) = sheet::detected(&bytes)?;
        let mapping = serde_json::to_value(&mapping).map_err(anyhow::Error::from)?;
        Ok::<_, Error>((kolone, pregled, mapping, forms(&register), DetectedFile { kodiranje, razdelnik }))
    })
    .await
    .map_err(anyhow::Error::from)??;
    Ok(Json(ImportMapping { mapiranje, izvor: own.izvor, kolone, formulari, sacuvana, pregled, prepoznato }))
}

#[derive(Deserialize, ToSchema)]
struct MappingChange {
    #[schema(value_type = Object)]
    mapiranje: Value,
    izvor: String,
}

/// Keeps the mapping, and shows how the first rows are read by it. What was checked before is to be checked again.
#[utoipa::path(put, path = "/api/data-imports/{id}/mapping", tag = "uvoz", request_body = MappingChange,
    responses((status = 200, body = ImportPreview), (status = 409, description = "U toku je provera ili uvoz")))]
async fn change(
    State(state): State<AppState>,
    actor: Importer,
    Path(id): Path<i64>,
    Json(sent): Json<MappingChange>,
) -> Result<Json<ImportPreview>> {
    let turn = state.parsers.sheet().await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = OwnImport::load(&mut tx, &actor, id).await?;
    own.require_resting()?;
    let Content { bytes, .. } = own.content(&mut tx).await?;
    let izvor = named(&sent.izvor, "izvor", "Upišite naziv izvora, najviše 100 znakova.")?;
    let mapping = proposal::of_institution(parsed(sent.mapiranje)?, &own.ustanova);
    let register = RegisterSchema::load(&mut tx, RegisterName::Id(own.registar_id)).await?;
    keep(&mut tx, id, &izvor, &mapping).await?;
    tx.commit().await?;
    let pregled = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        preview::preview(&bytes, &mapping, &register)
    });
    Ok(Json(pregled.await.map_err(anyhow::Error::from)??))
}

/// The same mapping as `api import data` takes it.
#[utoipa::path(get, path = "/api/data-imports/{id}/mapping-file", tag = "uvoz",
    responses((status = 200, content_type = "application/toml", body = Vec<u8>)))]
async fn as_file(State(state): State<AppState>, actor: Importer, Path(id): Path<i64>) -> Result<Response> {
    let mut db = state.db.acquire().await?;
    let own = OwnImport::load(&mut db, &actor, id).await?;
    let Content { mapping, .. } = own.content(&mut db).await?;
    let text = toml::to_string(&mapping).map_err(anyhow::Error::from)?;
    Ok(attachment(text.into_bytes(), "application/toml", &format!("{}.mapping", own.izvor), "toml"))
}

pub fn attachment(bytes: Vec<u8>, kind: &str, name: &str, extension: &str) -> Response {
    let disposition = content_disposition(name, extension);
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)], bytes).into_response()
}

pub fn named(given: &str, field: &'static str, message: &'static str) -> Result<String> {
    let name: String = given.trim().chars().filter(|letter| !letter.is_control()).collect();
    if (1..=100).contains(&name.chars().count()) { Ok(name) } else { Err(Error::invalid(field, message)) }
}

fn parsed(given: Value) -> Result<Mapping> {
    let wrong = |error: String| Error::invalid("mapiranje", format!("Mapiranje nije ispravno: {error}"));
    let mapping: Mapping = serde_json::from_value(given).map_err(|error| wrong(error.to_string()))?;
    mapping.check().map_err(|error| wrong(format!("{error:#}")))?;
    Ok(mapping)
}

async fn keep(tx: &mut PgConnection, id: i64, izvor: &str, mapping: &Mapping) -> Result<()> {
    let kept = sqlx::query!(
        "update data_import set status = 'open', izvor = $2, ishod = null, otisak = null, prekid = null, prekid_poruka = null, vreme_izmene = clock_timestamp()
          where id = $1 and status in ('open', 'checked')",
        id,
        izvor
    );
    if kept.execute(&mut *tx).await?.rows_affected() == 0 {
        return Err(Error::conflict(BUSY));
    }
    let mapping = serde_json::to_value(mapping).map_err(anyhow::Error::from)?;
    sqlx::query!("update data_import_file set mapiranje = $2, greske = '[]' where uvoz_id = $1", id, mapping).execute(tx).await?;
    Ok(())
}

fn columns(bytes: &[u8], options: &FileOptions) -> Result<Vec<FileColumn>> {
    let mut problems = Problems::default();
    let sheet = match Sheet::read(bytes, options, &mut problems) {
        Ok(sheet) => sheet,
        // The encoding that was chosen is not the file's: the columns are still named.
        Err(_) => Sheet::read(bytes, &FileOptions::default(), &mut problems)?,
    };
    let examples = |column: &str| {
        let mut seen = BTreeSet::new();
        let cells = sheet.rows().filter_map(|row| row.cell(column)).filter(|cell| seen.insert(*cell)).take(EXAMPLES);
        cells.map(|cell| cell.chars().take(EXAMPLE).collect()).collect()
    };
    Ok(sheet.header().map(|column| FileColumn { naziv: column.to_owned(), primeri: examples(column) }).collect())
}

fn units(field: &domain::entry::form::EntryField) -> Vec<String> {
    let others = &field.tip_atributa.druge_jedinice;
    let own = unit(field).filter(|_| !others.is_empty()).map(str::to_owned);
    own.into_iter().flat_map(|own| [own].into_iter().chain(others.iter().map(|other| other.jedinica.clone()))).collect()
}

fn forms(register: &RegisterSchema) -> Vec<MappedForm> {
    let field = |field: &domain::entry::form::EntryField| MappedField {
        sifra: code(field).to_owned(),
        naziv: field.naziv.clone(),
        tip: field.tva_num_vrednost,
        obavezno: !field.opciono && field.prikazuje_se && field.formula_za_prikaz.is_none() && field.tva_num_vrednost != ValueType::Choice,
        stavke: field.enum_stavke_sve.iter().filter(|item| item.aktivan).map(MappedItem::of).collect(),
        vise: field.multiselect,
        jedinice: units(field),
    };
    let form = |schema: &crate::import::schema::FormSchema| MappedForm {
        sifra: schema.sifra_veza.clone().unwrap_or_else(|| schema.form.naziv.clone()),
        naziv: schema.form.naziv.clone(),
        polja: schema.form.fields.iter().filter(|one| one.holds_value() && !one.is_section() && !one.is_calculated()).map(field).collect(),
        sekcije: schema
            .form
            .fields
            .iter()
            .filter(|one| one.is_section())
            .map(|one| MappedSection {
                sifra: code(one).to_owned(),
                naziv: one.naziv.clone(),
                polja: one.kolone.iter().filter(|column| !column.is_calculated()).map(field).collect(),
            })
            .collect(),
    };
    register.forms.iter().map(form).collect()
}
