//! What saving makes of an entry's values: calculated fields, hidden ones, and what is still missing (A section 5).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::formula;
use jiff::civil::Date;
use serde_json::{Map, Value};

use super::schema::{FieldSchema, FormSchema};

/// Values of an entry by the text of their field's id, as `entry.vrednosti` holds them.
pub type Values = Map<String, Value>;

/// An entry's values after all formulas.
pub struct Settled<'a> {
    /// With calculated values, without those of hidden fields.
    pub values: Values,
    /// Fields that had a value and are hidden.
    pub cleared: Vec<&'a FieldSchema>,
    /// Shown fields of types 2 to 5 that are required and blank.
    pub missing: Vec<&'a FieldSchema>,
    /// Every relevant shown field of types 2 to 5 is filled.
    pub relevant_filled: bool,
}

/// Evaluates the form's formulas over `values` and looks what is missing.
pub fn settle<'a>(form: &'a FormSchema, mut values: Values, today: Date) -> Settled<'a> {
    let entered: BTreeMap<i64, Value> = values.iter().filter_map(|(id, value)| Some((id.parse().ok()?, value.clone()))).collect();
    let evaluation = formula::evaluate_form(&form.formula_fields, &entered, today);
    let hides = |field: &&FieldSchema| evaluation.hidden.contains(&field.id);
    let cleared =
        form.fields.iter().filter(|field| !field.calculated && values.contains_key(&field.id.to_string())).filter(hides).collect();
    for id in &evaluation.hidden {
        values.remove(&id.to_string());
    }
    for (id, value) in evaluation.values {
        match value {
            Value::Null => values.remove(&id.to_string()),
            value => values.insert(id.to_string(), value),
        };
    }
    let blanks: Vec<&FieldSchema> =
        shown(form, &values, &evaluation.hidden).filter(|field| needs_value(field) && blank(field, &values)).collect();
    Settled {
        cleared,
        missing: blanks.iter().copied().filter(|field| !field.opcioni).collect(),
        relevant_filled: !blanks.iter().any(|field| field.relevantni),
        values,
    }
}

fn needs_value(field: &FieldSchema) -> bool {
    (2..=5).contains(&field.kind)
}

fn blank(field: &FieldSchema, values: &Values) -> bool {
    match values.get(&field.id.to_string()) {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(_) => false,
    }
}

/// Fields that the entry screen shows: they and all that hold them are shown, and a segment that is hidden at first is
/// shown once it holds a value.
fn shown<'a>(form: &'a FormSchema, values: &Values, hidden: &BTreeSet<i64>) -> impl Iterator<Item = &'a FieldSchema> {
    let by_id: HashMap<i64, &FieldSchema> = form.fields.iter().map(|field| (field.id, field)).collect();
    let way_up = |field: &'a FieldSchema| {
        std::iter::successors(Some(field), |at| at.parent_id.and_then(|id| by_id.get(&id).copied())).collect::<Vec<_>>()
    };
    let filled = form.fields.iter().filter(|field| values.contains_key(&field.id.to_string()));
    let tops: BTreeSet<i64> = filled.filter_map(|field| Some(way_up(field).last()?.id)).collect();
    let visible = |field: &FieldSchema| {
        let revealed = field.is_segment() && tops.contains(&field.id);
        !hidden.contains(&field.id) && (field.prikazuje_se || revealed)
    };
    let fields: Vec<_> = form.fields.iter().filter(|field| way_up(field).iter().all(|at| visible(at))).collect();
    fields.into_iter()
}
