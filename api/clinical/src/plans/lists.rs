//! Who is awaited in the worker's institution: those who are late, those whose window is open, those of one day. Pages go on by the index
//! that holds them.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
};
use axum::extract::State;
use domain::entry::visit_state::VisitState;
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

/// Beyond it a count says "more than".
pub const COUNTED: i32 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VisitList)]
pub enum VisitList {
    /// Their window closed, and they are waited for: those whose window closed last come first.
    Kasni,
    /// Their window is open: those that close first come first.
    Otvorene,
    /// Their target is that day.
    Danas,
}

impl VisitList {
    pub fn name(self) -> &'static str {
        match self {
            Self::Kasni => "kasni",
            Self::Otvorene => "otvorene",
            Self::Danas => "danas",
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
struct ListQuery {
    #[param(inline)]
    vrsta: VisitList,
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    /// The doctor whose patients they are; none: all of the institution.
    #[serde(rename = "radnikID")]
    radnik_id: Option<i64>,
    /// The day on which one looks; none: today.
    dan: Option<Date>,
    /// Where the page before this one ended.
    posle_dan: Option<Date>,
    #[serde(rename = "posleID")]
    posle_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AwaitedPage {
    data: Vec<AwaitedVisit>,
    /// Where the next page begins; none: this is the last one.
    sledece: Option<AwaitedPlace>,
    /// How many there are, up to 1000.
    ukupno: i64,
    /// There are more than that.
    vise_od_toga: bool,
}

#[derive(Serialize, ToSchema)]
struct AwaitedPlace {
    dan: Date,
    id: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AwaitedVisit {
    id: i64,
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    ime_prezime: String,
    datum_rodjenja: Date,
    #[serde(rename = "registarID")]
    registar_id: i64,
    registar: String,
    poseta: String,
    cilj: Date,
    prozor_od: Date,
    prozor_do: Date,
    stanje: VisitState,
    /// Days since its window closed.
    kasni_dana: i32,
    lekar: Option<String>,
    /// The patient may be written to or called about the register (consent `kontakt`).
    sme_kontakt: bool,
    /// None where the patient may not be called.
    telefon: Option<String>,
}

/// Visits that are awaited in the worker's institution.
#[utoipa::path(get, path = "/api/planned-visits", params(ListQuery), responses((status = 200, body = AwaitedPage)))]
async fn list(State(state): State<AppState>, actor: Actor, Query(query): Query<ListQuery>) -> Result<Json<AwaitedPage>> {
    let mut db = state.db.acquire().await?;
    let Some(institution) = actor.ustanova_id else {
        return Ok(Json(AwaitedPage { data: Vec::new(), sledece: None, ukupno: 0, vise_od_toga: false }));
    };
    let data = rows(&mut db, institution, &query).await?;
    let counted = count(&mut db, query.vrsta, institution, query.radnik_id, query.registar_id, query.dan).await?;
    let shown: Vec<i64> = data.iter().map(|visit| visit.pacijent_id).collect();
    let polja = vec![told("Spisak", query.vrsta.name()), told("Rezultata", shown.len())];
    look(&mut *db, &actor, &Look { klasa: "planned_visit", akcija: "pregled spiska poseta", polja, pacijenti: &shown, ..Look::default() })
        .await?;
    let sledece = last_of_full(&data).map(|last| AwaitedPlace { dan: last.prozor_do, id: last.id });
    Ok(Json(AwaitedPage { data, sledece, ukupno: counted.min(i64::from(COUNTED)), vise_od_toga: counted > i64::from(COUNTED) }))
}

async fn rows(db: &mut PgConnection, institution: i64, query: &ListQuery) -> Result<Vec<AwaitedVisit>> {
    let rows = sqlx::query!(
        r#"select v.id, o.pacijent_id, p.prezime || ' ' || p.ime as "ime_prezime!", p.datum_rodjenja, v.registar_id, r.naziv as registar,
                  i.naziv as poseta, v.cilj, v.prozor_od, v.prozor_do, visit_state(v, coalesce($5, today())) as "stanje!: VisitState",
                  greatest(coalesce($5, today()) - v.prozor_do, 0) as "kasni_dana!", w.prezime || ' ' || w.ime as lekar, p.kontakt_telefon,
                  consents(o.pacijent_id, v.registar_id, 'kontakt') as "sme_kontakt!"
             from listed_visits($1, $2, $3, $4, coalesce($5, today()), $6, $7, $8) with ordinality l (id, mesto)
             join planned_visit v on v.id = l.id
             join patient_plan o on o.id = v.patient_plan_id
             join patient p on p.id = o.pacijent_id
             join visit_plan_item i on i.id = v.stavka_id
             join register r on r.id = v.registar_id
             left join worker w on w.id = v.radnik_id
            order by l.mesto"#,
        query.vrsta.name(),
        institution,
        query.radnik_id,
        query.registar_id,
        query.dan.map(ToSqlx::to_sqlx) as _,
        query.posle_dan.map(ToSqlx::to_sqlx) as _,
        query.posle_id,
        PAGE_ROWS,
    )
    .fetch_all(db)
    .await?;
    let visit = rows.into_iter().map(|row| AwaitedVisit {
        id: row.id,
        pacijent_id: row.pacijent_id,
        ime_prezime: row.ime_prezime,
        datum_rodjenja: row.datum_rodjenja.to_jiff(),
        registar_id: row.registar_id,
        registar: row.registar,
        poseta: row.poseta,
        cilj: row.cilj.to_jiff(),
        prozor_od: row.prozor_od.to_jiff(),
        prozor_do: row.prozor_do.to_jiff(),
        stanje: row.stanje,
        kasni_dana: row.kasni_dana,
        lekar: row.lekar,
        sme_kontakt: row.sme_kontakt,
        telefon: row.sme_kontakt.then_some(row.kontakt_telefon),
    });
    Ok(visit.collect())
}

/// How many there are, at most one more than are counted.
pub async fn count(
    db: &mut PgConnection,
    list: VisitList,
    institution: i64,
    doctor: Option<i64>,
    register: Option<i64>,
    day: Option<Date>,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "n!" from listed_visits($1, $2, $3, $4, coalesce($5, today()), null, null, $6)"#,
        list.name(),
        institution,
        doctor,
        register,
        day.map(ToSqlx::to_sqlx) as _,
        COUNTED + 1,
    )
    .fetch_one(db)
    .await
}
