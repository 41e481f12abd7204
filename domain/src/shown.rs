//! The text of a number and of a choice, the same wherever a person reads it: on print, in reports and in messages here, on the screens
//! by `web/src/format.ts`. `domain/value-cases.json` is read by the tests of both.

use std::borrow::Cow;

use rust_decimal::{Decimal, RoundingStrategy};

/// The minus that people read; programs read [`HYPHEN`].
pub const MINUS: char = '−';
/// The minus of numbers that programs read.
pub const HYPHEN: char = '-';

/// All the digits of a number, a decimal comma and points between thousands: 2108.5 is `2.108,5`. What is no number is nothing.
pub fn number(number: f64) -> String {
    let mut out = String::new();
    if number.is_finite() {
        // The shortest decimal that names the double, without an exponent.
        let plain = number.abs().to_string();
        let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
        if number < 0.0 {
            out.push(MINUS);
        }
        push_whole(&mut out, whole, true);
        if !fraction.is_empty() {
            out.push(',');
            out.push_str(fraction);
        }
    }
    out
}

/// How many decimals a number is written with.
pub fn decimals(number: f64) -> usize {
    number.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len())
}

/// A size as it is told: `1,5 KB`.
pub fn bytes(size: i64) -> String {
    let units = ["B", "KB", "MB", "GB"];
    let size = size.max(0) as f64;
    let power = (0..units.len()).rev().find(|power| size >= 1024_f64.powi(*power as i32)).unwrap_or_default();
    let told = (size / 1024_f64.powi(power as i32) * 10.0).round() / 10.0;
    format!("{} {}", number(told), units[power])
}

pub fn yes_no(yes: bool) -> &'static str {
    if yes { "Da" } else { "Ne" }
}

/// A text of people as programs read its numbers: each minus before a digit is a hyphen.
pub fn with_hyphens(text: &str) -> Cow<'_, str> {
    if !text.contains(MINUS) {
        return Cow::Borrowed(text);
    }
    let mut letters = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        let is_sign = letter == MINUS && letters.peek().is_some_and(char::is_ascii_digit);
        out.push(if is_sign { HYPHEN } else { letter });
    }
    Cow::Owned(out)
}

/// Appends `number` with exactly `decimals` decimals, rounded half away from zero, for people.
pub fn push_decimal(out: &mut String, number: Decimal, decimals: u32, grouped: bool) {
    push_signed(out, number, decimals, grouped, MINUS);
}

/// As [`push_decimal`], for programs: without points between thousands.
pub fn push_plain_decimal(out: &mut String, number: Decimal, decimals: u32) {
    push_signed(out, number, decimals, false, HYPHEN);
}

fn push_signed(out: &mut String, number: Decimal, decimals: u32, grouped: bool, minus: char) {
    let rounded = match number.scale() <= decimals {
        true => number,
        false => number.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero),
    };
    if rounded.is_sign_negative() && !rounded.is_zero() {
        out.push(minus);
    }
    let mantissa = rounded.mantissa().unsigned_abs();
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(mantissa);
    let scale = rounded.scale() as usize;
    let (whole, fraction) = match digits.len().checked_sub(scale) {
        Some(split) if split > 0 => digits.split_at(split),
        _ => ("0", digits),
    };
    push_whole(out, whole, grouped);
    if decimals > 0 {
        out.push(',');
        push_zeros(out, scale - fraction.len());
        out.push_str(fraction);
        push_zeros(out, decimals as usize - scale);
    }
}

/// Mostly none.
pub fn push_zeros(out: &mut String, count: usize) {
    for _ in 0..count {
        out.push('0');
    }
}

fn push_whole(out: &mut String, digits: &str, grouped: bool) {
    if !grouped || digits.len() <= 3 {
        return out.push_str(digits);
    }
    let (first, mut rest) = digits.split_at((digits.len() - 1) % 3 + 1);
    out.push_str(first);
    while !rest.is_empty() {
        out.push('.');
        out.push_str(&rest[..3]);
        rest = &rest[3..];
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;
    use crate::typed::{NumberReading, typed_number};

    /// The table that the browser's tests read too.
    #[derive(Deserialize)]
    struct Cases {
        /// What is typed, and what it means: a number, null for a blank, two readings, or a text where it is no number.
        typed: Vec<(String, Value)>,
        numbers: Vec<(f64, String)>,
    }

    fn cases() -> Cases {
        serde_json::from_str(include_str!("../value-cases.json")).expect("the table of values")
    }

    #[test]
    fn stored_numbers_are_written_with_all_their_digits() {
        for (stored, text) in cases().numbers {
            assert_eq!(number(stored), text, "{stored}");
        }
        assert_eq!((number(f64::NAN), number(f64::INFINITY)), (String::new(), String::new()));
        assert_eq!([7.0, 7.5, 0.004, 1e-7].map(decimals), [0, 1, 3, 7]);
    }

    #[test]
    fn what_is_shown_and_typed_again_is_the_same_number_or_is_asked_about() {
        for (stored, text) in cases().numbers {
            match typed_number(&text) {
                NumberReading::Number(read) => assert_eq!(read, stored),
                NumberReading::Either { grouped, .. } => assert_eq!(grouped, stored),
                other => panic!("{text} is read as {other:?}"),
            }
        }
    }

    #[test]
    fn programs_are_given_hyphens_and_people_minus_signs() {
        let decimal: Decimal = "-1234.5".parse().expect("a decimal");
        let (mut people, mut programs) = (String::new(), String::new());
        push_decimal(&mut people, decimal, 2, true);
        push_plain_decimal(&mut programs, decimal, 2);
        assert_eq!((people.as_str(), programs.as_str()), ("−1.234,50", "-1234,50"));
        let told = ["−5,37 [−11,24; 0,51]", "prvo − drugo", "I−II, −2"].map(|text| with_hyphens(text).into_owned());
        assert_eq!(told, ["-5,37 [-11,24; 0,51]", "prvo − drugo", "I−II, -2"]);
    }

    #[test]
    fn typed_numbers_are_read_as_the_table_says() {
        for (text, meant) in cases().typed {
            let read = match typed_number(&text) {
                NumberReading::Blank => Value::Null,
                NumberReading::Number(number) => json!(number),
                NumberReading::Either { grouped, decimal } => json!([grouped, decimal]),
                NumberReading::Unreadable => json!(text),
            };
            let as_floats = |value: &Value| match value {
                Value::Number(number) => json!(number.as_f64()),
                Value::Array(all) => all.iter().map(Value::as_f64).collect::<Vec<_>>().into(),
                other => other.clone(),
            };
            assert_eq!(as_floats(&read), as_floats(&meant), "{text}");
        }
    }
}
