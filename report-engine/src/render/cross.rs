//! A cross-table: the values of one column become columns. Its lines are gathered first and pass on as rows of an ordinary table,
//! so every format, group and total treats them as such. What is gathered is bounded; what outgrows it fails and is never cut.
use std::cmp::Ordering;
use std::collections::HashMap;

use super::error::RenderError;
use super::feed::Feed;
use super::totals::{Accumulator, column_index};
use crate::plan::{Align, CellFormat, Column, Cross, Format, Measure, Ratio, Source, TablePlan, Value, show, write_value};

/// Cells that one cross-table may gather: about fifty megabytes.
const MAX_CELLS: usize = 200_000;
/// The head over rows whose value is blank.
const BLANK: &str = "bez podatka";

pub struct CrossData {
    plan: TablePlan,
    cross: Cross,
    names: Vec<String>,
    by: usize,
    order_by: Option<usize>,
    /// The columns of the result that tell one line from another.
    keys: Vec<usize>,
    /// What each cell adds up: the number itself, or the two sides of a ratio.
    fresh: Vec<Accumulator>,
    lines: Vec<Line>,
    line_places: HashMap<String, usize>,
    heads: Vec<Head>,
    head_places: HashMap<String, usize>,
    cells: HashMap<(usize, usize), Vec<Accumulator>>,
}

struct Line {
    /// Its first row.
    row: Vec<Value>,
    whole: Vec<Accumulator>,
}

struct Head {
    value: Value,
    order: Value,
}

impl CrossData {
    /// Binds the plan; an unknown name or a faulty band is found here, before any row.
    pub fn bind(plan: &TablePlan, cross: &Cross, names: &[String]) -> Result<Self, RenderError> {
        Feed::bind(&TablePlan { cross: None, ..plan.clone() }, names)?;
        let fields = plan.columns.iter().filter_map(|column| match &column.source {
            Source::Field(name) => Some(name),
            _ => None,
        });
        let keys = plan.groups.iter().map(|group| &group.by).chain(fields).map(|name| column_index(names, name));
        let fresh = parts(&cross.value, names).into_iter().map(|part| Accumulator::of(&part, names));
        Ok(CrossData {
            by: column_index(names, &cross.by)?,
            order_by: cross.order_by.as_ref().map(|name| column_index(names, name)).transpose()?,
            keys: keys.collect::<Result<_, _>>()?,
            fresh: fresh.collect::<Result<_, _>>()?,
            plan: plan.clone(),
            cross: cross.clone(),
            names: names.to_vec(),
            lines: Vec::new(),
            line_places: HashMap::new(),
            heads: Vec::new(),
            head_places: HashMap::new(),
            cells: HashMap::new(),
        })
    }

    pub fn add(&mut self, row: &[Value]) -> Result<(), RenderError> {
        let (line, head) = (self.line(row), self.head(row)?);
        if self.lines.len() * self.heads.len() > MAX_CELLS {
            return Err(RenderError::CrossTooLarge { column: self.cross.by.clone(), cells: MAX_CELLS });
        }
        let cell = self.cells.entry((line, head)).or_insert_with(|| self.fresh.clone());
        let whole = &mut self.lines[line].whole;
        cell.iter_mut().chain(whole).try_for_each(|accumulator| accumulator.add(row, &self.names))
    }

    fn line(&mut self, row: &[Value]) -> usize {
        let key = key(self.keys.iter().map(|index| &row[*index]));
        let (lines, fresh) = (&mut self.lines, &self.fresh);
        *self.line_places.entry(key).or_insert_with(|| {
            lines.push(Line { row: row.to_vec(), whole: fresh.clone() });
            lines.len() - 1
        })
    }

    fn head(&mut self, row: &[Value]) -> Result<usize, RenderError> {
        let value = &row[self.by];
        let key = key(std::iter::once(value));
        if let Some(place) = self.head_places.get(&key) {
            return Ok(*place);
        }
        if self.heads.len() == self.cross.limit {
            return Err(RenderError::CrossTooWide { column: self.cross.by.clone(), limit: self.cross.limit });
        }
        let order = self.order_by.map_or(Value::Null, |index| row[index].clone());
        self.heads.push(Head { value: value.clone(), order });
        self.head_places.insert(key, self.heads.len() - 1);
        Ok(self.heads.len() - 1)
    }

    /// The table with its columns, the names of its cells, and its rows.
    pub fn table(self, format: Format) -> (TablePlan, Vec<String>, impl Iterator<Item = Vec<Value>>) {
        let order = self.order();
        let mut plan = self.plan.clone();
        let mut names = self.names.clone();
        let heads = order.iter().map(|place| head_text(&self.heads[*place].value, self.cross.head_format.as_ref()));
        let total = self.cross.total.iter().filter(|_| !order.is_empty());
        let columns: Vec<Column> = heads
            .map(|head| (head, true))
            .chain(total.map(|head| (head.clone(), false)))
            .enumerate()
            .map(|(place, (head, is_value))| self.column(place, head, is_value, &mut names))
            .collect();
        plan.columns.splice(self.cross.at..self.cross.at, columns);
        plan.cross = None;
        // The charts have seen the rows themselves.
        plan.charts.clear();
        if !format.has_groups() {
            plan = plan.flat();
        }
        let (cells, has_total) = (self.cells, self.cross.total.is_some() && !order.is_empty());
        let blank = vec![Value::Null; self.fresh.len()];
        let rows = self.lines.into_iter().enumerate().map(move |(line, Line { mut row, whole })| {
            for head in &order {
                match cells.get(&(line, *head)) {
                    Some(cell) => row.extend(cell.iter().map(Accumulator::value)),
                    None => row.extend_from_slice(&blank),
                }
            }
            if has_total {
                row.extend(whole.iter().map(Accumulator::value));
            }
            row
        });
        (plan, names, rows)
    }

    pub fn lines(&self) -> u64 {
        self.lines.len() as u64
    }

    fn column(&self, place: usize, head: String, is_value: bool, names: &mut Vec<String>) -> Column {
        // No column of a query is named so.
        let name = |side: &str| format!("{}\u{1}{place}{side}", self.cross.by);
        let (source, foot) = match &self.cross.value {
            Measure::Ratio(ratio) => {
                names.extend([name("a"), name("b")]);
                let ratio = Ratio { numerator: name("a"), denominator: name("b"), scale: ratio.scale };
                (Source::Ratio(ratio.clone()), Measure::Ratio(ratio))
            }
            measure => {
                names.push(name(""));
                let foot = match measure {
                    Measure::Min(_) => Measure::Min(name("")),
                    Measure::Max(_) => Measure::Max(name("")),
                    _ => Measure::Sum(name("")),
                };
                (Source::Field(name("")), foot)
            }
        };
        // Its first line may be blank where others hold numbers.
        let align = match self.cross.value {
            Measure::Min(_) | Measure::Max(_) => None,
            _ => Some(Align::Right),
        };
        let emphasis = self.cross.emphasis.clone().filter(|_| is_value);
        Column { head, width: self.cross.width, align, format: self.cross.format.clone(), source, emphasis, foot: Some(foot) }
    }

    /// The heads by their declared order, or numbers and dates by their size, or as they came; a blank one last.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.heads.len()).collect();
        let text = |head: &Head| matches!(head.value, Value::Text(_) | Value::Bool(_));
        let is_sorted = self.order_by.is_some() || !self.heads.iter().any(text);
        order.sort_by(|left, right| {
            let (left, right) = (&self.heads[*left], &self.heads[*right]);
            let by_size = match self.order_by {
                Some(_) => compare(&left.order, &right.order),
                None if is_sorted => compare(&left.value, &right.value),
                None => Ordering::Equal,
            };
            left.value.is_null().cmp(&right.value.is_null()).then(by_size)
        });
        order
    }
}

/// What is added up for a measure.
fn parts(measure: &Measure, names: &[String]) -> Vec<Measure> {
    match measure {
        Measure::Ratio(ratio) => vec![Measure::side(&ratio.numerator, names), Measure::side(&ratio.denominator, names)],
        measure => vec![measure.clone()],
    }
}

/// Tells values apart, a blank from an empty text as well.
fn key<'a>(values: impl Iterator<Item = &'a Value>) -> String {
    let mut key = String::new();
    for value in values {
        key.push(if value.is_null() { '\u{1}' } else { '\u{2}' });
        write_value(&mut key, value, None);
    }
    key
}

fn head_text(value: &Value, format: Option<&CellFormat>) -> String {
    if value.is_null() { BLANK.to_owned() } else { show(value, format) }
}

fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Date(left), Value::Date(right)) => left.cmp(right),
        (Value::DateTime(left), Value::DateTime(right)) => left.cmp(right),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        _ => left.as_decimal().cmp(&right.as_decimal()),
    }
}
