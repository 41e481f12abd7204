//! One value of a data set.
use jiff::civil::Date;

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Missing: nothing stands there, which R and SPSS read as such.
    Missing,
    Number(f64),
    Date(Date),
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

/// All the digits of a number, as programs read it: without points between thousands.
pub fn number(number: f64, decimal: &str) -> String {
    if number.is_finite() { number.to_string().replace('.', decimal) } else { String::new() }
}
