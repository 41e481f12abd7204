//! Values of an entry: each read by its field's type, none guessed; then the rules of a save (A section 5), which refuse it.

use std::collections::{BTreeMap, BTreeSet};

pub use domain::entry::{
    boxes::{tick_boxes, untick},
    computed::{ComputedEntry, blank_relevant, compute, computed_by, faults, wrong_number},
    values::{Values, alike, from_json, to_json},
};
use domain::{
    answer::{Answer, SAFE_INTEGER},
    entry::{
        form::OTHER_FORM,
        rows::{self, Row},
        rules,
    },
    register::ValueType,
};
use jiff::civil::Date;
use platform::error::{Error, Result};
use serde::Deserialize;
use serde_json::Value;

use super::form::{Choice, EntryField, EntryForm};

/// Blank rows are passed over, within reason.
const MOST_SENT_ROWS: usize = 1_000;
/// Of one field; more than any may have.
const MOST_SENT_FILES: usize = 100;
/// Longest text of one field.
const LONGEST_TEXT: usize = 100_000;

/// Reads values by their fields' types. Unknown fields are refused: nothing typed is dropped without a word.
pub fn read(form: &EntryForm, sent: &BTreeMap<String, Value>) -> Result<Values> {
    let fields = form.by_id();
    let mut values = Values::new();
    for (id, value) in sent {
        let field = id.parse().ok().and_then(|id: i64| fields.get(&id)).filter(|field| field.holds_value());
        let field = field.ok_or_else(|| Error::invalid(id.clone(), OTHER_FORM))?;
        let read = match field.is_section() {
            true => rows_of(field, value),
            false => value_of(field, value),
        };
        if let Some(value) = read.map_err(|message| Error::invalid(field.id.to_string(), message))? {
            values.insert(field.id, value);
        }
    }
    Ok(values)
}

/// The rows of a section, each cell read as a field is; a row in which nothing is filled is none.
fn rows_of(section: &EntryField, sent: &Value) -> Result<Option<Value>, String> {
    let wrong = || rows::unreadable(section);
    if sent.is_null() {
        return Ok(None);
    }
    let sent = sent.as_array().filter(|rows| rows.len() <= MOST_SENT_ROWS).ok_or_else(wrong)?;
    let (mut rows, mut ids) = (Vec::new(), BTreeSet::new());
    for (at, row) in sent.iter().enumerate() {
        let row: SentRow = serde_json::from_value(row.clone()).map_err(|_| wrong())?;
        if !(1..=rows::LARGEST_ID).contains(&row.id) || !ids.insert(row.id) {
            return Err(wrong());
        }
        let mut cells = Values::new();
        for (id, value) in &row.v {
            let column = section.kolone.iter().find(|column| column.id.to_string() == *id);
            let column = column.ok_or_else(|| OTHER_FORM.to_owned())?;
            // A result is the server's, whoever sent it.
            if column.is_calculated() {
                continue;
            }
            let read = value_of(column, value).map_err(|message| rows::in_row(section, at, &message))?;
            cells.extend(read.map(|value| (column.id, value)));
        }
        if !cells.is_empty() {
            rows.push(Row { id: row.id, cells });
        }
    }
    Ok(rows::to_value(&rows))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentRow {
    id: i64,
    v: BTreeMap<String, Value>,
}

/// The value as an entry stores it, or why it is none.
fn value_of(field: &EntryField, value: &Value) -> Result<Option<Value>, String> {
    let kind = field.tva_num_vrednost;
    let wrong = |what: &str| Err(format!("Stavka sa nazivom: {} {what}.", field.naziv));
    match (Answer::of(kind, value), value) {
        (_, Value::Null) => Ok(None),
        (_, Value::String(text)) if text.trim().is_empty() => Ok(None),
        (Some(Answer::Text(text)), _) if text.chars().count() > LONGEST_TEXT => wrong("je predugačka"),
        (Some(Answer::Text(text)), _) if text.contains('\0') => wrong("sadrži nedozvoljen znak"),
        (Some(Answer::Set(chosen)), Value::Array(sent)) => {
            let known = |id: &i64| field.enum_stavke_sve.iter().any(|item| item.id == *id);
            if chosen.len() < sent.len() || !chosen.iter().all(known) {
                return wrong("sadrži nepoznatu vrednost");
            }
            let chosen: BTreeSet<i64> = chosen.into_iter().collect();
            if chosen.len() > 1 && !field.multiselect {
                return wrong("dozvoljava samo jednu vrednost");
            }
            Ok((!chosen.is_empty()).then(|| Answer::Set(chosen.into_iter().collect()).into()))
        }
        // With the digits that were sent.
        (Some(Answer::Number(number)), _) if number.abs() > SAFE_INTEGER => Ok(Some(value.clone())),
        (Some(answer), _) => Ok(Some(answer.into())),
        (None, Value::Array(sent)) if kind == ValueType::File => match are_named(sent) {
            true => Ok((!sent.is_empty()).then(|| value.clone())),
            false => wrong("ne imenuje ispravno svoje fajlove"),
        },
        // A day that is written in another way, or with a time behind it.
        (None, Value::String(text)) if kind == ValueType::Date => match text.parse::<Date>() {
            Ok(date) if date.year() >= 0 => Ok(Some(Answer::Date(date).into())),
            _ => wrong("nije datum"),
        },
        (None, Value::String(_)) if kind == ValueType::Time => wrong("nije vreme oblika HH:MM"),
        (None, Value::String(_)) if kind == ValueType::Moment => wrong("nije datum sa vremenom"),
        _ => wrong("nije ispravna"),
    }
}

/// Whether each is a file by its id, none twice; what else is said of it is not believed.
fn are_named(sent: &[Value]) -> bool {
    let ids: BTreeSet<i64> = sent.iter().filter_map(|file| file.get("id")?.as_i64()).collect();
    ids.len() == sent.len() && sent.len() <= MOST_SENT_FILES
}

/// Refuses the values by the first of their faults.
/// What stands as it was stored is not held to bounds that are narrower now: nobody has typed it.
pub fn check(form: &EntryForm, computed: &ComputedEntry, stored: Option<&Values>) -> Result<()> {
    let typed = |field: &EntryField| {
        let kept = stored.and_then(|stored| stored.get(&field.id));
        kept.is_none() || !alike(kept, computed.values.get(&field.id))
    };
    match faults(form, computed, stored).into_iter().find(|(field, _)| typed(field)) {
        Some((field, message)) => Err(Error::invalid(field.id.to_string(), message)),
        None => Ok(()),
    }
}

/// Refuses what breaks a rule of the form, in the rule's own words. `RULE` is its property where it stands beside no field.
pub fn refuse_broken(form: &EntryForm, computed: &ComputedEntry, stored: Option<(&Values, Date)>, date: Option<Date>) -> Result<()> {
    match rules::refusing(form, computed, stored, date) {
        Some(rule) => {
            let property = rule.field(form).map_or_else(|| RULE.to_owned(), |field| field.id.to_string());
            Err(Error::invalid(property, rule.told(form)))
        }
        None => Ok(()),
    }
}

const RULE: &str = "pravila";

/// Refuses first values that nobody confirmed: they are no answer, and fill nothing that is required. What is hidden is cleared anyway.
pub fn refuse_unconfirmed(form: &EntryForm, computed: &ComputedEntry, unconfirmed: &[i64]) -> Result<()> {
    let waits = |field: &&EntryField| unconfirmed.contains(&field.id) && computed.values.contains_key(&field.id);
    match form.fields.iter().find(waits) {
        Some(field) => {
            let message = format!("Niste potvrdili početnu vrednost stavke sa nazivom: {}.", field.naziv);
            Err(Error::invalid(field.id.to_string(), message))
        }
        None => Ok(()),
    }
}

/// Refuses items that are not to be chosen any more, but for those that the entry holds already.
pub fn refuse_retired(form: &EntryForm, computed: &ComputedEntry, stored: Option<&Values>) -> Result<()> {
    for field in form.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::Set && !field.is_calculated()) {
        let (chosen, before) = (computed.values.get(&field.id), stored.and_then(|stored| stored.get(&field.id)));
        let retired = field.enum_stavke_sve.iter().find(|item| !item.aktivan && holds(chosen, item) && !holds(before, item));
        if let Some(item) = retired {
            let message = format!("Stavka sa nazivom: {} sadrži vrednost „{}”, koja se više ne koristi.", field.naziv, item.naziv);
            return Err(Error::invalid(field.id.to_string(), message));
        }
    }
    for section in form.fields.iter().filter(|field| field.is_section()) {
        let before = rows::of(stored.and_then(|stored| stored.get(&section.id)));
        for (at, row) in rows::of(computed.values.get(&section.id)).iter().enumerate() {
            let kept = before.iter().find(|kept| kept.id == row.id);
            if let Some(message) = retired_in(section, row, kept) {
                return Err(Error::invalid(section.id.to_string(), rows::in_row(section, at, &message)));
            }
        }
    }
    Ok(())
}

fn retired_in(section: &EntryField, row: &Row, kept: Option<&Row>) -> Option<String> {
    section.kolone.iter().filter(|column| column.tva_num_vrednost == ValueType::Set && !column.is_calculated()).find_map(|column| {
        let (chosen, before) = (row.cells.get(&column.id), kept.and_then(|kept| kept.cells.get(&column.id)));
        let item = column.enum_stavke_sve.iter().find(|item| !item.aktivan && holds(chosen, item) && !holds(before, item))?;
        Some(format!("{} sadrži vrednost „{}”, koja se više ne koristi.", column.naziv, item.naziv))
    })
}

fn holds(chosen: Option<&Value>, item: &Choice) -> bool {
    let chosen = chosen.and_then(|chosen| Answer::of(ValueType::Set, chosen));
    matches!(chosen, Some(Answer::Set(ids)) if ids.contains(&item.id))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(tva_num_vrednost: ValueType) -> EntryField {
        EntryField { id: 1, naziv: "Nalaz".to_owned(), tva_num_vrednost, ..EntryField::default() }
    }

    #[test]
    fn a_text_is_refused_by_its_first_letter_too_many_and_by_what_no_database_keeps() {
        let text = field(ValueType::Text);
        let longest = json!("č".repeat(LONGEST_TEXT));
        assert_eq!(value_of(&text, &longest), Ok(Some(longest)));
        let longer = value_of(&text, &json!("č".repeat(LONGEST_TEXT + 1)));
        assert_eq!(longer, Err("Stavka sa nazivom: Nalaz je predugačka.".to_owned()));
        assert_eq!(value_of(&text, &json!("a\0b")), Err("Stavka sa nazivom: Nalaz sadrži nedozvoljen znak.".to_owned()));
    }

    #[test]
    fn a_value_is_stored_in_the_one_way_in_which_it_is_read() {
        let stored = |kind: ValueType, sent: Value| value_of(&field(kind), &sent);
        let no_date = || -> Result<Option<Value>, String> { Err("Stavka sa nazivom: Nalaz nije datum.".to_owned()) };
        assert_eq!(stored(ValueType::Date, json!("2026-03-05T10:00")), Ok(Some(json!("2026-03-05"))));
        assert_eq!([json!("5.3.2026."), json!("-000026-03-05")].map(|sent| stored(ValueType::Date, sent)), [no_date(), no_date()]);
        assert_eq!(stored(ValueType::Moment, json!("2026-03-05 08:05")), Ok(Some(json!("2026-03-05T08:05"))));
        assert_eq!(stored(ValueType::Number, json!(7.0)), Ok(Some(json!(7))));
        let many_digits = json!(9_007_199_254_740_993_i64);
        assert_eq!(stored(ValueType::Number, many_digits.clone()), Ok(Some(many_digits)));
        assert_eq!(stored(ValueType::Text, json!(" ")), Ok(None));
    }

    #[test]
    fn several_items_are_for_a_set_that_allows_them() {
        let item = |id| Choice { id, naziv: id.to_string(), num_vrednost: Some(0.0), aktivan: true, ..Choice::default() };
        let one = EntryField { enum_stavke_sve: vec![item(7), item(8)], ..field(ValueType::Set) };
        assert_eq!(value_of(&one, &json!([8])), Ok(Some(json!([8]))));
        assert_eq!(value_of(&one, &json!([8, 8])), Ok(Some(json!([8]))), "the same one twice");
        assert_eq!(value_of(&one, &json!([7, 8])), Err("Stavka sa nazivom: Nalaz dozvoljava samo jednu vrednost.".to_owned()));
        assert_eq!(value_of(&one, &json!([9])), Err("Stavka sa nazivom: Nalaz sadrži nepoznatu vrednost.".to_owned()));
        let several = EntryField { multiselect: true, ..one };
        assert_eq!(value_of(&several, &json!([8, 7])), Ok(Some(json!([7, 8]))));
        assert_eq!(value_of(&several, &json!([])), Ok(None));
    }
}
