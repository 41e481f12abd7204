//! The log-rank test and its weighted relatives, stratified and of trend.
use crate::column::Factor;
use crate::error::{Error, Result};
use crate::matrix::{Symmetric, quadratic_of_inverse};
use crate::numbers::ascending;
use crate::survival::follow_up::{FollowUp, Person};
use crate::test_result::{Rows, Test, TestResult};

/// What an event's weight is, of n at risk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weight {
    /// 1: Mantel (1966), most sensitive to proportional hazards.
    #[default]
    LogRank,
    /// n: Gehan (1965), Breslow (1970); early events count more.
    Gehan,
    /// √n: Tarone and Ware (1977).
    TaroneWare,
}

/// Sums of one group. `observed` and `expected` are weighted as the test is; with the log-rank test they are numbers of events.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupEvents {
    pub n: usize,
    pub events: usize,
    pub observed: f64,
    pub expected: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LogRank {
    /// By level of the factor, empty ones included.
    pub groups: Vec<GroupEvents>,
    pub test: TestResult,
}

/// Compares the hazards of two groups or more; ties have the hypergeometric variance. Within `strata`, when given, and summed over them.
/// Groups that are never at risk at an event have no part in the degrees of freedom. One group is [`Error::GroupCount`], everybody censored
/// [`Error::NoEvents`]; rows without a time, a group or a stratum are missing.
pub fn log_rank(data: &FollowUp, by: Factor, strata: Option<Factor>, weight: Weight) -> Result<LogRank> {
    let sums = Sums::of(data, by, strata, weight)?;
    let (statistic, df) = quadratic_of_inverse(&sums.variance, &sums.distances());
    if df == 0 {
        return Err(Error::more_groups(by.name, 1));
    }
    let test = match weight {
        Weight::LogRank => Test::LogRank,
        Weight::Gehan => Test::GehanWilcoxon,
        Weight::TaroneWare => Test::TaroneWare,
    };
    Ok(LogRank { test: TestResult::of_chi_squared(test, statistic, df as f64, sums.rows), groups: sums.groups })
}

/// The log-rank test of a trend over ordered groups (Tarone 1975): the score-weighted sum of observed less expected, over its variance.
/// `scores` are one for each level. Equal scores of all groups with people are [`Error::Constant`].
pub fn log_rank_trend(data: &FollowUp, by: Factor, scores: &[f64], strata: Option<Factor>) -> Result<LogRank> {
    crate::column::expect_rows(by.name, scores.len(), by.levels.len())?;
    if scores.iter().any(|score| !score.is_finite()) {
        return Err(Error::out_of_range(by.name, "finite scores"));
    }
    let sums = Sums::of(data, by, strata, Weight::LogRank)?;
    let distance: f64 = sums.distances().iter().zip(scores).map(|(d, score)| d * score).sum();
    let variance = sums.variance.quadratic(scores);
    let largest = scores.iter().fold(0.0_f64, |most, score| most.max(score.abs()));
    if variance <= 1e-12 * largest * largest {
        return Err(Error::constant(by.name));
    }
    let test = TestResult::of_chi_squared(Test::LogRankTrend, distance * distance / variance, 1.0, sums.rows);
    Ok(LogRank { test, groups: sums.groups })
}

struct Sums {
    groups: Vec<GroupEvents>,
    variance: Symmetric,
    rows: Rows,
}

#[derive(Clone, Copy)]
struct Member {
    stratum: usize,
    group: usize,
    person: Person,
}

impl Sums {
    fn of(data: &FollowUp, by: Factor, strata: Option<Factor>, weight: Weight) -> Result<Sums> {
        let members = members(data, by, strata)?;
        let size = by.levels.len();
        let mut groups = vec![GroupEvents::default(); size];
        for member in &members {
            groups[member.group].n += 1;
            groups[member.group].events += usize::from(member.person.event);
        }
        let filled = groups.iter().filter(|group| group.n > 0).count();
        if filled < 2 {
            return Err(Error::more_groups(by.name, filled));
        }
        if groups.iter().all(|group| group.events == 0) {
            return Err(Error::NoEvents { variable: data.event.name.into() });
        }
        let rows = Rows { n: members.len(), missing: data.rows() - members.len() };
        let mut sums = Sums { groups, variance: Symmetric::zeros(size), rows };
        for stratum in members.chunk_by(|a, b| a.stratum == b.stratum) {
            sums.add_stratum(stratum, weight);
        }
        Ok(sums)
    }

    fn add_stratum(&mut self, members: &[Member], weight: Weight) {
        let size = self.groups.len();
        let mut entering: Vec<(f64, usize)> = members.iter().map(|member| (member.person.entry, member.group)).collect();
        entering.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut entering = entering.into_iter().peekable();
        let mut at_risk = vec![0.0; size];
        let mut events = vec![0.0; size];
        for tied in members.chunk_by(|a, b| a.person.time == b.person.time) {
            while let Some((_, group)) = entering.next_if(|(entry, _)| *entry < tied[0].person.time) {
                at_risk[group] += 1.0;
            }
            events.fill(0.0);
            for member in tied.iter().filter(|member| member.person.event) {
                events[member.group] += 1.0;
            }
            let d: f64 = events.iter().sum();
            if d > 0.0 {
                self.add_events(&at_risk, &events, d, weight);
            }
            for member in tied {
                at_risk[member.group] -= 1.0;
            }
        }
    }

    fn add_events(&mut self, at_risk: &[f64], events: &[f64], d: f64, weight: Weight) {
        let n: f64 = at_risk.iter().sum();
        let w = match weight {
            Weight::LogRank => 1.0,
            Weight::Gehan => n,
            Weight::TaroneWare => n.sqrt(),
        };
        for (group, (at_risk, events)) in self.groups.iter_mut().zip(at_risk.iter().zip(events)) {
            group.observed += w * events;
            group.expected += w * d * at_risk / n;
        }
        if n < 2.0 {
            return;
        }
        let factor = w * w * d * (n - d) / (n - 1.0);
        for i in 0..at_risk.len() {
            let share = at_risk[i] / n;
            if share > 0.0 {
                self.variance.add(i, i, factor * share * (1.0 - share));
                for (j, other) in at_risk.iter().enumerate().take(i) {
                    self.variance.add(i, j, -factor * share * other / n);
                }
            }
        }
    }

    fn distances(&self) -> Vec<f64> {
        self.groups.iter().map(|group| group.observed - group.expected).collect()
    }
}

fn members(data: &FollowUp, by: Factor, strata: Option<Factor>) -> Result<Vec<Member>> {
    data.check_rows()?;
    by.expect_rows(data.rows())?;
    strata.map_or(Ok(()), |strata| strata.expect_rows(data.rows()))?;
    let mut members = Vec::with_capacity(data.rows());
    for row in 0..data.rows() {
        let stratum = strata.map_or(Ok(Some(0)), |strata| strata.at(row))?;
        if let (Some(person), Some(group), Some(stratum)) = (data.person(row)?, by.at(row)?, stratum) {
            members.push(Member { stratum, group, person });
        }
    }
    let order = ascending(members.iter().map(|member| (member.stratum as u32, member.person.time)));
    Ok(order.into_iter().map(|place| members[place as usize]).collect())
}
