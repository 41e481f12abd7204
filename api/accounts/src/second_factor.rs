//! Signing in in two steps: a code of the worker's telephone after the password (RFC 6238: 6 digits, SHA-1, 30 seconds), and codes on
//! paper for the day on which the telephone is lost.

use axum::{extract::State, http::StatusCode};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{
    db,
    parameters::{self, APPLICATION},
};
use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result, WRONG_CODE},
    extract::{Json, Path},
    http::ClientAddress,
    routes::{Routes, routes},
    state::AppState,
};
use qrcode::{QrCode, render::svg};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use totp_rs::{Builder, Secret, Totp};
use utoipa::ToSchema;

use crate::{
    audit::{self, AccountDeed},
    auth::{self, Actor},
    ceiling,
    confirming::{self, require_password},
    reach,
    rights::{Allowed, SecondFactorReset},
    sessions::Device,
    throttle,
};

/// How many codes for the loss of the telephone there are.
const RECOVERY_CODES: usize = 10;
/// What they are made of: nothing that is mistaken for another on paper. 32 signs, 5 bits each.
const SIGNS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

pub fn own_routes() -> Routes {
    Routes::new().routes(routes!(state)).routes(routes!(begin)).routes(routes!(confirm)).routes(routes!(renew)).routes(routes!(off))
}

pub fn routes() -> Routes {
    Routes::new().routes(routes!(reset))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SecondFactor {
    ukljucen: bool,
    /// A role asks for it.
    obavezan: bool,
    /// Codes on paper that are still good.
    preostalo_kodova: i64,
}

#[derive(Deserialize, ToSchema)]
struct Password {
    #[serde(default)]
    lozinka: String,
}

/// What the telephone takes over, by camera or by hand.
#[derive(Serialize, ToSchema)]
struct Offer {
    /// Base 32.
    tajna: String,
    /// A picture as `data:` address.
    slika: String,
}

#[derive(Deserialize, ToSchema)]
struct Code {
    #[serde(default)]
    kod: String,
}

/// Shown once: the server keeps hashes only.
#[derive(Serialize, ToSchema)]
struct RecoveryCodes {
    kodovi: Vec<String>,
}

#[utoipa::path(get, path = "/api/second-factor", responses((status = 200, body = SecondFactor)))]
async fn state(State(state): State<AppState>, actor: Actor) -> Result<Json<SecondFactor>> {
    let found = sqlx::query_as!(
        SecondFactor,
        r#"
        select exists (select from second_factor where radnik_id = $1 and potvrdjen_at is not null) as "ukljucen!",
               exists (select from active_roles($1) r where r.drugi_faktor) as "obavezan!",
               (select count(*) from recovery_code where radnik_id = $1 and iskoriscen_at is null) as "preostalo_kodova!"
        "#,
        actor.radnik_id
    );
    Ok(Json(found.fetch_one(&state.db).await?))
}

/// Makes a secret and offers it; it asks for nothing until a code of it has been shown.
#[utoipa::path(post, path = "/api/second-factor", request_body = Password, responses((status = 200, body = Offer)))]
async fn begin(
    State(state): State<AppState>,
    actor: Actor,
    ClientAddress(address): ClientAddress,
    Json(Password { lozinka }): Json<Password>,
) -> Result<Json<Offer>> {
    require_password(&state, &actor, address, lozinka).await?;
    let secret: [u8; 20] = rand::random();
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let begun = sqlx::query_scalar!(
        "insert into second_factor as f (radnik_id, tajna) values ($1, $2)
         on conflict (radnik_id) do update set tajna = excluded.tajna, poslednji_korak = null where f.potvrdjen_at is null
         returning radnik_id",
        actor.radnik_id,
        &secret[..]
    );
    if begun.fetch_optional(&mut *tx).await?.is_none() {
        return Err(Error::conflict("Prijava u dva koraka je već uključena."));
    }
    let username = sqlx::query_scalar!("select username from worker where id = $1", actor.radnik_id).fetch_one(&mut *tx).await?;
    tx.commit().await?;
    let name = parameters::load(&state.db).await?.text(&APPLICATION).to_owned();
    Ok(Json(offer(secret, &username, &name)?))
}

/// The telephone has it: from now on it is asked for. Other sessions end, since they were opened without it.
#[utoipa::path(post, path = "/api/second-factor/confirm", request_body = Code, responses((status = 200, body = RecoveryCodes)))]
async fn confirm(
    State(state): State<AppState>,
    actor: Actor,
    ClientAddress(address): ClientAddress,
    device: Device,
    Json(Code { kod }): Json<Code>,
) -> Result<Json<RecoveryCodes>> {
    let now = state.clock.now();
    let username = username(&state, &actor).await?;
    let attempt = throttle::begin(&state.db, &username, address, now).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    if !is_fresh_code(&mut tx, actor.radnik_id, &kod, now).await? {
        attempt.failed(&mut tx).await?;
        tx.commit().await?;
        return Err(Error::invalid("kod", WRONG_CODE));
    }
    attempt.succeeded(&mut tx).await?;
    let confirmed = sqlx::query!(
        "update second_factor set potvrdjen_at = $2 where radnik_id = $1 and potvrdjen_at is null",
        actor.radnik_id,
        now.to_sqlx() as _
    );
    if confirmed.execute(&mut *tx).await?.rows_affected() == 0 {
        return Err(Error::conflict("Prijava u dva koraka je već uključena."));
    }
    auth::end_sessions(&mut tx, actor.radnik_id, Some(&actor.session)).await?;
    let kodovi = new_recovery_codes(&mut tx, actor.radnik_id).await?;
    audit::account(&mut tx, &actor, actor.radnik_id, AccountDeed::SecondFactorOn, &device).await?;
    tx.commit().await?;
    Ok(Json(RecoveryCodes { kodovi }))
}

/// New codes on paper; the old ones are void.
#[utoipa::path(post, path = "/api/second-factor/recovery-codes", request_body = Password, responses((status = 200, body = RecoveryCodes)))]
async fn renew(
    State(state): State<AppState>,
    actor: Actor,
    ClientAddress(address): ClientAddress,
    device: Device,
    Json(Password { lozinka }): Json<Password>,
) -> Result<Json<RecoveryCodes>> {
    require_password(&state, &actor, address, lozinka).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    if !is_on(&mut tx, actor.radnik_id).await? {
        return Err(Error::conflict("Prijava u dva koraka nije uključena."));
    }
    let kodovi = new_recovery_codes(&mut tx, actor.radnik_id).await?;
    audit::account(&mut tx, &actor, actor.radnik_id, AccountDeed::RecoveryCodesRenewed, &device).await?;
    tx.commit().await?;
    Ok(Json(RecoveryCodes { kodovi }))
}

/// Turns it off, where no role asks for it.
#[utoipa::path(post, path = "/api/second-factor/off", request_body = Password, responses((status = 204)))]
async fn off(
    State(state): State<AppState>,
    actor: Actor,
    ClientAddress(address): ClientAddress,
    device: Device,
    Json(Password { lozinka }): Json<Password>,
) -> Result<StatusCode> {
    require_password(&state, &actor, address, lozinka).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let asked = sqlx::query_scalar!(r#"select exists (select from active_roles($1) r where r.drugi_faktor) as "asked!""#, actor.radnik_id);
    if asked.fetch_one(&mut *tx).await? {
        return Err(Error::conflict("Vaša uloga traži prijavu u dva koraka."));
    }
    remove(&mut tx, actor.radnik_id).await?;
    audit::account(&mut tx, &actor, actor.radnik_id, AccountDeed::SecondFactorOff, &device).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes it from a worker whose telephone and paper are lost: the password alone signs in, and where a role asks for it, it is set up
/// anew at once. The worker's sessions end.
#[utoipa::path(post, path = "/api/workers/{id}/second-factor-reset", params(("id" = i64, Path)), responses((status = 204)))]
async fn reset(
    State(state): State<AppState>,
    actor: Allowed<SecondFactorReset>,
    device: Device,
    Path(id): Path<i64>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    reach::require_worker(&mut tx, &actor, id).await?;
    let there = sqlx::query_scalar!("select id from worker where id = $1 and aktivan", id).fetch_optional(&mut *tx).await?;
    if there.is_none() {
        return Err(Error::NotFound);
    }
    ceiling::over_worker(&mut tx, &actor, id).await?;
    reach::require_all_of(&mut tx, &actor, id).await?;
    confirming::dangerous(&mut tx, &actor, "worker", id, "Radniku se poništava prijava u dva koraka.").await?;
    remove(&mut tx, id).await?;
    auth::end_sessions(&mut tx, id, Some(&actor.session)).await?;
    audit::account(&mut tx, &actor, id, AccountDeed::SecondFactorReset, &device).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What the second step of a sign-in says.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The worker has none.
    NotAsked,
    /// No code was sent.
    Missing,
    Right,
    Wrong,
}

/// Judges the second step. A code that is right is used up with it.
pub async fn judge(tx: &mut PgConnection, worker: i64, code: Option<&str>, now: Timestamp) -> Result<Verdict> {
    if !is_on(tx, worker).await? {
        return Ok(Verdict::NotAsked);
    }
    let Some(code) = code.map(str::trim).filter(|code| !code.is_empty()) else { return Ok(Verdict::Missing) };
    let right = is_fresh_code(tx, worker, code, now).await? || is_recovery_code(tx, worker, code, now).await?;
    Ok(if right { Verdict::Right } else { Verdict::Wrong })
}

async fn is_on(db: &mut PgConnection, worker: i64) -> sqlx::Result<bool> {
    let on = sqlx::query_scalar!(
        r#"select exists (select from second_factor where radnik_id = $1 and potvrdjen_at is not null) as "on!""#,
        worker
    );
    on.fetch_one(db).await
}

/// Whether it is a code of these seconds, or of those just before and after, that has not been used. It is used up with that.
async fn is_fresh_code(tx: &mut PgConnection, worker: i64, code: &str, now: Timestamp) -> Result<bool> {
    let Some(secret) =
        sqlx::query_scalar!("select tajna from second_factor where radnik_id = $1 for update", worker).fetch_optional(&mut *tx).await?
    else {
        return Ok(false);
    };
    let digits: String = code.chars().filter(|sign| !sign.is_whitespace()).collect();
    let Some(step) = totp(secret, "", "")?.check(&digits, now.as_second().unsigned_abs()) else { return Ok(false) };
    let step = i64::try_from(step).map_err(anyhow::Error::from)?;
    let fresh = sqlx::query!(
        "update second_factor set poslednji_korak = $2 where radnik_id = $1 and coalesce(poslednji_korak, -1) < $2",
        worker,
        step
    );
    Ok(fresh.execute(tx).await?.rows_affected() == 1)
}

async fn is_recovery_code(tx: &mut PgConnection, worker: i64, code: &str, now: Timestamp) -> sqlx::Result<bool> {
    let used = sqlx::query!(
        "update recovery_code set iskoriscen_at = $3 where radnik_id = $1 and code_hash = $2 and iskoriscen_at is null",
        worker,
        &recovery_hash(code)[..],
        now.to_sqlx() as _
    );
    Ok(used.execute(tx).await?.rows_affected() == 1)
}

async fn new_recovery_codes(tx: &mut PgConnection, worker: i64) -> sqlx::Result<Vec<String>> {
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| new_recovery_code()).collect();
    let hashes: Vec<Vec<u8>> = codes.iter().map(|code| recovery_hash(code).to_vec()).collect();
    sqlx::query!("delete from recovery_code where radnik_id = $1", worker).execute(&mut *tx).await?;
    sqlx::query!("insert into recovery_code (radnik_id, code_hash) select $1, unnest($2::bytea[])", worker, &hashes).execute(tx).await?;
    Ok(codes)
}

/// `k3x9p-7mq2h`: 50 random bits.
fn new_recovery_code() -> String {
    let signs: String = rand::random::<[u8; 10]>().iter().map(|byte| char::from(SIGNS[usize::from(byte & 31)])).collect();
    format!("{}-{}", &signs[..5], &signs[5..])
}

/// Of the signs alone, so that a space or a capital letter does not matter. They are random, so a plain fast hash keeps them secret.
fn recovery_hash(code: &str) -> [u8; 32] {
    let signs: String = code.chars().filter(char::is_ascii_alphanumeric).map(|sign| sign.to_ascii_lowercase()).collect();
    Sha256::digest(signs.as_bytes()).into()
}

async fn remove(tx: &mut PgConnection, worker: i64) -> sqlx::Result<()> {
    sqlx::query!("delete from recovery_code where radnik_id = $1", worker).execute(&mut *tx).await?;
    sqlx::query!("delete from second_factor where radnik_id = $1", worker).execute(tx).await?;
    Ok(())
}

fn totp(secret: impl Into<Vec<u8>>, account: &str, issuer: &str) -> Result<Totp> {
    // The address that carries them has no place for a colon.
    let plain = |text: &str| text.replace(':', " ");
    let issuer = Some(plain(issuer)).filter(|issuer| !issuer.is_empty());
    Ok(Builder::new()
        .with_secret(Secret::from(secret.into()))
        .with_account_name(plain(account))
        .with_issuer(issuer)
        .build()
        .map_err(anyhow::Error::from)?)
}

fn offer(secret: [u8; 20], account: &str, issuer: &str) -> Result<Offer> {
    let totp = totp(secret, account, issuer)?;
    let address = totp.to_url().map_err(anyhow::Error::from)?;
    let picture = QrCode::new(address).map_err(anyhow::Error::from)?.render::<svg::Color<'_>>().min_dimensions(220, 220).build();
    Ok(Offer { tajna: totp.secret().to_base32(), slika: format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(picture)) })
}

async fn username(state: &AppState, actor: &Actor) -> sqlx::Result<String> {
    sqlx::query_scalar!("select username from worker where id = $1", actor.radnik_id).fetch_one(&state.db).await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B, the last six digits.
    #[test]
    fn codes_are_those_of_the_standard() {
        let totp = totp(*b"12345678901234567890", "", "").unwrap();
        for (second, code) in [(59, "287082"), (1_111_111_109, "081804"), (2_000_000_000, "279037")] {
            assert_eq!(totp.check(code, second), Some(second / 30), "{second}");
        }
        assert_eq!(totp.check("287083", 59), None);
        assert_eq!(totp.check("287082", 59 + 61), None);
    }

    #[test]
    fn a_recovery_code_is_known_however_it_is_typed() {
        let code = new_recovery_code();
        assert_eq!(code.len(), 11);
        assert_eq!(recovery_hash(&code), recovery_hash(&format!(" {} ", code.to_uppercase().replace('-', " "))));
        assert_ne!(recovery_hash(&code), recovery_hash(&new_recovery_code()));
    }

    #[test]
    fn a_colon_in_a_name_does_not_break_the_offer() {
        let offer = offer([7; 20], "ana:b", "Regix: bolnica").unwrap();
        assert_eq!(offer.tajna.len(), 32);
        assert!(offer.slika.starts_with("data:image/svg+xml;base64,"));
    }
}
