//! Slowing of repeated failures to give the right password.
//!
//! Failures count by account and address together: what others get wrong, from elsewhere or behind the same address, holds nobody
//! up who has not failed. Two softer guards stand behind that: an account that is tried from very many addresses, and an address that
//! tries very many accounts. The first holds up only who has failed from where he tries; the second spares accounts that have signed in
//! from that address before.
//!
//! An attempt is written down before the password is looked at, so that attempts made side by side cannot slip past the count; until
//! it has ended it counts as no failure, and who would need its outcome waits for it. Few of an address are under way at one time, and
//! the others wait in memory: a crowd that tries very many accounts takes neither connections nor hashing from those who come from
//! elsewhere, or who are known there.

use std::{
    net::IpAddr,
    sync::LazyLock,
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    places::{Place, Places},
};
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, PgPool};

/// Failures older than this are forgotten.
const WINDOW: SignedDuration = SignedDuration::from_hours(1);
/// An attempt that has not ended by then never will, and counts as failed.
const LONGEST_ATTEMPT: SignedDuration = SignedDuration::from_secs(30);
/// An account is known at an address for this long after it signed in from there.
const KNOWN: SignedDuration = SignedDuration::from_hours(24 * 30);
/// Failures of an account from one address that cost nothing.
const FREE: u32 = 5;
/// Failures of an account from all addresses, after which each of them costs.
const FREE_OF_ACCOUNT: u32 = 50;
/// Failures of an address on all accounts that cost nothing: a whole hospital may sit behind one.
const FREE_OF_ADDRESS: u32 = 30;
const FIRST_WAIT: i64 = 5;
const LONGEST_WAIT: i64 = 300;
/// Attempts of an address, or of an account that is known there, that are under way in this process at one time.
const UNDER_WAY: usize = 4;
/// How long an attempt waits for those beside it to end, and how often it looks.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);

/// Who is at it now.
static AT_THE_DOOR: LazyLock<Places<[u8; 32]>> = LazyLock::new(|| Places::new(UNDER_WAY));

/// An attempt that has been written down.
pub struct Attempt {
    id: i64,
    keys: Keys,
    at: Timestamp,
    _place: Place<[u8; 32]>,
}

struct Keys {
    pair: [u8; 32],
    account: [u8; 32],
    address: [u8; 32],
}

impl Keys {
    /// Neither names nor addresses are kept.
    fn of(username: &str, address: Option<IpAddr>) -> Self {
        let account = username.to_lowercase();
        let address = address.map(network).map_or_else(String::new, |network| network.to_string());
        let key = |kind: &str, value: &str| Sha256::digest(format!("{kind}\0{value}")).into();
        Self { pair: key("par", &format!("{account}\0{address}")), account: key("racun", &account), address: key("adresa", &address) }
    }
}

/// Whoever has one address of IPv6 has the whole network of 64 bits around it.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & (u128::MAX << 64)).into()),
        short => short,
    }
}

/// What an attempt may do now.
enum Verdict {
    Go(i64),
    /// Seconds.
    Wait(i64),
    /// Others are under way whose outcome decides.
    Queue,
}

/// Writes an attempt on the account down, or refuses it: 429 with the seconds to wait.
pub async fn begin(db: &PgPool, username: &str, address: Option<IpAddr>, now: Timestamp) -> Result<Attempt> {
    let keys = Keys::of(username, address);
    let started = Instant::now();
    let known = is_known(db, &keys, now).await?;
    let turn = AT_THE_DOOR.turn(if known { keys.pair } else { keys.address });
    let Ok(place) = tokio::time::timeout(PATIENCE, turn).await else {
        return Err(Error::TooManyAttempts { seconds: FIRST_WAIT });
    };
    loop {
        match judge(db, &keys, known, now).await? {
            Verdict::Go(id) => return Ok(Attempt { id, keys, at: now, _place: place }),
            Verdict::Wait(seconds) => return Err(Error::TooManyAttempts { seconds }),
            Verdict::Queue if started.elapsed() > PATIENCE => return Err(Error::TooManyAttempts { seconds: FIRST_WAIT }),
            Verdict::Queue => tokio::time::sleep(LOOK).await,
        }
    }
}

/// Whether the account has signed in from there lately.
async fn is_known(db: &PgPool, keys: &Keys, now: Timestamp) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from login_known where par = $1 and vreme > $2) as "known!""#,
        &keys.pair[..],
        (now - KNOWN).to_sqlx() as _
    )
    .fetch_one(db)
    .await
}

async fn judge(db: &PgPool, keys: &Keys, known: bool, now: Timestamp) -> Result<Verdict> {
    let mut tx = db.begin().await?;
    // Attempts whose outcomes decide about each other are judged one after another, those of other processes, too.
    let together = if known { vec![keys.pair] } else { vec![keys.address, keys.pair] };
    for key in &together {
        sqlx::query!("select pg_advisory_xact_lock($1)", lock_number(key)).execute(&mut *tx).await?;
    }
    sqlx::query!("delete from login_attempt where vreme <= $1", (now - WINDOW).to_sqlx() as _).execute(&mut *tx).await?;
    sqlx::query!("update login_attempt set u_toku = false where u_toku and vreme <= $1", (now - LONGEST_ATTEMPT).to_sqlx() as _)
        .execute(&mut *tx)
        .await?;
    let counted = sqlx::query!(
        r#"
        select (select count(*) from login_attempt where par = $1 and not u_toku) as "failed!",
               (select count(*) from login_attempt where par = $1 and u_toku) as "under_way!",
               (select max(vreme) from login_attempt where par = $1 and not u_toku) as "failed_at: jiff_sqlx::Timestamp",
               (select count(*) from login_attempt where racun = $2 and not u_toku) as "of_account!",
               (select count(*) from login_attempt where adresa = $3 and not u_toku) as "of_address!",
               (select count(*) from login_attempt where adresa = $3 and u_toku) as "of_address_under_way!",
               (select max(vreme) from login_attempt where adresa = $3 and not u_toku) as "address_failed_at: jiff_sqlx::Timestamp"
        "#,
        &keys.pair[..],
        &keys.account[..],
        &keys.address[..],
    )
    .fetch_one(&mut *tx)
    .await?;
    let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    let free = if number(counted.of_account) >= FREE_OF_ACCOUNT { 1 } else { FREE };
    let own = Count {
        failed: number(counted.failed),
        under_way: number(counted.under_way),
        free,
        last: counted.failed_at.map(|at| at.to_jiff()),
    };
    let of_address = Count {
        failed: number(counted.of_address),
        under_way: number(counted.of_address_under_way),
        free: FREE_OF_ADDRESS,
        last: counted.address_failed_at.map(|at| at.to_jiff()),
    };
    let counts = if known { vec![own] } else { vec![own, of_address] };
    let seconds = counts.iter().map(|count| wait(count.failed, count.free, count.last, now)).max().unwrap_or(0);
    let verdict = match seconds {
        0 if counts.iter().any(Count::hangs) => Verdict::Queue,
        0 => Verdict::Go(
            sqlx::query_scalar!(
                "insert into login_attempt (par, racun, adresa, vreme) values ($1, $2, $3, $4) returning id",
                &keys.pair[..],
                &keys.account[..],
                &keys.address[..],
                now.to_sqlx() as _
            )
            .fetch_one(&mut *tx)
            .await?,
        ),
        seconds => Verdict::Wait(seconds),
    };
    tx.commit().await?;
    Ok(verdict)
}

/// Attempts that have something in common.
struct Count {
    failed: u32,
    under_way: u32,
    /// Failures that cost nothing.
    free: u32,
    last: Option<Timestamp>,
}

impl Count {
    /// Whether one more depends on how those under way end.
    fn hangs(&self) -> bool {
        self.under_way > 0 && self.failed + self.under_way >= self.free
    }
}

fn lock_number([a, b, c, d, e, f, g, h, ..]: &[u8; 32]) -> i64 {
    i64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h])
}

/// Seconds until the next attempt after so many failures, the last of them then.
fn wait(failures: u32, free: u32, last: Option<Timestamp>, now: Timestamp) -> i64 {
    let Some(last) = last else { return 0 };
    let until = last + SignedDuration::from_secs(delay(failures, free));
    (until.duration_since(now).as_millis() + 999).div_euclid(1000).try_into().unwrap_or(LONGEST_WAIT).max(0)
}

/// Seconds to wait after so many failures: none while they are free, then doubling up to a limit.
fn delay(failures: u32, free: u32) -> i64 {
    match failures.checked_sub(free) {
        None => 0,
        Some(over) => FIRST_WAIT.checked_shl(over).filter(|wait| over < 32 && *wait < LONGEST_WAIT).unwrap_or(LONGEST_WAIT),
    }
}

impl Attempt {
    /// The password was wrong: from now on the attempt is a failure.
    pub async fn failed(&self, db: &mut PgConnection) -> sqlx::Result<()> {
        sqlx::query!("update login_attempt set u_toku = false where id = $1", self.id).execute(db).await?;
        Ok(())
    }

    /// It was neither: the password was right, and that alone signs nobody in.
    pub async fn withdrawn(&self, db: &mut PgConnection) -> sqlx::Result<()> {
        sqlx::query!("delete from login_attempt where id = $1", self.id).execute(db).await?;
        Ok(())
    }

    /// The password was right: the account starts anew from this address, and is known there.
    pub async fn succeeded(&self, db: &mut PgConnection) -> sqlx::Result<()> {
        sqlx::query!("delete from login_attempt where par = $1 and (id = $2 or not u_toku)", &self.keys.pair[..], self.id)
            .execute(&mut *db)
            .await?;
        sqlx::query!("delete from login_known where vreme <= $1", (self.at - KNOWN).to_sqlx() as _).execute(&mut *db).await?;
        sqlx::query!(
            "insert into login_known (par, vreme) values ($1, $2) on conflict (par) do update set vreme = excluded.vreme",
            &self.keys.pair[..],
            self.at.to_sqlx() as _
        )
        .execute(db)
        .await?;
        Ok(())
    }
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
        let keys = Keys::of("10.0.0.1", Some("10.0.0.1".parse().unwrap()));
        assert_ne!(keys.account, keys.address);
    }

    #[test]
    fn addresses_of_one_network_of_ipv6_are_one_and_a_mapped_one_is_the_short_one() {
        let address = |text: &str| Keys::of("ana", Some(text.parse().unwrap())).address;
        assert_eq!(address("2001:db8:1:2::1"), address("2001:db8:1:2:ffff::9"));
        assert_ne!(address("2001:db8:1:2::1"), address("2001:db8:1:3::1"));
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
    }
}
