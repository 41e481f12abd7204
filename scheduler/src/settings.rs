//! What the scheduler reads from its environment.

use std::time::Duration;

use domain::{artifacts::ArtifactStore, db, environment::within, standing, tls};

#[derive(Clone)]
pub struct Settings {
    /// Signs in as `regix_app`.
    pub database_url: String,
    pub redis_url: String,
    /// The store that api and engines share; expired files are removed from it.
    pub artifacts: ArtifactStore,
    /// Between looks for due schedules and waiting runs.
    pub tick: Duration,
    /// Between sweeps of lapsed leases.
    pub sweep: Duration,
    /// Between looks at what the scheduler stands on.
    pub standing: Duration,
    /// Between clearings of what has expired.
    pub clearing: Duration,
}

impl Settings {
    pub fn from_env() -> anyhow::Result<Self> {
        Ok(Self {
            database_url: db::required("DATABASE_URL")?,
            redis_url: tls::required("REDIS_URL")?,
            artifacts: ArtifactStore::from_env()?,
            tick: seconds("SCHEDULER_TICK_SECONDS", 2, 30)?,
            sweep: seconds("SCHEDULER_SWEEP_SECONDS", 15, 3600)?,
            standing: standing::period()?,
            clearing: seconds("SCHEDULER_CLEARING_SECONDS", 3600, 86_400)?,
        })
    }
}

/// Health takes a scheduler that has not looked for a minute for one that has stopped: its tick stays below.
fn seconds(name: &str, default: u64, most: u64) -> anyhow::Result<Duration> {
    Ok(Duration::from_secs(within(name, default, 1, most)?))
}
