//! Events over person-time.
use crate::distribution::{beta_quantile, binomial_two_sided, gamma_quantile};
use crate::error::{Error, Result};
use crate::estimate::{Estimate, Interval, IntervalMethod, Level};
use crate::test_result::{Rows, Test, TestResult};

/// Events of a Poisson process over the time that all people were watched, in any unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Events {
    pub events: u64,
    pub person_time: f64,
}

/// The exact interval of a Poisson count (Garwood 1936). Zero has a lower bound of zero.
pub fn poisson_interval(count: u64, level: Level) -> Interval {
    let low = if count == 0 { 0.0 } else { gamma_quantile(level.tail(), count as f64) };
    let high = gamma_quantile(1.0 - level.tail(), count as f64 + 1.0);
    Interval::new(low, high, level, IntervalMethod::ExactPoisson)
}

/// Byar's approximation of the same interval (Breslow and Day 1987), as public health services publish it. Zero has a lower bound of zero.
pub fn byar_interval(count: u64, level: Level) -> Interval {
    let (low, high) = byar(count as f64, level.z());
    Interval::new(low, high, level, IntervalMethod::Byar)
}

pub(crate) fn byar(count: f64, z: f64) -> (f64, f64) {
    let bound = |count: f64, z: f64| count * (1.0 - 1.0 / (9.0 * count) + z / (3.0 * count.sqrt())).powi(3);
    let low = if count > 0.0 { bound(count, -z).max(0.0) } else { 0.0 };
    (low, bound(count + 1.0, z))
}

impl Events {
    fn check(self) -> Result<Events> {
        if self.person_time > 0.0 && self.person_time.is_finite() {
            Ok(self)
        } else {
            Err(Error::out_of_range("person-time", "a positive time"))
        }
    }

    /// Events per unit of time with the exact Poisson interval.
    pub fn rate(self, level: Level) -> Result<Estimate> {
        self.check()?;
        let count = poisson_interval(self.events, level);
        let scale = |bound: Option<f64>| bound.map(|count| count / self.person_time);
        let interval = Interval { low: scale(count.low), high: scale(count.high), ..count };
        Ok(Estimate { value: self.events as f64 / self.person_time, se: None, interval })
    }
}

/// A ratio of two rates with the conditional exact interval and test: given all events, those of the first are binomial. Events only in the
/// first have no upper bound and a ratio of infinity; none at all is [`Error::ZeroCell`].
pub fn rate_ratio(first: Events, second: Events, level: Level) -> Result<(Estimate, TestResult)> {
    let (first, second) = (first.check()?, second.check()?);
    let all = first.events + second.events;
    if all == 0 {
        return Err(Error::ZeroCell { measure: "the rate ratio" });
    }
    let (a, b) = (first.events as f64, second.events as f64);
    let times = second.person_time / first.person_time;
    let ratio = |share: f64| if share >= 1.0 { f64::INFINITY } else { share / (1.0 - share) * times };
    let low = if first.events == 0 { 0.0 } else { ratio(beta_quantile(level.tail(), a, b + 1.0)) };
    let high = if second.events == 0 { f64::INFINITY } else { ratio(beta_quantile(1.0 - level.tail(), a + 1.0, b)) };
    let expected = first.person_time / (first.person_time + second.person_time);
    let p = binomial_two_sided(first.events, all, expected);
    let estimate =
        Estimate { value: ratio(a / (a + b)), se: None, interval: Interval::new(low, high, level, IntervalMethod::ExactPoisson) };
    Ok((estimate, TestResult::exact(Test::ExactPoisson, a, p, Rows { n: all as usize, missing: 0 })))
}
