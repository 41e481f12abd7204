//! What a template asks to be computed over many rows: sums, averages, extremes, counts, and ratios of sums.
use rust_decimal::Decimal;

use super::Value;

/// A computation over rows as a template declares it, by column names.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    Sum(String),
    Avg(String),
    Min(String),
    Max(String),
    Count,
    Ratio(Ratio),
}

/// A side of a ratio that is the number of rows, unless the query delivers a column of that name.
pub const ROWS: &str = "count";

/// `numerator / denominator * scale` over sums, so that a subtotal is never an average of averages.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratio {
    pub numerator: String,
    pub denominator: String,
    pub scale: Decimal,
}

impl Ratio {
    /// Reads `umrli/pacijenti`, `umrli/pacijenti*100` or `umrli/count*100`.
    pub fn parse(text: &str) -> Option<Self> {
        let (numerator, rest) = text.split_once('/')?;
        let (denominator, scale) = match rest.split_once('*') {
            Some((denominator, scale)) => (denominator, scale.trim().parse().ok()?),
            None => (rest, Decimal::ONE),
        };
        let name = |part: &str| Some(part.trim().to_owned()).filter(|part| is_column_name(part));
        Some(Ratio { numerator: name(numerator)?, denominator: name(denominator)?, scale })
    }

    /// The ratio of two numbers; null where it has no meaning.
    pub fn of(&self, numerator: &Value, denominator: &Value) -> Value {
        match (numerator.as_decimal(), denominator.as_decimal()) {
            (Some(numerator), Some(denominator)) => divide(numerator, denominator, self.scale),
            _ => Value::Null,
        }
    }
}

impl Measure {
    /// Whether the values of parts add up to the value of the whole.
    pub fn is_additive(&self) -> bool {
        matches!(self, Measure::Sum(_) | Measure::Count)
    }

    /// Reads `sum:x`, `avg:x`, `min:x`, `max:x`, `count`, a ratio, or a bare column name, which means its sum.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text == ROWS {
            return Some(Measure::Count);
        }
        if text.contains('/') {
            return Ratio::parse(text).map(Measure::Ratio);
        }
        let (kind, column) = text.split_once(':').unwrap_or(("sum", text));
        is_column_name(column).then_some(())?;
        Measure::over(kind, column)
    }

    /// What one side of a ratio adds up.
    pub fn side(name: &str, columns: &[String]) -> Self {
        match name == ROWS && !columns.iter().any(|column| column == name) {
            true => Measure::Count,
            false => Measure::Sum(name.to_owned()),
        }
    }

    /// The measure `kind` (`sum`, `avg`, `min`, `max`, `count`) over one column.
    pub fn over(kind: &str, column: &str) -> Option<Self> {
        let column = column.to_owned();
        match kind {
            "sum" => Some(Measure::Sum(column)),
            "avg" => Some(Measure::Avg(column)),
            "min" => Some(Measure::Min(column)),
            "max" => Some(Measure::Max(column)),
            "count" => Some(Measure::Count),
            _ => None,
        }
    }
}

fn is_column_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// `numerator / denominator * scale`; null where it has no meaning.
pub fn divide(numerator: Decimal, denominator: Decimal, scale: Decimal) -> Value {
    let scaled = numerator.checked_mul(scale);
    let quotient = scaled.and_then(|scaled| scaled.checked_div(denominator));
    quotient.map_or(Value::Null, Value::Decimal)
}
