//! What an export is chosen from: registers and their forms, the worker's own institutions, a form's fields.

use accounts::rights::{Allowed, DataExport};
use axum::extract::State;
use domain::{
    entry::form::EntryForm,
    exports::UnnamedFields,
    parameters::{self, EXPORT_DAYS, EXPORT_ROWS},
    register::{UnnamedOutput, ValueType},
};
use platform::{
    error::Result,
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use sqlx::types::Json as Jsonb;
use utoipa::ToSchema;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(options)).routes(routes!(form))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ExportOptions {
    registri: Vec<ExportRegister>,
    /// The institutions that the worker belongs to: entries of no other leave.
    ustanove: Vec<ExportInstitution>,
    /// The one that the worker works in now.
    #[serde(rename = "ustanovaID")]
    ustanova_id: Option<i64>,
    /// Whether the worker may export with identity.
    identitet: bool,
    najvise_redova: i64,
    dana_cuvanja: i64,
}

#[derive(Serialize, ToSchema)]
struct ExportRegister {
    id: i64,
    naziv: String,
    #[schema(value_type = Vec<ExportForm>)]
    formulari: Jsonb<Vec<ExportForm>>,
}

#[derive(Serialize, serde::Deserialize, ToSchema)]
struct ExportForm {
    id: i64,
    naziv: String,
}

#[derive(Serialize, ToSchema)]
struct ExportInstitution {
    id: i64,
    naziv: String,
}

#[utoipa::path(get, path = "/api/data-export-options", tag = "izvoz", responses((status = 200, body = ExportOptions)))]
async fn options(State(state): State<AppState>, actor: Allowed<DataExport>) -> Result<Json<ExportOptions>> {
    let db = &state.db;
    let registers = sqlx::query_as!(
        ExportRegister,
        r#"select r.id, r.naziv,
                  (select coalesce(json_agg(json_build_object('id', f.id, 'naziv', f.naziv) order by f.prikazni_redosled, f.id), '[]')
                     from form f where f.registar_id = r.id and f.aktivan) as "formulari!: Jsonb<Vec<ExportForm>>"
             from register r where r.aktivan order by fold(r.naziv), r.id"#
    )
    .fetch_all(db)
    .await?;
    let institutions = sqlx::query_as!(
        ExportInstitution,
        "select u.id, u.naziv from institution u where u.aktivan and works_at($1, u.id) order by fold(u.naziv), u.id",
        actor.radnik_id
    )
    .fetch_all(db)
    .await?;
    let parameters = parameters::load(db).await?;
    Ok(Json(ExportOptions {
        registri: registers,
        ustanove: institutions,
        ustanova_id: actor.ustanova_id,
        identitet: actor.prava.open_patients(),
        najvise_redova: parameters.number(&EXPORT_ROWS).into(),
        dana_cuvanja: parameters.number(&EXPORT_DAYS).into(),
    }))
}

#[derive(Serialize, ToSchema)]
struct ExportFields {
    /// Those that hold a value, and the tabs and panels around them, in the order of the screen.
    polja: Vec<ExportField>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ExportField {
    id: i64,
    naziv: String,
    sifra: Option<String>,
    /// The tab or panel that it lies in.
    #[serde(rename = "naredjeniAUTS")]
    naredjeni_auts: Option<i64>,
    tva_num_vrednost: ValueType,
    /// A section that repeats: its rows leave together, in `redovi.csv`.
    sekcija: bool,
    /// What becomes of it without identity.
    bez_identiteta: UnnamedOutput,
    /// Nobody has marked it: its name looks so.
    po_nazivu: bool,
}

#[utoipa::path(get, path = "/api/data-export-options/{id}", tag = "izvoz", params(("id" = i64, Path)), responses((status = 200, body = ExportFields)))]
async fn form(State(state): State<AppState>, _: Allowed<DataExport>, Path(id): Path<i64>) -> Result<Json<ExportFields>> {
    let mut db = state.db.acquire().await?;
    let form = EntryForm::load(&mut db, id).await?;
    let unnamed = UnnamedFields::of(&mut *db, id).await?;
    let shown = form.fields.into_iter().filter(|field| field.holds_value() || field.tva_num_vrednost.holds_fields());
    let polja = shown.map(|field| ExportField {
        bez_identiteta: unnamed.get(field.id).map_or(UnnamedOutput::Izlazi, |field| field.unnamed),
        po_nazivu: unnamed.get(field.id).is_some_and(|field| field.guessed),
        id: field.id,
        sekcija: field.is_section(),
        naziv: field.naziv,
        sifra: field.sifra,
        naredjeni_auts: field.naredjeni_auts,
        tva_num_vrednost: field.tva_num_vrednost,
    });
    Ok(Json(ExportFields { polja: polja.collect() }))
}
