//! A cell of a result, typed as the database delivered it.

use std::collections::HashSet;

use jiff::{Timestamp, civil};
use rust_decimal::{
    Decimal,
    prelude::{FromPrimitive, ToPrimitive},
};
use sqlx::{Column, Decode, Row, TypeInfo, ValueRef, postgres::PgRow, postgres::PgValueRef};
use uuid::Uuid;

use super::ReportSqlError;

/// It stays typed until a file is written. Identifiers such as JMBG, LBO and telephone numbers come as `Text`, so that nothing takes
/// them for numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Decimal(Decimal),
    Float(f64),
    Text(String),
    Date(civil::Date),
    /// Wall-clock time; an instant is told by the clock of Belgrade.
    DateTime(civil::DateTime),
}

/// A type of the database that a report reads.
pub struct Readable {
    /// As the server names it to us.
    pub kind: &'static str,
    /// As SQL is written.
    pub sql: &'static str,
    /// What becomes of it.
    pub becomes: &'static str,
}

const fn readable(kind: &'static str, sql: &'static str, becomes: &'static str) -> Readable {
    Readable { kind, sql, becomes }
}

/// Every type that a report reads; a column of another one is cast to one of these.
pub const READABLE: &[Readable] = &[
    readable("TEXT", "text", "tekst"),
    readable("VARCHAR", "varchar", "tekst"),
    readable("CHAR", "char", "tekst"),
    readable("NAME", "name", "tekst"),
    readable("UUID", "uuid", "tekst"),
    readable("JSON", "json", "tekst"),
    readable("JSONB", "jsonb", "tekst"),
    readable("TEXT[]", "text[]", "tekst, vrednosti razdvojene zarezima"),
    readable("VARCHAR[]", "varchar[]", "tekst, vrednosti razdvojene zarezima"),
    readable("INT2", "smallint", "ceo broj"),
    readable("INT4", "integer", "ceo broj"),
    readable("INT8", "bigint", "ceo broj"),
    readable("NUMERIC", "numeric", "broj"),
    readable("FLOAT4", "real", "broj"),
    readable("FLOAT8", "double precision", "broj"),
    readable("BOOL", "boolean", "da ili ne"),
    readable("DATE", "date", "datum"),
    readable("TIME", "time", "tekst, sat i minut"),
    readable("TIMESTAMP", "timestamp", "datum i vreme"),
    readable("TIMESTAMPTZ", "timestamptz", "datum i vreme po satu u Beogradu"),
];

/// Whether a report reads a column of this type; `unknown` is a text of which nothing else is known.
pub fn is_readable(kind: &str) -> bool {
    kind == "unknown" || READABLE.iter().any(|readable| readable.kind == kind)
}

impl Value {
    /// What is no number, or has no end, is blank: none of the formats, and no sum, has a word for it.
    pub fn float(number: f64) -> Self {
        if number.is_finite() { Value::Float(number) } else { Value::Null }
    }

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

    /// The cell as plain text, the way a value of an option is written; null is `None`.
    pub fn into_text(self) -> Option<String> {
        Some(match self {
            Value::Null => return None,
            Value::Bool(flag) => flag.to_string(),
            Value::Int(number) => number.to_string(),
            Value::Decimal(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Text(text) => text,
            Value::Date(date) => date.to_string(),
            Value::DateTime(moment) => moment.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        })
    }
}

/// Decodes a row by the types that the server names; what stands in `guards` is null.
pub(super) fn decode(row: &PgRow, guards: &[usize]) -> Result<Vec<Value>, ReportSqlError> {
    (0..row.len()).map(|index| if guards.contains(&index) { Ok(Value::Null) } else { cell(row, index) }).collect()
}

/// The patients of a row; what a join has left blank is nobody.
pub(super) fn patients(row: &PgRow, index: usize) -> Result<HashSet<i64>, ReportSqlError> {
    let ids: Option<Vec<Option<i64>>> = row.try_get(index)?;
    Ok(ids.unwrap_or_default().into_iter().flatten().collect())
}

/// The patient whom a row names in this column.
pub(super) fn patient(row: &PgRow, index: usize) -> Option<i64> {
    match cell(row, index) {
        Ok(Value::Int(id)) => Some(id),
        _ => None,
    }
}

fn cell(row: &PgRow, index: usize) -> Result<Value, ReportSqlError> {
    let raw = row.try_get_raw(index)?;
    if raw.is_null() {
        return Ok(Value::Null);
    }
    let column = || row.column(index).name().to_owned();
    let info = raw.type_info().into_owned();
    if is_endless(info.name(), raw.as_bytes().unwrap_or_default()) {
        return Ok(Value::Null);
    }
    let decoded = match info.name() {
        "BOOL" => bool::decode(raw).map(Value::Bool),
        "INT2" => i16::decode(raw).map(|number| Value::Int(number.into())),
        "INT4" => i32::decode(raw).map(|number| Value::Int(number.into())),
        "INT8" => i64::decode(raw).map(Value::Int),
        "NUMERIC" => numeric(&raw),
        "FLOAT4" => f32::decode(raw).map(|number| Value::float(number.into())),
        "FLOAT8" => f64::decode(raw).map(Value::float),
        "TEXT" | "VARCHAR" | "CHAR" | "NAME" | "unknown" => String::decode(raw).map(Value::Text),
        "DATE" => jiff_sqlx::Date::decode(raw).map(|date| Value::Date(date.to_jiff())),
        "TIME" => jiff_sqlx::Time::decode(raw).map(|time| Value::Text(time_text(time.to_jiff()))),
        "TIMESTAMP" => jiff_sqlx::DateTime::decode(raw).map(|moment| Value::DateTime(moment.to_jiff())),
        "TIMESTAMPTZ" => jiff_sqlx::Timestamp::decode(raw).map(|at| Value::DateTime(local(at.to_jiff()))),
        "UUID" => Uuid::decode(raw).map(|id| Value::Text(id.to_string())),
        "JSON" | "JSONB" => serde_json::Value::decode(raw).map(|json| Value::Text(json.to_string())),
        "TEXT[]" | "VARCHAR[]" => texts(raw),
        kind => return Err(ReportSqlError::UnsupportedType { column: column(), kind: kind.to_owned() }),
    };
    decoded.map_err(|error| ReportSqlError::Unreadable { column: column(), detail: error.to_string() })
}

/// `08:05`, with seconds only where there are some.
fn time_text(time: jiff::civil::Time) -> String {
    let shape = if time.second() == 0 && time.subsec_nanosecond() == 0 { "%H:%M" } else { "%H:%M:%S" };
    time.strftime(shape).to_string()
}

/// A product of two averages has more digits than a decimal holds: it is rounded, where sqlx would refuse it.
fn numeric(raw: &PgValueRef<'_>) -> Result<Value, sqlx::error::BoxDynError> {
    let bytes = raw.as_bytes()?;
    if is_no_number(bytes) {
        return Ok(Value::Null);
    }
    let text = numeric_text(bytes).ok_or("not a number")?;
    Ok(match text.parse() {
        Ok(number) => Value::Decimal(number),
        Err(_) => Value::float(text.parse()?),
    })
}

/// NaN and the infinities, by the word that otherwise holds the sign.
fn is_no_number(bytes: &[u8]) -> bool {
    matches!(bytes.get(4..6), Some([0xC0 | 0xD0 | 0xF0, 0]))
}

/// The days and moments before and after all others, which no calendar has.
fn is_endless(kind: &str, bytes: &[u8]) -> bool {
    match kind {
        "DATE" => [i32::MIN, i32::MAX].iter().any(|end| bytes == end.to_be_bytes()),
        "TIMESTAMP" | "TIMESTAMPTZ" => [i64::MIN, i64::MAX].iter().any(|end| bytes == end.to_be_bytes()),
        _ => false,
    }
}

/// The decimal text of PostgreSQL's binary numeric: count, weight, sign and scale, then digits of base 10,000.
fn numeric_text(bytes: &[u8]) -> Option<String> {
    let word = |index: usize| Some(i16::from_be_bytes(bytes.get(index * 2..index * 2 + 2)?.try_into().ok()?));
    let (count, weight, sign, scale) = (word(0)?, word(1)?, word(2)?, usize::try_from(word(3)?).ok()?);
    let digit = |place: i16| match i32::from(weight) - i32::from(place) {
        index if (0..i32::from(count)).contains(&index) => word(4 + usize::try_from(index).ok()?),
        _ => Some(0),
    };
    let mut text = match sign {
        0 => String::new(),
        0x4000 => "-".to_owned(),
        _ => return None,
    };
    for place in (0..=weight.max(0)).rev() {
        text.push_str(&format!("{:04}", digit(place)?));
    }
    if scale > 0 {
        let mut fraction = String::with_capacity(scale + 4);
        let mut place = -1;
        while fraction.len() < scale {
            fraction.push_str(&format!("{:04}", digit(place)?));
            place -= 1;
        }
        text.push('.');
        text.push_str(&fraction[..scale]);
    }
    Some(text)
}

fn local(at: Timestamp) -> civil::DateTime {
    at.to_zoned(crate::time::zone()).datetime()
}

fn texts(raw: PgValueRef<'_>) -> Result<Value, sqlx::error::BoxDynError> {
    let items = Vec::<Option<String>>::decode(raw)?;
    Ok(Value::Text(items.into_iter().flatten().collect::<Vec<_>>().join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_readable_has_a_name_each() {
        assert!(is_readable("TIMESTAMPTZ") && is_readable("TIME") && is_readable("unknown"));
        assert!(!is_readable("BYTEA") && !is_readable("INT4[]"));
        for (index, readable) in READABLE.iter().enumerate() {
            assert!(READABLE[..index].iter().all(|earlier| earlier.kind != readable.kind && earlier.sql != readable.sql));
        }
    }

    fn text(words: &[i16]) -> Option<String> {
        numeric_text(&words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>())
    }

    #[test]
    fn numerics_keep_their_sign_scale_and_leading_zeros() {
        assert_eq!(text(&[2, 0, 0, 2, 147, 6400]).as_deref(), Some("0147.64"));
        assert_eq!(text(&[1, -1, 0x4000, 4, 5]).as_deref(), Some("-0000.0005"));
        assert_eq!(text(&[1, 1, 0, 0, 3]).as_deref(), Some("00030000"));
        assert_eq!(text(&[0, 0, 0, 2]).as_deref(), Some("0000.00"));
        assert!(text(&[1, i16::MAX, 0, 8, 1]).is_some_and(|long| long.len() > 131_000), "a number of the most digits there are");
        for end in [i32::MIN, i32::MAX] {
            assert!(is_endless("DATE", &end.to_be_bytes()) && !is_endless("INT4", &end.to_be_bytes()));
        }
        assert!(is_endless("TIMESTAMPTZ", &i64::MAX.to_be_bytes()) && !is_endless("DATE", &0_i32.to_be_bytes()));
        for sign in [0xC000_u16, 0xD000, 0xF000] {
            let words = [0_u16, 0, sign, 0x20];
            assert!(is_no_number(&words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>()), "{sign:x}");
        }
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(Value::float), [Value::Null, Value::Null, Value::Null]);
    }
}
