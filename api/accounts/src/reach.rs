//! How far administering workers reaches: to those who share an institution with the administrator, or to all of them where one of her
//! roles says so. Who is out of reach is answered as one who does not exist.

use platform::error::{Error, Result};
use sqlx::PgConnection;

use crate::auth::Actor;

/// Refuses a worker out of reach: 404.
pub async fn require_worker(db: &mut PgConnection, actor: &Actor, worker: i64) -> Result<()> {
    let reached = sqlx::query_scalar!(
        r#"select exists (select from workers_in_reach($1) r where r.radnik_id = $2) as "reached!""#,
        actor.radnik_id,
        worker
    );
    if reached.fetch_one(db).await? { Ok(()) } else { Err(Error::NotFound) }
}

/// Refuses what changes the account of a worker who belongs to an institution out of reach too: it is her account there as well.
pub async fn require_all_of(db: &mut PgConnection, actor: &Actor, worker: i64) -> Result<()> {
    let reached = sqlx::query_scalar!(r#"select reaches_all_of($1, $2) as "reached!""#, actor.radnik_id, worker);
    match reached.fetch_one(db).await? {
        true => Ok(()),
        false => {
            Err(Error::refused("Ovaj radnik pripada i ustanovi koju ne administrirate. To menja administrator svih njegovih ustanova."))
        }
    }
}

/// Refuses to give a membership in an institution out of reach, or to take one.
pub async fn require_institution(db: &mut PgConnection, actor: &Actor, field: &'static str, institution: i64) -> Result<()> {
    let reached = sqlx::query_scalar!(r#"select administers_institution($1, $2) as "reached!""#, actor.radnik_id, institution);
    if reached.fetch_one(db).await? { Ok(()) } else { Err(Error::invalid(field, "Ne administrirate radnike izabrane ustanove.")) }
}

/// Refuses to change the record of an institution out of reach. That it is there is no secret.
pub async fn require_own_institution(db: &mut PgConnection, actor: &Actor, institution: i64) -> Result<()> {
    let reached = sqlx::query_scalar!(r#"select administers_institution($1, $2) as "reached!""#, actor.radnik_id, institution);
    match reached.fetch_one(db).await? {
        true => Ok(()),
        false => Err(Error::refused("Ne administrirate ovu ustanovu. Menja je njen administrator, ili administrator svih ustanova.")),
    }
}

/// Refuses what is for those whose roles reach every institution.
pub async fn require_everywhere(db: &mut PgConnection, actor: &Actor, message: &'static str) -> Result<()> {
    let reached = sqlx::query_scalar!(r#"select administers_all($1) as "reached!""#, actor.radnik_id);
    if reached.fetch_one(db).await? { Ok(()) } else { Err(Error::refused(message)) }
}

/// Refuses to change a role that workers out of reach have: their rights would change with it.
pub async fn require_holders(db: &mut PgConnection, actor: &Actor, role: i64) -> Result<()> {
    let beyond = sqlx::query_scalar!(
        r#"
        select exists (select from worker_role l
                        where l.uloga_id = $2 and l.radnik_id not in (select r.radnik_id from workers_in_reach($1) r)) as "beyond!"
        "#,
        actor.radnik_id,
        role
    );
    if beyond.fetch_one(db).await? {
        return Err(Error::refused("Ovu ulogu imaju i radnici ustanova koje ne administrirate. Menja je administrator svih ustanova."));
    }
    Ok(())
}
