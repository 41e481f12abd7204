//! Kaplan and Meier's curve with its band, numbers at risk, and quantiles.
use crate::column::Factor;
use crate::error::{Error, Result};
use crate::estimate::{Estimate, Interval, IntervalMethod, Level};
use crate::survival::follow_up::{FollowUp, Moment, Person, entered_before, entries, moments};

/// The scale on which the band is symmetric. All use Greenwood's variance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Band {
    Plain,
    Log,
    #[default]
    LogLog,
}

/// A time at which somebody had the event or was censored. The band has no bounds where everybody at risk had the event: the curve is zero
/// there and its variance is not defined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub time: f64,
    pub at_risk: usize,
    pub events: usize,
    pub censored: usize,
    pub survival: f64,
    /// Greenwood's standard error of `survival`; `None` where the curve is zero.
    pub se: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// A curve by Kaplan and Meier (1958). At tied times events come before censoring.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub n: usize,
    pub events: usize,
    pub missing: usize,
    pub steps: Vec<Step>,
    pub band: Band,
    pub level: Level,
    entries: Vec<f64>,
}

/// A quantile of the time; `None` where the curve does not fall so low.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurvivalQuantile {
    pub time: Option<f64>,
    pub interval: Interval,
}

/// The curve of all people. Everybody censored gives a curve of ones; nobody at all is [`Error::TooFew`].
pub fn kaplan_meier(data: &FollowUp, band: Band, level: Level) -> Result<Curve> {
    let people = data.people()?;
    let missing = data.rows() - people.len();
    if people.is_empty() {
        return Err(Error::too_few(data.time.name, 0, 1));
    }
    Ok(curve(&people, missing, band, level))
}

/// The curve of each level of `by`; a level in which nobody is has none. Rows without a level are missing, and counted in each curve's
/// `missing` only once, in `missing` here.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    pub by_level: Vec<Option<Curve>>,
    pub missing: usize,
}

pub fn kaplan_meier_by(data: &FollowUp, by: Factor, band: Band, level: Level) -> Result<Curves> {
    by.expect_rows(data.rows())?;
    let people = data.people()?;
    let mut groups = vec![Vec::new(); by.levels.len()];
    for person in people {
        if let Some(group) = by.at(person.row)? {
            groups[group].push(person);
        }
    }
    let complete: usize = groups.iter().map(Vec::len).sum();
    if complete == 0 {
        return Err(Error::too_few(data.time.name, 0, 1));
    }
    let by_level = groups.iter().map(|people| (!people.is_empty()).then(|| curve(people, 0, band, level))).collect();
    Ok(Curves { by_level, missing: data.rows() - complete })
}

pub(crate) fn curve(people: &[Person], missing: usize, band: Band, level: Level) -> Curve {
    let z = level.z();
    let (mut survival, mut greenwood) = (1.0, 0.0);
    let steps = moments(people).into_iter().map(|moment| {
        if moment.events > 0 {
            let (n, d) = (moment.at_risk as f64, moment.events as f64);
            survival *= (n - d) / n;
            greenwood += d / (n * (n - d));
        }
        step(&moment, survival, greenwood, band, z)
    });
    let steps: Vec<Step> = steps.collect();
    Curve { n: people.len(), events: steps.iter().map(|step| step.events).sum(), missing, steps, band, level, entries: entries(people) }
}

fn step(moment: &Moment, survival: f64, greenwood: f64, band: Band, z: f64) -> Step {
    let known = survival > 0.0;
    let bounds = known.then(|| bounds(survival, greenwood.sqrt(), band, z));
    Step {
        time: moment.time,
        at_risk: moment.at_risk,
        events: moment.events,
        censored: moment.censored,
        survival,
        se: known.then(|| survival * greenwood.sqrt()),
        low: bounds.map(|(low, _)| low),
        high: bounds.map(|(_, high)| high),
    }
}

fn bounds(survival: f64, log_se: f64, band: Band, z: f64) -> (f64, f64) {
    if log_se == 0.0 {
        return (survival, survival);
    }
    let half = z * log_se;
    match band {
        Band::Plain => ((survival - survival * half).max(0.0), (survival + survival * half).min(1.0)),
        Band::Log => (survival * (-half).exp(), (survival * half.exp()).min(1.0)),
        Band::LogLog => {
            let log = survival.ln();
            let spread = (half / -log).exp();
            (survival.powf(spread), survival.powf(1.0 / spread))
        }
    }
}

impl Band {
    pub(crate) fn method(self) -> IntervalMethod {
        match self {
            Band::Plain => IntervalMethod::GreenwoodPlain,
            Band::Log => IntervalMethod::GreenwoodLog,
            Band::LogLog => IntervalMethod::GreenwoodLogLog,
        }
    }
}

impl Curve {
    /// How many are followed just before `time`: they have entered, and neither had the event nor been censored earlier.
    pub fn at_risk(&self, time: f64) -> usize {
        let ended = self.steps.partition_point(|step| step.time < time);
        let gone: usize = self.steps[..ended].iter().map(|step| step.events + step.censored).sum();
        entered_before(&self.entries, self.n, time).saturating_sub(gone)
    }

    /// [`Curve::at_risk`] at each of the ascending times, in one pass.
    pub fn numbers_at_risk(&self, times: &[f64]) -> Vec<usize> {
        let mut gone = vec![0; self.steps.len() + 1];
        for (i, step) in self.steps.iter().enumerate() {
            gone[i + 1] = gone[i] + step.events + step.censored;
        }
        let ended = |time: f64| gone[self.steps.partition_point(|step| step.time < time)];
        times.iter().map(|&time| entered_before(&self.entries, self.n, time).saturating_sub(ended(time))).collect()
    }

    /// S(t) with its interval; `None` after the end of the longest follow-up, unless everybody had the event by then.
    pub fn survival_at(&self, time: f64) -> Option<Estimate> {
        let last = self.steps.last()?;
        if time > last.time && last.survival > 0.0 {
            return None;
        }
        let passed = self.steps.partition_point(|step| step.time <= time);
        let method = self.band.method();
        Some(match passed.checked_sub(1).map(|index| self.steps[index]) {
            None => Estimate { value: 1.0, se: Some(0.0), interval: Interval::new(1.0, 1.0, self.level, method) },
            Some(step) => {
                let interval = Interval { low: step.low, high: step.high, level: self.level, method };
                Estimate { value: step.survival, se: step.se, interval }
            }
        })
    }

    /// The median with the interval of Brookmeyer and Crowley (1982) on the scale of the band: times at which the band's bounds fall to a
    /// half. Where a curve lies exactly at a half, the middle of that stretch is taken, as R does.
    pub fn median(&self) -> SurvivalQuantile {
        self.quantile_at(0.5)
    }

    /// The time by which a share of `p` had the event.
    pub fn quantile(&self, p: f64) -> Result<SurvivalQuantile> {
        if p > 0.0 && p < 1.0 { Ok(self.quantile_at(p)) } else { Err(Error::out_of_range("quantile", "a probability")) }
    }

    fn quantile_at(&self, p: f64) -> SurvivalQuantile {
        let interval = Interval {
            low: self.fall_to(1.0 - p, |step| step.low),
            high: self.fall_to(1.0 - p, |step| step.high),
            level: self.level,
            method: IntervalMethod::BrookmeyerCrowley,
        };
        SurvivalQuantile { time: self.fall_to(1.0 - p, |step| Some(step.survival)), interval }
    }

    fn fall_to(&self, share: f64, of: impl Fn(&Step) -> Option<f64>) -> Option<f64> {
        const SAME: f64 = 1e-8;
        let mut steps = self.steps.iter().filter(|step| step.events > 0).filter_map(|step| Some((step.time, of(step)?)));
        let (time, value) = steps.find(|(_, value)| *value <= share + SAME)?;
        if (value - share).abs() > SAME {
            return Some(time);
        }
        let next = steps.find(|(_, later)| *later < value - SAME).map(|(later, _)| later);
        let end = next.or_else(|| self.steps.last().map(|step| step.time));
        Some((time + end.unwrap_or(time)) / 2.0)
    }
}
