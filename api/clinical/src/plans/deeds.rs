//! What a person decides about a planned visit: which entry it is, that it is none, that it is called off.

use accounts::auth::Actor;
use axum::{extract::State, http::StatusCode};
use domain::db;
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(link)).routes(routes!(unlink)).routes(routes!(cancel)).routes(routes!(restore))
}

/// No patient has it.
const NOBODY: i64 = 0;

struct HeldVisit {
    id: i64,
    patient_plan_id: i64,
    pacijent_id: i64,
    registar_id: i64,
    unos_id: Option<i64>,
    is_cancelled: bool,
}

/// Locks the plan of a visit of a patient whom the worker may change. One that is not there is answered as one of a hidden patient.
async fn held(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<HeldVisit> {
    // The plan first, as a save of an entry locks it.
    let locked = sqlx::query_scalar!(
        "select p.id from patient_plan p where p.id = (select v.patient_plan_id from planned_visit v where v.id = $1) for update",
        id
    );
    locked.fetch_optional(&mut *tx).await?;
    let visit = sqlx::query_as!(
        HeldVisit,
        r#"select v.id, v.patient_plan_id, p.pacijent_id, p.registar_id, v.unos_id, v.otkazana_at is not null as "is_cancelled!"
             from planned_visit v join patient_plan p on p.id = v.patient_plan_id where v.id = $1"#,
        id
    )
    .fetch_optional(&mut *tx)
    .await?;
    let patient = visit.as_ref().map_or(NOBODY, |visit| visit.pacijent_id);
    PatientAccess::to(tx, actor, patient).await?.require_change()?;
    visit.ok_or(Error::HiddenPatient(NOBODY))
}

async fn refresh(tx: &mut PgConnection, visit: &HeldVisit) -> sqlx::Result<()> {
    sqlx::query!("select refresh_patient_plan($1) as refreshed", visit.patient_plan_id).fetch_one(tx).await?;
    Ok(())
}

#[derive(Deserialize, ToSchema)]
struct PlannedVisitEntry {
    #[serde(rename = "unosID")]
    unos_id: i64,
}

/// The visit is this entry, whatever its day: one that lies outside of the window is told as such.
#[utoipa::path(post, path = "/api/planned-visits/{id}/link", request_body = PlannedVisitEntry, responses((status = 204)))]
async fn link(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>, Json(sent): Json<PlannedVisitEntry>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let visit = held(&mut tx, &actor, id).await?;
    if visit.is_cancelled {
        return Err(Error::conflict("Poseta je otkazana: prvo je vratite."));
    }
    let known = sqlx::query_scalar!(
        r#"select exists (select from entry e
                           where e.id = $1 and e.pacijent_id = $2 and e.registar_id = $3 and e.aktivan
                             and (e.ustanova_id = $4 or not reads_own_entries_only($4, $2))) as "known!""#,
        sent.unos_id,
        visit.pacijent_id,
        visit.registar_id,
        actor.ustanova_id
    );
    if !known.fetch_one(&mut *tx).await? {
        return Err(Error::invalid("unosID", "Izaberite unos ovog pacijenta u registru."));
    }
    sqlx::query!(
        "update planned_visit set unos_id = null, unos_dan = null, rucno = false where unos_id = $1 and id <> $2",
        sent.unos_id,
        visit.id
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("delete from unplanned_entry where unos_id = $1", sent.unos_id).execute(&mut *tx).await?;
    sqlx::query!(
        "update planned_visit v set unos_id = e.id, unos_dan = e.datum_unosa, rucno = true from entry e where v.id = $1 and e.id = $2",
        visit.id,
        sent.unos_id
    )
    .execute(&mut *tx)
    .await?;
    refresh(&mut tx, &visit).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The entry that the visit was is none of the plan.
#[utoipa::path(post, path = "/api/planned-visits/{id}/unlink", responses((status = 204)))]
async fn unlink(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let visit = held(&mut tx, &actor, id).await?;
    let Some(entry) = visit.unos_id else { return Err(Error::conflict("Poseta nema unos.")) };
    sqlx::query!("insert into unplanned_entry (unos_id) values ($1) on conflict do nothing", entry).execute(&mut *tx).await?;
    sqlx::query!("update planned_visit set unos_id = null, unos_dan = null, rucno = false where id = $1", visit.id)
        .execute(&mut *tx)
        .await?;
    refresh(&mut tx, &visit).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
struct VisitCancellation {
    /// Why, from 3 to 500 characters.
    razlog: String,
}

#[utoipa::path(post, path = "/api/planned-visits/{id}/cancel", request_body = VisitCancellation, responses((status = 204)))]
async fn cancel(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Json(sent): Json<VisitCancellation>,
) -> Result<StatusCode> {
    let reason = sent.razlog.trim();
    if !(3..=500).contains(&reason.chars().count()) {
        return Err(Error::invalid("razlog", "Razlog ima od 3 do 500 znakova."));
    }
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let visit = held(&mut tx, &actor, id).await?;
    if visit.unos_id.is_some() {
        return Err(Error::conflict("Poseta je ispunjena i ne može da se otkaže."));
    }
    sqlx::query!(
        "update planned_visit set otkazana_at = clock_timestamp(), otkazao_id = $2, otkaz_razlog = $3 where id = $1",
        visit.id,
        actor.radnik_id,
        reason
    )
    .execute(&mut *tx)
    .await?;
    refresh(&mut tx, &visit).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A visit that was called off is awaited again.
#[utoipa::path(post, path = "/api/planned-visits/{id}/restore", responses((status = 204)))]
async fn restore(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let visit = held(&mut tx, &actor, id).await?;
    if !visit.is_cancelled {
        return Err(Error::conflict("Poseta nije otkazana."));
    }
    sqlx::query!("update planned_visit set otkazana_at = null, otkazao_id = null, otkaz_razlog = null where id = $1", visit.id)
        .execute(&mut *tx)
        .await?;
    refresh(&mut tx, &visit).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
