//! The log viewer (B 2.10): who did what and when, and which fields it changed. The rows are written by triggers and by `audit`.

use std::collections::{BTreeSet, HashMap};

use axum::extract::State;
use domain::time;
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    error::{Error, Result},
    extract::{Json, Query},
    reports::PATIENTS,
    rights::{Allowed, Log, Patients},
    state::AppState,
};

/// Rows of one answer; more are told.
const MOST_ROWS: i64 = 1_000;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(search_data)).routes(routes!(search))
}

/// A choice of a list.
#[derive(Serialize, ToSchema)]
pub struct WorkerOption {
    pub value: i64,
    pub label: String,
}

/// What the log can be searched by.
#[derive(Serialize, ToSchema)]
struct LogSearchData {
    klase: Vec<String>,
    akcije: Vec<String>,
    radnici: Vec<WorkerOption>,
}

#[utoipa::path(get, path = "/api/log/search-data", responses((status = 200, body = LogSearchData)))]
async fn search_data(State(state): State<AppState>, _: Allowed<Log>) -> Result<Json<LogSearchData>> {
    let mut db = state.db.acquire().await?;
    // From one value of an index to the next, however many rows there are.
    let klase = sqlx::query_scalar!(
        r#"
        with recursive found as (
            select min(klasa) as klasa from audit_log
            union all
            select (select min(l.klasa) from audit_log l where l.klasa > found.klasa) from found where found.klasa is not null)
        select klasa as "klasa!" from found where klasa is not null
        "#
    );
    let klase = klase.fetch_all(&mut *db).await?;
    let akcije = sqlx::query_scalar!(
        r#"
        with recursive found as (
            select min(akcija) as akcija from audit_log
            union all
            select (select min(l.akcija) from audit_log l where l.akcija > found.akcija) from found where found.akcija is not null)
        select akcija as "akcija!" from found where akcija is not null
        "#
    );
    let akcije = akcije.fetch_all(&mut *db).await?;
    // Those who are no workers any more have done things too.
    let radnici = sqlx::query_as!(
        WorkerOption,
        r#"select id as value, prezime || ' ' || ime as "label!" from worker order by fold(prezime), fold(ime), id"#
    );
    let radnici = radnici.fetch_all(&mut *db).await?;
    Ok(Json(LogSearchData { klase, akcije, radnici }))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct LogQuery {
    /// The first day, `YYYY-MM-DD`.
    datum_od: Option<String>,
    /// The last day; without it, until now.
    datum_do: Option<String>,
    /// A comma between them, as in the other lists; none: all.
    klase_array: Option<String>,
    akcije_array: Option<String>,
    radnici_array: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct LogAnswer {
    /// Newest first.
    data: Vec<LogRow>,
    /// There are more rows than were sent.
    skraceno: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LogRow {
    /// None: nobody who has an account, as in a sign-in by an unknown name.
    radnik: Option<String>,
    klasa: String,
    akcija: String,
    vreme_pristupa: String,
    opis: Option<String>,
    polja: Vec<LogField>,
    /// The row is about a patient whom the worker's institution does not know, or whom no role of the worker opens: the values are
    /// kept back.
    blur_podataka: bool,
}

#[derive(Serialize, Deserialize, ToSchema)]
struct LogField {
    naziv: String,
    #[serde(default)]
    stara: Value,
    #[serde(default)]
    nova: Value,
}

#[utoipa::path(get, path = "/api/log", params(LogQuery), responses((status = 200, body = LogAnswer)))]
async fn search(State(state): State<AppState>, actor: Allowed<Log>, Query(query): Query<LogQuery>) -> Result<Json<LogAnswer>> {
    let (from, until) = period(query.datum_od.as_deref(), query.datum_do.as_deref())?;
    let texts = |list: &Option<String>| list.as_deref().map(comma_list::<String>).filter(|list| !list.is_empty());
    let mut db = state.db.acquire().await?;
    let mut rows = sqlx::query!(
        r#"
        select w.prezime || ' ' || w.ime as radnik, l.klasa, l.akcija, l.vreme_pristupa, l.opis, l.polja,
               l.pacijent_id is not null and ($8 or not knows_patient($7, l.pacijent_id) and patients_are_blurred()) as "blur!"
          from audit_log l left join worker w on w.id = l.radnik_id
         where l.vreme_pristupa >= $1::date::timestamp at time zone 'Europe/Belgrade'
           and ($2::date is null or l.vreme_pristupa < ($2::date + 1)::timestamp at time zone 'Europe/Belgrade')
           and ($3::text[] is null or l.klasa = any($3))
           and ($4::text[] is null or l.akcija = any($4))
           and ($5::bigint[] is null or l.radnik_id = any($5))
         order by l.vreme_pristupa desc, l.id desc
         limit $6
        "#,
        jiff_sqlx::Date::from(from) as _,
        until.map(jiff_sqlx::Date::from) as _,
        texts(&query.klase_array) as _,
        texts(&query.akcije_array) as _,
        query.radnici_array.as_deref().map(comma_list::<i64>).filter(|list| !list.is_empty()) as _,
        MOST_ROWS + 1,
        actor.ustanova_id,
        actor.prava.pacijenti == Patients::Ne,
    )
    .fetch_all(&mut *db)
    .await?;
    let skraceno = rows.len() as i64 > MOST_ROWS;
    rows.truncate(MOST_ROWS as usize);
    let moments: Vec<Timestamp> = rows.iter().map(|row| row.vreme_pristupa.to_jiff()).collect();
    let mut data: Vec<LogRow> = rows
        .into_iter()
        .map(|row| LogRow {
            radnik: row.radnik,
            klasa: row.klasa,
            akcija: row.akcija,
            vreme_pristupa: time::server_text(row.vreme_pristupa.to_jiff()),
            opis: row.opis,
            polja: if row.blur { Vec::new() } else { serde_json::from_value(row.polja).unwrap_or_default() },
            blur_podataka: row.blur,
        })
        .collect();
    name_items(&mut db, &mut data, &moments).await?;
    name_patients(&mut db, &mut data, actor.ustanova_id).await?;
    Ok(Json(LogAnswer { data, skraceno }))
}

/// The days of a search, the first of which must be given.
pub fn period(from: Option<&str>, until: Option<&str>) -> Result<(Date, Option<Date>)> {
    let day = |text: Option<&str>, field: &'static str, label: &str| match text.map(str::trim).filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| Error::invalid(field, format!("{label} nije ispravan datum."))),
    };
    let from = day(from, "datumOd", "Datum od")?.ok_or_else(|| Error::invalid("datumOd", "Niste uneli datum od."))?;
    let until = day(until, "datumDo", "Datum do")?;
    if until.is_some_and(|until: Date| until < from) {
        return Err(Error::invalid("datumDo", "Datum do ne sme biti pre datuma od."));
    }
    Ok((from, until))
}

/// The members of `1,2,3`; what cannot be read is none.
pub fn comma_list<T: std::str::FromStr>(list: &str) -> Vec<T> {
    list.split(',').map(str::trim).filter(|one| !one.is_empty()).filter_map(|one| one.parse().ok()).collect()
}

/// Says the chosen items of sets by the names that they had when people chose them.
async fn name_items(db: &mut PgConnection, rows: &mut [LogRow], moments: &[Timestamp]) -> Result<()> {
    let mut sets: Vec<(Timestamp, &mut Value)> = rows
        .iter_mut()
        .zip(moments)
        .filter(|(row, _)| row.klasa == "entry")
        .flat_map(|(row, moment)| row.polja.iter_mut().map(move |field| (*moment, field)))
        .flat_map(|(moment, field)| [(moment, &mut field.stara), (moment, &mut field.nova)])
        .filter(|(_, value)| value.is_array())
        .collect();
    let ids: BTreeSet<i64> = sets.iter().filter_map(|(_, set)| set.as_array()).flatten().filter_map(Value::as_i64).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = ids.into_iter().collect();
    let found = sqlx::query!("select id, naziv from enum_item where id = any($1)", &ids).fetch_all(&mut *db).await?;
    let names: HashMap<i64, String> = found.into_iter().map(|item| (item.id, item.naziv)).collect();
    let former = sqlx::query!(
        "select red_id, naziv, vreme_prestanka_vazenja as until from name_history
          where klasa = 'enum_item' and red_id = any ($1) order by vreme_prestanka_vazenja, id",
        &ids
    )
    .fetch_all(db)
    .await?;
    for (moment, set) in &mut sets {
        let name = |id: i64| {
            let then = former.iter().find(|row| row.red_id == id && row.until.to_jiff() > *moment).map(|row| row.naziv.clone());
            then.or_else(|| names.get(&id).cloned())
        };
        let chosen = set.as_array().into_iter().flatten();
        let named: Vec<String> = chosen.map(|one| one.as_i64().and_then(name).unwrap_or_else(|| one.to_string())).collect();
        **set = Value::String(named.join(", "));
    }
    Ok(())
}

/// What stands for a patient whom the reader's institution does not know.
const UNKNOWN: &str = "•••";

/// Says the patients that a report was asked about by name, as far as the reader's institution knows them.
async fn name_patients(db: &mut PgConnection, rows: &mut [LogRow], ustanova_id: Option<i64>) -> Result<()> {
    let mut told: Vec<&mut Value> = rows
        .iter_mut()
        .filter(|row| matches!(row.klasa.as_str(), "report_run" | "report_schedule"))
        .flat_map(|row| &mut row.polja)
        .map(|field| &mut field.nova)
        .filter(|value| value.get(PATIENTS).is_some())
        .collect();
    let ids_of = |value: &Value| value[PATIENTS].as_array().into_iter().flatten().filter_map(Value::as_i64).collect::<Vec<_>>();
    let ids: BTreeSet<i64> = told.iter().flat_map(|value| ids_of(value)).collect();
    if told.is_empty() {
        return Ok(());
    }
    let known = sqlx::query!(
        r#"
        select p.id, p.prezime || ' ' || p.ime as "naziv!"
          from patient p
         where p.id = any($1) and knows_patient($2, p.id)
        "#,
        &ids.into_iter().collect::<Vec<_>>(),
        ustanova_id,
    )
    .fetch_all(db)
    .await?;
    let names: HashMap<i64, String> = known.into_iter().map(|patient| (patient.id, patient.naziv)).collect();
    for value in &mut told {
        let named: Vec<String> = ids_of(value).iter().map(|id| names.get(id).cloned().unwrap_or_else(|| UNKNOWN.to_owned())).collect();
        **value = Value::String(named.join(", "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_without_their_blanks() {
        assert_eq!(comma_list::<i64>(" 3, 7,,x,9 "), [3, 7, 9]);
        assert_eq!(comma_list::<String>("patient,"), ["patient"]);
    }

    #[test]
    fn a_period_needs_its_first_day_and_the_right_order() {
        assert!(period(None, Some("2026-03-01")).is_err());
        assert!(period(Some("2026-03-02"), Some("2026-03-01")).is_err());
        assert!(period(Some("31.03.2026."), None).is_err());
        assert!(period(Some("2026-03-01"), Some("2026-03-01")).is_ok());
    }
}
