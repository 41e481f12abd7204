//! Options of set parameters: their query, run under the report role with the worker's scope and a short time.

use std::{collections::HashMap, collections::HashSet, time::Duration};

use axum::extract::State;
use domain::{
    fold::fold,
    report_sql::{
        NO_IDENTITY, OPTIONS_TIMEOUT, PATIENT_COLUMN, ParameterKind, ReportDb, ReportSqlError, Scope, Statement, UNGROUPED, Value,
        session_binds,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    definition::{Parameter, Report},
    scheduling::Kept,
    trail::{PATIENT_LINK, mask_numbers},
    values::{self, Asker},
};
use crate::{
    audit::{Look, look, told},
    error::{Error, Result},
    extract::{Json, Path, Query},
    rights::{Allowed, Reports},
    routes::{Routes, routes},
    state::AppState,
};

/// Options in one answer; a longer list is narrowed by the filter.
const MOST_OPTIONS: usize = 1_000;
/// Rows that each step of the cursor brings.
const BATCH: u32 = 2_000;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(options))
}

#[derive(Serialize, ToSchema)]
struct ParameterOptions {
    data: Vec<ParameterOption>,
    total: usize,
    /// There are more than these: narrow the filter.
    skraceno: bool,
}

#[derive(Debug, Serialize, ToSchema)]
struct ParameterOption {
    value: String,
    label: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OptionsQuery {
    /// A part of the label; case and diacritics do not count.
    #[serde(default)]
    filter: String,
    /// The register chosen by the worker, for queries that ask for `:registarID` in a report of any register.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    /// The schedule that is being edited: its institution's values are offered, not those of the worker's present one.
    #[serde(rename = "zakazivanjeID")]
    zakazivanje_id: Option<i64>,
}

#[utoipa::path(get, path = "/api/report-parameters/{id}/options", tag = "izvestaji", params(("id" = i64, Path), OptionsQuery), responses((status = 200, body = ParameterOptions)))]
async fn options(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Path(id): Path<i64>,
    Query(query): Query<OptionsQuery>,
) -> Result<Json<ParameterOptions>> {
    let report =
        sqlx::query_scalar!("select izvestaj_id from report_parameter where id = $1 and aktivan", id).fetch_optional(&state.db).await?;
    let report = Report::open_to(&state.db, &actor, report.ok_or(Error::NotFound)?).await?;
    let parameter =
        report.parametri.iter().find(|parameter| parameter.id == id && parameter.kind == ParameterKind::Set).ok_or(Error::NotFound)?;
    let kept = match query.zakazivanje_id {
        Some(schedule) => Some(Kept::load(&state.db, &actor, schedule).await?),
        None => None,
    };
    let register = report.registar_id.or(query.registar_id).or(kept.as_ref().and_then(|kept| kept.registar_id));
    let institution = match kept {
        Some(kept) => kept.ustanova_id,
        None => actor.ustanova()?,
    };
    let session = Asker { radnik_id: actor.radnik_id, ustanova_id: institution, registar_id: register };
    let Offered { data, skraceno, names_patients } =
        Options::new(&state.report_db, &report, session).matching(parameter, &query.filter).await?;
    let patients: Vec<i64> = match parameter.link.as_deref() {
        Some(PATIENT_LINK) => data.iter().filter_map(|option| option.value.trim().parse().ok()).collect(),
        _ => Vec::new(),
    };
    let unknown = names_patients && patients.len() < data.len();
    let mut polja = vec![told("Izveštaj", report.naziv.clone())];
    polja.extend((!query.filter.trim().is_empty()).then(|| told("Traženo", mask_numbers(query.filter.trim()))));
    polja.push(told("Rezultata", data.len()));
    let offered = Look {
        klasa: "report_parameter",
        akcija: "izbor vrednosti",
        red_id: Some(id.to_string()),
        opis: unknown.then(|| format!("Bez {PATIENT_COLUMN}: ne zna se koje je pacijente parametar ponudio.")),
        polja,
        pacijenti: &patients,
    };
    look(&state.db, &actor, &offered).await?;
    Ok(Json(ParameterOptions { total: data.len(), data, skraceno }))
}

/// The options of one answer.
struct Offered {
    data: Vec<ParameterOption>,
    skraceno: bool,
    /// The query reads who patients are.
    names_patients: bool,
}

/// Reads the options of one report's parameters on behalf of one worker.
pub struct Options<'a> {
    db: &'a ReportDb,
    session: Asker,
    /// `None`: the report shows every institution.
    ustanova_id: Option<i64>,
}

impl<'a> Options<'a> {
    pub fn new(db: &'a ReportDb, report: &Report, session: Asker) -> Self {
        let institution = (report.obim != "sve").then_some(session.ustanova_id);
        Self { db, session, ustanova_id: institution }
    }

    /// The options whose label holds `filter`, in the query's order.
    async fn matching(&self, parameter: &Parameter, filter: &str) -> Result<Offered> {
        let part = fold(filter.trim());
        let mut kept = Vec::new();
        let mut more = false;
        let names_patients = self
            .each(parameter, |option| {
                if part.is_empty() || fold(&option.label).contains(&part) {
                    more = kept.len() == MOST_OPTIONS;
                    if !more {
                        kept.push(option);
                    }
                }
                !more
            })
            .await?;
        Ok(Offered { data: kept, skraceno: more, names_patients })
    }

    /// The labels of these values; a value that the query does not offer has none.
    pub async fn labels(&self, parameter: &Parameter, values: &[String]) -> Result<HashMap<String, String>> {
        let mut wanted: HashSet<&str> = values.iter().map(String::as_str).collect();
        let mut labels = HashMap::new();
        self.each(parameter, |option| {
            if wanted.remove(option.value.as_str()) {
                labels.insert(option.value, option.label);
            }
            !wanted.is_empty()
        })
        .await?;
        Ok(labels)
    }

    /// Hands on one option after another until `take` has enough. A query that fails is a fault of the configuration,
    /// told to the worker at the parameter, and in detail to the log. Gives whether the query reads who patients are.
    async fn each(&self, parameter: &Parameter, take: impl FnMut(ParameterOption) -> bool) -> Result<bool> {
        let refuse = |why: &str| values::refuse(parameter, why);
        let upit = parameter.upit.as_deref().unwrap_or_default();
        // The server stops the statement by its own clock; this bounds all of its steps and the wait for a connection.
        match tokio::time::timeout(OPTIONS_TIMEOUT + Duration::from_secs(1), self.read(upit, take)).await {
            Ok(Ok(names_patients)) => Ok(names_patients),
            Ok(Err(ReportSqlError::Passing(error))) => Err(anyhow::Error::from(error).into()),
            // Neither is the fault of whoever fills the form in.
            Err(_) | Ok(Err(ReportSqlError::Stopped)) => {
                tracing::warn!(parameter = parameter.id, "the query of a parameter took too long");
                Err(unavailable(parameter, "baza je zauzeta ili upit predugo traje"))
            }
            Ok(Err(ReportSqlError::Interrupted)) => {
                tracing::warn!(parameter = parameter.id, "the query of a parameter was cancelled on the server");
                Err(unavailable(parameter, "upit je prekinut na serveru"))
            }
            Ok(Err(ReportSqlError::NoIdentity(_))) => Err(refuse(&format!("ne može da ponudi vrednosti: upit {NO_IDENTITY}"))),
            Ok(Err(ReportSqlError::Ungrouped)) => Err(refuse(&format!("ne može da ponudi vrednosti: upit {UNGROUPED}"))),
            Ok(Err(error)) => {
                tracing::warn!(parameter = parameter.id, cause = %error, "the query of a parameter failed");
                Err(refuse("ne može da ponudi vrednosti: upit nije ispravan."))
            }
        }
    }

    async fn read(&self, upit: &str, mut take: impl FnMut(ParameterOption) -> bool) -> Result<bool, ReportSqlError> {
        let statement = Statement::scan(upit)?;
        let binds = session_binds(self.session.radnik_id, self.session.ustanova_id, self.session.registar_id);
        let scope = Scope { run: None, radnik_id: self.session.radnik_id, ustanova_id: self.ustanova_id };
        let mut connection = self.db.open(scope, "regix-opcije", OPTIONS_TIMEOUT).await?;
        let outcome = async {
            let names_patients = connection.names_patients(&statement, &binds).await?;
            connection.declare(&statement, &binds, BATCH).await?;
            loop {
                let rows = connection.fetch().await?;
                let last = rows.len() < BATCH as usize;
                if !rows.into_iter().filter_map(option).all(&mut take) || last {
                    return Ok(names_patients);
                }
            }
        }
        .await;
        connection.close().await;
        outcome
    }
}

fn unavailable(parameter: &Parameter, why: &str) -> Error {
    Error::Unavailable(
        format!("Vrednosti za „{}” trenutno ne mogu da se ponude: {why}. Pokušajte ponovo za koji trenutak.", parameter.naziv).into(),
    )
}

/// The first column is the value, the second, if any, the label; a row without a value offers nothing.
fn option(row: Vec<Value>) -> Option<ParameterOption> {
    let mut cells = row.into_iter();
    let value = cells.next()?.into_text()?;
    let label = cells.next().and_then(Value::into_text).unwrap_or_else(|| value.clone());
    Some(ParameterOption { value, label })
}
