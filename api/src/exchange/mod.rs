//! Registers and forms as files: out, and in with a report of all that will change before anything is stored; copies of them; forms of
//! other systems (XLSForm, REDCap, FHIR) read into the same definition.

mod copy;
mod difference;
mod export;
mod expression;
mod fhir;
mod file;
mod foreign;
mod import;
mod own_types;
mod pending;
mod proof;
mod redcap;
mod report;
mod source;
mod translate;
mod translation;
mod words;
mod xlsform;

use axum::{
    extract::{DefaultBodyLimit, State},
    http::header,
    response::{IntoResponse, Response},
};
use domain::file_name::slug;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use self::export::Part;
use crate::{
    admin::{form::Form, register::Register},
    crud::Write,
    error::{Error, Result},
    extract::{Path, Query},
    import::definition::{Definition, code},
    rights::Allowed,
    state::AppState,
};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(register_file))
        .routes(routes!(form_file))
        .merge(copy::routes())
        .merge(import::routes().layer(DefaultBodyLimit::max(source::LONGEST_BODY)))
}

const TOML: (&str, &str) = ("toml", "application/toml; charset=utf-8");
const JSON: (&str, &str) = ("json", "application/fhir+json; charset=utf-8");

/// The register as a file, with all that its forms, fields and types are configured to.
#[utoipa::path(get, path = "/api/registers/{id}/definition", responses((status = 200, body = String, content_type = "application/toml")))]
async fn register_file(State(state): State<AppState>, _: Allowed<Write<Register>>, Path(id): Path<i64>) -> Result<Response> {
    let definition = export::load(&mut *state.db.acquire().await?, Part::Whole(id)).await?;
    let own = definition.register.as_ref().ok_or(Error::NotFound)?;
    Ok(attachment(code(&own.sifra).unwrap_or(&own.naziv), TOML, file::text(&definition)))
}

#[derive(Deserialize, IntoParams)]
struct FormFile {
    /// `fhir` for a FHIR Questionnaire (R4); otherwise TOML.
    oblik: Option<String>,
}

/// One form as a file: without its register, into which another may be brought.
#[utoipa::path(get, path = "/api/forms/{id}/definition", params(FormFile),
    responses((status = 200, content((String = "application/toml"), (String = "application/fhir+json")))))]
async fn form_file(
    State(state): State<AppState>,
    _: Allowed<Write<Form>>,
    Path(id): Path<i64>,
    Query(asked): Query<FormFile>,
) -> Result<Response> {
    let definition = export::load(&mut *state.db.acquire().await?, Part::Form(id)).await?;
    let name = name_of(&definition)?;
    match asked.oblik.as_deref() {
        None | Some("toml") => Ok(attachment(&name, TOML, file::text(&definition))),
        Some("fhir") => Ok(attachment(&name, JSON, fhir::questionnaire(&definition)?)),
        Some(_) => Err(Error::invalid("oblik", "Oblik može biti toml ili fhir.")),
    }
}

fn name_of(definition: &Definition) -> Result<String> {
    let form = definition.forms.first().ok_or(Error::NotFound)?;
    Ok(code(&form.sifra_veza).unwrap_or(&form.naziv).to_owned())
}

fn attachment(name: &str, (extension, content_type): (&str, &str), text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}.{extension}\"", slug(name))),
    ];
    (headers, text).into_response()
}
