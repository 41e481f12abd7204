//! Members of a group of recipients: workers, and addresses.

use accounts::auth::Actor;
use domain::mail_address::is_address;
use platform::error::{Error, Result};
use sqlx::PgConnection;

/// Of one group.
const MOST: usize = domain::parameters::RECIPIENTS.most() as usize;

pub fn refuse_wrong(workers: &[i64], emails: &[String]) -> Result<()> {
    if let Some(bad) = emails.iter().find(|address| !is_address(address)) {
        let shown: String = bad.chars().filter(|letter| !letter.is_control()).take(80).collect();
        return Err(Error::invalid("emails", format!("Adresa „{shown}” nije ispravna.")));
    }
    let members = emails.len() + workers.len();
    if members == 0 {
        return Err(Error::invalid("emails", "Grupa nema nijednog člana. Izaberite radnike ili upišite adrese."));
    }
    if members > MOST {
        return Err(Error::invalid("emails", format!("Grupa može da ima najviše {MOST} članova.")));
    }
    Ok(())
}

/// Members are rows of an array, which no foreign key watches over. Those who are members already may be out of reach.
pub async fn refuse_unknown(tx: &mut PgConnection, actor: &Actor, workers: &[i64], members: &[i64]) -> Result<()> {
    let known = sqlx::query_scalar!(
        r#"select count(distinct id) as "known!" from worker
            where id = any($1) and (id = any($2) or id in (select radnik_id from workers_in_reach($3)))"#,
        workers,
        members,
        actor.radnik_id
    );
    let known = known.fetch_one(tx).await?;
    let distinct: std::collections::HashSet<_> = workers.iter().collect();
    if usize::try_from(known).ok() == Some(distinct.len()) { Ok(()) } else { Err(Error::invalid("radnici", "Izabrani radnik ne postoji.")) }
}
