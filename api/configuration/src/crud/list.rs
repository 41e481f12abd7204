//! The list of a resource: what it is of, and the one statement that reads a page of it. The statement is put together of what the code of
//! the resource says; whatever a person typed is bound. The contract of every resource asks each column of its list.

use accounts::auth::Actor;
use platform::error::Result;
use sqlx::{AssertSqlSafe, FromRow, PgConnection, Postgres};

use super::{Column, Listing, Resource};

/// Where the rows of a list come from, and which of them it has. `$1` to `$6` are the listing's, what `Resource::binds` gives begins at `$7`.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// A table, or a query in brackets, called `r`; it has `id`, `aktivan` and the columns. What a worker may not see is hidden here
    /// already: nobody sorts by it or finds by it.
    pub from: &'static str,
    /// By which it is sorted and narrowed down; the first one is the order of a list that asks for none.
    pub columns: &'static [Column],
    /// The columns in which the filter is looked for.
    pub searched: &'static str,
    /// The order of what is equal.
    pub then: &'static str,
    /// Which rows belong to the record `$7`, where the list is narrowed down to those of one.
    pub of: Option<&'static str>,
    /// Which rows the worker is shown.
    pub but: Option<&'static str>,
}

/// A value that a list binds beside those of the listing.
#[derive(Debug)]
pub enum ListBind {
    Id(Option<i64>),
    Flag(bool),
}

/// One listed row, and how many there are on all pages together.
#[derive(Debug, FromRow)]
pub(super) struct ListedRow {
    pub id: i64,
    pub total: i64,
}

/// The rows of one page of a list, in its order.
pub(super) async fn page<R: Resource>(db: &mut PgConnection, actor: &Actor, listing: &Listing, scope: &R::Scope) -> Result<Vec<ListedRow>> {
    let mut query = sqlx::query_as::<Postgres, ListedRow>(AssertSqlSafe(R::LIST.statement()))
        .bind(listing.aktivan)
        .bind(&listing.like)
        .bind(&listing.sort)
        .bind(&listing.filters)
        .bind(listing.limit)
        .bind(listing.offset);
    for bind in R::binds(actor, scope) {
        query = match bind {
            ListBind::Id(id) => query.bind(id),
            ListBind::Flag(flag) => query.bind(flag),
        };
    }
    Ok(query.fetch_all(db).await?)
}

impl List {
    fn statement(&self) -> String {
        let Self { from, columns, searched, then, of, but } = self;
        let filters = columns.iter().map(|column| {
            let (name, shown) = (column.name, column.shown());
            format!(" and ($4::jsonb ->> '{name}' is null or {shown} like $4::jsonb ->> '{name}')")
        });
        let orders = columns.iter().map(|Column { name, .. }| {
            format!("case $3 when '{name}' then {name} end nulls first, case $3 when '-{name}' then {name} end desc nulls last, ")
        });
        let of = of.map(|of| format!(" and ($7::bigint is null or {of})"));
        let but = but.map(|but| format!(" and {but}"));
        format!(
            "select id, count(*) over () as total from {from} r
              where aktivan = $1 and ($2::text is null or fold(concat_ws(' ', {searched})) like $2){filters}{of}{but}
              order by {orders}{then}, id limit $5 offset $6",
            filters = filters.collect::<String>(),
            of = of.unwrap_or_default(),
            but = but.unwrap_or_default(),
            orders = orders.collect::<String>(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_has_a_condition_and_an_order_for_each_column() {
        const ROLES: List = List {
            from: "role",
            columns: &[Column::text("ime"), Column::number("broj"), Column::date("dan"), Column::yes_no("radi")],
            searched: "ime, opis",
            then: "ime",
            of: Some("radnik_id = $7"),
            but: Some("id <> $8"),
        };
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            words(&ROLES.statement()),
            words(
                "select id, count(*) over () as total from role r
                  where aktivan = $1 and ($2::text is null or fold(concat_ws(' ', ime, opis)) like $2)
                    and ($4::jsonb ->> 'ime' is null or fold(ime) like $4::jsonb ->> 'ime')
                    and ($4::jsonb ->> 'broj' is null or replace(trim_scale(broj::numeric)::text, '.', ',') like $4::jsonb ->> 'broj')
                    and ($4::jsonb ->> 'dan' is null or to_char(dan, 'DD.MM.YYYY.') like $4::jsonb ->> 'dan')
                    and ($4::jsonb ->> 'radi' is null or radi::text like $4::jsonb ->> 'radi')
                    and ($7::bigint is null or radnik_id = $7) and id <> $8
                  order by case $3 when 'ime' then ime end nulls first, case $3 when '-ime' then ime end desc nulls last,
                           case $3 when 'broj' then broj end nulls first, case $3 when '-broj' then broj end desc nulls last,
                           case $3 when 'dan' then dan end nulls first, case $3 when '-dan' then dan end desc nulls last,
                           case $3 when 'radi' then radi end nulls first, case $3 when '-radi' then radi end desc nulls last,
                           ime, id limit $5 offset $6"
            )
        );
    }
}
