//! The log viewer (B 2.10): who did what and when, and which fields it changed. The rows are written by triggers and by `audit`.

use std::collections::{BTreeSet, HashMap};

use accounts::{
    audit::{LogClass, Look, look, told},
    auth::Actor,
    rights::{Allowed, Log, Patients},
};
use axum::extract::State;
use clinical::{
    looks::{
        self,
        shown::{self, LoggedPatient},
    },
    patients::require,
};
use configuration::crud::{Column, ColumnFilters, ListColumns};
use domain::time;
use jiff::{Timestamp, civil::Date};
use platform::{
    archived::{Kind, archived_before},
    continuation::Continuation,
    error::{Error, Result},
    extract::{Json, Query},
    options::{FoundWorker, WorkerOption, comma_list},
    page::{Narrowing, Page},
    period::period,
    routes::{Routes, routes},
    state::AppState,
};
use reporting::reports::PATIENTS;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

/// Rows of a page.
const PAGE: i64 = 100;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(search_data)).routes(routes!(search))
}

/// What the log can be searched by.
#[derive(Serialize, ToSchema)]
struct LogSearchData {
    #[schema(value_type = Vec<LogClass>)]
    klase: Vec<String>,
    akcije: Vec<String>,
    radnici: Vec<WorkerOption>,
    /// Workers whom the filter finds, those who were not sent among them.
    #[serde(rename = "radnikaUkupno")]
    radnika_ukupno: i64,
}

/// `filter` and `size` narrow the workers down.
#[utoipa::path(get, path = "/api/log/search-data", params(Narrowing), responses((status = 200, body = LogSearchData)))]
async fn search_data(State(state): State<AppState>, _: Allowed<Log>, Query(asked): Query<Narrowing>) -> Result<Json<LogSearchData>> {
    let words = asked.words()?;
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
    let workers = sqlx::query_as!(
        FoundWorker,
        r#"select id as value, prezime || ' ' || ime as "label!", count(*) over () as "total!" from worker
            where fold(prezime || ' ' || ime) like all ($1) order by fold(prezime), fold(ime), id limit $2"#,
        &words,
        asked.limit()
    );
    let Page { data: workers, total: radnika_ukupno, .. } = WorkerOption::page(workers.fetch_all(&mut *db).await?);
    Ok(Json(LogSearchData { klase, akcije, radnici: workers, radnika_ukupno }))
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
    /// A patient whom the reader's institution knows.
    #[serde(rename = "pacijentID")]
    pacijent_id: Option<i64>,
    /// A part of each day, `HH:MM`; one that ends before it begins goes over midnight.
    vreme_od: Option<String>,
    vreme_do: Option<String>,
    /// `sledeci` of the page before.
    pre: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct LogAnswer {
    /// Newest first.
    data: Vec<LogRow>,
    /// There are more rows than were sent.
    skraceno: bool,
    /// Where the next page begins; none: there is none.
    sledeci: Option<String>,
    /// Rows from before this day lie in files of the archive; none: all are here.
    #[serde(rename = "uArhiviPre")]
    archived_before: Option<Date>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LogRow {
    /// None: nobody who has an account, as in a sign-in by an unknown name.
    radnik: Option<String>,
    /// For which institution, and from which address of a client; rows of earlier years and of programs have neither.
    ustanova: Option<String>,
    adresa: Option<String>,
    #[schema(value_type = LogClass)]
    klasa: String,
    akcija: String,
    vreme_pristupa: String,
    /// What the row is about, by its name; a patient's stands among `pacijenti`.
    zapis: Option<String>,
    opis: Option<String>,
    polja: Vec<LogField>,
    /// Of many patients the first ones; those whom the reader's institution does not know are only counted.
    pacijenti: Vec<LoggedPatient>,
    broj_pacijenata: i64,
    /// The row is about a patient whom the worker's institution does not know, or whom no role of the worker opens, or about a worker
    /// out of reach, or holds what somebody typed elsewhere: the values are kept back.
    blur_podataka: bool,
}

impl ListColumns for LogRow {
    const COLUMNS: &'static [Column] = &[Column::text("radnik"), Column::text("mesto"), Column::text("opis")];
}

#[derive(Serialize, Deserialize, ToSchema)]
struct LogField {
    naziv: String,
    #[serde(default)]
    stara: Value,
    #[serde(default)]
    nova: Value,
}

struct LogRecord {
    id: i64,
    moment: jiff_sqlx::Timestamp,
    radnik: Option<String>,
    ustanova: Option<String>,
    adresa: Option<String>,
    klasa: String,
    akcija: String,
    zapis: Option<String>,
    opis: Option<String>,
    polja: Value,
    pacijent_id: Option<i64>,
    blur: bool,
}

/// Whose values somebody typed, or chose: a name may be among them, so they are kept back as a patient is from all but the institution
/// that they were typed for.
const TYPED: [&str; 6] = ["patient_search", "access_log", "report_parameter", "report_run", "report_schedule", "data_export"];
const WORKER: &str = "worker";
/// The values of a worker's record, and what a worker is given, stop at the reach of administering.
const WORKERS: [&str; 4] = [WORKER, "worker_role", "worker_institution", "external_account"];

/// Rows out of one source. Values that engines of earlier versions wrote are told to nobody: they hold numbers of patients as typed.
macro_rules! rows {
    ($from:literal, $asked:expr $(, $more:expr)*) => {
        sqlx::query_as!(
            LogRecord,
            r#"select l.id as "id!", l.vreme_pristupa as "moment!: jiff_sqlx::Timestamp", w.prezime || ' ' || w.ime as radnik,
                      u.naziv as "ustanova?", l.adresa, l.klasa as "klasa!", l.akcija as "akcija!", record_name(l.klasa, l.red_id, l.polja) as zapis,
                      l.opis, log_fields(l.klasa, l.polja) as "polja!", l.pacijent_id, b.blur as "blur!"
                 from "#
                + $from
                + r#" l
                 left join worker w on w.id = l.radnik_id
                 left join institution u on u.id = l.ustanova_id
                cross join lateral (
                     select (l.pacijent_id is not null and ($8 or (not knows_patient($7, l.pacijent_id) or reads_own_entries_only($7, l.pacijent_id)) and patients_are_blurred())
                       or l.klasa = any ($13) and ($8 or l.ustanova_id is distinct from $7 and patients_are_blurred())
                       or l.klasa = 'report_run' and l.akcija = 'izvrsavanje'
                       or l.klasa = any ($14)
                          and coalesce(l.red_id, tied_id(l.polja, 'radnik_id'), '') not in (select r.radnik_id::text from workers_in_reach($15) r)) as blur) b
                where l.vreme_pristupa >= $1::date::timestamp at time zone 'Europe/Belgrade'
                  and ($2::date is null or l.vreme_pristupa < ($2::date + 1)::timestamp at time zone 'Europe/Belgrade')
                  and ($3::text[] is null or l.klasa = any ($3))
                  and ($4::text[] is null or l.akcija = any ($4))
                  and ($5::bigint[] is null or l.radnik_id = any ($5))
                  and ($9::timestamptz is null or (l.vreme_pristupa, l.id) < ($9, $10))
                  and within_day((l.vreme_pristupa at time zone 'Europe/Belgrade')::time, $11::text::time, $12::text::time)
                  and ($16::jsonb ->> 'radnik' is null or fold(w.prezime || ' ' || w.ime) like $16::jsonb ->> 'radnik')
                  and ($16::jsonb ->> 'mesto' is null or fold(concat_ws(', ', l.adresa, u.naziv)) like $16::jsonb ->> 'mesto')
                  -- What is kept back is not found either.
                  and ($16::jsonb ->> 'opis' is null
                       or fold(l.opis) like $16::jsonb ->> 'opis' and not (l.klasa = any ($13) and b.blur))
                order by l.vreme_pristupa desc, l.id desc
                limit $6"#,
            jiff_sqlx::Date::from($asked.from) as _,
            $asked.until.map(jiff_sqlx::Date::from) as _,
            $asked.klase.as_deref() as Option<&[String]>,
            $asked.akcije.as_deref() as Option<&[String]>,
            $asked.radnici.as_deref() as Option<&[i64]>,
            PAGE + 1,
            $asked.ustanova,
            $asked.closed,
            $asked.before.map(|before| jiff_sqlx::Timestamp::from(before.moment)) as _,
            $asked.before.map(|before| before.id),
            $asked.hours.0,
            $asked.hours.1,
            &TYPED as &[&str],
            &WORKERS as &[&str],
            $asked.reader,
            $asked.filters
            $(, $more)*
        )
    };
}

/// By what the log is asked.
struct LogFilter {
    from: Date,
    until: Option<Date>,
    klase: Option<Vec<String>>,
    akcije: Option<Vec<String>>,
    radnici: Option<Vec<i64>>,
    hours: (Option<String>, Option<String>),
    before: Option<Continuation>,
    ustanova: Option<i64>,
    /// The reader's roles open no patient.
    closed: bool,
    reader: i64,
    /// Patterns of the columns.
    filters: Value,
}

impl LogFilter {
    fn read(query: &LogQuery, filters: &ColumnFilters<LogRow>, actor: &Actor) -> Result<Self> {
        let (from, until) = period(query.datum_od.as_deref(), query.datum_do.as_deref())?;
        let texts = |list: &Option<String>| list.as_deref().map(comma_list::<String>).filter(|list| !list.is_empty());
        Ok(Self {
            from,
            until,
            klase: texts(&query.klase_array),
            akcije: texts(&query.akcije_array),
            radnici: query.radnici_array.as_deref().map(comma_list::<i64>).filter(|list| !list.is_empty()),
            hours: (hour(&query.vreme_od, "vremeOd", "Vreme od")?, hour(&query.vreme_do, "vremeDo", "Vreme do")?),
            before: Continuation::parse(query.pre.as_deref())?,
            ustanova: actor.ustanova_id,
            closed: !actor.prava.open_patients(),
            reader: actor.radnik_id,
            filters: filters.resolve()?,
        })
    }

    /// What the log keeps of its being read.
    fn told(&self) -> Vec<Value> {
        let mut polja = vec![told("Datum od", self.from.to_string())];
        polja.extend(self.until.map(|until| told("Datum do", until.to_string())));
        polja.extend(self.klase.as_ref().map(|list| told("Klase", list.join(", "))));
        polja.extend(self.akcije.as_ref().map(|list| told("Akcije", list.join(", "))));
        let filters = self.filters.as_object().into_iter().flatten();
        polja.extend(filters.filter_map(|(_, pattern)| Some(told("Filter", pattern.as_str()?.trim_matches('%')))));
        polja
    }
}

/// A time of day; without it, the day's end.
fn hour(text: &Option<String>, field: &'static str, label: &str) -> Result<Option<String>> {
    let Some(text) = text.as_deref().map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let wrong = || Error::invalid(field, format!("{label} mora biti oblika 07:30."));
    let time = jiff::civil::Time::strptime("%H:%M", text).map_err(|_| wrong())?;
    Ok(Some(time.to_string()))
}

#[utoipa::path(get, path = "/api/log", params(LogQuery, ColumnFilters<LogRow>), responses((status = 200, body = LogAnswer)))]
async fn search(
    State(state): State<AppState>,
    actor: Allowed<Log>,
    Query(query): Query<LogQuery>,
    Query(filters): Query<ColumnFilters<LogRow>>,
) -> Result<Json<LogAnswer>> {
    let asked = LogFilter::read(&query, &filters, &actor)?;
    let institutions: Vec<i64> = actor.ustanova_id.into_iter().collect();
    let mut db = state.db.acquire().await?;
    let mut rows = match query.pacijent_id {
        Some(patient) => {
            require(&actor, Patients::Uvid)?;
            looks::require_known(&mut db, &institutions, patient).await?;
            rows!("log_of_patient($17)", asked, patient).fetch_all(&mut *db).await?
        }
        None => rows!("audit_log", asked).fetch_all(&mut *db).await?,
    };
    let skraceno = rows.len() as i64 > PAGE;
    rows.truncate(PAGE as usize);
    let sledeci = rows.last().filter(|_| skraceno).map(|row| Continuation { moment: row.moment.to_jiff(), id: row.id }.to_string());
    let keys: Vec<_> = rows.iter().map(|row| (row.moment.to_jiff(), row.id, row.pacijent_id)).collect();
    let mut shown = shown::of_rows(&mut db, &keys, &institutions, !asked.closed).await?;
    let patients = shown::named(&shown);
    let mut data: Vec<LogRow> = rows
        .into_iter()
        .map(|row| {
            let of_row = shown.remove(&row.id).unwrap_or_default();
            let (blur, typed) = (row.blur, TYPED.contains(&row.klasa.as_str()));
            LogRow {
                radnik: row.radnik,
                ustanova: row.ustanova,
                adresa: row.adresa,
                vreme_pristupa: time::server_text(row.moment.to_jiff()),
                // Workers are named beside all that they do.
                zapis: row.zapis.filter(|_| !blur || row.klasa == WORKER),
                opis: row.opis.filter(|_| !blur || !typed),
                polja: if blur { Vec::new() } else { serde_json::from_value(row.polja).unwrap_or_default() },
                pacijenti: of_row.named,
                broj_pacijenata: of_row.count,
                blur_podataka: blur,
                klasa: row.klasa,
                akcija: row.akcija,
            }
        })
        .collect();
    let moments: Vec<Timestamp> = keys.iter().map(|key| key.0).collect();
    name_items(&mut db, &mut data, &moments).await?;
    let open_to = if asked.closed { None } else { actor.ustanova_id };
    name_patients(&mut db, &mut data, open_to).await?;
    let polja = asked.told();
    look(&mut *db, &actor, &Look { klasa: "access_log", akcija: "pregled loga", polja, pacijenti: &patients, ..Look::default() }).await?;
    let archived_before = archived_before(&mut db, Kind::Dnevnik).await?;
    Ok(Json(LogAnswer { data, skraceno, sledeci, archived_before }))
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

/// Says the patients that a report was asked about by name, as far as the reader's institution knows them; none: no patient is open to her.
async fn name_patients(db: &mut PgConnection, rows: &mut [LogRow], institution: Option<i64>) -> Result<()> {
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
         where p.id = any($1) and $2::bigint is not null and knows_patient($2, p.id)
        "#,
        &ids.into_iter().collect::<Vec<_>>(),
        institution,
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
