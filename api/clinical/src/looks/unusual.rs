//! Days on which a worker looked at unusually many patients, or was refused unusually often.
//!
//! The rule is plain, so that whoever is asked about a day can follow it: more than three times the worker's own usual day, which is the
//! median of the days of the thirty before on which she did so at all, and at least so many that it matters.

use accounts::{
    audit::{Look, look, told},
    rights::{Allowed, Looks},
};
use axum::extract::State;
use jiff::{ToSpan, civil::Date};
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    period::period,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::institutions;

/// Patients opened or printed one by one.
const LEAST_OPENED: i64 = 50;
/// Patients shown in lists: searches, exports, reports.
const LEAST_LISTED: i64 = 500;
const LEAST_REFUSED: i64 = 10;
/// JMBG and LBO that turned out to be somebody's.
const LEAST_CHECKED: i64 = 20;
const TIMES: f64 = 3.0;
/// Days before, of which the usual one is told.
const DAYS_BEFORE: i32 = 30;
/// Days that are looked through at once.
const MOST_DAYS: i32 = 31;
/// The worst ones; more need a shorter period.
const MOST_ROWS: i64 = 200;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(unusual))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct UnusualQuery {
    datum_od: Option<String>,
    datum_do: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UnusualAnswer {
    /// The most first.
    data: Vec<UnusualDay>,
    /// The rule, in the numbers that are in force.
    pravilo: Rule,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Rule {
    najmanje_otvorenih: i64,
    najmanje_izlistanih: i64,
    najmanje_odbijenih: i64,
    najmanje_proverenih: i64,
    puta: f64,
    dana_pre: i32,
}

/// What a worker did of unusually much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
enum UnusualMeasure {
    Otvoreno,
    Izlistano,
    Odbijeno,
    Provereno,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UnusualDay {
    #[serde(rename = "radnikID")]
    radnik_id: i64,
    radnik: String,
    dan: Date,
    mera: UnusualMeasure,
    broj: i64,
    /// On the worker's own usual day; 0 where there was none.
    obicno: f64,
}

#[utoipa::path(get, path = "/api/looks/unusual", params(UnusualQuery), responses((status = 200, body = UnusualAnswer)))]
async fn unusual(State(state): State<AppState>, actor: Allowed<Looks>, Query(query): Query<UnusualQuery>) -> Result<Json<UnusualAnswer>> {
    let (from, until) = period(query.datum_od.as_deref(), query.datum_do.as_deref())?;
    let until = until.unwrap_or(state.today());
    if from.checked_add(MOST_DAYS.days()).is_ok_and(|end| end <= until) {
        return Err(Error::invalid("datumDo", format!("Period može imati najviše {MOST_DAYS} dan.")));
    }
    let mut db = state.db.acquire().await?;
    let institutions = institutions(&mut db, &actor).await?;
    let rows = sqlx::query!(
        r#"
        with looks as materialized (
            select l.id, l.vreme_pristupa, l.radnik_id, l.pacijent_id, look_kind(l.klasa, l.akcija) as nacin,
                   (l.vreme_pristupa at time zone 'Europe/Belgrade')::date as dan
              from audit_log l join worker w on w.id = l.radnik_id
             where l.vreme_pristupa >= ($2::date - $4::int)::timestamp at time zone 'Europe/Belgrade'
               and l.vreme_pristupa < ($3::date + 1)::timestamp at time zone 'Europe/Belgrade'
               and look_kind(l.klasa, l.akcija) is not null and coalesce(l.ustanova_id, w.ustanova_id) = any ($1)),
        days as (
            select 'otvoreno' as mera, radnik_id, dan, count(distinct pacijent_id) as broj
              from looks where nacin in ('otvaranje', 'stampa') and pacijent_id is not null group by radnik_id, dan
            union all
            select 'izlistano', l.radnik_id, l.dan, count(distinct p.pacijent_id)
              from looks l join audit_log_patient p on p.vreme_pristupa = l.vreme_pristupa and p.log_id = l.id
             where l.nacin <> 'log' group by l.radnik_id, l.dan
            union all
            select 'odbijeno', radnik_id, dan, count(*) from looks where nacin = 'odbijanje' group by radnik_id, dan
            union all
            select 'provereno', radnik_id, dan, count(distinct pacijent_id) from looks where nacin = 'provera' group by radnik_id, dan),
        measured as (
            select d.*, coalesce((select percentile_cont(0.5) within group (order by b.broj) from days b
                                   where b.radnik_id = d.radnik_id and b.mera = d.mera and b.dan < d.dan and b.dan >= d.dan - $4::int), 0) as obicno
              from days d
             where d.dan >= $2::date and d.broj >= case d.mera when 'otvoreno' then $5::bigint when 'izlistano' then $6::bigint
                                                             when 'odbijeno' then $7::bigint else $10::bigint end)
        select m.radnik_id as "radnik_id!", w.prezime || ' ' || w.ime as "radnik!", m.dan as "dan!", m.mera as "mera!: UnusualMeasure", m.broj as "broj!",
               m.obicno as "obicno!"
          from measured m join worker w on w.id = m.radnik_id
         where m.broj > $8::float8 * m.obicno
         order by m.broj desc, m.dan desc, w.id limit $9
        "#,
        &institutions,
        jiff_sqlx::Date::from(from) as _,
        jiff_sqlx::Date::from(until) as _,
        DAYS_BEFORE,
        LEAST_OPENED,
        LEAST_LISTED,
        LEAST_REFUSED,
        TIMES,
        MOST_ROWS,
        LEAST_CHECKED,
    )
    .fetch_all(&mut *db)
    .await?;
    let polja = vec![told("Datum od", from.to_string()), told("Datum do", until.to_string()), told("Rezultata", rows.len())];
    look(&mut *db, &actor, &Look { klasa: "access_log", akcija: "pregled neuobičajenog obima", polja, ..Look::default() }).await?;
    let data = rows.into_iter().map(|row| UnusualDay {
        radnik_id: row.radnik_id,
        radnik: row.radnik,
        dan: row.dan.to_jiff(),
        mera: row.mera,
        broj: row.broj,
        obicno: row.obicno,
    });
    let pravilo = Rule {
        najmanje_otvorenih: LEAST_OPENED,
        najmanje_izlistanih: LEAST_LISTED,
        najmanje_odbijenih: LEAST_REFUSED,
        najmanje_proverenih: LEAST_CHECKED,
        puta: TIMES,
        dana_pre: DAYS_BEFORE,
    };
    Ok(Json(UnusualAnswer { data: data.collect(), pravilo }))
}
