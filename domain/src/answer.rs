//! What a value of an entry means by its field's type: read from its JSON in one place, and written in one place. An entry keeps its
//! values as JSON, since a save keeps what its form has no field for any more (docs/decisions/0126-values-are-kept-as-json-and-read-as-answers.md).

use jiff::civil::{Date, DateTime, Time};
use serde_json::Value;

use crate::{clock, register::ValueType};

/// The browser's safe integers: whole numbers within them are written without a fraction, as the browser writes them.
pub const SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// An answer of one field. Files and the rows of a section are read by `entry::files` and `entry::rows`.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<'a> {
    Choice(bool),
    Number(f64),
    Text(&'a str),
    /// The ids of the chosen items, as they are stored.
    Set(Vec<i64>),
    Date(Date),
    /// A time of day.
    Time(Time),
    /// A day with a time.
    Moment(DateTime),
}

impl<'a> Answer<'a> {
    /// A value of a field of this type; none where it is blank or does not fit the type.
    pub fn of(kind: ValueType, value: &'a Value) -> Option<Self> {
        Some(match (kind, value) {
            (ValueType::Choice, Value::Bool(yes)) => Self::Choice(*yes),
            (ValueType::Number, Value::Number(number)) => Self::Number(number.as_f64()?),
            (ValueType::Text, Value::String(text)) => Self::Text(text),
            (ValueType::Set, Value::Array(items)) => Self::Set(items.iter().filter_map(Value::as_i64).collect()),
            (ValueType::Date, Value::String(text)) => Self::Date(clock::day_in(text)?),
            (ValueType::Time, Value::String(text)) => Self::Time(clock::time_in(text)?),
            (ValueType::Moment, Value::String(text)) => Self::Moment(clock::moment_in(text)?),
            _ => return None,
        })
    }

    /// The number of a field of numbers.
    pub fn number(kind: ValueType, value: &Value) -> Option<f64> {
        match Answer::of(kind, value)? {
            Answer::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The day of a date or of a moment.
    pub fn day(&self) -> Option<Date> {
        match self {
            Self::Date(date) => Some(*date),
            Self::Moment(at) => Some(at.date()),
            _ => None,
        }
    }
}

/// As an entry stores it.
impl From<Answer<'_>> for Value {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Choice(yes) => yes.into(),
            Answer::Number(number) if number.fract() == 0.0 && number.abs() <= SAFE_INTEGER => (number as i64).into(),
            Answer::Number(number) => number.into(),
            Answer::Text(text) => text.into(),
            Answer::Set(ids) => ids.into(),
            Answer::Date(date) => date.to_string().into(),
            Answer::Time(time) => clock::time_stored(time).into(),
            Answer::Moment(at) => clock::moment_stored(at).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A value of each type as an entry stores it; none for the types that hold no answer of this kind.
    fn stored(kind: ValueType) -> Option<Value> {
        match kind {
            ValueType::Choice => Some(json!(true)),
            ValueType::Number => Some(json!(23.15)),
            ValueType::Text => Some(json!(" žuč\n")),
            ValueType::Set => Some(json!([9, 7])),
            ValueType::Date => Some(json!("2026-03-05")),
            ValueType::Time => Some(json!("08:05")),
            ValueType::Moment => Some(json!("2026-03-05T23:50")),
            ValueType::Heading
            | ValueType::Separator
            | ValueType::Panel
            | ValueType::Image
            | ValueType::Tab
            | ValueType::Chart
            | ValueType::File => None,
        }
    }

    #[test]
    fn what_is_stored_is_written_as_it_was_read_and_fits_no_other_type() {
        for kind in ValueType::ALL {
            let all = ValueType::ALL.into_iter().filter_map(stored);
            let read: Vec<Value> = all.filter_map(|value| Answer::of(kind, &value).map(Value::from)).collect();
            // Every text is one, also that of a date.
            let expected: Vec<Value> = match kind {
                ValueType::Text => {
                    [ValueType::Text, ValueType::Date, ValueType::Time, ValueType::Moment].into_iter().filter_map(stored).collect()
                }
                _ => stored(kind).into_iter().collect(),
            };
            assert_eq!(read, expected, "{kind:?}");
            assert_eq!(Answer::of(kind, &Value::Null), None, "{kind:?}");
        }
    }

    #[test]
    fn a_whole_number_is_written_without_a_fraction() {
        let written = |number: f64| Value::from(Answer::Number(number)).to_string();
        assert_eq!([written(7.0), written(-0.5), written(SAFE_INTEGER)], ["7", "-0.5", "9007199254740991"]);
        assert_eq!(Answer::number(ValueType::Number, &json!(7)), Some(7.0));
        assert_eq!(Answer::number(ValueType::Choice, &json!(7)), None);
    }

    #[test]
    fn the_day_is_that_of_a_date_or_of_a_moment() {
        let day = |kind: ValueType| stored(kind).and_then(|value| Answer::of(kind, &value)?.day());
        let fifth = Some(Date::constant(2026, 3, 5));
        assert_eq!([ValueType::Date, ValueType::Moment, ValueType::Time].map(day), [fifth, fifth, None]);
    }
}
