//! Lists that administration screens choose from, and that nobody edits: value types, kinds of report parameters, report
//! formats; and the workers of a role.

use axum::extract::State;
use domain::register::ValueType;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    admin::{attribute_type::AttributeType, report::Report, role::Role},
    crud::Read,
    error::Result,
    extract::{Json, Path, Query},
    page::Page,
    rights::Allowed,
    state::AppState,
};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
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
struct Numbered {
    num_vrednost: i16,
    naziv: String,
}

#[utoipa::path(get, path = "/api/value-types", responses((status = 200, body = Page<NamedValueType>)))]
async fn value_types(State(state): State<AppState>, _: Allowed<Read<AttributeType>>) -> Result<Json<Page<NamedValueType>>> {
    let rows =
        sqlx::query_as!(NamedValueType, r#"select num_vrednost as "num_vrednost: ValueType", naziv from value_type order by num_vrednost"#);
    Ok(Json(Page::all(rows.fetch_all(&state.db).await?)))
}

#[utoipa::path(get, path = "/api/report-parameter-kinds", responses((status = 200, body = Page<Numbered>)))]
async fn report_parameter_kinds(State(state): State<AppState>, _: Allowed<Read<Report>>) -> Result<Json<Page<Numbered>>> {
    let rows = sqlx::query_as!(Numbered, "select num_vrednost, naziv from report_parameter_kind order by num_vrednost");
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
    _: Allowed<Read<Report>>,
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

#[utoipa::path(get, path = "/api/roles/{id}/workers", params(("id" = i64, Path)), responses((status = 200, body = Page<RoleWorker>)))]
async fn workers_of_role(State(state): State<AppState>, actor: Allowed<Read<Role>>, Path(id): Path<i64>) -> Result<Json<Page<RoleWorker>>> {
    let rows = sqlx::query_as!(
        RoleWorker,
        "select w.id, w.ime, w.prezime
           from worker_role l join worker w on w.id = l.radnik_id and w.aktivan
          where l.uloga_id = $1 and w.id in (select radnik_id from workers_in_reach($2))
          order by w.prezime, w.ime, w.id",
        id,
        actor.radnik_id
    );
    Ok(Json(Page::all(rows.fetch_all(&state.db).await?)))
}
