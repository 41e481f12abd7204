//! The searches that numbers of an analysis lead to: that of the whole, as the query says it, and what each value adds to it.
use domain::report_screen::{ScreenSearch, SearchPart};

use super::columns::ColumnStore;

/// The search of the rows' own number in a column: one row has one number.
pub fn of_number(store: &ColumnStore, column: &str, rows: impl Iterator<Item = usize>) -> Option<ScreenSearch> {
    store.search_text(column, rows).and_then(ScreenSearch::read)
}

/// The search of these rows, of which all have one value in each of the columns.
pub fn of_values(store: &ColumnStore, columns: &[&str], rows: &[usize]) -> Option<ScreenSearch> {
    let rows = || rows.iter().copied();
    let whole = ScreenSearch::read(store.search_text("", rows())?)?;
    columns.iter().try_fold(whole, |search, column| search.and(&SearchPart::read(store.search_text(column, rows())?)?))
}
