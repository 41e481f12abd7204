//! A form as formulas see it: which fields show, and what the calculated ones hold.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{Context, Formula, FormulaSurroundings, Previous, Value, evaluate, round, rows::Rows, text};
use crate::{answer::Answer, register::ValueType};

/// A choice of a set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Item {
    pub id: i64,
    /// Its weight. None: it has none, and whatever needs it is blank.
    #[serde(rename = "numVrednost", default)]
    pub num: Option<f64>,
    #[serde(rename = "naziv")]
    pub name: String,
    /// `sifraVeza`; a version of a form knows it where a formula names the item by it.
    #[serde(rename = "sifra", default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// A field of a form, of any value type.
#[derive(Clone, Debug, Default)]
pub struct Field {
    pub id: i64,
    pub sifra: Option<String>,
    /// The tab or panel that the field lies in.
    pub parent: Option<i64>,
    pub tip_vrednosti: ValueType,
    /// Of a set, in the order in which it lists them.
    pub items: Vec<Item>,
    /// Whether several items may be chosen.
    pub multiple: bool,
    /// Bounds of a number, where it has them: they quiet the warnings of [`super::compile`].
    pub donja_granica: Option<f64>,
    pub gornja_granica: Option<f64>,
    pub racunanje: Option<Formula>,
    pub prikaz: Option<Formula>,
    /// The section that repeats whose column it is: it has a value in each row, and none of its own.
    pub sekcija: Option<i64>,
}

/// What formulas make of a form's values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The value of each calculated field by id; null where it is blank or the field is hidden.
    pub values: BTreeMap<i64, Json>,
    /// Fields that a display formula hides: their own, or that of a tab or panel around them.
    pub hidden: BTreeSet<i64>,
}

/// Evaluates all formulas of a form, each field after those it depends on. `entered` holds values by field id as an entry
/// stores them: true or false, a number, a text, a list of item ids, `YYYY-MM-DD`, `HH:MM`, `YYYY-MM-DDTHH:MM`.
///
/// A hidden field is blank to all others, since saving clears it. A display formula that is blank hides. A formula sees
/// another's result unrounded, as if the two were one formula; two decimals are for storing.
pub fn evaluate_form(fields: &[Field], entered: &BTreeMap<i64, Json>, around: &FormulaSurroundings) -> Evaluation {
    evaluate_with(fields, entered, &[], around).0
}

/// The same, and which of the conditions hold then. One that is blank does not.
pub fn evaluate_with(
    fields: &[Field],
    entered: &BTreeMap<i64, Json>,
    conditions: &[&Formula],
    around: &FormulaSurroundings,
) -> (Evaluation, Vec<bool>) {
    let mut done = Evaluation::default();
    let mut values = HashMap::new();
    let before = around.previous.as_ref().map(|entry| values_of(fields, entry)).unwrap_or_default();
    let known = around.earlier.iter().chain(&around.previous);
    let earlier: Vec<HashMap<String, Value>> = known.map(|entry| values_of(fields, entry)).collect();
    let sections: BTreeSet<i64> = fields.iter().filter_map(|field| field.sekcija).collect();
    let mut rows = Rows::default();
    for index in order(fields) {
        let field = &fields[index];
        let context = Context { values: &values, previous: &before, earlier: &earlier, around, rows: &rows, row: None };
        let shown = |formula: &Formula| evaluate(&formula.expr, &context).as_truth() == Some(true);
        let hidden = field.parent.is_some_and(|parent| done.hidden.contains(&parent)) || !field.prikaz.as_ref().is_none_or(shown);
        let (stored, seen) = match &field.racunanje {
            _ if hidden => (Json::Null, Value::Blank),
            Some(formula) => {
                let result = evaluate(&formula.expr, &context);
                let stored = field.result(&result);
                let seen = field.seen(&result, &stored);
                (stored, seen)
            }
            None => {
                let stored = entered.get(&field.id).cloned().unwrap_or(Json::Null);
                let seen = field.value(&stored);
                (stored, seen)
            }
        };
        let entered_rows = |section: i64| entered.get(&section).filter(|_| !hidden);
        if sections.contains(&field.id) {
            rows.take(field, entered_rows(field.id));
        } else if let Some(section) = field.sekcija {
            rows.fill(field, section, entered_rows(section));
        } else if let Some(code) = &field.sifra {
            values.insert(code.clone(), seen);
        }
        if hidden {
            done.hidden.insert(field.id);
        }
        if field.racunanje.is_some() {
            done.values.insert(field.id, stored);
        }
    }
    let context = Context { values: &values, previous: &before, earlier: &earlier, around, rows: &rows, row: None };
    let hold = conditions.iter().map(|condition| evaluate(&condition.expr, &context).as_truth() == Some(true)).collect();
    (done, hold)
}

/// By code, as an earlier entry stores them.
fn values_of(fields: &[Field], entry: &Previous) -> HashMap<String, Value> {
    let value = |field: &Field| Some((field.sifra.clone()?, field.value(entry.values.get(&field.id)?)));
    fields.iter().filter_map(value).collect()
}

impl Field {
    /// Its calculation and its display formula, those that it has.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula> {
        [&self.racunanje, &self.prikaz].into_iter().flatten()
    }

    /// A stored value as formulas see it; one that does not fit the field's type is blank.
    pub fn value(&self, stored: &Json) -> Value {
        match Answer::of(self.tip_vrednosti, stored) {
            Some(Answer::Choice(yes)) => Value::truth(Some(yes)),
            Some(Answer::Number(number)) => Value::number(number),
            Some(Answer::Text(text)) => Value::text(text),
            Some(Answer::Set(ids)) => Value::items(self.items.iter().filter(|item| ids.contains(&item.id)).cloned().collect()),
            Some(Answer::Date(date)) => Value::Date(date),
            Some(Answer::Time(time)) => Value::Time(time),
            Some(Answer::Moment(at)) => Value::Moment(at),
            None => Value::Blank,
        }
    }

    /// A result as other formulas see it.
    fn seen(&self, result: &Value, stored: &Json) -> Value {
        match (self.tip_vrednosti, result) {
            (ValueType::Number, result) => result.as_number().map_or(Value::Blank, Value::number),
            (ValueType::Text, Value::Number(_) | Value::Date(_) | Value::Time(_) | Value::Moment(_)) => result.clone(),
            _ => self.value(stored),
        }
    }

    /// A result as the field stores it; one that does not fit the field's type is null.
    pub fn result(&self, result: &Value) -> Json {
        let text = if self.tip_vrednosti == ValueType::Text { text::of(result) } else { None };
        let answer = match self.tip_vrednosti {
            ValueType::Choice => result.as_truth().map(Answer::Choice),
            ValueType::Number => result.as_number().map(|number| Answer::Number(shown_number(number))),
            ValueType::Text => text.as_deref().map(Answer::Text),
            ValueType::Set => self.chosen(result).map(Answer::Set),
            ValueType::Date => result.as_date().map(Answer::Date),
            ValueType::Time => result.as_time().map(Answer::Time),
            ValueType::Moment => result.as_moment().map(Answer::Moment),
            _ => None,
        };
        answer.map_or(Json::Null, Json::from)
    }

    /// The items of the set that a result stands for; none where it is another kind of value and no item has it.
    fn chosen(&self, result: &Value) -> Option<Vec<i64>> {
        let fits = |item: &&Item| match result {
            Value::Number(number) => item.num.is_some_and(|num| num == round::clean(*number) || num == shown_number(*number)),
            Value::Text(name) => item.name == *name,
            _ => false,
        };
        match result {
            Value::Items(items) => {
                let own = |item: &&Item| self.items.iter().any(|own| own.id == item.id);
                Some(items.iter().filter(own).map(|item| item.id).collect())
            }
            _ => self.items.iter().find(fits).map(|item| vec![item.id]),
        }
    }
}

/// Two decimals; infinity is 0, as the specification has it.
fn shown_number(number: f64) -> f64 {
    if number.is_finite() { round::half_away(number, round::PLACES) } else { 0.0 }
}

/// What each field waits for, as indices: the fields its formulas read, and the tab or panel around it.
pub(super) fn dependencies(fields: &[Field]) -> Vec<Vec<usize>> {
    let by_code: HashMap<&str, usize> = fields.iter().enumerate().filter_map(|(i, field)| Some((field.sifra.as_deref()?, i))).collect();
    let by_id: HashMap<i64, usize> = fields.iter().enumerate().map(|(i, field)| (field.id, i)).collect();
    let of = |field: &Field| {
        let parent = field.parent.and_then(|id| by_id.get(&id).copied());
        let codes = [&field.racunanje, &field.prikaz].into_iter().flatten().flat_map(|formula| &formula.deps);
        parent.into_iter().chain(codes.filter_map(|code| by_code.get(code.as_str()).copied())).collect()
    };
    fields.iter().map(of).collect()
}

/// Indices of fields so that each comes after those it waits for; among equals the given order. In a circle, which
/// [`super::compile`] refuses, the field met first waits no more.
fn order(fields: &[Field]) -> Vec<usize> {
    fn visit(field: usize, waits_for: &[Vec<usize>], met: &mut [bool], order: &mut Vec<usize>) {
        if std::mem::replace(&mut met[field], true) {
            return;
        }
        for &other in &waits_for[field] {
            visit(other, waits_for, met, order);
        }
        order.push(field);
    }
    let waits_for = dependencies(fields);
    let (mut met, mut order) = (vec![false; fields.len()], Vec::with_capacity(fields.len()));
    for field in 0..fields.len() {
        visit(field, &waits_for, &mut met, &mut order);
    }
    order
}
