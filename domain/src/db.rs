//! Database pools, and transactions that name the worker on whose behalf they write.

use std::time::Duration;

use anyhow::{Context, bail, ensure};
use sqlx::{Executor, PgConnection, PgPool, Postgres, Row, Transaction, postgres::PgConnectOptions, postgres::PgPoolOptions};

use crate::{
    caller::{self, Caller},
    environment, request_id,
};

/// The worker in whose name migrations, imports and schedules write.
pub const SYSTEM_WORKER: i64 = 1;

/// The address of a database that the environment names. One that the programs cannot use is refused in words that name the setting, and
/// hold neither user nor password.
pub fn required(setting: &str) -> anyhow::Result<String> {
    let url = environment::required(setting)?;
    check(&url).with_context(|| setting.to_owned())?;
    Ok(url)
}

fn check(url: &str) -> anyhow::Result<()> {
    let Some((scheme, rest)) = url.split_once("://") else {
        bail!("it is no address of PostgreSQL (postgres://user:password@host/database)")
    };
    ensure!(["postgres", "postgresql"].contains(&scheme), "it begins with {scheme}://, an address of PostgreSQL with postgres://");
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = place.split('/').next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let named = |name: &str| query.split('&').filter_map(|part| part.split_once('=')).find(|(key, _)| *key == name).map(|(_, value)| value);
    let several = host.contains(',') || named("host").is_some_and(|hosts| hosts.contains(',') || hosts.contains("%2C"));
    ensure!(
        !several && named("target_session_attrs").is_none(),
        "it names several servers, or target_session_attrs: give one address that leads to the primary (docs/running.md, \"When the primary \
         fails\")"
    );
    // The parser's own words may quote what stands in the address.
    ensure!(options(url).is_ok(), "it is no address of PostgreSQL (postgres://user:password@host:5432/database)");
    Ok(())
}

/// How to connect. A pooler in between refuses start-up parameters that it does not know, so nothing is asked for there that a session can set
/// for itself afterwards.
pub fn options(url: &str) -> sqlx::Result<PgConnectOptions> {
    Ok(url.parse::<PgConnectOptions>()?.extra_float_digits(None))
}

/// Opens a pool; `name` is shown in `pg_stat_activity`. A connection whose server has become a standby is not used again: the primary is
/// elsewhere.
pub async fn pool(url: &str, name: &str, max_connections: u32) -> sqlx::Result<PgPool> {
    PgPoolOptions::new()
        .max_connections(max_connections)
        .acquire_timeout(Duration::from_secs(10))
        .test_before_acquire(false)
        .before_acquire(|connection, _| Box::pin(may_write(connection)))
        .connect_with(options(url)?.application_name(name))
        .await
}

/// Whether the server at the other end takes writes. By the simple protocol, which leaves nothing behind.
async fn may_write(connection: &mut PgConnection) -> sqlx::Result<bool> {
    connection.fetch_one(sqlx::raw_sql("select not pg_is_in_recovery()")).await?.try_get(0)
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
    use super::{check, credentials};

    #[test]
    fn an_address_that_leads_to_several_servers_or_nowhere_is_refused_without_its_password() {
        for (url, word) in [
            ("postgres://regix_app:tajna@db1,db2/regix", "one address"),
            ("postgres://regix_app:tajna@db1:5432,db2:5432/regix", "one address"),
            ("postgres://regix_app:tajna@db1/regix?host=db1,db2", "one address"),
            ("postgres://regix_app:tajna@db1/regix?target_session_attrs=read-write", "one address"),
            ("mysql://regix_app:tajna@db1/regix", "begins with mysql://"),
            ("regix_app:tajna@db1/regix", "no address"),
            ("postgres://regix_app:tajna@db1:port/regix", "no address"),
            ("postgres://regix_app:tajna@db1/regix?sslmode=strict", "no address"),
        ] {
            let refusal = format!("{:#}", check(url).expect_err(url));
            assert!(refusal.contains(word) && !refusal.contains("tajna"), "{url}: {refusal}");
        }
        check("postgresql://regix_app:tajna@db1:5432/regix?sslmode=verify-full&sslrootcert=/ca.pem").unwrap();
    }

    #[test]
    fn a_password_may_hold_any_character_that_the_url_encodes() {
        assert_eq!(credentials("postgres://regix_app:p%40ss%3A%C5%A1@db:5432/regix").unwrap(), ("regix_app".into(), "p@ss:š".into()));
        assert!(credentials("postgres://regix_app@db/regix").is_err(), "no password");
        assert!(credentials("postgres://regix_app:100%@db/regix").is_err(), "a broken percent code");
    }
}
