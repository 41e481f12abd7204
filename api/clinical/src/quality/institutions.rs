//! The quality of a register's data over all institutions, one row for each: for whoever makes the rules of the register. It is read as a report
//! over all institutions is, so that the rule of small groups holds here as there (decision 0069), and names no patient.

use std::time::Duration;

use accounts::rights::{Allowed, QualitySetup};
use axum::extract::State;
use domain::{
    parameters::{self, LEAST_GROUP},
    report_sql::{Bind, Binds, ReportSqlError, Scope, Statement, Value, session_binds},
};
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::EntryDays;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(of_all))
}

const READING: Duration = Duration::from_secs(20);
/// More institutions than a country has.
const MOST: u32 = 2_000;

/// Counts of a cell whose patients are few are blank, and so is the row of an institution that has few.
const SQL: &str = r#"
with izabrani as (
    select u.id, u.pacijent_id, u.ustanova_id, u.popunjeni_relevantni
      from report.unos u
     where u.registar_id = :registar::bigint
       and u.datum_unosa >= coalesce(:od::date, '-infinity') and u.datum_unosa <= coalesce(:do::date, 'infinity')
), nalazi as (
    select n.unos_id, count(*) as otvoreni from report.nalaz n where n.stanje = 'otvoren' group by n.unos_id
), upiti as (
    select q.unos_id, count(*) as otvoreni from report.upit q where q.stanje <> 'zatvoren' group by q.unos_id
)
select s.id as ustanova_id, s.naziv as ustanova, count(*) as unosi,
       count(*) filter (where i.popunjeni_relevantni) as potpuni,
       coalesce(sum(n.otvoreni), 0)::bigint as nalazi,
       coalesce(sum(q.otvoreni), 0)::bigint as upiti,
       array_agg(distinct i.pacijent_id) as grupa_pacijenata,
       array_agg(distinct i.pacijent_id) filter (where not i.popunjeni_relevantni) as "grupa_pacijenata potpuni",
       array_agg(distinct i.pacijent_id) filter (where n.otvoreni > 0) as "grupa_pacijenata nalazi",
       array_agg(distinct i.pacijent_id) filter (where q.otvoreni > 0) as "grupa_pacijenata upiti"
  from izabrani i
  join report.ustanova s on s.id = i.ustanova_id
  left join nalazi n on n.unos_id = i.id
  left join upiti q on q.unos_id = i.id
 group by s.id, s.naziv
 order by s.naziv collate "sr-Latn-x-icu", s.id
"#;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct InstitutionsQuality {
    /// An institution with few patients has no row, the own one neither.
    data: Vec<InstitutionQuality>,
    /// So many patients of others a number has behind it at least.
    najmanje: i32,
}

/// None: few patients are behind the number.
#[derive(Serialize, ToSchema)]
struct InstitutionQuality {
    id: i64,
    naziv: String,
    unosa: i64,
    /// Entries without a relevant blank.
    potpunih: Option<i64>,
    nalaza: Option<i64>,
    upita: Option<i64>,
}

/// Completeness, findings and questions of each institution in a register.
#[utoipa::path(get, path = "/api/data-quality/institutions", params(EntryDays), responses((status = 200, body = InstitutionsQuality)))]
async fn of_all(
    State(state): State<AppState>,
    actor: Allowed<QualitySetup>,
    Query(query): Query<EntryDays>,
) -> Result<Json<InstitutionsQuality>> {
    let institution = actor.ustanova()?;
    let mut binds = session_binds(actor.radnik_id, institution, Some(query.registar_id));
    binds.extend([
        ("registar".to_owned(), Bind::Int(Some(query.registar_id))),
        ("od".to_owned(), Bind::Date(query.od)),
        ("do".to_owned(), Bind::Date(query.do_dana)),
    ]);
    let rows = read(&state, actor.radnik_id, institution, &binds).await.map_err(|error| match error {
        ReportSqlError::Stopped | ReportSqlError::Interrupted => Error::Unavailable(
            "Kvalitet svih ustanova trenutno ne može da se prebroji: baza je zauzeta. Pokušajte ponovo za koji trenutak.".into(),
        ),
        error => anyhow::Error::from(error).into(),
    })?;
    let najmanje = parameters::load(&state.db).await?.number(&LEAST_GROUP);
    Ok(Json(InstitutionsQuality { data: rows.iter().filter_map(|row| told(row)).collect(), najmanje }))
}

/// Whom the worker's institution knows is no stranger to it.
async fn read(state: &AppState, worker: i64, institution: i64, binds: &Binds) -> std::result::Result<Vec<Vec<Value>>, ReportSqlError> {
    let statement = Statement::scan(SQL)?;
    let scope = Scope { run: None, radnik_id: worker, ustanova_id: None };
    let mut session = state.report_db.open(scope, "regix-kvalitet", READING).await?;
    session.asked_from(institution);
    let rows = async {
        session.declare(&statement, binds, MOST).await?;
        session.fetch().await
    }
    .await;
    session.close().await;
    rows
}

fn told(row: &[Value]) -> Option<InstitutionQuality> {
    let number = |place: usize| match row.get(place)? {
        Value::Int(number) => Some(*number),
        _ => None,
    };
    let Value::Text(naziv) = row.get(1)? else { return None };
    Some(InstitutionQuality {
        id: number(0)?,
        naziv: naziv.clone(),
        unosa: number(2)?,
        potpunih: number(3),
        nalaza: number(4),
        upita: number(5),
    })
}
