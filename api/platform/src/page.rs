//! Lists: what part of one is asked for, and how it is answered.

use domain::fold::fold;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    deletion::Deletion,
    error::{Error, Result, Text},
};

/// The specification's clients ask for 50,000,000 rows and mean all; no list loads what no screen shows.
const MOST_ROWS: i64 = 1_000;

#[derive(Debug, Serialize, ToSchema)]
pub struct Page<T> {
    pub data: Vec<T>,
    /// Rows there are, on this page and on the others.
    pub total: i64,
    /// Who deleted each of the rows and when, in a list of what was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brisanja: Option<Vec<Deletion>>,
    /// More rows were asked for than one answer holds, and there are more: the next page has them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub skraceno: bool,
}

impl<T> Page<T> {
    /// A list that is answered whole.
    pub fn all(data: Vec<T>) -> Self {
        let total = i64::try_from(data.len()).unwrap_or(i64::MAX);
        Self::of(data, total)
    }

    /// A part of a list that has so many rows.
    pub fn of(data: Vec<T>, total: i64) -> Self {
        Self { data, total, brisanja: None, skraceno: false }
    }
}

/// Rows of one page of a list that goes on after the last row of the page before.
pub const PAGE_ROWS: i32 = 50;

/// The row after which the next page begins; none: this is the last one.
pub fn last_of_full<T>(page: &[T]) -> Option<&T> {
    page.last().filter(|_| i32::try_from(page.len()) == Ok(PAGE_ROWS))
}

/// What narrows choices down. A screen asks for a page of them and searches on; who asks for no size gets them all.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Narrowing {
    /// Words that the name contains, in any order, whatever the accents, the case and the script.
    filter: Option<String>,
    /// At most so many; `total` counts them all.
    size: Option<i64>,
}

impl Narrowing {
    /// A pattern for `like` of each word.
    pub fn words(&self) -> Result<Vec<String>> {
        self.filter.as_deref().unwrap_or_default().split_whitespace().map(|word| contains(word, "filter")).collect()
    }

    pub fn limit(&self) -> Option<i64> {
        self.size.map(|size| size.max(0))
    }
}

/// A `like` pattern for "contains", in which the signs of what is asked mean themselves.
pub fn contains(asked: &str, field: impl Into<Text>) -> Result<String> {
    // PostgreSQL's texts cannot hold it.
    if asked.contains('\0') {
        return Err(Error::invalid(field, "Filter sadrži nedozvoljen znak."));
    }
    let escaped = fold(asked).replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    Ok(format!("%{escaped}%"))
}

#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// From 0.
    #[serde(default)]
    page: i64,
    /// Rows a page; absent: as many as the server gives.
    #[serde(default = "most_rows")]
    size: i64,
}

fn most_rows() -> i64 {
    MOST_ROWS
}

impl Paging {
    pub fn limit(self) -> i64 {
        self.size.clamp(1, MOST_ROWS)
    }

    pub fn offset(self) -> i64 {
        self.page.max(0).saturating_mul(self.limit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_goes_on_after_the_last_row_of_a_full_page_alone() {
        let rows: Vec<i32> = (1..=PAGE_ROWS).collect();
        assert_eq!(last_of_full(&rows), Some(&PAGE_ROWS));
        assert_eq!(last_of_full(&rows[1..]), None);
        assert_eq!(last_of_full::<i32>(&[]), None);
    }

    #[test]
    fn a_page_is_never_negative_nor_larger_than_the_server_gives() {
        let paging = Paging { page: 3, size: 20 };
        assert_eq!((paging.limit(), paging.offset()), (20, 60));
        let all = Paging { page: 0, size: 50_000_000 };
        assert_eq!((all.limit(), all.offset()), (MOST_ROWS, 0));
        let absurd = Paging { page: i64::MIN, size: -1 };
        assert_eq!((absurd.limit(), absurd.offset()), (1, 0));
        assert_eq!(Paging { page: i64::MAX, size: 20 }.offset(), i64::MAX);
    }
}
