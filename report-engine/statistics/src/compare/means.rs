//! Means of two or more groups, and of the same people twice.
use crate::column::{Factor, GroupedColumn, Numeric};
use crate::distribution::t_quantile;
use crate::error::{Error, Result};
use crate::estimate::{Estimate, Interval, IntervalMethod, Level};
use crate::numbers::{is_constant, moments, sum};
use crate::test_result::{Rows, Test, TestResult};

/// A t test with the difference that it tests, first group less second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanDifference {
    pub test: TestResult,
    pub difference: Estimate,
}

#[derive(Clone, Copy)]
struct Sample {
    n: f64,
    mean: f64,
    variance: f64,
}

/// Student's t test with a pooled variance. Needs exactly two groups with values and three values in all; groups without any spread are
/// [`Error::Constant`]. Rows without a value or a group are missing.
pub fn student_t(x: Numeric, by: Factor, level: Level) -> Result<MeanDifference> {
    let grouped = x.by(by)?;
    let [a, b] = grouped.two(by.name)?;
    if a.len() + b.len() < 3 {
        return Err(Error::too_few(x.name, grouped.n(), 3));
    }
    check_spread(x.name, &[a, b])?;
    let (a, b) = (sample(a), sample(b));
    let df = a.n + b.n - 2.0;
    let pooled = ((a.n - 1.0) * a.variance + (b.n - 1.0) * b.variance) / df;
    let se = (pooled * (1.0 / a.n + 1.0 / b.n)).sqrt();
    Ok(difference(Test::StudentT, a.mean - b.mean, se, df, rows(&grouped), level, IntervalMethod::StudentT))
}

/// Welch's t test (1947) with Satterthwaite's degrees of freedom. Needs two values in each of exactly two groups.
pub fn welch_t(x: Numeric, by: Factor, level: Level) -> Result<MeanDifference> {
    let grouped = x.by(by)?;
    let [a, b] = grouped.two(by.name)?;
    need_each(x.name, &[a, b], 2)?;
    check_spread(x.name, &[a, b])?;
    let (a, b) = (sample(a), sample(b));
    let (va, vb) = (a.variance / a.n, b.variance / b.n);
    let df = (va + vb).powi(2) / (va * va / (a.n - 1.0) + vb * vb / (b.n - 1.0));
    Ok(difference(Test::WelchT, a.mean - b.mean, (va + vb).sqrt(), df, rows(&grouped), level, IntervalMethod::WelchT))
}

/// The paired t test of first less second, as of a change from baseline. Needs two complete pairs; equal differences are
/// [`Error::Constant`].
pub fn paired_t(first: Numeric, second: Numeric, level: Level) -> Result<MeanDifference> {
    let pairs = first.with(second)?;
    let differences: Vec<f64> = pairs.first.iter().zip(&pairs.second).map(|(a, b)| a - b).collect();
    if differences.len() < 2 {
        return Err(Error::too_few(first.name, differences.len(), 2));
    }
    check_spread(first.name, &[&differences])?;
    let change = sample(&differences);
    let rows = Rows { n: differences.len(), missing: pairs.missing };
    let se = (change.variance / change.n).sqrt();
    Ok(difference(Test::PairedT, change.mean, se, change.n - 1.0, rows, level, IntervalMethod::StudentT))
}

/// Fisher's one-way analysis of variance. Needs two groups with values and more values than groups; no spread within any group is
/// [`Error::Constant`].
pub fn anova(x: Numeric, by: Factor) -> Result<TestResult> {
    let grouped = x.by(by)?;
    let groups = grouped.several(by.name)?;
    let (n, k) = (grouped.n() as f64, groups.len() as f64);
    if n <= k {
        return Err(Error::too_few(x.name, grouped.n(), groups.len() + 1));
    }
    check_spread(x.name, &groups)?;
    let centre = moments(&groups.concat()).0;
    let samples: Vec<Sample> = groups.iter().map(|group| sample(group)).collect();
    let between = sum(samples.iter().map(|s| s.n * (s.mean - centre).powi(2)));
    let within = sum(samples.iter().map(|s| s.variance * (s.n - 1.0)));
    let f = between / (k - 1.0) / (within / (n - k));
    Ok(TestResult::of_f(Test::Anova, f, (k - 1.0, n - k), rows(&grouped)))
}

/// Welch's analysis of variance (1951), without equal variances. Needs two values and some spread in each group.
pub fn welch_anova(x: Numeric, by: Factor) -> Result<TestResult> {
    let grouped = x.by(by)?;
    let groups = grouped.several(by.name)?;
    need_each(x.name, &groups, 2)?;
    if groups.iter().any(|group| is_constant(group)) {
        return Err(Error::constant(x.name));
    }
    let samples: Vec<Sample> = groups.iter().map(|group| sample(group)).collect();
    let k = samples.len() as f64;
    let weights: Vec<f64> = samples.iter().map(|s| s.n / s.variance).collect();
    let total = sum(weights.iter().copied());
    let centre = sum(samples.iter().zip(&weights).map(|(s, w)| w * s.mean)) / total;
    let between = sum(samples.iter().zip(&weights).map(|(s, w)| w * (s.mean - centre).powi(2))) / (k - 1.0);
    let unequal = sum(samples.iter().zip(&weights).map(|(s, w)| (1.0 - w / total).powi(2) / (s.n - 1.0))) / (k * k - 1.0);
    let f = between / (1.0 + 2.0 * (k - 2.0) * unequal);
    Ok(TestResult::of_f(Test::WelchAnova, f, (k - 1.0, 1.0 / (3.0 * unequal)), rows(&grouped)))
}

fn sample(values: &[f64]) -> Sample {
    let (mean, squares) = moments(values);
    let n = values.len() as f64;
    Sample { n, mean, variance: if n > 1.0 { squares / (n - 1.0) } else { 0.0 } }
}

fn difference(test: Test, value: f64, se: f64, df: f64, rows: Rows, level: Level, method: IntervalMethod) -> MeanDifference {
    let half = t_quantile(1.0 - level.tail(), df) * se;
    let difference = Estimate { value, se: Some(se), interval: Interval::around(value, half, level, method) };
    MeanDifference { test: TestResult::of_t(test, value / se, df, rows), difference }
}

fn rows(grouped: &GroupedColumn) -> Rows {
    Rows { n: grouped.n(), missing: grouped.missing }
}

fn need_each(variable: &str, groups: &[&[f64]], needed: usize) -> Result<()> {
    match groups.iter().find(|group| group.len() < needed) {
        Some(group) => Err(Error::too_few(variable, group.len(), needed)),
        None => Ok(()),
    }
}

fn check_spread(variable: &str, groups: &[&[f64]]) -> Result<()> {
    if groups.iter().all(|group| is_constant(group)) { Err(Error::constant(variable)) } else { Ok(()) }
}
