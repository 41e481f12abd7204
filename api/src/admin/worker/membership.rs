//! The institutions that a worker belongs to.

use sqlx::PgConnection;

use crate::error::{Error, Result};

/// The institution that a worker works in is one of those that the worker belongs to.
pub async fn join(tx: &mut PgConnection, radnik_id: i64, ustanova_id: Option<i64>) -> Result<()> {
    let Some(ustanova_id) = ustanova_id else { return Ok(()) };
    let active = sqlx::query_scalar!("select id from institution where id = $1 and aktivan", ustanova_id).fetch_optional(&mut *tx).await?;
    if active.is_none() {
        return Err(Error::invalid("ustanovaID", "Izabrana ustanova ne postoji."));
    }
    sqlx::query!("insert into worker_institution (radnik_id, ustanova_id) values ($1, $2) on conflict do nothing", radnik_id, ustanova_id)
        .execute(tx)
        .await?;
    Ok(())
}

/// Workers may switch among their own institutions only.
pub async fn refuse_strange(tx: &mut PgConnection, radnik_id: i64, ustanova_id: Option<i64>) -> Result<()> {
    let current = sqlx::query_scalar!("select ustanova_id from worker where id = $1", radnik_id).fetch_one(&mut *tx).await?;
    if ustanova_id == current {
        return Ok(());
    }
    let member = sqlx::query_scalar!(
        r#"
        select exists (select from worker_institution l join institution u on u.id = l.ustanova_id and u.aktivan
                        where l.radnik_id = $1 and l.ustanova_id = $2) as "member!"
        "#,
        radnik_id,
        ustanova_id
    )
    .fetch_one(tx)
    .await?;
    if member { Ok(()) } else { Err(Error::invalid("ustanovaID", "Ne pripadate izabranoj ustanovi.")) }
}
