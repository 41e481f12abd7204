//! Drafts: what a worker typed and has not saved, kept until a save or until it is thrown away. Only its own worker sees it.

use axum::{extract::State, http::StatusCode};
use domain::{db, time};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    auth::Actor,
    error::{Error, Result},
    extract::{Json, Path},
    patients::Access,
    state::AppState,
};

/// A draft is one form's values; more is not typed by a person.
const LARGEST: usize = 1_000_000;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(read, keep, forget))
}

#[derive(Deserialize, ToSchema)]
struct Draft {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    #[schema(value_type = Object)]
    sadrzaj: Value,
}

#[derive(Serialize, ToSchema)]
struct KeptDraft {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    #[schema(value_type = Object)]
    sadrzaj: Value,
    izmenjeno: String,
}

/// 404 where there is none.
#[utoipa::path(get, path = "/api/entry-drafts/{kljuc}", responses((status = 200, body = KeptDraft)))]
async fn read(State(state): State<AppState>, actor: Actor, Path(kljuc): Path<String>) -> Result<Json<KeptDraft>> {
    let mut db = state.db.acquire().await?;
    let row =
        sqlx::query!("select pacijent_id, sadrzaj, izmenjeno from entry_draft where radnik_id = $1 and kljuc = $2", actor.radnik_id, kljuc)
            .fetch_optional(&mut *db)
            .await?
            .ok_or(Error::NotFound)?;
    Access::to(&mut db, &actor, row.pacijent_id).await?;
    Ok(Json(KeptDraft { pacijent_id: row.pacijent_id, sadrzaj: row.sadrzaj, izmenjeno: time::server_text(row.izmenjeno.to_jiff()) }))
}

#[utoipa::path(put, path = "/api/entry-drafts/{kljuc}", request_body = Draft, responses((status = 204)))]
async fn keep(State(state): State<AppState>, actor: Actor, Path(kljuc): Path<String>, Json(draft): Json<Draft>) -> Result<StatusCode> {
    if kljuc.len() > 100 || draft.sadrzaj.to_string().len() > LARGEST {
        return Err(Error::TooLarge);
    }
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    Access::to(&mut tx, &actor, draft.pacijent_id).await?.require_change()?;
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
