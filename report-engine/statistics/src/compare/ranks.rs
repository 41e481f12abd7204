//! Tests of ranks. Ties share the mean of their ranks.
use crate::column::{Factor, Numeric};
use crate::compare::ranks_exact::{rank_sum_tail, signed_rank_tail};
use crate::error::{Error, Result};
use crate::numbers::{rank, sum};
use crate::test_result::{Rows, Test, TestResult};

/// Below this many values in a group the exact distribution is taken, where there are no ties: R's bound.
const EXACT_BELOW: usize = 50;

/// Mann and Whitney's U of the first group. Exact with fewer than 50 values in each group and no ties, else normal with continuity and tie
/// correction, as R's `wilcox.test`. Needs exactly two groups; equal values are [`Error::Constant`].
pub fn mann_whitney(x: Numeric, by: Factor) -> Result<TestResult> {
    let grouped = x.by(by)?;
    let [a, b] = grouped.two(by.name)?;
    let rows = Rows { n: grouped.n(), missing: grouped.missing };
    let (m, n) = (a.len() as f64, b.len() as f64);
    let ranks = rank(&[a, b].concat());
    let u = sum(ranks.ranks[..a.len()].iter().copied()) - m * (m + 1.0) / 2.0;
    if a.len() < EXACT_BELOW && b.len() < EXACT_BELOW && !ranks.has_ties() {
        let lower = u.min(m * n - u);
        let p = 2.0 * rank_sum_tail(lower as usize, a.len(), b.len());
        return Ok(TestResult::exact(Test::MannWhitneyExact, u, p, rows));
    }
    let total = m + n;
    let variance = m * n / 12.0 * (total + 1.0 - ranks.tie_sum / (total * (total - 1.0)));
    if variance <= 0.0 || is_one_tie(ranks.tie_sum, total) {
        return Err(Error::constant(x.name));
    }
    let z = with_continuity(u - m * n / 2.0) / variance.sqrt();
    Ok(TestResult { statistic: u, ..TestResult::of_z(Test::MannWhitneyNormal, z, rows) })
}

/// A signed-rank test with how many pairs did not differ: those are left out of the ranks, as Wilcoxon did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRank {
    pub test: TestResult,
    pub zeros: usize,
}

/// Wilcoxon's signed ranks of first less second; the statistic is the sum of ranks of positive differences. Exact with fewer than 50
/// differences, no ties and no zeros, else normal with continuity and tie correction, as R's `wilcox.test`. Only zeros are
/// [`Error::Constant`].
pub fn signed_rank(first: Numeric, second: Numeric) -> Result<SignedRank> {
    let pairs = first.with(second)?;
    let mut differences: Vec<f64> = pairs.first.iter().zip(&pairs.second).map(|(a, b)| a - b).collect();
    let all = differences.len();
    if all == 0 {
        return Err(Error::too_few(first.name, 0, 1));
    }
    differences.retain(|difference| *difference != 0.0);
    if differences.is_empty() {
        return Err(Error::constant(first.name));
    }
    let rows = Rows { n: all, missing: pairs.missing };
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let ranks = rank(&sizes);
    let v = sum(ranks.ranks.iter().zip(&differences).filter(|(_, d)| **d > 0.0).map(|(rank, _)| *rank));
    let n = differences.len() as f64;
    let zeros = all - differences.len();
    if differences.len() < EXACT_BELOW && !ranks.has_ties() && zeros == 0 {
        let lower = v.min(n * (n + 1.0) / 2.0 - v);
        let p = 2.0 * signed_rank_tail(lower as usize, differences.len());
        return Ok(SignedRank { test: TestResult::exact(Test::SignedRankExact, v, p, rows), zeros });
    }
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ranks.tie_sum / 48.0;
    let z = with_continuity(v - n * (n + 1.0) / 4.0) / variance.sqrt();
    Ok(SignedRank { test: TestResult { statistic: v, ..TestResult::of_z(Test::SignedRankNormal, z, rows) }, zeros })
}

/// Kruskal and Wallis's H with tie correction. Needs two groups with values; equal values are [`Error::Constant`].
pub fn kruskal_wallis(x: Numeric, by: Factor) -> Result<TestResult> {
    let grouped = x.by(by)?;
    let groups = grouped.several(by.name)?;
    let n = grouped.n() as f64;
    let ranks = rank(&groups.concat());
    if is_one_tie(ranks.tie_sum, n) {
        return Err(Error::constant(x.name));
    }
    let mut from = 0;
    let mut between = 0.0;
    for group in &groups {
        let mean = sum(ranks.ranks[from..from + group.len()].iter().copied()) / group.len() as f64;
        between += group.len() as f64 * (mean - (n + 1.0) / 2.0).powi(2);
        from += group.len();
    }
    let h = 12.0 / (n * (n + 1.0)) * between / (1.0 - ranks.tie_sum / (n * n * n - n));
    let rows = Rows { n: grouped.n(), missing: grouped.missing };
    Ok(TestResult::of_chi_squared(Test::KruskalWallis, h, groups.len() as f64 - 1.0, rows))
}

fn is_one_tie(tie_sum: f64, n: f64) -> bool {
    tie_sum >= n * (n * n - 1.0)
}

fn with_continuity(distance: f64) -> f64 {
    if distance == 0.0 { 0.0 } else { distance - 0.5 * distance.signum() }
}
