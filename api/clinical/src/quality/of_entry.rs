//! Findings of one entry, as they stand beside its fields.

use accounts::{audit::look_at_patient, auth::Actor};
use axum::extract::State;
use domain::entry::quality::{QualityKind, Severity};
use platform::{
    error::Result,
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use sqlx::{PgConnection, types::Json as JsonColumn};
use utoipa::ToSchema;

use super::{ComparedEntry, Confirmation, FindingConfirmation, FindingEnd, may_confirm};
use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(of_entry)).routes(routes!(history))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryFindings {
    /// Those that have not ended, confirmed ones among them; none where the entry is another institution's, whose findings they are.
    nalazi: Vec<EntryFinding>,
    /// Whether the worker may confirm.
    pravo_potvrde: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryFinding {
    id: i64,
    /// None: of the entry as a whole.
    #[serde(rename = "poljeID")]
    polje_id: Option<i64>,
    pravilo: String,
    vrsta: QualityKind,
    tezina: Severity,
    /// None: as the kind has it.
    poruka: Option<String>,
    pocetak: String,
    #[schema(value_type = Option<FindingConfirmation>)]
    potvrda: Confirmation,
    #[schema(value_type = Option<ComparedEntry>)]
    drugi_unos: Option<JsonColumn<ComparedEntry>>,
}

/// What rules have found in an entry.
#[utoipa::path(get, path = "/api/entries/{id}/findings", responses((status = 200, body = EntryFindings)))]
async fn of_entry(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<EntryFindings>> {
    let mut db = state.db.acquire().await?;
    let found = sqlx::query!("select pacijent_id, ustanova_id from entry where id = $1 and aktivan", id).fetch_optional(&mut *db).await?;
    let (entry, _) = PatientAccess::to_entry(&mut db, &actor, found, |entry| (entry.pacijent_id, entry.ustanova_id)).await?;
    look_at_patient(&mut db, &actor, entry.pacijent_id).await?;
    if actor.ustanova_id != Some(entry.ustanova_id) {
        return Ok(Json(EntryFindings { nalazi: Vec::new(), pravo_potvrde: false }));
    }
    Ok(Json(EntryFindings { nalazi: findings(&mut db, id).await?, pravo_potvrde: may_confirm(&actor) }))
}

async fn findings(db: &mut PgConnection, entry: i64) -> sqlx::Result<Vec<EntryFinding>> {
    sqlx::query_as!(
        EntryFinding,
        r#"select n.id, n.polje_id, r.naziv as pravilo, r.vrsta as "vrsta: QualityKind", r.tezina as "tezina: Severity", r.poruka,
                  to_char(n.pocetak at time zone 'Europe/Belgrade', 'YYYY-MM-DD"T"HH24:MI:SS') as "pocetak!",
                  case when n.potvrdjen_at is not null then jsonb_build_object('radnik', w.prezime || ' ' || w.ime, 'napomena', n.napomena,
                      'vreme', to_char(n.potvrdjen_at at time zone 'Europe/Belgrade', 'YYYY-MM-DD"T"HH24:MI:SS')) end
                      as "potvrda: JsonColumn<FindingConfirmation>",
                  case when o.id is not null then jsonb_build_object('unosID', o.id, 'datum', o.datum_unosa) end
                      as "drugi_unos: JsonColumn<ComparedEntry>"
             from quality_finding n join quality_rule r on r.id = n.pravilo_id and r.aktivan
             left join worker w on w.id = n.potvrdio_id left join entry o on o.id = n.drugi_unos_id and o.aktivan
            where n.unos_id = $1 and n.kraj is null order by r.tezina, n.id"#,
        entry
    )
    .fetch_all(db)
    .await
}

#[derive(Serialize, ToSchema)]
struct FindingHistory {
    /// Newest first, those that have ended among them; none where the entry is another institution's.
    data: Vec<PastFinding>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PastFinding {
    id: i64,
    /// None: of the entry as a whole.
    polje: Option<String>,
    pravilo: String,
    vrsta: QualityKind,
    tezina: Severity,
    poruka: Option<String>,
    pocetak: String,
    /// None: it is one still.
    kraj: Option<String>,
    razlog_kraja: Option<FindingEnd>,
    #[schema(value_type = Option<FindingConfirmation>)]
    potvrda: Confirmation,
}

/// All that rules have ever found in an entry. That of a deleted entry stays readable.
#[utoipa::path(get, path = "/api/entries/{id}/finding-history", responses((status = 200, body = FindingHistory)))]
async fn history(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<FindingHistory>> {
    let mut db = state.db.acquire().await?;
    let found = sqlx::query!("select pacijent_id, ustanova_id from entry where id = $1", id).fetch_optional(&mut *db).await?;
    let (entry, _) = PatientAccess::to_entry(&mut db, &actor, found, |entry| (entry.pacijent_id, entry.ustanova_id)).await?;
    look_at_patient(&mut db, &actor, entry.pacijent_id).await?;
    let data = sqlx::query_as!(
        PastFinding,
        r#"select n.id, f.naziv as "polje?", r.naziv as pravilo, r.vrsta as "vrsta: QualityKind", r.tezina as "tezina: Severity", r.poruka,
                  to_char(n.pocetak at time zone 'Europe/Belgrade', 'YYYY-MM-DD"T"HH24:MI:SS') as "pocetak!",
                  to_char(n.kraj at time zone 'Europe/Belgrade', 'YYYY-MM-DD"T"HH24:MI:SS') as kraj,
                  n.razlog_kraja as "razlog_kraja: FindingEnd",
                  case when n.potvrdjen_at is not null then jsonb_build_object('radnik', w.prezime || ' ' || w.ime, 'napomena', n.napomena,
                      'vreme', to_char(n.potvrdjen_at at time zone 'Europe/Belgrade', 'YYYY-MM-DD"T"HH24:MI:SS')) end
                      as "potvrda: JsonColumn<FindingConfirmation>"
             from quality_finding n join quality_rule r on r.id = n.pravilo_id
             left join form_field f on f.id = n.polje_id left join worker w on w.id = n.potvrdio_id
            where n.unos_id = $1 and n.ustanova_id = $2 order by n.id desc"#,
        id,
        actor.ustanova_id
    );
    Ok(Json(FindingHistory { data: data.fetch_all(&mut *db).await? }))
}
