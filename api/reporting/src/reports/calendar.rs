//! Past runs and coming fires of the worker between two days, for the calendar.

use accounts::rights::{Allowed, Reports};
use axum::extract::State;
use domain::{
    recurrence::between,
    time::{server_text, zone},
};
use jiff::{Timestamp, ToSpan, civil::Date};
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{schedules::Schedule, values::parse_date};

/// Longer than any month that a calendar draws, and than a quarter.
const LONGEST_VIEW_DAYS: i64 = 100;
/// Events of each kind in one answer.
const MOST_EVENTS: usize = 1_000;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(calendar))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct CalendarQuery {
    /// First day shown, `YYYY-MM-DD`.
    od: String,
    /// Last day shown, inclusive.
    #[serde(rename = "do")]
    do_: String,
}

#[derive(Serialize, ToSchema)]
struct ReportCalendar {
    dogadjaji: Vec<CalendarEvent>,
    /// There were more events than fit.
    skraceno: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CalendarEvent {
    id: String,
    naziv: String,
    pocetak: String,
    kraj: String,
    vrsta: CalendarEventKind,
    /// A run's status; `scheduled` for what is still to come, `paused` where its schedule is paused.
    status: String,
    #[serde(rename = "izvestajID")]
    izvestaj_id: i64,
    #[serde(rename = "giID")]
    gi_id: Option<Uuid>,
    #[serde(rename = "zakazivanjeID")]
    zakazivanje_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum CalendarEventKind {
    Izvrsen,
    Zakazan,
}

#[utoipa::path(get, path = "/api/report-calendar", tag = "izvestaji", params(CalendarQuery), responses((status = 200, body = ReportCalendar)))]
async fn calendar(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Query(query): Query<CalendarQuery>,
) -> Result<Json<ReportCalendar>> {
    let (from, to) = instants(&query)?;
    let now = state.clock.now();
    let (mut dogadjaji, more_runs) = runs(&state, actor.radnik_id, from, to).await?;
    let (fires, more_fires) = fires(&state, actor.radnik_id, from.max(now), to).await?;
    dogadjaji.extend(fires);
    Ok(Json(ReportCalendar { dogadjaji, skraceno: more_runs || more_fires }))
}

/// The whole days from the first to the last, by Belgrade's clock.
fn instants(query: &CalendarQuery) -> Result<(Timestamp, Timestamp)> {
    let read = |text: &str, field: &'static str| parse_date(text).ok_or_else(|| Error::invalid(field, "Datum nije ispravan."));
    let (first, last) = (read(&query.od, "od")?, read(&query.do_, "do")?);
    if last < first {
        return Err(Error::invalid("do", "Datum „do” ne sme biti pre datuma „od”."));
    }
    if first.saturating_add(LONGEST_VIEW_DAYS.days()) < last {
        return Err(Error::invalid("do", format!("Kalendar prikazuje najviše {LONGEST_VIEW_DAYS} dana.")));
    }
    Ok((midnight(first)?, midnight(last.saturating_add(1.day()))?))
}

fn midnight(date: Date) -> Result<Timestamp> {
    let start = date.to_zoned(zone()).map_err(|_| Error::malformed("Datum nije ispravan."))?;
    Ok(start.timestamp())
}

async fn runs(state: &AppState, worker: i64, from: Timestamp, to: Timestamp) -> Result<(Vec<CalendarEvent>, bool)> {
    let rows = sqlx::query!(
        r#"select r.id, p.naziv, p.id as izvestaj_id, r.zakazivanje_id, r.status, coalesce(r.started_at, r.created_at) as "pocetak!", r.finished_at
             from report_run r join report p on p.id = r.izvestaj_id
            where r.radnik_id = $1 and r.deleted_at is null and not r.proba and r.created_at >= $2 and r.created_at < $3
            order by r.created_at desc limit $4"#,
        worker,
        from.to_sqlx() as _,
        to.to_sqlx() as _,
        MOST_EVENTS as i64 + 1,
    )
    .fetch_all(&state.db)
    .await?;
    let more = rows.len() > MOST_EVENTS;
    let events = rows
        .into_iter()
        .take(MOST_EVENTS)
        .map(|row| CalendarEvent {
            id: format!("izvrsen-{}", row.id),
            naziv: row.naziv,
            pocetak: server_text(row.pocetak.to_jiff()),
            kraj: server_text(row.finished_at.unwrap_or(row.pocetak).to_jiff()),
            vrsta: CalendarEventKind::Izvrsen,
            status: row.status,
            izvestaj_id: row.izvestaj_id,
            gi_id: Some(row.id),
            zakazivanje_id: row.zakazivanje_id,
        })
        .collect();
    Ok((events, more))
}

/// Each schedule gets an even share of the room, so that a daily one does not push a monthly one out.
async fn fires(state: &AppState, worker: i64, from: Timestamp, to: Timestamp) -> Result<(Vec<CalendarEvent>, bool)> {
    let schedules = Schedule::active_of(&state.db, worker, None).await?;
    let share = MOST_EVENTS / schedules.len().max(1);
    let mut events = Vec::new();
    let mut more = false;
    for schedule in &schedules {
        let Some(rule) = schedule.rule() else { continue };
        let (fires, cut) = between(&rule, from, to, share);
        more |= cut;
        events.extend(fires.into_iter().map(|fire| CalendarEvent {
            id: format!("zakazan-{}-{}", schedule.id, fire.local),
            naziv: schedule.naziv.clone(),
            pocetak: server_text(fire.at),
            kraj: server_text(fire.at),
            vrsta: CalendarEventKind::Zakazan,
            status: if schedule.pauzirano_od.is_some() { "paused" } else { "scheduled" }.to_owned(),
            izvestaj_id: schedule.izvestaj_id,
            gi_id: None,
            zakazivanje_id: Some(schedule.id),
        }));
    }
    Ok((events, more))
}
