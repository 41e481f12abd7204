//! Types of report parameters (B §2.11): their widget, and the query behind it.

use std::time::Duration;

use domain::{
    register::rules,
    report_sql::{OPTIONS_TIMEOUT, ParameterKind, ReportSqlError, Scope, Statement, session_binds},
};
use jiff::civil::Date;
use sqlx::PgConnection;

use crate::{
    admin::{queries, usage::Places},
    auth::Actor,
    crud::{self, NoScope, Resource},
    error::{Error, Result},
    reports::{defaults, trail::PATIENT_LINK},
    rights::Right,
    state::AppState,
};

const UNKNOWN_PATIENTS: &str = "Upit čita ko su pacijenti. Upišite vezu „pacijent”, a prva kolona upita neka bude broj pacijenta: po njoj \
                                evidencija uvida zna koga je parametar ponudio.";

const READS: &str = "prva kolona je vrednost, a druga naziv";

pub struct ReportParameterType;

crud::fields! {
    shown as ReportParameterType, sent as ReportParameterTypeInput;
    text naziv: String,
    /// 1 textual, 2 date, 3 hidden, 4 set, 5 numeric, 6 dynamic hidden.
    needed tip_recnika: ParameterKind as i16,
    shown tip_recnika_naziv: String,
    shown sql_num_vrednost: i16,
    /// Of a set: the query of its options. Of a dynamic hidden one: radnikID, ustanovaID or registarID.
    text upit: Option<String>,
    text link: Option<String>,
    /// Whether the parameter's value is written to the log.
    logged: bool,
}

impl Resource for ReportParameterType {
    crud::resource!("report-parameter-types", table "report_parameter_type", scope NoScope, right Right::ReportSetup);

    crud::selected! {
        select r#"id, naziv, tip_recnika as "tip_recnika: ParameterKind", tip_recnika_naziv, sql_num_vrednost as "sql_num_vrednost!", upit,
                   link, logged, aktivan, verzija"#,
        from "(select t.*, k.naziv as tip_recnika_naziv
                 from report_parameter_type t join report_parameter_kind k on k.num_vrednost = t.tip_recnika)",
        columns [text "naziv", text "tip_recnika_naziv", number "sql_num_vrednost", text "upit", yes_no "logged"],
        searched "naziv, tip_recnika_naziv, upit", then "naziv"
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([
            (input.naziv.is_empty(), "naziv", rules::NO_NAME),
            (input.tip_recnika.is_none(), "tipRecnika", "Niste izabrali tip rečnika."),
        ])?;
        validate_query(input)
    }

    const EXAMINED: &'static [&'static str] = &["tipRecnika", "upit", "link"];

    async fn examine(state: &AppState, actor: &Actor, input: &Input) -> Result<()> {
        refuse_unplanned(state, actor, input).await
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        refuse_of_defaults(&mut *tx, id, &input).await?;
        crud::update_row::<Self>(tx, id, &input).await
    }

    async fn usages(tx: &mut PgConnection, _: &Actor, _: &AppState, id: i64) -> Result<Vec<String>> {
        let names = sqlx::query_scalar!(
            r#"select p.naziv || ' (' || i.naziv || ')' as "name!" from report_parameter p
                 join report i on i.id = p.izvestaj_id and i.aktivan where p.tip_id = $1 and p.aktivan order by 1"#,
            id
        );
        Ok(Places::default().named("tip je parametra ", &names.fetch_all(tx).await?).all())
    }
}

/// A kind that does not take the defaults which the parameters of the type have: they are changed first.
async fn refuse_of_defaults(tx: &mut PgConnection, id: i64, input: &Input) -> Result<()> {
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
async fn refuse_unplanned(state: &AppState, actor: &Actor, input: &Input) -> Result<()> {
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
fn validate_query(input: &Input) -> Result<()> {
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
