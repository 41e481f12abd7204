//! Accuracy of a yes-or-no test against the truth.
use crate::error::{Error, Result};
use crate::estimate::{Estimate, Level};
use crate::proportion::wilson;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub true_positives: u64,
    pub false_positives: u64,
    pub false_negatives: u64,
    pub true_negatives: u64,
}

impl Diagnostic {
    fn diseased(self) -> u64 {
        self.true_positives + self.false_negatives
    }

    fn healthy(self) -> u64 {
        self.true_negatives + self.false_positives
    }

    /// Share of the diseased who test positive, with Wilson's interval as all shares here. Nobody diseased is [`Error::TooFew`].
    pub fn sensitivity(self, level: Level) -> Result<Estimate> {
        wilson(self.true_positives, self.diseased(), level)
    }

    /// Share of the healthy who test negative.
    pub fn specificity(self, level: Level) -> Result<Estimate> {
        wilson(self.true_negatives, self.healthy(), level)
    }

    /// Share of the positive who are diseased: true at this prevalence only.
    pub fn positive_predictive_value(self, level: Level) -> Result<Estimate> {
        wilson(self.true_positives, self.true_positives + self.false_positives, level)
    }

    /// Share of the negative who are healthy: true at this prevalence only.
    pub fn negative_predictive_value(self, level: Level) -> Result<Estimate> {
        wilson(self.true_negatives, self.true_negatives + self.false_negatives, level)
    }

    pub fn accuracy(self, level: Level) -> Result<Estimate> {
        wilson(self.true_positives + self.true_negatives, self.diseased() + self.healthy(), level)
    }

    pub fn prevalence(self, level: Level) -> Result<Estimate> {
        wilson(self.diseased(), self.diseased() + self.healthy(), level)
    }

    /// Sensitivity over one less specificity, with the log interval of Simel (1991). Zeros that leave it undefined are [`Error::ZeroCell`].
    pub fn positive_likelihood_ratio(self, level: Level) -> Result<Estimate> {
        ratio((self.true_positives, self.diseased()), (self.false_positives, self.healthy()), level)
    }

    /// One less sensitivity over specificity, with the log interval of Simel (1991).
    pub fn negative_likelihood_ratio(self, level: Level) -> Result<Estimate> {
        ratio((self.false_negatives, self.diseased()), (self.true_negatives, self.healthy()), level)
    }
}

fn ratio(above: (u64, u64), below: (u64, u64), level: Level) -> Result<Estimate> {
    if above.0 == 0 || below.0 == 0 {
        return Err(Error::ZeroCell { measure: "the likelihood ratio" });
    }
    let [a, m, b, n] = [above.0, above.1, below.0, below.1].map(|count| count as f64);
    Ok(Estimate::wald_log((a / m / (b / n)).ln(), (1.0 / a - 1.0 / m + 1.0 / b - 1.0 / n).sqrt(), level))
}
