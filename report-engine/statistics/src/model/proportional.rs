//! Whether hazards are proportional: the score test of Grambsch and Therneau (1994) on scaled Schoenfeld residuals, in the exact form of
//! R's survival 3.
use crate::error::{Error, Result};
use crate::estimate::Level;
use crate::matrix::{Factor, Symmetric, quadratic_of_inverse};
use crate::model::cox::CoxFit;
use crate::model::cox_likelihood::{Subject, Visitor};
use crate::model::fit::Warning;
use crate::model::newton::dot;
use crate::survival::curve::{Band, curve};
use crate::survival::follow_up::{Person, by_time};
use crate::test_result::{Test, TestResult};

/// The function of time with which an effect might change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeScale {
    /// One less the curve of all people just before the event, the default of R.
    #[default]
    KaplanMeier,
    /// Among all times, those of censoring included.
    Rank,
    Identity,
    Log,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ProportionalityTest {
    /// By the place of the term.
    pub by_term: Vec<TestResult>,
    pub global: TestResult,
    pub scale: TimeScale,
}

impl ProportionalityTest {
    /// What a reader has to be told when the global p is below 0.05.
    pub fn warning(&self) -> Option<Warning> {
        (self.global.p < 0.05).then_some(Warning::NotProportional { p: self.global.p })
    }
}

impl CoxFit {
    /// Tests each term and all of them. All events at one time are [`Error::Constant`], as are times of zero on the logarithm's scale
    /// [`Error::OutOfRange`].
    pub fn test_proportionality(&self, scale: TimeScale) -> Result<ProportionalityTest> {
        let scaled = ScaledTimes::new(self, scale)?;
        let size = self.risk_sets.width;
        let mut sums = Sums {
            scaled: &scaled,
            score: vec![0.0; size],
            plain: Symmetric::zeros(size),
            once: Symmetric::zeros(size),
            twice: Symmetric::zeros(size),
        };
        self.risk_sets.walk(&self.beta, &mut sums);
        let (score, adjusted) = (sums.score.clone(), sums.adjusted());
        let terms = self.coefficients.iter().map(|coefficient| coefficient.column.term).max().map_or(0, |last| last + 1);
        let of = |columns: Vec<usize>| {
            let mut block = Symmetric::zeros(columns.len());
            for (i, &row) in columns.iter().enumerate() {
                for (j, &column) in columns.iter().enumerate().take(i + 1) {
                    block.add(i, j, adjusted.get(row, column));
                }
            }
            let part: Vec<f64> = columns.iter().map(|&column| score[column]).collect();
            let (statistic, df) = quadratic_of_inverse(&block, &part);
            TestResult::of_chi_squared(Test::SchoenfeldScore, statistic, df as f64, self.rows)
        };
        let columns_of = |term: usize| (0..size).filter(|&column| self.coefficients[column].column.term == term).collect();
        Ok(ProportionalityTest { by_term: (0..terms).map(|term| of(columns_of(term))).collect(), global: of((0..size).collect()), scale })
    }
}

/// Distinct times of events with their scaled value, centred on its mean over events.
struct ScaledTimes {
    times: Vec<f64>,
    values: Vec<f64>,
}

impl ScaledTimes {
    fn new(fit: &CoxFit, scale: TimeScale) -> Result<ScaledTimes> {
        let subjects = &fit.risk_sets.subjects;
        let person = |(row, subject): (usize, &Subject)| Person { entry: subject.entry, time: subject.time, event: subject.event, row };
        let people: Vec<Person> = subjects.iter().enumerate().map(person).collect();
        let steps = curve(&by_time(&people), 0, Band::Plain, Level::P95).steps;
        let (mut before, mut ended) = (1.0, 0.0);
        let (mut times, mut values, mut events) = (Vec::new(), Vec::new(), Vec::new());
        for step in &steps {
            let tied = (step.events + step.censored) as f64;
            if step.events > 0 {
                times.push(step.time);
                events.push(step.events as f64);
                values.push(match scale {
                    TimeScale::KaplanMeier => 1.0 - before,
                    TimeScale::Rank => ended + (tied + 1.0) / 2.0,
                    TimeScale::Identity => step.time,
                    TimeScale::Log if step.time <= 0.0 => return Err(Error::out_of_range("time", "the logarithm")),
                    TimeScale::Log => step.time.ln(),
                });
            }
            before = step.survival;
            ended += tied;
        }
        if times.len() < 2 {
            return Err(Error::constant("time"));
        }
        let mean = dot(&events, &values) / events.iter().sum::<f64>();
        values.iter_mut().for_each(|value| *value -= mean);
        Ok(ScaledTimes { times, values })
    }

    fn at(&self, time: f64) -> f64 {
        self.values[self.times.partition_point(|known| *known < time).min(self.values.len() - 1)]
    }
}

/// Sums over events of the variance times 1, g(t) and g(t)², and the score of effects that change with g(t).
struct Sums<'a> {
    scaled: &'a ScaledTimes,
    score: Vec<f64>,
    plain: Symmetric,
    once: Symmetric,
    twice: Symmetric,
}

impl Visitor for Sums<'_> {
    fn risk_sets(&mut self, time: f64, _: f64, mean: &[f64], variance: &[f64]) {
        let g = self.scaled.at(time);
        self.score.iter_mut().zip(mean).for_each(|(score, mean)| *score -= g * mean);
        for (sum, factor) in [(&mut self.plain, 1.0), (&mut self.once, g), (&mut self.twice, g * g)] {
            sum.cells_mut().iter_mut().zip(variance).for_each(|(cell, variance)| *cell += factor * variance);
        }
    }

    fn events(&mut self, time: f64, covariates: &[f64], _: f64) {
        let g = self.scaled.at(time);
        self.score.iter_mut().zip(covariates).for_each(|(score, x)| *score += g * x);
    }
}

impl Sums<'_> {
    /// The information of the changing effects, less what the constant ones tell.
    fn adjusted(&self) -> Symmetric {
        let size = self.score.len();
        let factor = Factor::of(&self.plain, f64::EPSILON);
        let mut adjusted = self.twice.clone();
        for j in 0..size {
            let column: Vec<f64> = (0..size).map(|i| self.once.get(i, j)).collect();
            let solved = factor.solve(&column);
            for i in j..size {
                let told: f64 = (0..size).map(|k| self.once.get(i, k) * solved[k]).sum();
                adjusted.add(i, j, -told);
            }
        }
        adjusted
    }
}
