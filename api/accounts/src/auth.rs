//! Sessions: opaque random tokens, stored hashed, with idle and absolute expiry; and the worker behind a request.

use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderName, header, request::Parts},
    middleware::Next,
    response::Response,
};
use domain::{
    access,
    caller::{self, Caller},
};
use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    state::AppState,
    token::{TokenHash, hash_token, new_token},
};
use sqlx::{PgConnection, PgPool};

use crate::{
    audit,
    confirming::CONFIRMED_FOR,
    duty::Duty,
    rights::{Right, Rights},
    sessions::Device,
};

/// A session ends this long after the sign-in, however busy it is.
pub const ABSOLUTE_EXPIRY: SignedDuration = SignedDuration::from_hours(24);
/// The last access is written at most this often: not every call is a write.
const TOUCH_INTERVAL: SignedDuration = SignedDuration::from_mins(1);
/// The authorization scheme of every call.
const SCHEME: &str = "Regix ";
/// Sent by the browser with what it asks by itself, while nobody touches a key or the mouse: such a call keeps no session alive.
const UNTOUCHED: HeaderName = HeaderName::from_static("x-untouched");

/// The signed-in worker on whose behalf a call runs.
#[derive(Debug, Clone)]
pub struct Actor {
    pub radnik_id: i64,
    /// The institution the worker works for now; a worker may have none.
    pub ustanova_id: Option<i64>,
    /// The rights, and what the roles open of patients.
    pub prava: Rights,
    /// Which session this is, so that a password change may end the others.
    pub session: TokenHash,
    /// What must be done before anything else.
    pub duty: Option<Duty>,
    /// The password was given once more, not long ago, in this session.
    pub confirmed: bool,
    /// The session was opened by an account of the hospital's provider; the worker may have no password.
    pub spoljna: bool,
}

impl Actor {
    /// Who reads what is public: no worker, without any right.
    pub fn nobody() -> Self {
        Self {
            radnik_id: 0,
            ustanova_id: None,
            prava: Rights::default(),
            session: TokenHash([0; 32]),
            duty: None,
            confirmed: false,
            spoljna: false,
        }
    }

    /// Whether it is a worker.
    pub fn is_somebody(&self) -> bool {
        self.radnik_id != 0
    }

    pub fn require(&self, right: Right) -> Result<()> {
        self.require_any(&[right])
    }

    pub fn require_any(&self, rights: &[Right]) -> Result<()> {
        if self.prava.holds_any(rights) { Ok(()) } else { Err(Error::Forbidden) }
    }

    /// The current institution, where the call makes no sense without one.
    pub fn ustanova(&self) -> Result<i64> {
        self.ustanova_id.ok_or_else(|| Error::invalid("ustanovaID", "Niste dodeljeni nijednoj ustanovi."))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Actor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self> {
        parts.extensions.get::<Self>().cloned().ok_or(Error::SessionExpired)
    }
}

/// Lets only calls with a live session through, and gives them their `Actor`. Every route but the public ones is behind it.
pub async fn require_session(State(state): State<AppState>, device: Device, mut request: Request, next: Next) -> Result<Response> {
    let token = bearer(request.headers()).ok_or(Error::SessionExpired)?;
    let by_a_person = !request.headers().contains_key(UNTOUCHED);
    let actor = resolve(&state.db, hash_token(token), state.clock.now(), by_a_person).await?.ok_or(Error::SessionExpired)?;
    tracing::Span::current().record("radnik", actor.radnik_id);
    request.extensions_mut().insert(actor.clone());
    let call = audit::Call::of(&request);
    caller::within(Caller { adresa: device.adresa, ustanova_id: actor.ustanova_id }, async {
        let response = next.run(request).await;
        let hidden = response.extensions().get().copied();
        call.refused(&state.db, &actor, response.status(), hidden).await?;
        Ok(response)
    })
    .await
}

/// Who asks for what is public, where it shows more to workers: nobody without a live session.
pub async fn caller_of_public(state: &AppState, headers: &HeaderMap) -> Result<Actor> {
    let Some(token) = bearer(headers) else { return Ok(Actor::nobody()) };
    let by_a_person = !headers.contains_key(UNTOUCHED);
    Ok(resolve(&state.db, hash_token(token), state.clock.now(), by_a_person).await?.unwrap_or_else(Actor::nobody))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix(SCHEME).map(str::trim)
}

/// Stores a session for the worker and returns its token.
pub async fn open_session(db: &mut PgConnection, worker: i64, now: Timestamp, device: &Device) -> sqlx::Result<String> {
    let (token, hash) = new_token();
    sqlx::query!(
        "insert into session (token_hash, radnik_id, vreme_kreiranja, poslednji_pristup, istice, adresa, pregledac)
         values ($1, $2, $3, $3, $4, $5, $6)",
        &hash.0[..],
        worker,
        now.to_sqlx() as _,
        (now + ABSOLUTE_EXPIRY).to_sqlx() as _,
        device.adresa.as_deref(),
        device.pregledac.as_deref(),
    )
    .execute(db)
    .await?;
    Ok(token)
}

/// Stores a session that an account of the provider has opened, with a second step of the provider or without.
pub async fn open_external_session(
    db: &mut PgConnection,
    worker: i64,
    second_step: bool,
    now: Timestamp,
    device: &Device,
) -> sqlx::Result<String> {
    let token = open_session(&mut *db, worker, now, device).await?;
    sqlx::query!(
        "update session set spoljna = true, spoljni_drugi_korak = $2 where token_hash = $1",
        &hash_token(&token).0[..],
        second_step
    )
    .execute(db)
    .await?;
    Ok(token)
}

/// The worker behind a token, as rights and institution stand at this moment; none when the session has ended.
async fn resolve(db: &PgPool, token: TokenHash, now: Timestamp, by_a_person: bool) -> sqlx::Result<Option<Actor>> {
    let mut db = db.acquire().await?;
    let Some(found) = sqlx::query!(
        r#"
        select s.radnik_id, s.poslednji_pristup, s.spoljna, w.mora_promeniti_lozinku and not s.spoljna as "must_change_password!",
               lacks_second_factor(w.id) and not s.spoljni_drugi_korak as "lacks_second_factor!",
               coalesce(s.potvrdjeno_at > $3, false) as "confirmed!",
               (select u.id from institution u where u.id = w.ustanova_id and u.aktivan) as ustanova_id
          from session s
          join worker w on w.id = s.radnik_id and w.aktivan
         where s.token_hash = $1 and s.istice > $2 and s.poslednji_pristup > idle_since($2)
        "#,
        &token.0[..],
        now.to_sqlx() as _,
        (now - CONFIRMED_FOR).to_sqlx() as _,
    )
    .fetch_optional(&mut *db)
    .await?
    else {
        return Ok(None);
    };
    if by_a_person && found.poslednji_pristup.to_jiff() + TOUCH_INTERVAL < now {
        sqlx::query!("update session set poslednji_pristup = $2 where token_hash = $1", &token.0[..], now.to_sqlx() as _)
            .execute(&mut *db)
            .await?;
    }
    Ok(Some(Actor {
        radnik_id: found.radnik_id,
        ustanova_id: found.ustanova_id,
        prava: access::rights_of(&mut db, found.radnik_id).await?,
        session: token,
        duty: Duty::of(found.must_change_password, found.lacks_second_factor),
        confirmed: found.confirmed,
        spoljna: found.spoljna,
    }))
}

/// Ends one session.
pub async fn end_session(db: &mut PgConnection, session: &TokenHash) -> sqlx::Result<()> {
    sqlx::query!("delete from session where token_hash = $1", &session.0[..]).execute(db).await?;
    Ok(())
}

/// Sweeps out sessions whose time is over; they open nothing already.
pub async fn forget_ended(db: &mut PgConnection, now: Timestamp) -> sqlx::Result<()> {
    sqlx::query!("delete from session where istice <= $1 or poslednji_pristup <= idle_since($1)", now.to_sqlx() as _).execute(db).await?;
    Ok(())
}

/// Ends the worker's sessions, but for the one that `keep` names.
pub async fn end_sessions(db: &mut PgConnection, worker: i64, keep: Option<&TokenHash>) -> sqlx::Result<u64> {
    let keep = keep.map(|hash| &hash.0[..]);
    let ended = sqlx::query!("delete from session where radnik_id = $1 and token_hash is distinct from $2", worker, keep as Option<&[u8]>)
        .execute(db)
        .await?;
    Ok(ended.rows_affected())
}

/// Ends the worker's sessions that an account of the provider has opened, but for the one that `keep` names.
pub async fn end_external_sessions(db: &mut PgConnection, worker: i64, keep: &TokenHash) -> sqlx::Result<()> {
    sqlx::query!("delete from session where radnik_id = $1 and spoljna and token_hash <> $2", worker, &keep.0[..]).execute(db).await?;
    Ok(())
}
