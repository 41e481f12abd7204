//! What the database said of a report's query: for who configures reports, and for no other. It quotes no value of the data.

use accounts::{auth::Actor, rights::Right};
use domain::report_sql::Place;
use serde::{Deserialize, Serialize};
use sqlx::types::Json as Jsonb;
use utoipa::ToSchema;

/// As an engine keeps it with the run.
#[derive(Debug, Default, Deserialize)]
pub struct Detail {
    pub poruka: Option<String>,
    pub savet: Option<String>,
    pub mesto: Option<Place>,
}

#[derive(Serialize, ToSchema)]
pub struct ReportQueryFault {
    poruka: String,
    savet: Option<String>,
    /// Where in the query.
    red: Option<usize>,
    kolona: Option<usize>,
}

/// `None` for everybody who may not write reports.
pub fn for_author(actor: &Actor, detail: Option<Jsonb<Detail>>) -> Option<ReportQueryFault> {
    actor.require(Right::ReportSetup).ok()?;
    let Jsonb(Detail { poruka, savet, mesto }) = detail?;
    Some(ReportQueryFault { poruka: poruka?, savet, red: mesto.map(|place| place.line), kolona: mesto.map(|place| place.column) })
}
