//! The cumulative hazard of Nelson (1972) and Aalen (1978).
use crate::error::{Error, Result};
use crate::estimate::{Interval, IntervalMethod, Level};
use crate::survival::follow_up::{FollowUp, moments};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HazardStep {
    pub time: f64,
    pub at_risk: usize,
    pub events: usize,
    pub hazard: f64,
    pub se: f64,
    /// exp(log H ± z·SE/H); no bounds before the first event.
    pub interval: Interval,
}

/// Sums of d/n with the variance Σ d/n² (Aalen). Ties count as one step of d/n. One step for each time at which follow-up ends.
pub fn nelson_aalen(data: &FollowUp, level: Level) -> Result<Vec<HazardStep>> {
    let people = data.people()?;
    if people.is_empty() {
        return Err(Error::too_few(data.time.name, 0, 1));
    }
    let z = level.z();
    let (mut hazard, mut variance) = (0.0, 0.0_f64);
    let steps = moments(&people).into_iter().map(|moment| {
        let (n, d) = (moment.at_risk as f64, moment.events as f64);
        hazard += d / n;
        variance += d / (n * n);
        let se = variance.sqrt();
        let spread = (z * se / hazard).exp();
        let interval = if hazard > 0.0 {
            Interval::new(hazard / spread, hazard * spread, level, IntervalMethod::WaldLog)
        } else {
            Interval { low: None, high: None, level, method: IntervalMethod::WaldLog }
        };
        HazardStep { time: moment.time, at_risk: moment.at_risk, events: moment.events, hazard, se, interval }
    });
    Ok(steps.collect())
}
