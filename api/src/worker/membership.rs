//! The institutions that a worker belongs to.

use accounts::{auth::Actor, confirming, reach, rights::Right};
use platform::error::{Error, Result};
use sqlx::PgConnection;

/// The institution that a worker works in is one of those that the worker belongs to: one within the administrator's reach.
pub async fn join(tx: &mut PgConnection, actor: &Actor, worker: i64, institution: Option<i64>) -> Result<()> {
    let Some(institution) = institution else { return Ok(()) };
    let active = sqlx::query_scalar!("select id from institution where id = $1 and aktivan", institution).fetch_optional(&mut *tx).await?;
    if active.is_none() {
        return Err(Error::invalid("ustanovaID", "Izabrana ustanova ne postoji."));
    }
    reach::require_institution(&mut *tx, actor, "ustanovaID", institution).await?;
    let made =
        sqlx::query!("insert into worker_institution (radnik_id, ustanova_id) values ($1, $2) on conflict do nothing", worker, institution);
    match made.execute(&mut *tx).await?.rows_affected() {
        0 => Ok(()),
        _ => confirming::access_given(tx, actor, worker, institution).await,
    }
}

/// Who makes a worker that belongs nowhere could not reach her, unless it is one who reaches everybody.
pub async fn refuse_nowhere(tx: &mut PgConnection, actor: &Actor, institution: Option<i64>) -> Result<()> {
    let anywhere = sqlx::query_scalar!(r#"select administers_all($1) as "anywhere!""#, actor.radnik_id);
    if institution.is_some() || anywhere.fetch_one(tx).await? {
        return Ok(());
    }
    Err(Error::invalid("ustanovaID", "Niste izabrali ustanovu."))
}

/// Whoever administers workers sends one to an institution; others choose among their own.
pub async fn change(tx: &mut PgConnection, actor: &Actor, worker: i64, institution: Option<i64>) -> Result<()> {
    let current = sqlx::query_scalar!("select ustanova_id from worker where id = $1", worker).fetch_one(&mut *tx).await?;
    if institution == current {
        Ok(())
    } else if actor.prava.holds(Right::Workers) {
        join(tx, actor, worker, institution).await
    } else {
        refuse_strange(tx, worker, institution).await
    }
}

/// Workers may switch among their own institutions only.
async fn refuse_strange(tx: &mut PgConnection, worker: i64, institution: Option<i64>) -> Result<()> {
    let member = sqlx::query_scalar!(
        r#"
        select exists (select from worker_institution l join institution u on u.id = l.ustanova_id and u.aktivan
                        where l.radnik_id = $1 and l.ustanova_id = $2) as "member!"
        "#,
        worker,
        institution
    )
    .fetch_one(tx)
    .await?;
    if member { Ok(()) } else { Err(Error::invalid("ustanovaID", "Ne pripadate izabranoj ustanovi.")) }
}
