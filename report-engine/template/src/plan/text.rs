//! Numbers, dates and truth values as Serbian (Latin) text, and the masks by which a template asks for them.
use std::fmt::Write as _;

use domain::shown::{self, push_decimal, push_zeros};
use jiff::civil::{Date, DateTime};
use rust_decimal::Decimal;

use super::Value;

/// How a column shows its cells, parsed from a mask such as `#.##0,00` or `dd.MM.yyyy.`.
#[derive(Clone, Debug, PartialEq)]
pub enum CellFormat {
    Number(NumberFormat),
    Date(DateFormat),
    /// Shown as it came, never as a number.
    Text,
}

/// A number mask: thousands points, how many decimals, and a literal after the number.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberFormat {
    pub grouped: bool,
    pub decimals: u8,
    pub suffix: String,
}

/// A date mask, cut into its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct DateFormat {
    parts: Vec<DatePart>,
}

#[derive(Clone, Debug, PartialEq)]
enum DatePart {
    Day,
    Month,
    Year,
    Hour,
    Minute,
    Second,
    Literal(char),
}

const MAX_DECIMALS: usize = 12;

impl CellFormat {
    /// Reads a mask; `None` when it is neither a number mask, a date mask nor `tekst`.
    pub fn parse(mask: &str) -> Option<Self> {
        if mask == "tekst" {
            return Some(CellFormat::Text);
        }
        if mask.starts_with(['0', '#']) {
            return NumberFormat::parse(mask).map(CellFormat::Number);
        }
        DateFormat::parse(mask).map(CellFormat::Date)
    }

    /// The same mask as Excel spells it.
    pub fn excel(&self) -> String {
        match self {
            CellFormat::Number(number) => number.excel(),
            CellFormat::Date(date) => date.excel(),
            CellFormat::Text => "@".to_owned(),
        }
    }
}

impl NumberFormat {
    fn parse(mask: &str) -> Option<Self> {
        let (grouped, rest) = match mask.strip_prefix("#.##") {
            Some(rest) => (true, rest),
            None => (false, mask),
        };
        let rest = rest.strip_prefix('0')?;
        let (decimals, suffix) = match rest.strip_prefix(',') {
            Some(fraction) => {
                let suffix = fraction.trim_start_matches('0');
                (fraction.len() - suffix.len(), suffix)
            }
            None => (0, rest),
        };
        let comma_without_decimals = rest.starts_with(',') && decimals == 0;
        if comma_without_decimals || decimals > MAX_DECIMALS || suffix.contains(['#', '0', '"']) {
            return None;
        }
        Some(NumberFormat { grouped, decimals: decimals as u8, suffix: suffix.to_owned() })
    }

    fn excel(&self) -> String {
        let mut mask = String::from(if self.grouped { "#,##0" } else { "0" });
        if self.decimals > 0 {
            mask.push('.');
            mask.extend(std::iter::repeat_n('0', usize::from(self.decimals)));
        }
        if !self.suffix.is_empty() {
            let _ = write!(mask, "\"{}\"", self.suffix);
        }
        mask
    }

    /// Writes the number rounded half away from zero, with decimal comma.
    pub fn write(&self, out: &mut String, number: Decimal) {
        push_decimal(out, number, u32::from(self.decimals), self.grouped);
        out.push_str(&self.suffix);
    }
}

impl DateFormat {
    fn parse(mask: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut rest = mask;
        while let Some(first) = rest.chars().next() {
            let token = [
                ("dd", DatePart::Day),
                ("MM", DatePart::Month),
                ("yyyy", DatePart::Year),
                ("HH", DatePart::Hour),
                ("mm", DatePart::Minute),
                ("ss", DatePart::Second),
            ]
            .into_iter()
            .find(|(spelling, _)| rest.starts_with(spelling));
            match token {
                Some((spelling, part)) => {
                    parts.push(part);
                    rest = &rest[spelling.len()..];
                }
                None if first.is_alphanumeric() => return None,
                None => {
                    parts.push(DatePart::Literal(first));
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        let names_something = parts.iter().any(|part| !matches!(part, DatePart::Literal(_)));
        names_something.then_some(DateFormat { parts })
    }

    fn excel(&self) -> String {
        let mut mask = String::new();
        for part in &self.parts {
            match part {
                DatePart::Day => mask.push_str("dd"),
                DatePart::Month | DatePart::Minute => mask.push_str("mm"),
                DatePart::Year => mask.push_str("yyyy"),
                DatePart::Hour => mask.push_str("hh"),
                DatePart::Second => mask.push_str("ss"),
                // A bare point before a letter would be read as a decimal point.
                DatePart::Literal(letter) => {
                    mask.push('\\');
                    mask.push(*letter);
                }
            }
        }
        mask
    }

    pub fn write(&self, out: &mut String, moment: DateTime) {
        for part in &self.parts {
            match part {
                DatePart::Day => push_padded(out, moment.day().into(), 2),
                DatePart::Month => push_padded(out, moment.month().into(), 2),
                DatePart::Year => push_padded(out, moment.year(), 4),
                DatePart::Hour => push_padded(out, moment.hour().into(), 2),
                DatePart::Minute => push_padded(out, moment.minute().into(), 2),
                DatePart::Second => push_padded(out, moment.second().into(), 2),
                DatePart::Literal(letter) => out.push(*letter),
            }
        }
    }
}

/// Appends the cell as a reader of the report sees it.
pub fn write_value(out: &mut String, value: &Value, format: Option<&CellFormat>) {
    match (value, format) {
        (Value::Null, _) => {}
        (Value::Bool(flag), _) => out.push_str(shown::yes_no(*flag)),
        (Value::Text(text), _) => out.push_str(text),
        (Value::Date(date), Some(CellFormat::Date(mask))) => mask.write(out, date.to_datetime(Default::default())),
        (Value::Date(date), _) => push_date(out, *date),
        (Value::DateTime(moment), Some(CellFormat::Date(mask))) => mask.write(out, *moment),
        (Value::DateTime(moment), _) => push_moment(out, *moment),
        (Value::Int(number), Some(CellFormat::Number(mask))) => mask.write(out, Decimal::from(*number)),
        (Value::Int(number), _) => push_decimal(out, Decimal::from(*number), 0, false),
        (Value::Decimal(number), Some(CellFormat::Number(mask))) => mask.write(out, *number),
        (Value::Decimal(number), _) => push_decimal(out, *number, number.scale(), true),
        (Value::Float(number), format) => push_float(out, *number, format),
    }
}

/// The cell as text; see [`write_value`].
pub fn show(value: &Value, format: Option<&CellFormat>) -> String {
    let mut out = String::new();
    write_value(&mut out, value, format);
    out
}

/// A count with thousands points: `10.000`.
pub fn grouped(number: u64) -> String {
    let mut out = String::new();
    push_decimal(&mut out, Decimal::from(number), 0, true);
    out
}

/// `DD.MM.YYYY.`
pub fn push_date(out: &mut String, date: Date) {
    push_padded(out, date.day().into(), 2);
    out.push('.');
    push_padded(out, date.month().into(), 2);
    out.push('.');
    push_padded(out, date.year(), 4);
    out.push('.');
}

/// `DD.MM.YYYY. HH:mm`
pub fn push_moment(out: &mut String, moment: DateTime) {
    push_date(out, moment.date());
    out.push(' ');
    push_padded(out, moment.hour().into(), 2);
    out.push(':');
    push_padded(out, moment.minute().into(), 2);
}

fn push_float(out: &mut String, number: f64, format: Option<&CellFormat>) {
    match (Value::Float(number).as_decimal(), format) {
        (Some(decimal), Some(CellFormat::Number(mask))) => mask.write(out, decimal),
        _ => out.push_str(&shown::number(number)),
    }
}

/// A date's part with leading zeros; years before 0 do not occur in reports and show as their number.
fn push_padded(out: &mut String, number: i16, width: usize) {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(number.unsigned_abs());
    if number < 0 {
        out.push('-');
    }
    push_zeros(out, width.saturating_sub(digits.len()));
    out.push_str(digits);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(mask: &str, number: &str) -> String {
        let format = CellFormat::parse(mask).expect("a valid mask");
        show(&Value::Decimal(number.parse().expect("a decimal")), Some(&format))
    }

    #[test]
    fn numbers_have_decimal_comma_and_thousands_points() {
        assert_eq!(shown("#.##0,00", "147664.08"), "147.664,08");
        assert_eq!(shown("#.##0,00", "-1234567.005"), "−1.234.567,01");
        assert_eq!(shown("0,00", "1234.5"), "1234,50");
        assert_eq!(shown("0", "0.4"), "0");
        assert_eq!(shown("0,0 %", "8.25"), "8,3 %");
        assert_eq!(shown("0,000", "0.0042"), "0,004");
    }

    #[test]
    fn rounding_is_half_away_from_zero() {
        assert_eq!(shown("0", "2.5"), "3");
        assert_eq!(shown("0", "-2.5"), "−3");
        assert_eq!(shown("0,00", "1.005"), "1,01");
        assert_eq!(shown("0,0", "-0.04"), "0,0");
        let two = CellFormat::parse("0,00").expect("a valid mask");
        assert_eq!(show(&Value::Float(2.675), Some(&two)), "2,68");
    }

    #[test]
    fn a_decimal_without_mask_keeps_its_own_scale() {
        assert_eq!(show(&Value::Decimal("1234.10".parse().expect("a decimal")), None), "1.234,10");
        assert_eq!(show(&Value::Int(2026), None), "2026");
        let floats = [2.675, 0.004, 23.15, 1234.5].map(|number| show(&Value::Float(number), None));
        assert_eq!(floats, ["2,675", "0,004", "23,15", "1.234,5"]);
    }

    #[test]
    fn dates_follow_their_mask() {
        let moment = jiff::civil::datetime(2026, 3, 5, 7, 4, 0, 0);
        assert_eq!(show(&Value::DateTime(moment), None), "05.03.2026. 07:04");
        assert_eq!(show(&Value::Date(moment.date()), None), "05.03.2026.");
        let month = CellFormat::parse("MM.yyyy.").expect("a valid mask");
        assert_eq!(show(&Value::Date(moment.date()), Some(&month)), "03.2026.");
    }

    #[test]
    fn masks_translate_to_excel() {
        let excel = |mask: &str| CellFormat::parse(mask).expect("a valid mask").excel();
        assert_eq!(excel("#.##0,00"), "#,##0.00");
        assert_eq!(excel("0,0 %"), "0.0\" %\"");
        assert_eq!(excel("dd.MM.yyyy."), "dd\\.mm\\.yyyy\\.");
        assert_eq!(excel("tekst"), "@");
    }

    #[test]
    fn nonsense_masks_are_refused() {
        for mask in ["", "0,", "abc", "#0", "0,0#", "dd.MMM.yyyy", "..."] {
            assert_eq!(CellFormat::parse(mask), None, "{mask}");
        }
    }
}
