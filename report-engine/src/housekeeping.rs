//! What an engine does beside executing: finds what Redis did not announce, takes back what the dead left, says that it
//! lives, and listens to what the database tells everyone.

use std::{future::ready, sync::Arc, time::Duration};

use domain::{
    jobs::Queue,
    listen::{self, Heard},
    maintenance::{self, Request, names_pool},
    process, report_sql, runs,
};
use uuid::Uuid;

use crate::{engine::Engine, listener, mail, run::Why};

const BEAT: Duration = Duration::from_secs(5);
const CLEANING: Duration = Duration::from_secs(3600);

/// The channel on which the database says that a run was cancelled.
const CANCELLED: &str = "regix_otkazi";

/// Does all of it until the engine stops.
pub async fn keep(engine: Arc<Engine>) {
    tokio::join!(
        every(&engine, BEAT, beat),
        every(&engine, engine.settings.sweep, sweep),
        every(&engine, CLEANING, clean),
        poll(&engine),
        hear_cancels(&engine),
        hear_maintenance(&engine),
    );
}

async fn every<F: Future<Output = ()>>(engine: &Arc<Engine>, period: Duration, work: impl Fn(Arc<Engine>) -> F) {
    let mut ticks = tokio::time::interval(period);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => work(engine.clone()).await,
            () = engine.stopping.cancelled() => return,
        }
    }
}

async fn beat(engine: Arc<Engine>) {
    engine.beat().await;
}

/// Takes back runs and deliveries whose holders are dead.
async fn sweep(engine: Arc<Engine>) {
    match runs::sweep_lapsed(&engine.app).await {
        Ok(swept) => {
            for run in swept {
                tracing::warn!(run = %run.run, crashes = run.crash_count, status = %run.status, "the lease of a run had lapsed");
            }
        }
        Err(error) => tracing::warn!(%error, "lapsed runs were not swept"),
    }
    match mail::sweep_lapsed(&engine.app, engine.settings.mail.delay_scale).await {
        Ok(0) => {}
        Ok(swept) => tracing::warn!(swept, "the senders of deliveries had died"),
        Err(error) => tracing::warn!(%error, "lapsed deliveries were not swept"),
    }
    if let Err(error) = report_sql::sweep_scopes(&engine.app).await {
        tracing::warn!(%error, "old report scopes were not swept");
    }
}

async fn clean(engine: Arc<Engine>) {
    match engine.store.sweep_orphans(&engine.app).await {
        Ok(0) => {}
        Ok(removed) => tracing::info!(removed, "files that no run names were removed"),
        Err(error) => tracing::warn!(%error, "files that no run names were not removed"),
    }
    let trimmed = match listener::connection(&engine.settings.common.redis_url) {
        Ok(mut redis) => listener::trim(&mut redis).await,
        Err(error) => Err(error),
    };
    if let Err(error) = trimmed {
        tracing::warn!(%error, "finished tasks were not cleared from Redis");
    }
}

/// Takes due work straight from PostgreSQL: the way when Redis is down or has forgotten.
async fn poll(engine: &Arc<Engine>) {
    while !engine.stopping.is_cancelled() {
        let freed = engine.slots.freed();
        tokio::pin!(freed);
        // Listening starts before looking, so that a slot freed meanwhile is not missed.
        freed.as_mut().enable();
        let full = match take_due(engine).await {
            Ok(full) => full,
            Err(error) => {
                tracing::warn!(%error, "due work could not be looked for");
                false
            }
        };
        tokio::select! {
            () = tokio::time::sleep(engine.settings.poll) => {}
            () = &mut freed, if full => {}
            () = engine.stopping.cancelled() => {}
        }
    }
}

/// Starts what is due while there are slots; gives whether the slots ran out, so that there may be more.
async fn take_due(engine: &Arc<Engine>) -> sqlx::Result<bool> {
    let mut full = false;
    for queue in [Queue::Interactive, Queue::Scheduled] {
        full |= take_runs(engine, queue).await?;
    }
    Ok(take_deliveries(engine).await? || full)
}

async fn take_runs(engine: &Arc<Engine>, queue: Queue) -> sqlx::Result<bool> {
    while let Some(slot) = engine.slots.try_of(queue) {
        let lease = runs::claim_next(&engine.app, queue, &engine.process.id, engine.settings.lease.as_secs_f64()).await?;
        let Some(lease) = lease else {
            slot.unused();
            return Ok(false);
        };
        engine.spawn_run(lease, slot);
    }
    Ok(true)
}

async fn take_deliveries(engine: &Arc<Engine>) -> sqlx::Result<bool> {
    while let Some(slot) = engine.slots.try_mail() {
        let Some(claimed) = mail::claim_next(&engine.app, mail::lease_seconds(engine)).await? else {
            slot.unused();
            return Ok(false);
        };
        engine.spawn_delivery(claimed, slot);
    }
    Ok(true)
}

/// Hears of cancelled runs. One that was cancelled while the connection was lost is stopped by the next beat of its lease.
async fn hear_cancels(engine: &Arc<Engine>) {
    let stop = |heard| {
        let run = if let Heard::Payload(payload) = heard { payload.parse::<Uuid>().ok() } else { None };
        if let Some(run) = run {
            engine.running.stop(run, Why::Cancelled);
        }
        ready(())
    };
    until_stopping(engine, listen::forever(&engine.settings.common.database_url, "report-engine-otkazi", CANCELLED, stop)).await;
}

async fn hear_maintenance(engine: &Arc<Engine>) {
    let obey = |request| maintain(engine.clone(), request);
    until_stopping(engine, maintenance::attend(&engine.settings.common.database_url, "report-engine-odrzavanje", obey)).await;
}

async fn maintain(engine: Arc<Engine>, request: Request) {
    match request {
        Request::Jasper(name) => {
            engine.templates.evict(&name);
            tracing::info!("compiled templates were dropped");
        }
        // Connections of the report role live for one run and are never idle.
        Request::Konekcija(target) if names_pool(&target, &engine.process.id, "regix_app") => {
            let closed = process::close_idle(&engine.app).await;
            tracing::info!(closed, "idle connections were closed");
        }
        Request::Konekcija(_) | Request::Parametri(_) => {}
    }
}

async fn until_stopping(engine: &Engine, endless: impl Future<Output = ()>) {
    tokio::select! {
        () = endless => {}
        () = engine.stopping.cancelled() => {}
    }
}
