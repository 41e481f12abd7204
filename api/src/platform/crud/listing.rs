//! The query that asks for one page of a list, and what the SQL of the list makes of it.

use domain::fold::fold;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::{Error, Result};

/// The most rows that one answer holds, whatever size was asked for.
const CAP: i64 = 5000;

/// Page `page` (from 0) of `size` rows; `sort` names a field, with a minus in front for descending order; `filter` is
/// looked for in the record's texts; `aktivan=false` lists what was deleted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    pub page: Option<i64>,
    pub size: Option<i64>,
    pub sort: Option<String>,
    pub filter: Option<String>,
    pub aktivan: Option<bool>,
}

/// What the SQL of a list needs to know.
#[derive(Debug, PartialEq)]
pub struct Listing {
    pub aktivan: bool,
    /// A folded pattern for `like`; none lists all.
    pub like: Option<String>,
    /// A column of `Resource::SORT`.
    pub sort: &'static str,
    pub descending: bool,
    pub limit: i64,
    pub offset: i64,
}

/// One listed row, and how many there are on all pages together.
#[derive(Debug)]
pub struct ListedRow {
    pub id: i64,
    pub total: i64,
}

impl ListQuery {
    pub fn resolve(&self, columns: &'static [&'static str]) -> Result<Listing> {
        let page = self.page.unwrap_or(0);
        let size = self.size.unwrap_or(CAP);
        if page < 0 || size < 1 {
            return Err(Error::malformed("Parametri poziva nisu ispravni."));
        }
        let (sort, descending) = match self.sort.as_deref().filter(|sort| !sort.is_empty()) {
            None => (columns[0], false),
            Some(asked) => {
                let (field, descending) = asked.strip_prefix('-').map_or((asked, false), |field| (field, true));
                let column = columns.iter().find(|column| same_name(column, field));
                (*column.ok_or_else(|| Error::invalid("sort", "Po ovoj koloni se ne može sortirati."))?, descending)
            }
        };
        let limit = size.min(CAP);
        Ok(Listing {
            aktivan: self.aktivan.unwrap_or(true),
            like: self.filter.as_deref().map(str::trim).filter(|filter| !filter.is_empty()).map(contains),
            sort,
            descending,
            limit,
            offset: page.saturating_mul(limit),
        })
    }
}

impl Listing {
    pub fn first_row(&self) -> Self {
        Self { like: self.like.clone(), limit: 1, offset: 0, ..*self }
    }
}

/// `datum_rodjenja` is `datumRodjenja` to the client.
fn same_name(column: &str, field: &str) -> bool {
    column.split('_').collect::<String>().eq_ignore_ascii_case(field)
}

/// A `like` pattern for "contains", in which the filter's own signs mean themselves.
fn contains(filter: &str) -> String {
    let escaped = fold(filter).replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[&str] = &["naziv", "datum_rodjenja"];

    fn ask(query: ListQuery) -> Listing {
        query.resolve(COLUMNS).expect("a good query")
    }

    #[test]
    fn a_bare_query_lists_active_rows_in_the_first_column_order() {
        let listing = ask(ListQuery::default());
        assert_eq!(listing, Listing { aktivan: true, like: None, sort: "naziv", descending: false, limit: CAP, offset: 0 });
    }

    #[test]
    fn the_size_that_means_all_is_cut_to_the_cap() {
        let listing = ask(ListQuery { size: Some(50_000_000), ..ListQuery::default() });
        assert_eq!((listing.limit, listing.offset), (CAP, 0));
        let third = ask(ListQuery { page: Some(2), size: Some(20), ..ListQuery::default() });
        assert_eq!((third.limit, third.offset), (20, 40));
    }

    #[test]
    fn sorting_takes_known_fields_only() {
        let listing = ask(ListQuery { sort: Some("-datumRodjenja".into()), ..ListQuery::default() });
        assert_eq!((listing.sort, listing.descending), ("datum_rodjenja", true));
        assert!(ListQuery { sort: Some("passwordHash".into()), ..ListQuery::default() }.resolve(COLUMNS).is_err());
    }

    #[test]
    fn signs_of_patterns_mean_themselves_in_a_filter() {
        let listing = ask(ListQuery { filter: Some(" 50%_Č\\ ".into()), ..ListQuery::default() });
        assert_eq!(listing.like.as_deref(), Some("%50\\%\\_c\\\\%"));
    }
}
