//! Whom a cohort has: counted as it is chosen, and kept where it is frozen.

use std::time::Duration;

use accounts::auth::Actor;
use domain::report_sql::{ReportSqlError, Scope, Small, Value, session_binds};
use platform::{
    error::{Error, Result},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{cohort::CohortSource, query};

const COUNTING: Duration = Duration::from_secs(20);
const MOST_FROZEN: u32 = 200_000;

#[derive(Serialize, ToSchema)]
pub struct CohortCount {
    pacijenata: i64,
    unosa: i64,
}

/// An entry that a cohort reads.
pub struct Member {
    pub unos_id: i64,
    /// Whether it is one of its rows.
    pub clan: bool,
}

pub async fn count(state: &AppState, actor: &Actor, cohort: &CohortSource) -> Result<CohortCount> {
    let found = read(state, actor, &query::counts(cohort)?, 1).await?;
    let number = |place: usize| match found.rows.first().and_then(|row| row.get(place)) {
        Some(Value::Int(number)) => *number,
        _ => 0,
    };
    Ok(CohortCount { pacijenata: number(0), unosa: number(1) })
}

pub async fn find(state: &AppState, actor: &Actor, cohort: &CohortSource) -> Result<Vec<Member>> {
    let found = read(state, actor, &query::members(cohort)?, MOST_FROZEN).await?;
    if found.truncated {
        return Err(Error::conflict(format!("Kohorta ima više od {MOST_FROZEN} unosa i ne može da se zamrzne. Suzite je.")));
    }
    let member = |row: &Vec<Value>| match (row.first(), row.get(1)) {
        (Some(Value::Int(unos_id)), Some(Value::Bool(clan))) => Some(Member { unos_id: *unos_id, clan: *clan }),
        _ => None,
    };
    Ok(found.rows.iter().filter_map(member).collect())
}

/// As a report of the worker's institution would read it.
async fn read(state: &AppState, actor: &Actor, sql: &str, most: u32) -> Result<Small> {
    let institution = actor.ustanova()?;
    let scope = Scope { run: None, radnik_id: actor.radnik_id, ustanova_id: Some(institution) };
    let binds = session_binds(actor.radnik_id, institution, None);
    state.report_db.small(scope, sql, &binds, COUNTING, most).await.map_err(|error| match error {
        ReportSqlError::Passing(error) => anyhow::Error::from(error).into(),
        ReportSqlError::NoIdentity(_) => {
            Error::refused("Kohorta čita starost na dan pregleda, a vaše uloge ne otvaraju pacijente. Uklonite uslov starosti.")
        }
        ReportSqlError::Stopped | ReportSqlError::Interrupted => {
            Error::Unavailable("Kohorta trenutno ne može da se prebroji: baza je zauzeta. Pokušajte ponovo za koji trenutak.".into())
        }
        error => anyhow::Error::from(error).into(),
    })
}
