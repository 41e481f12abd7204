//! Competing risks: the cumulative incidence of each cause by Aalen and Johansen (1978).
use crate::column::{Binary, Factor, Numeric};
use crate::error::{Error, Result};
use crate::estimate::{Interval, IntervalMethod, Level};
use crate::survival::follow_up::{FollowUp, Person, entered_before, entries};

/// Times that end by one of several causes. Level 0 of `cause` is the end without any event (censoring), the others are causes.
#[derive(Clone, Copy, Debug)]
pub struct CompetingFollowUp<'a> {
    pub time: Numeric<'a>,
    pub cause: Factor<'a>,
    pub entry: Option<Numeric<'a>>,
}

/// The incidence of one cause after one time at which somebody had an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IncidenceStep {
    pub time: f64,
    pub at_risk: usize,
    pub events: usize,
    pub incidence: f64,
    pub se: f64,
    /// 1 - (1 - F)^exp(∓z·SE/((1-F) log(1-F))): the log-log scale; no bounds where F is 0 or 1.
    pub interval: Interval,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CumulativeIncidence {
    pub n: usize,
    pub missing: usize,
    /// For each level of the cause from 1 on.
    pub by_cause: Vec<Vec<IncidenceStep>>,
}

/// One person and the cause, 0 for none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    pub person: Person,
    pub cause: usize,
}

impl CompetingFollowUp<'_> {
    /// Those with complete rows, by time. The same mistakes are refused as by a follow-up with one event.
    pub(crate) fn endings(&self) -> Result<Vec<Ending>> {
        let rows = self.time.values.len();
        self.cause.expect_rows(rows)?;
        let events: Vec<Option<bool>> = self.cause.codes.iter().map(|code| code.map(|code| code > 0)).collect();
        let event = Binary { name: self.cause.name, values: &events };
        let follow_up = FollowUp { time: self.time, event, entry: self.entry };
        let people = follow_up.people()?;
        if people.is_empty() {
            return Err(Error::too_few(self.time.name, 0, 1));
        }
        people.into_iter().map(|person| Ok(Ending { person, cause: self.cause.at(person.row)?.unwrap_or(0) })).collect()
    }
}

/// F_k(t) = Σ S(t-) d_k/n with the variance of Aalen (1978), ties by the hypergeometric factor, as `cuminc` of R's `cmprsk`. Causes that
/// nobody had have an incidence of zero without an interval.
pub fn cumulative_incidence(data: &CompetingFollowUp, level: Level) -> Result<CumulativeIncidence> {
    let endings = data.endings()?;
    let causes = data.cause.levels.len().max(1);
    let by_cause = (1..causes).map(|cause| incidence(&endings, cause, level)).collect();
    Ok(CumulativeIncidence { n: endings.len(), missing: data.time.values.len() - endings.len(), by_cause })
}

fn incidence(endings: &[Ending], cause: usize, level: Level) -> Vec<IncidenceStep> {
    let people: Vec<Person> = endings.iter().map(|ending| ending.person).collect();
    let entries = entries(&people);
    let z = level.z();
    let (mut survival, mut incidence, mut ended) = (1.0_f64, 0.0, 0);
    // Sums of the variance: of squares, of cross products and of weights of the curve's own share.
    let (mut squares, mut cross, mut weights) = (0.0, 0.0, 0.0);
    let mut steps = Vec::new();
    for tied in endings.chunk_by(|a, b| a.person.time == b.person.time) {
        let time = tied[0].person.time;
        let at_risk = entered_before(&entries, people.len(), time) - ended;
        let n = at_risk as f64;
        let own = tied.iter().filter(|ending| ending.cause == cause).count();
        let others = tied.iter().filter(|ending| ending.cause != 0).count() - own;
        ended += tied.len();
        if own + others == 0 {
            continue;
        }
        let after = survival * (n - (own + others) as f64) / n;
        incidence += survival * own as f64 / n;
        let inverse = if after > 0.0 { 1.0 / after } else { 0.0 };
        for (d, base) in [(others, 0.0), (own, 1.0)] {
            let mass = survival * survival * tie_factor(d as f64, n) * d as f64 / (n * n);
            let reach = base + inverse * incidence;
            squares += reach * reach * mass;
            cross += inverse * reach * mass;
            weights += inverse * inverse * mass;
        }
        survival = after;
        let variance: f64 = squares + incidence * incidence * weights - 2.0 * incidence * cross;
        let se = variance.max(0.0).sqrt();
        steps.push(IncidenceStep { time, at_risk, events: own, incidence, se, interval: interval(incidence, se, z, level) });
    }
    steps
}

/// How much less d ties at one time vary than d events one after the other.
pub(crate) fn tie_factor(d: f64, n: f64) -> f64 {
    if d > 1.0 { 1.0 - (d - 1.0) / (n - 1.0) } else { 1.0 }
}

fn interval(incidence: f64, se: f64, z: f64, level: Level) -> Interval {
    let method = IntervalMethod::GreenwoodLogLog;
    let without = 1.0 - incidence;
    if incidence <= 0.0 || without <= 0.0 || se == 0.0 {
        return Interval { low: None, high: None, level, method };
    }
    let spread = (z * se / (without * -without.ln())).exp();
    Interval::new(1.0 - without.powf(1.0 / spread), 1.0 - without.powf(spread), level, method)
}
