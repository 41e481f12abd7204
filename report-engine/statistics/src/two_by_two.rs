//! Effects in a 2x2 table of exposure and event.
use crate::distribution::bisect;
use crate::error::{Error, Result};
use crate::estimate::{Estimate, Interval, IntervalMethod, Level};
use crate::proportion::wilson;
use statrs::function::factorial::ln_binomial;

/// Counts of people. A table without exposed or without unexposed people has no effect to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoByTwo {
    pub exposed_events: u64,
    pub exposed_others: u64,
    pub unexposed_events: u64,
    pub unexposed_others: u64,
}

impl TwoByTwo {
    fn cells(self) -> [f64; 4] {
        [self.exposed_events, self.exposed_others, self.unexposed_events, self.unexposed_others].map(|count| count as f64)
    }

    fn exposed(self) -> u64 {
        self.exposed_events + self.exposed_others
    }

    fn unexposed(self) -> u64 {
        self.unexposed_events + self.unexposed_others
    }

    /// The odds ratio with Woolf's interval (1955). Any zero is [`Error::ZeroCell`]; take the exact one then.
    pub fn odds_ratio(self, level: Level) -> Result<Estimate> {
        let [a, b, c, d] = self.cells();
        if a * b * c * d == 0.0 {
            return Err(Error::ZeroCell { measure: "the odds ratio" });
        }
        Ok(Estimate::wald_log((a / b / (c / d)).ln(), (1.0 / a + 1.0 / b + 1.0 / c + 1.0 / d).sqrt(), level))
    }

    /// The ratio of risks with the log interval of Katz (1978). Nobody with the event in either group is [`Error::ZeroCell`].
    pub fn risk_ratio(self, level: Level) -> Result<Estimate> {
        let [a, b, c, d] = self.cells();
        if a * c == 0.0 {
            return Err(Error::ZeroCell { measure: "the risk ratio" });
        }
        let se = (b / a / (a + b) + d / c / (c + d)).sqrt();
        Ok(Estimate::wald_log((a / (a + b) / (c / (c + d))).ln(), se, level))
    }

    /// The difference of risks with Newcombe's hybrid score interval (1998, method 10), which stands zeros.
    pub fn risk_difference(self, level: Level) -> Result<Estimate> {
        let exposed = wilson(self.exposed_events, self.exposed(), level)?;
        let unexposed = wilson(self.unexposed_events, self.unexposed(), level)?;
        let (p, q) = (exposed.value, unexposed.value);
        let bound = |bound: Option<f64>, end: f64| bound.unwrap_or(end);
        let low = (p - bound(exposed.interval.low, 0.0)).hypot(bound(unexposed.interval.high, 1.0) - q);
        let high = (bound(exposed.interval.high, 1.0) - p).hypot(q - bound(unexposed.interval.low, 0.0));
        let interval = Interval::new(p - q - low, p - q + high, level, IntervalMethod::Newcombe);
        Ok(Estimate { value: p - q, se: None, interval })
    }

    /// The odds ratio of greatest conditional likelihood with Fisher's exact interval, as R's `fisher.test`. With a zero it is 0 or
    /// infinite, and its interval has one bound. An empty margin is [`Error::ZeroCell`].
    pub fn odds_ratio_exact(self, level: Level) -> Result<Estimate> {
        let events = self.exposed_events + self.unexposed_events;
        let others = self.exposed_others + self.unexposed_others;
        if [events, others, self.exposed(), self.unexposed()].contains(&0) {
            return Err(Error::ZeroCell { measure: "the odds ratio" });
        }
        let table = FixedMargins::new(self.exposed(), self.unexposed(), events);
        let count = self.exposed_events;
        let low = if count == table.least { 0.0 } else { table.odds_where(|odds| table.at_least(count, odds) < level.tail()) };
        let high =
            if count == table.most { f64::INFINITY } else { table.odds_where(|odds| 1.0 - table.at_least(count + 1, odds) > level.tail()) };
        let value = if count == table.least {
            0.0
        } else if count == table.most {
            f64::INFINITY
        } else {
            table.odds_where(|odds| table.mean(odds) < count as f64)
        };
        Ok(Estimate { value, se: None, interval: Interval::new(low, high, level, IntervalMethod::ConditionalExact) })
    }
}

/// Fisher's noncentral hypergeometric distribution of the events among the exposed.
struct FixedMargins {
    least: u64,
    most: u64,
    logs: Vec<f64>,
}

impl FixedMargins {
    fn new(exposed: u64, unexposed: u64, events: u64) -> FixedMargins {
        let (least, most) = (events.saturating_sub(unexposed), events.min(exposed));
        let logs = (least..=most).map(|count| ln_binomial(exposed, count) + ln_binomial(unexposed, events - count)).collect();
        FixedMargins { least, most, logs }
    }

    fn weights(&self, odds: f64) -> impl Iterator<Item = (u64, f64)> + '_ {
        let log = odds.ln();
        let tilted = move |(count, weight): (u64, &f64)| (count, weight + log * count as f64);
        let largest = (self.least..).zip(&self.logs).map(tilted).map(|(_, weight)| weight).fold(f64::NEG_INFINITY, f64::max);
        (self.least..).zip(&self.logs).map(tilted).map(move |(count, weight)| (count, (weight - largest).exp()))
    }

    fn at_least(&self, from: u64, odds: f64) -> f64 {
        let (mut above, mut all) = (0.0, 0.0);
        for (count, weight) in self.weights(odds) {
            all += weight;
            if count >= from {
                above += weight;
            }
        }
        above / all
    }

    fn mean(&self, odds: f64) -> f64 {
        let (mut total, mut all) = (0.0, 0.0);
        for (count, weight) in self.weights(odds) {
            total += count as f64 * weight;
            all += weight;
        }
        total / all
    }

    /// The odds ratio at which `below` turns false, searched on the logarithm.
    fn odds_where(&self, below: impl Fn(f64) -> bool) -> f64 {
        bisect(-50.0, 50.0, |log| below(log.exp())).exp()
    }
}
