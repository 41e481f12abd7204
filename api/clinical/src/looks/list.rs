//! The looks at one patient, or of one worker, the newest first, a page after another.

use accounts::{
    audit::{LogClass, Look, LookWay, look, told},
    rights::{Allowed, Looks},
};
use axum::extract::State;
use domain::time;
use jiff::civil::Date;
use platform::{
    archived::{Kind, archived_before},
    continuation::Continuation,
    error::{Error, Result},
    extract::{Json, Query},
    period::period,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::{
    institutions, require_known,
    shown::{self, LoggedPatient},
};

/// Rows of a page.
const PAGE: i64 = 50;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct LooksQuery {
    #[serde(rename = "pacijentID")]
    pacijent_id: Option<i64>,
    #[serde(rename = "radnikID")]
    radnik_id: Option<i64>,
    /// The first day, `YYYY-MM-DD`.
    datum_od: Option<String>,
    /// The last day; without it, until now.
    datum_do: Option<String>,
    /// A way of looking; without it, all.
    nacin: Option<String>,
    /// `sledeci` of the page before.
    pre: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct LooksAnswer {
    /// Newest first.
    data: Vec<LookRow>,
    /// Where the next page begins; none: there is none.
    sledeci: Option<String>,
    /// Looks from before this day lie in files of the archive; none: all are here.
    #[serde(rename = "uArhiviPre")]
    archived_before: Option<Date>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LookRow {
    id: i64,
    vreme: String,
    #[serde(rename = "radnikID")]
    radnik_id: Option<i64>,
    radnik: Option<String>,
    ustanova: Option<String>,
    adresa: Option<String>,
    nacin: LookWay,
    #[schema(value_type = LogClass)]
    klasa: String,
    akcija: String,
    /// What it was about, where that is no patient.
    zapis: Option<String>,
    opis: Option<String>,
    /// By what a search or an export was asked for.
    uslovi: Vec<Criterion>,
    /// Of many patients the first ones; those whom none of the officer's institutions knows are only counted.
    pacijenti: Vec<LoggedPatient>,
    broj_pacijenata: i64,
}

#[derive(Serialize, Deserialize, ToSchema)]
struct Criterion {
    naziv: String,
    #[serde(default)]
    nova: Value,
}

struct LookRecord {
    id: i64,
    moment: jiff_sqlx::Timestamp,
    radnik_id: Option<i64>,
    radnik: Option<String>,
    ustanova: Option<String>,
    adresa: Option<String>,
    nacin: LookWay,
    klasa: String,
    akcija: String,
    zapis: Option<String>,
    opis: Option<String>,
    polja: Value,
    pacijent_id: Option<i64>,
}

/// Looks out of one source of rows. Values begin at `$8`.
macro_rules! looks {
    ($from:literal, $asked:expr, $last:expr) => {
        sqlx::query_as!(
            LookRecord,
            r#"select l.id as "id!", l.vreme_pristupa as "moment!: jiff_sqlx::Timestamp", l.radnik_id, w.prezime || ' ' || w.ime as radnik,
                      u.naziv as "ustanova?", l.adresa, look_kind(l.klasa, l.akcija) as "nacin!: LookWay", l.klasa as "klasa!", l.akcija as "akcija!",
                      record_name(l.klasa, l.red_id, l.polja) as zapis, l.opis,
                      case when l.klasa in ('patient_search', 'report_parameter', 'data_export', 'access_log') then l.polja else '[]' end as "polja!",
                      l.pacijent_id
                 from "#
                + $from
                + r#" l
                 left join worker w on w.id = l.radnik_id
                 left join institution u on u.id = coalesce(l.ustanova_id, w.ustanova_id)
                where coalesce(l.ustanova_id, w.ustanova_id) = any ($1)
                  and l.vreme_pristupa >= $2::date::timestamp at time zone 'Europe/Belgrade'
                  and ($3::date is null or l.vreme_pristupa < ($3::date + 1)::timestamp at time zone 'Europe/Belgrade')
                  and look_kind(l.klasa, l.akcija) is not null and ($4::text is null or look_kind(l.klasa, l.akcija) = $4)
                  and ($5::timestamptz is null or (l.vreme_pristupa, l.id) < ($5, $6))
                order by l.vreme_pristupa desc, l.id desc limit $7"#,
            $asked.ustanove,
            jiff_sqlx::Date::from($asked.from) as _,
            $asked.until.map(jiff_sqlx::Date::from) as _,
            $asked.nacin,
            $asked.before.map(|before| jiff_sqlx::Timestamp::from(before.moment)) as _,
            $asked.before.map(|before| before.id),
            PAGE + 1,
            $last,
        )
    };
}

struct LookFilter<'a> {
    ustanove: &'a [i64],
    from: jiff::civil::Date,
    until: Option<jiff::civil::Date>,
    nacin: Option<&'a str>,
    before: Option<Continuation>,
}

/// Every look at a patient, or every look of a worker, that was made for one of the officer's institutions.
#[utoipa::path(get, path = "/api/looks", params(LooksQuery), responses((status = 200, body = LooksAnswer)))]
async fn list(State(state): State<AppState>, actor: Allowed<Looks>, Query(query): Query<LooksQuery>) -> Result<Json<LooksAnswer>> {
    let (from, until) = period(query.datum_od.as_deref(), query.datum_do.as_deref())?;
    let before = Continuation::parse(query.pre.as_deref())?;
    let mut db = state.db.acquire().await?;
    let institutions = institutions(&mut db, &actor).await?;
    let nacin = query.nacin.as_deref().filter(|nacin| !nacin.is_empty());
    let asked = LookFilter { ustanove: &institutions, from, until, nacin, before };
    let mut rows = match (query.pacijent_id, query.radnik_id) {
        (Some(patient), None) => {
            require_known(&mut db, &institutions, patient).await?;
            looks!("log_of_patient($8)", asked, patient).fetch_all(&mut *db).await?
        }
        (None, Some(worker)) => looks!("(select * from audit_log where radnik_id = $8)", asked, worker).fetch_all(&mut *db).await?,
        _ => return Err(Error::invalid("pacijentID", "Izaberite pacijenta ili radnika.")),
    };
    let more = rows.len() as i64 > PAGE;
    rows.truncate(PAGE as usize);
    let sledeci = rows.last().filter(|_| more).map(|row| Continuation { moment: row.moment.to_jiff(), id: row.id }.to_string());
    let keys: Vec<_> = rows.iter().map(|row| (row.moment.to_jiff(), row.id, row.pacijent_id)).collect();
    let mut shown = shown::of_rows(&mut db, &keys, &institutions, true).await?;
    let mut patients = shown::named(&shown);
    patients.extend(query.pacijent_id);
    let worker = match query.radnik_id {
        Some(id) => {
            sqlx::query_scalar!(r#"select prezime || ' ' || ime as "naziv!" from worker where id = $1"#, id)
                .fetch_optional(&mut *db)
                .await?
        }
        None => None,
    };
    let mut polja = vec![told("Datum od", from.to_string())];
    polja.extend(until.map(|until| told("Datum do", until.to_string())));
    polja.extend(worker.map(|worker| told("Radnik", worker)));
    look(
        &mut *db,
        &actor,
        &Look { klasa: "access_log", akcija: "pregled evidencije uvida", polja, pacijenti: &patients, ..Look::default() },
    )
    .await?;
    let data = rows.into_iter().map(|row| {
        let of_row = shown.remove(&row.id).unwrap_or_default();
        LookRow {
            id: row.id,
            vreme: time::server_text(row.moment.to_jiff()),
            radnik_id: row.radnik_id,
            radnik: row.radnik,
            ustanova: row.ustanova,
            adresa: row.adresa,
            nacin: row.nacin,
            // What the record of a patient whom nobody here knows is called would tell of her.
            zapis: row.zapis.filter(|_| row.pacijent_id.is_none() || !of_row.named.is_empty()),
            klasa: row.klasa,
            akcija: row.akcija,
            opis: row.opis,
            uslovi: serde_json::from_value(row.polja).unwrap_or_default(),
            pacijenti: of_row.named,
            broj_pacijenata: of_row.count,
        }
    });
    let archived_before = archived_before(&mut db, Kind::Dnevnik).await?;
    Ok(Json(LooksAnswer { data: data.collect(), sledeci, archived_before }))
}
