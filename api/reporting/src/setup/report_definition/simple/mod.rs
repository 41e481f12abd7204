//! A report without SQL: its designer chooses a form, conditions, groups and measures, and the server writes the query and the template,
//! which are checked, kept, published and run as any others. The choice is kept beside them.

pub(crate) mod choice;
mod feasibility;
mod file;
pub(crate) mod form;
mod indicator;
pub(crate) mod literal;
pub(crate) mod query;
pub(crate) mod searches;
mod sheet;

use accounts::rights::Allowed;
use axum::extract::State;
use configuration::crud::{ReadAccess, WriteAccess};
use domain::text;
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    check::{self, Check},
    kept::{SavedReportVersion, keep},
    store::{self, NewVersion, PERIOD, Texts},
};
use crate::setup::report::Report;

use choice::Choice;
use form::{Form, Register};

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(registers))
        .routes(routes!(form))
        .routes(routes!(check_choice))
        .routes(routes!(save))
        .merge(feasibility::routes())
        .merge(file::routes())
}

#[utoipa::path(get, path = "/api/simple-report-registers", tag = "izvestaji", responses((status = 200, body = [Register])))]
async fn registers(State(state): State<AppState>, _: Allowed<ReadAccess<Report>>) -> Result<Json<Vec<Register>>> {
    Ok(Json(form::registers(&state.db).await?))
}

#[utoipa::path(get, path = "/api/simple-report-forms/{id}", tag = "izvestaji", params(("id" = i64, Path)), responses((status = 200, body = Form)))]
async fn form(State(state): State<AppState>, _: Allowed<ReadAccess<Report>>, Path(id): Path<i64>) -> Result<Json<Form>> {
    form::find(&state.db, id).await.map(Json)
}

/// What was made of a choice, and what is wrong with it.
#[derive(Serialize, ToSchema)]
struct SimpleReportCheck {
    upit: String,
    sablon: String,
    provera: Check,
}

/// What would be made of the choice; nothing is kept.
#[utoipa::path(post, path = "/api/reports/{id}/simple-definition-check", tag = "izvestaji", params(("id" = i64, Path)), request_body = Choice,
    responses((status = 200, body = SimpleReportCheck), (status = 422, description = "Polje i poruka")))]
async fn check_choice(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Report>>,
    Path(id): Path<i64>,
    Json(choice): Json<Choice>,
) -> Result<Json<SimpleReportCheck>> {
    let report = store::Report::find(&state.db, id).await?;
    let texts = made(&state, &report, &choice).await?;
    let provera = check::check_with(&state, &actor, &report, &texts, own_parameters(&choice)).await?;
    Ok(Json(SimpleReportCheck { upit: texts.upit, sablon: texts.sablon, provera }))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewSimpleReportVersion {
    izbor: Choice,
    /// What was changed, for those who look later.
    #[serde(default, deserialize_with = "text::optional")]
    napomena: Option<String>,
    /// The newest version when the writing began.
    osnova: i32,
    /// An indicator is kept although it can be told of nobody yet.
    #[serde(default)]
    bez_podataka: bool,
}

/// Keeps the choice, with what is made of it, as a new version. A period that is asked for the first time becomes parameters.
#[utoipa::path(post, path = "/api/reports/{id}/simple-definitions", tag = "izvestaji", params(("id" = i64, Path)), request_body = NewSimpleReportVersion,
    responses((status = 200, body = SavedReportVersion), (status = 409, description = "Neko je u međuvremenu snimio noviju verziju"), (status = 422, description = "Polje i poruka")))]
async fn save(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Report>>,
    Path(id): Path<i64>,
    Json(new): Json<NewSimpleReportVersion>,
) -> Result<Json<SavedReportVersion>> {
    let report = store::Report::find(&state.db, id).await?;
    let izbor = new.izbor.tidied();
    let texts = made(&state, &report, &izbor).await?;
    if !new.bez_podataka {
        feasibility::refuse_untellable(&state, &actor, &izbor).await?;
    }
    let kept = serde_json::to_value(&izbor).map_err(anyhow::Error::from)?;
    let version =
        NewVersion { texts: &texts, izbor: Some(&kept), napomena: new.napomena.as_deref(), osnova: new.osnova, period: izbor.period };
    keep(&state, &actor, &report, version).await
}

/// The query and the template of a choice, which is held against its form and against the report.
async fn made(state: &AppState, report: &store::Report, choice: &Choice) -> Result<Texts> {
    if report.registar_id.is_some_and(|id| id != choice.registar_id) {
        return Err(Error::invalid("registarID", "Ovaj izveštaj je vezan za drugi registar."));
    }
    let form = form_of(state, choice).await?;
    let chosen = choice.against(&form, &report.obim)?;
    let texts = Texts { upit: query::query(&chosen), sablon: sheet::sheet(&chosen) };
    texts.refuse_too_long()?;
    Ok(texts)
}

async fn form_of(state: &AppState, choice: &Choice) -> Result<Form> {
    form::find(&state.db, choice.tip_unosa_id).await.map_err(|error| match error {
        Error::NotFound => Error::invalid("tipUnosaID", "Izabrani formular više ne postoji. Izaberite drugi."),
        other => other,
    })
}

/// Parameters that saving would add.
fn own_parameters(choice: &Choice) -> &'static [&'static str] {
    if choice.period { &PERIOD } else { &[] }
}
