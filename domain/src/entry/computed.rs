//! What a form makes of an entry's values: results, what is hidden, and what breaks its rules. The save, the import and the recomputation
//! know no other rule.

use std::collections::BTreeSet;

use jiff::civil::Date;
use serde_json::Value;

use super::{
    boxes::{outers, tick_boxes},
    files,
    form::{EntryField, EntryForm},
    rows, units,
    values::Values,
};
use crate::{
    answer::{Answer, SAFE_INTEGER},
    formula::{self, Formula, FormulaSurroundings, evaluate_form, evaluate_with},
    register::ValueType,
    shown,
    years::{YEARS, outside},
};

/// What the formulas make of the values: calculated ones filled in, hidden ones taken out.
#[derive(Default)]
pub struct ComputedEntry {
    pub values: Values,
    pub hidden: BTreeSet<i64>,
    /// Cells that their column's condition hides: the id of the row and that of the column.
    pub hidden_cells: BTreeSet<(i64, i64)>,
    /// Fields that held a value and are hidden: the save clears them and says so. A box without its tick says nothing that could be lost.
    pub cleared: Vec<i64>,
    /// Fields whose condition of being required holds.
    pub required: BTreeSet<i64>,
    /// Rules whose condition holds, errors and warnings.
    pub broken: BTreeSet<i64>,
    /// What was typed of the values in other units.
    pub typed: units::Typed,
}

impl ComputedEntry {
    fn answer(&self, field: &EntryField) -> Option<Answer<'_>> {
        Answer::of(field.tva_num_vrednost, self.values.get(&field.id)?)
    }
}

pub fn compute(form: &EntryForm, entered: Values, around: &FormulaSurroundings) -> ComputedEntry {
    let boxes = tick_boxes(&form.fields);
    let conditions: Vec<&Formula> = form.conditions().collect();
    let (formula::Evaluation { values: calculated, hidden, hidden_cells }, hold) =
        evaluate_with(&form.formulas, &entered, &conditions, around);
    let (required, broken) = hold.split_at(form.required_if.len());
    let required = form.required_if.keys().zip(required).filter(|(_, holds)| **holds).map(|(id, _)| *id).collect();
    let broken = form.rules.iter().zip(broken).filter(|(_, holds)| **holds).map(|(rule, _)| rule.id).collect();
    let says_something = |id: &i64, value: &Value| !(boxes.contains(id) && *value == Value::Bool(false));
    let results: BTreeSet<i64> = form.fields.iter().filter(|field| field.is_calculated()).map(|field| field.id).collect();
    // A section is cleared too where a condition hides what somebody filled in one of its rows.
    let loses_a_cell =
        |id: &i64, value: &Value| calculated.contains_key(id) && rows::any_cell(value, |row, column| hidden_cells.contains(&(row, column)));
    let is_cleared = |(id, value): &(&i64, &Value)| {
        !results.contains(id) && says_something(id, value) && (hidden.contains(id) || loses_a_cell(id, value))
    };
    let cleared = entered.iter().filter(is_cleared).map(|(id, _)| *id).collect();
    let mut values: Values = entered.into_iter().filter(|(id, _)| !hidden.contains(id) && !calculated.contains_key(id)).collect();
    values.extend(calculated.into_iter().filter(|(_, value)| !value.is_null()));
    ComputedEntry { values, hidden, hidden_cells, cleared, required, broken, typed: units::Typed::new() }
}

/// What the form's formulas give of stored values: the results of its calculated fields, blank ones left out.
pub fn computed_by(form: &EntryForm, stored: &Values, around: &FormulaSurroundings) -> Values {
    evaluate_form(&form.formulas, stored, around).values.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

/// Fields that the clinician sees and may fill, in the order of the screen. What lies in a panel or picture that is not shown is not shown
/// either; a tab that is not shown waits behind the plus.
fn shown<'a>(form: &'a EntryForm, computed: &'a ComputedEntry) -> impl Iterator<Item = &'a EntryField> {
    let fields = form.by_id();
    let is_shown = move |field: &EntryField| {
        let mut outer = outers(&fields, field);
        field.prikazuje_se && outer.all(|outer| outer.prikazuje_se || outer.tva_num_vrednost == ValueType::Tab)
    };
    form.fields.iter().filter(move |field| field.holds_value() && !computed.hidden.contains(&field.id) && is_shown(field))
}

/// Every fault with its field: required items first, then bounds and decimals. A choice is never required: unchecked is an answer.
/// `had`: what the entry held, of whose files no fault is told.
pub fn faults<'a>(form: &'a EntryForm, computed: &'a ComputedEntry, had: Option<&Values>) -> Vec<(&'a EntryField, String)> {
    let mut found = Vec::new();
    found.extend(blank_required(form, computed).map(|field| (field, missing(field))));
    for field in shown(form, computed).filter(|field| field.tva_num_vrednost == ValueType::Number && !field.is_calculated()) {
        let Some(Answer::Number(number)) = computed.answer(field) else { continue };
        if let Some(message) = wrong_number(field, number, computed.typed.contains_key(&field.id.to_string())) {
            found.push((field, message));
        }
    }
    for kind in [ValueType::Date, ValueType::Moment] {
        for field in shown(form, computed).filter(|field| field.tva_num_vrednost == kind && !field.is_calculated()) {
            let day = computed.answer(field).and_then(|answer| answer.day());
            found.extend(day.and_then(|day| wrong_date(field, day)).map(|message| (field, message)));
        }
    }
    for field in shown(form, computed).filter(|field| field.tva_num_vrednost == ValueType::File) {
        let had = had.and_then(|had| had.get(&field.id));
        let fault = computed.values.get(&field.id).and_then(|value| files::fault(field, value, had));
        found.extend(fault.map(|message| (field, message)));
    }
    for field in shown(form, computed).filter(|field| field.is_section()) {
        let rows = computed.values.get(&field.id);
        let typed = computed.typed.get(&field.id.to_string());
        let faults = rows.into_iter().flat_map(|rows| rows::faults_by_row(field, rows, typed, &computed.hidden_cells));
        found.extend(faults.map(|(_, message)| (field, message)));
    }
    found
}

/// Shown fields that are required and blank.
pub fn blank_required<'a>(form: &'a EntryForm, computed: &'a ComputedEntry) -> impl Iterator<Item = &'a EntryField> {
    shown(form, computed).filter(|field| {
        (!field.opciono || computed.required.contains(&field.id))
            && field.tva_num_vrednost != ValueType::Choice
            && !field.is_calculated()
            && !computed.values.contains_key(&field.id)
    })
}

pub(super) fn missing(field: &EntryField) -> String {
    format!("Niste uneli stavku sa nazivom: {}.", field.naziv)
}

pub(super) fn wrong_date(field: &EntryField, date: Date) -> Option<String> {
    outside(&YEARS, date).map(|why| format!("Stavka sa nazivom: {} {why}.", field.naziv))
}

/// What a number breaks of its type: the bounds, of which a missing one is the safe integers' end, or the decimals.
/// `is_converted`: it was typed in another unit, so none is offered.
pub fn wrong_number(field: &EntryField, number: f64, is_converted: bool) -> Option<String> {
    let of = &field.tip_atributa;
    let low = of.donja_granica_brojne_vrednosti.unwrap_or(-SAFE_INTEGER);
    let high = of.gornja_granica_brojne_vrednosti.unwrap_or(SAFE_INTEGER);
    if !(low..=high).contains(&number) {
        let outside = format!("Stavka sa nazivom: {} nije u opsegu ({}) - ({})", field.naziv, shown::number(low), shown::number(high));
        let meant = if is_converted { None } else { units::meant(field, number, |own| (low..=high).contains(&own)) };
        return Some(meant.map_or(outside.clone(), |meant| format!("{outside}. {meant}")));
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

/// Relevant shown fields that are blank.
pub fn blank_relevant(form: &EntryForm, computed: &ComputedEntry) -> Vec<i64> {
    shown(form, computed)
        .filter(|field| field.relevantno && field.tva_num_vrednost != ValueType::Choice && !computed.values.contains_key(&field.id))
        .map(|field| field.id)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::{entry::form::FieldType, register::OtherUnit};

    /// Of the table that the browser's tests read too.
    #[derive(Deserialize)]
    struct Cases {
        offers: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        naziv: String,
        jedinica: String,
        granice: (f64, f64),
        decimale: i16,
        druge: Vec<(String, f64, f64)>,
        broj: f64,
        poruka: Option<String>,
    }

    #[test]
    fn a_number_that_would_fit_in_another_unit_is_told_so() {
        let cases: Cases = serde_json::from_str(include_str!("../../unit-cases.json")).expect("the table of units");
        for Case { naziv, jedinica, granice: (low, high), decimale, druge, broj, poruka } in cases.offers {
            let unit = |(jedinica, cinilac, pomeraj)| OtherUnit { jedinica, cinilac, pomeraj };
            let tip_atributa = FieldType {
                donja_granica_brojne_vrednosti: Some(low),
                gornja_granica_brojne_vrednosti: Some(high),
                decimale_brojne_vrednosti: Some(decimale),
                jedinica: Some(jedinica),
                druge_jedinice: druge.into_iter().map(unit).collect(),
                ..FieldType::default()
            };
            let field = EntryField { naziv, tva_num_vrednost: ValueType::Number, tip_atributa, ..EntryField::default() };
            assert_eq!(wrong_number(&field, broj, false), poruka, "{broj}");
        }
    }

    #[test]
    fn what_is_typed_keeps_to_the_bounds_of_its_type_and_a_result_is_what_it_is() {
        let up_to_10 = FieldType { gornja_granica_brojne_vrednosti: Some(10.0), ..FieldType::default() };
        let number = |id, formula_za_racunanje| EntryField {
            id,
            tva_num_vrednost: ValueType::Number,
            prikazuje_se: true,
            tip_atributa: up_to_10.clone(),
            formula_za_racunanje,
            ..EntryField::default()
        };
        let form = EntryForm { fields: vec![number(1, Some(json!(1))), number(2, None)], ..EntryForm::default() };
        let computed = ComputedEntry { values: [(1, json!(50)), (2, json!(50))].into(), ..ComputedEntry::default() };
        let faulty: Vec<i64> = faults(&form, &computed, None).into_iter().map(|(field, _)| field.id).collect();
        assert_eq!(faulty, [2]);
    }
}
