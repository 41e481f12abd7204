//! The search for the greatest likelihood, and how it ends where there is none.
use crate::error::{Error, Result};
use crate::matrix::{Factor, Symmetric};

/// A log-likelihood at one point, with its gradient and its information (the negative second derivatives).
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    pub log_likelihood: f64,
    pub gradient: Vec<f64>,
    pub information: Symmetric,
}

#[derive(Debug)]
pub(crate) struct Solution {
    pub beta: Vec<f64>,
    pub start: Evaluation,
    pub log_likelihood: f64,
    pub information: Symmetric,
    pub covariance: Symmetric,
    /// Coordinates that grow without end while the likelihood stands still.
    pub unbounded: Vec<usize>,
    pub iterations: usize,
    pub score_statistic: f64,
}

const ITERATIONS: usize = 60;
const HALVINGS: usize = 30;
/// Steps are in standard deviations of a covariate.
const SMALL_STEP: f64 = 1e-9;
const NEAR_STEP: f64 = 1e-6;
const LARGE_STEP: f64 = 1e-3;
/// Share of a covariate's information that the others must leave.
const INDEPENDENT: f64 = 1e-11;

/// Newton and Raphson's steps, halved while the likelihood falls. `names` are those of the coordinates, for a covariate that the others
/// tell.
/// One whose information at the start is at most `nothing` tells nothing at all.
pub(crate) fn maximise(start: Vec<f64>, names: &[&str], nothing: f64, mut evaluate: impl FnMut(&[f64]) -> Evaluation) -> Result<Solution> {
    let first = evaluate(&start);
    if let Some(column) = (0..start.len()).find(|&i| first.information.get(i, i) <= nothing) {
        return Err(Error::constant(names[column]));
    }
    let factor = Factor::of(&first.information, INDEPENDENT);
    if let Some(column) = factor.first_dependent() {
        return Err(Error::Collinear { covariate: names[column].into() });
    }
    let score_statistic = dot(&factor.solve(&first.gradient), &first.gradient);
    let (mut beta, mut now) = (start, first.clone());
    let mut last_step = vec![f64::INFINITY; beta.len()];
    for iterations in 1..=ITERATIONS {
        let factor = Factor::of(&now.information, f64::EPSILON);
        let step = factor.solve(&now.gradient);
        let solution = |beta: Vec<f64>, top: Evaluation, unbounded: Vec<usize>| {
            let covariance = Factor::of(&top.information, f64::EPSILON).inverse();
            let Evaluation { log_likelihood, information, .. } = top;
            Solution { beta, start: first.clone(), log_likelihood, information, covariance, unbounded, iterations, score_statistic }
        };
        let within = |limit: f64| step.iter().zip(&beta).all(|(step, beta)| step.abs() <= limit * (1.0 + beta.abs()));
        if within(SMALL_STEP) {
            // The likelihood and its curvature are those of the top, to all digits that they have.
            let top = beta.iter().zip(&step).map(|(beta, step)| beta + step).collect();
            return Ok(solution(top, now, Vec::new()));
        }
        let near = within(NEAR_STEP);
        let (moved, next) = halved_step(&beta, &step, &now, &mut evaluate);
        let gain = (next.log_likelihood - now.log_likelihood).abs();
        // Near the top, rounding may hide the last bit of the way.
        if near && gain <= 1e-12 * now.log_likelihood.abs() {
            return Ok(solution(moved, next, Vec::new()));
        }
        let standing = gain <= 1e-8 * (0.1 + next.log_likelihood.abs());
        let grows = |i: &usize| step[*i].abs() > LARGE_STEP && step[*i].abs() > 0.5 * last_step[*i].abs();
        let unbounded: Vec<usize> = (0..beta.len()).filter(grows).collect();
        if standing && !unbounded.is_empty() {
            return Ok(solution(moved, next, unbounded));
        }
        (beta, now) = (moved, next);
        last_step = step;
    }
    Err(Error::NotConverged { iterations: ITERATIONS })
}

fn halved_step(beta: &[f64], step: &[f64], now: &Evaluation, evaluate: &mut impl FnMut(&[f64]) -> Evaluation) -> (Vec<f64>, Evaluation) {
    let slack = 1e-12 * now.log_likelihood.abs();
    let mut share = 1.0;
    for _ in 0..HALVINGS {
        let moved: Vec<f64> = beta.iter().zip(step).map(|(beta, step)| beta + share * step).collect();
        let next = evaluate(&moved);
        if next.log_likelihood >= now.log_likelihood - slack {
            return (moved, next);
        }
        share *= 0.5;
    }
    (beta.to_vec(), now.clone())
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
