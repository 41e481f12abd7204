//! Proportional hazards regression (Cox 1972).
use crate::column::Factor;
use crate::error::{Error, Result};
use crate::estimate::Level;
use crate::matrix::Symmetric;
pub use crate::model::cox_likelihood::Ties;
use crate::model::cox_likelihood::{RiskSets, Subject};
use crate::model::design::{Design, Scale, Term};
use crate::model::fit::{Coefficient, Covariance, GlobalTests, Wald, Warning, few_events};
use crate::model::newton::{Solution, maximise};
use crate::survival::follow_up::{FollowUp, Person};
use crate::test_result::Rows;

/// What is fitted. Each stratum has a baseline hazard of its own; effects are common.
#[derive(Clone, Copy, Debug)]
pub struct CoxModel<'a> {
    pub follow_up: FollowUp<'a>,
    pub terms: &'a [Term<'a>],
    pub strata: Option<Factor<'a>>,
    pub ties: Ties,
    pub level: Level,
}

#[derive(Clone, Debug)]
pub struct CoxFit {
    pub n: usize,
    pub events: usize,
    pub missing: usize,
    pub ties: Ties,
    pub coefficients: Vec<Coefficient>,
    pub covariance: Covariance,
    pub null_log_likelihood: f64,
    pub log_likelihood: f64,
    pub tests: GlobalTests,
    pub iterations: usize,
    pub warnings: Vec<Warning>,
    pub(crate) risk_sets: RiskSets,
    pub(crate) beta: Vec<f64>,
    pub(crate) rows: Rows,
}

/// Fits by the greatest partial likelihood, with covariates standardised inside. Rows with anything missing are left out. Nobody with the
/// event is [`Error::NoEvents`], a covariate without spread, be it among those at risk at the events alone, [`Error::Constant`], one that
/// others tell [`Error::Collinear`]; a covariate whose effect has no bound stays without a coefficient and is warned of.
pub fn cox(model: &CoxModel) -> Result<CoxFit> {
    let (design, people, scales) = prepared(model)?;
    let rows = Rows { n: design.rows.len(), missing: model.follow_up.rows() - design.rows.len() };
    let events = people.iter().filter(|(person, _)| person.event).count();
    let risk_sets = RiskSets::new(&design, model.ties, |place| {
        let (person, stratum) = people[place];
        Subject { stratum, entry: person.entry, time: person.time, event: person.event }
    });
    let names: Vec<&str> = design.columns.iter().map(|column| column.name.as_str()).collect();
    // A covariate that is the same for all who are at risk at each event leaves nothing but rounding.
    let nothing = 1e-10 * events as f64;
    let solution = maximise(vec![0.0; design.width()], &names, nothing, |beta| risk_sets.evaluate(beta))?;
    let wald = solution.information.quadratic(&solution.beta);
    let log_likelihoods = [solution.start.log_likelihood, solution.log_likelihood];
    let tests = GlobalTests::new(log_likelihoods, wald, solution.score_statistic, design.width(), rows);
    let covariance = rescaled(&solution.covariance, &scales);
    Ok(CoxFit {
        n: rows.n,
        events,
        missing: rows.missing,
        ties: model.ties,
        coefficients: coefficients(&design, &solution, &covariance, &scales, model.level),
        covariance,
        null_log_likelihood: log_likelihoods[0],
        log_likelihood: log_likelihoods[1],
        tests,
        iterations: solution.iterations,
        warnings: warnings(&design, &solution, events),
        risk_sets,
        beta: solution.beta,
        rows,
    })
}

type Prepared = (Design, Vec<(Person, usize)>, Vec<Scale>);

fn prepared(model: &CoxModel) -> Result<Prepared> {
    let data = &model.follow_up;
    data.check_rows()?;
    model.strata.map_or(Ok(()), |strata| strata.expect_rows(data.rows()))?;
    if model.terms.is_empty() {
        return Err(Error::too_few("covariates", 0, 1));
    }
    let mut people = Vec::with_capacity(data.rows());
    for row in 0..data.rows() {
        let stratum = model.strata.map_or(Ok(Some(0)), |strata| strata.at(row))?;
        if let (Some(person), Some(stratum)) = (data.person(row)?, stratum) {
            people.push((person, stratum));
        }
    }
    if people.is_empty() {
        return Err(Error::too_few(data.time.name, 0, 2));
    }
    let mut design = Design::of(model.terms, people.iter().map(|(person, _)| person.row), data.rows())?;
    let mut kept = design.rows.iter().copied().peekable();
    people.retain(|(person, _)| kept.next_if_eq(&person.row).is_some());
    if !people.iter().any(|(person, _)| person.event) {
        return Err(Error::NoEvents { variable: data.event.name.into() });
    }
    let scales = design.standardise();
    Ok((design, people, scales))
}

fn rescaled(covariance: &Symmetric, scales: &[Scale]) -> Symmetric {
    let mut rescaled = Symmetric::zeros(scales.len());
    for i in 0..scales.len() {
        for j in 0..=i {
            rescaled.add(i, j, covariance.get(i, j) / scales[i].sd / scales[j].sd);
        }
    }
    rescaled
}

fn coefficients(design: &Design, solution: &Solution, covariance: &Symmetric, scales: &[Scale], level: Level) -> Vec<Coefficient> {
    let coefficient = |i: usize| {
        let variance = covariance.get(i, i);
        let bounded = variance > 0.0 && !solution.unbounded.contains(&i);
        let wald = bounded.then(|| Wald::of_z(solution.beta[i] / scales[i].sd, variance.sqrt(), level));
        Coefficient { column: design.columns[i].clone(), wald }
    };
    (0..design.width()).map(coefficient).collect()
}

fn warnings(design: &Design, solution: &Solution, events: usize) -> Vec<Warning> {
    let separated = solution.unbounded.iter().map(|&i| Warning::Separation { covariate: design.columns[i].name.clone() });
    let empty = design.dropped.iter().cloned().map(Warning::EmptyLevel);
    few_events(events, design.width()).into_iter().chain(separated).chain(empty).collect()
}
