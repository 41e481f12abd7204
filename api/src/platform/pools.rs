//! Pools of the application's role, each with its bounds: what one use of the database takes is not taken from another.

use std::time::Duration;

use sqlx::{
    PgPool,
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
    Ok(PgPoolOptions::new().max_connections(bounds.most).acquire_timeout(bounds.wait).connect_lazy_with(options))
}
