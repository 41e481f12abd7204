//! What a sign-in at the provider has ended in, by a code that the browser which began it exchanges once, shortly after.

use axum::http::HeaderMap;
use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    identity_provider::{Browser, Identity},
    token::{TokenHash, hash_token, new_token},
};
use sqlx::{PgConnection, PgPool};

/// Long enough for typing the code of a second step.
const LIFE: SignedDuration = SignedDuration::from_mins(2);

/// A sign-in at the provider that has ended well.
#[derive(Debug)]
pub struct Code {
    hash: TokenHash,
    pub radnik_id: i64,
    pub izdavalac: String,
    pub subjekat: String,
    /// She has proved just now who she is.
    pub ponovo: bool,
    pub drugi_korak: bool,
}

/// Makes a code for the worker whom the provider has let in.
pub async fn issue(db: &PgPool, browser: &Browser, worker: i64, identity: &Identity, ponovo: bool, now: Timestamp) -> sqlx::Result<String> {
    let (code, hash) = new_token();
    sqlx::query!("delete from external_sign_in_code where istice <= $1", now.to_sqlx() as _).execute(db).await?;
    sqlx::query!(
        "insert into external_sign_in_code (kod_hash, pregledac_hash, radnik_id, izdavalac, subjekat, ponovo, drugi_korak, istice)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        &hash.0[..],
        &browser.hash().0[..],
        worker,
        identity.izdavalac,
        identity.subjekat,
        ponovo,
        identity.second_step,
        (now + LIFE).to_sqlx() as _
    )
    .execute(db)
    .await?;
    Ok(code)
}

impl Code {
    /// What a code stands for, where it comes from the browser that it was made for; it stays good until it is used up.
    pub async fn find(db: &PgPool, code: &str, headers: &HeaderMap, now: Timestamp) -> Result<Self> {
        let hash = hash_token(code);
        let browsers: Vec<Vec<u8>> = Browser::all_of(headers).iter().map(|browser| browser.hash().0.to_vec()).collect();
        let found = sqlx::query!(
            "select radnik_id, izdavalac, subjekat, ponovo, drugi_korak from external_sign_in_code
              where kod_hash = $1 and pregledac_hash = any($2) and istice > $3",
            &hash.0[..],
            &browsers,
            now.to_sqlx() as _
        );
        let found = found.fetch_optional(db).await?.ok_or_else(gone)?;
        Ok(Self {
            hash,
            radnik_id: found.radnik_id,
            izdavalac: found.izdavalac,
            subjekat: found.subjekat,
            ponovo: found.ponovo,
            drugi_korak: found.drugi_korak,
        })
    }

    /// Refuses the code of another worker than the one who asks.
    pub fn require_of(&self, worker: i64) -> Result<()> {
        if self.radnik_id == worker { Ok(()) } else { Err(Error::refused("Kod pružaoca prijave ste prijavljeni kao neko drugi.")) }
    }

    /// Takes it away, unless another call was faster.
    pub async fn use_up(&self, tx: &mut PgConnection) -> Result<()> {
        let used = sqlx::query!("delete from external_sign_in_code where kod_hash = $1", &self.hash.0[..]).execute(tx).await?;
        if used.rows_affected() == 1 { Ok(()) } else { Err(gone()) }
    }
}

fn gone() -> Error {
    Error::gone("Ova prijava je istekla ili je već iskorišćena. Počnite je ponovo.")
}
