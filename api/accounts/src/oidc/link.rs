//! Whose an account of the provider is. At its first sign-in it is the worker's of its name, and from then on the worker's that it is
//! linked to: a name that somebody else gets there opens nobody else's record.

use domain::db::SYSTEM_WORKER;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    identity_provider::Identity,
};
use sqlx::{PgConnection, PgPool};

use super::code::Code;

/// Whom an identity belongs to.
#[derive(Debug, PartialEq, Eq)]
pub enum Owner {
    /// A worker who may sign in.
    Worker(i64),
    /// Nobody, or a worker who may not: to the browser both look alike, the log keeps who it was.
    Nobody(Option<i64>),
}

pub async fn owner(db: &PgPool, identity: &Identity) -> sqlx::Result<Owner> {
    let linked = sqlx::query_scalar!(
        "select radnik_id from external_account where izdavalac = $1 and subjekat = $2",
        identity.izdavalac,
        identity.subjekat
    );
    let worker = match (linked.fetch_optional(db).await?, &identity.username) {
        (Some(linked), _) => linked,
        (None, None) => return Ok(Owner::Nobody(None)),
        (None, Some(username)) => {
            let named = sqlx::query!(
                r#"
                select w.id, exists (select from external_account a where a.radnik_id = w.id and a.izdavalac = $2) as "taken!"
                  from worker w where lower(w.username) = lower($1) and w.id <> $3
                "#,
                username,
                identity.izdavalac,
                SYSTEM_WORKER
            );
            match named.fetch_optional(db).await? {
                Some(named) if named.taken => return Ok(Owner::Nobody(Some(named.id))),
                Some(named) => named.id,
                None => return Ok(Owner::Nobody(None)),
            }
        }
    };
    let admitted = sqlx::query_scalar!(
        r#"select exists (select from worker w where w.id = $1 and w.aktivan and exists (select from active_roles(w.id))) as "admitted!""#,
        worker
    );
    Ok(if admitted.fetch_one(db).await? { Owner::Worker(worker) } else { Owner::Nobody(Some(worker)) })
}

/// Links the account to its worker when it has let her in, and refuses it where either belongs to another meanwhile.
pub async fn bind(tx: &mut PgConnection, code: &Code, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "insert into external_account (radnik_id, izdavalac, subjekat, povezan_at)
         select w.id, $2, $3, $4 from worker w where w.id = $1 and w.aktivan and exists (select from active_roles(w.id))
         on conflict do nothing",
        code.radnik_id,
        code.izdavalac,
        code.subjekat,
        now.to_sqlx() as _
    )
    .execute(&mut *tx)
    .await?;
    let bound = sqlx::query_scalar!(
        r#"
        select exists (select from external_account a join worker w on w.id = a.radnik_id and w.aktivan
                        where a.radnik_id = $1 and a.izdavalac = $2 and a.subjekat = $3 and exists (select from active_roles(w.id))) as "bound!"
        "#,
        code.radnik_id,
        code.izdavalac,
        code.subjekat
    );
    if bound.fetch_one(tx).await? { Ok(()) } else { Err(refused()) }
}

/// One answer to all whom the provider lets in and Regix does not.
fn refused() -> Error {
    Error::refused("Vaš nalog nije povezan sa radnikom koji može da se prijavi. Obratite se administratoru.")
}
