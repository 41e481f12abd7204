//! Dangerous changes: who sits at an open session gives its worker's password once more, and each of them stands out in the log.

use std::net::IpAddr;

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
};
use domain::{access, caller, db};
use jiff::SignedDuration;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::Json,
    http::ClientAddress,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    audit::{self, SessionDeed},
    auth::Actor,
    oidc::{code::Code, link},
    passwords,
    sessions::Device,
    throttle,
};

/// So long after it was given the password opens dangerous changes of the same session.
pub const CONFIRMED_FOR: SignedDuration = SignedDuration::from_mins(5);
/// By which the log names them.
const DEED: &str = "opasna izmena";

pub fn routes() -> Routes {
    Routes::new().routes(routes!(confirm))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PasswordAgain {
    #[serde(default)]
    lozinka: String,
    /// In place of the password: the code of a new sign-in at the hospital's provider.
    spoljni_kod: Option<String>,
}

/// Gives the password once more, or signs in anew at the provider: dangerous changes of this session are open for five minutes.
#[utoipa::path(post, path = "/api/session/confirm", request_body = PasswordAgain, responses((status = 204)))]
async fn confirm(
    State(state): State<AppState>,
    actor: Actor,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    device: Device,
    Json(PasswordAgain { lozinka, spoljni_kod }): Json<PasswordAgain>,
) -> Result<StatusCode> {
    let tried = !lozinka.is_empty();
    let external = spoljni_kod.is_some();
    let given = match spoljni_kod {
        Some(code) => require_external(&state, &actor, &code, &headers).await,
        None => check_password(&state, &actor, address, lozinka).await,
    };
    let deed = match &given {
        Ok(()) if external => SessionDeed::ConfirmedExternally,
        Ok(()) => SessionDeed::Confirmed,
        Err(Error::Refused(_)) if external => SessionDeed::ExternalConfirmationFailed,
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

/// A sign-in at the provider counts where the worker of this session has just proved there who she is.
async fn require_external(state: &AppState, actor: &Actor, code: &str, headers: &HeaderMap) -> Result<()> {
    let now = state.clock.now();
    let code = Code::find(&state.db, code, headers, now).await?;
    code.require_of(actor.radnik_id)?;
    if !code.ponovo {
        return Err(Error::refused("Za potvrdu se ponovo prijavite kod pružaoca prijave."));
    }
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    code.use_up(&mut tx).await?;
    link::bind(&mut tx, &code, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Who sits at an open session is not yet its worker. Where no password has opened the session, none is asked: it is confirmed as
/// dangerous changes are.
pub async fn require_password(state: &AppState, actor: &Actor, address: Option<IpAddr>, password: String) -> Result<()> {
    match (actor.spoljna && password.is_empty(), actor.confirmed) {
        (true, true) => Ok(()),
        (true, false) => Err(Error::PasswordNeeded("Potvrdite da ste to vi.".into())),
        (false, _) => check_password(state, actor, address, password).await,
    }
}

async fn check_password(state: &AppState, actor: &Actor, address: Option<IpAddr>, password: String) -> Result<()> {
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
        let how = if actor.spoljna { "ponovnom prijavom" } else { "svojom lozinkom" };
        return Err(Error::PasswordNeeded(format!("{what} Potvrdite izmenu {how}.").into()));
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
pub async fn right_given(tx: &mut PgConnection, actor: &Actor, role: i64, right: i64) -> Result<()> {
    let naziv = sqlx::query_scalar!("select naziv from application_right where id = $1", right).fetch_one(&mut *tx).await?;
    dangerous(tx, actor, "role", role, &format!("Uloga dobija pravo „{naziv}”.")).await
}

/// A worker gets one role more.
pub async fn role_given(tx: &mut PgConnection, actor: &Actor, worker: i64, role: i64) -> Result<()> {
    let ime = sqlx::query_scalar!("select ime from role where id = $1", role).fetch_one(&mut *tx).await?;
    dangerous(tx, actor, "worker", worker, &format!("Radnik dobija ulogu „{ime}”.")).await
}

/// A worker belongs to one institution more, and her rights open what is there; who has none brings none along.
pub async fn access_given(tx: &mut PgConnection, actor: &Actor, worker: i64, institution: i64) -> Result<()> {
    if access::rights_of(tx, worker).await?.is_nothing() {
        return Ok(());
    }
    let naziv = sqlx::query_scalar!("select naziv from institution where id = $1", institution).fetch_one(&mut *tx).await?;
    dangerous(tx, actor, "worker", worker, &format!("Radnik dobija pristup ustanovi „{naziv}”.")).await
}

/// A deleted worker comes back with what her roles give.
pub async fn worker_returned(tx: &mut PgConnection, actor: &Actor, worker: i64) -> Result<()> {
    if access::rights_of(tx, worker).await?.is_nothing() {
        return Ok(());
    }
    dangerous(tx, actor, "worker", worker, "Vraća se obrisani radnik, sa ulogama i lozinkom koje je imao.").await
}
