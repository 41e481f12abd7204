//! What is the same of every table of the configuration: its row is locked and switched off, a page of it is listed, its records are
//! read. Macros, so that every statement is whole when it is checked at build time.

/// The path, the table, and the rights: what `Input` and `Record` of the same file are of. A row of it is locked, and deleted softly.
#[macro_export]
macro_rules! crud_resource {
    ($name:literal, table $table:tt, scope $scope:ty, right $right:expr) => {
        $crate::crud::resource!($name, table $table, scope $scope, read accounts::rights::Access::AnyOf(&[$right]), write $right);
    };
    ($name:literal, table $table:tt, scope $scope:ty, read $read:expr, write $write:expr) => {
        type Input = Input;
        type Record = Record;
        type Scope = $scope;

        const NAME: &'static str = $name;
        const READ: accounts::rights::Access = $read;
        const WRITE: accounts::rights::Access = accounts::rights::Access::AnyOf(&[$write]);
        const TABLE: &'static str = $table;

        async fn lock_row(tx: &mut sqlx::PgConnection, id: i64, aktivan: bool) -> platform::error::Result<Option<i32>> {
            let row = sqlx::query_scalar!("select verzija from " + $table + " where id = $1 and aktivan = $2 for update", id, aktivan);
            Ok(row.fetch_optional(tx).await?)
        }

        async fn set_active(tx: &mut sqlx::PgConnection, id: i64, aktivan: bool) -> platform::error::Result<()> {
            sqlx::query!("update " + $table + " set aktivan = $2 where id = $1", id, aktivan).execute(tx).await?;
            Ok(())
        }
    };
}

/// A page of the rows of `from`, which has `id`, `aktivan`, and the `columns` to sort by and to narrow down by; `searched` are the columns in
/// which the filter is looked for, `then` orders what is equal. A scope narrows the list down to those `of` the record `$7`; `but` hides
/// some, and what the worker changes of it is bound from `$8` on, or from `$7` where nothing narrows it down. What a worker may not see
/// is hidden by `from` already: nobody sorts by it or finds by it.
#[macro_export]
macro_rules! crud_listed {
    (from $from:tt, columns $columns:tt, searched $searched:tt, then $then:tt) => {
        $crate::crud::listed!(_scope, _actor: $from, $columns, $searched, $then, ("") ());
    };
    (from $from:tt, columns $columns:tt, searched $searched:tt, then $then:tt $(, but $but:tt)?, |$actor:ident| $($bind:expr),+) => {
        $crate::crud::listed!(_scope, $actor: $from, $columns, $searched, $then, ("" $(+ " and " + $but)?) ($(, $bind)+));
    };
    (
        from $from:tt, columns $columns:tt, searched $searched:tt, then $then:tt,
        of $of:tt $(, but $but:tt)? $(, |$actor:ident| $($bind:expr),+)?
    ) => {
        $crate::crud::listed!(@bound $from, $columns, $searched, $then, $of, ($($but)?) ($($actor, $($bind),+)?));
    };
    (@bound $from:tt, $columns:tt, $searched:tt, $then:tt, $of:tt, ($($but:tt)?) ()) => {
        $crate::crud::listed!(@bound $from, $columns, $searched, $then, $of, ($($but)?) (_actor,));
    };
    (@bound $from:tt, $columns:tt, $searched:tt, $then:tt, $of:tt, ($($but:tt)?) ($actor:ident, $($bind:expr),*)) => {
        $crate::crud::listed!(
            scope, $actor: $from, $columns, $searched, $then,
            (" and ($7::bigint is null or " + $of + ")" $(+ " and " + $but)?) (, scope.of $(, $bind)*)
        );
    };
    ($scope:ident, $actor:ident: $from:tt, $columns:tt, $searched:tt, $then:tt, $narrow:tt $bound:tt) => {
        $crate::crud::columns!($columns);
        $crate::crud::page!($columns {""} {""} $scope, $actor: $from, $searched, $then, $narrow $bound);
    };
}

/// The columns of a list as the query is read by them.
#[macro_export]
macro_rules! crud_columns {
    ([$($kind:ident $(($($choice:literal),+))? $name:literal),+ $(,)?]) => {
        const COLUMNS: &'static [$crate::crud::Column] =
            &[$($crate::crud::Column { name: $name, kind: $crate::crud::columns!(@$kind $(($($choice),+))?) }),+];
    };
    (@text) => { $crate::crud::Kind::Text };
    (@number) => { $crate::crud::Kind::Number };
    (@date) => { $crate::crud::Kind::Date };
    (@yes_no) => { $crate::crud::Kind::YesNo };
    (@choice ($($choice:literal),+)) => { $crate::crud::Kind::Choice(&[$($choice),+]) };
}

/// The statement of a page: takes one column after another, each with how it is shown, and writes its condition and its order.
#[macro_export]
macro_rules! crud_page {
    ([text $column:tt $($more:tt)*] $($rest:tt)+) => {
        $crate::crud::page!(@"fold(" $column ")" [$($more)*] $($rest)+);
    };
    ([number $column:tt $($more:tt)*] $($rest:tt)+) => {
        $crate::crud::page!(@"replace(trim_scale(" $column "::numeric)::text, '.', ',')" [$($more)*] $($rest)+);
    };
    ([date $column:tt $($more:tt)*] $($rest:tt)+) => {
        $crate::crud::page!(@"to_char(" $column ", 'DD.MM.YYYY.')" [$($more)*] $($rest)+);
    };
    ([yes_no $column:tt $($more:tt)*] $($rest:tt)+) => {
        $crate::crud::page!(@"" $column "::text" [$($more)*] $($rest)+);
    };
    ([choice $choices:tt $column:tt $($more:tt)*] $($rest:tt)+) => {
        $crate::crud::page!(@"" $column "::text" [$($more)*] $($rest)+);
    };
    (@$open:tt $column:tt $close:tt [$(, $($more:tt)*)?] {$($filters:tt)+} {$($orders:tt)+} $($rest:tt)+) => {
        $crate::crud::page!(
            [$($($more)*)?]
            {$($filters)+ + " and ($4::jsonb ->> '" + $column + "' is null or " + $open + $column + $close + " like $4::jsonb ->> '" + $column + "')"}
            {$($orders)+ + "case $3 when '" + $column + "' then " + $column + " end nulls first, case $3 when '-" + $column + "' then " + $column
                + " end desc nulls last, "}
            $($rest)+
        );
    };
    ([] {$($filters:tt)+} {$($orders:tt)+} $scope:ident, $actor:ident: $from:tt, $searched:tt, $then:tt, ($($narrow:tt)+) ($($bound:tt)*)) => {
        async fn page(
            db: &mut sqlx::PgConnection,
            $actor: &accounts::auth::Actor,
            listing: &$crate::crud::Listing,
            $scope: &Self::Scope,
        ) -> platform::error::Result<Vec<$crate::crud::ListedRow>> {
            let hits = sqlx::query_as!(
                $crate::crud::ListedRow,
                r#"select id as "id!", count(*) over () as "total!" from "# + $from + r#" r
                    where aktivan = $1 and ($2::text is null or fold(concat_ws(' ', "# + $searched + r#")) like $2)"#
                    + $($filters)+ + $($narrow)+ + " order by " + $($orders)+ + $then + ", id limit $5 offset $6",
                listing.aktivan,
                listing.like,
                listing.sort,
                listing.filters,
                listing.limit,
                listing.offset
                $($bound)*
            );
            Ok(hits.fetch_all(db).await?)
        }
    };
}

/// The records that a statement selects by the ids `$1`; what the worker changes of it is bound from `$2` on.
#[macro_export]
macro_rules! crud_fetched {
    ($select:tt $(+ $more:tt)* $(, |$actor:pat_param| $($bind:expr),+)?) => {
        async fn fetch(
            db: &mut sqlx::PgConnection,
            _actor: &accounts::auth::Actor,
            ids: &[i64],
        ) -> platform::error::Result<Vec<(i64, Self::Record)>> {
            $(let $actor = _actor;)?
            let rows = sqlx::query_as!(Record, $select $(+ $more)*, ids $($(, $bind)+)?);
            Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
        }
    };
}

/// A page and its records, both of `from`.
#[macro_export]
macro_rules! crud_selected {
    (select $select:tt, from $from:tt, $($listed:tt)+) => {
        $crate::crud::listed!(from $from, $($listed)+);
        $crate::crud::fetched!("select " + $select + " from " + $from + " r where id = any($1)");
    };
}

/// What narrows a list down: the id of the record that the listed ones belong to, by its name in the query.
#[macro_export]
macro_rules! crud_scope {
    ($name:tt, $doc:literal) => {
        #[derive(serde::Deserialize, utoipa::IntoParams)]
        #[into_params(parameter_in = Query)]
        pub struct Scope {
            #[doc = $doc]
            #[serde(rename = $name)]
            of: Option<i64>,
        }
    };
}

pub use {
    crud_columns as columns, crud_fetched as fetched, crud_listed as listed, crud_page as page, crud_resource as resource,
    crud_scope as scope, crud_selected as selected,
};
