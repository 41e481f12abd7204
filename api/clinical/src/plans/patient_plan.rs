//! The plan of one patient in a register: from which day it is counted, and its visits with what each is today.

use accounts::{audit::look_at_patient, auth::Actor};
use axum::{extract::State, http::StatusCode};
use domain::{db, entry::visit_state::VisitState, time::date_text};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types::Json as JsonColumn};
use utoipa::{IntoParams, ToSchema};

use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(read, change))
}

#[derive(Deserialize, IntoParams)]
struct PlanQuery {
    #[serde(rename = "registarID")]
    registar_id: i64,
    /// The day on which the visits are looked at; none: today.
    dan: Option<Date>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PatientVisits {
    /// None: the patient has no plan in the register.
    plan: Option<PatientPlan>,
    /// Plans of the register, among which one is chosen.
    planovi: Vec<PlanChoice>,
    /// In the order of their targets.
    posete: Vec<PlannedVisit>,
    /// Whether the worker may change any of it.
    izmena: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PatientPlan {
    id: i64,
    #[serde(rename = "planID")]
    plan_id: i64,
    naziv: String,
    /// The version by which the visits are dated.
    broj: i32,
    ukljucenje: Date,
    /// Somebody moved it: it is not the day of the first entry.
    ukljucenje_rucno: bool,
    /// Nothing is expected of the patient any more.
    prekinut: bool,
    verzija: i32,
}

#[derive(Serialize, ToSchema)]
struct PlanChoice {
    id: i64,
    naziv: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PlannedVisit {
    id: i64,
    sifra: String,
    naziv: String,
    /// Which of a visit that repeats, from 0.
    red: i32,
    ponavlja_se: bool,
    cilj: Date,
    prozor_od: Date,
    prozor_do: Date,
    ceka_do: Date,
    stanje: VisitState,
    /// The entry that it is, where the worker may open it.
    #[serde(rename = "unosID")]
    unos_id: Option<i64>,
    dan_unosa: Option<Date>,
    /// A person said which entry it is.
    rucno: bool,
    /// Why it was called off.
    razlog: Option<String>,
    #[schema(value_type = Vec<PlannedVisitForm>)]
    formulari: JsonColumn<Vec<PlannedVisitForm>>,
    /// Targets that it had before.
    #[schema(value_type = Vec<PlannedVisitMove>)]
    pomeranja: JsonColumn<Vec<PlannedVisitMove>>,
}

/// A form of a visit, and its entry of that day.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PlannedVisitForm {
    #[serde(rename = "tsaID")]
    tsa_id: i64,
    naziv: String,
    #[serde(rename = "unosID")]
    unos_id: Option<i64>,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct PlannedVisitMove {
    /// The target before the move.
    cilj: Date,
    /// When it was moved.
    dan: Date,
    radnik: String,
}

/// The patient's plan in a register.
#[utoipa::path(get, path = "/api/patients/{id}/visit-plan", params(PlanQuery), responses((status = 200, body = PatientVisits)))]
async fn read(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Query(query): Query<PlanQuery>,
) -> Result<Json<PatientVisits>> {
    let mut db = state.db.acquire().await?;
    let access = PatientAccess::to(&mut db, &actor, id).await?;
    look_at_patient(&mut db, &actor, id).await?;
    Ok(Json(PatientVisits {
        plan: plan_of(&mut db, id, query.registar_id).await?,
        planovi: choices(&mut db, query.registar_id).await?,
        posete: visits(&mut db, &actor, id, &query).await?,
        izmena: access.change,
    }))
}

async fn plan_of(db: &mut PgConnection, patient: i64, register: i64) -> sqlx::Result<Option<PatientPlan>> {
    let row = sqlx::query!(
        r#"select o.id, o.plan_id, p.naziv, v.broj, o.ukljucenje, o.ukljucenje_rucno, o.prekid_dan is not null as "prekinut!", o.verzija
             from patient_plan o join visit_plan p on p.id = o.plan_id join visit_plan_version v on v.id = o.plan_version_id
            where o.pacijent_id = $1 and o.registar_id = $2"#,
        patient,
        register
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| PatientPlan {
        id: row.id,
        plan_id: row.plan_id,
        naziv: row.naziv,
        broj: row.broj,
        ukljucenje: row.ukljucenje.to_jiff(),
        ukljucenje_rucno: row.ukljucenje_rucno,
        prekinut: row.prekinut,
        verzija: row.verzija,
    }))
}

async fn choices(db: &mut PgConnection, register: i64) -> sqlx::Result<Vec<PlanChoice>> {
    sqlx::query_as!(
        PlanChoice,
        "select id, naziv from visit_plan where registar_id = $1 and aktivan order by podrazumevani desc, naziv, id",
        register
    )
    .fetch_all(db)
    .await
}

async fn visits(db: &mut PgConnection, actor: &Actor, patient: i64, query: &PlanQuery) -> sqlx::Result<Vec<PlannedVisit>> {
    // Entries of others of a patient who was taken over are not shown; that the visit is done is.
    let rows = sqlx::query!(
        r#"with seen as (select not coalesce(reads_own_entries_only($4, $1), false) as others)
           select v.id, v.sifra, i.naziv, v.red, i.ponavlja_meseci is not null as "ponavlja_se!", v.cilj, v.prozor_od, v.prozor_do, v.ceka_do,
                  visit_state(v, coalesce($3, today())) as "stanje!: VisitState", v.rucno, v.otkaz_razlog as razlog,
                  case when (select others from seen) or e.ustanova_id = $4 then e.id end as unos_id,
                  case when (select others from seen) or e.ustanova_id = $4 then v.unos_dan end as dan_unosa,
                  (select coalesce(jsonb_agg(jsonb_build_object('tsaID', f.id, 'naziv', f.naziv, 'unosID',
                              (select max(o.id) from entry o
                                where o.pacijent_id = $1 and o.registar_id = $2 and o.aktivan and o.tsa_id = f.id and o.datum_unosa = v.unos_dan
                                  and ((select others from seen) or o.ustanova_id = $4)))
                              order by f.prikazni_redosled, f.id), '[]')
                     from form f where f.id = any (i.formulari) and f.aktivan) as "formulari!: JsonColumn<Vec<PlannedVisitForm>>",
                  (select coalesce(jsonb_agg(jsonb_build_object('cilj', m.cilj, 'dan', (m.vreme at time zone 'Europe/Belgrade')::date,
                                                               'radnik', w.prezime || ' ' || w.ime) order by m.id), '[]')
                     from planned_visit_move m join worker w on w.id = m.radnik_id
                    where m.planned_visit_id = v.id and m.cilj <> v.cilj) as "pomeranja!: JsonColumn<Vec<PlannedVisitMove>>"
             from patient_plan p join planned_visit v on v.patient_plan_id = p.id join visit_plan_item i on i.id = v.stavka_id
             left join entry e on e.id = v.unos_id
            where p.pacijent_id = $1 and p.registar_id = $2
            order by v.cilj, i.redosled, v.red, v.id"#,
        patient,
        query.registar_id,
        query.dan.map(ToSqlx::to_sqlx) as _,
        actor.ustanova_id,
    )
    .fetch_all(db)
    .await?;
    let visit = rows.into_iter().map(|row| PlannedVisit {
        id: row.id,
        sifra: row.sifra,
        naziv: row.naziv,
        red: row.red,
        ponavlja_se: row.ponavlja_se,
        cilj: row.cilj.to_jiff(),
        prozor_od: row.prozor_od.to_jiff(),
        prozor_do: row.prozor_do.to_jiff(),
        ceka_do: row.ceka_do.to_jiff(),
        stanje: row.stanje,
        unos_id: row.unos_id,
        dan_unosa: row.dan_unosa.map(jiff_sqlx::Date::to_jiff),
        rucno: row.rucno,
        razlog: row.razlog,
        formulari: row.formulari,
        pomeranja: row.pomeranja,
    });
    Ok(visit.collect())
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PatientPlanInput {
    #[serde(rename = "registarID")]
    registar_id: i64,
    #[serde(rename = "planID")]
    plan_id: i64,
    /// None: the day of the first entry, whatever it is.
    ukljucenje: Option<Date>,
    /// Of the patient's plan as it was loaded; none: she had none.
    verzija: Option<i32>,
}

/// Gives the patient a plan of the register, another one, or moves the day that it is counted from: what is open is dated anew.
#[utoipa::path(put, path = "/api/patients/{id}/visit-plan", request_body = PatientPlanInput,
    responses((status = 204), (status = 409, description = "Plan pacijenta je u međuvremenu izmenjen")))]
async fn change(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Json(sent): Json<PatientPlanInput>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    PatientAccess::to(&mut tx, &actor, id).await?.require_change()?;
    let version = sqlx::query_scalar!(
        r#"select v.id from visit_plan p join visit_plan_version v on v.plan_id = p.id
            where p.id = $1 and p.registar_id = $2 and p.aktivan order by v.broj desc limit 1"#,
        sent.plan_id,
        sent.registar_id
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or_else(|| Error::invalid("planID", "Registar nema taj plan."))?;
    let first = first_entry(&mut tx, id, sent.registar_id).await?;
    let day = included(&mut tx, id, sent.ukljucenje, first).await?;
    let known =
        sqlx::query!("select id, verzija from patient_plan where pacijent_id = $1 and registar_id = $2 for update", id, sent.registar_id)
            .fetch_optional(&mut *tx)
            .await?;
    match known {
        Some(plan) if sent.verzija != Some(plan.verzija) => return Err(Error::Stale(None)),
        Some(plan) => {
            // One who keeps the plan keeps its version: which one goes over to a new version is said where that is published.
            sqlx::query!(
                "update patient_plan
                    set plan_id = $2, plan_version_id = case when plan_id = $2 then plan_version_id else $3 end, ukljucenje = $4, ukljucenje_rucno = $5,
                        uslovi_zastareli = true
                  where id = $1",
                plan.id,
                sent.plan_id,
                version,
                day.to_sqlx() as _,
                sent.ukljucenje.is_some()
            )
            .execute(&mut *tx)
            .await?;
        }
        None if sent.verzija.is_some() => return Err(Error::Stale(None)),
        None => {
            sqlx::query!(
                "insert into patient_plan (pacijent_id, registar_id, plan_id, plan_version_id, ukljucenje, ukljucenje_rucno, ustanova_id, uslovi_zastareli)
                 values ($1, $2, $3, $4, $5, $6, $7, true)",
                id,
                sent.registar_id,
                sent.plan_id,
                version,
                day.to_sqlx() as _,
                sent.ukljucenje.is_some(),
                actor.ustanova_id
            )
            .execute(&mut *tx)
            .await?;
        }
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn first_entry(db: &mut PgConnection, patient: i64, register: i64) -> sqlx::Result<Option<Date>> {
    let first =
        sqlx::query_scalar!("select prvi_unos_datum from patient_register where pacijent_id = $1 and registar_id = $2", patient, register);
    Ok(first.fetch_optional(db).await?.flatten().map(jiff_sqlx::Date::to_jiff))
}

/// The day of inclusion: the one that was chosen, between birth and today, else that of the first entry.
async fn included(db: &mut PgConnection, patient: i64, chosen: Option<Date>, first: Option<Date>) -> Result<Date> {
    let Some(chosen) = chosen else {
        return first.ok_or_else(|| Error::invalid("ukljucenje", "Pacijent nema unosa u registru: izaberite dan uključenja."));
    };
    let known = sqlx::query!(r#"select datum_rodjenja, today() as "today!" from patient where id = $1"#, patient).fetch_one(db).await?;
    let (born, today) = (known.datum_rodjenja.to_jiff(), known.today.to_jiff());
    if chosen > today {
        return Err(Error::invalid("ukljucenje", format!("Dan uključenja ne može biti u budućnosti (danas je {}).", date_text(today))));
    }
    if chosen < born {
        return Err(Error::invalid("ukljucenje", format!("Dan uključenja ne može biti pre rođenja ({}).", date_text(born))));
    }
    Ok(chosen)
}
