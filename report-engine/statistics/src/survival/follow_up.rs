//! Follow-up of people: when it begins, when it ends, and whether by the event.
use crate::column::{Binary, Numeric};
use crate::error::{Error, Result};
use crate::numbers::ascending;

/// Times with events. With `entry`, a person is at risk after the entry only (delayed entry, left truncation).
#[derive(Clone, Copy, Debug)]
pub struct FollowUp<'a> {
    pub time: Numeric<'a>,
    pub event: Binary<'a>,
    pub entry: Option<Numeric<'a>>,
}

/// One person. `entry` is minus infinity where nobody enters late, so that events at time zero count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Person {
    pub entry: f64,
    pub time: f64,
    pub event: bool,
    pub row: usize,
}

impl<'a> FollowUp<'a> {
    pub fn new(time: Numeric<'a>, event: Binary<'a>) -> FollowUp<'a> {
        FollowUp { time, event, entry: None }
    }

    pub fn rows(&self) -> usize {
        self.time.values.len()
    }

    /// The person of a row, or `None` where something is missing. An event without a time is a mistake, not a missing value, as are a
    /// negative time and an entry that is not before the end.
    #[inline]
    pub(crate) fn person(&self, row: usize) -> Result<Option<Person>> {
        let event = self.event.values[row];
        let Some(time) = self.time.at(row)? else {
            return if event == Some(true) { Err(self.mistake(row, None)) } else { Ok(None) };
        };
        let entry = match self.entry {
            None => Some(f64::NEG_INFINITY),
            Some(entry) => entry.at(row)?,
        };
        match (event, entry) {
            _ if time < 0.0 => Err(self.mistake(row, Some(time))),
            (Some(_), Some(entry)) if entry >= time => Err(self.mistake(row, Some(time))),
            (Some(event), Some(entry)) => Ok(Some(Person { entry, time, event, row })),
            _ => Ok(None),
        }
    }

    #[cold]
    fn mistake(&self, row: usize, time: Option<f64>) -> Error {
        let variable = self.time.name.into();
        match time {
            None => Error::EventWithoutTime { variable, row },
            Some(time) if time < 0.0 => Error::NegativeTime { variable, row },
            Some(_) => Error::EntryAfterExit { variable, row },
        }
    }

    pub(crate) fn check_rows(&self) -> Result<()> {
        self.event.expect_rows(self.rows())?;
        self.entry.map_or(Ok(()), |entry| entry.expect_rows(self.rows()))
    }

    /// Those with complete rows, by time.
    pub(crate) fn people(&self) -> Result<Vec<Person>> {
        self.check_rows()?;
        let mut people = Vec::with_capacity(self.rows());
        for row in 0..self.rows() {
            people.extend(self.person(row)?);
        }
        Ok(by_time(&people))
    }
}

/// People by time; those of one time stay in their order.
pub(crate) fn by_time(people: &[Person]) -> Vec<Person> {
    ascending(people.iter().map(|person| (0, person.time))).into_iter().map(|place| people[place as usize]).collect()
}

/// What happens at one time: how many are at risk just before it, have the event, and end without it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    pub time: f64,
    pub at_risk: usize,
    pub events: usize,
    pub censored: usize,
}

/// Each time at which somebody's follow-up ends, of people sorted by time.
pub(crate) fn moments(people: &[Person]) -> Vec<Moment> {
    let entries = entries(people);
    let mut moments = Vec::new();
    let mut ended = 0;
    for tied in people.chunk_by(|a, b| a.time == b.time) {
        let time = tied[0].time;
        let events = tied.iter().filter(|person| person.event).count();
        let at_risk = entered_before(&entries, people.len(), time) - ended;
        moments.push(Moment { time, at_risk, events, censored: tied.len() - events });
        ended += tied.len();
    }
    moments
}

/// Sorted times of entry; empty where nobody enters late.
pub(crate) fn entries(people: &[Person]) -> Vec<f64> {
    let mut entries: Vec<f64> = people.iter().map(|person| person.entry).filter(|entry| entry.is_finite()).collect();
    entries.sort_unstable_by(f64::total_cmp);
    entries
}

pub(crate) fn entered_before(entries: &[f64], people: usize, time: f64) -> usize {
    people - entries.len() + entries.partition_point(|entry| *entry < time)
}
