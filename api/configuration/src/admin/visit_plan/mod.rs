//! Visit plans of registers: how they are made, published in versions, and looked at before that. Nothing here shows a patient.

mod check;
mod fit;
pub mod item;
pub mod store;

use std::collections::BTreeMap;

use accounts::rights::Allowed;
use axum::{extract::State, http::StatusCode};
use domain::{db, entry::visit_state::VisitState, text, time::server_text};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::ToSchema;

pub use check::checked;
pub use fit::refuse_broken_conditions;

use self::item::{PlanItem, columns};
use crate::{admin::register::Register, crud::WriteAccess};

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(list, create))
        .routes(routes!(change, remove))
        .routes(routes!(publish))
        .routes(routes!(version))
        .routes(routes!(preview))
        .routes(routes!(date_fields))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct VisitPlan {
    id: i64,
    sifra: String,
    naziv: String,
    /// Patients of the register get it by themselves.
    podrazumevani: bool,
    verzija: i32,
    /// Patients who have it.
    pacijenata: i64,
    /// Of the newest version.
    stavke: Vec<PlanItem>,
    /// Newest first.
    verzije: Vec<PlanVersion>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VisitPlanVersion)]
struct PlanVersion {
    broj: i32,
    vreme: String,
    radnik: String,
    napomena: Option<String>,
    za_postojece: bool,
    /// Patients whose visits are dated by it.
    pacijenata: i64,
}

/// The plans of a register.
#[utoipa::path(get, path = "/api/registers/{id}/visit-plans", responses((status = 200, body = Page<VisitPlan>)))]
async fn list(State(state): State<AppState>, _: Allowed<WriteAccess<Register>>, Path(id): Path<i64>) -> Result<Json<Page<VisitPlan>>> {
    Ok(Json(Page::all(plans(&mut *state.db.acquire().await?, id, None).await?)))
}

/// The plans of a register, or the one of them.
async fn plans(db: &mut PgConnection, register: i64, plan: Option<i64>) -> Result<Vec<VisitPlan>> {
    let rows = sqlx::query!(
        r#"select p.id, p.sifra, p.naziv, p.podrazumevani, p.verzija,
                  (select count(*) from patient_plan o where o.plan_id = p.id) as "pacijenata!"
             from visit_plan p where p.registar_id = $1 and ($2::bigint is null or p.id = $2) and p.aktivan
            order by p.podrazumevani desc, p.naziv, p.id"#,
        register,
        plan
    )
    .fetch_all(&mut *db)
    .await?;
    let mut plans = Vec::with_capacity(rows.len());
    for row in rows {
        plans.push(VisitPlan {
            stavke: store::items_of(&mut *db, row.id, None).await?,
            verzije: versions(&mut *db, row.id).await?,
            id: row.id,
            sifra: row.sifra,
            naziv: row.naziv,
            podrazumevani: row.podrazumevani,
            verzija: row.verzija,
            pacijenata: row.pacijenata,
        });
    }
    Ok(plans)
}

async fn versions(db: &mut PgConnection, plan: i64) -> Result<Vec<PlanVersion>> {
    let rows = sqlx::query!(
        r#"select v.broj, v.vreme, w.prezime || ' ' || w.ime as "radnik!", v.napomena, v.za_postojece,
                  (select count(*) from patient_plan o where o.plan_id = v.plan_id and o.plan_version_id = v.id) as "pacijenata!"
             from visit_plan_version v join worker w on w.id = v.radnik_id where v.plan_id = $1 order by v.broj desc"#,
        plan
    )
    .fetch_all(db)
    .await?;
    let version = rows.into_iter().map(|row| PlanVersion {
        broj: row.broj,
        vreme: server_text(row.vreme.to_jiff()),
        radnik: row.radnik,
        napomena: row.napomena,
        za_postojece: row.za_postojece,
        pacijenata: row.pacijenata,
    });
    Ok(version.collect())
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewVisitPlan {
    sifra: String,
    naziv: String,
    #[serde(default)]
    podrazumevani: bool,
    stavke: Vec<PlanItem>,
}

/// A new plan with its first version.
#[utoipa::path(post, path = "/api/registers/{id}/visit-plans", request_body = NewVisitPlan, responses((status = 201, body = VisitPlan)))]
async fn create(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Register>>,
    Path(id): Path<i64>,
    Json(sent): Json<NewVisitPlan>,
) -> Result<(StatusCode, Json<VisitPlan>)> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    sqlx::query_scalar!("select id from register where id = $1 and aktivan for no key update", id)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or(Error::NotFound)?;
    let formulas = checked(&mut tx, id, &sent.stavke).await?;
    let plan = sqlx::query_scalar!(
        "insert into visit_plan (registar_id, sifra, naziv) values ($1, $2, $3) returning id",
        id,
        sent.sifra.trim(),
        sent.naziv.trim()
    )
    .fetch_one(&mut *tx)
    .await?;
    store::publish(&mut tx, plan, (&sent.stavke, &formulas), None, true).await?;
    if sent.podrazumevani {
        store::make_default(&mut tx, plan, id).await?;
    }
    let made = plans(&mut tx, id, Some(plan)).await?.pop().ok_or(Error::NotFound)?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(made)))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct VisitPlanInput {
    naziv: String,
    podrazumevani: bool,
    verzija: i32,
}

#[utoipa::path(put, path = "/api/visit-plans/{id}", request_body = VisitPlanInput,
    responses((status = 204), (status = 409, description = "Plan je u međuvremenu izmenjen")))]
async fn change(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Register>>,
    Path(id): Path<i64>,
    Json(sent): Json<VisitPlanInput>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let register = held(&mut tx, id, sent.verzija).await?;
    sqlx::query!(
        "update visit_plan set naziv = $2, podrazumevani = podrazumevani and $3 where id = $1",
        id,
        sent.naziv.trim(),
        sent.podrazumevani
    )
    .execute(&mut *tx)
    .await?;
    let is_default = sqlx::query_scalar!("select podrazumevani from visit_plan where id = $1", id).fetch_one(&mut *tx).await?;
    if sent.podrazumevani && !is_default {
        store::make_default(&mut tx, id, register).await?;
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes a plan away that no patient has.
#[utoipa::path(delete, path = "/api/visit-plans/{id}", responses((status = 204), (status = 409, description = "Neki pacijenti imaju ovaj plan")))]
async fn remove(State(state): State<AppState>, actor: Allowed<WriteAccess<Register>>, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    sqlx::query_scalar!("select id from visit_plan where id = $1 and aktivan for update", id)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or(Error::NotFound)?;
    let held = sqlx::query_scalar!(r#"select exists (select from patient_plan o where o.plan_id = $1) as "held!""#, id);
    if held.fetch_one(&mut *tx).await? {
        return Err(Error::conflict("Plan imaju pacijenti: dajte im prvo drugi plan."));
    }
    sqlx::query!("update visit_plan set aktivan = false, podrazumevani = false where id = $1", id).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewPlanVersion {
    stavke: Vec<PlanItem>,
    #[serde(default, deserialize_with = "text::optional")]
    napomena: Option<String>,
    /// Patients who have the plan go over to the version: what of theirs is open is dated by it.
    #[serde(default = "yes")]
    za_postojece: bool,
    /// Of the plan, as it was loaded.
    verzija: i32,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, ToSchema)]
struct PublishedPlanVersion {
    broj: i32,
}

/// Publishes the next version of a plan.
#[utoipa::path(post, path = "/api/visit-plans/{id}/versions", request_body = NewPlanVersion,
    responses((status = 201, body = PublishedPlanVersion), (status = 409, description = "Plan je u međuvremenu izmenjen")))]
async fn publish(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Register>>,
    Path(id): Path<i64>,
    Json(sent): Json<NewPlanVersion>,
) -> Result<(StatusCode, Json<PublishedPlanVersion>)> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let register = held(&mut tx, id, sent.verzija).await?;
    if store::items_of(&mut tx, id, None).await? == sent.stavke {
        return Err(Error::invalid("stavke", "Ova verzija se ne razlikuje od poslednje."));
    }
    let formulas = checked(&mut tx, register, &sent.stavke).await?;
    let broj = store::publish(&mut tx, id, (&sent.stavke, &formulas), sent.napomena.as_deref(), sent.za_postojece).await?;
    // The next one who publishes must have seen this version.
    sqlx::query!("update visit_plan set naziv = naziv where id = $1", id).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(PublishedPlanVersion { broj })))
}

/// Locks a plan that stands as it was loaded; gives its register.
async fn held(tx: &mut PgConnection, id: i64, verzija: i32) -> Result<i64> {
    let plan = sqlx::query!("select registar_id, verzija from visit_plan where id = $1 and aktivan for update", id)
        .fetch_optional(tx)
        .await?
        .ok_or(Error::NotFound)?;
    if plan.verzija != verzija {
        return Err(Error::Stale(None));
    }
    Ok(plan.registar_id)
}

/// The visits of one version.
#[utoipa::path(get, path = "/api/visit-plans/{id}/versions/{broj}", params(("id" = i64, Path), ("broj" = i32, Path)),
    responses((status = 200, body = Page<PlanItem>)))]
async fn version(
    State(state): State<AppState>,
    _: Allowed<WriteAccess<Register>>,
    Path((id, broj)): Path<(i64, i32)>,
) -> Result<Json<Page<PlanItem>>> {
    let items = store::items_of(&mut *state.db.acquire().await?, id, Some(broj)).await?;
    if items.is_empty() { Err(Error::NotFound) } else { Ok(Json(Page::all(items))) }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct VisitPlanPreview {
    #[serde(rename = "registarID")]
    registar_id: i64,
    stavke: Vec<PlanItem>,
    /// The inclusion of a patient who is made up.
    ukljucenje: Date,
    /// Her dates by the field's id.
    #[serde(default)]
    #[schema(value_type = Object)]
    datumi: BTreeMap<i64, Date>,
    /// The day on which her visits are looked at; none: today.
    dan: Option<Date>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PreviewedVisit {
    sifra: String,
    red: i32,
    cilj: Date,
    prozor_od: Date,
    prozor_do: Date,
    ceka_do: Date,
    stanje: VisitState,
}

/// Years that a preview shows.
const PREVIEW_YEARS: i64 = 5;

/// The days that a plan would give to a patient of whom nothing was entered yet.
#[utoipa::path(post, path = "/api/visit-plan-previews", request_body = VisitPlanPreview, responses((status = 200, body = Page<PreviewedVisit>)))]
async fn preview(
    State(state): State<AppState>,
    _: Allowed<WriteAccess<Register>>,
    Json(sent): Json<VisitPlanPreview>,
) -> Result<Json<Page<PreviewedVisit>>> {
    let mut db = state.db.acquire().await?;
    let formulas = checked(&mut db, sent.registar_id, &sent.stavke).await?;
    let mut wanted = Vec::with_capacity(sent.stavke.len());
    for (place, (item, formula)) in sent.stavke.iter().zip(&formulas).enumerate() {
        wanted.push(Value::Object(columns(item, place, formula.as_ref())?));
    }
    let end = sent.ukljucenje.checked_add(jiff::Span::new().years(PREVIEW_YEARS)).map_err(anyhow::Error::from)?;
    let datumi = serde_json::to_value(&sent.datumi).map_err(anyhow::Error::from)?;
    let rows = sqlx::query!(
        r#"select d.sifra as "sifra!", d.red as "red!", d.cilj as "cilj!", d.prozor_od as "prozor_od!", d.prozor_do as "prozor_do!",
                  d.ceka_do as "ceka_do!",
                  visit_state(jsonb_populate_record(null::planned_visit, to_jsonb(d)), coalesce($5, today())) as "stanje!: VisitState"
             from preview_visits($1, $2, $3, $4) d"#,
        Value::Array(wanted),
        sent.ukljucenje.to_sqlx() as _,
        datumi,
        end.to_sqlx() as _,
        sent.dan.map(ToSqlx::to_sqlx) as _,
    )
    .fetch_all(&mut *db)
    .await?;
    let visits = rows.into_iter().map(|row| PreviewedVisit {
        sifra: row.sifra,
        red: row.red,
        cilj: row.cilj.to_jiff(),
        prozor_od: row.prozor_od.to_jiff(),
        prozor_do: row.prozor_do.to_jiff(),
        ceka_do: row.ceka_do.to_jiff(),
        stanje: row.stanje,
    });
    Ok(Json(Page::all(visits.collect())))
}

/// A date field from which a visit may be counted.
#[derive(Serialize, ToSchema)]
struct VisitDateField {
    id: i64,
    naziv: String,
    formular: String,
}

/// Date fields of the register's forms, those in sections that repeat not among them.
#[utoipa::path(get, path = "/api/registers/{id}/visit-plan-fields", responses((status = 200, body = Page<VisitDateField>)))]
async fn date_fields(
    State(state): State<AppState>,
    _: Allowed<WriteAccess<Register>>,
    Path(id): Path<i64>,
) -> Result<Json<Page<VisitDateField>>> {
    let fields = sqlx::query_as!(
        VisitDateField,
        "select f.id, f.naziv, o.naziv as formular
           from form_field f join form o on o.id = f.tip_skupa_atributa_id and o.aktivan join form_field_place m on m.polje_id = f.id
           join attribute_type t on t.id = f.tip_atributa_id
          where o.registar_id = $1 and f.aktivan and t.tip_vrednosti_atributa = type_number('datumski')
            and not exists (select from form_field s where s.id = f.nadredjeni_atribut_u_tipu_skupa_id and s.ponavlja_se)
          order by o.prikazni_redosled, o.id, m.mesto",
        id
    );
    Ok(Json(Page::all(fields.fetch_all(&state.db).await?)))
}
