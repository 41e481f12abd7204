//! The wake-up calls that travel through Redis: which row to look at, never what is in it.
//!
//! PostgreSQL is the truth and every call may be lost or repeated. apalis-redis refuses a task id that it has seen and
//! stops for good when some thousands of tasks wait in one queue, so each push has a fresh id and a long queue takes no
//! more: the engines' own poll of PostgreSQL finds what was not announced.

use std::{fmt, time::Duration};

use apalis::prelude::{TaskSink, TaskSinkError};
use apalis_redis::{Config, RedisStorage};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::tls;

/// Tasks that may wait in one Redis queue.
const LONGEST_QUEUE: usize = 2000;

/// How long the sender of a call waits for Redis before it leaves the run to the sweep.
const PUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// The queues of runs: what a person waits for goes before what a schedule made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
#[schema(as = RunQueue)]
pub enum Queue {
    Interactive,
    Scheduled,
}

impl Queue {
    /// The value of `report_run.queue`.
    pub fn column(self) -> &'static str {
        match self {
            Queue::Interactive => "interactive",
            Queue::Scheduled => "scheduled",
        }
    }

    pub(crate) fn from_column(text: &str) -> Self {
        if text == "interactive" { Queue::Interactive } else { Queue::Scheduled }
    }

    /// The name of the queue in Redis.
    pub fn name(self) -> &'static str {
        match self {
            Queue::Interactive => "reports:interactive",
            Queue::Scheduled => "reports:scheduled",
        }
    }
}

impl From<Queue> for &'static str {
    fn from(queue: Queue) -> Self {
        queue.name()
    }
}

/// The queue of deliveries in Redis.
pub const MAIL_QUEUE: &str = "mail";

/// The queue of recomputations in Redis.
pub const RECOMPUTE_QUEUE: &str = "recompute";

/// The queue of runs of quality rules in Redis.
pub const QUALITY_QUEUE: &str = "quality";

/// What names a job: the key of its row.
pub trait JobId: fmt::Display + Serialize + DeserializeOwned + Copy + Send + Sync + Unpin + 'static {}
impl JobId for Uuid {}
impl JobId for i64 {}

/// "Look at this job." `v` is the version of this shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Wake<Id: JobId> {
    pub v: u8,
    /// A call of version 1 names it so; it is read to be left.
    #[serde(alias = "run", alias = "delivery")]
    pub id: Id,
}

/// The version of the shape above; an engine leaves other versions to the engines that know them.
pub const VERSION: u8 = 2;

#[derive(Debug, thiserror::Error)]
pub enum PushError {
    #[error("redis: {0}")]
    Redis(#[from] redis::RedisError),
    #[error("redis: {0}")]
    Queue(#[from] TaskSinkError<apalis_redis::Error>),
    #[error("redis does not answer")]
    Silent,
    #[error("the queue is full")]
    Full,
}

/// Sends wake-up calls. A failure is to be logged and forgotten: the sweep of waiting runs will call again.
#[derive(Clone)]
pub struct Dispatcher {
    redis: ConnectionManager,
}

impl Dispatcher {
    /// Does not wait for Redis: a process starts, and answers, without it.
    pub fn connect(redis_url: &str) -> anyhow::Result<Self> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(Duration::from_secs(1)))
            .set_response_timeout(Some(Duration::from_secs(1)))
            .set_number_of_retries(1)
            .set_max_delay(Duration::from_millis(500));
        let client = tls::redis_client(redis_url)?;
        Ok(Self { redis: ConnectionManager::new_lazy_with_config(client, config)? })
    }

    /// An idle connection fails its first command after Redis was restarted, so one failure is tried again.
    pub async fn push(&self, id: impl JobId, queue: impl Into<&'static str>) -> Result<(), PushError> {
        let queue = queue.into();
        let attempt = || tokio::time::timeout(PUSH_TIMEOUT, self.send(queue, Wake { v: VERSION, id }));
        match attempt().await {
            Ok(Err(PushError::Redis(_) | PushError::Queue(_))) => attempt().await.map_err(|_| PushError::Silent)?,
            Ok(result) => result,
            Err(_) => Err(PushError::Silent),
        }
    }

    /// Whether Redis answers.
    pub async fn ping(&self) -> bool {
        let ask = async {
            let mut redis = self.redis.clone();
            redis::cmd("PING").query_async::<String>(&mut redis).await
        };
        matches!(tokio::time::timeout(PUSH_TIMEOUT, ask).await, Ok(Ok(_)))
    }

    async fn send<Id: JobId>(&self, queue: &str, call: Wake<Id>) -> Result<(), PushError> {
        let mut redis = self.redis.clone();
        let (due, active): (usize, usize) =
            redis::pipe().zcard(format!("{queue}:scheduled")).llen(format!("{queue}:active")).query_async(&mut redis).await?;
        if due + active >= LONGEST_QUEUE {
            return Err(PushError::Full);
        }
        let mut storage = RedisStorage::<Wake<Id>>::new(redis).with_config(Config::default().queue(queue).emit_events(false));
        storage.push(call).await.map_err(PushError::from)
    }
}
