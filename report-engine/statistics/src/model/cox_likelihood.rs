//! The partial likelihood of Cox (1972), walked from the last time to the first so that each person is added once to the sums of those at
//! risk.
use crate::matrix::Symmetric;
use crate::model::design::Design;
use crate::model::newton::{Evaluation, dot};
use crate::numbers::ascending;

/// How events at the same time are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// Efron (1977): each tied event leaves the risk set in part.
    #[default]
    Efron,
    /// Breslow (1974): all tied events see the same risk set.
    Breslow,
}

/// A row of the likelihood, apart from its covariates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    pub stratum: usize,
    pub entry: f64,
    pub time: f64,
    pub event: bool,
}

/// Subjects by stratum, then from the last time to the first.
#[derive(Clone, Debug)]
pub(crate) struct RiskSets {
    pub width: usize,
    pub ties: Ties,
    pub subjects: Vec<Subject>,
    /// Covariates, row by row.
    pub values: Vec<f64>,
    /// Places of subjects by stratum, from the latest entry; empty where nobody enters late.
    pub by_entry: Vec<u32>,
}

/// Sums over subjects of exp(x'b) times 1, x and xx'. Subjects are added by twos, which halves what is read and written: one may wait for
/// the next until the sums are settled. Where subjects are taken away again, what each addition loses is kept beside the sums (`lost`),
/// since little may be left of much.
#[derive(Clone, Debug)]
struct Sums<'a> {
    total: f64,
    first: Vec<f64>,
    second: Vec<f64>,
    waiting: Option<(f64, &'a [f64])>,
    lost: Option<Vec<f64>>,
}

/// What the walk meets: the mean and variance of covariates in a risk set, and those who had the event.
pub(crate) trait Visitor {
    /// Sums over the events of one time, each of which sees the risk set less its share of the tied ones: of the logarithm of the total, of
    /// the mean, and of the variance (a lower triangle, row by row).
    fn risk_sets(&mut self, time: f64, log_total: f64, mean: &[f64], variance: &[f64]);
    /// `covariates` and `predictor` are summed over the events of this time.
    fn events(&mut self, time: f64, covariates: &[f64], predictor: f64);
}

impl<'a> Sums<'a> {
    fn zeros(width: usize) -> Sums<'a> {
        Sums { total: 0.0, first: vec![0.0; width], second: vec![0.0; width * (width + 1) / 2], waiting: None, lost: None }
    }

    fn with_removals(width: usize) -> Sums<'a> {
        Sums { lost: Some(vec![0.0; 1 + width + width * (width + 1) / 2]), ..Sums::zeros(width) }
    }

    fn clear(&mut self) {
        self.total = 0.0;
        self.first.fill(0.0);
        self.second.fill(0.0);
        self.waiting = None;
    }

    fn add(&mut self, weight: f64, x: &'a [f64]) {
        if self.lost.is_some() {
            return self.add_exactly(weight, x);
        }
        match self.waiting.take() {
            Some(waiting) => self.add_two(waiting, (weight, x)),
            None => self.waiting = Some((weight, x)),
        }
    }

    fn add_exactly(&mut self, weight: f64, x: &[f64]) {
        let firsts = x.iter().map(|xi| weight * xi);
        let seconds = x.iter().enumerate().flat_map(|(i, xi)| x[..=i].iter().map(move |xj| weight * xi * xj));
        let values = std::iter::once(weight).chain(firsts).chain(seconds);
        self.with_losses().zip(values).for_each(|((sum, lost), value)| {
            let next = *sum + value;
            let added = next - *sum;
            *lost += (*sum - (next - added)) + (value - added);
            *sum = next;
        });
    }

    fn with_losses(&mut self) -> impl Iterator<Item = (&mut f64, &mut f64)> {
        let sums = std::iter::once(&mut self.total).chain(&mut self.first).chain(&mut self.second);
        sums.zip(self.lost.iter_mut().flatten())
    }

    fn settle(&mut self) {
        self.with_losses().for_each(|(sum, lost)| {
            let next = *sum + *lost;
            *lost += *sum - next;
            *sum = next;
        });
        if let Some((weight, x)) = self.waiting.take() {
            self.add_two((weight, x), (0.0, x));
        }
    }

    fn add_two(&mut self, (one, x): (f64, &[f64]), (other, y): (f64, &[f64])) {
        self.total += one + other;
        let mut row = &mut self.second[..];
        for (i, (first, (xi, yi))) in self.first.iter_mut().zip(x.iter().zip(y)).enumerate() {
            let (a, b) = (one * xi, other * yi);
            *first += a + b;
            let (cells, rest) = std::mem::take(&mut row).split_at_mut(i + 1);
            for (cell, (xj, yj)) in cells.iter_mut().zip(x.iter().zip(y)) {
                *cell += a * xj + b * yj;
            }
            row = rest;
        }
    }
}

impl RiskSets {
    /// Sorts the design's rows. `subject` tells each of them by its place in the design.
    pub fn new(design: &Design, ties: Ties, subject: impl Fn(usize) -> Subject) -> RiskSets {
        let width = design.width();
        let given: Vec<Subject> = (0..design.rows.len()).map(subject).collect();
        let order = ascending(given.iter().map(|subject| (subject.stratum as u32, -subject.time)));
        let mut values = Vec::with_capacity(design.values.len());
        for &place in &order {
            values.extend_from_slice(&design.values[place as usize * width..(place as usize + 1) * width]);
        }
        let subjects: Vec<Subject> = order.into_iter().map(|place| given[place as usize]).collect();
        let late = subjects.iter().any(|subject| subject.entry.is_finite());
        let entries = subjects.iter().map(|subject| (subject.stratum as u32, -subject.entry));
        let by_entry = if late { ascending(entries) } else { Vec::new() };
        RiskSets { width, ties, subjects, values, by_entry }
    }

    pub fn covariates(&self, place: usize) -> &[f64] {
        &self.values[place * self.width..(place + 1) * self.width]
    }

    /// x'b, kept within what the exponential can hold.
    pub fn predictor(&self, place: usize, beta: &[f64]) -> f64 {
        dot(self.covariates(place), beta).clamp(-200.0, 200.0)
    }

    pub fn walk(&self, beta: &[f64], visitor: &mut impl Visitor) {
        let mut from = 0;
        for stratum in self.subjects.chunk_by(|a, b| a.stratum == b.stratum) {
            self.walk_stratum(from, from + stratum.len(), beta, visitor);
            from += stratum.len();
        }
    }

    fn walk_stratum(&self, from: usize, to: usize, beta: &[f64], visitor: &mut impl Visitor) {
        let mut risk = if self.by_entry.is_empty() { Sums::zeros(self.width) } else { Sums::with_removals(self.width) };
        let mut dead = Sums::zeros(self.width);
        let mut scratch = Scratch::new(self.width);
        let mut left = from;
        let mut place = from;
        while place < to {
            let time = self.subjects[place].time;
            let (mut events, mut predictor) = (0.0, 0.0);
            dead.clear();
            scratch.covariates.fill(0.0);
            while place < to && self.subjects[place].time == time {
                let eta = self.predictor(place, beta);
                let (weight, x) = (eta.exp(), self.covariates(place));
                risk.add(weight, x);
                if self.subjects[place].event {
                    events += 1.0;
                    predictor += eta;
                    dead.add(weight, x);
                    scratch.covariates.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
                }
                place += 1;
            }
            if events > 0.0 {
                left = self.remove_later_entries(left, to, time, beta, &mut risk);
                visitor.events(time, &scratch.covariates, predictor);
                risk.settle();
                // A single event leaves nothing of itself out.
                if events > 1.0 {
                    dead.settle();
                }
                scratch.set(&risk, &dead, events, self.ties);
                visitor.risk_sets(time, scratch.log_total, &scratch.mean, &scratch.variance);
            }
        }
    }

    fn remove_later_entries<'a>(&'a self, mut left: usize, to: usize, time: f64, beta: &[f64], risk: &mut Sums<'a>) -> usize {
        while !self.by_entry.is_empty() && left < to && self.subjects[self.by_entry[left] as usize].entry >= time {
            let place = self.by_entry[left] as usize;
            risk.add(-self.predictor(place, beta).exp(), self.covariates(place));
            left += 1;
        }
        left
    }

    pub fn evaluate(&self, beta: &[f64]) -> Evaluation {
        let mut evaluation = Evaluation { log_likelihood: 0.0, gradient: vec![0.0; self.width], information: Symmetric::zeros(self.width) };
        self.walk(beta, &mut evaluation);
        evaluation
    }
}

impl Visitor for Evaluation {
    fn risk_sets(&mut self, _: f64, log_total: f64, mean: &[f64], variance: &[f64]) {
        self.log_likelihood -= log_total;
        self.gradient.iter_mut().zip(mean).for_each(|(gradient, mean)| *gradient -= mean);
        self.information.cells_mut().iter_mut().zip(variance).for_each(|(cell, variance)| *cell += variance);
    }

    fn events(&mut self, _: f64, covariates: &[f64], predictor: f64) {
        self.log_likelihood += predictor;
        self.gradient.iter_mut().zip(covariates).for_each(|(gradient, x)| *gradient += x);
    }
}

struct Scratch {
    log_total: f64,
    mean: Vec<f64>,
    variance: Vec<f64>,
    covariates: Vec<f64>,
}

impl Scratch {
    fn new(width: usize) -> Scratch {
        Scratch { log_total: 0.0, mean: vec![0.0; width], variance: vec![0.0; width * (width + 1) / 2], covariates: vec![0.0; width] }
    }

    /// Sums over tied events of the moments of the risk set, less a share of those who had the event. With c = 1/(total less the share f),
    /// the sum of variances is that of c·(second - f·dead) - c²·(first - f·dead)(first - f·dead)', whose sums over f are taken before the
    /// matrices.
    fn set(&mut self, risk: &Sums, dead: &Sums, events: f64, ties: Ties) {
        let (mut c, mut fc, mut cc, mut fcc, mut ffcc) = (0.0, 0.0, 0.0, 0.0, 0.0);
        self.log_total = 0.0;
        for tied in 0..events as usize {
            let share = if ties == Ties::Efron { tied as f64 / events } else { 0.0 };
            let inverse = 1.0 / (risk.total - share * dead.total);
            self.log_total -= inverse.ln();
            c += inverse;
            fc += share * inverse;
            cc += inverse * inverse;
            fcc += share * inverse * inverse;
            ffcc += share * share * inverse * inverse;
        }
        for (mean, (risk, dead)) in self.mean.iter_mut().zip(risk.first.iter().zip(&dead.first)) {
            *mean = c * risk - fc * dead;
        }
        let mut start = 0;
        for i in 0..self.mean.len() {
            let end = start + i + 1;
            // What multiplies the risk set's and the tied ones' sums of each other covariate.
            let (of_risk, of_dead) = (cc * risk.first[i] - fcc * dead.first[i], ffcc * dead.first[i] - fcc * risk.first[i]);
            let firsts = risk.first.iter().zip(&dead.first);
            let seconds = risk.second[start..end].iter().zip(&dead.second[start..end]);
            for ((cell, (risk, dead)), (risk_first, dead_first)) in self.variance[start..end].iter_mut().zip(seconds).zip(firsts) {
                *cell = c * risk - fc * dead - of_risk * risk_first - of_dead * dead_first;
            }
            start = end;
        }
    }
}
