//! Counts of two categories: chi-squared, McNemar, trend.
use crate::column::Factor;
use crate::distribution::binomial_two_sided;
use crate::error::{Error, Result};
use crate::test_result::{Rows, Test, TestResult};

/// Counts by the levels of two factors, empty levels included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossTable {
    pub counts: Vec<Vec<u64>>,
    pub missing: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuity {
    None,
    /// Takes effect in tables of two rows and two columns only.
    Yates,
}

/// A chi-squared test with its smallest expected count: below five the approximation is doubtful.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquared {
    pub test: TestResult,
    pub smallest_expected: f64,
}

impl CrossTable {
    /// Counts rows that have both levels; the others are missing.
    pub fn of(rows: Factor, columns: Factor) -> Result<CrossTable> {
        columns.expect_rows(rows.codes.len())?;
        let mut table = CrossTable { counts: vec![vec![0; columns.levels.len()]; rows.levels.len()], missing: 0 };
        for row in 0..rows.codes.len() {
            match (rows.at(row)?, columns.at(row)?) {
                (Some(a), Some(b)) => table.counts[a][b] += 1,
                _ => table.missing += 1,
            }
        }
        Ok(table)
    }

    pub fn n(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// The table without rows and columns in which nobody is.
    pub(crate) fn filled(&self) -> Result<Vec<Vec<u64>>> {
        let width = self.counts.iter().map(Vec::len).max().unwrap_or(0);
        if let Some(row) = self.counts.iter().find(|row| row.len() != width) {
            return Err(Error::LengthsDiffer { variable: "columns".into(), rows: row.len(), expected: width });
        }
        let used: Vec<bool> = (0..width).map(|column| self.counts.iter().any(|row| row[column] > 0)).collect();
        let keep = |row: &Vec<u64>| row.iter().zip(&used).filter(|(_, used)| **used).map(|(count, _)| *count).collect();
        let filled: Vec<Vec<u64>> = self.counts.iter().filter(|row| row.iter().any(|&count| count > 0)).map(keep).collect();
        let columns = filled.first().map_or(0, Vec::len);
        match (filled.len(), columns) {
            (2.., 2..) => Ok(filled),
            (rows, 2..) => Err(Error::more_groups("rows", rows)),
            (_, columns) => Err(Error::more_groups("columns", columns)),
        }
    }

    pub(crate) fn rows(&self) -> Rows {
        Rows { n: self.n() as usize, missing: self.missing }
    }
}

/// Pearson's chi-squared test. Empty rows and columns are left out, with their degrees of freedom; fewer than two of either are
/// [`Error::GroupCount`].
pub fn chi_squared(table: &CrossTable, continuity: Continuity) -> Result<ChiSquared> {
    let counts = table.filled()?;
    let by_row: Vec<f64> = counts.iter().map(|row| row.iter().sum::<u64>() as f64).collect();
    let by_column: Vec<f64> = (0..counts[0].len()).map(|j| counts.iter().map(|row| row[j]).sum::<u64>() as f64).collect();
    let n = table.n() as f64;
    let two_by_two = counts.len() == 2 && counts[0].len() == 2;
    let yates = continuity == Continuity::Yates && two_by_two;
    let (mut statistic, mut smallest) = (0.0, f64::INFINITY);
    for (row, total) in counts.iter().zip(&by_row) {
        for (count, column) in row.iter().zip(&by_column) {
            let expected = total * column / n;
            let distance = (*count as f64 - expected).abs();
            let corrected = if yates { distance - distance.min(0.5) } else { distance };
            statistic += corrected * corrected / expected;
            smallest = expected.min(smallest);
        }
    }
    let df = (by_row.len() - 1) * (by_column.len() - 1);
    let name = if yates { Test::ChiSquaredYates } else { Test::ChiSquared };
    Ok(ChiSquared { test: TestResult::of_chi_squared(name, statistic, df as f64, table.rows()), smallest_expected: smallest })
}

/// McNemar's test (1947) of two answers of the same people: `first_only` and `second_only` count those who changed. Nobody changed is
/// [`Error::ZeroCell`].
pub fn mcnemar(first_only: u64, second_only: u64, continuity: Continuity) -> Result<TestResult> {
    let changed = discordant(first_only, second_only)?;
    let distance = first_only.abs_diff(second_only) as f64;
    let (test, distance) = match continuity {
        Continuity::None => (Test::McNemar, distance),
        Continuity::Yates => (Test::McNemarContinuity, (distance - 1.0).max(0.0)),
    };
    let rows = Rows { n: changed as usize, missing: 0 };
    Ok(TestResult::of_chi_squared(test, distance * distance / changed as f64, 1.0, rows))
}

/// McNemar's test by the binomial distribution of those who changed.
pub fn mcnemar_exact(first_only: u64, second_only: u64) -> Result<TestResult> {
    let changed = discordant(first_only, second_only)?;
    let p = binomial_two_sided(first_only, changed, 0.5);
    Ok(TestResult::exact(Test::McNemarExact, first_only as f64, p, Rows { n: changed as usize, missing: 0 }))
}

fn discordant(first_only: u64, second_only: u64) -> Result<u64> {
    match first_only + second_only {
        0 => Err(Error::ZeroCell { measure: "McNemar's test" }),
        changed => Ok(changed),
    }
}

/// Cochran and Armitage's test of a trend of shares over ordered groups, without continuity correction, as R's `prop.trend.test`.
/// `events[i]` of `totals[i]` had the event at `scores[i]`; groups without people do not count. All or nobody with the event is
/// [`Error::Constant`].
pub fn cochran_armitage(events: &[u64], totals: &[u64], scores: &[f64]) -> Result<TestResult> {
    crate::column::expect_rows("totals", totals.len(), events.len())?;
    crate::column::expect_rows("scores", scores.len(), events.len())?;
    if scores.iter().any(|score| !score.is_finite()) || events.iter().zip(totals).any(|(event, total)| event > total) {
        return Err(Error::out_of_range("trend", "finite scores and at most as many events as people"));
    }
    let groups = totals.iter().filter(|&&total| total > 0).count();
    if groups < 2 {
        return Err(Error::more_groups("groups", groups));
    }
    let n = totals.iter().sum::<u64>() as f64;
    let p = events.iter().sum::<u64>() as f64 / n;
    let centre = scores.iter().zip(totals).map(|(score, &total)| score * total as f64).sum::<f64>() / n;
    let distance: f64 = (0..events.len()).map(|i| (scores[i] - centre) * (events[i] as f64 - totals[i] as f64 * p)).sum();
    let spread: f64 = scores.iter().zip(totals).map(|(score, &total)| total as f64 * (score - centre).powi(2)).sum();
    let variance = p * (1.0 - p) * spread;
    if variance <= 0.0 {
        return Err(Error::constant("trend"));
    }
    let rows = Rows { n: n as usize, missing: 0 };
    Ok(TestResult::of_chi_squared(Test::CochranArmitage, distance * distance / variance, 1.0, rows))
}
