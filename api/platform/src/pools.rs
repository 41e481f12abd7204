//! Pools of the application's role, each with its bounds: what one use of the database takes is not taken from another.

use std::time::Duration;

use domain::db;
use sqlx::{AssertSqlSafe, Executor, PgPool, Row, postgres::PgPoolOptions};

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
    let options = db::options(url)?.application_name(name);
    let bound = format!("set statement_timeout = {}", bounds.statement.as_millis());
    // Whoever goes away while a transaction begins leaves it open, unknown to the pool: who came next would read of then, and could not write.
    // By the simple protocol, in which an idle connection's statement begins its transaction.
    // A server that has become a standby is not used again: the primary is elsewhere.
    let pool = PgPoolOptions::new()
        .max_connections(bounds.most)
        .acquire_timeout(bounds.wait)
        .after_connect(move |connection, _| {
            let bound = AssertSqlSafe(bound.clone());
            Box::pin(async move { connection.execute(sqlx::raw_sql(bound)).await.map(drop) })
        })
        .after_release(|connection, _| {
            Box::pin(async move {
                let sound = sqlx::raw_sql("select now() = statement_timestamp() and not pg_is_in_recovery()");
                connection.fetch_one(sound).await?.try_get(0)
            })
        });
    Ok(pool.connect_lazy_with(options))
}
