//! When a scheduled report fires: a rule of local days and a wall-clock time in a named zone, turned into instants.
//!
//! A time that the spring change skips fires right after the gap; one that autumn repeats fires the first time only.

mod fires;
mod stored;
mod words;

#[cfg(test)]
mod tests;

use jiff::{
    Timestamp,
    civil::{Date, DateTime, Time, Weekday},
    tz::TimeZone,
};

pub use fires::{Fires, between, fires_after, never_fires, next_after, next_n};
pub use stored::{RuleColumns, RuleError, zone_named};
pub use words::{description_sr, warning_sr};

/// When to fire. [`RuleColumns::rule`] builds one from a schedule's columns and refuses what makes no sense.
#[derive(Clone, Debug)]
pub struct Rule {
    pub zone: TimeZone,
    pub kind: Kind,
    /// Inclusive local dates; a single execution has neither.
    pub valid_from: Option<Date>,
    pub valid_to: Option<Date>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Once(DateTime),
    Daily(Time),
    Weekly(Weekdays, Time),
    Monthly(Monthdays, MonthdayPolicy, Time),
}

/// What a month does with a chosen day that it lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MonthdayPolicy {
    Skip,
    LastDay,
}

/// One moment of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fire {
    pub at: Timestamp,
    /// The nominal wall clock, as the rule names it: it stays 02:30 even on the day when 02:30 does not exist. Together
    /// with the schedule it identifies the fire.
    pub local: DateTime,
}

/// A set of weekdays, written in the specification's numbers: 1 Sunday to 7 Saturday.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weekdays(u8);

impl Weekdays {
    /// `None` where a number is not a weekday.
    pub fn from_numbers(numbers: &[i16]) -> Option<Self> {
        let mut days = Self::default();
        for &number in numbers {
            if !(1..=7).contains(&number) {
                return None;
            }
            days.0 |= 1 << number;
        }
        Some(days)
    }

    pub fn contains(self, day: Weekday) -> bool {
        self.0 & (1 << day.to_sunday_one_offset()) != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The chosen days in the order of a Serbian week, from Monday.
    pub fn iter(self) -> impl Iterator<Item = Weekday> {
        Weekday::Monday.cycle_forward().take(7).filter(move |day| self.contains(*day))
    }
}

/// A set of days of the month, 1 to 31.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Monthdays(u32);

impl Monthdays {
    /// `None` where a number is not a day of a month.
    pub fn from_numbers(numbers: &[i16]) -> Option<Self> {
        let mut days = Self::default();
        for &number in numbers {
            if !(1..=31).contains(&number) {
                return None;
            }
            days.0 |= 1 << number;
        }
        Some(days)
    }

    pub fn contains(self, day: i8) -> bool {
        self.0 & (1 << day) != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The chosen days, ascending.
    pub fn iter(self) -> impl Iterator<Item = i8> {
        (1..=31).filter(move |day| self.contains(*day))
    }
}
