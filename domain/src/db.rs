//! Database pools, and transactions that name the worker on whose behalf they write.

use std::time::Duration;

use anyhow::{Context, bail};
use sqlx::{PgConnection, PgPool, Postgres, Transaction, postgres::PgConnectOptions, postgres::PgPoolOptions};

use crate::{
    caller::{self, Caller},
    request_id,
};

/// The worker in whose name migrations, imports and schedules write.
pub const SYSTEM_WORKER: i64 = 1;

/// Opens a pool; `name` is shown in `pg_stat_activity`.
pub async fn pool(url: &str, name: &str, max_connections: u32) -> sqlx::Result<PgPool> {
    let options: PgConnectOptions = url.parse()?;
    PgPoolOptions::new()
        .max_connections(max_connections)
        .acquire_timeout(Duration::from_secs(10))
        .connect_with(options.application_name(name))
        .await
}

/// Begins a transaction whose writes belong to `worker`, and to the call that is being answered; the audit triggers refuse writes
/// outside one.
pub async fn begin(pool: &PgPool, worker: i64) -> sqlx::Result<Transaction<'static, Postgres>> {
    let mut tx = pool.begin().await?;
    sign(&mut tx, worker).await?;
    Ok(tx)
}

/// The same of a transaction that has begun already, on a connection of no pool.
pub async fn sign(tx: &mut PgConnection, worker: i64) -> sqlx::Result<()> {
    let Caller { adresa, ustanova_id } = caller::current();
    sqlx::query(
        "select set_config('app.worker', $1, true), set_config('app.request', $2, true), set_config('app.address', $3, true),
                set_config('app.institution', $4, true)",
    )
    .bind(worker.to_string())
    .bind(request_id::current().unwrap_or_default())
    .bind(adresa.unwrap_or_default())
    .bind(ustanova_id.map_or_else(String::new, |id| id.to_string()))
    .execute(tx)
    .await?;
    Ok(())
}

/// User and password in `postgres://user:password@host/database`.
pub fn credentials(url: &str) -> anyhow::Result<(String, String)> {
    let credentials = url.split_once("://").and_then(|(_, rest)| rest.rsplit_once('@')).map(|(credentials, _)| credentials);
    let Some((user, password)) = credentials.and_then(|credentials| credentials.split_once(':')) else {
        bail!("the database URL names no user with a password");
    };
    Ok((percent_decoded(user)?, percent_decoded(password)?))
}

pub(crate) fn percent_decoded(text: &str) -> anyhow::Result<String> {
    let mut pieces = text.split('%');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let code = piece.get(..2).context("a database URL ends within a percent code")?;
        bytes.push(u8::from_str_radix(code, 16).context("a percent code of a database URL is not hexadecimal")?);
        bytes.extend_from_slice(&piece.as_bytes()[2..]);
    }
    String::from_utf8(bytes).context("a database URL is not UTF-8")
}

#[cfg(test)]
mod tests {
    use super::credentials;

    #[test]
    fn a_password_may_hold_any_character_that_the_url_encodes() {
        assert_eq!(credentials("postgres://regix_app:p%40ss%3A%C5%A1@db:5432/regix").unwrap(), ("regix_app".into(), "p@ss:š".into()));
        assert!(credentials("postgres://regix_app@db/regix").is_err(), "no password");
        assert!(credentials("postgres://regix_app:100%@db/regix").is_err(), "a broken percent code");
    }
}
