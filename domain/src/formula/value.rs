//! Values that a formula computes with, and how one kind is read as another.

use std::cmp::Ordering;

use jiff::civil::{Date, DateTime, Time};

use super::{Item, round};
use crate::clock;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Blank,
    /// A choice is 1 or 0.
    Number(f64),
    Text(String),
    /// The code of an item of a set.
    Code(String),
    Date(Date),
    /// A time of day.
    Time(Time),
    /// A day with a time.
    Moment(DateTime),
    /// The chosen items of a set, in the order in which the set lists them; never empty.
    Items(Vec<Item>),
}

impl Value {
    /// What is not a number is blank.
    pub fn number(number: f64) -> Self {
        if number.is_nan() { Self::Blank } else { Self::Number(number) }
    }

    /// A text of nothing but white space is blank.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if trimmed(&text).is_empty() { Self::Blank } else { Self::Text(text) }
    }

    pub fn items(items: Vec<Item>) -> Self {
        if items.is_empty() { Self::Blank } else { Self::Items(items) }
    }

    /// 1, 0, or blank where it is not known.
    pub(super) fn truth(truth: Option<bool>) -> Self {
        truth.map_or(Self::Blank, |truth| Self::Number(f64::from(u8::from(truth))))
    }

    /// `None` is blank: also a text that is not a number, and a date. Several chosen items are their sum, which one without a weight has not.
    pub(super) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => number_in(text),
            Self::Items(items) => items.iter().try_fold(0.0, |sum, item| Some(round::add(sum, item.num?))),
            Self::Blank | Self::Date(_) | Self::Time(_) | Self::Moment(_) | Self::Code(_) => None,
        }
    }

    /// A date, the day of a moment, or a text `YYYY-MM-DD`.
    pub(super) fn as_date(&self) -> Option<Date> {
        match self {
            Self::Date(date) => Some(*date),
            Self::Moment(at) => Some(at.date()),
            Self::Text(text) => date_in(trimmed(text)),
            _ => None,
        }
    }

    /// A time of day, or a text `HH:MM`. That of a moment is asked for by `time_of`.
    pub(super) fn as_time(&self) -> Option<Time> {
        match self {
            Self::Time(time) => Some(*time),
            Self::Text(text) => clock::time_in(trimmed(text)),
            _ => None,
        }
    }

    /// A day with a time, or a text `YYYY-MM-DDTHH:MM`.
    pub(super) fn as_moment(&self) -> Option<DateTime> {
        match self {
            Self::Moment(at) => Some(*at),
            Self::Text(text) => clock::moment_in(trimmed(text)),
            _ => None,
        }
    }

    /// The text, or the names of the chosen items, a comma between them.
    pub(super) fn as_text(&self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Code(text) => Some(text.clone()),
            Self::Items(items) => Some(items.iter().map(|item| item.name.as_str()).collect::<Vec<_>>().join(", ")),
            Self::Blank | Self::Number(_) | Self::Date(_) | Self::Time(_) | Self::Moment(_) => None,
        }
    }

    /// Whether a condition holds; `None` is blank.
    pub(super) fn as_truth(&self) -> Option<bool> {
        match self {
            Self::Blank => None,
            Self::Number(number) => Some(*number != 0.0),
            Self::Text(_) | Self::Code(_) | Self::Date(_) | Self::Time(_) | Self::Moment(_) | Self::Items(_) => Some(true),
        }
    }

    /// How two values compare. A moment beside a date is its day; else dates, times and numbers ask for their own kind on the other
    /// side, numbers without the noise of their last digits; a set is equal to the code of its only chosen item; else texts compare letter by letter. `None` is blank.
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Blank, _) | (_, Self::Blank) => None,
            (Self::Items(items), Self::Code(code)) | (Self::Code(code), Self::Items(items)) => {
                let only = items.len() == 1 && items[0].code.as_ref() == Some(code);
                Some(if only { Ordering::Equal } else { Ordering::Less })
            }
            (Self::Moment(_), _) | (_, Self::Moment(_)) => match (self.as_moment(), other.as_moment()) {
                (Some(one), Some(other)) => Some(one.cmp(&other)),
                _ => Some(self.as_date()?.cmp(&other.as_date()?)),
            },
            (Self::Time(_), _) | (_, Self::Time(_)) => Some(self.as_time()?.cmp(&other.as_time()?)),
            (Self::Date(_), _) | (_, Self::Date(_)) => Some(self.as_date()?.cmp(&other.as_date()?)),
            (Self::Number(_), _) | (_, Self::Number(_)) => round::clean(self.as_number()?).partial_cmp(&round::clean(other.as_number()?)),
            _ => Some(self.as_text()?.cmp(&other.as_text()?)),
        }
    }
}

/// `12`, `-1.5`, `2,5`, `.5`, `1e3`, with white space around it.
pub(super) fn number_in(text: &str) -> Option<f64> {
    let text = trimmed(text);
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let begins = unsigned.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let allowed = unsigned.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | 'e' | 'E' | '+' | '-'));
    if begins && allowed { text.replace(',', ".").parse().ok() } else { None }
}

/// Exactly `YYYY-MM-DD`.
pub(super) fn date_in(text: &str) -> Option<Date> {
    clock::day_in(text)
}

pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\r', '\n'])
}
