//! Values of an entry: each read by its field's type, none guessed; then the rules of a save (A section 5) in the specification's order.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
    ops::RangeInclusive,
};

pub use domain::entry::values::{Values, from_json};
use domain::formula::{self, evaluate_form};
use jiff::civil::Date;
use serde_json::{Value, json};

use super::form::{CHOICE, Choice, DATE, EntryField, Form, NUMBER, SET, TAB, TEXT};
use crate::error::{Error, Result};

/// The browser's safe integers: the bounds of a number whose type has none.
const SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;
/// The years that date pickers offer (A section 9).
pub const YEARS: RangeInclusive<i16> = 1920..=2030;
/// Longest text of one field.
const LONGEST_TEXT: usize = 100_000;

/// Reads values by their fields' types. Unknown fields are refused: nothing typed is dropped without a word.
pub fn read(form: &Form, sent: &BTreeMap<String, Value>) -> Result<Values> {
    let fields = form.by_id();
    let mut values = Values::new();
    for (id, value) in sent {
        let field = id.parse().ok().and_then(|id: i64| fields.get(&id)).filter(|field| field.holds_value());
        let field = field.ok_or_else(|| Error::invalid(id.clone(), "Formular je u međuvremenu izmenjen. Učitajte unos ponovo."))?;
        if let Some(value) = value_of(field, value)? {
            values.insert(field.id, value);
        }
    }
    Ok(values)
}

fn value_of(field: &EntryField, value: &Value) -> Result<Option<Value>> {
    let wrong = |what: &str| Error::invalid(field.id.to_string(), format!("Stavka sa nazivom: {} {what}.", field.naziv));
    match (field.tva_num_vrednost, value) {
        (_, Value::Null) => Ok(None),
        (_, Value::String(text)) if text.trim().is_empty() => Ok(None),
        (CHOICE, Value::Bool(_)) => Ok(Some(value.clone())),
        (NUMBER, Value::Number(number)) => match number.as_f64() {
            Some(n) if n.is_finite() => Ok(Some(value.clone())),
            _ => Err(wrong("nije broj")),
        },
        (TEXT, Value::String(text)) if text.chars().count() > LONGEST_TEXT => Err(wrong("je predugačka")),
        (TEXT, Value::String(text)) if text.contains('\0') => Err(wrong("sadrži nedozvoljen znak")),
        (TEXT, Value::String(_)) => Ok(Some(value.clone())),
        (SET, Value::Array(items)) => {
            let known: BTreeSet<i64> = field.enum_stavke_sve.iter().map(|item| item.id).collect();
            let chosen: BTreeSet<i64> = items
                .iter()
                .map(|item| item.as_i64().filter(|id| known.contains(id)).ok_or_else(|| wrong("sadrži nepoznatu vrednost")))
                .collect::<Result<_>>()?;
            if chosen.len() > 1 && !field.multiselect {
                return Err(wrong("dozvoljava samo jednu vrednost"));
            }
            Ok((!chosen.is_empty()).then(|| json!(chosen)))
        }
        (DATE, Value::String(text)) => match text.parse::<Date>() {
            Ok(date) => Ok(Some(json!(date.to_string()))),
            Err(_) => Err(wrong("nije datum")),
        },
        _ => Err(wrong("nije ispravna")),
    }
}

/// What the formulas make of the values: calculated ones filled in, hidden ones taken out.
pub struct Computed {
    pub values: Values,
    pub hidden: BTreeSet<i64>,
    /// Fields that held a value and are hidden: the save clears them and says so.
    pub cleared: Vec<i64>,
}

pub fn compute(form: &Form, entered: Values, today: Date) -> Computed {
    let formula::Evaluation { values: calculated, hidden } = evaluate_form(&form.formulas, &entered, today);
    let cleared = entered.keys().filter(|id| hidden.contains(id) && !calculated.contains_key(id)).copied().collect();
    let mut values: Values = entered.into_iter().filter(|(id, _)| !hidden.contains(id) && !calculated.contains_key(id)).collect();
    values.extend(calculated.into_iter().filter(|(_, value)| !value.is_null()));
    Computed { values, hidden, cleared }
}

/// Fields that the clinician sees and may fill, in the order of the screen. What lies in a panel or picture that is not shown is not shown
/// either; a tab that is not shown waits behind the plus.
fn shown<'a>(form: &'a Form, computed: &'a Computed) -> impl Iterator<Item = &'a EntryField> {
    let fields = form.by_id();
    let around = move |field: &EntryField| field.naredjeni_auts.and_then(|id| fields.get(&id).copied());
    let is_shown = move |field: &EntryField| {
        let mut outer = iter::successors(around(field), |outer| around(outer)).take(form.fields.len());
        field.prikazuje_se && outer.all(|outer| outer.prikazuje_se || outer.tva_num_vrednost == TAB)
    };
    form.fields.iter().filter(move |field| field.holds_value() && !computed.hidden.contains(&field.id) && is_shown(field))
}

/// Refuses the values by the first of their faults.
pub fn check(form: &Form, computed: &Computed) -> Result<()> {
    match faults(form, computed).into_iter().next() {
        Some((field, message)) => Err(Error::invalid(field.id.to_string(), message)),
        None => Ok(()),
    }
}

/// Every fault with its field: required items first, then bounds. A choice is never required: unchecked is an answer.
pub fn faults<'a>(form: &'a Form, computed: &'a Computed) -> Vec<(&'a EntryField, String)> {
    let mut found = Vec::new();
    for field in shown(form, computed) {
        if !field.opciono && field.tva_num_vrednost != CHOICE && !field.is_calculated() && !computed.values.contains_key(&field.id) {
            found.push((field, format!("Niste uneli stavku sa nazivom: {}.", field.naziv)));
        }
    }
    for field in shown(form, computed).filter(|field| field.tva_num_vrednost == NUMBER && !field.is_calculated()) {
        let Some(number) = computed.values.get(&field.id).and_then(Value::as_f64) else { continue };
        let bounds = (field.tip_atributa.donja_granica_brojne_vrednosti, field.tip_atributa.gornja_granica_brojne_vrednosti);
        let (low, high) = match bounds {
            (Some(low), Some(high)) => (low, high),
            _ => (-SAFE_INTEGER, SAFE_INTEGER),
        };
        if !(low..=high).contains(&number) {
            found.push((field, format!("Stavka sa nazivom: {} nije u opsegu ({low}) - ({high})", field.naziv)));
        }
    }
    for field in shown(form, computed).filter(|field| field.tva_num_vrednost == DATE && !field.is_calculated()) {
        let date = computed.values.get(&field.id).and_then(Value::as_str).and_then(|date| date.parse::<Date>().ok());
        if date.is_some_and(|date| !YEARS.contains(&date.year())) {
            found.push((field, format!("Stavka sa nazivom: {} nije između {}. i {}. godine.", field.naziv, YEARS.start(), YEARS.end())));
        }
    }
    found
}

/// Refuses items that are not to be chosen any more, but for those that the entry holds already.
pub fn refuse_retired(form: &Form, computed: &Computed, stored: Option<&Values>) -> Result<()> {
    for field in form.fields.iter().filter(|field| field.tva_num_vrednost == SET && !field.is_calculated()) {
        let (chosen, before) = (computed.values.get(&field.id), stored.and_then(|stored| stored.get(&field.id)));
        let retired = field.enum_stavke_sve.iter().find(|item| !item.aktivan && holds(chosen, item) && !holds(before, item));
        if let Some(item) = retired {
            let message = format!("Stavka sa nazivom: {} sadrži vrednost „{}”, koja se više ne koristi.", field.naziv, item.naziv);
            return Err(Error::invalid(field.id.to_string(), message));
        }
    }
    Ok(())
}

fn holds(chosen: Option<&Value>, item: &Choice) -> bool {
    chosen.and_then(Value::as_array).is_some_and(|ids| ids.iter().any(|id| id.as_i64() == Some(item.id)))
}

/// Relevant shown fields that are blank.
pub fn blank_relevant(form: &Form, computed: &Computed) -> Vec<i64> {
    shown(form, computed)
        .filter(|field| field.relevantno && field.tva_num_vrednost != CHOICE && !computed.values.contains_key(&field.id))
        .map(|field| field.id)
        .collect()
}

/// Values as the database stores them.
pub fn to_json(values: &Values) -> Value {
    values.iter().map(|(id, value)| (id.to_string(), value.clone())).collect::<serde_json::Map<_, _>>().into()
}
