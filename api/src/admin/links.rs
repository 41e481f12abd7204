//! Links that transfer lists make and take away at once (B §4): rights of roles, roles and institutions of workers,
//! formats of reports. Making a link that exists and removing one that does not are no errors.

use axum::{extract::State, http::StatusCode};
use domain::db;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    admin::{
        report::Report,
        role::{self, Role},
        worker::Worker,
    },
    ceiling,
    crud::Write,
    error::{Error, Result},
    extract::Json,
    rights::Allowed,
    state::AppState,
};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(give_right))
        .routes(routes!(take_rights))
        .routes(routes!(give_role))
        .routes(routes!(take_roles))
        .routes(routes!(join_institution))
        .routes(routes!(leave_institutions))
        .routes(routes!(add_format))
        .routes(routes!(remove_formats))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RoleRight {
    uloga: i64,
    aplikativno_pravo: i64,
}

#[utoipa::path(post, path = "/api/role-rights", request_body = RoleRight, responses((status = 204)))]
async fn give_right(State(state): State<AppState>, actor: Allowed<Write<Role>>, Json(link): Json<RoleRight>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    ceiling::over_right(&mut tx, &actor, link.aplikativno_pravo).await?;
    ceiling::over_role(&mut tx, &actor, link.uloga).await?;
    sqlx::query!(
        "insert into role_right (uloga_id, aplikativno_pravo_id) values ($1, $2) on conflict do nothing",
        link.uloga,
        link.aplikativno_pravo
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
struct RoleRights {
    #[serde(rename = "ulogaID")]
    uloga_id: i64,
    #[serde(rename = "aplikativnaPravaID")]
    aplikativna_prava_id: Vec<i64>,
}

#[utoipa::path(post, path = "/api/role-rights-delete", request_body = RoleRights, responses((status = 204)))]
async fn take_rights(State(state): State<AppState>, actor: Allowed<Write<Role>>, Json(links): Json<RoleRights>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    ceiling::over_role(&mut tx, &actor, links.uloga_id).await?;
    let before = ceiling::givable(&mut tx).await?;
    sqlx::query!(
        "delete from role_right where uloga_id = $1 and aplikativno_pravo_id = any($2)",
        links.uloga_id,
        &links.aplikativna_prava_id
    )
    .execute(&mut *tx)
    .await?;
    role::refuse_own_loss(&mut tx, &actor).await?;
    ceiling::refuse_last_loss(&mut tx, &before).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
struct WorkerRole {
    radnik: i64,
    uloga: i64,
}

#[utoipa::path(post, path = "/api/worker-roles", request_body = WorkerRole, responses((status = 204)))]
async fn give_role(State(state): State<AppState>, actor: Allowed<Write<Worker>>, Json(link): Json<WorkerRole>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    ceiling::over_role(&mut tx, &actor, link.uloga).await?;
    sqlx::query!("insert into worker_role (radnik_id, uloga_id) values ($1, $2) on conflict do nothing", link.radnik, link.uloga)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
struct WorkerRoles {
    #[serde(rename = "radnikID")]
    radnik_id: i64,
    #[serde(rename = "ulogeID")]
    uloge_id: Vec<i64>,
}

#[utoipa::path(post, path = "/api/worker-roles-delete", request_body = WorkerRoles, responses((status = 204)))]
async fn take_roles(State(state): State<AppState>, actor: Allowed<Write<Worker>>, Json(links): Json<WorkerRoles>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    ceiling::over_worker(&mut tx, &actor, links.radnik_id).await?;
    let before = ceiling::givable(&mut tx).await?;
    sqlx::query!("delete from worker_role where radnik_id = $1 and uloga_id = any($2)", links.radnik_id, &links.uloge_id)
        .execute(&mut *tx)
        .await?;
    role::refuse_own_loss(&mut tx, &actor).await?;
    ceiling::refuse_last_loss(&mut tx, &before).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
struct WorkerInstitution {
    radnik: i64,
    ustanova: i64,
}

#[utoipa::path(post, path = "/api/worker-institutions", request_body = WorkerInstitution, responses((status = 204)))]
async fn join_institution(
    State(state): State<AppState>,
    actor: Allowed<Write<Worker>>,
    Json(link): Json<WorkerInstitution>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    ceiling::over_worker(&mut tx, &actor, link.radnik).await?;
    sqlx::query!(
        "insert into worker_institution (radnik_id, ustanova_id) values ($1, $2) on conflict do nothing",
        link.radnik,
        link.ustanova
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
struct WorkerInstitutions {
    #[serde(rename = "radnikID")]
    radnik_id: i64,
    #[serde(rename = "ustanoveID")]
    ustanove_id: Vec<i64>,
}

#[utoipa::path(post, path = "/api/worker-institutions-delete", request_body = WorkerInstitutions, responses((status = 204)))]
async fn leave_institutions(
    State(state): State<AppState>,
    actor: Allowed<Write<Worker>>,
    Json(links): Json<WorkerInstitutions>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    ceiling::over_worker(&mut tx, &actor, links.radnik_id).await?;
    let primary = sqlx::query_scalar!("select ustanova_id from worker where id = $1 for update", links.radnik_id)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or(Error::NotFound)?;
    if primary.is_some_and(|primary| links.ustanove_id.contains(&primary)) {
        return Err(Error::conflict("Radnik radi u ovoj ustanovi. Prvo mu promenite ustanovu."));
    }
    sqlx::query!("delete from worker_institution where radnik_id = $1 and ustanova_id = any($2)", links.radnik_id, &links.ustanove_id)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
struct ReportFormatLink {
    izvestaj: i64,
    format: i64,
}

#[utoipa::path(post, path = "/api/report-format-links", request_body = ReportFormatLink, responses((status = 204)))]
async fn add_format(
    State(state): State<AppState>,
    actor: Allowed<Write<Report>>,
    Json(link): Json<ReportFormatLink>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    sqlx::query!(
        "insert into report_format_link (izvestaj_id, format_id) values ($1, $2) on conflict do nothing",
        link.izvestaj,
        link.format
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
struct ReportFormatLinks {
    #[serde(rename = "statistickiIzvestajID")]
    statisticki_izvestaj_id: i64,
    #[serde(rename = "formatiID")]
    formati_id: Vec<i64>,
}

#[utoipa::path(post, path = "/api/report-format-links-delete", request_body = ReportFormatLinks, responses((status = 204)))]
async fn remove_formats(
    State(state): State<AppState>,
    actor: Allowed<Write<Report>>,
    Json(links): Json<ReportFormatLinks>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    sqlx::query!(
        "delete from report_format_link where izvestaj_id = $1 and format_id = any($2)",
        links.statisticki_izvestaj_id,
        &links.formati_id
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
