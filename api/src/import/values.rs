//! A cell's text as the value of a form field: the shape, the bounds and the names that the entry screen demands.

use jiff::{civil::Date, fmt::strtime};
use rust_decimal::{Decimal, RoundingStrategy, prelude::ToPrimitive};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::{
    mapping::{FileOptions, Source, date_format},
    schema::{FieldSchema, Item},
    sheet::shortened,
};

/// Bound of a number whose type has none: the largest integer that every client holds exactly.
const SAFE_INTEGER: i64 = 9_007_199_254_740_991;

/// The years that date pickers offer (A section 9).
const YEARS: std::ops::RangeInclusive<i16> = 1920..=2030;

/// Reads `text` as a value of `field`, or says in Serbian what is wrong with it.
pub fn value(field: &FieldSchema, text: &str, source: &Source, options: &FileOptions) -> Result<Value, String> {
    match field.kind {
        1 => choice(text),
        2 => number(field, text, source, options),
        3 => Ok(Value::String(text.nfc().collect())),
        4 => set(field, text, options),
        5 => date(text, source, options).map(|date| Value::String(date.to_string())),
        _ => Err(format!("polje „{}” nema vrednost", field.naziv)),
    }
}

/// A date in one of the formats, within the years that the screen allows.
pub fn date(text: &str, source: &Source, options: &FileOptions) -> Result<Date, String> {
    let date = any_date(text, source, options)?;
    if !YEARS.contains(&date.year()) {
        return Err(format!("datum „{}” nije između {}. i {}. godine", shortened(text), YEARS.start(), YEARS.end()));
    }
    Ok(date)
}

/// A date in one of the formats.
pub fn any_date(text: &str, source: &Source, options: &FileOptions) -> Result<Date, String> {
    let formats = if source.dates.is_empty() { &options.dates } else { &source.dates };
    for format in formats {
        let pattern = date_format(format).expect("formats are checked when the mapping is read");
        if let Ok(date) = strtime::parse(&pattern, text).and_then(|parsed| parsed.to_date()) {
            return Ok(date);
        }
    }
    Err(format!("„{}” nije datum oblika {}", shortened(text), formats.join(" ili ")))
}

/// A number with the decimals and bounds of its field.
fn number(field: &FieldSchema, text: &str, source: &Source, options: &FileOptions) -> Result<Value, String> {
    let mut number = decimal(text, options.decimal).ok_or_else(|| format!("„{}” nije broj", shortened(text)))?;
    if let Some(decimals) = field.decimals {
        let decimals = u32::try_from(decimals).expect("the database allows 0 to 10");
        if number.scale() > decimals {
            if !source.round {
                return Err(format!("„{}” ima više decimala nego što polje dozvoljava ({decimals})", shortened(text)));
            }
            number = number.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero);
        }
    }
    let low = field.low.unwrap_or(Decimal::from(-SAFE_INTEGER));
    let high = field.high.unwrap_or(Decimal::from(SAFE_INTEGER));
    if number < low || number > high {
        let bounds = format!("({}) - ({})", low.normalize(), high.normalize());
        return Err(format!("Stavka sa nazivom: {} nije u opsegu {bounds}; vrednost je {}", field.naziv, number));
    }
    Ok(json_number(number))
}

/// Digits with at most one decimal mark, no thousands and no exponent; trailing zeros are no decimals.
fn decimal(text: &str, mark: char) -> Option<Decimal> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, part) = digits.split_once(mark).unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || !all_digits(part) {
        return None;
    }
    text.replace(mark, ".").parse::<Decimal>().ok().map(|number| number.normalize())
}

fn json_number(number: Decimal) -> Value {
    match number.to_i64().filter(|_| number.is_integer()) {
        Some(whole) => whole.into(),
        None => number.to_f64().into(),
    }
}

fn choice(text: &str) -> Result<Value, String> {
    match domain::fold::fold(text).as_str() {
        "1" | "da" | "true" => Ok(true.into()),
        "0" | "ne" | "false" => Ok(false.into()),
        _ => Err(format!("„{}” nije ni Da ni Ne", shortened(text))),
    }
}

fn set(field: &FieldSchema, text: &str, options: &FileOptions) -> Result<Value, String> {
    let mut ids: Vec<i64> = vec![];
    for name in text.split(options.items).map(str::trim).filter(|name| !name.is_empty()) {
        let item = item(field, name).ok_or_else(|| {
            let known: Vec<_> = field.items.iter().map(|item| item.naziv.as_str()).collect();
            format!("„{}” nije među stavkama: {}", shortened(name), known.join(", "))
        })?;
        if !ids.contains(&item.id) {
            ids.push(item.id);
        }
    }
    if ids.len() > 1 && !field.multiselect {
        return Err(format!("polje „{}” prima samo jednu stavku", field.naziv));
    }
    Ok(ids.into())
}

/// The item with this name, in any spelling that folds to it.
fn item<'a>(field: &'a FieldSchema, name: &str) -> Option<&'a Item> {
    let folded = domain::fold::fold(name);
    field.items.iter().find(|item| item.naziv == name).or_else(|| field.items.iter().find(|item| domain::fold::fold(&item.naziv) == folded))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(kind: i16) -> FieldSchema {
        let item = |id, naziv: &str| Item { id, type_id: 1, naziv: naziv.to_owned(), num_vrednost: id.into() };
        FieldSchema {
            id: 1,
            form_id: 1,
            parent_id: None,
            sifra: Some("puls".to_owned()),
            naziv: "Puls".to_owned(),
            kind,
            opcioni: true,
            relevantni: false,
            prikazuje_se: true,
            multiselect: false,
            decimals: Some(1),
            low: Some(20.into()),
            high: Some(300.into()),
            conditional: false,
            calculated: false,
            items: vec![item(7, "Niska"), item(9, "Šećerna bolest")],
        }
    }

    fn source() -> Source {
        let text = "[patient]\nkey = 'id'\ninstitution = 'u'\n[patient.fields]\n";
        super::super::mapping::Mapping::parse(text).unwrap().patient.institution
    }

    #[test]
    fn numbers_keep_decimals_and_bounds() {
        let read = |text: &str| value(&field(2), text, &source(), &FileOptions::default());
        assert_eq!(read("83.0"), Ok(json!(83)));
        assert_eq!(read("25.5"), Ok(json!(25.5)));
        for wrong in ["1e2", "1,5", "1.234.5", "", "12 ", ".5", "5.", "NaN"] {
            assert_eq!(read(wrong), Err(format!("„{wrong}” nije broj")));
        }
        assert_eq!(read("25.55").unwrap_err(), "„25.55” ima više decimala nego što polje dozvoljava (1)");
        assert_eq!(read("19.9").unwrap_err(), "Stavka sa nazivom: Puls nije u opsegu (20) - (300); vrednost je 19.9");
        let rounding = Source { round: true, ..source() };
        assert_eq!(value(&field(2), "25.25", &rounding, &FileOptions::default()), Ok(json!(25.3)));
        let comma = FileOptions { decimal: ',', ..FileOptions::default() };
        assert_eq!(value(&field(2), "25,5", &source(), &comma), Ok(json!(25.5)));
        assert!(value(&field(2), "25.5", &source(), &comma).is_err());
    }

    #[test]
    fn a_number_without_bounds_stays_a_safe_integer() {
        let free = FieldSchema { low: None, high: None, decimals: None, ..field(2) };
        let read = |text: &str| value(&free, text, &source(), &FileOptions::default());
        assert_eq!(read("-9007199254740991"), Ok(json!(-9_007_199_254_740_991_i64)));
        assert!(read("9007199254740992").is_err());
    }

    #[test]
    fn choices_items_and_dates_are_known_by_name() {
        let read = |kind, text: &str| value(&field(kind), text, &source(), &FileOptions::default());
        assert_eq!((read(1, "Da"), read(1, "0")), (Ok(json!(true)), Ok(json!(false))));
        assert_eq!(read(1, "2").unwrap_err(), "„2” nije ni Da ni Ne");
        assert_eq!(read(4, "secerna bolest"), Ok(json!([9])));
        assert_eq!(read(4, "Visoka").unwrap_err(), "„Visoka” nije među stavkama: Niska, Šećerna bolest");
        assert_eq!(read(4, "Niska|Šećerna bolest").unwrap_err(), "polje „Puls” prima samo jednu stavku");
        let several = FieldSchema { multiselect: true, ..field(4) };
        assert_eq!(value(&several, "Šećerna bolest | Niska", &source(), &FileOptions::default()), Ok(json!([9, 7])));
        assert_eq!(read(5, "01.02.2024."), Ok(json!("2024-02-01")));
        assert_eq!(read(5, "2024-02-30").unwrap_err(), "„2024-02-30” nije datum oblika YYYY-MM-DD ili DD.MM.YYYY. ili DD.MM.YYYY");
        assert_eq!(read(5, "2031-01-01").unwrap_err(), "datum „2031-01-01” nije između 1920. i 2030. godine");
    }
}
