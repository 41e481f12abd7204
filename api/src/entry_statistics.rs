//! Who entered how much (B 2.9): entries made and changed in a period, by institution and worker.

use accounts::rights::{Allowed, EntryStatistics};
use axum::extract::State;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    options::{FoundWorker, WorkerOption, comma_list},
    page::{Narrowing, Page},
    period::period,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(statistics)).routes(routes!(workers))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct StatisticsQuery {
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    /// The first day, `YYYY-MM-DD`.
    datum_od: Option<String>,
    /// The last day; without it, until now.
    datum_do: Option<String>,
    /// Ids, a comma between them; none: all.
    ustanova_array: Option<String>,
    radnici_array: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Statistics {
    /// What the register calls its first entry.
    prvi_unos: String,
    /// What it calls its usual entry.
    podrazumevani_unos: String,
    vrednost: Vec<StatisticsRow>,
}

/// What one worker did for one institution. Entries that were deleted since do not count.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatisticsRow {
    ustanova: String,
    radnik: String,
    /// Made: the first of their patients, others of the register's usual type, of other types, and together.
    prvi: i64,
    podrazumevani: i64,
    ostali: i64,
    ukupno: i64,
    /// Patients of the entries made.
    pacijenti: i64,
    /// Entries that the worker changed, whoever made them.
    izmenjeno: i64,
}

#[utoipa::path(get, path = "/api/log/entry-statistics", params(StatisticsQuery), responses((status = 200, body = Statistics)))]
async fn statistics(
    State(state): State<AppState>,
    _: Allowed<EntryStatistics>,
    Query(query): Query<StatisticsQuery>,
) -> Result<Json<Statistics>> {
    let (from, until) = period(query.datum_od.as_deref(), query.datum_do.as_deref())?;
    let register = query.registar_id.ok_or_else(|| Error::invalid("registarID", "Niste izabrali registar."))?;
    let ids = |list: &Option<String>| list.as_deref().map(comma_list::<i64>).filter(|list| !list.is_empty());
    let mut db = state.db.acquire().await?;
    let titles = sqlx::query!(
        r#"
        select coalesce(r.naziv_prvi_unos, p.naziv, 'Prvi unos') as "prvi!",
               coalesce(r.naziv_podrazumevani_unos, d.naziv, 'Podrazumevani unos') as "podrazumevani!"
          from register r left join form p on p.id = r.prvi_tip_hijerarhije_atributa_id
          left join form d on d.id = r.podrazumevani_tip_hijerarhije_atributa_id
         where r.id = $1
        "#,
        register
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or_else(|| Error::invalid("registarID", "Izabrani registar ne postoji."))?;
    let vrednost = sqlx::query_as!(
        StatisticsRow,
        r#"
        with span as (
            select $2::date::timestamp at time zone 'Europe/Belgrade' as od,
                   coalesce(($3::date + 1)::timestamp at time zone 'Europe/Belgrade', 'infinity') as "do"),
        made as (
            select e.ustanova_id, e.radnik_kreirao_id as radnik_id, count(*) as ukupno, count(distinct e.pacijent_id) as pacijenti,
                   count(*) filter (where e.id = f.prvi_unos_id) as prvi,
                   count(*) filter (where e.id is distinct from f.prvi_unos_id and e.tsa_id = r.podrazumevani_tip_hijerarhije_atributa_id)
                       as podrazumevani
              from entry e join register r on r.id = e.registar_id
              left join patient_register f on f.pacijent_id = e.pacijent_id and f.registar_id = e.registar_id, span
             where e.registar_id = $1 and e.aktivan and e.datum_kreiranja >= span.od and e.datum_kreiranja < span.do
             group by 1, 2),
        changed as (
            select e.ustanova_id, l.radnik_id, count(distinct e.id) as izmenjeno
              from span, audit_log l join entry e on e.id = case l.klasa when 'entry' then l.red_id::bigint end
             where l.klasa = 'entry' and l.akcija = 'izmena' and l.vreme_pristupa >= span.od and l.vreme_pristupa < span.do
               and e.registar_id = $1 and e.aktivan
             group by 1, 2)
        select i.naziv as ustanova, w.prezime || ' ' || w.ime as "radnik!", coalesce(m.prvi, 0) as "prvi!",
               coalesce(m.podrazumevani, 0) as "podrazumevani!", coalesce(m.ukupno - m.prvi - m.podrazumevani, 0) as "ostali!",
               coalesce(m.ukupno, 0) as "ukupno!", coalesce(m.pacijenti, 0) as "pacijenti!", coalesce(c.izmenjeno, 0) as "izmenjeno!"
          from made m full join changed c on c.ustanova_id = m.ustanova_id and c.radnik_id = m.radnik_id
          join institution i on i.id = coalesce(m.ustanova_id, c.ustanova_id) join worker w on w.id = coalesce(m.radnik_id, c.radnik_id)
         where ($4::bigint[] is null or i.id = any($4)) and ($5::bigint[] is null or w.id = any($5))
         order by fold(i.naziv), fold(w.prezime), fold(w.ime), w.id
        "#,
        register,
        jiff_sqlx::Date::from(from) as _,
        until.map(jiff_sqlx::Date::from) as _,
        ids(&query.ustanova_array) as _,
        ids(&query.radnici_array) as _,
    )
    .fetch_all(&mut *db)
    .await?;
    Ok(Json(Statistics { prvi_unos: titles.prvi, podrazumevani_unos: titles.podrazumevani, vrednost }))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct WorkersQuery {
    /// Ids, a comma between them; none: all institutions.
    ustanova_array: Option<String>,
}

/// The members of the institutions.
#[utoipa::path(get, path = "/api/log/workers", params(WorkersQuery, Narrowing), responses((status = 200, body = Page<WorkerOption>)))]
async fn workers(
    State(state): State<AppState>,
    _: Allowed<EntryStatistics>,
    Query(query): Query<WorkersQuery>,
    Query(asked): Query<Narrowing>,
) -> Result<Json<Page<WorkerOption>>> {
    let institutions = query.ustanova_array.as_deref().map(comma_list::<i64>).filter(|list| !list.is_empty());
    let found = sqlx::query_as!(
        FoundWorker,
        r#"
        select w.id as value, w.prezime || ' ' || w.ime as "label!", count(*) over () as "total!" from worker w
         where ($1::bigint[] is null or w.ustanova_id = any($1)
                or exists (select from worker_institution l where l.radnik_id = w.id and l.ustanova_id = any($1)))
           and fold(w.prezime || ' ' || w.ime) like all ($2)
         order by fold(w.prezime), fold(w.ime), w.id limit $3
        "#,
        institutions as _,
        &asked.words()?,
        asked.limit()
    );
    Ok(Json(WorkerOption::page(found.fetch_all(&state.db).await?)))
}
