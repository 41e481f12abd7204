//! What a running process says of itself every few seconds: that it lives, and how busy its pools are.

use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};

/// A process of the product, by an id that is new with each start.
#[derive(Clone, Debug)]
pub struct Process {
    pub id: String,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Api,
    ReportEngine,
    Scheduler,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Api => "api",
            Kind::ReportEngine => "report-engine",
            Kind::Scheduler => "scheduler",
        }
    }
}

/// One pool as the maintenance screen shows it: its data source, connections in use, and the most it may open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolUse {
    pub naziv: String,
    pub zauzeto: u32,
    pub najvise: u32,
}

impl PoolUse {
    pub fn of(naziv: &str, pool: &PgPool) -> Self {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        Self { naziv: naziv.to_owned(), zauzeto: pool.size().saturating_sub(idle), najvise: pool.options().get_max_connections() }
    }
}

/// What a beat reports.
#[derive(Clone, Debug, Default)]
pub struct Pulse {
    /// Whether Redis answered; `None` where the process does not ask.
    pub redis_ok: Option<bool>,
    pub pools: Vec<PoolUse>,
    /// Whether work was done since the last beat.
    pub worked: bool,
}

impl Process {
    pub fn new(kind: Kind, unique: uuid::Uuid) -> Self {
        Self { id: format!("{}-{}", kind.name(), unique.simple()), kind }
    }

    /// Writes the beat; also forgets processes that have been silent for a day.
    pub async fn beat(&self, pool: &PgPool, pulse: &Pulse) -> sqlx::Result<()> {
        let pools = serde_json::to_value(&pulse.pools).expect("pool figures are plain JSON");
        sqlx::query!(
            "insert into process (id, kind, version, redis_ok, pools, last_work_at)
             values ($1, $2, $3, $4, $5, case when $6 then clock_timestamp() end)
             on conflict (id) do update
                set seen_at = clock_timestamp(), redis_ok = excluded.redis_ok, pools = excluded.pools,
                    last_work_at = coalesce(excluded.last_work_at, process.last_work_at)",
            self.id,
            self.kind.name(),
            env!("CARGO_PKG_VERSION"),
            pulse.redis_ok,
            pools,
            pulse.worked,
        )
        .execute(pool)
        .await?;
        sqlx::query!("delete from process where seen_at < now() - interval '1 day'").execute(pool).await?;
        Ok(())
    }

    /// Says that the process is gone, in good order.
    pub async fn leave(&self, pool: &PgPool) -> sqlx::Result<()> {
        sqlx::query!("delete from process where id = $1", self.id).execute(pool).await?;
        Ok(())
    }
}

/// Whether a process of this kind has said within half a minute that it lives.
pub async fn lives(conn: &mut PgConnection, kind: Kind) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from process where kind = $1 and seen_at > clock_timestamp() - interval '30 seconds') as "lives!""#,
        kind.name(),
    )
    .fetch_one(conn)
    .await
}

/// Closes the idle connections of a pool; busy ones finish what they do. Gives how many were closed.
pub async fn close_idle(pool: &PgPool) -> usize {
    let mut closed = 0;
    for _ in 0..pool.num_idle() {
        let Some(connection) = pool.try_acquire() else { break };
        if connection.close().await.is_ok() {
            closed += 1;
        }
    }
    closed
}
