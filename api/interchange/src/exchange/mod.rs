//! Registers and forms as files: out, and in with a report of all that will change before anything is stored; copies of them; forms of
//! other systems (XLSForm, REDCap, FHIR) read into the same definition.

mod blocks;
mod booklet;
mod copy;
mod difference;
mod download;
mod export;
mod expression;
mod fhir;
mod file;
mod foreign;
mod import;
mod known_field;
mod own_types;
mod pending;
mod plans;
mod proof;
mod quality_rules;
mod redcap;
mod renames;
mod report;
pub mod source;
mod translation;
mod words;
mod workbook;
mod xlsform;

use accounts::rights::Allowed;
use axum::{
    extract::{DefaultBodyLimit, State},
    response::Response,
};
use configuration::{
    admin::{form::Form, register::Register},
    crud::WriteAccess,
};
use platform::{
    error::{Error, Result},
    extract::{Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use utoipa::IntoParams;

use self::{
    download::{JSON, PDF, TOML, XLSX, attachment},
    export::Part,
};
use crate::import::definition::{Definition, code};

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(register_file))
        .routes(routes!(form_file))
        .merge(copy::routes())
        .merge(blocks::routes().layer(DefaultBodyLimit::max(source::LONGEST_BODY)))
        .merge(import::routes().layer(DefaultBodyLimit::max(source::LONGEST_BODY)))
}

/// The register as a file, with all that its forms, fields and types are configured to.
#[utoipa::path(get, path = "/api/registers/{id}/definition", responses((status = 200, body = String, content_type = "application/toml")))]
async fn register_file(State(state): State<AppState>, _: Allowed<WriteAccess<Register>>, Path(id): Path<i64>) -> Result<Response> {
    let definition = export::load(&mut *state.db.acquire().await?, Part::Whole(id)).await?;
    let own = definition.register.as_ref().ok_or(Error::NotFound)?;
    Ok(attachment(code(&own.sifra).unwrap_or(&own.naziv), TOML, file::text(&definition)))
}

#[derive(Deserialize, IntoParams)]
struct FormFile {
    /// `fhir` for a FHIR Questionnaire (R4), `xlsx` for a blank form with its codebook, `pdf` for the blank form alone and `sifarnik` for
    /// the codebook alone, both as PDF; otherwise TOML.
    oblik: Option<String>,
}

/// One form as a file: without its register, into which another may be brought.
#[utoipa::path(get, path = "/api/forms/{id}/definition", params(FormFile),
    responses((status = 200, content((String = "application/toml"), (String = "application/fhir+json"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"), (Vec<u8> = "application/pdf")))))]
async fn form_file(
    State(state): State<AppState>,
    _: Allowed<WriteAccess<Form>>,
    Path(id): Path<i64>,
    Query(asked): Query<FormFile>,
) -> Result<Response> {
    let definition = export::load(&mut *state.db.acquire().await?, Part::Form(id)).await?;
    let name = name_of(&definition)?;
    match asked.oblik.as_deref() {
        None | Some("toml") => Ok(attachment(&name, TOML, file::text(&definition))),
        Some("fhir") => Ok(attachment(&name, JSON, fhir::questionnaire(&definition, &edition(&state, id).await?)?)),
        Some("xlsx") => Ok(attachment(&name, XLSX, workbook::bytes(&definition)?)),
        Some("pdf") => Ok(attachment(&format!("{name} formular"), PDF, booklet::blank(&definition)?)),
        Some("sifarnik") => Ok(attachment(&format!("{name} sifarnik"), PDF, booklet::codebook(&definition)?)),
        Some(_) => Err(Error::invalid("oblik", "Oblik može biti toml, fhir, xlsx, pdf ili sifarnik.")),
    }
}

/// The version that an entry of today gets: the newest, or the one after it where the form is another now.
async fn edition(state: &AppState, form: i64) -> Result<fhir::Edition> {
    let row = sqlx::query!(
        r#"select coalesce(r.sifra, r.naziv) as "register!", v.broj as "broj?", to_char(v.napravljena, 'YYYY-MM-DD') as "dan?",
                  v.otisak = form_today_fingerprint(f.id) as "is_newest?"
             from form f
             join register r on r.id = f.registar_id
             left join lateral (select broj, napravljena, otisak from form_version where form_id = f.id order by broj desc limit 1) v on true
            where f.id = $1"#,
        form
    )
    .fetch_one(&state.db)
    .await?;
    let is_newest = row.is_newest == Some(true);
    let version = row.broj.unwrap_or_default() + i32::from(!is_newest);
    Ok(fhir::Edition { register: row.register, version: Some(version), date: row.dan.filter(|_| is_newest) })
}

fn name_of(definition: &Definition) -> Result<String> {
    let form = definition.forms.first().ok_or(Error::NotFound)?;
    Ok(code(&form.sifra_veza).unwrap_or(&form.naziv).to_owned())
}
