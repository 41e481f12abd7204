//! The rows of a section that repeats: an entry holds them as one value of the section's field, each with an id that tells it from the
//! others whoever edits beside.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    computed::{missing, wrong_date, wrong_number},
    form::EntryField,
    value_text::value_text,
    values::{Values, alike},
};
use crate::{
    answer::Answer,
    register::{MOST_ROWS, ValueType},
};

/// Ids are small numbers, which tell nothing of a person: what is made anonymous keeps them.
pub const LARGEST_ID: i64 = 99_999_999;

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub id: i64,
    /// By the ids of the columns; a blank one is absent.
    pub cells: Values,
}

/// Whether a stored value is of a section.
pub fn are_rows(value: &Value) -> bool {
    value.as_array().is_some_and(|rows| rows.first().is_some_and(|row| row.get("v").is_some_and(Value::is_object)))
}

/// The rows of a stored value, in their order; what is no row is none.
pub fn of(value: Option<&Value>) -> Vec<Row> {
    let row = |row: &Value| {
        let cells = super::values::from_json(row.get("v").filter(|cells| cells.is_object())?);
        Some(Row { id: row.get("id")?.as_i64()?, cells })
    };
    value.and_then(Value::as_array).into_iter().flatten().filter_map(row).collect()
}

/// As the database keeps them; none where there is no row.
pub fn to_value(rows: &[Row]) -> Option<Value> {
    let all: Vec<Value> = rows.iter().map(|row| json!({ "id": row.id, "v": super::values::to_json(&row.cells) })).collect();
    (!all.is_empty()).then_some(Value::Array(all))
}

/// What is told of rows that are none.
pub fn unreadable(section: &EntryField) -> String {
    format!("Redovi sekcije „{}” nisu ispravni.", section.naziv)
}

/// What the rows break of the rules of their section, the first fault of each row, with the row's place; none: of all rows together.
/// `typed`: what of the section was typed in other units; `hidden`: cells that do not show, by the ids of their row and column.
pub fn faults_by_row(
    section: &EntryField,
    value: &Value,
    typed: Option<&Value>,
    hidden: &BTreeSet<(i64, i64)>,
) -> Vec<(Option<usize>, String)> {
    let rows = of(Some(value));
    let most = section.najvise_redova.unwrap_or(MOST_ROWS);
    let mut found = Vec::new();
    if rows.len() > usize::try_from(most).unwrap_or_default() {
        found.push((None, format!("Sekcija „{}” može imati najviše {most} redova.", section.naziv)));
    }
    for (at, row) in rows.iter().enumerate() {
        let is_asked = |column: &&EntryField| column.prikazuje_se && !column.is_calculated() && !hidden.contains(&(row.id, column.id));
        let fault = section.kolone.iter().filter(is_asked).find_map(|column| cell_fault(column, row, typed));
        found.extend(fault.map(|fault| (Some(at), in_row(section, at, &fault))));
    }
    found
}

fn cell_fault(column: &EntryField, row: &Row, typed: Option<&Value>) -> Option<String> {
    let Some(value) = row.cells.get(&column.id) else {
        let asked = !column.opciono && column.tva_num_vrednost != ValueType::Choice;
        return asked.then(|| missing(column));
    };
    match Answer::of(column.tva_num_vrednost, value)? {
        Answer::Number(number) => {
            let converted = typed.and_then(|typed| typed.get(row.id.to_string())?.get(column.id.to_string()));
            wrong_number(column, number, converted.is_some())
        }
        answer => wrong_date(column, answer.day()?),
    }
}

/// A message about a row, `at` counted from 0: names the section and the row before it.
pub fn in_row(section: &EntryField, at: usize, message: &str) -> String {
    format!("{}, {}. red: {}", section.naziv, at + 1, message.strip_prefix("Stavka sa nazivom: ").unwrap_or(message))
}

/// A row in words: what is filled, by the names of the columns.
pub fn told(section: &EntryField, row: &Row) -> String {
    let cells = section.kolone.iter().filter_map(|column| Some((column, value_text(column, row.cells.get(&column.id)?)?)));
    cells.map(|(column, text)| format!("{}: {text}", column.naziv)).collect::<Vec<_>>().join(", ")
}

/// All rows in words.
pub fn text(section: &EntryField, value: &Value) -> String {
    let rows = of(Some(value));
    rows.iter().enumerate().map(|(at, row)| format!("{}) {}", at + 1, told(section, row))).collect::<Vec<_>>().join("; ")
}

/// Heads and cells of the columns that are shown, for whoever draws a table.
pub fn table(section: &EntryField, value: &Value) -> (Vec<String>, Vec<Vec<String>>) {
    let columns: Vec<&EntryField> = section.kolone.iter().filter(|column| column.prikazuje_se).collect();
    let cell = |row: &Row, column: &EntryField| row.cells.get(&column.id).and_then(|value| value_text(column, value)).unwrap_or_default();
    let rows = of(Some(value)).iter().map(|row| columns.iter().map(|column| cell(row, column)).collect()).collect();
    (columns.iter().map(|column| column.naziv.clone()).collect(), rows)
}

/// What became of the rows, in words. A row is counted as it stood where it is told of.
pub fn changes(section: &EntryField, old: Option<&Value>, new: Option<&Value>) -> Vec<String> {
    let (was, now) = (of(old), of(new));
    let mut said = Vec::new();
    for (at, row) in was.iter().enumerate().filter(|(_, row)| !now.iter().any(|other| other.id == row.id)) {
        said.push(format!("uklonjen {}. red ({})", at + 1, told(section, row)));
    }
    for (at, row) in now.iter().enumerate() {
        match was.iter().find(|other| other.id == row.id) {
            None => said.push(format!("dodat {}. red ({})", at + 1, told(section, row))),
            Some(before) => {
                let text = |row: &Row, column: &EntryField| row.cells.get(&column.id).and_then(|value| value_text(column, value));
                let changed = section.kolone.iter().filter(|column| !alike(before.cells.get(&column.id), row.cells.get(&column.id)));
                said.extend(changed.map(|column| {
                    let side = |row| text(row, column).unwrap_or_else(|| "–".to_owned());
                    format!("{}. red, {}: {} → {}", at + 1, column.naziv, side(before), side(row))
                }));
            }
        }
    }
    said
}

/// Two people's rows of one section.
#[derive(Debug, PartialEq)]
pub enum JoinedRows {
    Both(Option<Value>),
    /// Something was edited by both: all rows with the one's answers there, or with the other's.
    Either {
        mine: Option<Value>,
        theirs: Option<Value>,
    },
}

/// Joins rows by their ids, and within one row by cell; none where the answers are no rows. Rows that were added stay, whoever added
/// them; a row that one took out goes where the other left it alone.
pub fn merge(was: Option<&Value>, mine: Option<&Value>, theirs: Option<&Value>) -> Option<JoinedRows> {
    if ![was, mine, theirs].into_iter().flatten().any(are_rows) {
        return None;
    }
    let (was, my, their) = (of(was), of(mine), of(theirs));
    let find = |rows: &[Row], id: i64| rows.iter().find(|row| row.id == id).cloned();
    let mut ids: Vec<i64> = their.iter().map(|row| row.id).collect();
    ids.extend(my.iter().map(|row| row.id).filter(|id| find(&their, *id).is_none()));
    let (mut with_mine, mut with_theirs, mut clashed) = (Vec::new(), Vec::new(), false);
    for id in ids {
        let (before, one, other) = (find(&was, id), find(&my, id), find(&their, id));
        match (one, other) {
            (Some(one), Some(other)) => {
                let (one, other, both) = merge_cells(before.as_ref(), &one, &other);
                clashed |= both;
                with_mine.push(one);
                with_theirs.push(other);
            }
            (Some(one), None) => match before {
                None => {
                    with_mine.push(one.clone());
                    with_theirs.push(one);
                }
                Some(before) if same(&before, &one) => {}
                Some(_) => {
                    clashed = true;
                    with_mine.push(one);
                }
            },
            (None, Some(other)) => match before {
                None => {
                    with_mine.push(other.clone());
                    with_theirs.push(other);
                }
                Some(before) if same(&before, &other) => {}
                Some(_) => {
                    clashed = true;
                    with_theirs.push(other);
                }
            },
            (None, None) => {}
        }
    }
    Some(match clashed {
        true => JoinedRows::Either { mine: to_value(&with_mine), theirs: to_value(&with_theirs) },
        false => JoinedRows::Both(to_value(&with_mine)),
    })
}

fn same(one: &Row, other: &Row) -> bool {
    one.cells.len() == other.cells.len() && one.cells.iter().all(|(id, value)| alike(Some(value), other.cells.get(id)))
}

/// The row as it is with one's answers where both edited a cell, and with the other's; and whether there is such a cell.
fn merge_cells(was: Option<&Row>, mine: &Row, theirs: &Row) -> (Row, Row, bool) {
    let ids: BTreeSet<i64> = mine.cells.keys().chain(theirs.cells.keys()).copied().collect();
    let (mut one, mut other, mut clashed) = (Values::new(), Values::new(), false);
    for id in ids {
        let (before, my, their) = (was.and_then(|was| was.cells.get(&id)), mine.cells.get(&id), theirs.cells.get(&id));
        let (first, second) = if alike(my, before) || alike(my, their) {
            (their, their)
        } else if alike(their, before) {
            (my, my)
        } else {
            clashed = true;
            (my, their)
        };
        one.extend(first.map(|value| (id, value.clone())));
        other.extend(second.map(|value| (id, value.clone())));
    }
    (Row { id: mine.id, cells: one }, Row { id: mine.id, cells: other }, clashed)
}

/// Whether some cell of the rows is such a one, by the ids of its row and column.
pub fn any_cell(value: &Value, is_such: impl Fn(i64, i64) -> bool) -> bool {
    of(Some(value)).iter().any(|row| row.cells.keys().any(|column| is_such(row.id, *column)))
}

/// The rows as a person typed them: results are the server's.
pub fn typed(section: &EntryField, value: &Value) -> Option<Value> {
    if !section.has_results() {
        return Some(value.clone());
    }
    let mut rows = of(Some(value));
    for row in &mut rows {
        row.cells.retain(|id, _| !section.kolone.iter().any(|column| column.id == *id && column.is_calculated()));
    }
    rows.retain(|row| !row.cells.is_empty());
    to_value(&rows)
}

/// Cells of columns that the form does not have any more were taken out by nobody: they stay in their rows.
pub fn keep_retired(section: &EntryField, mine: &Value, stored: &Value) -> Value {
    let mut rows = of(Some(mine));
    for kept in of(Some(stored)) {
        let Some(row) = rows.iter_mut().find(|row| row.id == kept.id) else { continue };
        let retired = kept.cells.into_iter().filter(|(id, _)| !section.kolone.iter().any(|column| column.id == *id));
        row.cells.extend(retired);
    }
    to_value(&rows).unwrap_or_else(|| mine.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(id: i64, kind: ValueType, naziv: &str) -> EntryField {
        EntryField { id, naziv: naziv.to_owned(), tva_num_vrednost: kind, prikazuje_se: true, opciono: true, ..EntryField::default() }
    }

    fn section() -> EntryField {
        let kolone = vec![EntryField { opciono: false, ..column(2, ValueType::Text, "Lek") }, column(3, ValueType::Number, "Doza")];
        EntryField { najvise_redova: Some(2), kolone, ..column(1, ValueType::Panel, "Terapija") }
    }

    fn row(id: i64, cells: Value) -> Value {
        json!({ "id": id, "v": cells })
    }

    #[test]
    fn a_fault_names_the_section_the_row_and_the_column() {
        let faults = |section: &_, rows: &_| -> Vec<String> {
            faults_by_row(section, rows, None, &BTreeSet::new()).into_iter().map(|(_, message)| message).collect()
        };
        let rows = json!([row(1, json!({ "2": "Aspirin" })), row(2, json!({ "3": 1e300 }))]);
        assert_eq!(faults(&section(), &rows), ["Terapija, 2. red: Niste uneli stavku sa nazivom: Lek."]);
        let rows = json!([row(1, json!({ "2": "A", "3": 1e300 }))]);
        assert!(faults(&section(), &rows)[0].starts_with("Terapija, 1. red: Doza nije u opsegu"));
        let three = json!([row(1, json!({ "2": "A" })), row(2, json!({ "2": "B" })), row(3, json!({ "2": "C" }))]);
        assert_eq!(faults(&section(), &three), ["Sekcija „Terapija” može imati najviše 2 redova."]);
    }

    #[test]
    fn what_became_of_rows_is_told_row_by_row() {
        let was = json!([row(1, json!({ "2": "A", "3": 1 })), row(2, json!({ "2": "B" }))]);
        let now = json!([row(2, json!({ "2": "B", "3": 5 })), row(7, json!({ "2": "C" }))]);
        let said = ["uklonjen 1. red (Lek: A, Doza: 1)", "1. red, Doza: – → 5", "dodat 2. red (Lek: C)"];
        assert_eq!(changes(&section(), Some(&was), Some(&now)), said);
        assert_eq!(changes(&section(), Some(&now), Some(&now)), [""; 0]);
        assert_eq!(text(&section(), &was), "1) Lek: A, Doza: 1; 2) Lek: B");
        assert_eq!(value_text(&section(), &was), Some(text(&section(), &was)));
        let panel = EntryField { najvise_redova: None, ..section() };
        assert_eq!(value_text(&panel, &was), None, "a panel that does not repeat holds nothing");
    }

    #[test]
    fn a_table_has_the_columns_that_are_shown_and_a_blank_cell_where_nothing_was_typed() {
        let mut section = section();
        section.kolone.push(EntryField { prikazuje_se: false, ..column(4, ValueType::Text, "Beleška") });
        let rows = json!([row(1, json!({ "2": "A", "3": 1, "4": "x" })), row(2, json!({ "2": "B" }))]);
        let cells = [["A", "1"], ["B", ""]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&section, &rows), (vec!["Lek".to_owned(), "Doza".to_owned()], cells.to_vec()));
        assert_eq!(table(&section, &json!([])).1, Vec::<Vec<String>>::new());
    }

    #[test]
    fn a_column_that_is_gone_keeps_what_it_held() {
        let stored = json!([row(1, json!({ "2": "A", "9": 4 })), row(2, json!({ "9": 5 }))]);
        let mine = json!([row(1, json!({ "2": "B" }))]);
        assert_eq!(keep_retired(&section(), &mine, &stored), json!([row(1, json!({ "2": "B", "9": 4 }))]));
    }
}
