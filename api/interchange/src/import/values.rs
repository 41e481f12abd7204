//! A cell's text as the value of a form field, by the field's type. Bounds and required fields are the whole entry's matter.

use domain::{
    answer::Answer,
    clock,
    entry::{form::EntryField, units},
    register::{TypedIn, ValueType},
    shown::with_hyphens,
    typed::{NumberReading, typed_number},
    years::{YEARS, outside},
};
use jiff::{
    civil::{Date, DateTime, Time},
    fmt::strtime,
};
use rust_decimal::{Decimal, RoundingStrategy, prelude::ToPrimitive};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::{
    item_texts::ItemTexts,
    mapping::{FileOptions, Source, date_format},
    problems::Message,
    sheet::SheetRow,
};

/// Reads `text` as a value of `field`, or says in Serbian what is wrong with it.
pub fn value(field: &EntryField, text: &str, source: &Source, options: &FileOptions) -> Result<Value, Message> {
    match field.tva_num_vrednost {
        ValueType::Choice => choice(text),
        ValueType::Number => number(field, text, source, options),
        ValueType::Text => Ok(Value::String(text.nfc().collect())),
        ValueType::Set => Ok(ItemTexts::new(field, source.numbers).read(text, options.items)?.into()),
        ValueType::Date => date(text, source, options).map(|date| Answer::Date(date).into()),
        ValueType::Time => time(text).map(|time| Answer::Time(time).into()),
        ValueType::Moment => moment(text, source, options).map(|at| Answer::Moment(at).into()),
        _ => Err(format!("polje „{}” nema vrednost", field.naziv).into()),
    }
}

/// A time of day, to the minute. Seconds would be lost, so those that are not 0 are refused.
fn time(text: &str) -> Result<Time, Message> {
    clock::written_time(text).ok_or_else(|| Message::of_cell(text, "nije vreme oblika HH:MM; sekunde se ne čuvaju"))
}

/// A date in one of the formats and a time behind it.
pub fn moment(text: &str, source: &Source, options: &FileOptions) -> Result<DateTime, Message> {
    let unreadable = || Message::of_cell(text, "nije datum sa vremenom, na primer 2026-03-05 14:30");
    let (day, of_day) = text.rsplit_once([' ', 'T']).ok_or_else(unreadable)?;
    let of_day = time(of_day).map_err(|_| unreadable())?;
    Ok(DateTime::from_parts(date(day.trim_end(), source, options)?, of_day))
}

/// A date in one of the formats, within the years that the screen allows.
pub fn date(text: &str, source: &Source, options: &FileOptions) -> Result<Date, Message> {
    let date = any_date(text, source, options)?;
    match outside(&YEARS, date) {
        Some(why) => Err(Message::from("datum „").hide(text).say(format!("” {why}"))),
        None => Ok(date),
    }
}

/// A date in one of the formats, be it as a table writes a day that it holds as a moment: with a midnight behind it.
pub fn any_date(text: &str, source: &Source, options: &FileOptions) -> Result<Date, Message> {
    let formats = if source.dates.is_empty() { &options.dates } else { &source.dates };
    for format in formats {
        let pattern = date_format(format).expect("formats are checked when the mapping is read");
        let read = |text: &str| strtime::parse(&pattern, text).and_then(|parsed| parsed.to_date()).ok();
        if let Some(date) = read(text).or_else(|| read(without_midnight(text)?)) {
            return Ok(date);
        }
    }
    Err(Message::of_cell(text, format!("nije datum oblika {}", formats.join(" ili "))))
}

/// `2026-03-05` of `2026-03-05 00:00:00`; none where there is no midnight. Another hour is more than a date says.
fn without_midnight(text: &str) -> Option<&str> {
    let (day, time) = text.split_once([' ', 'T'])?;
    let (time, fraction) = time.trim_start().split_once('.').unwrap_or((time.trim_start(), "0"));
    let zero = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|digit| digit == b'0');
    let parts = time.split(':').count();
    let is_midnight = (2..=3).contains(&parts) && time.split(':').all(zero) && fraction.bytes().all(|digit| digit == b'0');
    is_midnight.then_some(day)
}

/// How a number was written that is not in its field's own unit.
pub fn written_in(field: &EntryField, text: &str, source: &Source, options: &FileOptions) -> Option<TypedIn> {
    let unit = units::unit_of(field, source.unit.as_deref()?)?;
    Some(TypedIn { broj: written(text, options).ok()?.to_f64()?, jedinica: unit.jedinica.clone() })
}

/// A number with the decimals of its field, in the field's own unit.
fn number(field: &EntryField, text: &str, source: &Source, options: &FileOptions) -> Result<Value, Message> {
    let mut number = written(text, options)?;
    let own = written_in(field, text, source, options).and_then(|typed| units::in_own(field, &typed));
    if let Some(own) = own {
        return Ok(own.to_i64().filter(|_| own.fract() == 0.0).map_or_else(|| own.into(), Value::from));
    }
    if let Some(decimals) = field.tip_atributa.decimale_brojne_vrednosti {
        let decimals = u32::try_from(decimals).expect("the database allows 0 to 10");
        if number.scale() > decimals {
            if !source.round {
                return Err(Message::of_cell(text, format!("ima više decimala nego što polje dozvoljava ({decimals})")));
            }
            number = number.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero);
        }
    }
    Ok(json_number(number))
}

/// A number as its text says it.
fn written(text: &str, options: &FileOptions) -> Result<Decimal, Message> {
    if options.decimal.is_none() && matches!(typed_number(text), NumberReading::Either { .. }) {
        let (grouped, decimal) = (text.replace('.', ""), text.replace('.', ","));
        let either = Message::of_cell(text, "može da znači ").hide(grouped).say(" ili ").hide(decimal);
        return Err(either.say(": navedite decimal u delu [file] mapiranja"));
    }
    decimal(text, options.decimal.unwrap_or('.')).ok_or_else(|| Message::of_cell(text, "nije broj"))
}

/// Digits with at most one decimal mark, no thousands and no exponent; trailing zeros are no decimals.
pub(super) fn decimal(text: &str, mark: char) -> Option<Decimal> {
    let text = with_hyphens(text);
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
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

fn choice(text: &str) -> Result<Value, Message> {
    match domain::fold::fold(text).as_str() {
        "1" | "da" | "true" => Ok(true.into()),
        "0" | "ne" | "false" => Ok(false.into()),
        _ => Err(Message::of_cell(text, "nije ni Da ni Ne")),
    }
}

/// What keeps a cell from being read, and its column where the source has several.
pub struct CellFault<'a> {
    pub column: Option<&'a str>,
    pub message: Message,
}

impl From<Message> for CellFault<'_> {
    fn from(message: Message) -> Self {
        Self { column: None, message }
    }
}

/// A set of which each item has a column of its own. Where none is chosen there is no answer: such sources write No for what nobody was
/// asked, too.
pub fn of_columns<'a>(row: SheetRow<'_>, field: &EntryField, source: &'a Source) -> Result<Option<Value>, CellFault<'a>> {
    let mut ids: Vec<i64> = vec![];
    for (column, item) in &source.columns {
        let wrong = |message| CellFault { column: Some(column), message };
        if !row.cell(column).map(ticked).transpose().map_err(wrong)?.unwrap_or(false) {
            continue;
        }
        let item = ItemTexts::new(field, false).find(item).map_err(wrong)?;
        let item = item.ok_or_else(|| wrong(format!("polje „{}” nema stavku „{}”", field.naziv, source.columns[column]).into()))?;
        if !ids.contains(&item.id) {
            ids.push(item.id);
        }
        if ids.len() > 1 && !field.multiselect {
            return Err(wrong(format!("polje „{}” prima samo jednu stavku", field.naziv).into()));
        }
    }
    Ok((!ids.is_empty()).then(|| ids.into()))
}

/// Whether a cell says more than that an item is not chosen.
pub fn is_ticked(text: &str) -> bool {
    ticked(text) != Ok(false)
}

/// Whether a cell says Yes or No of an item.
pub fn is_tick(text: &str) -> bool {
    ticked(text).is_ok()
}

fn ticked(text: &str) -> Result<bool, Message> {
    match domain::fold::fold(text).as_str() {
        "checked" | "x" => Ok(true),
        "unchecked" => Ok(false),
        _ => Ok(choice(text)? == Value::Bool(true)),
    }
}

#[cfg(test)]
mod tests {
    use domain::{
        entry::form::{Choice, FieldType},
        register::OtherUnit,
    };
    use serde_json::json;

    use super::*;

    fn field(kind: ValueType) -> EntryField {
        let item = |id, naziv: &str, aktivan| Choice { id, naziv: naziv.to_owned(), num_vrednost: Some(0.0), aktivan, ..Choice::default() };
        EntryField {
            tva_num_vrednost: kind,
            naziv: "Puls".to_owned(),
            enum_stavke_sve: vec![item(7, "Niska", true), item(9, "Šećerna bolest", true), item(11, "Ukinuta", false)],
            tip_atributa: FieldType { decimale_brojne_vrednosti: Some(1), ..FieldType::default() },
            ..EntryField::default()
        }
    }

    fn told(read: Result<Value, Message>) -> Result<Value, String> {
        read.map_err(|message| message.to_string())
    }

    fn source() -> Source {
        Source::of_column("puls")
    }

    #[test]
    fn a_minus_as_screens_print_it_is_a_minus() {
        let comma = FileOptions { decimal: Some(','), ..FileOptions::default() };
        for options in [&comma, &FileOptions::default()] {
            let read = ["−2", "-2"].map(|text| told(value(&field(ValueType::Number), text, &source(), options)));
            assert_eq!(read, [Ok(json!(-2)), Ok(json!(-2))]);
        }
        assert_eq!(told(value(&field(ValueType::Number), "−2,5", &source(), &comma)), Ok(json!(-2.5)));
        assert!(told(value(&field(ValueType::Number), "2−3", &source(), &comma)).is_err());
    }

    #[test]
    fn numbers_keep_the_decimals_of_their_field() {
        let read = |text: &str| told(value(&field(ValueType::Number), text, &source(), &FileOptions::default()));
        assert_eq!(read("83.0"), Ok(json!(83)));
        assert_eq!(read("25.5"), Ok(json!(25.5)));
        for wrong in ["1e2", "1,5", "1.234.5", "", "12 ", ".5", "5.", "NaN"] {
            assert_eq!(read(wrong), Err(format!("„{wrong}” nije broj")));
        }
        assert_eq!(read("25.55").unwrap_err(), "„25.55” ima više decimala nego što polje dozvoljava (1)");
        let rounding = Source { round: true, ..source() };
        assert_eq!(value(&field(ValueType::Number), "25.25", &rounding, &FileOptions::default()), Ok(json!(25.3)));
        let comma = FileOptions { decimal: Some(','), ..FileOptions::default() };
        assert_eq!(value(&field(ValueType::Number), "25,5", &source(), &comma), Ok(json!(25.5)));
        assert!(value(&field(ValueType::Number), "25.5", &source(), &comma).is_err());
        let unsaid = "„2.108” može da znači 2108 ili 2,108: navedite decimal u delu [file] mapiranja";
        assert_eq!(read("2.108").unwrap_err(), unsaid);
        let point = FileOptions { decimal: Some('.'), ..FileOptions::default() };
        assert_eq!(value(&field(ValueType::Number), "2.108", &rounding, &point), Ok(json!(2.1)));
        assert_eq!(value(&field(ValueType::Number), "2.108", &source(), &comma).unwrap_err().text(), "„2.108” nije broj");
    }

    #[test]
    fn numbers_of_another_unit_become_the_fields_own() {
        let mut known = field(ValueType::Number);
        known.tip_atributa.druge_jedinice = vec![OtherUnit { jedinica: "mg/dL".to_owned(), cinilac: 0.02586, pomeraj: 0.0 }];
        let options = FileOptions { decimal: Some(','), ..FileOptions::default() };
        let of = |unit: Option<&str>| Source { unit: unit.map(str::to_owned), ..source() };
        let read = |text: &str, unit| told(value(&known, text, &of(unit), &options));
        assert_eq!(read("130,25", Some("mg/dL")), Ok(json!(3.4)), "its decimals are those of the file");
        assert_eq!(read("0", Some("mg/dL")), Ok(json!(0)));
        assert_eq!((read("5,5", Some("mmol/L")), read("5,5", None)), (Ok(json!(5.5)), Ok(json!(5.5))));
        assert_eq!(read("x", Some("mg/dL")).unwrap_err(), "„x” nije broj");
        let typed = TypedIn { broj: 130.25, jedinica: "mg/dL".to_owned() };
        assert_eq!(written_in(&known, "130,25", &of(Some(" mg/dL ")), &options), Some(typed));
        assert_eq!(written_in(&known, "130,25", &of(None), &options), None);
    }

    #[test]
    fn a_day_may_be_written_as_its_midnight() {
        let read = |text: &str| any_date(text, &source(), &FileOptions::default()).map(|date| date.to_string()).ok();
        let day = Some("2026-03-05".to_owned());
        for text in
            ["2026-03-05 00:00:00", "2026-03-05T00:00", "2026-03-05T00:00:00.000", "05.03.2026. 0:00", "5.3.2026. 00:00:00", "5.3.2026"]
        {
            assert_eq!(read(text), day, "{text}");
        }
        for text in ["2026-03-05 14:30", "2026-03-05T00:00:00Z", "2026-03-05 00", "2026-03-05 ", "2026-03-05 0:0:0:0"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn choices_items_and_dates_are_known_by_name() {
        let read = |kind, text: &str| told(value(&field(kind), text, &source(), &FileOptions::default()));
        assert_eq!((read(ValueType::Choice, "Da"), read(ValueType::Choice, "0")), (Ok(json!(true)), Ok(json!(false))));
        assert_eq!(read(ValueType::Choice, "2").unwrap_err(), "„2” nije ni Da ni Ne");
        assert_eq!(read(ValueType::Set, "secerna bolest"), Ok(json!([9])));
        assert_eq!(read(ValueType::Set, "Ukinuta").unwrap_err(), "„Ukinuta” nije među stavkama: Niska, Šećerna bolest");
        assert_eq!(read(ValueType::Set, "Niska|Šećerna bolest").unwrap_err(), "polje „Puls” prima samo jednu stavku");
        let several = EntryField { multiselect: true, ..field(ValueType::Set) };
        assert_eq!(value(&several, "Šećerna bolest | Niska", &source(), &FileOptions::default()), Ok(json!([9, 7])));
        assert_eq!(read(ValueType::Date, "01.02.2024."), Ok(json!("2024-02-01")));
        assert_eq!(read(ValueType::Time, "8:05"), Ok(json!("08:05")));
        assert_eq!(read(ValueType::Time, "08:05:00"), Ok(json!("08:05")));
        assert_eq!(read(ValueType::Time, "08:05:30").unwrap_err(), "„08:05:30” nije vreme oblika HH:MM; sekunde se ne čuvaju");
        for text in ["2024-02-01T23:50", "01.02.2024. 23:50", "2024-02-01 23:50:00"] {
            assert_eq!(read(ValueType::Moment, text), Ok(json!("2024-02-01T23:50")), "{text}");
        }
        for text in ["2024-02-01", "2024-02-01T23:50Z", "23:50"] {
            let told = format!("„{text}” nije datum sa vremenom, na primer 2026-03-05 14:30");
            assert_eq!(read(ValueType::Moment, text).unwrap_err(), told);
        }
        assert_eq!(read(ValueType::Moment, "2031-01-01 08:00").unwrap_err(), "datum „2031-01-01” nije između 1920. i 2030. godine");
        assert_eq!(
            read(ValueType::Date, "2024-02-30").unwrap_err(),
            "„2024-02-30” nije datum oblika YYYY-MM-DD ili DD.MM.YYYY. ili DD.MM.YYYY"
        );
        assert_eq!(read(ValueType::Date, "2031-01-01").unwrap_err(), "datum „2031-01-01” nije između 1920. i 2030. godine");
    }
}
