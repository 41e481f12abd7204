//! Correlation of two measurements of the same people.
use crate::column::Numeric;
use crate::distribution::normal_quantile;
use crate::error::{Error, Result};
use crate::estimate::{Interval, IntervalMethod, Level};
use crate::numbers::{Ranks, moments, rank, sum};
use crate::test_result::{Rows, Test, TestResult};

/// A coefficient with the test that it is zero. Four pairs or more have an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation {
    pub coefficient: f64,
    pub interval: Option<Interval>,
    pub test: TestResult,
}

/// Up to this many pairs, Spearman's p is exact.
const EXACT_UP_TO: usize = 9;

/// Pearson's r with its t test and Fisher's z interval. Needs three complete pairs; a constant variable is [`Error::Constant`]. Of points
/// on a line the statistic is infinite and there is no interval.
pub fn pearson(x: Numeric, y: Numeric, level: Level) -> Result<Correlation> {
    let pairs = x.with(y)?;
    let n = pairs.first.len();
    let r = coefficient(&pairs.first, &pairs.second, x.name, y.name)?;
    let interval = (n > 3 && r.abs() < 1.0).then(|| fisher_z(r, n, level));
    Ok(Correlation { coefficient: r, interval, test: t_test(Test::Pearson, r, Rows { n, missing: pairs.missing }) })
}

/// Spearman's rho: Pearson's r of midranks. Up to nine pairs without ties p is exact, by all permutations; else the t approximation. Its
/// interval is Fisher's with the variance of Bonett and Wright (2000).
pub fn spearman(x: Numeric, y: Numeric, level: Level) -> Result<Correlation> {
    let pairs = x.with(y)?;
    let n = pairs.first.len();
    let (a, b) = (rank(&pairs.first), rank(&pairs.second));
    let rho = coefficient(&a.ranks, &b.ranks, x.name, y.name)?;
    let rows = Rows { n, missing: pairs.missing };
    let test =
        if n <= EXACT_UP_TO && !a.has_ties() && !b.has_ties() { exact_test(&a, &b, rho, rows) } else { t_test(Test::SpearmanT, rho, rows) };
    let interval = (n > 3 && rho.abs() < 1.0).then(|| fisher_interval(rho, ((1.0 + rho * rho / 2.0) / (n as f64 - 3.0)).sqrt(), level));
    Ok(Correlation { coefficient: rho, interval, test })
}

fn coefficient(x: &[f64], y: &[f64], x_name: &str, y_name: &str) -> Result<f64> {
    if x.len() < 3 {
        return Err(Error::too_few(x_name, x.len(), 3));
    }
    let ((x_mean, x_squares), (y_mean, y_squares)) = (moments(x), moments(y));
    if crate::numbers::is_constant(x) || x_squares <= 0.0 {
        return Err(Error::constant(x_name));
    }
    if crate::numbers::is_constant(y) || y_squares <= 0.0 {
        return Err(Error::constant(y_name));
    }
    let products = sum(x.iter().zip(y).map(|(a, b)| (a - x_mean) * (b - y_mean)));
    let r = products / x_squares.sqrt() / y_squares.sqrt();
    // On a line, rounding leaves a bit over or under one.
    Ok(if r.abs() > 1.0 - 1e-15 { r.signum() } else { r })
}

fn t_test(test: Test, r: f64, rows: Rows) -> TestResult {
    let df = rows.n as f64 - 2.0;
    let t = if r.abs() >= 1.0 { r * f64::INFINITY } else { r * (df / ((1.0 - r) * (1.0 + r))).sqrt() };
    TestResult::of_t(test, t, df, rows)
}

fn fisher_z(r: f64, n: usize, level: Level) -> Interval {
    fisher_interval(r, 1.0 / (n as f64 - 3.0).sqrt(), level)
}

fn fisher_interval(r: f64, se: f64, level: Level) -> Interval {
    let half = normal_quantile(1.0 - level.tail()) * se;
    Interval::new((r.atanh() - half).tanh(), (r.atanh() + half).tanh(), level, IntervalMethod::FisherZ)
}

/// Both tails: permutations whose rho is as far from zero.
fn exact_test(x: &Ranks, y: &Ranks, rho: f64, rows: Rows) -> TestResult {
    let n = rows.n;
    let mut of_y = vec![0usize; n];
    for (a, b) in x.ranks.iter().zip(&y.ranks) {
        of_y[*a as usize - 1] = *b as usize;
    }
    let distance = |order: &[usize]| -> usize { order.iter().enumerate().map(|(i, &rank)| (i + 1).abs_diff(rank).pow(2)).sum() };
    let middle = n * (n * n - 1) / 6;
    let observed = distance(&of_y).abs_diff(middle);
    let (mut far, mut all) = (0u32, 0u32);
    let mut order: Vec<usize> = (1..=n).collect();
    permute(&mut order, 0, &mut |order| {
        all += 1;
        far += u32::from(distance(order).abs_diff(middle) >= observed);
    });
    TestResult::exact(Test::SpearmanExact, rho, f64::from(far) / f64::from(all), rows)
}

fn permute(order: &mut [usize], from: usize, visit: &mut dyn FnMut(&[usize])) {
    if from + 1 >= order.len() {
        return visit(order);
    }
    for other in from..order.len() {
        order.swap(from, other);
        permute(order, from + 1, visit);
        order.swap(from, other);
    }
}
