//! Standardisation by a standard population (direct) and by standard rates (indirect).
use crate::distribution::gamma_quantile;
use crate::error::{Error, Result};
use crate::estimate::{Estimate, Interval, IntervalMethod, Level};
use crate::rates::incidence::{byar, poisson_interval};

/// One age group, or another stratum: what was seen, and the weight of the standard population.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stratum {
    pub events: u64,
    pub person_time: f64,
    pub standard: f64,
}

struct Direct {
    rate: f64,
    variance: f64,
    events: u64,
    largest_weight: f64,
}

fn direct(strata: &[Stratum]) -> Result<Direct> {
    let ok = |s: &Stratum| s.person_time > 0.0 && s.person_time.is_finite() && s.standard >= 0.0 && s.standard.is_finite();
    let total: f64 = strata.iter().map(|s| s.standard).sum();
    if !strata.iter().all(ok) || total <= 0.0 {
        return Err(Error::out_of_range("strata", "positive person-time and a standard population"));
    }
    let weight = |s: &Stratum| s.standard / total / s.person_time;
    Ok(Direct {
        rate: strata.iter().map(|s| weight(s) * s.events as f64).sum(),
        variance: strata.iter().map(|s| weight(s).powi(2) * s.events as f64).sum(),
        events: strata.iter().map(|s| s.events).sum(),
        largest_weight: strata.iter().map(weight).fold(0.0, f64::max),
    })
}

/// The directly standardised rate with the interval of Dobson (1991) over Byar's, as Fingertips publishes. No event at all is
/// [`Error::ZeroCell`].
pub fn direct_dobson(strata: &[Stratum], level: Level) -> Result<Estimate> {
    let direct = direct(strata)?;
    if direct.events == 0 {
        return Err(Error::ZeroCell { measure: "Dobson's interval" });
    }
    let count = direct.events as f64;
    let (low, high) = byar(count, level.z());
    let scale = (direct.variance / count).sqrt();
    let (low, high) = (direct.rate + scale * (low - count), direct.rate + scale * (high - count));
    let interval = Interval::new(low, high, level, IntervalMethod::DobsonByar);
    Ok(Estimate { value: direct.rate, se: Some(direct.variance.sqrt()), interval })
}

/// The directly standardised rate with the gamma interval of Fay and Feuer (1997), which keeps its level with few events and stands none.
pub fn direct_gamma(strata: &[Stratum], level: Level) -> Result<Estimate> {
    let direct = direct(strata)?;
    let (rate, variance, weight) = (direct.rate, direct.variance, direct.largest_weight);
    let low = if direct.events == 0 { 0.0 } else { gamma_quantile(level.tail(), rate * rate / variance) * variance / rate };
    let (mean, spread) = (rate + weight, variance + weight * weight);
    let high = gamma_quantile(1.0 - level.tail(), mean * mean / spread) * spread / mean;
    let interval = Interval::new(low, high, level, IntervalMethod::FayFeuer);
    Ok(Estimate { value: rate, se: Some(variance.sqrt()), interval })
}

/// The standardised mortality (or incidence) ratio: observed over expected events, with the exact Poisson interval.
pub fn standardised_ratio(observed: u64, expected: f64, level: Level) -> Result<Estimate> {
    if !(expected > 0.0 && expected.is_finite()) {
        return Err(Error::out_of_range("expected events", "a positive number"));
    }
    let count = poisson_interval(observed, level);
    let scale = |bound: Option<f64>| bound.map(|count| count / expected);
    let interval = Interval { low: scale(count.low), high: scale(count.high), ..count };
    Ok(Estimate { value: observed as f64 / expected, se: None, interval })
}
