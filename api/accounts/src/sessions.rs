//! Where a worker is signed in, and ending it: one session, or all of them.

use axum::{
    extract::{FromRequestParts, State},
    http::{StatusCode, header, request::Parts},
};
use jiff_sqlx::{Timestamp, ToSqlx};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    http::ClientAddress,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    audit::{self, SessionDeed},
    auth::{self, Actor},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list, end_all)).routes(routes!(end))
}

/// Of what the browser says of itself, so much is kept.
const LONGEST_NAME: usize = 200;

/// Where a session is opened, and with what.
#[derive(Debug, Default)]
pub struct Device {
    pub adresa: Option<String>,
    pub pregledac: Option<String>,
}

impl FromRequestParts<AppState> for Device {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Self::Rejection> {
        let ClientAddress(address) = ClientAddress::from_request_parts(parts, state).await?;
        let name = parts.headers.get(header::USER_AGENT).and_then(|name| name.to_str().ok());
        Ok(Self {
            adresa: address.map(|address| address.to_canonical().to_string()),
            pregledac: name.map(|name| name.chars().take(LONGEST_NAME).collect()),
        })
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SessionRecord {
    id: i64,
    #[schema(value_type = String, format = DateTime)]
    vreme_kreiranja: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    poslednji_pristup: Timestamp,
    adresa: Option<String>,
    /// What the browser said of itself.
    pregledac: Option<String>,
    /// The one that asks.
    ova: bool,
}

/// The own sessions that still open something, the newest first.
#[utoipa::path(get, path = "/api/sessions", responses((status = 200, body = [SessionRecord])))]
async fn list(State(state): State<AppState>, actor: Actor) -> Result<Json<Vec<SessionRecord>>> {
    let sessions = sqlx::query_as!(
        SessionRecord,
        r#"
        select id, vreme_kreiranja as "vreme_kreiranja: Timestamp", poslednji_pristup as "poslednji_pristup: Timestamp", adresa, pregledac,
               token_hash = $2 as "ova!"
          from session
         where radnik_id = $1 and istice > $3 and poslednji_pristup > idle_since($3)
         order by 6 desc, 3 desc, id desc
        "#,
        actor.radnik_id,
        &actor.session.0[..],
        state.clock.now().to_sqlx() as _,
    );
    Ok(Json(sessions.fetch_all(&state.db).await?))
}

/// Ends one of the own sessions.
#[utoipa::path(delete, path = "/api/sessions/{id}", params(("id" = i64, Path)), responses((status = 204)))]
async fn end(State(state): State<AppState>, actor: Actor, device: Device, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = state.db.begin().await?;
    let ended = sqlx::query!("delete from session where id = $1 and radnik_id = $2", id, actor.radnik_id).execute(&mut *tx).await?;
    if ended.rows_affected() == 0 {
        return Err(Error::NotFound);
    }
    audit::session(&mut tx, Some(actor.radnik_id), SessionDeed::EndedElsewhere, &device).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends all the own sessions, this one too.
#[utoipa::path(delete, path = "/api/sessions", responses((status = 204)))]
async fn end_all(State(state): State<AppState>, actor: Actor, device: Device) -> Result<StatusCode> {
    let mut tx = state.db.begin().await?;
    auth::end_sessions(&mut tx, actor.radnik_id, None).await?;
    audit::session(&mut tx, Some(actor.radnik_id), SessionDeed::EndedEverywhere, &device).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
