//! While a form changes no entry of it is saved, and while an entry is saved its form does not change.

use sqlx::PgConnection;

/// Separates these locks from others.
const FORM_LOCK: i32 = 723_184;

/// Taken by who changes the form: until the change has ended no entry of it is saved.
pub async fn take(tx: &mut PgConnection, form: i64) -> sqlx::Result<()> {
    sqlx::query!("select pg_advisory_xact_lock($1, ($2::bigint % 2147483647)::int) as locked", FORM_LOCK, form).fetch_one(tx).await?;
    Ok(())
}

/// Taken by who saves an entry, beside others who do: the form does not change until the save has ended.
pub async fn share(tx: &mut PgConnection, form: i64) -> sqlx::Result<()> {
    sqlx::query!("select pg_advisory_xact_lock_shared($1, ($2::bigint % 2147483647)::int) as locked", FORM_LOCK, form)
        .fetch_one(tx)
        .await?;
    Ok(())
}
