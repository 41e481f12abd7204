//! What listens to Redis: a worker of apalis for each queue (elsewhere in Regix a worker is a person), started anew under a new name
//! whenever one ends.
//!
//! Redis is a wake-up call. What a worker does with one is take the row in PostgreSQL, if it is still to be taken, and
//! leave the work to a task that does not depend on Redis. A worker therefore always reports success: retries, times and
//! ends are in PostgreSQL.

use std::{sync::Arc, time::Duration};

use apalis::prelude::*;
use apalis_redis::{Config, RedisStorage};
use domain::{
    jobs::{VERSION, Wake},
    tls,
};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::{
    interval::SureInterval,
    kind::{Boxed, JobHost, Kind, ServedQueue, Work},
    poll::take,
};

/// Between looks at a queue in Redis.
const POLL: Duration = Duration::from_millis(200);

/// A worker is taken for dead after six of these.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// A stall of Redis shorter than this does not end a worker.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest pause before a worker is started again.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// A connection of a worker's own, which waits out short stalls.
pub fn connection(redis_url: &str) -> anyhow::Result<ConnectionManager> {
    let config = ConnectionManagerConfig::new()
        .set_connection_timeout(Some(Duration::from_secs(2)))
        .set_response_timeout(Some(RESPONSE_TIMEOUT))
        .set_number_of_retries(2)
        .set_max_delay(Duration::from_secs(1));
    Ok(ConnectionManager::new_lazy_with_config(tls::redis_client(redis_url)?, config)?)
}

/// Listens to the queues of all kinds until the engine stops. Each worker has a task of its own: apalis asks Redis whenever its task
/// wakes, so workers that shared one would wake each other without end.
pub async fn listen(host: Arc<JobHost>, kinds: Vec<Arc<dyn Work>>) {
    let mut workers = Vec::new();
    for kind in kinds {
        for queue in kind.queues().to_vec() {
            let (host, kind) = (host.clone(), kind.clone());
            workers.push(tokio::spawn(async move { keep_alive(&host, &kind, &queue).await }));
        }
    }
    for worker in workers {
        finished(worker).await;
    }
}

/// Starts the worker again, each time under a new name and after a longer pause: apalis-redis refuses a known name, and a
/// worker ends whenever Redis fails it.
async fn keep_alive(host: &Arc<JobHost>, kind: &Arc<dyn Work>, queue: &ServedQueue) {
    let mut pause = Duration::from_millis(250);
    while !host.stopping.is_cancelled() {
        tokio::select! {
            () = host.until_rest(false, kind.writes()) => {}
            () = host.stopping.cancelled() => return,
        }
        let name = format!("{}-{}", host.owner, Uuid::now_v7().simple());
        let started = std::time::Instant::now();
        let end = kind.clone().listen(host, queue, name).await;
        if host.stopping.is_cancelled() {
            return;
        }
        if host.rests(kind.writes()) {
            continue;
        }
        if started.elapsed() > LONGEST_PAUSE {
            pause = Duration::from_millis(250);
        }
        let reason = end.err().unwrap_or_else(|| "it ended".to_owned());
        tracing::warn!(queue = queue.name, reason, pause_ms = pause.as_millis(), "a worker of Redis is started again");
        tokio::select! {
            () = tokio::time::sleep(pause.mul_f64(rand::random_range(0.8..1.2))) => {}
            () = host.stopping.cancelled() => {}
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

impl<K: Kind> Work for K {
    fn queues(&self) -> &[ServedQueue] {
        Kind::queues(self)
    }

    fn writes(&self) -> bool {
        K::WRITES
    }

    fn listen<'a>(self: Arc<Self>, host: &'a Arc<JobHost>, queue: &'a ServedQueue, name: String) -> Boxed<'a, Result<(), String>> {
        Box::pin(async move {
            let config =
                Config::default().queue(queue.name).batch_size(1).heartbeat_interval(HEARTBEAT).missed_heartbeats(6).emit_events(false);
            let connection = connection(&host.redis_url).map_err(|error| error.to_string())?;
            let backend = RedisStorage::<Wake<K::Id>>::new(connection).with_config(config).poll_with_strategy(SureInterval::new(POLL));
            let looking = Looking { host: host.clone(), kind: self, queue: queue.clone() };
            let worker = WorkerBuilder::new(name).backend(backend).concurrency(queue.slots.most()).data(looking).build(look::<K>);
            let host = host.clone();
            // An engine that rests leaves the calls to the others.
            let stopped = async move {
                tokio::select! {
                    () = host.stopping.cancelled() => {}
                    () = host.until_rest(true, K::WRITES) => {}
                }
                Ok::<(), std::io::Error>(())
            };
            worker.run_until(stopped).await.map_err(|error| error.to_string())
        })
    }

    fn take_due<'a>(self: Arc<Self>, host: &'a JobHost, queue: &'a ServedQueue) -> Boxed<'a, sqlx::Result<bool>> {
        Box::pin(async move { take(&self, host, queue).await })
    }

    fn sweep(&self) -> Boxed<'_, ()> {
        Box::pin(Kind::sweep(self))
    }
}

/// What a worker of Redis works with.
struct Looking<K> {
    host: Arc<JobHost>,
    kind: Arc<K>,
    queue: ServedQueue,
}

impl<K> Clone for Looking<K> {
    fn clone(&self) -> Self {
        Self { host: self.host.clone(), kind: self.kind.clone(), queue: self.queue.clone() }
    }
}

async fn look<K: Kind>(call: Wake<K::Id>, at: Data<Looking<K>>) -> Result<(), BoxDynError> {
    if call.v != VERSION {
        return Ok(());
    }
    // A worker that is told to end still hands over the call that it has just fetched: a free slot comes last here.
    let slot = tokio::select! {
        biased;
        () = at.host.stopping.cancelled() => return Ok(()),
        () = at.host.until_rest(true, K::WRITES) => return Ok(()),
        slot = at.queue.slots.one(&at.host.freed) => slot,
    };
    // In a task of its own: a worker that Redis fails is dropped, and a claim dropped with it would hold a row that nobody works at.
    let at = Looking::clone(&at);
    finished(tokio::spawn(async move {
        match at.host.take(K::WRITES, at.kind.claim(&at.queue, call.id)).await.unwrap_or(Ok(None)) {
            Ok(Some(claimed)) => finished(at.host.start(&at.kind, claimed, slot)).await,
            // Held, ended, cancelled, not yet due; or the engine rests.
            Ok(None) => {}
            Err(error) => tracing::warn!(id = %call.id, %error, "a {} could not be claimed", K::NOUN),
        }
    }))
    .await;
    Ok(())
}

async fn finished(body: JoinHandle<()>) {
    if let Err(error) = body.await {
        tracing::error!(%error, "a task of the engine panicked");
    }
}
