//! Numbers that were typed in another unit than the field's own: what was typed is remembered with the value, and the value is what the
//! field's unit makes of it, to the last digit. The browser computes it by `web/src/forms/units.ts`; `domain/unit-cases.json` holds both to
//! one answer.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    form::{EntryField, EntryForm, OTHER_FORM},
    meaning::unit,
    rows,
    values::{Values, alike},
};
use crate::{
    formula::round,
    register::{OtherUnit, TypedIn, ValueType},
    shown,
};

/// By field; of a section by row and column, `{"7": {"12": …}}`.
pub type Typed = Map<String, Value>;

/// Decimals of a converted number whose type asks for no fewer.
const PLACES: usize = 6;

/// A number typed in another unit, in the type's own: rounded as the type asks.
fn converted(unit: &OtherUnit, typed: f64, decimals: Option<i16>) -> f64 {
    let places = decimals.and_then(|most| usize::try_from(most).ok()).unwrap_or(PLACES);
    round::half_away(round::add(typed * unit.cinilac, unit.pomeraj), places)
}

/// The other unit of a field by its name.
pub fn unit_of<'a>(field: &'a EntryField, name: &str) -> Option<&'a OtherUnit> {
    field.tip_atributa.druge_jedinice.iter().find(|unit| unit.jedinica.trim() == name.trim())
}

/// What a number that was typed so is in the field's own unit; none where the field has no such unit.
pub fn in_own(field: &EntryField, typed: &TypedIn) -> Option<f64> {
    Some(converted(unit_of(field, &typed.jedinica)?, typed.broj, field.tip_atributa.decimale_brojne_vrednosti))
}

/// A number as it was typed: `130 mg/dL`.
pub fn told(typed: &TypedIn) -> String {
    format!("{} {}", shown::number(typed.broj), typed.jedinica)
}

fn typed_in(value: &Value) -> Option<TypedIn> {
    TypedIn::deserialize(value).ok()
}

/// What was typed of a single field, in words, where anything was.
pub fn told_of(typed: Option<&Value>) -> Option<String> {
    typed.and_then(typed_in).map(|typed| told(&typed))
}

/// What is wrong with what was sent as typed: the field, and why.
pub fn refusal(form: &EntryForm, values: &Values, sent: &Typed) -> Option<(String, String)> {
    let changed = || OTHER_FORM.to_owned();
    for (id, typed) in sent {
        let Some(field) = form.fields.iter().find(|field| field.id.to_string() == *id) else { return Some((id.clone(), changed())) };
        let wrong = if field.is_section() {
            section_fault(field, values.get(&field.id), typed)
        } else {
            fault(field, values.get(&field.id), typed)
        };
        if let Some(message) = wrong {
            return Some((id.clone(), message));
        }
    }
    None
}

fn fault(field: &EntryField, value: Option<&Value>, typed: &Value) -> Option<String> {
    let name = &field.naziv;
    let Some(typed) = typed_in(typed).filter(|typed| typed.broj.is_finite()) else {
        return Some(format!("Stavka sa nazivom: {name} nije ispravna."));
    };
    let number = (field.tva_num_vrednost == ValueType::Number && !field.is_calculated()).then(|| in_own(field, &typed)).flatten();
    let Some(number) = number else { return Some(format!("Stavka sa nazivom: {name} nema jedinicu {}.", typed.jedinica)) };
    // What stands in a field that is hidden is not sent.
    value
        .is_some_and(|value| !alike(Some(value), Some(&json!(number))))
        .then(|| format!("Stavka sa nazivom: {name}: {} je {} {}.", told(&typed), shown::number(number), unit(field).unwrap_or_default()))
}

fn section_fault(section: &EntryField, value: Option<&Value>, typed: &Value) -> Option<String> {
    let wrong = || Some(rows::unreadable(section));
    let rows = rows::of(value);
    let Some(by_row) = typed.as_object() else { return wrong() };
    for (row_id, cells) in by_row {
        // A row in which nothing is filled is none, nor is what was typed in it.
        let Some((at, row)) = rows.iter().enumerate().find(|(_, row)| row.id.to_string() == *row_id) else { continue };
        let Some(cells) = cells.as_object() else { return wrong() };
        for (column_id, typed) in cells {
            let Some(column) = section.kolone.iter().find(|column| column.id.to_string() == *column_id) else { return wrong() };
            if let Some(message) = fault(column, row.cells.get(&column.id), typed) {
                return Some(rows::in_row(section, at, &message));
            }
        }
    }
    None
}

/// What is remembered with the values that are stored: what was typed for them now, or was before and still stands. What does not give
/// the stored number is nobody's.
pub fn kept(form: &EntryForm, values: &Values, sent: &Typed, before: &Typed) -> Typed {
    let mut all = Typed::new();
    for field in &form.fields {
        let id = field.id.to_string();
        let (now, was) = (sent.get(&id), before.get(&id));
        let kept = if field.is_section() {
            kept_of_rows(field, values.get(&field.id), now, was)
        } else {
            kept_of(field, values.get(&field.id), now, was)
        };
        all.extend(kept.map(|typed| (id, typed)));
    }
    all
}

fn kept_of(field: &EntryField, value: Option<&Value>, now: Option<&Value>, was: Option<&Value>) -> Option<Value> {
    let value = value?;
    let stands = |typed: &&Value| {
        let number = typed_in(typed).and_then(|typed| in_own(field, &typed));
        number.is_some_and(|number| alike(Some(value), Some(&json!(number))))
    };
    now.into_iter().chain(was).find(stands).cloned()
}

fn kept_of_rows(section: &EntryField, value: Option<&Value>, now: Option<&Value>, was: Option<&Value>) -> Option<Value> {
    let mut by_row = Map::new();
    for row in rows::of(value) {
        let key = row.id.to_string();
        let of = |typed: Option<&Value>, column: &EntryField| typed?.get(&key)?.get(column.id.to_string()).cloned();
        let cells: Map<String, Value> = section
            .kolone
            .iter()
            .filter_map(|column| {
                let (now, was) = (of(now, column), of(was, column));
                Some((column.id.to_string(), kept_of(column, row.cells.get(&column.id), now.as_ref(), was.as_ref())?))
            })
            .collect();
        if !cells.is_empty() {
            by_row.insert(key, cells.into());
        }
    }
    (!by_row.is_empty()).then(|| by_row.into())
}

/// As an entry's column has it: nothing where nothing was typed so.
pub fn column(typed: &Typed) -> Option<Value> {
    (!typed.is_empty()).then(|| Value::Object(typed.clone()))
}

/// What may have been meant by a number that is outside of the field's bounds and would be inside in another unit.
pub fn meant(field: &EntryField, number: f64, inside: impl Fn(f64) -> bool) -> Option<String> {
    let of = &field.tip_atributa;
    let (unit, own) = of.druge_jedinice.iter().find_map(|other| {
        let own = converted(other, number, of.decimale_brojne_vrednosti);
        inside(own).then_some((other, own))
    })?;
    let own_unit = self::unit(field).unwrap_or_default();
    Some(format!("Ako je {} u {}, to je {} {own_unit}.", shown::number(number), unit.jedinica, shown::number(own)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the table that the browser's tests read too.
    #[derive(Deserialize)]
    struct Cases {
        converted: Vec<(f64, f64, f64, Option<i16>, f64)>,
    }

    #[test]
    fn numbers_are_converted_as_the_browser_does() {
        let cases: Cases = serde_json::from_str(include_str!("../../unit-cases.json")).expect("the table of units");
        for (typed, cinilac, pomeraj, decimals, own) in cases.converted {
            let unit = OtherUnit { jedinica: "u".to_owned(), cinilac, pomeraj };
            assert_eq!(converted(&unit, typed, decimals), own, "{typed} × {cinilac} + {pomeraj}, {decimals:?}");
        }
    }
}
