//! Signing in and out, and the record of who is signed in (A §2.3).

use axum::{extract::State, http::StatusCode};
use domain::{access, db};
use jiff::Timestamp;
use platform::{
    error::{Error, Result},
    extract::Json,
    http::ClientAddress,
    routes::{Routes, routes},
    state::AppState,
    token::{TokenHash, hash_token},
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    audit::{self, SessionDeed},
    auth::{self, Actor},
    duty::Duty,
    password_rules, passwords,
    rights::{Patients, Rights},
    second_factor::{self, Verdict},
    sessions::Device,
    throttle,
};

pub fn public_routes() -> Routes {
    Routes::new().routes(routes!(login))
}

pub fn routes() -> Routes {
    Routes::new().routes(routes!(session)).routes(routes!(logout))
}

#[derive(Deserialize, ToSchema)]
pub struct Credentials {
    #[serde(default)]
    username: String,
    #[serde(default)]
    password: String,
    /// Of the second step: a code of the telephone, or one of those on paper.
    kod: Option<String>,
}

/// The signed-in worker, as the client keeps it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoggedInWorker {
    id: i64,
    username: String,
    ime_prezime: String,
    #[serde(rename = "ustanovaID")]
    ustanova_id: Option<i64>,
    ustanova_naziv: Option<String>,
    theme: String,
    /// Numbers of the rights held.
    prava: Vec<i32>,
    /// What the worker's roles open of patients.
    pacijenti: Patients,
    /// What must be done before anything else opens.
    obaveza: Option<Duty>,
    /// Signed in by an account of the hospital's provider, which then also confirms and unlocks.
    spoljna: bool,
}

#[derive(Serialize, ToSchema)]
pub struct WithToken {
    token: String,
    #[serde(flatten)]
    worker: LoggedInWorker,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    ulogovani_radnik: WithToken,
}

#[utoipa::path(post, path = "/api/login", request_body = Credentials, responses((status = 200, body = SignedIn)))]
async fn login(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    device: Device,
    Json(credentials): Json<Credentials>,
) -> Result<Json<SignedIn>> {
    let username = credentials.username.trim();
    if username.is_empty() {
        return Err(Error::invalid("username", "Niste uneli korisničko ime."));
    }
    if credentials.password.is_empty() {
        return Err(Error::invalid("password", "Niste uneli šifru."));
    }
    let now = state.clock.now();
    let attempt = throttle::begin(&state.db, username, address, now).await?;
    let account = sqlx::query!("select id, password_hash from worker where lower(username) = lower($1) and aktivan", username)
        .fetch_optional(&state.db)
        .await?;
    let (worker, stored) = account.map_or((None, None), |account| (Some(account.id), account.password_hash));
    let right = passwords::verify(credentials.password.clone(), stored).await?;

    let mut tx = db::begin(&state.db, worker.unwrap_or(db::SYSTEM_WORKER)).await?;
    let Some(worker) = worker.filter(|_| right) else {
        attempt.failed(&mut tx).await?;
        audit::session(&mut tx, worker, SessionDeed::SignInFailed, &device).await?;
        tx.commit().await?;
        return Err(Error::WrongCredentials);
    };
    match second_factor::judge(&mut tx, worker, credentials.kod.as_deref(), now).await? {
        Verdict::NotAsked | Verdict::Right => {}
        Verdict::Missing => {
            attempt.withdrawn(&mut tx).await?;
            tx.commit().await?;
            return Err(Error::CodeNeeded);
        }
        Verdict::Wrong => {
            attempt.failed(&mut tx).await?;
            audit::session(&mut tx, Some(worker), SessionDeed::SignInFailed, &device).await?;
            tx.commit().await?;
            return Err(Error::WrongCode);
        }
    }
    attempt.succeeded(&mut tx).await?;
    have_changed_if_guessed(&mut tx, worker, &credentials.password).await?;
    auth::forget_ended(&mut tx, now).await?;
    let token = auth::open_session(&mut tx, worker, now, &device).await?;
    audit::session(&mut tx, Some(worker), SessionDeed::SignedIn, &device).await?;
    let signed_in = record_of(&mut tx, worker, token).await?;
    tx.commit().await?;
    Ok(Json(signed_in))
}

/// Opens a session for whom the provider has let in, with a second step of its own or without.
pub async fn open_external(tx: &mut PgConnection, worker: i64, second_step: bool, now: Timestamp, device: &Device) -> Result<SignedIn> {
    auth::forget_ended(tx, now).await?;
    let token = auth::open_external_session(tx, worker, second_step, now, device).await?;
    audit::session(tx, Some(worker), SessionDeed::SignedInExternally, device).await?;
    record_of(tx, worker, token).await
}

async fn record_of(tx: &mut PgConnection, worker: i64, token: String) -> Result<SignedIn> {
    let rights = access::rights_of(tx, worker).await?;
    let record = logged_in_worker(tx, &hash_token(&token), &rights).await?;
    Ok(SignedIn { ulogovani_radnik: WithToken { token, worker: record } })
}

/// A right password that would be refused as a new one, from before there were rules or from the installation, opens nothing but its
/// change. The demo's accounts are what they are known for.
async fn have_changed_if_guessed(tx: &mut PgConnection, worker: i64, password: &str) -> Result<()> {
    let account =
        sqlx::query!("select username, ime, prezime, demo_nalog or mora_promeniti_lozinku as \"asked!\" from worker where id = $1", worker)
            .fetch_one(&mut *tx)
            .await?;
    if !account.asked && password_rules::require("password", password, &[&account.username, &account.ime, &account.prezime]).is_err() {
        sqlx::query!("update worker set mora_promeniti_lozinku = true where id = $1", worker).execute(tx).await?;
    }
    Ok(())
}

/// The stored login is still good, and this is what it stands for now.
#[utoipa::path(get, path = "/api/session", responses((status = 200, body = LoggedInWorker)))]
async fn session(State(state): State<AppState>, actor: Actor) -> Result<Json<LoggedInWorker>> {
    let mut db = state.db.acquire().await?;
    Ok(Json(logged_in_worker(&mut db, &actor.session, &actor.prava).await?))
}

#[utoipa::path(post, path = "/api/logout", responses((status = 204)))]
async fn logout(State(state): State<AppState>, actor: Actor, device: Device) -> Result<StatusCode> {
    let mut tx = state.db.begin().await?;
    auth::end_session(&mut tx, &actor.session).await?;
    audit::session(&mut tx, Some(actor.radnik_id), SessionDeed::SignedOut, &device).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn logged_in_worker(db: &mut PgConnection, session: &TokenHash, rights: &Rights) -> Result<LoggedInWorker> {
    let worker = sqlx::query!(
        r#"
        select w.id, w.username, w.ime || ' ' || w.prezime as "ime_prezime!", w.ustanova_id,
               (select naziv from institution where id = w.ustanova_id) as ustanova_naziv, w.theme,
               s.spoljna, w.mora_promeniti_lozinku and not s.spoljna as "must_change_password!",
               lacks_second_factor(w.id) and not s.spoljni_drugi_korak as "lacks_second_factor!"
          from session s join worker w on w.id = s.radnik_id
         where s.token_hash = $1 and w.aktivan
        "#,
        &session.0[..]
    )
    .fetch_optional(db)
    .await?
    .ok_or(Error::SessionExpired)?;
    Ok(LoggedInWorker {
        id: worker.id,
        username: worker.username,
        ime_prezime: worker.ime_prezime,
        ustanova_id: worker.ustanova_id,
        ustanova_naziv: worker.ustanova_naziv,
        theme: worker.theme,
        prava: rights.numbers(),
        pacijenti: rights.pacijenti,
        obaveza: Duty::of(worker.must_change_password, worker.lacks_second_factor),
        spoljna: worker.spoljna,
    })
}
