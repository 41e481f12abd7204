//! Logistic regression.
use crate::column::Binary;
use crate::error::{Error, Result};
use crate::estimate::Level;
use crate::matrix::Symmetric;
use crate::model::design::{Design, ModelColumn, Scale, Term};
use crate::model::fit::{Coefficient, Covariance, GlobalTests, Wald, Warning, few_events};
use crate::model::newton::{Evaluation, dot, maximise};
use crate::test_result::Rows;

#[derive(Clone, Copy, Debug)]
pub struct LogisticModel<'a> {
    pub outcome: Binary<'a>,
    pub terms: &'a [Term<'a>],
    pub level: Level,
}

/// `coefficients` are without the intercept; `covariance` has the intercept first.
#[derive(Clone, Debug)]
pub struct LogisticFit {
    pub n: usize,
    pub events: usize,
    pub missing: usize,
    pub intercept: Option<Wald>,
    pub coefficients: Vec<Coefficient>,
    pub covariance: Covariance,
    pub null_log_likelihood: f64,
    pub log_likelihood: f64,
    pub tests: GlobalTests,
    pub iterations: usize,
    pub warnings: Vec<Warning>,
    /// The predicted probability of each complete row, with the row's place.
    pub predictions: Vec<(usize, f64)>,
}

/// Fits by the greatest likelihood. Rows with anything missing are left out. Everybody or nobody with the outcome is [`Error::Constant`];
/// covariates are treated as in [`crate::model::cox::cox`].
pub fn logistic(model: &LogisticModel) -> Result<LogisticFit> {
    let outcome = model.outcome;
    if model.terms.is_empty() {
        return Err(Error::too_few("covariates", 0, 1));
    }
    let known = (0..outcome.values.len()).filter(|&row| outcome.values[row].is_some());
    let mut design = Design::of(model.terms, known, outcome.values.len())?;
    let y: Vec<bool> = design.rows.iter().map(|&row| outcome.values[row] == Some(true)).collect();
    let events = y.iter().filter(|event| **event).count();
    let rows = Rows { n: y.len(), missing: outcome.values.len() - y.len() };
    if events == 0 || events == rows.n {
        return Err(Error::constant(outcome.name));
    }
    let scales = design.standardise();
    let names: Vec<&str> = ["intercept"].into_iter().chain(design.columns.iter().map(|column| column.name.as_str())).collect();
    let share = events as f64 / rows.n as f64;
    let mut start = vec![0.0; names.len()];
    start[0] = (share / (1.0 - share)).ln();
    let solution = maximise(start, &names, 0.0, |beta| evaluate(&design, &y, beta))?;

    let mut slopes = Symmetric::zeros(design.width());
    let inverse = &solution.covariance;
    for i in 0..design.width() {
        for j in 0..=i {
            slopes.add(i, j, inverse.get(i + 1, j + 1));
        }
    }
    let (wald, _) = crate::matrix::quadratic_of_inverse(&slopes, &solution.beta[1..]);
    let log_likelihoods = [solution.start.log_likelihood, solution.log_likelihood];
    let tests = GlobalTests::new(log_likelihoods, wald, solution.score_statistic, design.width(), rows);
    let (beta, covariance) = unscaled(&solution.beta, inverse, &scales);
    let of = |i: usize| {
        let variance = covariance.get(i, i);
        let bounded = variance > 0.0 && !solution.unbounded.contains(&i);
        bounded.then(|| Wald::of_z(beta[i], variance.sqrt(), model.level))
    };
    let coefficients =
        design.columns.iter().enumerate().map(|(i, column)| Coefficient { column: column.clone(), wald: of(i + 1) }).collect();
    let predictor = |place: usize| linear_predictor(&design, place, &solution.beta);
    let predictions = design.rows.iter().enumerate().map(|(place, &row)| (row, probability(predictor(place)))).collect();
    Ok(LogisticFit {
        n: rows.n,
        events,
        missing: rows.missing,
        // The intercept in the covariates' units takes part in each effect without a bound.
        intercept: solution.unbounded.is_empty().then(|| of(0)).flatten(),
        coefficients,
        null_log_likelihood: log_likelihoods[0],
        log_likelihood: log_likelihoods[1],
        tests,
        iterations: solution.iterations,
        warnings: warnings(&design.columns, &solution.unbounded, events.min(rows.n - events), &design),
        predictions,
        covariance,
    })
}

fn warnings(columns: &[ModelColumn], unbounded: &[usize], rarer: usize, design: &Design) -> Vec<Warning> {
    let separated = unbounded.iter().filter(|i| **i > 0).map(|&i| Warning::Separation { covariate: columns[i - 1].name.clone() });
    let empty = design.dropped.iter().cloned().map(Warning::EmptyLevel);
    few_events(rarer, columns.len()).into_iter().chain(separated).chain(empty).collect()
}

fn linear_predictor(design: &Design, place: usize, beta: &[f64]) -> f64 {
    let width = design.width();
    beta[0] + dot(&design.values[place * width..(place + 1) * width], &beta[1..])
}

fn probability(eta: f64) -> f64 {
    if eta >= 0.0 { 1.0 / (1.0 + (-eta).exp()) } else { eta.exp() / (1.0 + eta.exp()) }
}

fn evaluate(design: &Design, y: &[bool], beta: &[f64]) -> Evaluation {
    let size = beta.len();
    let mut evaluation = Evaluation { log_likelihood: 0.0, gradient: vec![0.0; size], information: Symmetric::zeros(size) };
    for (x, &event) in design.values.chunks_exact(size - 1).zip(y) {
        let eta = beta[0] + dot(x, &beta[1..]);
        let p = probability(eta);
        let towards = if event { eta } else { -eta };
        evaluation.log_likelihood -= if towards >= 0.0 { (-towards).exp().ln_1p() } else { towards.exp().ln_1p() - towards };
        let residual = if event { probability(-eta) } else { -p };
        add_row(&mut evaluation, x, residual, p * probability(-eta));
    }
    evaluation
}

fn add_row(evaluation: &mut Evaluation, x: &[f64], residual: f64, weight: f64) {
    evaluation.gradient[0] += residual;
    let (first, mut cells) = evaluation.information.cells_mut().split_at_mut(1);
    first[0] += weight;
    for (i, (value, gradient)) in x.iter().zip(&mut evaluation.gradient[1..]).enumerate() {
        *gradient += residual * value;
        let weighted = weight * value;
        let (row, rest) = std::mem::take(&mut cells).split_at_mut(i + 2);
        row[0] += weighted;
        row[1..].iter_mut().zip(x).for_each(|(cell, other)| *cell += weighted * other);
        cells = rest;
    }
}

/// From standardised covariates back to their units, the intercept first.
pub(crate) fn unscaled(beta: &[f64], covariance: &Symmetric, scales: &[Scale]) -> (Vec<f64>, Symmetric) {
    let size = beta.len();
    // Row i of the change: the intercept gives up what the centring took.
    let change = |i: usize, j: usize| match (i, j) {
        (0, 0) => 1.0,
        (0, _) => -scales[j - 1].mean / scales[j - 1].sd,
        _ if i == j => 1.0 / scales[i - 1].sd,
        _ => 0.0,
    };
    let moved = (0..size).map(|i| (0..size).map(|j| change(i, j) * beta[j]).sum()).collect();
    let mut result = Symmetric::zeros(size);
    for i in 0..size {
        for j in 0..=i {
            let cell: f64 = (0..size)
                .filter(|&k| change(i, k) != 0.0)
                .map(|k| change(i, k) * (0..size).map(|l| covariance.get(k, l) * change(j, l)).sum::<f64>())
                .sum();
            result.add(i, j, cell);
        }
    }
    (moved, result)
}
