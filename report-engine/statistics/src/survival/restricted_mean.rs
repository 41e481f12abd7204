//! Restricted mean survival time: the area under the curve up to a day.
use crate::column::Factor;
use crate::error::{Error, Result};
use crate::estimate::{Estimate, Level};
use crate::survival::curve::{Band, Curve, kaplan_meier_by};
use crate::survival::follow_up::FollowUp;
use crate::test_result::{Rows, Test, TestResult};

impl Curve {
    /// The mean time lived up to `tau`, with the variance of Irwin (1949): Σ (area after t)² d/(n(n - d)). A `tau` after the longest
    /// follow-up is [`Error::BeyondFollowUp`], unless everybody had the event by then.
    pub fn restricted_mean(&self, tau: f64, level: Level) -> Result<Estimate> {
        let last = self.steps.last().map_or(0.0, |step| step.time);
        let ends_at_zero = self.steps.last().is_some_and(|step| step.survival == 0.0);
        if !tau.is_finite() || tau <= 0.0 || (tau > last && !ends_at_zero) {
            return Err(Error::BeyondFollowUp { variable: "time".into(), time: tau });
        }
        let within = self.steps.partition_point(|step| step.time <= tau);
        let (mut area, mut variance) = (0.0, 0.0);
        let mut end = tau;
        for step in self.steps[..within].iter().rev() {
            area += step.survival * (end - step.time);
            end = step.time;
            let (n, d) = (step.at_risk as f64, step.events as f64);
            if step.events > 0 && step.at_risk > step.events {
                variance += area * area * d / (n * (n - d));
            }
        }
        Ok(Estimate::wald(area + end, f64::sqrt(variance), level))
    }
}

/// The difference of two groups' restricted means, first less second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestrictedMeanDifference {
    pub difference: Estimate,
    pub test: TestResult,
}

/// Compares the restricted means of exactly two groups by a z test. Without any event in both, [`Error::NoEvents`].
pub fn restricted_mean_difference(data: &FollowUp, by: Factor, tau: f64, level: Level) -> Result<RestrictedMeanDifference> {
    let curves = kaplan_meier_by(data, by, Band::LogLog, level)?;
    let filled: Vec<&Curve> = curves.by_level.iter().flatten().collect();
    let [a, b] = filled[..] else { return Err(Error::two_groups(by.name, filled.len())) };
    let (mean_a, mean_b) = (a.restricted_mean(tau, level)?, b.restricted_mean(tau, level)?);
    let se = mean_a.se.unwrap_or(0.0).hypot(mean_b.se.unwrap_or(0.0));
    if se == 0.0 {
        return Err(Error::NoEvents { variable: data.event.name.into() });
    }
    let difference = Estimate::wald(mean_a.value - mean_b.value, se, level);
    let rows = Rows { n: a.n + b.n, missing: curves.missing };
    let test = TestResult::of_z(Test::RestrictedMeanDifference, difference.value / se, rows);
    Ok(RestrictedMeanDifference { difference, test })
}
