//! Dangerous changes: who sits at an open session gives its worker's password once more, and each of them stands out in the log.

use std::net::IpAddr;

use axum::{extract::State, http::StatusCode};
use domain::{access, caller};
use jiff::SignedDuration;
use jiff_sqlx::ToSqlx;
use serde::Deserialize;
use sqlx::PgConnection;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    audit::{self, SessionDeed},
    auth::Actor,
    error::{Error, Result},
    extract::Json,
    http::ClientAddress,
    passwords,
    sessions::Device,
    state::AppState,
    throttle,
};

/// So long after it was given the password opens dangerous changes of the same session.
pub const CONFIRMED_FOR: SignedDuration = SignedDuration::from_mins(5);
/// By which the log names them.
const DEED: &str = "opasna izmena";

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(confirm))
}

#[derive(Deserialize, ToSchema)]
struct PasswordAgain {
    #[serde(default)]
    lozinka: String,
}

/// Gives the password once more: dangerous changes of this session are open for five minutes.
#[utoipa::path(post, path = "/api/session/confirm", request_body = PasswordAgain, responses((status = 204)))]
async fn confirm(
    State(state): State<AppState>,
    actor: Actor,
    ClientAddress(address): ClientAddress,
    device: Device,
    Json(PasswordAgain { lozinka }): Json<PasswordAgain>,
) -> Result<StatusCode> {
    let tried = !lozinka.is_empty();
    let given = require_password(&state, &actor, address, lozinka).await;
    let deed = match &given {
        Ok(()) => SessionDeed::Confirmed,
        Err(Error::Invalid { .. }) if tried => SessionDeed::ConfirmationFailed,
        Err(_) => return given.map(|()| StatusCode::NO_CONTENT),
    };
    let mut tx = state.db.begin().await?;
    if given.is_ok() {
        sqlx::query!("update session set potvrdjeno_at = $2 where token_hash = $1", &actor.session.0[..], state.clock.now().to_sqlx() as _)
            .execute(&mut *tx)
            .await?;
    }
    audit::session(&mut tx, Some(actor.radnik_id), deed, &device).await?;
    tx.commit().await?;
    given.map(|()| StatusCode::NO_CONTENT)
}

/// Who sits at an open session is not yet its worker.
pub async fn require_password(state: &AppState, actor: &Actor, address: Option<IpAddr>, password: String) -> Result<()> {
    if password.is_empty() {
        return Err(Error::invalid("lozinka", "Niste uneli lozinku."));
    }
    let worker = sqlx::query!("select username, password_hash from worker where id = $1", actor.radnik_id).fetch_one(&state.db).await?;
    let attempt = throttle::begin(&state.db, &worker.username, address, state.clock.now()).await?;
    let right = passwords::verify(password, worker.password_hash).await?;
    let mut db = state.db.acquire().await?;
    if right {
        attempt.withdrawn(&mut db).await?;
        return Ok(());
    }
    attempt.failed(&mut db).await?;
    Err(Error::invalid("lozinka", "Lozinka nije ispravna."))
}

/// Lets a dangerous change through where the password was given, and writes it into the log; `what` is a sentence that says what it
/// does. Asked within the change, after all that refuses it: nobody gives a password for what is refused.
pub async fn dangerous(tx: &mut PgConnection, actor: &Actor, klasa: &str, red_id: i64, what: &str) -> Result<()> {
    if !actor.confirmed {
        return Err(Error::PasswordNeeded(format!("{what} Potvrdite izmenu svojom lozinkom.").into()));
    }
    sqlx::query!(
        "insert into audit_log (radnik_id, ustanova_id, adresa, klasa, akcija, red_id, opis) values ($1, $2, $3, $4, $5, $6::bigint::text, $7)",
        actor.radnik_id,
        actor.ustanova_id,
        caller::current().adresa,
        klasa,
        DEED,
        red_id,
        what
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A role gives one right more.
pub async fn right_given(tx: &mut PgConnection, actor: &Actor, uloga: i64, pravo: i64) -> Result<()> {
    let naziv = sqlx::query_scalar!("select naziv from application_right where id = $1", pravo).fetch_one(&mut *tx).await?;
    dangerous(tx, actor, "role", uloga, &format!("Uloga dobija pravo „{naziv}”.")).await
}

/// A worker gets one role more.
pub async fn role_given(tx: &mut PgConnection, actor: &Actor, radnik: i64, uloga: i64) -> Result<()> {
    let ime = sqlx::query_scalar!("select ime from role where id = $1", uloga).fetch_one(&mut *tx).await?;
    dangerous(tx, actor, "worker", radnik, &format!("Radnik dobija ulogu „{ime}”.")).await
}

/// A worker belongs to one institution more, and her rights open what is there; who has none brings none along.
pub async fn access_given(tx: &mut PgConnection, actor: &Actor, radnik: i64, ustanova: i64) -> Result<()> {
    if access::rights_of(tx, radnik).await?.is_nothing() {
        return Ok(());
    }
    let naziv = sqlx::query_scalar!("select naziv from institution where id = $1", ustanova).fetch_one(&mut *tx).await?;
    dangerous(tx, actor, "worker", radnik, &format!("Radnik dobija pristup ustanovi „{naziv}”.")).await
}

/// A deleted worker comes back with what her roles give.
pub async fn worker_returned(tx: &mut PgConnection, actor: &Actor, radnik: i64) -> Result<()> {
    if access::rights_of(tx, radnik).await?.is_nothing() {
        return Ok(());
    }
    dangerous(tx, actor, "worker", radnik, "Vraća se obrisani radnik, sa ulogama i lozinkom koje je imao.").await
}
