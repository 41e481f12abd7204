//! What lies along x of a chart: the values of its column, gathered by days, months or years where its template says so.
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};
use report_chart::times;

use crate::plan::{Bucket, Value, show};

/// More points than a page can show apart; what comes after is left out and the title says so.
pub const MAX_BUCKETS: usize = 400;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    Number(OrderedNumber),
    Date(Date),
    Moment(DateTime),
    Text(String),
}

/// A number that is one.
#[derive(Clone, Copy, Debug)]
pub struct OrderedNumber(f64);

impl OrderedNumber {
    fn new(number: f64) -> Option<Self> {
        // Both zeros are one place.
        number.is_finite().then_some(Self(number + 0.0))
    }
}

impl PartialEq for OrderedNumber {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OrderedNumber {}

impl PartialOrd for OrderedNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Hash for OrderedNumber {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl Key {
    /// The place of a value; a blank one has none.
    pub fn of(x: &Value, bucket: Bucket) -> Option<Self> {
        let date = match x {
            Value::Null => return None,
            Value::DateTime(moment) if bucket == Bucket::Value => return Some(Key::Moment(*moment)),
            Value::Date(date) => *date,
            Value::DateTime(moment) => moment.date(),
            number if number.is_number() => return number.as_f64().and_then(OrderedNumber::new).map(Key::Number),
            other => return Some(Key::Text(show(other, None))),
        };
        Some(Key::Date(match bucket {
            Bucket::Month => date.first_of_month(),
            Bucket::Year => date.first_of_year(),
            Bucket::Day | Bucket::Value => date,
        }))
    }

    /// Where it lies by its size; a text has no size.
    pub fn size(&self) -> Option<f64> {
        match self {
            Key::Number(number) => Some(number.0),
            Key::Date(date) => Some(times::of_day(*date)),
            Key::Moment(moment) => Some(times::of_moment(*moment)),
            Key::Text(_) => None,
        }
    }

    pub fn label(&self, bucket: Bucket) -> String {
        match (self, bucket) {
            (Key::Text(text), _) => text.clone(),
            (Key::Number(number), _) => show(&Value::Float(number.0), None),
            (Key::Moment(moment), _) => show(&Value::DateTime(*moment), None),
            (Key::Date(date), Bucket::Month) => format!("{:02}.{}.", date.month(), date.year()),
            (Key::Date(date), Bucket::Year) => format!("{}.", date.year()),
            (Key::Date(date), _) => show(&Value::Date(*date), None),
        }
    }
}

/// What all keys of a chart are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    Numbers,
    Time,
    /// Texts, or of several kinds.
    Names,
}

pub fn kind_of(keys: &[Key]) -> KeyKind {
    if keys.iter().all(|key| matches!(key, Key::Number(_))) {
        KeyKind::Numbers
    } else if keys.iter().all(|key| matches!(key, Key::Date(_) | Key::Moment(_))) {
        KeyKind::Time
    } else {
        KeyKind::Names
    }
}

/// Dates and numbers in order, with missing months and years; other values as they came.
pub fn in_order(keys: &[Key], bucket: Bucket) -> Vec<Key> {
    let mut keys = keys.to_vec();
    if kind_of(&keys) == KeyKind::Names {
        return keys;
    }
    keys.sort();
    match (bucket, keys.first(), keys.last()) {
        (Bucket::Month, Some(Key::Date(first)), Some(Key::Date(last))) => steps(*first, *last, 1.month()),
        (Bucket::Year, Some(Key::Date(first)), Some(Key::Date(last))) => steps(*first, *last, 1.year()),
        _ => keys,
    }
}

fn steps(first: Date, last: Date, step: jiff::Span) -> Vec<Key> {
    first.series(step).take_while(|date| *date <= last).take(MAX_BUCKETS).map(Key::Date).collect()
}
