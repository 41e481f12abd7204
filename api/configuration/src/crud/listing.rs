//! The query that asks for one page of a list, and what the SQL of the list makes of it.

use platform::{
    error::{Error, Result},
    page::contains,
    reading,
};
use serde::Deserialize;
use serde_json::Value;
use utoipa::IntoParams;

use super::columns::{ColumnFilters, ListColumns};

/// The most rows that one answer holds, whatever size was asked for.
const CAP: i64 = 5000;

/// Page `page` (from 0) of `size` rows, of which one answer holds 5000 at most: `skraceno` says where it cut them. `sort` names a
/// column, with a minus in front for descending order; `filter` is looked for in the record's texts; `aktivan=false` lists what was deleted.
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
    /// One of the list's columns, with a minus in front for descending order.
    pub sort: String,
    /// A pattern for `like` by the name of its column.
    pub filters: Value,
    pub limit: i64,
    pub offset: i64,
    /// More rows were asked for than one answer holds.
    pub capped: bool,
}

impl ListQuery {
    pub fn resolve<L: ListColumns>(&self, filters: &ColumnFilters<L>) -> Result<Listing> {
        let page = self.page.unwrap_or(0);
        let size = self.size.unwrap_or(i64::MAX);
        if let Some(name) = [("page", page < 0), ("size", size < 1)].into_iter().find_map(|(name, is_wrong)| is_wrong.then_some(name)) {
            return Err(reading::wrong_parameter(name));
        }
        let asked = self.sort.as_deref().filter(|sort| !sort.is_empty());
        let (field, minus) = asked.map_or(("", ""), |asked| asked.strip_prefix('-').map_or((asked, ""), |field| (field, "-")));
        let column = match asked {
            None => L::COLUMNS.first(),
            Some(_) => L::COLUMNS.iter().find(|column| column.is_called(field)),
        };
        let column = column.ok_or_else(|| Error::invalid("sort", "Po ovoj koloni se ne može sortirati."))?;
        let limit = size.min(CAP);
        Ok(Listing {
            aktivan: self.aktivan.unwrap_or(true),
            like: pattern(self.filter.as_deref())?,
            sort: format!("{minus}{}", column.name),
            filters: filters.resolve()?,
            limit,
            offset: page.saturating_mul(limit),
            capped: size > CAP,
        })
    }
}

impl Listing {
    /// Whether the answer holds fewer of the `total` rows than were asked for.
    pub fn cuts(&self, total: i64) -> bool {
        self.capped && self.offset.saturating_add(self.limit) < total
    }

    pub fn first_row(&self) -> Self {
        Self { like: self.like.clone(), sort: self.sort.clone(), filters: self.filters.clone(), limit: 1, offset: 0, ..*self }
    }
}

fn pattern(filter: Option<&str>) -> Result<Option<String>> {
    filter.map(str::trim).filter(|filter| !filter.is_empty()).map(|filter| contains(filter, "filter")).transpose()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{
        super::columns::{Column, Kind},
        *,
    };

    struct Sample;

    impl ListColumns for Sample {
        const COLUMNS: &'static [Column] = &[Column::text("naziv"), Column { name: "datum_rodjenja", kind: Kind::Date }];
    }

    fn resolve(query: &ListQuery) -> Result<Listing> {
        query.resolve(&ColumnFilters::<Sample>::default())
    }

    fn ask(query: ListQuery) -> Listing {
        resolve(&query).expect("a good query")
    }

    #[test]
    fn a_bare_query_lists_active_rows_in_the_first_column_order() {
        let listing = ask(ListQuery::default());
        let all = Listing { aktivan: true, like: None, sort: "naziv".to_owned(), filters: json!({}), limit: CAP, offset: 0, capped: true };
        assert_eq!(listing, all);
    }

    #[test]
    fn the_size_that_means_all_is_cut_to_the_cap() {
        let listing = ask(ListQuery { size: Some(50_000_000), ..ListQuery::default() });
        assert_eq!((listing.limit, listing.offset, listing.capped), (CAP, 0, true));
        let third = ask(ListQuery { page: Some(2), size: Some(20), ..ListQuery::default() });
        assert_eq!((third.limit, third.offset, third.capped), (20, 40, false));
    }

    #[test]
    fn a_list_is_cut_where_more_rows_are_asked_for_and_there_than_one_answer_holds() {
        let all = |page| ask(ListQuery { page: Some(page), size: Some(50_000_000), ..ListQuery::default() });
        assert_eq!([all(0).cuts(CAP), all(0).cuts(CAP + 1)], [false, true]);
        assert_eq!([all(1).cuts(2 * CAP), all(1).cuts(2 * CAP + 1)], [false, true]);
        assert!(!ask(ListQuery { size: Some(20), ..ListQuery::default() }).cuts(1000), "no more was asked for");
    }

    #[test]
    fn sorting_takes_known_fields_only() {
        let by = |sort: &str| ListQuery { sort: Some(sort.into()), ..ListQuery::default() };
        assert_eq!(ask(by("-datumRodjenja")).sort, "-datum_rodjenja");
        assert_eq!(ask(by("naziv")).sort, "naziv");
        for unknown in ["passwordHash", "-", "naziv; drop table worker"] {
            assert!(resolve(&by(unknown)).is_err(), "{unknown}");
        }
    }
}
