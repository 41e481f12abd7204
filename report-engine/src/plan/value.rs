//! One cell of a result, typed as the query delivered it; it stays typed until a sink writes it.
use jiff::civil::{Date, DateTime};
use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};

/// A cell. Identifiers such as JMBG, LBO and phone numbers come as `Text`, so that no sink takes them for numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Decimal(Decimal),
    Float(f64),
    Text(String),
    Date(Date),
    /// Local wall-clock time: the caller converts instants to the zone of the report.
    DateTime(DateTime),
}

impl Value {
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The exact number, where this cell is one that fits a decimal.
    pub fn as_decimal(&self) -> Option<Decimal> {
        match self {
            Value::Int(number) => Some(Decimal::from(*number)),
            Value::Decimal(number) => Some(*number),
            Value::Float(number) => Decimal::from_f64(*number),
            _ => None,
        }
    }

    /// The number as a chart or a spreadsheet takes it.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(number) => Some(*number as f64),
            Value::Decimal(number) => number.to_f64(),
            Value::Float(number) => Some(*number),
            _ => None,
        }
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Value::Int(_) | Value::Decimal(_) | Value::Float(_))
    }

    /// The cell as bands see it: numbers and truth values as such, dates in ISO form for `datum`.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Null => serde_json::Value::Null,
            Value::Bool(flag) => (*flag).into(),
            Value::Int(number) => (*number).into(),
            Value::Decimal(number) => number.to_f64().into(),
            Value::Float(number) => (*number).into(),
            Value::Text(text) => text.as_str().into(),
            Value::Date(date) => date.to_string().into(),
            Value::DateTime(moment) => moment.to_string().into(),
        }
    }
}
