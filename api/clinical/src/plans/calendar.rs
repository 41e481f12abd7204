//! How many visits are to each day: the calendar shows counts, and a day opens its list.

use accounts::auth::Actor;
use axum::extract::State;
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(calendar))
}

/// Days that one answer holds.
const MOST_DAYS: i32 = 100;

#[derive(Deserialize, IntoParams)]
struct CalendarQuery {
    od: Date,
    #[serde(rename = "do")]
    until: Date,
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    #[serde(rename = "radnikID")]
    radnik_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
struct CalendarDay {
    dan: Date,
    broj: i64,
}

/// Visits of the worker's institution by their targets; days without any are left out.
#[utoipa::path(get, path = "/api/planned-visit-calendar", params(CalendarQuery), responses((status = 200, body = Page<CalendarDay>)))]
async fn calendar(State(state): State<AppState>, actor: Actor, Query(query): Query<CalendarQuery>) -> Result<Json<Page<CalendarDay>>> {
    let days = query.od.until(query.until).map_err(anyhow::Error::from)?.get_days();
    if !(0..=MOST_DAYS).contains(&days) {
        return Err(Error::invalid("do", format!("Kalendar prikazuje najviše {MOST_DAYS} dana.")));
    }
    let rows = sqlx::query!(
        r#"select dan as "dan!", broj as "broj!" from visits_by_day($1, $2, $3, $4, $5)"#,
        actor.ustanova_id,
        query.radnik_id,
        query.registar_id,
        query.od.to_sqlx() as _,
        query.until.to_sqlx() as _,
    )
    .fetch_all(&state.db)
    .await?;
    Ok(Json(Page::all(rows.into_iter().map(|row| CalendarDay { dan: row.dan.to_jiff(), broj: row.broj }).collect())))
}
