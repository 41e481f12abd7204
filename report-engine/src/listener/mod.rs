//! What listens to Redis: a worker of apalis for each queue (elsewhere in Regix a worker is a person), started anew under a new name
//! whenever one ends.
//!
//! Redis is a wake-up call. What a worker does with one is take the row in PostgreSQL, if it is still to be taken, and
//! leave the work to a task that does not depend on Redis. A worker therefore always reports success: retries, times and
//! ends are in PostgreSQL.

mod interval;
mod trim;

use std::{sync::Arc, time::Duration};

use apalis::prelude::*;
use apalis_redis::{Config, RedisStorage};
use domain::{
    jobs::{DeliveryRef, MAIL_QUEUE, Queue, RunRef, VERSION},
    runs,
};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub use trim::trim;

use crate::{engine::Engine, mail};
use interval::SureInterval;

/// Between looks at a queue in Redis.
const POLL: Duration = Duration::from_millis(200);

/// A worker is taken for dead after six of these.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// A stall of Redis shorter than this does not end a worker.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest pause before a worker is started again.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// A connection of a worker's own, which waits out short stalls.
pub fn connection(redis_url: &str) -> redis::RedisResult<ConnectionManager> {
    let config = ConnectionManagerConfig::new()
        .set_connection_timeout(Some(Duration::from_secs(2)))
        .set_response_timeout(Some(RESPONSE_TIMEOUT))
        .set_number_of_retries(2)
        .set_max_delay(Duration::from_secs(1));
    ConnectionManager::new_lazy_with_config(redis::Client::open(redis_url)?, config)
}

/// Listens to both queues of runs and to the queue of deliveries until the engine stops. Each worker has a task of its own: apalis
/// asks Redis whenever its task wakes, so workers that shared one would wake each other without end.
pub async fn listen(engine: Arc<Engine>) {
    let workers = [
        tokio::spawn({
            let engine = engine.clone();
            async move { keep_alive(&engine, Queue::Interactive.name(), interactive).await }
        }),
        tokio::spawn({
            let engine = engine.clone();
            async move { keep_alive(&engine, Queue::Scheduled.name(), scheduled).await }
        }),
        tokio::spawn(async move { keep_alive(&engine, MAIL_QUEUE, deliveries).await }),
    ];
    for worker in workers {
        finished(worker).await;
    }
}

/// Starts the worker again, each time under a new name and after a longer pause: apalis-redis refuses a known name, and a
/// worker ends whenever Redis fails it.
async fn keep_alive<F>(engine: &Arc<Engine>, queue: &str, start: impl Fn(Arc<Engine>, String) -> F)
where
    F: Future<Output = Result<(), String>>,
{
    let mut pause = Duration::from_millis(250);
    while !engine.stopping.is_cancelled() {
        let name = format!("{}-{}", engine.process.id, Uuid::now_v7().simple());
        let started = std::time::Instant::now();
        let end = start(engine.clone(), name).await;
        if engine.stopping.is_cancelled() {
            return;
        }
        if started.elapsed() > LONGEST_PAUSE {
            pause = Duration::from_millis(250);
        }
        let reason = end.err().unwrap_or_else(|| "it ended".to_owned());
        tracing::warn!(queue, reason, pause_ms = pause.as_millis(), "a worker of Redis is started again");
        tokio::select! {
            () = tokio::time::sleep(pause.mul_f64(rand::random_range(0.8..1.2))) => {}
            () = engine.stopping.cancelled() => {}
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

fn storage<T>(engine: &Engine, queue: &str) -> Result<RedisStorage<T>, String> {
    let config = Config::default().queue(queue).batch_size(1).heartbeat_interval(HEARTBEAT).missed_heartbeats(6).emit_events(false);
    let connection = connection(&engine.settings.common.redis_url).map_err(|error| error.to_string())?;
    Ok(RedisStorage::new(connection).with_config(config))
}

async fn stopped(stopping: CancellationToken) -> Result<(), std::io::Error> {
    stopping.cancelled().await;
    Ok(())
}

async fn interactive(engine: Arc<Engine>, name: String) -> Result<(), String> {
    let backend = storage::<RunRef>(&engine, Queue::Interactive.name())?.poll_with_strategy(SureInterval::new(POLL));
    let (stopping, concurrency) = (engine.stopping.clone(), engine.settings.concurrency);
    let worker = WorkerBuilder::new(name).backend(backend).concurrency(concurrency).data(engine).build(look_at_interactive);
    worker.run_until(stopped(stopping)).await.map_err(|error| error.to_string())
}

async fn scheduled(engine: Arc<Engine>, name: String) -> Result<(), String> {
    let backend = storage::<RunRef>(&engine, Queue::Scheduled.name())?.poll_with_strategy(SureInterval::new(POLL));
    let (stopping, concurrency) = (engine.stopping.clone(), engine.settings.concurrency);
    let worker = WorkerBuilder::new(name).backend(backend).concurrency(concurrency).data(engine).build(look_at_scheduled);
    worker.run_until(stopped(stopping)).await.map_err(|error| error.to_string())
}

async fn deliveries(engine: Arc<Engine>, name: String) -> Result<(), String> {
    let backend = storage::<DeliveryRef>(&engine, MAIL_QUEUE)?.poll_with_strategy(SureInterval::new(POLL));
    let (stopping, concurrency) = (engine.stopping.clone(), engine.settings.mail.concurrency);
    let worker = WorkerBuilder::new(name).backend(backend).concurrency(concurrency).data(engine).build(look_at_delivery);
    worker.run_until(stopped(stopping)).await.map_err(|error| error.to_string())
}

async fn look_at_interactive(call: RunRef, engine: Data<Arc<Engine>>) -> Result<(), BoxDynError> {
    look(&engine, call, Queue::Interactive).await;
    Ok(())
}

async fn look_at_scheduled(call: RunRef, engine: Data<Arc<Engine>>) -> Result<(), BoxDynError> {
    look(&engine, call, Queue::Scheduled).await;
    Ok(())
}

async fn look(engine: &Arc<Engine>, call: RunRef, queue: Queue) {
    if call.v != VERSION {
        return;
    }
    let slot = tokio::select! {
        slot = engine.slots.of(queue) => slot,
        () = engine.stopping.cancelled() => return,
    };
    match runs::claim(&engine.app, call.run, &engine.process.id, engine.settings.lease.as_secs_f64()).await {
        Ok(Some(lease)) => finished(engine.spawn_run(lease, slot)).await,
        // Held, ended, cancelled, or not yet due.
        Ok(None) => {}
        Err(error) => tracing::warn!(run = %call.run, %error, "a run could not be claimed"),
    }
}

async fn look_at_delivery(call: DeliveryRef, engine: Data<Arc<Engine>>) -> Result<(), BoxDynError> {
    if call.v != VERSION {
        return Ok(());
    }
    let slot = tokio::select! {
        slot = engine.slots.mail() => slot,
        () = engine.stopping.cancelled() => return Ok(()),
    };
    match mail::claim(&engine.app, call.delivery, mail::lease_seconds(&engine)).await {
        Ok(Some(claimed)) => finished(engine.spawn_delivery(claimed, slot)).await,
        Ok(None) => {}
        Err(error) => tracing::warn!(delivery = call.delivery, %error, "a delivery could not be claimed"),
    }
    Ok(())
}

async fn finished(body: tokio::task::JoinHandle<()>) {
    if let Err(error) = body.await {
        tracing::error!(%error, "a task of the engine broke down");
    }
}
