//! Estimates with the interval that belongs to them, and the method by which it was made.
use crate::distribution::normal_quantile;
use crate::error::{Error, Result};

/// A confidence level between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level(f64);

impl Level {
    pub const P90: Level = Level(0.90);
    pub const P95: Level = Level(0.95);
    pub const P99: Level = Level(0.99);
    /// The outer limits of a funnel.
    pub const P998: Level = Level(0.998);

    pub fn new(level: f64) -> Result<Level> {
        if level > 0.0 && level < 1.0 { Ok(Level(level)) } else { Err(Error::out_of_range("level", "a confidence level")) }
    }

    pub fn value(self) -> f64 {
        self.0
    }

    /// The probability that one tail leaves out.
    pub(crate) fn tail(self) -> f64 {
        (1.0 - self.0) / 2.0
    }

    pub(crate) fn z(self) -> f64 {
        normal_quantile(1.0 - self.tail())
    }
}

impl Default for Level {
    fn default() -> Self {
        Level::P95
    }
}

/// How an interval was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalMethod {
    StudentT,
    WelchT,
    OrderStatistic,
    Wilson,
    ClopperPearson,
    FisherZ,
    /// estimate ± z·SE
    Wald,
    /// exp(log estimate ± z·SE of the logarithm)
    WaldLog,
    /// The conditional distribution of a 2x2 table with fixed margins.
    ConditionalExact,
    Newcombe,
    GreenwoodPlain,
    GreenwoodLog,
    GreenwoodLogLog,
    BrookmeyerCrowley,
    DeLong,
    ExactPoisson,
    Byar,
    /// Byar's interval of the count, scaled to a standardised rate by Dobson's method.
    DobsonByar,
    /// The gamma interval of Fay and Feuer for a standardised rate.
    FayFeuer,
    BlandAltman,
}

/// A confidence interval. A bound is `None` where the data do not limit it: an odds ratio over a zero, a median whose curve never falls so
/// low.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub level: Level,
    pub method: IntervalMethod,
}

impl Interval {
    pub(crate) fn new(low: f64, high: f64, level: Level, method: IntervalMethod) -> Interval {
        let bound = |value: f64| value.is_finite().then_some(value);
        Interval { low: bound(low), high: bound(high), level, method }
    }

    pub(crate) fn around(value: f64, half: f64, level: Level, method: IntervalMethod) -> Interval {
        Interval::new(value - half, value + half, level, method)
    }
}

/// A number with its interval. `se` is of the value, or of its logarithm where the method is [`IntervalMethod::WaldLog`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub se: Option<f64>,
    pub interval: Interval,
}

impl Estimate {
    pub(crate) fn wald(value: f64, se: f64, level: Level) -> Estimate {
        Estimate { value, se: Some(se), interval: Interval::around(value, level.z() * se, level, IntervalMethod::Wald) }
    }

    pub(crate) fn wald_log(log: f64, se: f64, level: Level) -> Estimate {
        let half = level.z() * se;
        let interval = Interval::new((log - half).exp(), (log + half).exp(), level, IntervalMethod::WaldLog);
        Estimate { value: log.exp(), se: Some(se), interval }
    }
}
