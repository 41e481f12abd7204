//! The heartbeats that keep this engine's leases, on a thread of their own: rendering may take every other one.

use std::{
    collections::{HashMap, HashSet},
    thread,
    time::{Duration, Instant},
};

use domain::jobs::Heartbeat;
use sqlx::PgPool;

use super::held::{HeldJobs, LeasedJob, StopReason};
use crate::settings::Settings;

/// Starts the thread of heartbeats; it lives as long as the process. Gives an error when the thread or its connection pool
/// cannot be made.
pub fn start(settings: &Settings, held: HeldJobs) -> anyhow::Result<()> {
    let (url, lease, every) = (settings.common.database_url.clone(), settings.lease, settings.heartbeat_interval);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    thread::Builder::new().name("heartbeat".to_owned()).spawn(move || {
        runtime.block_on(async move {
            let pool = loop {
                match domain::db::pool(&url, "report-engine-heartbeat", 1).await {
                    Ok(pool) => break pool,
                    Err(error) => tracing::warn!(%error, "the thread of heartbeats does not reach the database"),
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            };
            keep(&pool, &held, lease, every).await;
        });
    })?;
    Ok(())
}

async fn keep(pool: &PgPool, held: &HeldJobs, lease_time: Duration, every: Duration) {
    let mut last_good: HashMap<(String, i64), Instant> = HashMap::new();
    let mut beats = tokio::time::interval(every);
    loop {
        beats.tick().await;
        let leases = held.leases();
        let keys: HashSet<(String, i64)> = leases.iter().map(|(lease, _)| (lease.name(), lease.fence())).collect();
        last_good.retain(|key, _| keys.contains(key));
        for (lease, stopper) in leases {
            let since = last_good.entry((lease.name(), lease.fence())).or_insert_with(Instant::now);
            match renew(pool, lease.as_ref(), lease_time, every).await {
                Some(Heartbeat::Held) => *since = Instant::now(),
                Some(Heartbeat::Cancel) => {
                    *since = Instant::now();
                    stopper.stop(StopReason::Cancelled);
                }
                Some(Heartbeat::Lost) => stopper.stop(StopReason::Lost),
                // Nobody answers: once the lease must have lapsed, another engine may have begun.
                None if since.elapsed() > lease_time => stopper.stop(StopReason::Lost),
                None => {}
            }
        }
    }
}

/// `None`: the database did not answer within the interval.
async fn renew(pool: &PgPool, lease: &dyn LeasedJob, lease_time: Duration, patience: Duration) -> Option<Heartbeat> {
    match tokio::time::timeout(patience, lease.renew(pool, lease_time.as_secs_f64())).await {
        Ok(Ok(heartbeat)) => Some(heartbeat),
        Ok(Err(error)) => {
            tracing::warn!(job = lease.name(), %error, "a heartbeat failed: the lease was not renewed");
            None
        }
        Err(_) => {
            tracing::warn!(job = lease.name(), "a heartbeat had no reply in time: the lease was not renewed");
            None
        }
    }
}
