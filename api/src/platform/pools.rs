//! Pools of the application's role, each with its bounds: what one use of the database takes is not taken from another.

use std::time::Duration;

use sqlx::{
    Executor, PgPool, Row,
    postgres::{PgConnectOptions, PgPoolOptions},
};

/// How much a pool may take, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub most: u32,
    /// How long one waits for a connection.
    pub wait: Duration,
    /// The server ends a statement then, also one whose caller has gone.
    pub statement: Duration,
}

/// A pool that connects when it is first used; `name` is shown in `pg_stat_activity`.
pub fn open(url: &str, name: &str, bounds: Bounds) -> sqlx::Result<PgPool> {
    let options: PgConnectOptions = url.parse()?;
    let options = options.application_name(name).options([("statement_timeout", bounds.statement.as_millis().to_string())]);
    // Whoever goes away while a transaction begins leaves it open, unknown to the pool: who came next would read of then, and could not write.
    // By the simple protocol, in which an idle connection's statement begins its transaction.
    let pool = PgPoolOptions::new().max_connections(bounds.most).acquire_timeout(bounds.wait).after_release(|connection, _| {
        Box::pin(async move {
            let row = connection.fetch_one(sqlx::raw_sql("select now() = statement_timestamp()")).await?;
            row.try_get(0)
        })
    });
    Ok(pool.connect_lazy_with(options))
}
