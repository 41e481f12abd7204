//! Agreement of two observers or two methods.
use crate::column::{Factor, Numeric};
use crate::compare::table::CrossTable;
use crate::distribution::t_quantile;
use crate::error::{Error, Result};
use crate::estimate::{Estimate, Interval, IntervalMethod, Level};
use crate::numbers::moments;
use crate::test_result::{Test, TestResult};

/// Cohen's kappa with its test against agreement by chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kappa {
    pub kappa: Estimate,
    pub observed: f64,
    pub by_chance: f64,
    pub test: TestResult,
}

/// Cohen's kappa (1960) of two factors with the same levels, with the large-sample variances of Fleiss, Cohen and Everitt (1969): one for
/// the interval, the one under chance for the test. Both observers with a single and the same category are [`Error::Constant`].
pub fn kappa(first: Factor, second: Factor, level: Level) -> Result<Kappa> {
    crate::column::expect_rows(second.name, second.levels.len(), first.levels.len())?;
    let table = CrossTable::of(first, second)?;
    if table.n() == 0 {
        return Err(Error::too_few(first.name, 0, 1));
    }
    let n = table.n() as f64;
    let size = first.levels.len();
    let share = |i: usize, j: usize| table.counts[i][j] as f64 / n;
    let rows: Vec<f64> = (0..size).map(|i| (0..size).map(|j| share(i, j)).sum()).collect();
    let columns: Vec<f64> = (0..size).map(|j| (0..size).map(|i| share(i, j)).sum()).collect();
    let observed: f64 = (0..size).map(|i| share(i, i)).sum();
    let by_chance: f64 = (0..size).map(|i| rows[i] * columns[i]).sum();
    if by_chance >= 1.0 {
        return Err(Error::constant(first.name));
    }
    let value = (observed - by_chance) / (1.0 - by_chance);
    let mut on = 0.0;
    let mut off = 0.0;
    for i in 0..size {
        on += share(i, i) * (1.0 - (rows[i] + columns[i]) * (1.0 - value)).powi(2);
        for j in (0..size).filter(|&j| j != i) {
            off += share(i, j) * (columns[i] + rows[j]).powi(2);
        }
    }
    let variance = on + (1.0 - value).powi(2) * off - (value - by_chance * (1.0 - value)).powi(2);
    let se = variance.max(0.0).sqrt() / ((1.0 - by_chance) * n.sqrt());
    let margins: f64 = (0..size).map(|i| rows[i] * columns[i] * (rows[i] + columns[i])).sum();
    let null = (by_chance + by_chance * by_chance - margins).max(0.0).sqrt() / ((1.0 - by_chance) * n.sqrt());
    if null <= 0.0 {
        return Err(Error::constant(first.name));
    }
    Ok(Kappa {
        kappa: Estimate::wald(value, se, level),
        observed,
        by_chance,
        test: TestResult::of_z(Test::Kappa, value / null, table.rows()),
    })
}

/// Bias of first less second and the limits between which the level's share of differences is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlandAltman {
    pub n: usize,
    pub missing: usize,
    pub bias: Estimate,
    pub sd: f64,
    pub lower_limit: Estimate,
    pub upper_limit: Estimate,
}

/// Limits of agreement, bias ± z·SD, with the intervals of Bland and Altman (1999): t intervals with SD·√(1/n + z²/2(n-1)) for the limits.
/// Needs two complete pairs; equal differences are [`Error::Constant`].
pub fn bland_altman(first: Numeric, second: Numeric, level: Level) -> Result<BlandAltman> {
    let pairs = first.with(second)?;
    let differences: Vec<f64> = pairs.first.iter().zip(&pairs.second).map(|(a, b)| a - b).collect();
    if differences.len() < 2 {
        return Err(Error::too_few(first.name, differences.len(), 2));
    }
    if crate::numbers::is_constant(&differences) {
        return Err(Error::constant(first.name));
    }
    let n = differences.len() as f64;
    let (mean, squares) = moments(&differences);
    let sd = (squares / (n - 1.0)).sqrt();
    let (t, z) = (t_quantile(1.0 - level.tail(), n - 1.0), level.z());
    let estimate = |value: f64, se: f64, method| Estimate { value, se: Some(se), interval: Interval::around(value, t * se, level, method) };
    let limit_se = sd * (1.0 / n + z * z / (2.0 * (n - 1.0))).sqrt();
    Ok(BlandAltman {
        n: differences.len(),
        missing: pairs.missing,
        bias: estimate(mean, sd / n.sqrt(), IntervalMethod::StudentT),
        sd,
        lower_limit: estimate(mean - z * sd, limit_se, IntervalMethod::BlandAltman),
        upper_limit: estimate(mean + z * sd, limit_se, IntervalMethod::BlandAltman),
    })
}
