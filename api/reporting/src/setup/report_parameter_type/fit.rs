//! Whether a type of report parameters fits: its query, and the defaults of its parameters.

use std::time::Duration;

use accounts::auth::Actor;
use configuration::admin::queries;
use domain::report_sql::{OPTIONS_TIMEOUT, ParameterKind, ReportSqlError, Scope, Statement, session_binds};
use platform::{
    error::{Error, Result},
    state::AppState,
};
use sqlx::PgConnection;

use super::Input;
use crate::reports::{defaults, trail::PATIENT_LINK};

const UNKNOWN_PATIENTS: &str = "Upit čita ko su pacijenti. Upišite vezu „pacijent”, a prva kolona upita neka bude broj pacijenta: po njoj \
                                evidencija uvida zna koga je parametar ponudio.";

const READS: &str = "prva kolona je vrednost, a druga naziv";

/// A kind that does not take the defaults which the parameters of the type have: they are changed first.
pub async fn refuse_of_defaults(tx: &mut PgConnection, id: i64, input: &Input) -> Result<()> {
    let Some(kind) = input.tip_recnika else { return Ok(()) };
    let parameters = sqlx::query!(
        r#"select p.naziv || ' (' || i.naziv || ')' as "naziv!", p.podrazumevano as "podrazumevano!" from report_parameter p
             join report i on i.id = p.izvestaj_id and i.aktivan where p.tip_id = $1 and p.aktivan and p.podrazumevano is not null order by 1"#,
        id
    );
    let faults =
        parameters.fetch_all(tx).await?.into_iter().filter_map(|one| Some((one.naziv, defaults::fault(kind, &one.podrazumevano)?)));
    match faults.into_iter().next() {
        Some((naziv, fault)) => {
            Err(Error::invalid("tipRecnika", format!("Prvo izmenite podrazumevanu vrednost parametra „{naziv}”. {fault}")))
        }
        None => Ok(()),
    }
}

/// The server plans the query as it does where its options are asked for. Those that name patients have patients as their values: by them
/// the record of looks knows who was offered.
pub async fn refuse_unplanned(state: &AppState, actor: &Actor, input: &Input) -> Result<()> {
    let (Some(ParameterKind::Set), Some(upit)) = (input.tip_recnika, &input.upit) else { return Ok(()) };
    let Ok(statement) = Statement::scan(upit) else { return Ok(()) };
    let institution = actor.ustanova_id.unwrap_or_default();
    let scope = Scope { run: None, radnik_id: actor.radnik_id, ustanova_id: Some(institution) };
    let binds = session_binds(actor.radnik_id, institution, None);
    if let Some(fault) = queries::unknown_bind(&statement, &binds) {
        return Err(Error::invalid("upit", fault));
    }
    let planned = state.report_db.plan(scope, "regix-provera", OPTIONS_TIMEOUT, &statement, &binds);
    let planned = tokio::time::timeout(OPTIONS_TIMEOUT + Duration::from_secs(1), planned).await;
    let planned = match planned.unwrap_or(Err(ReportSqlError::Stopped)) {
        Ok(planned) => planned,
        Err(error) => return Err(Error::invalid("upit", queries::told(error)?)),
    };
    if let Some(fault) = queries::fault_of_columns(&planned.columns, 2, READS) {
        return Err(Error::invalid("upit", fault));
    }
    if planned.names_patients && input.link.as_deref() != Some(PATIENT_LINK) {
        return Err(Error::invalid("link", UNKNOWN_PATIENTS));
    }
    Ok(())
}

/// What the server itself knows of a request.
const SERVERS_VALUES: [&str; 3] = ["radnikID", "ustanovaID", "registarID"];

/// One statement, or a known name.
pub fn validate_query(input: &Input) -> Result<()> {
    let upit = input.upit.as_deref();
    match (input.tip_recnika, upit) {
        (Some(ParameterKind::Set), None) => Err(Error::invalid("upit", "Niste uneli upit.")),
        (Some(ParameterKind::Set), Some(upit)) => match Statement::scan(upit) {
            Ok(_) => Ok(()),
            Err(fault) => Err(Error::invalid("upit", format!("Upit nije ispravan: {}", fault.in_serbian()))),
        },
        (Some(ParameterKind::DynamicHidden), upit) if !upit.is_some_and(|name| SERVERS_VALUES.contains(&name)) => {
            Err(Error::invalid("upit", "Upit mora biti radnikID, ustanovaID ili registarID."))
        }
        _ => Ok(()),
    }
}
