//! A sign-in that has begun and waits for the provider: in the database, so that another api may end it.

use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::ToSqlx;
use platform::identity_provider::Browser;
use platform::token::{hash_token, new_token};
use sqlx::PgPool;

/// So long one may stand before the provider's page.
const LIFE: SignedDuration = SignedDuration::from_mins(10);

pub struct Attempt {
    /// The page of the site that was asked for.
    pub povratak: String,
    /// The window that waits for the answer, by a name that it has given itself.
    pub oznaka: Option<String>,
    /// The provider was asked to let the worker prove again who she is.
    pub ponovo: bool,
    pub zapoceto: Timestamp,
}

/// Writes one down and returns the `state` that the provider gives back.
pub async fn begin(db: &PgPool, browser: &Browser, attempt: &Attempt) -> sqlx::Result<String> {
    let (state, hash) = new_token();
    let now = attempt.zapoceto;
    sqlx::query!("delete from external_sign_in where istice <= $1", now.to_sqlx() as _).execute(db).await?;
    sqlx::query!(
        "insert into external_sign_in (stanje_hash, pregledac_hash, povratak, oznaka, ponovo, zapoceto_at, istice)
         values ($1, $2, $3, $4, $5, $6, $7)",
        &hash.0[..],
        &browser.hash().0[..],
        attempt.povratak.as_str(),
        attempt.oznaka.as_deref(),
        attempt.ponovo,
        now.to_sqlx() as _,
        (now + LIFE).to_sqlx() as _
    )
    .execute(db)
    .await?;
    Ok(state)
}

/// The attempt with this `state`, and that of the browsers in which it began; none when there is no such pair. It is used up with that.
pub async fn end(db: &PgPool, state: &str, browsers: Vec<Browser>, now: Timestamp) -> sqlx::Result<Option<(Attempt, Browser)>> {
    let hashes: Vec<Vec<u8>> = browsers.iter().map(|browser| browser.hash().0.to_vec()).collect();
    let found = sqlx::query!(
        r#"
        delete from external_sign_in where stanje_hash = $1 and pregledac_hash = any($2) and istice > $3
        returning pregledac_hash, povratak, oznaka, ponovo, zapoceto_at as "zapoceto_at: jiff_sqlx::Timestamp"
        "#,
        &hash_token(state).0[..],
        &hashes,
        now.to_sqlx() as _
    );
    let Some(found) = found.fetch_optional(db).await? else { return Ok(None) };
    let browser = browsers.into_iter().find(|browser| browser.hash().0[..] == found.pregledac_hash[..]);
    let attempt = Attempt { povratak: found.povratak, oznaka: found.oznaka, ponovo: found.ponovo, zapoceto: found.zapoceto_at.to_jiff() };
    Ok(browser.map(|browser| (attempt, browser)))
}
