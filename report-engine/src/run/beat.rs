//! The beats that keep this engine's leases, on a thread of their own: rendering may take every other one.

use std::{
    collections::HashMap,
    thread,
    time::{Duration, Instant},
};

use domain::runs::{self, Beat, Lease};
use sqlx::PgPool;
use uuid::Uuid;

use super::{Running, Why};
use crate::settings::Settings;

/// Starts the beating thread; it lives as long as the process. Gives an error when the thread or its connection pool
/// cannot be made.
pub fn start(settings: &Settings, running: Running) -> anyhow::Result<()> {
    let (url, lease, every) = (settings.common.database_url.clone(), settings.lease, settings.beat);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    thread::Builder::new().name("lease-beat".to_owned()).spawn(move || {
        runtime.block_on(async move {
            let pool = loop {
                match domain::db::pool(&url, "report-engine-beat", 1).await {
                    Ok(pool) => break pool,
                    Err(error) => tracing::warn!(%error, "the beating thread does not reach the database"),
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            };
            keep(&pool, &running, lease, every).await;
        });
    })?;
    Ok(())
}

async fn keep(pool: &PgPool, running: &Running, lease_time: Duration, every: Duration) {
    let mut last_good: HashMap<(Uuid, i64), Instant> = HashMap::new();
    let mut beats = tokio::time::interval(every);
    loop {
        beats.tick().await;
        let held = running.leases();
        last_good.retain(|key, _| held.iter().any(|(lease, _)| (lease.run, lease.fence) == *key));
        for (lease, stopper) in held {
            let since = last_good.entry((lease.run, lease.fence)).or_insert_with(Instant::now);
            match beat(pool, lease, lease_time, every).await {
                Some(Beat::Held) => *since = Instant::now(),
                Some(Beat::Cancel) => {
                    *since = Instant::now();
                    stopper.stop(Why::Cancelled);
                }
                Some(Beat::Lost) => stopper.stop(Why::Lost),
                // Nobody answers: once the lease must have lapsed, another engine may have begun.
                None if since.elapsed() > lease_time => stopper.stop(Why::Lost),
                None => {}
            }
        }
    }
}

/// `None`: the database did not answer within a beat.
async fn beat(pool: &PgPool, lease: Lease, lease_time: Duration, patience: Duration) -> Option<Beat> {
    match tokio::time::timeout(patience, runs::heartbeat(pool, lease, lease_time.as_secs_f64())).await {
        Ok(Ok(beat)) => Some(beat),
        Ok(Err(error)) => {
            tracing::warn!(run = %lease.run, %error, "a lease was not renewed");
            None
        }
        Err(_) => {
            tracing::warn!(run = %lease.run, "a lease was not renewed in time");
            None
        }
    }
}
