//! Pausing a schedule and letting it go on. It keeps its plan; the times that fall into the pause are not made up for.

use accounts::rights::{Allowed, Reports};
use axum::{extract::State, http::StatusCode};
use domain::db;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::Path,
    routes::{Routes, routes},
    state::AppState,
};
use sqlx::PgConnection;

use super::{
    schedules::Schedule,
    scheduling::ScheduleScope,
    timing::first_fire,
    trail::{self, ReportAction, Subject},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(pause)).routes(routes!(resume))
}

/// A run that has begun goes on; no new one starts.
#[utoipa::path(post, path = "/api/report-schedules/{id}/pause", tag = "izvestaji", params(("id" = i64, Path)), responses((status = 204)))]
async fn pause(State(state): State<AppState>, actor: Allowed<Reports>, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let schedule = lock(&mut tx, actor.radnik_id, id).await?;
    if schedule.pauzirano_od.is_none() {
        sqlx::query!(
            "update report_schedule set pauzirano_od = now(), sledece_izvrsavanje = null, sledece_lokalno = null where id = $1",
            id
        )
        .execute(&mut *tx)
        .await?;
        record(&mut tx, actor.radnik_id, ReportAction::Pause, schedule).await?;
        tx.commit().await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Its next time is the first one from now on; what has failed before does not count any more.
#[utoipa::path(post, path = "/api/report-schedules/{id}/resume", tag = "izvestaji", params(("id" = i64, Path)),
    responses((status = 204), (status = 409, description = "Nema više nijedno izvršavanje")))]
async fn resume(State(state): State<AppState>, actor: Allowed<Reports>, Path(id): Path<i64>) -> Result<StatusCode> {
    ScheduleScope::load(&state.db, &actor, id).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let schedule = lock(&mut tx, actor.radnik_id, id).await?;
    if schedule.pauzirano_od.is_some() {
        let fire = schedule.rule().and_then(|rule| first_fire(&schedule.stored, &rule, state.clock.now()).ok());
        let fire = fire.ok_or_else(|| {
            Error::conflict("Po svom rasporedu zakazivanje nema više nijedno izvršavanje. Izmenite raspored, pa ga nastavite.")
        })?;
        sqlx::query!(
            "update report_schedule
                set pauzirano_od = null, razlog_pauze = null, neuspesi_od = now(), sledece_izvrsavanje = $2, sledece_lokalno = $3
              where id = $1",
            id,
            fire.at.to_sqlx() as _,
            fire.local.to_sqlx() as _,
        )
        .execute(&mut *tx)
        .await?;
        record(&mut tx, actor.radnik_id, ReportAction::Resume, schedule).await?;
        tx.commit().await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The worker's own schedule, as no scheduler changes it meanwhile.
async fn lock(tx: &mut PgConnection, worker: i64, id: i64) -> Result<Schedule> {
    sqlx::query!("select id from report_schedule where id = $1 and radnik_id = $2 for no key update", id, worker)
        .fetch_optional(&mut *tx)
        .await?;
    Schedule::find(tx, worker, id).await
}

async fn record(tx: &mut PgConnection, worker: i64, deed: ReportAction, schedule: Schedule) -> sqlx::Result<()> {
    let subject = Subject {
        klasa: "report_schedule",
        red_id: schedule.id.to_string(),
        izvestaj_id: schedule.izvestaj_id,
        parametri: &schedule.parametri.into(),
        opis: &schedule.parametri_opis,
    };
    trail::record(tx, worker, deed, &subject, None).await
}
