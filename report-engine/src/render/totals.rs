//! Measures as they add up while the rows pass: sums, averages, extremes, counts, and ratios of sums.
use rust_decimal::Decimal;

use super::error::RenderError;
use crate::plan::{Measure, ROWS, Value, divide};

/// Where a named column stands in the result.
pub fn column_index(columns: &[String], name: &str) -> Result<usize, RenderError> {
    let found = columns.iter().position(|column| column == name);
    found.ok_or_else(|| RenderError::UnknownColumn { column: name.to_owned() })
}

/// Where the column of one side of a ratio stands; none where the side is the number of rows.
pub fn side_index(columns: &[String], name: &str) -> Result<Option<usize>, RenderError> {
    match Measure::side(name, columns) {
        Measure::Count => Ok(None),
        _ => column_index(columns, name).map(Some),
    }
}

/// A measure bound to column positions, with what it has seen so far.
#[derive(Clone, Debug)]
pub struct Accumulator {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Sum(Total),
    Avg(Total),
    Extreme { column: usize, wanted: Extreme, found: Option<Value> },
    Count(u64),
    Ratio { numerator: Total, denominator: Total, scale: Decimal },
}

#[derive(Clone, Copy, Debug)]
enum Extreme {
    Least,
    Greatest,
}

#[derive(Clone, Debug)]
struct Total {
    /// None: each row counts as one.
    column: Option<usize>,
    sum: Decimal,
    count: u64,
}

impl Total {
    fn at(column: Option<usize>) -> Self {
        Total { column, sum: Decimal::ZERO, count: 0 }
    }

    fn add(&mut self, row: &[Value], names: &[String]) -> Result<(), RenderError> {
        let one = Value::Int(1);
        let cell = self.column.map_or(&one, |column| &row[column]);
        if cell.is_null() {
            return Ok(());
        }
        let sum = cell.as_decimal().and_then(|number| self.sum.checked_add(number));
        let name = || self.column.map_or_else(|| ROWS.to_owned(), |column| names[column].clone());
        self.sum = sum.ok_or_else(|| RenderError::NotNumeric { column: name() })?;
        self.count += 1;
        Ok(())
    }

    fn reset(&mut self) {
        *self = Total::at(self.column);
    }
}

impl Accumulator {
    /// Binds the names of a measure to the positions of a result.
    pub fn of(measure: &Measure, columns: &[String]) -> Result<Self, RenderError> {
        let find = |name: &str| column_index(columns, name);
        let kind = match measure {
            Measure::Sum(name) => Kind::Sum(Total::at(Some(find(name)?))),
            Measure::Avg(name) => Kind::Avg(Total::at(Some(find(name)?))),
            Measure::Min(name) => Kind::Extreme { column: find(name)?, wanted: Extreme::Least, found: None },
            Measure::Max(name) => Kind::Extreme { column: find(name)?, wanted: Extreme::Greatest, found: None },
            Measure::Count => Kind::Count(0),
            Measure::Ratio(ratio) => Kind::Ratio {
                numerator: Total::at(side_index(columns, &ratio.numerator)?),
                denominator: Total::at(side_index(columns, &ratio.denominator)?),
                scale: ratio.scale,
            },
        };
        Ok(Accumulator { kind })
    }

    pub fn add(&mut self, row: &[Value], names: &[String]) -> Result<(), RenderError> {
        match &mut self.kind {
            Kind::Sum(total) | Kind::Avg(total) => total.add(row, names)?,
            Kind::Count(count) => *count += 1,
            Kind::Extreme { column, wanted, found } => {
                let cell = &row[*column];
                if !cell.is_null() && found.as_ref().is_none_or(|best| replaces(cell, best, *wanted)) {
                    *found = Some(cell.clone());
                }
            }
            Kind::Ratio { numerator, denominator, .. } => {
                numerator.add(row, names)?;
                denominator.add(row, names)?;
            }
        }
        Ok(())
    }

    /// The result so far; null when there was nothing to compute it from.
    pub fn value(&self) -> Value {
        match &self.kind {
            Kind::Sum(total) if total.count == 0 => Value::Null,
            Kind::Sum(total) => Value::Decimal(total.sum),
            Kind::Avg(total) => divide(total.sum, Decimal::from(total.count), Decimal::ONE),
            Kind::Extreme { found, .. } => found.clone().unwrap_or(Value::Null),
            Kind::Count(count) => Value::Int(*count as i64),
            Kind::Ratio { numerator, denominator, scale } => divide(numerator.sum, denominator.sum, *scale),
        }
    }

    pub fn reset(&mut self) {
        match &mut self.kind {
            Kind::Sum(total) | Kind::Avg(total) => total.reset(),
            Kind::Count(count) => *count = 0,
            Kind::Extreme { found, .. } => *found = None,
            Kind::Ratio { numerator, denominator, .. } => {
                numerator.reset();
                denominator.reset();
            }
        }
    }
}

fn replaces(cell: &Value, best: &Value, wanted: Extreme) -> bool {
    use std::cmp::Ordering;
    let order = match (cell, best) {
        (Value::Date(left), Value::Date(right)) => left.cmp(right),
        (Value::DateTime(left), Value::DateTime(right)) => left.cmp(right),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        _ => cell.as_decimal().cmp(&best.as_decimal()),
    };
    match wanted {
        Extreme::Least => order == Ordering::Less,
        Extreme::Greatest => order == Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        vec!["umrli".to_owned(), "pacijenti".to_owned()]
    }

    fn measured(measure: &str, rows: &[[i64; 2]]) -> Value {
        let names = names();
        let mut accumulator = Accumulator::of(&Measure::parse(measure).expect("a measure"), &names).expect("known columns");
        for row in rows {
            let row = row.map(Value::Int);
            accumulator.add(&row, &names).expect("numbers");
        }
        accumulator.value()
    }

    #[test]
    fn a_ratio_divides_sums_and_does_not_average_quotients() {
        let rows = [[1, 1], [0, 99]];
        assert_eq!(measured("umrli/pacijenti*100", &rows), Value::Decimal(Decimal::ONE));
    }

    #[test]
    fn a_ratio_counts_rows_unless_there_is_such_a_column() {
        let rows = [[1, 10], [0, 20], [1, 30], [0, 40]];
        assert_eq!(measured("umrli/count*100", &rows), Value::Decimal(Decimal::from(50)));
        assert_eq!(measured("count/umrli", &rows), Value::Decimal(Decimal::TWO));
        let names = ["umrli", "count"].map(str::to_owned);
        let mut share = Accumulator::of(&Measure::parse("umrli/count*100").expect("a measure"), &names).expect("known columns");
        share.add(&[Value::Int(1), Value::Int(4)], &names).expect("numbers");
        assert_eq!(share.value(), Value::Decimal(Decimal::from(25)), "the column that the query calls so");
    }

    #[test]
    fn a_ratio_over_nothing_is_empty() {
        assert_eq!(measured("umrli/pacijenti", &[]), Value::Null);
        assert_eq!(measured("umrli/pacijenti", &[[1, 0]]), Value::Null);
    }

    #[test]
    fn the_simple_measures_agree_with_hand_counts() {
        let rows = [[4, 10], [2, 20], [9, 60]];
        assert_eq!(measured("umrli", &rows), Value::Decimal(Decimal::from(15)));
        assert_eq!(measured("avg:pacijenti", &rows), Value::Decimal(Decimal::from(30)));
        assert_eq!(measured("min:umrli", &rows), Value::Int(2));
        assert_eq!(measured("max:umrli", &rows), Value::Int(9));
        assert_eq!(measured("count", &rows), Value::Int(3));
    }

    #[test]
    fn a_sum_over_text_is_refused() {
        let names = names();
        let mut sum = Accumulator::of(&Measure::parse("umrli").expect("a measure"), &names).expect("known columns");
        let row = [Value::Text("dva".to_owned()), Value::Null];
        assert!(matches!(sum.add(&row, &names), Err(RenderError::NotNumeric { column }) if column == "umrli"));
    }
}
