//! Gray's test of equal cumulative incidence in the presence of other causes.
use crate::column::Factor;
use crate::error::{Error, Result};
use crate::matrix::{Symmetric, quadratic_of_inverse};
use crate::survival::competing::{CompetingFollowUp, Ending, tie_factor};
use crate::test_result::{Rows, Test, TestResult};

/// Compares the incidence of one cause between groups by the subdistribution hazards (Gray 1988, rho = 0). Late entry is not part of that
/// theory and is refused. One group is [`Error::GroupCount`]; nobody with the cause [`Error::NoEvents`].
pub fn gray(data: &CompetingFollowUp, cause: u32, by: Factor) -> Result<TestResult> {
    if data.entry.is_some() {
        return Err(Error::out_of_range(data.time.name, "Gray's test, which knows no late entry"));
    }
    by.expect_rows(data.time.values.len())?;
    let mut members = Vec::new();
    for ending in data.endings()? {
        if let Some(group) = by.at(ending.person.row)? {
            members.push((ending, group));
        }
    }
    let mut sizes = vec![0.0; by.levels.len()];
    for (_, group) in &members {
        sizes[*group] += 1.0;
    }
    let filled = sizes.iter().filter(|size| **size > 0.0).count();
    if filled < 2 {
        return Err(Error::more_groups(by.name, filled));
    }
    let cause = cause as usize;
    if cause == 0 || !members.iter().any(|(ending, _)| ending.cause == cause) {
        return Err(Error::NoEvents { variable: data.cause.name.into() });
    }
    let rows = Rows { n: members.len(), missing: data.time.values.len() - members.len() };
    let mut sums = Sums::new(sizes);
    for tied in members.chunk_by(|a, b| a.0.person.time == b.0.person.time) {
        sums.add_time(tied, cause);
    }
    let (statistic, df) = quadratic_of_inverse(&sums.finished_variance(), &sums.scores);
    if df == 0 {
        return Err(Error::more_groups(by.name, 1));
    }
    Ok(TestResult::of_chi_squared(Test::Gray, statistic, df as f64, rows))
}

/// One group as it goes: at risk, curve of no event and incidence of the cause just before the time, and the variance's sum of its own.
#[derive(Clone, Default)]
struct Group {
    at_risk: f64,
    own: f64,
    others: f64,
    survival: f64,
    survival_after: f64,
    incidence: f64,
    variance: f64,
}

/// Gray's section 3: `pull[i][k]` is how events of group k move the score of group i at this time, `reach[i][k]` its sum over times so far.
struct Sums {
    groups: Vec<Group>,
    scores: Vec<f64>,
    pull: Vec<Vec<f64>>,
    reach: Vec<Vec<f64>>,
    cross: Vec<Vec<f64>>,
    variance: Symmetric,
    pooled: f64,
}

impl Sums {
    fn new(sizes: Vec<f64>) -> Sums {
        let size = sizes.len();
        let square = vec![vec![0.0; size]; size];
        Sums {
            groups: sizes.into_iter().map(|at_risk| Group { at_risk, survival: 1.0, ..Group::default() }).collect(),
            scores: vec![0.0; size],
            pull: square.clone(),
            reach: square.clone(),
            cross: square,
            variance: Symmetric::zeros(size),
            pooled: 0.0,
        }
    }

    fn add_time(&mut self, tied: &[(Ending, usize)], cause: usize) {
        for group in &mut self.groups {
            (group.own, group.others) = (0.0, 0.0);
        }
        for (ending, group) in tied {
            self.groups[*group].own += f64::from(u8::from(ending.cause == cause));
            self.groups[*group].others += f64::from(u8::from(ending.cause != cause && ending.cause != 0));
        }
        if self.groups.iter().any(|group| group.own + group.others > 0.0) {
            self.add_events();
        }
        for (_, group) in tied {
            self.groups[*group].at_risk -= 1.0;
        }
    }

    fn add_events(&mut self) {
        let own: f64 = self.groups.iter().map(|group| group.own).sum();
        let (mut weight, mut free) = (0.0, 0.0);
        for group in self.groups.iter_mut().filter(|group| group.at_risk > 0.0) {
            group.survival_after = group.survival * (group.at_risk - group.own - group.others) / group.at_risk;
            weight += group.at_risk / group.survival;
            free += group.at_risk * (1.0 - group.incidence) / group.survival;
        }
        let pooled = self.pooled + own / weight;
        self.move_pull(own, weight);
        if own > 0.0 {
            for (score, group) in self.scores.iter_mut().zip(&self.groups).filter(|(_, group)| group.at_risk > 0.0) {
                *score += group.own - own * group.at_risk * (1.0 - group.incidence) / (group.survival * free);
            }
            self.add_own(own, weight, pooled);
        }
        self.add_others(pooled);
        for group in self.groups.iter_mut().filter(|group| group.at_risk > 0.0) {
            group.incidence += group.survival * group.own / group.at_risk;
            group.survival = group.survival_after;
        }
        self.pooled = pooled;
    }

    fn move_pull(&mut self, own: f64, weight: f64) {
        let size = self.groups.len();
        let shares: Vec<f64> =
            self.groups.iter().map(|group| if group.at_risk > 0.0 { group.at_risk / group.survival } else { 0.0 }).collect();
        for i in 0..size {
            for k in 0..size {
                let same = if i == k { shares[i] } else { 0.0 };
                self.pull[i][k] = same - shares[i] * shares[k] / weight;
                self.reach[i][k] += self.pull[i][k] * own / (weight * (1.0 - self.pooled));
            }
        }
    }

    fn add_own(&mut self, own: f64, weight: f64, pooled: f64) {
        for k in 0..self.groups.len() {
            let group = &self.groups[k];
            if group.at_risk <= 0.0 {
                continue;
            }
            let kept = if group.survival_after > 0.0 { 1.0 - (1.0 - pooled) / group.survival_after } else { 1.0 };
            let mass = tie_factor(own, weight * group.survival) * group.survival * own / (weight * group.at_risk);
            self.add_mass(k, kept, mass, |pull, reach| pull - kept * reach);
        }
    }

    fn add_others(&mut self, pooled: f64) {
        for k in 0..self.groups.len() {
            let group = &self.groups[k];
            if group.survival_after <= 0.0 || group.others <= 0.0 || group.at_risk <= 0.0 {
                continue;
            }
            let kept = (1.0 - pooled) / group.survival_after;
            let mass = tie_factor(group.others, group.at_risk) * (group.survival / group.at_risk).powi(2) * group.others;
            self.add_mass(k, -kept, mass, |_, reach| kept * reach);
        }
    }

    fn add_mass(&mut self, k: usize, kept: f64, mass: f64, shift: impl Fn(f64, f64) -> f64) {
        self.groups[k].variance += kept * kept * mass;
        let size = self.groups.len();
        let shifts: Vec<f64> = (0..size).map(|i| shift(self.pull[i][k], self.reach[i][k])).collect();
        for i in 0..size {
            self.cross[i][k] += shifts[i] * kept * mass;
            for (j, other) in shifts.iter().enumerate().take(i + 1) {
                self.variance.add(i, j, shifts[i] * other * mass);
            }
        }
    }

    fn finished_variance(&self) -> Symmetric {
        let mut variance = self.variance.clone();
        let size = self.groups.len();
        for i in 0..size {
            for j in 0..=i {
                for (k, group) in self.groups.iter().enumerate() {
                    let (a, b) = (self.reach[i][k], self.reach[j][k]);
                    variance.add(i, j, a * b * group.variance + a * self.cross[j][k] + b * self.cross[i][k]);
                }
            }
        }
        variance
    }
}
