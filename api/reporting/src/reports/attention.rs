//! The mark in the menu: fires of the worker's schedules that made no report and that she has not looked at.

use accounts::rights::{Allowed, Reports};
use axum::{extract::State, http::StatusCode};
use platform::{
    error::Result,
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(attention)).routes(routes!(seen))
}

#[derive(Serialize, ToSchema)]
struct ReportAttention {
    /// Failed, missed, refused and skipped fires of the last thirty days, and schedules that ended with their report.
    broj: i64,
}

#[utoipa::path(get, path = "/api/report-runs/attention", tag = "izvestaji", responses((status = 200, body = ReportAttention)))]
async fn attention(State(state): State<AppState>, actor: Allowed<Reports>) -> Result<Json<ReportAttention>> {
    let broj = sqlx::query_scalar!(
        r#"select count(*) as "broj!" from report_run
            where radnik_id = $1 and created_at > now() - interval '30 days' and zakazivanje_id is not null and not vlasnik_video
              and status in ('failed', 'missed', 'skipped_overlap', 'skipped_unauthorised', 'skipped_paused', 'skipped_ended') and deleted_at is null"#,
        actor.radnik_id
    )
    .fetch_one(&state.db)
    .await?;
    Ok(Json(ReportAttention { broj }))
}

/// The worker has the list of her runs before her.
#[utoipa::path(post, path = "/api/report-runs/seen", tag = "izvestaji", responses((status = 204)))]
async fn seen(State(state): State<AppState>, actor: Allowed<Reports>) -> Result<StatusCode> {
    sqlx::query!(
        "update report_run set vlasnik_video = true
          where radnik_id = $1 and zakazivanje_id is not null and not vlasnik_video
            and status in ('failed', 'missed', 'skipped_overlap', 'skipped_unauthorised', 'skipped_paused', 'skipped_ended')",
        actor.radnik_id
    )
    .execute(&state.db)
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
