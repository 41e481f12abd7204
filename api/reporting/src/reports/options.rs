//! Options of set parameters: their query, run under the report role with the worker's scope and a short time.

use std::{collections::HashMap, collections::HashSet, time::Duration};

use accounts::{
    audit::{Look, look_of, told},
    rights::{Allowed, Reports},
};
use axum::extract::State;
use domain::{
    fold::fold,
    report_sql::{
        Binds, NO_IDENTITY, NamedPatients, OPTIONS_TIMEOUT, ParameterKind, PatientOf, ReportSqlError, Scope, Session, Statement, UNGROUPED,
        Value, session_binds,
    },
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    number_mask::mask_numbers,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    definition::{Parameter, Report},
    scheduling::ScheduleScope,
    trail::PATIENT_LINK,
    values::{self, Asker},
};

/// Options in one answer; a longer list is narrowed by the filter.
const MOST_OPTIONS: usize = 1_000;
/// Rows that each step of the cursor brings.
const BATCH: u32 = 2_000;

/// Said in the log.
const UNPROVEN: &str = "Ne može se dokazati koje pacijente vrednosti imenuju: upisani su svi koje je parametar mogao da pokaže, osim onih koji \
                        su za njega već upisani u poslednjih sat vremena.";

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

#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
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
        Some(schedule) => Some(ScheduleScope::load(&state.db, &actor, schedule).await?),
        None => None,
    };
    let register = report.registar_id.or(query.registar_id).or(kept.as_ref().and_then(|kept| kept.registar_id));
    let institution = match kept {
        Some(kept) => kept.ustanova_id,
        None => actor.ustanova()?,
    };
    let session = Asker { radnik_id: actor.radnik_id, ustanova_id: institution, registar_id: register };
    let options = Options::new(&state, &report, session);
    let OfferedOptions { data, skraceno, named } = options.matching(parameter, &query.filter).await?;
    let mut polja = vec![told("Izveštaj", report.naziv.clone())];
    polja.extend((!query.filter.trim().is_empty()).then(|| told("Traženo", mask_numbers(query.filter.trim()))));
    polja.push(told("Rezultata", data.len()));
    options.record(parameter, named, polja).await?;
    Ok(Json(ParameterOptions { total: data.len(), data, skraceno }))
}

/// The options of one answer.
struct OfferedOptions {
    data: Vec<ParameterOption>,
    skraceno: bool,
    named: NamedPatients,
}

/// What becomes of an option.
enum Choice {
    Take,
    Leave,
    /// Neither this nor any later one is wanted.
    End,
}

/// Reads the options of one report's parameters on behalf of one worker.
pub struct Options<'a> {
    state: &'a AppState,
    session: Asker,
    izvestaj: &'a str,
    /// `None`: the report shows every institution.
    ustanova_id: Option<i64>,
}

impl<'a> Options<'a> {
    pub fn new(state: &'a AppState, report: &'a Report, session: Asker) -> Self {
        let institution = (report.obim != "sve").then_some(session.ustanova_id);
        Self { state, session, izvestaj: &report.naziv, ustanova_id: institution }
    }

    /// The options whose label holds `filter`, in the query's order.
    async fn matching(&self, parameter: &Parameter, filter: &str) -> Result<OfferedOptions> {
        let part = fold(filter.trim());
        let mut taken = 0;
        self.offered(parameter, |option| {
            if !part.is_empty() && !fold(&option.label).contains(&part) {
                return Choice::Leave;
            }
            if taken == MOST_OPTIONS {
                return Choice::End;
            }
            taken += 1;
            Choice::Take
        })
        .await
    }

    /// The labels of these values; a value that the query does not offer has none. Whom they name the row of the run tells, where it can
    /// by their values.
    pub async fn labels(&self, parameter: &Parameter, values: &[String]) -> Result<HashMap<String, String>> {
        let mut wanted: HashSet<&str> = values.iter().map(String::as_str).collect();
        let offered = self.offered(parameter, |option| match (wanted.is_empty(), wanted.remove(option.value.as_str())) {
            (true, _) => Choice::End,
            (false, true) => Choice::Take,
            (false, false) => Choice::Leave,
        });
        let OfferedOptions { data, named, .. } = offered.await?;
        if !(named.patients.is_empty() || named.proven && is_of_patients(parameter)) {
            self.record(parameter, named, vec![told("Izveštaj", self.izvestaj), told("Rezultata", data.len())]).await?;
        }
        Ok(data.into_iter().map(|option| (option.value, option.label)).collect())
    }

    /// Writes whom the options have named. Where nobody can say, that is everybody; whom a row of the last hour has already is not written at each
    /// letter that is typed.
    async fn record(&self, parameter: &Parameter, mut named: NamedPatients, polja: Vec<serde_json::Value>) -> Result<()> {
        let parameter_id = parameter.id.to_string();
        if !named.proven {
            let recent = sqlx::query_scalar!(
                "select p.pacijent_id from audit_log l join audit_log_patient p on p.vreme_pristupa = l.vreme_pristupa and p.log_id = l.id
                  where l.klasa = 'report_parameter' and l.red_id = $1 and l.radnik_id = $2 and l.vreme_pristupa > now() - interval '1 hour'",
                parameter_id,
                self.session.radnik_id
            );
            for patient in recent.fetch_all(&self.state.db).await? {
                named.patients.remove(&patient);
            }
        }
        let patients: Vec<i64> = named.patients.into_iter().collect();
        let offered = Look {
            klasa: "report_parameter",
            akcija: "izbor vrednosti",
            red_id: Some(parameter_id),
            opis: (!named.proven).then(|| UNPROVEN.to_owned()),
            polja,
            pacijenti: &patients,
        };
        look_of(&self.state.db, self.session.radnik_id, Some(self.session.ustanova_id), &offered).await?;
        Ok(())
    }

    /// Those that `choose` takes. A query that fails is a fault of the configuration, told to the worker at the parameter, and in detail
    /// to the log.
    async fn offered(&self, parameter: &Parameter, choose: impl FnMut(&ParameterOption) -> Choice) -> Result<OfferedOptions> {
        let refuse = |why: &str| values::refuse(parameter, why);
        // The server stops the statement by its own clock; this bounds all of its steps and the wait for a connection.
        match tokio::time::timeout(OPTIONS_TIMEOUT + Duration::from_secs(1), self.read(parameter, choose)).await {
            Ok(Ok(offered)) => Ok(offered),
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

    async fn read(&self, parameter: &Parameter, choose: impl FnMut(&ParameterOption) -> Choice) -> Result<OfferedOptions, ReportSqlError> {
        let statement = Statement::scan(parameter.upit.as_deref().unwrap_or_default())?;
        let binds = session_binds(self.session.radnik_id, self.session.ustanova_id, self.session.registar_id);
        let scope = Scope { run: None, radnik_id: self.session.radnik_id, ustanova_id: self.ustanova_id };
        let mut connection = self.state.report_db.open(scope, "regix-opcije", OPTIONS_TIMEOUT).await?;
        connection.asked_from(self.session.ustanova_id);
        let offered = offer(&mut connection, &statement, &binds, is_of_patients(parameter), choose).await;
        connection.close().await;
        offered
    }
}

fn is_of_patients(parameter: &Parameter) -> bool {
    parameter.link.as_deref() == Some(PATIENT_LINK)
}

/// Reads as many as `choose` wants, and whom those that it takes may name; `of_patients`: their values are patients.
async fn offer(
    session: &mut Session,
    statement: &Statement,
    binds: &Binds,
    of_patients: bool,
    mut choose: impl FnMut(&ParameterOption) -> Choice,
) -> Result<OfferedOptions, ReportSqlError> {
    session.follow(statement, binds, if of_patients { PatientOf::First } else { PatientOf::Column }).await?;
    session.declare(statement, binds, BATCH).await?;
    let (mut data, mut skraceno) = (Vec::new(), false);
    while !skraceno {
        let rows = session.fetch().await?;
        let last = rows.len() < BATCH as usize;
        for option in rows.into_iter().filter_map(option) {
            match choose(&option) {
                Choice::Take => data.push(option),
                Choice::Leave => {}
                Choice::End => {
                    skraceno = true;
                    break;
                }
            }
        }
        if last {
            break;
        }
    }
    let own = || -> HashSet<i64> { data.iter().filter_map(|option| option.value.trim().parse().ok()).collect() };
    let named = match session.named().await? {
        None => NamedPatients { patients: if of_patients { own() } else { HashSet::new() }, proven: true },
        Some(named) if named.proven && of_patients && own().is_subset(&named.patients) => {
            // The whole list names nobody but its own patients; that these rows name nobody but theirs is asked of them alone.
            let own = own();
            let mut awaited = data.iter().peekable();
            let all = session.each_naming_only(own.iter().copied(), statement, binds, |row| {
                let _ = awaited.next_if(|next| option(row).as_ref() == Some(*next));
            });
            let all = all.await?;
            if all && awaited.next().is_none() { NamedPatients { patients: own, proven: true } } else { named }
        }
        Some(named) => named,
    };
    Ok(OfferedOptions { data, skraceno, named })
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
