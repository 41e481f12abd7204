//! Of whom an indicator can be told, before it is kept: counted in the designer's own institution, as a report of that institution counts. Numbers
//! alone, of patients and entries whom the institution knows.

use std::time::Duration;

use accounts::{auth::Actor, rights::Allowed};
use axum::extract::State;
use configuration::crud::WriteAccess;
use domain::report_sql::{ReportSqlError, Scope, Value, session_binds};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    choice::{Choice, View},
    form_of,
    query::counts,
};
use crate::setup::{report::Report, report_definition::store};

const COUNTING: Duration = Duration::from_secs(20);

pub fn routes() -> Routes {
    Routes::new().routes(routes!(count))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct IndicatorCount {
    /// Of whom it should be told.
    podobni: i64,
    /// Of whom it can be told.
    imenilac: i64,
    /// For whom it is so.
    brojilac: i64,
    /// Entries that carry the values, and all that pass the conditions.
    unosa_sa_podacima: i64,
    unosa: i64,
}

/// In the institution that the worker works for now.
#[utoipa::path(post, path = "/api/reports/{id}/indicator-count", tag = "izvestaji", params(("id" = i64, Path)), request_body = Choice,
    responses((status = 200, body = IndicatorCount), (status = 422, description = "Polje i poruka"), (status = 503, description = "Brojanje traje predugo")))]
async fn count(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Report>>,
    Path(id): Path<i64>,
    Json(choice): Json<Choice>,
) -> Result<Json<IndicatorCount>> {
    let report = store::Report::find(&state.db, id).await?;
    // What the report itself would refuse is refused here.
    super::made(&state, &report, &choice).await?;
    of(&state, &actor, &choice).await.map(Json)
}

/// Refuses an indicator that can be told of nobody although there are entries: a value that nobody fills in makes no share.
pub async fn refuse_untellable(state: &AppState, actor: &Actor, choice: &Choice) -> Result<()> {
    if choice.prikaz != View::Indikator {
        return Ok(());
    }
    let found = of(state, actor, choice).await?;
    if found.unosa == 0 || found.unosa_sa_podacima > 0 {
        return Ok(());
    }
    Err(Error::invalid(
        "bezPodataka",
        format!(
            "Nijedan od {} unosa vaše ustanove nema vrednosti koje brojilac traži, pa udeo ne bi imao o kome da govori. Izaberite polja koja se \
             popunjavaju, ili potvrdite da indikator snimate unapred.",
            found.unosa
        ),
    ))
}

async fn of(state: &AppState, actor: &Actor, choice: &Choice) -> Result<IndicatorCount> {
    let form = form_of(state, choice).await?;
    let choice = Choice { period: false, ..choice.clone() };
    let sql = counts(&choice.against(&form, "ustanova")?)?;
    let institution = actor.ustanova()?;
    let scope = Scope { run: None, radnik_id: actor.radnik_id, ustanova_id: Some(institution) };
    let binds = session_binds(actor.radnik_id, institution, None);
    let found = state.report_db.small(scope, &sql, &binds, COUNTING, 1).await.map_err(|error| match error {
        ReportSqlError::Passing(error) => anyhow::Error::from(error).into(),
        ReportSqlError::NoIdentity(_) => {
            Error::refused("Indikator čita starost na dan pregleda, a vaše uloge ne otvaraju pacijente. Uklonite uslov starosti.")
        }
        ReportSqlError::Stopped | ReportSqlError::Interrupted => {
            Error::Unavailable("Indikator trenutno ne može da se prebroji: baza je zauzeta. Pokušajte ponovo za koji trenutak.".into())
        }
        error => anyhow::Error::from(error).into(),
    })?;
    let number = |place: usize| match found.rows.first().and_then(|row| row.get(place)) {
        Some(Value::Int(number)) => *number,
        _ => 0,
    };
    Ok(IndicatorCount { podobni: number(0), imenilac: number(1), brojilac: number(2), unosa_sa_podacima: number(3), unosa: number(4) })
}
