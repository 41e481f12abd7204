//! Limits between which a unit's share lies by chance, by its size.
use crate::distribution::{binomial_cdf, binomial_density, binomial_quantile};
use crate::error::{Error, Result};
use crate::estimate::Level;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FunnelMethod {
    /// Binomial quantiles interpolated between counts (Spiegelhalter 2005, appendix A.1.1), right for small units.
    #[default]
    ExactBinomial,
    /// baseline ± z·√(p(1-p)/n): the shares whose Wilson interval ends at the baseline, as Fingertips publishes.
    Score,
}

/// Limits of the share of one unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FunnelLimits {
    pub low: f64,
    pub high: f64,
    pub level: Level,
    pub method: FunnelMethod,
}

/// Limits around the share `baseline` for a unit of `n` people, within 0 and 1. A unit without people is [`Error::TooFew`].
pub fn funnel_limits(baseline: f64, n: u64, level: Level, method: FunnelMethod) -> Result<FunnelLimits> {
    if !(0.0..=1.0).contains(&baseline) {
        return Err(Error::out_of_range("baseline", "a share"));
    }
    if n == 0 {
        return Err(Error::too_few("unit", 0, 1));
    }
    let (low, high) = match method {
        FunnelMethod::ExactBinomial => (exact(level.tail(), n, baseline), exact(1.0 - level.tail(), n, baseline)),
        FunnelMethod::Score => {
            let half = level.z() * (baseline * (1.0 - baseline) / n as f64).sqrt();
            (baseline - half, baseline + half)
        }
    };
    Ok(FunnelLimits { low: low.max(0.0), high: high.min(1.0), level, method })
}

/// The count at which the distribution reaches the probability, moved back by the part of that count's chance that goes beyond it.
fn exact(probability: f64, n: u64, p: f64) -> f64 {
    let count = binomial_quantile(probability, n, p);
    let reached = binomial_cdf(count as i64, n, p);
    let density = binomial_density(count as f64, n as f64, p, 1.0 - p);
    let over = if density > 0.0 { ((reached - probability) / density).clamp(0.0, 1.0) } else { 0.0 };
    (count as f64 - over) / n as f64
}

/// The pooled share of all units, around which a funnel stands.
pub fn pooled_share(units: &[(u64, u64)]) -> Result<f64> {
    let (events, people) = units.iter().fold((0, 0), |(e, n), unit| (e + unit.0, n + unit.1));
    if people == 0 || units.iter().any(|(events, people)| events > people) {
        return Err(Error::too_few("units", 0, 1));
    }
    Ok(events as f64 / people as f64)
}

/// How much more units vary than chance allows: the mean of squared winsorised z scores (Spiegelhalter 2005). Above one, limits may be
/// widened by its root; one or less means none. At baselines of 0 or 1 nothing varies: [`Error::Constant`].
pub fn overdispersion(baseline: f64, units: &[(u64, u64)], winsorised: f64) -> Result<f64> {
    if !(0.0..=0.5).contains(&winsorised) {
        return Err(Error::out_of_range("winsorised share", "a share up to a half"));
    }
    let variance = baseline * (1.0 - baseline);
    let score = |(events, n): (u64, u64)| (events as f64 / n as f64 - baseline) / (variance / n as f64).sqrt();
    let mut scores: Vec<f64> = units.iter().filter(|(_, n)| *n > 0).map(|unit| score(*unit)).collect();
    if scores.is_empty() {
        return Err(Error::too_few("units", 0, 1));
    }
    if !scores.iter().all(|score| score.is_finite()) {
        return Err(Error::constant("baseline"));
    }
    scores.sort_unstable_by(f64::total_cmp);
    let kind = crate::describe::QuantileType::Linear7;
    let (low, high) = (crate::describe::quantile(&scores, winsorised, kind), crate::describe::quantile(&scores, 1.0 - winsorised, kind));
    Ok(scores.iter().map(|score| score.clamp(low, high).powi(2)).sum::<f64>() / scores.len() as f64)
}
