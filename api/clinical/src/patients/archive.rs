//! What a patient's record said before each change, and who looked at it (A 2.10).

use accounts::{
    audit::{LookWay, deed_on_patient},
    auth::Actor,
};
use axum::extract::State;
use domain::{db, time};
use jiff::civil::Date;
use platform::{
    archived::{Kind, archived_before},
    continuation::Continuation,
    error::Result,
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::access::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(archive)).routes(routes!(views))
}

/// One state of the record. `slog` holds the patient's fields by their JSON names.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ArchivedPatient {
    #[serde(flatten)]
    slog: Value,
    vreme_kreiranja: String,
    vreme_poslednje_izmene: String,
    /// None: the state that holds now.
    vreme_prestanka_vazenja: Option<String>,
    aktivan: bool,
    /// Nobody knows any more who it is.
    anonimizovan: bool,
    /// Who wrote this state; none where the log of that time is not kept any more.
    radnik_upisao: Option<String>,
    /// Who put another in its place.
    radnik: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct Archive {
    data: Vec<ArchivedPatient>,
    total: usize,
    /// States that ended before this day lie in files of the archive, but for the newest; none: all are here.
    #[serde(rename = "uArhiviPre")]
    archived_before: Option<Date>,
}

/// The current record, then its earlier states, newest first.
#[utoipa::path(get, path = "/api/patients/{id}/archive", responses((status = 200, body = Archive)))]
async fn archive(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<Archive>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    PatientAccess::to(&mut tx, &actor, id).await?;
    let rows = sqlx::query!(
        r#"
        select s.slog as "slog!", s.vreme_prestanka_vazenja, e.prezime || ' ' || e.ime as radnik,
               w.prezime || ' ' || w.ime as upisao, (s.slog ->> 'vreme_kreiranja')::timestamptz as "vreme_kreiranja!",
               (s.slog ->> 'vreme_poslednje_izmene')::timestamptz as "vreme_poslednje_izmene!"
          from (
            select q.*, lag(q.radnik_id) over (order by q.number) as before_id from (
                select to_jsonb(p) as slog, null::timestamptz as vreme_prestanka_vazenja, null::bigint as radnik_id, null::bigint as number
                  from patient p where p.id = $1
                union all
                select h.slog, h.vreme_prestanka_vazenja, h.radnik_id, h.istorija_id from patient_history h where h.pacijent_id = $1
            ) q
          ) s
          -- The first state is of who registered the patient; the first of those that are here may be a later one.
          left join worker w on w.id = coalesce(s.before_id,
              case when s.slog -> 'verzija' = '1' or archived_before('istorija') is null then (select l.radnik_id from audit_log l
                  where l.klasa = 'patient' and l.red_id = $1::bigint::text and l.akcija = 'kreiranje' order by l.vreme_pristupa limit 1) end)
          left join worker e on e.id = s.radnik_id
         order by s.number desc nulls first
        "#,
        id
    )
    .fetch_all(&mut *tx)
    .await?;
    deed_on_patient(&mut tx, &actor, "patient", "pregled istorije", id, id).await?;
    let archived_before = archived_before(&mut tx, Kind::Istorija).await?;
    tx.commit().await?;
    let data: Vec<_> = rows
        .into_iter()
        .map(|row| ArchivedPatient {
            aktivan: row.slog["aktivan"] == Value::Bool(true),
            anonimizovan: row.slog["anonimizovan_at"].is_string(),
            slog: fields(&row.slog),
            vreme_kreiranja: time::server_text(row.vreme_kreiranja.to_jiff()),
            vreme_poslednje_izmene: time::server_text(row.vreme_poslednje_izmene.to_jiff()),
            vreme_prestanka_vazenja: row.vreme_prestanka_vazenja.map(|at| time::server_text(at.to_jiff())),
            radnik_upisao: row.upisao,
            radnik: row.radnik,
        })
        .collect();
    Ok(Json(Archive { total: data.len(), data, archived_before }))
}

/// The patient's fields of a stored row, by their JSON names.
fn fields(row: &Value) -> Value {
    const FIELDS: [(&str, &str); 18] = [
        ("ime", "ime"),
        ("prezime", "prezime"),
        ("ime_roditelja", "imeRoditelja"),
        ("datum_rodjenja", "datumRodjenja"),
        ("jmbg", "jmbg"),
        ("lbo", "lbo"),
        ("pol_trenutni", "polTrenutni"),
        ("pol_na_rodjenju", "polNaRodjenju"),
        ("adresa", "adresa"),
        ("broj_kartona", "brojKartona"),
        ("kontakt_telefon", "kontaktTelefon"),
        ("email", "email"),
        ("mobilni_telefon", "mobilniTelefon"),
        ("zanimanje", "zanimanje"),
        ("strucna_sprema", "strucnaSprema"),
        ("radno_mesto", "radnoMesto"),
        ("medicinska_napomena", "medicinskaNapomena"),
        ("administrativna_napomena", "administrativnaNapomena"),
    ];
    // An anonymous patient's numbers are blank.
    let said = |column: &str| Some(&row[column]).filter(|value| **value != "").cloned().unwrap_or_default();
    FIELDS.iter().map(|(column, name)| ((*name).to_owned(), said(column))).collect::<serde_json::Map<_, _>>().into()
}

/// Looks of one page.
const VIEWS: i64 = 100;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct View {
    /// None: a worker whose account is not there any more.
    radnik: Option<String>,
    ustanova: Option<String>,
    nacin: LookWay,
    akcija: String,
    klasa: String,
    vreme_pristupa: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ViewsQuery {
    /// `sledeci` of the page before.
    pre: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct Views {
    data: Vec<View>,
    /// All of them.
    total: i64,
    /// Where the next page begins; none: there is none.
    sledeci: Option<String>,
    /// Looks from before this day lie in files of the archive; none: all are here.
    #[serde(rename = "uArhiviPre")]
    archived_before: Option<Date>,
}

/// The looks at the patient, in whatever way, and at its entries, newest first; `total` counts all of them. A look at an entry that is not
/// the worker's to read is one at the patient.
#[utoipa::path(get, path = "/api/patients/{id}/views", params(("id" = i64, Path), ViewsQuery), responses((status = 200, body = Views)))]
async fn views(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>, Query(query): Query<ViewsQuery>) -> Result<Json<Views>> {
    let before = Continuation::parse(query.pre.as_deref())?;
    let mut db = state.db.acquire().await?;
    PatientAccess::to(&mut db, &actor, id).await?;
    let total =
        sqlx::query_scalar!(r#"select count(*) as "total!" from log_of_patient($1) l where look_kind(l.klasa, l.akcija) is not null"#, id)
            .fetch_one(&mut *db)
            .await?;
    let mut rows = sqlx::query!(
        r#"
        select l.id as "id!", l.vreme_pristupa as "moment!: jiff_sqlx::Timestamp", w.prezime || ' ' || w.ime as radnik, i.naziv as "ustanova?",
               case when k.closed then 'otvaranje' else look_kind(l.klasa, l.akcija) end as "nacin!: LookWay",
               case when k.closed then 'pregled' else l.akcija end as "akcija!", case when k.closed then 'patient' else l.klasa end as "klasa!"
          from log_of_patient($1) l
         cross join lateral (
            select case when l.klasa = 'entry' and (select reads_own_entries_only($5, $1))
                        then not exists (select from entry e where e.id = l.red_id::bigint and e.ustanova_id = $5)
                        else false end as closed) k
          left join worker w on w.id = l.radnik_id
          left join institution i on i.id = coalesce(l.ustanova_id, w.ustanova_id)
         where look_kind(l.klasa, l.akcija) is not null and ($2::timestamptz is null or (l.vreme_pristupa, l.id) < ($2, $3))
         order by l.vreme_pristupa desc, l.id desc
         limit $4
        "#,
        id,
        before.map(|before| jiff_sqlx::Timestamp::from(before.moment)) as _,
        before.map(|before| before.id),
        VIEWS + 1,
        actor.ustanova_id,
    )
    .fetch_all(&mut *db)
    .await?;
    let more = rows.len() as i64 > VIEWS;
    rows.truncate(VIEWS as usize);
    let sledeci = rows.last().filter(|_| more).map(|row| Continuation { moment: row.moment.to_jiff(), id: row.id }.to_string());
    let data = rows.into_iter().map(|row| View {
        radnik: row.radnik,
        ustanova: row.ustanova,
        nacin: row.nacin,
        akcija: row.akcija,
        klasa: row.klasa,
        vreme_pristupa: time::server_text(row.moment.to_jiff()),
    });
    let archived_before = archived_before(&mut db, Kind::Dnevnik).await?;
    Ok(Json(Views { data: data.collect(), total, sledeci, archived_before }))
}
