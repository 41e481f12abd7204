//! What all fitted models share: coefficients, global tests, warnings.
use crate::distribution::normal_two_sided;
use crate::estimate::{Interval, IntervalMethod, Level};
use crate::matrix::Symmetric;
use crate::model::design::{DroppedLevel, ModelColumn};
use crate::test_result::{Rows, Test, TestResult};

/// A coefficient on its own scale (logarithm of the hazard or odds ratio, or the outcome's unit). `wald` is `None` where the data do not
/// bound it: the covariate separates, see the warnings.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficient {
    pub column: ModelColumn,
    pub wald: Option<Wald>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wald {
    pub beta: f64,
    pub se: f64,
    pub interval: Interval,
    /// z, or t in a linear model.
    pub statistic: f64,
    pub p: f64,
}

impl Wald {
    pub(crate) fn of_z(beta: f64, se: f64, level: Level) -> Wald {
        let interval = Interval::around(beta, level.z() * se, level, IntervalMethod::Wald);
        Wald { beta, se, interval, statistic: beta / se, p: normal_two_sided(beta / se) }
    }

    /// The hazard or odds ratio.
    pub fn ratio(&self) -> f64 {
        self.beta.exp()
    }

    pub fn ratio_interval(&self) -> Interval {
        let exp = |bound: Option<f64>| bound.map(f64::exp).filter(|value| value.is_finite());
        Interval { low: exp(self.interval.low), high: exp(self.interval.high), level: self.interval.level, method: IntervalMethod::WaldLog }
    }
}

/// What a reader of the model has to be told.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// Fewer than ten events (of the rarer outcome) for each column (Peduzzi 1996).
    FewEvents {
        per_column: f64,
    },
    /// The covariate tells the outcome so well that its effect has no bound.
    Separation {
        covariate: String,
    },
    EmptyLevel(DroppedLevel),
    /// Effects change with time: the global test of proportional hazards is below 0.05.
    NotProportional {
        p: f64,
    },
    /// All residuals are zero but for rounding: nothing is left to test with.
    PerfectFit,
}

/// Tests that all coefficients are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlobalTests {
    pub likelihood_ratio: TestResult,
    pub wald: TestResult,
    pub score: TestResult,
}

impl GlobalTests {
    pub(crate) fn new(log_likelihoods: [f64; 2], wald: f64, score: f64, df: usize, rows: Rows) -> GlobalTests {
        let test = |test, statistic: f64| TestResult::of_chi_squared(test, statistic.max(0.0), df as f64, rows);
        GlobalTests {
            likelihood_ratio: test(Test::LikelihoodRatio, 2.0 * (log_likelihoods[1] - log_likelihoods[0])),
            wald: test(Test::Wald, wald),
            score: test(Test::Score, score),
        }
    }
}

/// The covariance of coefficients in the order of their columns.
pub type Covariance = Symmetric;

pub(crate) fn few_events(events: usize, columns: usize) -> Option<Warning> {
    let per_column = events as f64 / columns as f64;
    (columns > 0 && per_column < 10.0).then_some(Warning::FewEvents { per_column })
}
