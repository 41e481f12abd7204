//! Database pools, and transactions that name the worker on whose behalf they write.

use std::time::Duration;

use sqlx::{PgPool, Postgres, Transaction, postgres::PgConnectOptions, postgres::PgPoolOptions};

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

/// Begins a transaction whose writes belong to `worker`; the audit triggers refuse writes outside one.
pub async fn begin(pool: &PgPool, worker: i64) -> sqlx::Result<Transaction<'static, Postgres>> {
    let mut tx = pool.begin().await?;
    sqlx::query("select set_config('app.worker', $1, true)").bind(worker.to_string()).execute(&mut *tx).await?;
    Ok(tx)
}
