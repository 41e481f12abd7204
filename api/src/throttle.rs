//! Slowing of repeated failures to give the right password, per account and per address.
//!
//! An attempt is written down before the password is looked at and struck out when it was right: attempts made side by
//! side cannot slip past the count.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::ToSqlx;
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, PgPool};

use crate::error::{Error, Result};

/// Failures older than this are forgotten.
const WINDOW: SignedDuration = SignedDuration::from_hours(1);
/// Failures of an account that cost nothing.
const FREE_OF_ACCOUNT: u32 = 5;
/// Failures of an address that cost nothing: a whole hospital may sit behind one.
const FREE_OF_ADDRESS: u32 = 30;
const FIRST_WAIT: i64 = 5;
const LONGEST_WAIT: i64 = 300;

/// An attempt that has been written down.
pub struct Attempt {
    keys: Vec<([u8; 32], u32)>,
    at: Timestamp,
}

/// Writes an attempt on the account down, or refuses it: 429 with the seconds to wait.
pub async fn begin(db: &PgPool, username: &str, address: Option<IpAddr>, now: Timestamp) -> Result<Attempt> {
    let mut keys = vec![(key("racun", &username.to_lowercase()), FREE_OF_ACCOUNT)];
    keys.extend(address.map(|address| (key("adresa", &address.to_string()), FREE_OF_ADDRESS)));

    let mut tx = db.begin().await?;
    sqlx::query!("delete from login_failure where vreme <= $1", (now - WINDOW).to_sqlx() as _).execute(&mut *tx).await?;
    for (key, free) in &keys {
        let seconds = wait(&mut tx, key, *free, now).await?;
        if seconds > 0 {
            tx.commit().await?;
            return Err(Error::TooManyAttempts { seconds });
        }
    }
    for (key, _) in &keys {
        sqlx::query!("insert into login_failure (kljuc, vreme) values ($1, $2)", &key[..], now.to_sqlx() as _).execute(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(Attempt { keys, at: now })
}

/// Seconds until the key may try again. The lock makes attempts on one key queue up behind each other.
async fn wait(db: &mut PgConnection, key: &[u8; 32], free: u32, now: Timestamp) -> sqlx::Result<i64> {
    let [a, b, c, d, e, f, g, h, ..] = *key;
    sqlx::query!("select pg_advisory_xact_lock($1)", i64::from_be_bytes([a, b, c, d, e, f, g, h])).execute(&mut *db).await?;
    let failures = sqlx::query!(r#"select count(*) as "count!", max(vreme) as last from login_failure where kljuc = $1"#, &key[..])
        .fetch_one(&mut *db)
        .await?;
    let Some(last) = failures.last else { return Ok(0) };
    let until = last.to_jiff() + SignedDuration::from_secs(delay(u32::try_from(failures.count).unwrap_or(u32::MAX), free));
    Ok((until.duration_since(now).as_millis() + 999).div_euclid(1000).try_into().unwrap_or(LONGEST_WAIT).max(0))
}

/// Seconds to wait after so many failures: none while they are free, then doubling up to a limit.
fn delay(failures: u32, free: u32) -> i64 {
    match failures.checked_sub(free) {
        None => 0,
        Some(over) => FIRST_WAIT.checked_shl(over).filter(|wait| over < 32 && *wait < LONGEST_WAIT).unwrap_or(LONGEST_WAIT),
    }
}

impl Attempt {
    /// The password was right: the account starts anew; of the address only this attempt is forgiven.
    pub async fn succeeded(&self, db: &mut PgConnection) -> sqlx::Result<()> {
        for (number, (key, _)) in self.keys.iter().enumerate() {
            let of_account = number == 0;
            sqlx::query!(
                "delete from login_failure where kljuc = $1 and ($2 or ctid = (select ctid from login_failure where kljuc = $1 and vreme = $3 limit 1))",
                &key[..],
                of_account,
                self.at.to_sqlx() as _
            )
            .execute(&mut *db)
            .await?;
        }
        Ok(())
    }
}

/// Neither names nor addresses are kept.
fn key(kind: &str, value: &str) -> [u8; 32] {
    Sha256::digest(format!("{kind}\0{value}")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_doubles_after_the_free_failures_up_to_its_limit() {
        let waits: Vec<i64> = (3..=14).map(|failures| delay(failures, 5)).collect();
        assert_eq!(waits, [0, 0, 5, 10, 20, 40, 80, 160, 300, 300, 300, 300]);
        assert_eq!(delay(u32::MAX, 5), 300);
    }

    #[test]
    fn an_account_and_an_address_of_the_same_text_are_counted_apart() {
        assert_ne!(key("racun", "10.0.0.1"), key("adresa", "10.0.0.1"));
    }
}
