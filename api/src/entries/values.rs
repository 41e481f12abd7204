//! Values of an entry: each read by its field's type, none guessed; then the rules of a save (A section 5) in the specification's order.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
    ops::RangeInclusive,
};

pub use domain::entry::values::{Values, from_json};
use domain::{
    formula::{self, Around, evaluate_form},
    register::ValueType,
    shown,
};
use jiff::civil::Date;
use serde_json::{Value, json};

use super::form::{Choice, EntryField, EntryForm};
pub use super::merge::alike;
use crate::error::{Error, Result};

/// The browser's safe integers: the bound of a number whose type has none.
const SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;
/// The years that date pickers offer (A section 9).
pub const YEARS: RangeInclusive<i16> = 1920..=2030;
/// Longest text of one field.
const LONGEST_TEXT: usize = 100_000;

/// Reads values by their fields' types. Unknown fields are refused: nothing typed is dropped without a word.
pub fn read(form: &EntryForm, sent: &BTreeMap<String, Value>) -> Result<Values> {
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
        (ValueType::Choice, Value::Bool(_)) => Ok(Some(value.clone())),
        (ValueType::Number, Value::Number(number)) => match number.as_f64() {
            // 7.0 is stored as 7, which every reader of the database writes alike.
            Some(n) if n.is_finite() && n.fract() == 0.0 && n.abs() <= SAFE_INTEGER => Ok(Some(json!(n as i64))),
            Some(n) if n.is_finite() => Ok(Some(value.clone())),
            _ => Err(wrong("nije broj")),
        },
        (ValueType::Text, Value::String(text)) if text.chars().count() > LONGEST_TEXT => Err(wrong("je predugačka")),
        (ValueType::Text, Value::String(text)) if text.contains('\0') => Err(wrong("sadrži nedozvoljen znak")),
        (ValueType::Text, Value::String(_)) => Ok(Some(value.clone())),
        (ValueType::Set, Value::Array(items)) => {
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
        (ValueType::Date, Value::String(text)) => match text.parse::<Date>() {
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
    /// Fields that held a value and are hidden: the save clears them and says so. A box without its tick says nothing that could be lost.
    pub cleared: Vec<i64>,
}

/// Choices that are a box to tick, and that whoever fills the form sees: unticked, they are answered with No. A box in a tab that waits
/// behind the plus is not known to have been seen, and a radio stays blank until one of its answers is chosen.
pub fn tick_boxes(form: &EntryForm) -> BTreeSet<i64> {
    let fields = form.by_id();
    let is_box = |field: &EntryField| {
        field.tva_num_vrednost == ValueType::Choice && !field.is_calculated() && (field.ima_cek_box || !field.radio_button)
    };
    let is_seen = |field: &EntryField| outers(&fields, field, form.fields.len()).all(|outer| outer.prikazuje_se);
    form.fields.iter().filter(|field| is_box(field) && field.prikazuje_se && is_seen(field)).map(|field| field.id).collect()
}

/// The panels, pictures and tabs around a field, from the inside out.
fn outers<'a>(fields: &BTreeMap<i64, &'a EntryField>, field: &EntryField, most: usize) -> impl Iterator<Item = &'a EntryField> {
    let outer = |field: &EntryField| field.naredjeni_auts.and_then(|id| fields.get(&id).copied());
    iter::successors(outer(field), move |field| outer(field)).take(most)
}

/// Answers with No every box that was shown and left without a tick.
pub fn untick(form: &EntryForm, entered: &mut Values) {
    for id in tick_boxes(form) {
        entered.entry(id).or_insert(Value::Bool(false));
    }
}

pub fn compute(form: &EntryForm, entered: Values, around: &Around) -> Computed {
    let boxes = tick_boxes(form);
    let formula::Evaluation { values: calculated, hidden } = evaluate_form(&form.formulas, &entered, around);
    let says_something = |id: &i64, value: &Value| !(boxes.contains(id) && *value == Value::Bool(false));
    let is_cleared = |(id, value): &(&i64, &Value)| hidden.contains(id) && !calculated.contains_key(id) && says_something(id, value);
    let cleared = entered.iter().filter(is_cleared).map(|(id, _)| *id).collect();
    let mut values: Values = entered.into_iter().filter(|(id, _)| !hidden.contains(id) && !calculated.contains_key(id)).collect();
    values.extend(calculated.into_iter().filter(|(_, value)| !value.is_null()));
    Computed { values, hidden, cleared }
}

/// What the form's formulas give of stored values: the results of its calculated fields, blank ones left out.
pub fn computed_by(form: &EntryForm, stored: &Values, around: &Around) -> Values {
    evaluate_form(&form.formulas, stored, around).values.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

/// Fields that the clinician sees and may fill, in the order of the screen. What lies in a panel or picture that is not shown is not shown
/// either; a tab that is not shown waits behind the plus.
fn shown<'a>(form: &'a EntryForm, computed: &'a Computed) -> impl Iterator<Item = &'a EntryField> {
    let fields = form.by_id();
    let is_shown = move |field: &EntryField| {
        let mut outer = outers(&fields, field, form.fields.len());
        field.prikazuje_se && outer.all(|outer| outer.prikazuje_se || outer.tva_num_vrednost == ValueType::Tab)
    };
    form.fields.iter().filter(move |field| field.holds_value() && !computed.hidden.contains(&field.id) && is_shown(field))
}

/// Refuses the values by the first of their faults.
/// What stands as it was stored is not held to bounds that are narrower now: nobody has typed it.
pub fn check(form: &EntryForm, computed: &Computed, stored: Option<&Values>) -> Result<()> {
    let typed = |field: &EntryField| {
        let kept = stored.and_then(|stored| stored.get(&field.id));
        kept.is_none() || !alike(kept, computed.values.get(&field.id))
    };
    match faults(form, computed).into_iter().find(|(field, _)| typed(field)) {
        Some((field, message)) => Err(Error::invalid(field.id.to_string(), message)),
        None => Ok(()),
    }
}

/// Every fault with its field: required items first, then bounds and decimals. A choice is never required: unchecked is an answer.
pub fn faults<'a>(form: &'a EntryForm, computed: &'a Computed) -> Vec<(&'a EntryField, String)> {
    let mut found = Vec::new();
    for field in shown(form, computed) {
        if !field.opciono
            && field.tva_num_vrednost != ValueType::Choice
            && !field.is_calculated()
            && !computed.values.contains_key(&field.id)
        {
            found.push((field, format!("Niste uneli stavku sa nazivom: {}.", field.naziv)));
        }
    }
    for field in shown(form, computed).filter(|field| field.tva_num_vrednost == ValueType::Number && !field.is_calculated()) {
        let Some(number) = computed.values.get(&field.id).and_then(Value::as_f64) else { continue };
        if let Some(message) = wrong_number(field, number) {
            found.push((field, message));
        }
    }
    for field in shown(form, computed).filter(|field| field.tva_num_vrednost == ValueType::Date && !field.is_calculated()) {
        let date = computed.values.get(&field.id).and_then(Value::as_str).and_then(|date| date.parse::<Date>().ok());
        if date.is_some_and(|date| !YEARS.contains(&date.year())) {
            found.push((field, format!("Stavka sa nazivom: {} nije između {}. i {}. godine.", field.naziv, YEARS.start(), YEARS.end())));
        }
    }
    found
}

/// What a number breaks of its type: the bounds, of which a missing one is the safe integers' end, or the decimals.
pub fn wrong_number(field: &EntryField, number: f64) -> Option<String> {
    let of = &field.tip_atributa;
    let low = of.donja_granica_brojne_vrednosti.unwrap_or(-SAFE_INTEGER);
    let high = of.gornja_granica_brojne_vrednosti.unwrap_or(SAFE_INTEGER);
    if !(low..=high).contains(&number) {
        return Some(format!("Stavka sa nazivom: {} nije u opsegu ({}) - ({})", field.naziv, shown::number(low), shown::number(high)));
    }
    let most = of.decimale_brojne_vrednosti.and_then(|most| usize::try_from(most).ok())?;
    let name = &field.naziv;
    (shown::decimals(number) > most).then(|| match most {
        0 => format!("Stavka sa nazivom: {name} mora biti ceo broj."),
        1 => format!("Stavka sa nazivom: {name} može imati najviše 1 decimalu."),
        2..=4 => format!("Stavka sa nazivom: {name} može imati najviše {most} decimale."),
        _ => format!("Stavka sa nazivom: {name} može imati najviše {most} decimala."),
    })
}

/// Refuses items that are not to be chosen any more, but for those that the entry holds already.
pub fn refuse_retired(form: &EntryForm, computed: &Computed, stored: Option<&Values>) -> Result<()> {
    for field in form.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::Set && !field.is_calculated()) {
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
pub fn blank_relevant(form: &EntryForm, computed: &Computed) -> Vec<i64> {
    shown(form, computed)
        .filter(|field| field.relevantno && field.tva_num_vrednost != ValueType::Choice && !computed.values.contains_key(&field.id))
        .map(|field| field.id)
        .collect()
}

/// Values as the database stores them.
pub fn to_json(values: &Values) -> Value {
    values.iter().map(|(id, value)| (id.to_string(), value.clone())).collect::<serde_json::Map<_, _>>().into()
}
