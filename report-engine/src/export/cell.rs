//! One value of a data set.
use domain::clock;
use jiff::civil::{Date, DateTime, Time};

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Missing: nothing stands there, which R and SPSS read as such.
    Missing,
    Number(f64),
    Date(Date),
    Time(Time),
    Moment(DateTime),
    Text(String),
}

impl Cell {
    pub fn count(number: i64) -> Self {
        Self::Number(number as f64)
    }

    pub fn text(text: Option<&str>) -> Self {
        text.map(str::trim).filter(|text| !text.is_empty()).map_or(Self::Missing, |text| Self::Text(text.to_owned()))
    }
}

impl Cell {
    /// A date, a time or a moment as the standard ISO 8601 writes it; none of what is something else.
    pub fn iso(&self) -> Option<String> {
        match self {
            Self::Date(date) => Some(date.to_string()),
            Self::Time(time) => Some(clock::time_stored(*time)),
            Self::Moment(at) => Some(clock::moment_stored(*at)),
            Self::Missing | Self::Number(_) | Self::Text(_) => None,
        }
    }
}

/// All the digits of a number, as programs read it: without points between thousands.
pub fn number(number: f64, decimal: &str) -> String {
    if number.is_finite() { number.to_string().replace('.', decimal) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};

    use super::*;

    #[test]
    fn dates_times_and_moments_are_written_by_the_standard() {
        let iso = |cell: Cell| cell.iso();
        assert_eq!(iso(Cell::Date(date(2026, 3, 5))).as_deref(), Some("2026-03-05"));
        assert_eq!(iso(Cell::Time(time(8, 5, 0, 0))).as_deref(), Some("08:05"));
        assert_eq!(iso(Cell::Moment(date(2026, 3, 5).at(23, 50, 0, 0))).as_deref(), Some("2026-03-05T23:50"));
        assert_eq!([iso(Cell::Number(5.0)), iso(Cell::Missing)], [None, None]);
    }
}
