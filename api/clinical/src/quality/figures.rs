//! The institution's data as a whole: how complete and how timely entries are, what rules have found and what was asked, by form, field, doctor,
//! month and rule. It is of the own institution alone, whose numbers are not withheld.

use accounts::rights::{Allowed, DataQuality};
use axum::extract::State;
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::Result,
    extract::{Json, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::EntryDays;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(figures))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QualityFigures {
    ukupno: EntryFigures,
    po_formularu: Vec<EntryFigures>,
    po_lekaru: Vec<EntryFigures>,
    /// Oldest first.
    po_mesecu: Vec<EntryFigures>,
    /// Fields that are required or relevant, and those of which something was found or asked.
    po_polju: Vec<FieldFigures>,
    po_pravilu: Vec<RuleFigures>,
}

/// Of entries of one form, doctor or month.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryFigures {
    /// Of the form or of the doctor.
    id: Option<i64>,
    naziv: Option<String>,
    /// The first day of the month.
    mesec: Option<Date>,
    unosa: i64,
    /// Entries without a relevant blank.
    potpunih: i64,
    /// Days from the visit to its entry.
    medijana_dana: Option<f64>,
    u_sedam_dana: i64,
    nalaza: i64,
    upita: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FieldFigures {
    id: i64,
    naziv: String,
    #[serde(rename = "tsaID")]
    tsa_id: i64,
    formular: String,
    unosa: i64,
    popunjeno: i64,
    nalaza: i64,
    upita: i64,
}

#[derive(Serialize, ToSchema)]
struct RuleFigures {
    id: i64,
    naziv: String,
    nalaza: i64,
    /// Confirmed as right.
    potvrdjenih: i64,
}

/// The quality of the institution's data in a register.
#[utoipa::path(get, path = "/api/data-quality", params(EntryDays), responses((status = 200, body = QualityFigures)))]
async fn figures(
    State(state): State<AppState>,
    actor: Allowed<DataQuality>,
    Query(query): Query<EntryDays>,
) -> Result<Json<QualityFigures>> {
    let mut db = state.db.acquire().await?;
    let institution = actor.ustanova()?;
    let mut told = QualityFigures {
        ukupno: EntryFigures::nothing(),
        po_formularu: Vec::new(),
        po_lekaru: Vec::new(),
        po_mesecu: Vec::new(),
        po_polju: by_field(&mut db, institution, &query).await?,
        po_pravilu: by_rule(&mut db, institution, &query).await?,
    };
    for (part, row) in by_entry(&mut db, institution, &query).await? {
        match part {
            ALL => told.ukupno = row,
            OF_FORM => told.po_formularu.push(row),
            OF_DOCTOR => told.po_lekaru.push(row),
            _ => told.po_mesecu.push(row),
        }
    }
    Ok(Json(told))
}

impl EntryFigures {
    fn nothing() -> Self {
        Self { id: None, naziv: None, mesec: None, unosa: 0, potpunih: 0, medijana_dana: None, u_sedam_dana: 0, nalaza: 0, upita: 0 }
    }
}

/// As `grouping(form, doctor, month)` numbers the sets.
const ALL: i32 = 0b111;
const OF_FORM: i32 = 0b011;
const OF_DOCTOR: i32 = 0b101;

async fn by_entry(db: &mut PgConnection, institution: i64, query: &EntryDays) -> sqlx::Result<Vec<(i32, EntryFigures)>> {
    let rows = sqlx::query!(
        r#"with n as (select f.unos_id, count(*) as broj from open_finding f where f.ustanova_id = $1 group by 1),
                q as (select f.unos_id, count(*) as broj from open_question f where f.ustanova_id = $1 group by 1)
           select c.part as "part!", coalesce(c.tsa_id, c.lekar) as id,
                  coalesce((select t.naziv from form t where t.id = c.tsa_id),
                           (select w.prezime || ' ' || w.ime from worker w where w.id = c.lekar)) as naziv,
                  c.mesec as "mesec: jiff_sqlx::Date", c.unosa as "unosa!", c.potpunih as "potpunih!", c.medijana, c.sedam as "sedam!",
                  c.nalaza::bigint as "nalaza!", c.upita::bigint as "upita!"
             from (select grouping(u.tsa_id, u.lekar, u.mesec) as part, u.tsa_id, u.lekar, u.mesec, count(*) as unosa,
                          count(*) filter (where u.potpun) as potpunih, percentile_cont(0.5) within group (order by u.dana) as medijana,
                          count(*) filter (where u.dana <= 7) as sedam, coalesce(sum(u.nalaza), 0) as nalaza, coalesce(sum(u.upita), 0) as upita
                     from (select e.tsa_id, coalesce(e.radnik_odgovoran_id, e.radnik_kreirao_id) as lekar,
                                  date_trunc('month', e.datum_unosa)::date as mesec, e.popunjeni_relevantni as potpun,
                                  greatest(0, (e.datum_kreiranja at time zone 'Europe/Belgrade')::date - e.datum_unosa) as dana,
                                  n.broj as nalaza, q.broj as upita
                             from entry e join patient p on p.id = e.pacijent_id and p.aktivan
                             left join n on n.unos_id = e.id left join q on q.unos_id = e.id
                            where e.ustanova_id = $1 and e.registar_id = $2 and e.aktivan
                              and ($3::date is null or e.datum_unosa >= $3) and ($4::date is null or e.datum_unosa <= $4)) u
                    group by grouping sets ((), (u.tsa_id), (u.lekar), (u.mesec))) c
            order by c.mesec, naziv, id"#,
        institution,
        query.registar_id,
        query.od.map(ToSqlx::to_sqlx) as _,
        query.do_dana.map(ToSqlx::to_sqlx) as _
    )
    .fetch_all(db)
    .await?;
    let figures = rows.into_iter().map(|row| {
        let figures = EntryFigures {
            id: row.id,
            naziv: row.naziv,
            mesec: row.mesec.map(jiff_sqlx::Date::to_jiff),
            unosa: row.unosa,
            potpunih: row.potpunih,
            medijana_dana: row.medijana,
            u_sedam_dana: row.sedam,
            nalaza: row.nalaza,
            upita: row.upita,
        };
        (row.part, figures)
    });
    Ok(figures.collect())
}

async fn by_field(db: &mut PgConnection, institution: i64, query: &EntryDays) -> sqlx::Result<Vec<FieldFigures>> {
    sqlx::query_as!(
        FieldFigures,
        r#"with u as materialized (
               select e.id, e.tsa_id, e.vrednosti from entry e join patient p on p.id = e.pacijent_id and p.aktivan
                where e.ustanova_id = $1 and e.registar_id = $2 and e.aktivan
                  and ($3::date is null or e.datum_unosa >= $3) and ($4::date is null or e.datum_unosa <= $4)),
           n as (select f.polje_id, count(*) as nalaza from open_finding f join u on u.id = f.unos_id where f.ustanova_id = $1 group by 1),
           q as (select f.polje_id, count(*) as upita from open_question f join u on u.id = f.unos_id where f.ustanova_id = $1 group by 1)
           select f.id, f.naziv, t.id as tsa_id, t.naziv as formular, c.unosa as "unosa!", c.popunjeno as "popunjeno!",
                  coalesce(n.nalaza, 0) as "nalaza!", coalesce(q.upita, 0) as "upita!"
             from form t join form_field f on f.tip_skupa_atributa_id = t.id and f.aktivan
             left join n on n.polje_id = f.id left join q on q.polje_id = f.id
            cross join lateral (select count(*) as unosa, count(*) filter (where u.vrednosti ? f.id::text) as popunjeno from u where u.tsa_id = t.id) c
            where t.registar_id = $2 and t.aktivan and (f.relevantni or not f.opcioni or n.nalaza > 0 or q.upita > 0)
            order by t.prikazni_redosled, t.id, f.redosled, f.id"#,
        institution,
        query.registar_id,
        query.od.map(ToSqlx::to_sqlx) as _,
        query.do_dana.map(ToSqlx::to_sqlx) as _
    )
    .fetch_all(db)
    .await
}

async fn by_rule(db: &mut PgConnection, institution: i64, query: &EntryDays) -> sqlx::Result<Vec<RuleFigures>> {
    sqlx::query_as!(
        RuleFigures,
        r#"select r.id, r.naziv, count(e.id) filter (where n.id in (select o.id from open_finding o where o.ustanova_id = $1)) as "nalaza!",
                  count(e.id) filter (where n.potvrdjen_at is not null) as "potvrdjenih!"
             from quality_rule r
             left join quality_finding n on n.pravilo_id = r.id and n.kraj is null and n.ustanova_id = $1
             left join (entry e join patient p on p.id = e.pacijent_id and p.aktivan)
                    on e.id = n.unos_id and e.aktivan and ($3::date is null or e.datum_unosa >= $3) and ($4::date is null or e.datum_unosa <= $4)
            where r.registar_id = $2 and r.aktivan
            group by r.id, r.naziv order by 3 desc, r.naziv, r.id"#,
        institution,
        query.registar_id,
        query.od.map(ToSqlx::to_sqlx) as _,
        query.do_dana.map(ToSqlx::to_sqlx) as _
    )
    .fetch_all(db)
    .await
}
