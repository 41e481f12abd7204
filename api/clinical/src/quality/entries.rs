//! The entries behind a number of *Kvalitet podataka*: all of them, those with a relevant blank, those that were entered late, those in which a field
//! is blank.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
};
use axum::extract::State;
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::Result,
    extract::{Json, Query},
    page::{PAGE_ROWS, last_of_full},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
struct EntryQuery {
    #[serde(rename = "registarID")]
    registar_id: i64,
    #[serde(rename = "tsaID")]
    tsa_id: Option<i64>,
    /// The doctor who answers for the entry, else who made it.
    #[serde(rename = "radnikID")]
    radnik_id: Option<i64>,
    /// Days of entries.
    od: Option<Date>,
    #[serde(rename = "do")]
    do_dana: Option<Date>,
    /// Without a relevant blank, or with one; none: either.
    potpun: Option<bool>,
    /// Entered within seven days of the visit, or later; none: either.
    u_sedam_dana: Option<bool>,
    /// Those in which this field is blank.
    #[serde(rename = "praznoPoljeID")]
    prazno_polje_id: Option<i64>,
    /// The last entry of the page before this one.
    #[serde(rename = "posleID")]
    posle_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
struct QualityEntryPage {
    /// Newest first.
    data: Vec<QualityEntry>,
    /// After which entry the next page begins; none: this is the last one.
    #[serde(rename = "sledeciID")]
    sledeci_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QualityEntry {
    #[serde(rename = "unosID")]
    unos_id: i64,
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    ime_prezime: String,
    formular: String,
    datum_unosa: Date,
    odgovoran: String,
    /// The day on which it was entered.
    uneto: Date,
    potpun: bool,
    nalaza: i64,
    upita: i64,
}

/// Entries of the worker's institution.
#[utoipa::path(get, path = "/api/data-quality/entries", params(EntryQuery), responses((status = 200, body = QualityEntryPage)))]
async fn list(State(state): State<AppState>, actor: Actor, Query(query): Query<EntryQuery>) -> Result<Json<QualityEntryPage>> {
    let mut db = state.db.acquire().await?;
    let data = rows(&mut db, &actor, &query).await?;
    let shown: Vec<i64> = data.iter().map(|entry| entry.pacijent_id).collect();
    let polja = vec![told("Rezultata", shown.len())];
    look(&mut *db, &actor, &Look { klasa: "entry", akcija: "pregled spiska unosa", polja, pacijenti: &shown, ..Look::default() }).await?;
    let sledeci_id = last_of_full(&data).map(|last| last.unos_id);
    Ok(Json(QualityEntryPage { data, sledeci_id }))
}

/// The conditions are those by which `figures` counts.
async fn rows(db: &mut PgConnection, actor: &Actor, query: &EntryQuery) -> sqlx::Result<Vec<QualityEntry>> {
    let rows = sqlx::query!(
        r#"select e.id, e.pacijent_id, p.prezime || ' ' || p.ime as "ime_prezime!", t.naziv as formular, e.datum_unosa,
                  d.prezime || ' ' || d.ime as "odgovoran!", (e.datum_kreiranja at time zone 'Europe/Belgrade')::date as "uneto!",
                  e.popunjeni_relevantni,
                  (select count(*) from open_finding n where n.unos_id = e.id) as "nalaza!",
                  (select count(*) from open_question q where q.unos_id = e.id) as "upita!"
             from entry e join patient p on p.id = e.pacijent_id and p.aktivan join form t on t.id = e.tsa_id
             join worker d on d.id = coalesce(e.radnik_odgovoran_id, e.radnik_kreirao_id)
            where e.ustanova_id = $1 and e.registar_id = $2 and e.aktivan
              and ($3::bigint is null or e.tsa_id = $3) and ($4::bigint is null or coalesce(e.radnik_odgovoran_id, e.radnik_kreirao_id) = $4)
              and ($5::date is null or e.datum_unosa >= $5) and ($6::date is null or e.datum_unosa <= $6)
              and ($7::boolean is null or e.popunjeni_relevantni = $7)
              and ($8::boolean is null or ((e.datum_kreiranja at time zone 'Europe/Belgrade')::date - e.datum_unosa <= 7) = $8)
              and ($9::text is null or not e.vrednosti ? $9) and ($10::bigint is null or e.id < $10)
            order by e.id desc limit $11"#,
        actor.ustanova_id,
        query.registar_id,
        query.tsa_id,
        query.radnik_id,
        query.od.map(ToSqlx::to_sqlx) as _,
        query.do_dana.map(ToSqlx::to_sqlx) as _,
        query.potpun,
        query.u_sedam_dana,
        query.prazno_polje_id.map(|field| field.to_string()),
        query.posle_id,
        i64::from(PAGE_ROWS)
    )
    .fetch_all(db)
    .await?;
    let entry = rows.into_iter().map(|row| QualityEntry {
        unos_id: row.id,
        pacijent_id: row.pacijent_id,
        ime_prezime: row.ime_prezime,
        formular: row.formular,
        datum_unosa: row.datum_unosa.to_jiff(),
        odgovoran: row.odgovoran,
        uneto: row.uneto.to_jiff(),
        potpun: row.popunjeni_relevantni,
        nalaza: row.nalaza,
        upita: row.upita,
    });
    Ok(entry.collect())
}
