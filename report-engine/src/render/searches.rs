//! Where a result says which search shows whom its numbers count: in columns beside those of the numbers, which are not printed.
use domain::report_screen::{SEARCH_COLUMN, ScreenCellSearch, ScreenSearch};

use crate::plan::{Measure, Source, TablePlan, Value};

/// The column of searches of a column: it names it, alone or among others.
pub fn search_column(names: &[String], column: &str) -> Option<usize> {
    let of = |name: &String| name.strip_prefix(SEARCH_COLUMN).is_some_and(|rest| rest.split_whitespace().any(|one| one == column));
    names.iter().position(of)
}

/// By column of a table, where its searches and those of its total stand.
#[derive(Default)]
pub struct SearchColumns {
    cells: Vec<Option<usize>>,
    feet: Vec<Option<usize>>,
}

impl SearchColumns {
    pub fn bind(plan: &TablePlan, names: &[String]) -> Self {
        let of_cell = |source: &Source| match source {
            Source::Field(name) => search_column(names, name),
            _ => None,
        };
        let of_foot = |measure: &Option<Measure>| match measure {
            Some(Measure::Max(name)) => search_column(names, name),
            _ => None,
        };
        Self {
            cells: plan.columns.iter().map(|column| of_cell(&column.source)).collect(),
            feet: plan.columns.iter().map(|column| of_foot(&column.foot)).collect(),
        }
    }

    /// Of the cells of a row.
    pub fn of_row(&self, row: &[Value]) -> Vec<ScreenCellSearch> {
        read(&self.cells, row)
    }

    /// Of the total of the table; each row has the same.
    pub fn of_total(&self, row: &[Value]) -> Vec<ScreenCellSearch> {
        read(&self.feet, row)
    }
}

fn read(columns: &[Option<usize>], row: &[Value]) -> Vec<ScreenCellSearch> {
    let searches = columns.iter().enumerate().filter_map(|(place, column)| {
        let Value::Text(text) = &row[(*column)?] else { return None };
        Some(ScreenCellSearch { kolona: place as u16, pretraga: ScreenSearch::read(text)? })
    });
    searches.collect()
}
