//! The logo of an institution: on what is printed for it, in a tab of its dialog. It is read, set and taken away as the institution is.

use accounts::{auth::Actor, reach, rights::Allowed};
use axum::{extract::State, http::StatusCode};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{db, text};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    parsers::{Input, TOO_HEAVY},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    admin::institution::Institution,
    crud::{ReadAccess, WriteAccess},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(read)).routes(routes!(set)).routes(routes!(take_away))
}

#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = InstitutionLogo)]
struct Logo {
    /// A picture in base64; a kept one is PNG. None: the institution has no logo.
    #[serde(default, deserialize_with = "text::optional")]
    logo: Option<String>,
}

#[utoipa::path(get, path = "/api/institutions/{id}/logo", responses((status = 200, body = Logo)))]
async fn read(State(state): State<AppState>, _: Allowed<ReadAccess<Institution>>, Path(id): Path<i64>) -> Result<Json<Logo>> {
    let kept = sqlx::query_scalar!(
        r#"select l.slika as "slika?" from institution u left join institution_logo l on l.id = u.id where u.id = $1"#,
        id
    );
    let kept = kept.fetch_optional(&state.db).await?.ok_or(Error::NotFound)?;
    Ok(Json(Logo { logo: kept.map(|png| BASE64_STANDARD.encode(png)) }))
}

#[utoipa::path(put, path = "/api/institutions/{id}/logo", request_body = Logo, responses((status = 200, body = Logo)))]
async fn set(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Institution>>,
    Path(id): Path<i64>,
    Json(sent): Json<Logo>,
) -> Result<Json<Logo>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    hold(&mut tx, &actor, id).await?;
    let png = fitted(&state, sent.logo).await?;
    sqlx::query!("insert into institution_logo (id, slika) values ($1, $2) on conflict (id) do update set slika = excluded.slika", id, png)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(Json(Logo { logo: Some(BASE64_STANDARD.encode(png)) }))
}

#[utoipa::path(delete, path = "/api/institutions/{id}/logo", responses((status = 204)))]
async fn take_away(State(state): State<AppState>, actor: Allowed<WriteAccess<Institution>>, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    hold(&mut tx, &actor, id).await?;
    sqlx::query!("delete from institution_logo where id = $1", id).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Refuses an institution that is deleted or not there, and one out of reach.
async fn hold(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
    let there = sqlx::query_scalar!("select id from institution where id = $1 and aktivan for update", id).fetch_optional(&mut *tx).await?;
    there.ok_or(Error::NotFound)?;
    reach::require_own_institution(tx, actor, id).await
}

/// The picture as PNG of no more pixels than paper shows.
async fn fitted(state: &AppState, sent: Option<String>) -> Result<Vec<u8>> {
    let sent = sent.ok_or_else(|| Error::invalid("logo", "Niste izabrali sliku."))?;
    let fitted: Option<std::result::Result<String, String>> = state.parsers.read(&["logo"], Input::Bytes(sent.into_bytes())).await?;
    let png = fitted.unwrap_or_else(|| Err(TOO_HEAVY.to_owned())).map_err(|message| Error::invalid("logo", message))?;
    Ok(BASE64_STANDARD.decode(png).map_err(anyhow::Error::from)?)
}
