//! A variable by itself: what Table 1 shows of it.
use crate::column::Numeric;
use crate::distribution::{binomial_quantile, t_quantile};
use crate::error::{Error, Result};
use crate::estimate::{Interval, IntervalMethod, Level};
use crate::numbers::{moments, sorted, sum};

/// The nine definitions of a sample quantile, numbered as by Hyndman and Fan (1996). R's default is seven, SPSS shows six, SAS five of its
/// own numbering, which is two here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuantileType {
    InverseCdf1,
    AveragedCdf2,
    NearestEven3,
    LinearCdf4,
    Hazen5,
    Weibull6,
    #[default]
    Linear7,
    MedianUnbiased8,
    NormalUnbiased9,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    pub low: f64,
    pub high: f64,
    pub kind: QuantileType,
}

/// What is told of one value or more. What needs two values is `None` for one; the geometric mean is `None` where a value is not positive;
/// the median's interval is `None` where so few values cannot reach the level (five or fewer at 95 %).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub n: usize,
    pub missing: usize,
    pub mean: f64,
    pub sd: Option<f64>,
    pub se: Option<f64>,
    pub mean_interval: Option<Interval>,
    pub median: f64,
    pub median_interval: Option<Interval>,
    pub quartiles: Quartiles,
    pub min: f64,
    pub max: f64,
    pub geometric_mean: Option<f64>,
}

/// Mean with its t interval, median with the order-statistics interval (Conover 1999, section 3.2), quartiles of the named type. Missing
/// values are counted; no value at all is [`Error::TooFew`].
pub fn summarise(x: Numeric, level: Level, kind: QuantileType) -> Result<Summary> {
    let complete = x.complete()?;
    summarise_values(x.name, complete.values, complete.missing, level, kind)
}

/// [`summarise`] of values that are already apart, as those of one group.
pub fn summarise_values(name: &str, values: Vec<f64>, missing: usize, level: Level, kind: QuantileType) -> Result<Summary> {
    if values.is_empty() {
        return Err(Error::too_few(name, 0, 1));
    }
    let n = values.len();
    let (mean, squares) = moments(&values);
    let sd = (n > 1).then(|| (squares / (n as f64 - 1.0)).sqrt());
    let se = sd.map(|sd| sd / (n as f64).sqrt());
    let geometric_mean = geometric_mean(&values);
    let mut sorted = values;
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(Summary {
        n,
        missing,
        mean,
        sd,
        se,
        mean_interval: se.map(|se| mean_interval(mean, se, n, level)),
        median: quantile(&sorted, 0.5, QuantileType::Linear7),
        median_interval: median_interval(&sorted, level),
        quartiles: Quartiles { low: quantile(&sorted, 0.25, kind), high: quantile(&sorted, 0.75, kind), kind },
        min: sorted[0],
        max: sorted[n - 1],
        geometric_mean,
    })
}

/// Quantiles of the values that are there, at probabilities within 0 and 1.
pub fn quantiles(x: Numeric, probabilities: &[f64], kind: QuantileType) -> Result<Vec<f64>> {
    if probabilities.iter().any(|p| !(0.0..=1.0).contains(p)) {
        return Err(Error::out_of_range(x.name, "a probability"));
    }
    let sorted = sorted(&x.complete()?.values);
    if sorted.is_empty() {
        return Err(Error::too_few(x.name, 0, 1));
    }
    Ok(probabilities.iter().map(|&p| quantile(&sorted, p, kind)).collect())
}

/// Edges of the bins of a histogram by Freedman and Diaconis (1981): width 2·IQR/n^(1/3). Where the quartiles are equal, Sturges's count is
/// taken; there are never more than 1,000 bins.
pub fn histogram_edges(x: Numeric) -> Result<Vec<f64>> {
    let sorted = sorted(&x.complete()?.values);
    let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else { return Err(Error::too_few(x.name, 0, 1)) };
    if min == max {
        return Ok(vec![min - 0.5, min + 0.5]);
    }
    let n = sorted.len() as f64;
    let range = quantile(&sorted, 0.75, QuantileType::Linear7) - quantile(&sorted, 0.25, QuantileType::Linear7);
    let bins = if range > 0.0 { (max - min) / (2.0 * range / n.cbrt()) } else { n.log2() + 1.0 };
    let bins = bins.ceil().clamp(1.0, 1000.0);
    Ok((0..=bins as usize).map(|i| min + (max - min) * i as f64 / bins).collect())
}

/// The quantile of sorted values, of which there is at least one.
pub(crate) fn quantile(sorted: &[f64], p: f64, kind: QuantileType) -> f64 {
    let n = sorted.len() as f64;
    // Products such as 0.1 * 30 miss whole numbers by a bit; R allows for as much.
    let fuzz = 4.0 * f64::EPSILON;
    let at = |position: f64| sorted[(position.max(1.0).min(n) as usize) - 1];
    let step = |position: f64, gamma: &dyn Fn(f64, f64) -> f64| {
        let whole = (position + fuzz).floor();
        let share = gamma(whole, position - whole);
        if share == 0.0 {
            at(whole)
        } else if share == 1.0 {
            at(whole + 1.0)
        } else {
            at(whole) + share * (at(whole + 1.0) - at(whole))
        }
    };
    let above = |over: f64, exact: f64| if over > fuzz { 1.0 } else { exact };
    let linear = |alpha: f64, beta: f64| step(alpha + p * (n + 1.0 - alpha - beta), &|_, over| if over.abs() < fuzz { 0.0 } else { over });
    match kind {
        QuantileType::InverseCdf1 => step(n * p, &|_, over| above(over, 0.0)),
        QuantileType::AveragedCdf2 => step(n * p, &|_, over| above(over, 0.5)),
        QuantileType::NearestEven3 => step(n * p - 0.5, &|whole, over| above(over, whole.rem_euclid(2.0))),
        QuantileType::LinearCdf4 => linear(0.0, 1.0),
        QuantileType::Hazen5 => linear(0.5, 0.5),
        QuantileType::Weibull6 => linear(0.0, 0.0),
        QuantileType::Linear7 => linear(1.0, 1.0),
        QuantileType::MedianUnbiased8 => linear(1.0 / 3.0, 1.0 / 3.0),
        QuantileType::NormalUnbiased9 => linear(0.375, 0.375),
    }
}

pub(crate) fn mean_interval(mean: f64, se: f64, n: usize, level: Level) -> Interval {
    let t = t_quantile(1.0 - level.tail(), n as f64 - 1.0);
    Interval::around(mean, t * se, level, IntervalMethod::StudentT)
}

fn median_interval(sorted: &[f64], level: Level) -> Option<Interval> {
    let rank = binomial_quantile(level.tail(), sorted.len() as u64, 0.5) as usize;
    let low = sorted.get(rank.checked_sub(1)?)?;
    Some(Interval::new(*low, sorted[sorted.len() - rank], level, IntervalMethod::OrderStatistic))
}

fn geometric_mean(values: &[f64]) -> Option<f64> {
    let positive = values.iter().all(|&x| x > 0.0);
    positive.then(|| (sum(values.iter().map(|x| x.ln())) / values.len() as f64).exp())
}
