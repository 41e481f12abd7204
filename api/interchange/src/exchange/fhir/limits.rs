//! What a question takes: numbers with their bounds and units, days from one to another, files.

use domain::{
    attachment::{FileKind, FileLimits, MOST_FILES, MOST_MEGABYTES},
    register::{OtherUnit, RuleKind, RuleProperties},
};
use rust_decimal::{Decimal, prelude::ToPrimitive};

use super::{DECIMALS, FACTOR, HIGH, LOW, MIME_TYPE, MOST, OFFSET, SIZE, UNIT, UNIT_OPTION, condition::Unit, element::Element};
use crate::{exchange::foreign::Builder, import::definition::RuleDefinition};

/// The type, and the unit in which its numbers are.
pub fn number_type(builder: &mut Builder, item: Element, kind: &str) -> (String, Option<Unit>) {
    let places = item.extension(DECIMALS);
    let decimals = places.raw().as_i64().and_then(|count| i16::try_from(count).ok()).filter(|count| (0..=10).contains(count));
    if decimals.is_some() {
        places.whole();
    }
    let own = item.extension(UNIT);
    let mut options: Vec<Element> = item.extensions(UNIT_OPTION).map(Element::value).collect();
    let unit = match Unit::of(own.raw()) {
        Some(unit) => {
            take_unit(own);
            Some(unit)
        }
        // Without a unit of its own it is the first of those to choose from.
        None if options.is_empty() => None,
        None => {
            let first = options.remove(0);
            take_unit(first);
            Unit::of(first.raw())
        }
    };
    let others = options.into_iter().filter_map(|option| other_unit(option, unit.as_ref()?)).collect();
    let bounds = (bound(item.extension(LOW), unit.as_ref()), bound(item.extension(HIGH), unit.as_ref()));
    let bounds = match bounds {
        (Some(low), Some(high)) if low > high => (None, None),
        bounds => bounds,
    };
    for (url, read) in [(LOW, bounds.0), (HIGH, bounds.1)] {
        if read.is_some() {
            item.extension(url).take();
        }
    }
    let name = unit.as_ref().map(Unit::shown);
    (builder.number_type_in(if kind == "integer" { Some(0) } else { decimals }, bounds, name, others), unit)
}

/// What a unit is called is read; of which system its code is has no place here.
fn take_unit(coding: Element) {
    ["code", "display", "unit", "system"].into_iter().for_each(|name| coding.at(name).take());
}

/// A number, or a quantity in the field's unit.
fn bound(value: Element, unit: Option<&Unit>) -> Option<Decimal> {
    if let Some(number) = super::element::number(value.raw()) {
        return Some(number);
    }
    let number = super::element::number(&value.raw()["value"])?;
    match Unit::of(value.raw()) {
        None => Some(number),
        Some(given) => number.checked_mul(given.factor(unit?)?),
    }
}

/// A unit without what makes a number of it one of the field's own is none to type in.
fn other_unit(coding: Element, own: &Unit) -> Option<OtherUnit> {
    let unit = Unit::of(coding.raw())?;
    if unit.shown() == own.shown() {
        take_unit(coding);
        return None;
    }
    let written = coding.extension(FACTOR).raw().as_f64();
    let cinilac = written.or_else(|| unit.factor(own).and_then(|factor| factor.to_f64()))?;
    let pomeraj = coding.extension(OFFSET).raw().as_f64().unwrap_or_default();
    take_unit(coding);
    [FACTOR, OFFSET].into_iter().for_each(|url| coding.extension(url).take());
    Some(OtherUnit { jedinica: unit.shown().to_owned(), cinilac, pomeraj })
}

/// Days before the first or after the last that is allowed: a rule of the form refuses them.
pub fn day_rules<'a>(item: Element<'a>, kind: &str, code: &str) -> Vec<(RuleDefinition, Vec<Element<'a>>)> {
    if kind != "date" || item.at("answerOption").is_there() {
        return Vec::new();
    }
    let day = |url| {
        let value = item.extension(url);
        let day: jiff::civil::Date = value.raw().as_str().filter(|text| text.len() == 10)?.parse().ok()?;
        Some((day, value))
    };
    let shown = |day: jiff::civil::Date| format!("{:02}.{:02}.{:04}.", day.day(), day.month(), day.year());
    let mut rules = Vec::new();
    for (url, sign, words) in [(LOW, "<", "pre"), (HIGH, ">", "posle")] {
        if let Some((day, value)) = day(url) {
            let message = format!("Datum ne može biti {words} {}", shown(day));
            rules.push((rule(code, format!("$({code}) {sign} \"{day}\""), &message), vec![value]));
        }
    }
    rules
}

pub fn rule(code: &str, uslov: String, message: &str) -> RuleDefinition {
    RuleDefinition::of(RuleProperties { uslov, poruka: message.to_owned(), vrsta: RuleKind::Greska, polje: Some(code.to_owned()) })
}

/// Kinds of files that are not known here are left out and told; where none is known, every kind is taken.
pub fn file_type(builder: &mut Builder, item: Element) -> String {
    let is = |kind: &FileKind, name: &str| kind.content_type().split(';').next() == Some(name);
    let mut kinds = Vec::new();
    for value in item.extensions(MIME_TYPE).map(Element::value) {
        let name = value.raw().as_str().unwrap_or_default();
        if let Some(kind) = FileKind::ALL.into_iter().find(|kind| is(kind, name)) {
            value.text();
            kinds.push(kind);
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    let whole = |url| {
        let value = item.extension(url);
        let number = super::element::number(value.raw()).and_then(|number| number.ceil().to_i32())?;
        Some((number, value))
    };
    let within = |found: Option<(i32, Element)>, most: i32| {
        let (number, value) = found.filter(|(number, _)| (1..=most).contains(number))?;
        value.take();
        Some(number)
    };
    let repeats = item.at("repeats").flag() == Some(true);
    let count = if repeats { within(whole(MOST), MOST_FILES) } else { Some(1) };
    let size = within(whole(SIZE), MOST_MEGABYTES);
    builder.file_type(FileLimits { vrste_fajlova: (!kinds.is_empty()).then_some(kinds), najvise_fajlova: count, najvise_megabajta: size })
}
