//! What a recomputation makes of one entry: its results by the newest version of the form, and nothing else. Where anything else would
//! change with them, the entry stays as it is, and is told with the reason (docs/decisions/0045-results-are-recomputed-when-it-is-asked-for.md).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    computed::{ComputedEntry, blank_relevant, compute, faults},
    form::{EntryField, EntryForm},
    meaning::{same_item, same_unit},
    rows,
    rules::errors,
    settle::other_units,
    stale::EnteredUnits,
    values::{Values, alike},
};
use crate::{answer::Answer, formula::FormulaSurroundings, register::ValueType};

mod course;
mod write;

pub use course::{Course, CourseEntry, Followed, Versions, courses, other_results, patients_after};
pub use write::{Counts, carry_out};

/// Why an entry stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
#[schema(as = RecomputationReason)]
pub enum Reason {
    /// The newest version has no field for a stored value.
    BezPolja,
    /// A value is of another kind there.
    Tip,
    /// What was entered would be calculated there, or the other way round.
    Racunanje,
    /// A number was entered in another unit.
    Jedinica,
    /// A chosen item is not there, means another thing, or only one may be chosen.
    Stavka,
    /// The newest version hides the field, and would clear its value.
    Skriveno,
    /// A value breaks a rule of the newest version: bounds, decimals, or it is asked for and missing.
    Pravilo,
    /// The entry before it, which its formulas read, stays as it is.
    Prethodni,
    /// It is signed: the signature would end.
    Potpisan,
    /// It is locked, itself or by its period.
    Zakljucan,
}

#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// It is in the newest version, and its results are what that gives.
    Right,
    /// Its results and its version become these.
    Taken {
        values: Values,
        relevant_filled: bool,
    },
    Left {
        reason: Reason,
        field: Option<i64>,
    },
}

/// `around` are the surroundings in which the entry was saved; `entered` are the units in which numbers were entered, where a mark says so.
pub fn weigh(kept: &EntryForm, newest: &EntryForm, stored: &Values, around: &FormulaSurroundings, entered: &EnteredUnits) -> Verdict {
    let left = |(reason, field)| Verdict::Left { reason, field: Some(field) };
    let is_older = kept.otisak != newest.otisak;
    if is_older && let Some(found) = differently_read(kept, newest, stored) {
        return left(found);
    }
    let computed = compute(newest, stored.clone(), around);
    let results: BTreeSet<i64> = newest.fields.iter().filter(|field| field.has_results()).map(|field| field.id).collect();
    if !is_older && results.iter().all(|id| alike(stored.get(id), computed.values.get(id))) {
        return Verdict::Right;
    }
    if let Some((field, _)) = other_units(kept, newest, stored, entered).next() {
        return left((Reason::Jedinica, field));
    }
    if let Some(field) = computed.cleared.first().or_else(|| lost(newest, stored, &computed)) {
        return left((Reason::Skriveno, *field));
    }
    if is_older && let Some(field) = new_fault(kept, newest, stored, &computed, around) {
        return Verdict::Left { reason: Reason::Pravilo, field };
    }
    let relevant_filled = blank_relevant(newest, &computed).is_empty();
    Verdict::Taken { values: as_written(computed.values, stored), relevant_filled }
}

/// A stored value that somebody entered and the save would not keep.
fn lost<'a>(newest: &EntryForm, stored: &'a Values, computed: &ComputedEntry) -> Option<&'a i64> {
    let results: BTreeSet<i64> = newest.fields.iter().filter(|field| field.is_calculated()).map(|field| field.id).collect();
    stored.keys().filter(|id| !results.contains(id)).find(|id| !computed.values.contains_key(id))
}

/// A value that is the same keeps its spelling, so that the history tells of no change of it.
fn as_written(mut values: Values, stored: &Values) -> Values {
    for (id, value) in &mut values {
        if let Some(kept) = stored.get(id).filter(|kept| alike(Some(kept), Some(value))) {
            value.clone_from(kept);
        }
    }
    values
}

/// The first stored value that the newest version would read as something else than it was entered as.
fn differently_read(kept: &EntryForm, newest: &EntryForm, stored: &Values) -> Option<(Reason, i64)> {
    let now = newest.by_id();
    kept.fields.iter().filter(|field| field.holds_value()).find_map(|was| {
        let value = stored.get(&was.id)?;
        let reason = match now.get(&was.id) {
            None => Reason::BezPolja,
            Some(now) if now.tva_num_vrednost != was.tva_num_vrednost => Reason::Tip,
            Some(now) if was.is_section() => rows_differently_read(was, now, value)?,
            Some(now) if now.is_calculated() != was.is_calculated() => Reason::Racunanje,
            Some(now) if !now.is_calculated() && !same_items(was, now, value) => Reason::Stavka,
            Some(_) => return None,
        };
        Some((reason, was.id))
    })
}

/// The same of what stands in the rows of a section.
fn rows_differently_read(was: &EntryField, now: &EntryField, value: &Value) -> Option<Reason> {
    let rows = rows::of(Some(value));
    was.kolone.iter().find_map(|was| {
        let mut cells = rows.iter().filter_map(|row| row.cells.get(&was.id)).peekable();
        cells.peek()?;
        match now.kolone.iter().find(|column| column.id == was.id) {
            None => Some(Reason::BezPolja),
            Some(now) if now.tva_num_vrednost != was.tva_num_vrednost => Some(Reason::Tip),
            Some(now) if now.is_calculated() != was.is_calculated() => Some(Reason::Racunanje),
            Some(now) if now.is_calculated() => None,
            Some(now) if !cells.all(|value| same_items(was, now, value)) => Some(Reason::Stavka),
            Some(now) if now.tva_num_vrednost == ValueType::Number && !same_unit(was, now) => Some(Reason::Jedinica),
            Some(_) => None,
        }
    })
}

fn same_items(was: &EntryField, now: &EntryField, value: &Value) -> bool {
    let Some(Answer::Set(chosen)) = Answer::of(was.tva_num_vrednost, value) else { return true };
    let item = |of: &EntryField, id: &i64| of.enum_stavke_sve.iter().find(|item| item.id == *id).cloned();
    let is_same = |id: &i64| item(now, id).is_some_and(|now| item(was, id).is_none_or(|was| same_item(&was, &now)));
    (now.multiselect || chosen.len() < 2) && chosen.iter().all(is_same)
}

/// A rule of the newest version that is broken, and that the entry's own version does not know or does not see broken.
/// The field that it is about; none where it is about none.
fn new_fault(
    kept: &EntryForm,
    newest: &EntryForm,
    stored: &Values,
    computed: &ComputedEntry,
    around: &FormulaSurroundings,
) -> Option<Option<i64>> {
    let before = ComputedEntry { values: stored.clone(), ..compute(kept, stored.clone(), around) };
    let known: BTreeSet<i64> = faults(kept, &before, Some(stored)).into_iter().map(|(field, _)| field.id).collect();
    let of_field = faults(newest, computed, Some(stored)).into_iter().map(|(field, _)| field.id).find(|field| !known.contains(field));
    let known: BTreeSet<i64> = errors(kept, &before).map(|rule| rule.id).collect();
    let broken = errors(newest, computed).find(|rule| !known.contains(&rule.id));
    of_field.map(Some).or_else(|| broken.map(|rule| rule.field(newest).map(|field| field.id)))
}

#[cfg(test)]
mod tests;
