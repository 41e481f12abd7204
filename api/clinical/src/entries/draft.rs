//! Drafts: what a worker typed and has not saved, kept until a save, until it is thrown away, or for 30 days. Only its own worker
//! sees it. A draft's key names its entry and, after a dot, the window in which it was typed.

use accounts::{audit::look_at_patient, auth::Actor};
use axum::{extract::State, http::StatusCode};
use domain::{db, time};
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::NO_ENTRY;
use crate::patients::{PatientAccess, merged};

/// A draft is one form's values; more is not typed by a person.
const LARGEST: usize = 1_000_000;
/// Nobody types into as many forms within 30 days and saves none of them.
const MOST: i64 = 500;
const TOO_MANY: &str = "Imate 500 nesnimljenih unosa, a više se ne čuva. Snimite ih ili odbacite, pa će se čuvati i ovaj.";

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(keep, forget))
}

#[derive(Deserialize, ToSchema)]
struct Draft {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    #[schema(value_type = Object)]
    sadrzaj: Value,
}

#[derive(Deserialize, IntoParams)]
struct DraftQuery {
    /// Names the entry.
    kljuc: Option<String>,
    /// Those of all entries of a patient.
    #[serde(rename = "pacijentID")]
    pacijent_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
struct KeptDrafts {
    data: Vec<KeptDraft>,
    total: usize,
}

#[derive(Serialize, ToSchema)]
struct KeptDraft {
    kljuc: String,
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    #[schema(value_type = Object)]
    sadrzaj: Value,
    izmenjeno: String,
}

/// The worker's drafts of one entry, or of all entries of a patient, newest first; none about a patient whom the worker may not see any more, or of such an entry.
#[utoipa::path(get, path = "/api/entry-drafts", params(DraftQuery), responses((status = 200, body = KeptDrafts)))]
async fn list(State(state): State<AppState>, actor: Actor, Query(query): Query<DraftQuery>) -> Result<Json<KeptDrafts>> {
    if query.kljuc.is_none() && query.pacijent_id.is_none() {
        return Err(Error::malformed(NO_ENTRY));
    }
    let mut db = state.db.acquire().await?;
    let rows = sqlx::query!(
        "select kljuc, pacijent_id, sadrzaj, izmenjeno from entry_draft
          where radnik_id = $1 and ($2::text is null or kljuc = $2 or starts_with(kljuc, $2 || '.')) and ($3::bigint is null or pacijent_id = $3)
          order by izmenjeno desc, kljuc",
        actor.radnik_id,
        query.kljuc,
        query.pacijent_id
    )
    .fetch_all(&mut *db)
    .await?;
    let mut data = Vec::with_capacity(rows.len());
    for row in rows {
        match access(&mut db, &actor, &row.kljuc, row.pacijent_id).await {
            Ok(_) => look_at_patient(&mut db, &actor, row.pacijent_id).await?,
            Err(Error::HiddenPatient(_) | Error::Refused(_)) => continue,
            Err(error) => return Err(error),
        }
        let izmenjeno = time::server_text(row.izmenjeno.to_jiff());
        data.push(KeptDraft { kljuc: row.kljuc, pacijent_id: row.pacijent_id, sadrzaj: row.sadrzaj, izmenjeno });
    }
    Ok(Json(KeptDrafts { total: data.len(), data }))
}

#[utoipa::path(put, path = "/api/entry-drafts/{kljuc}", request_body = Draft, responses((status = 204), (status = 429, description = "The worker has 500 others.")))]
async fn keep(State(state): State<AppState>, actor: Actor, Path(kljuc): Path<String>, Json(mut draft): Json<Draft>) -> Result<StatusCode> {
    if kljuc.len() > 100 || draft.sadrzaj.to_string().len() > LARGEST {
        return Err(Error::TooLarge);
    }
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    draft.pacijent_id = merged::left(&mut tx, draft.pacijent_id).await?;
    access(&mut tx, &actor, &kljuc, draft.pacijent_id).await?.require_change()?;
    let others =
        sqlx::query_scalar!(r#"select count(*) as "count!" from entry_draft where radnik_id = $1 and kljuc <> $2"#, actor.radnik_id, kljuc);
    if others.fetch_one(&mut *tx).await? >= MOST {
        return Err(Error::too_many(TOO_MANY));
    }
    sqlx::query!(
        "insert into entry_draft (radnik_id, kljuc, pacijent_id, sadrzaj) values ($1, $2, $3, $4)
         on conflict (radnik_id, kljuc) do update set pacijent_id = excluded.pacijent_id, sadrzaj = excluded.sadrzaj, izmenjeno = now()",
        actor.radnik_id,
        kljuc,
        draft.pacijent_id,
        draft.sadrzaj,
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[utoipa::path(delete, path = "/api/entry-drafts/{kljuc}", responses((status = 204)))]
async fn forget(State(state): State<AppState>, actor: Actor, Path(kljuc): Path<String>) -> Result<StatusCode> {
    sqlx::query!("delete from entry_draft where radnik_id = $1 and kljuc = $2", actor.radnik_id, kljuc).execute(&state.db).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The worker's access to what a draft is of: the entry that its key names, or a patient for whom a new one is typed.
async fn access(db: &mut PgConnection, actor: &Actor, kljuc: &str, patient: i64) -> Result<PatientAccess> {
    let Some(id) = entry_in(kljuc) else { return PatientAccess::to(db, actor, patient).await };
    let entry = sqlx::query!("select pacijent_id, ustanova_id from entry where id = $1 and pacijent_id = $2", id, patient);
    let entry = entry.fetch_optional(&mut *db).await?;
    Ok(PatientAccess::to_entry(db, actor, entry, |entry| (entry.pacijent_id, entry.ustanova_id)).await?.1)
}

/// The entry of `unos-7.window`.
fn entry_in(kljuc: &str) -> Option<i64> {
    kljuc.strip_prefix("unos-")?.split('.').next()?.parse().ok()
}
