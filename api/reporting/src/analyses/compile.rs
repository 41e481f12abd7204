//! From a choice to the query and the template of its report, checked as those of any report before anything is kept.

use accounts::{auth::Actor, rights::Right};
use platform::{
    error::{Error, Result},
    state::AppState,
};

use super::{
    choice::{AnalysisChoice, AnalysisScope},
    cohort::CohortSource,
    parts::Parts,
    query::query,
    sheet::sheet,
};
use crate::setup::report_definition::{
    check,
    store::{Report, Texts},
};

/// The name that reports without a file of their own have in the place of its name.
pub const FILE: &str = "analiza";

/// Refuses a choice that its cohort does not give, or that the caller may not make.
pub async fn compile(
    state: &AppState,
    actor: &Actor,
    cohort: &CohortSource,
    (naziv, of_cohort): (&str, &str),
    choice: &AnalysisChoice,
) -> Result<Texts> {
    // Who chooses conditions freely over all institutions could ask about one patient by the difference of two answers.
    if choice.obim == AnalysisScope::Sve && actor.require(Right::ReportSetup).is_err() {
        return Err(Error::invalid("obim", "Analizu nad svim ustanovama pravi ko podešava izveštaje. Izaberite podatke svoje ustanove."));
    }
    let parts = Parts::of(cohort, choice)?;
    let texts = Texts { upit: query(&parts)?, sablon: sheet(&parts, naziv, of_cohort)? };
    texts.refuse_too_long()?;
    let report = Report {
        id: 0,
        naziv: naziv.to_owned(),
        obim: choice.obim.obim().to_owned(),
        registar_id: Some(cohort.choice.registar_id),
        jasper_fajl: FILE.to_owned(),
        objavljena: 0,
    };
    match check::check(state, actor, &report, &texts).await?.first_fault() {
        Some(fault) => {
            tracing::warn!(cause = fault, "an analysis was refused by the check of reports");
            Err(Error::invalid("izbor", format!("Analiza ne može da se napravi: {fault}")))
        }
        None => Ok(texts),
    }
}
