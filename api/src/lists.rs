//! Lists that administration screens choose from, and that nobody edits: value types, kinds of report parameters, report
//! formats; and the workers of a role.

use accounts::rights::Allowed;
use axum::extract::State;
use configuration::{
    admin::{attribute_type::AttributeType, role::Role},
    crud::{Column, ColumnFilters, ListColumns, ListQuery, ReadAccess},
};
use domain::register::ValueType;
use platform::{
    error::Result,
    extract::{Json, Path, Query},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use reporting::setup::report::Report;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(value_types))
        .routes(routes!(report_parameter_kinds))
        .routes(routes!(report_formats))
        .routes(routes!(workers_of_role))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NamedValueType {
    num_vrednost: ValueType,
    naziv: String,
}

/// An entry of a list that the specification numbers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NumberedOption {
    num_vrednost: i16,
    naziv: String,
}

#[utoipa::path(get, path = "/api/value-types", responses((status = 200, body = Page<NamedValueType>)))]
async fn value_types(State(state): State<AppState>, _: Allowed<ReadAccess<AttributeType>>) -> Result<Json<Page<NamedValueType>>> {
    let rows =
        sqlx::query_as!(NamedValueType, r#"select num_vrednost as "num_vrednost: ValueType", naziv from value_type order by num_vrednost"#);
    Ok(Json(Page::all(rows.fetch_all(&state.db).await?)))
}

#[utoipa::path(get, path = "/api/report-parameter-kinds", responses((status = 200, body = Page<NumberedOption>)))]
async fn report_parameter_kinds(State(state): State<AppState>, _: Allowed<ReadAccess<Report>>) -> Result<Json<Page<NumberedOption>>> {
    let rows = sqlx::query_as!(NumberedOption, "select num_vrednost, naziv from report_parameter_kind order by num_vrednost");
    Ok(Json(Page::all(rows.fetch_all(&state.db).await?)))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportFormat {
    id: i64,
    naziv: String,
    naziv_kratki: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OfReport {
    /// Only the formats of this report.
    izvestaj: Option<i64>,
}

#[utoipa::path(get, path = "/api/report-formats", params(OfReport), responses((status = 200, body = Page<ReportFormat>)))]
async fn report_formats(
    State(state): State<AppState>,
    _: Allowed<ReadAccess<Report>>,
    Query(scope): Query<OfReport>,
) -> Result<Json<Page<ReportFormat>>> {
    let rows = sqlx::query_as!(
        ReportFormat,
        "select f.id, f.naziv, f.naziv_kratki
           from report_format f
          where f.aktivan
            and ($1::bigint is null or exists (select from report_format_link l where l.format_id = f.id and l.izvestaj_id = $1))
          order by f.id",
        scope.izvestaj
    );
    Ok(Json(Page::all(rows.fetch_all(&state.db).await?)))
}

#[derive(Serialize, ToSchema)]
struct RoleWorker {
    id: i64,
    ime: String,
    prezime: String,
}

/// A page's worker, or none of a page that has none; and how many there are on all pages.
struct FoundWorker {
    id: Option<i64>,
    ime: Option<String>,
    prezime: Option<String>,
    total: i64,
}

impl ListColumns for RoleWorker {
    const COLUMNS: &'static [Column] = &[Column::text("prezime"), Column::text("ime")];
}

#[utoipa::path(get, path = "/api/roles/{id}/workers", params(("id" = i64, Path), ListQuery, ColumnFilters<RoleWorker>),
    responses((status = 200, body = Page<RoleWorker>)))]
async fn workers_of_role(
    State(state): State<AppState>,
    actor: Allowed<ReadAccess<Role>>,
    Path(id): Path<i64>,
    Query(query): Query<ListQuery>,
    Query(filters): Query<ColumnFilters<RoleWorker>>,
) -> Result<Json<Page<RoleWorker>>> {
    let listing = query.resolve(&filters)?;
    let rows = sqlx::query_as!(
        FoundWorker,
        r#"
        with all_of_it as (
            select w.id, w.ime, w.prezime
              from worker_role l join worker w on w.id = l.radnik_id and w.aktivan = $3
             where l.uloga_id = $1 and ((select administers_all($2)) or w.id in (select radnik_id from workers_in_reach($2)))
               and ($4::text is null or fold(w.ime || ' ' || w.prezime) like $4)
               and ($5::jsonb ->> 'ime' is null or fold(w.ime) like $5::jsonb ->> 'ime')
               and ($5::jsonb ->> 'prezime' is null or fold(w.prezime) like $5::jsonb ->> 'prezime'))
        select id as "id?", ime as "ime?", prezime as "prezime?", total as "total!"
          from (select count(*) as total from all_of_it) t
          left join (select * from all_of_it
                      order by case $6 when 'ime' then ime when 'prezime' then prezime end,
                               case $6 when '-ime' then ime when '-prezime' then prezime end desc, prezime, ime, id
                      limit $7 offset $8) w on true
         order by case $6 when 'ime' then ime when 'prezime' then prezime end,
                  case $6 when '-ime' then ime when '-prezime' then prezime end desc, prezime, ime, id
        "#,
        id,
        actor.radnik_id,
        listing.aktivan,
        listing.like,
        listing.filters,
        listing.sort,
        listing.limit,
        listing.offset
    );
    let rows = rows.fetch_all(&state.db).await?;
    let total = rows.first().map_or(0, |row| row.total);
    let worker = |row: FoundWorker| Some(RoleWorker { id: row.id?, ime: row.ime?, prezime: row.prezime? });
    Ok(Json(Page { total, skraceno: listing.cuts(total), ..Page::all(rows.into_iter().filter_map(worker).collect()) }))
}
