//! Charts of a measure over months: run charts and charts of individuals with moving ranges (XmR).
use crate::column::Numeric;
use crate::describe::{QuantileType, quantile};
use crate::distribution::binomial_quantile;
use crate::error::{Error, Result};
use crate::numbers::sorted;

/// Seven in a row on one side of the centre, or each higher (lower) than the one before it.
pub const RULE: usize = 7;

/// Why a point is not by chance alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    OutsideLimits,
    /// Part of seven or more on one side of the centre.
    Shift,
    /// Part of seven or more in a row that rise, or that fall.
    Trend,
}

/// A point by its row, with its signals. Missing months have no point and do not break a row of seven.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlPoint {
    pub row: usize,
    pub value: f64,
    pub signals: Vec<Signal>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ControlChart {
    pub centre: f64,
    pub low: f64,
    pub high: f64,
    pub mean_moving_range: f64,
    pub missing: usize,
    pub points: Vec<ControlPoint>,
}

/// Shewhart's chart of individuals: mean ± 2.66 mean moving range (3/1.128). Needs two values. A constant measure has limits at its value
/// and no signals.
pub fn individuals_chart(x: Numeric) -> Result<ControlChart> {
    let (rows, values) = known(x)?;
    if values.len() < 2 {
        return Err(Error::too_few(x.name, values.len(), 2));
    }
    let centre = crate::numbers::moments(&values).0;
    let ranges: Vec<f64> = values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let mean_moving_range = crate::numbers::moments(&ranges).0;
    let (low, high) = (centre - 2.66 * mean_moving_range, centre + 2.66 * mean_moving_range);
    let (shifts, trends) = (shifts(&values, centre), trends(&values));
    let points = (0..values.len()).map(|i| {
        let outside = mean_moving_range > 0.0 && !(low..=high).contains(&values[i]);
        let signals = [(outside, Signal::OutsideLimits), (shifts[i], Signal::Shift), (trends[i], Signal::Trend)];
        let signals = signals.into_iter().filter(|(there, _)| *there).map(|(_, signal)| signal).collect();
        ControlPoint { row: rows[i], value: values[i], signals }
    });
    Ok(ControlChart { centre, low, high, mean_moving_range, missing: x.values.len() - values.len(), points: points.collect() })
}

/// A run chart by Anhøj's rules (2014): the median, the longest run on one side of it and how often the line crosses it.
#[derive(Clone, Debug, PartialEq)]
pub struct RunChart {
    pub median: f64,
    /// Values that are not on the median.
    pub useful: usize,
    pub longest_run: usize,
    /// A longer run is a signal.
    pub longest_run_limit: usize,
    pub crossings: usize,
    /// Fewer crossings are a signal.
    pub crossings_limit: usize,
    pub missing: usize,
}

impl RunChart {
    pub fn has_signal(&self) -> bool {
        self.longest_run > self.longest_run_limit || self.crossings < self.crossings_limit
    }
}

/// Values on the median do not count. Fewer than ten useful values are [`Error::TooFew`]: the rules say nothing then.
pub fn run_chart(x: Numeric) -> Result<RunChart> {
    let (_, values) = known(x)?;
    if values.is_empty() {
        return Err(Error::too_few(x.name, 0, 10));
    }
    let median = quantile(&sorted(&values), 0.5, QuantileType::Linear7);
    let sides: Vec<bool> = values.iter().filter(|value| **value != median).map(|value| *value > median).collect();
    if sides.len() < 10 {
        return Err(Error::too_few(x.name, sides.len(), 10));
    }
    let runs: Vec<usize> = sides.chunk_by(|a, b| a == b).map(<[bool]>::len).collect();
    Ok(RunChart {
        median,
        useful: sides.len(),
        longest_run: runs.iter().copied().max().unwrap_or(0),
        longest_run_limit: (sides.len() as f64).log2().round() as usize + 3,
        crossings: runs.len() - 1,
        crossings_limit: binomial_quantile(0.05, sides.len() as u64 - 1, 0.5) as usize,
        missing: x.values.len() - values.len(),
    })
}

fn known(x: Numeric) -> Result<(Vec<usize>, Vec<f64>)> {
    let mut known = (Vec::new(), Vec::new());
    for row in 0..x.values.len() {
        if let Some(value) = x.at(row)? {
            known.0.push(row);
            known.1.push(value);
        }
    }
    Ok(known)
}

/// Values on the centre neither count nor break a row.
fn shifts(values: &[f64], centre: f64) -> Vec<bool> {
    let sided: Vec<usize> = (0..values.len()).filter(|&i| values[i] != centre).collect();
    let mut marked = vec![false; values.len()];
    for run in sided.chunk_by(|&a, &b| (values[a] > centre) == (values[b] > centre)).filter(|run| run.len() >= RULE) {
        run.iter().for_each(|&i| marked[i] = true);
    }
    marked
}

fn trends(values: &[f64]) -> Vec<bool> {
    let mut marked = vec![false; values.len()];
    for ordered in [|a: &f64, b: &f64| a < b, |a: &f64, b: &f64| a > b] {
        let mut from = 0;
        for run in values.chunk_by(ordered) {
            if run.len() >= RULE {
                marked[from..from + run.len()].fill(true);
            }
            from += run.len();
        }
    }
    marked
}
