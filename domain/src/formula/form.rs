//! A form as formulas see it: which fields show, and what the calculated ones hold.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    Context, Formula, FormulaSurroundings, Previous, Value, evaluate, round,
    rows::{Rows, cells},
    text,
};
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
    /// The other form that it is of: its code has that form's before it, and its value is known from around the entry.
    pub other_form: Option<i64>,
}

/// What formulas make of a form's values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The value of each calculated field by id; null where it is blank or the field is hidden. Of a section whose columns have formulas its
    /// rows, with the results in them and without what is hidden.
    pub values: BTreeMap<i64, Json>,
    /// Fields that a display formula hides: their own, or that of a tab or panel around them.
    pub hidden: BTreeSet<i64>,
    /// Cells that a display formula of their column hides: the id of the row and that of the column.
    pub hidden_cells: BTreeSet<(i64, i64)>,
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
    let mut before = around.previous.as_ref().map(|entry| values_of(fields, entry)).unwrap_or_default();
    let known = around.earlier.iter().chain(&around.previous);
    let mut earlier: Vec<HashMap<String, Value>> = known.map(|entry| values_of(fields, entry)).collect();
    for (other, day) in around.others.iter().filter_map(|other| Some((other, around.examined?))) {
        values.extend(other.on(day).into_iter().flat_map(|entry| values_of(&other.fields, entry)));
        before.extend(other.before(day).last().into_iter().flat_map(|entry| values_of(&other.fields, entry)));
        earlier.extend(other.before(day).iter().map(|entry| values_of(&other.fields, entry)));
    }
    // An example says what fields of other forms hold.
    for field in fields.iter().filter(|field| field.other_form.is_some()) {
        let told = field.sifra.clone().zip(entered.get(&field.id));
        values.extend(told.map(|(code, stored)| (code, field.value(stored))));
    }
    let sections: BTreeSet<i64> = fields.iter().filter_map(|field| field.sekcija).collect();
    let mut rows = Rows::default();
    for index in order(fields) {
        let field = &fields[index];
        if field.other_form.is_some() {
            continue;
        }
        let context = Context { values: &values, previous: &before, earlier: &earlier, around, rows: &rows, row: None, of_column: false };
        let around_is_hidden = field.parent.is_some_and(|parent| done.hidden.contains(&parent));
        let entered_rows = |section: i64, is_hidden: bool| entered.get(&section).filter(|_| !is_hidden);
        if let Some(section) = field.sekcija {
            let stored = entered_rows(section, around_is_hidden);
            if around_is_hidden {
                done.hidden.insert(field.id);
            }
            if field.formulas().next().is_none() {
                rows.fill(field, section, stored);
                continue;
            }
            let made: Vec<Cell> = cells(stored)
                .zip(rows.in_section(section))
                .map(|(cells, row)| field.cell(cells, &Context { row: Some(row), of_column: true, ..context }))
                .collect();
            if let Some(stored) = stored {
                let result = done.values.entry(section).or_insert_with(|| stored.clone());
                done.hidden_cells.extend(put_cells(result, field.id, &made));
            } else {
                done.values.insert(section, Json::Null);
            }
            rows.fill_with(field, section, made.into_iter().map(|cell| cell.seen).collect());
            continue;
        }
        let shown = |formula: &Formula| evaluate(&formula.expr, &context).as_truth() == Some(true);
        let hidden = around_is_hidden || !field.prikaz.as_ref().is_none_or(shown);
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
        if sections.contains(&field.id) {
            rows.take(field, entered_rows(field.id, hidden));
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
    let context = Context { values: &values, previous: &before, earlier: &earlier, around, rows: &rows, row: None, of_column: false };
    let hold = conditions.iter().map(|condition| evaluate(&condition.expr, &context).as_truth() == Some(true)).collect();
    (done, hold)
}

/// One cell of a column with a formula.
struct Cell {
    /// As the row stores it.
    stored: Json,
    seen: Value,
    hidden: bool,
}

impl Field {
    /// What its formulas make of a row, whose cells are `stored`.
    fn cell(&self, stored: &Json, context: &Context) -> Cell {
        let shown = |formula: &Formula| evaluate(&formula.expr, context).as_truth() == Some(true);
        if !self.prikaz.as_ref().is_none_or(shown) {
            return Cell { stored: Json::Null, seen: Value::Blank, hidden: true };
        }
        let Some(formula) = &self.racunanje else {
            let stored = stored.get(self.id.to_string()).cloned().unwrap_or(Json::Null);
            return Cell { seen: self.value(&stored), stored, hidden: false };
        };
        let result = evaluate(&formula.expr, context);
        let stored = self.result(&result);
        Cell { seen: self.seen(&result, &stored), stored, hidden: false }
    }
}

/// The same cell, however a number is written: it keeps its spelling.
fn is_same(kept: &Json, made: &Json) -> bool {
    match (kept, made) {
        (Json::Number(kept), Json::Number(made)) => kept.as_f64() == made.as_f64(),
        _ => kept == made,
    }
}

/// Puts the cells of one column into the rows of its section; the hidden ones.
fn put_cells(rows: &mut Json, column: i64, made: &[Cell]) -> Vec<(i64, i64)> {
    let mut hidden = Vec::new();
    let all = rows.as_array_mut().into_iter().flatten().filter(|row| row.get("v").is_some_and(Json::is_object));
    for (row, cell) in all.zip(made) {
        if cell.hidden {
            hidden.push((row.get("id").and_then(Json::as_i64).unwrap_or_default(), column));
        }
        let Some(cells) = row.get_mut("v").and_then(Json::as_object_mut) else { continue };
        let key = column.to_string();
        if cell.stored.is_null() {
            cells.remove(&key);
        } else if !cells.get(&key).is_some_and(|kept| is_same(kept, &cell.stored)) {
            cells.insert(key, cell.stored.clone());
        }
    }
    hidden
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
