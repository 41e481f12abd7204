//! What a running process says of itself every few seconds: that it lives, where, how busy it is, and why it rests.

use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};
use utoipa::ToSchema;

use crate::artifacts::StoreState;

/// A process of the product, by an id that is new with each start.
#[derive(Clone, Debug)]
pub struct Process {
    pub id: String,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "kebab-case")]
#[sqlx(type_name = "text", rename_all = "kebab-case")]
#[schema(as = ProcessKind)]
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

/// What a heartbeat reports.
#[derive(Clone, Debug, Default)]
pub struct HeartbeatReport {
    /// Whether Redis answered; `None` where the process does not ask.
    pub redis_ok: Option<bool>,
    pub pools: Vec<PoolUse>,
    /// Whether work was done since the last heartbeat.
    pub worked: bool,
    /// How many runs it may execute at one time, and executes now; engines only.
    pub slots: Option<(i32, i32)>,
    /// The store of artifacts; `None` where it cannot be used, or is none of the process's business.
    pub store: Option<StoreState>,
    /// The version of things that it knows; engines only.
    pub knows: Option<i32>,
    /// Seconds that the server of reports is behind; `None` where it is no replica.
    pub replica_lag: Option<f64>,
}

/// Why an engine takes nothing new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RestReason {
    /// An operator wants it empty.
    Drained,
    /// What it would write, the api could not hand out: it sees another store of artifacts.
    OtherStore,
    /// It reaches no store of artifacts.
    NoStore,
    /// There is no room for files.
    FullStore,
}

impl RestReason {
    /// The value of `process.rests`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drained => "drained",
            Self::OtherStore => "other_store",
            Self::NoStore => "no_store",
            Self::FullStore => "full_store",
        }
    }

    pub const ALL: [Self; 4] = [Self::Drained, Self::OtherStore, Self::NoStore, Self::FullStore];

    /// `None`: a newer engine has a reason that is not known here.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rest| rest.name() == name)
    }
}

impl Process {
    pub fn new(kind: Kind, unique: uuid::Uuid) -> Self {
        Self { id: format!("{}-{}", kind.name(), unique.simple()), kind }
    }

    /// Writes the heartbeat, and gives why an engine is to rest; also forgets processes that have been silent for a day.
    pub async fn heartbeat(&self, pool: &PgPool, said: &HeartbeatReport) -> sqlx::Result<Option<RestReason>> {
        let pools = serde_json::to_value(&said.pools).expect("pool figures are plain JSON");
        let (slots, busy) = said.slots.unzip();
        let free = said.store.and_then(|store| store.free).map(|free| i64::try_from(free).unwrap_or(i64::MAX));
        let rests = sqlx::query_scalar!(
            "insert into process as p (id, kind, version, host, redis_ok, pools, last_work_at, slots, busy, store, store_free, knows,
                                       replica_lag, rests)
             values ($1, $2, $3, $4, $5, $6, case when $7 then clock_timestamp() end, $8, $9, $10, $11, $13, $14,
                     case when $2 = 'report-engine' then
                         case when $10::uuid is null then 'no_store'
                              when exists (select from process a
                                  where a.kind = 'api' and a.seen_at > clock_timestamp() - interval '30 seconds' and a.store <> $10) then 'other_store'
                              when $12 then 'full_store' end
                     end)
             on conflict (id) do update
                set seen_at = clock_timestamp(), redis_ok = excluded.redis_ok, pools = excluded.pools,
                    last_work_at = coalesce(excluded.last_work_at, p.last_work_at), slots = excluded.slots, busy = excluded.busy,
                    store = excluded.store, store_free = excluded.store_free, knows = excluded.knows, replica_lag = excluded.replica_lag,
                    rests = case when p.drained_at is not null then 'drained' else excluded.rests end
             returning rests",
            self.id,
            self.kind.name(),
            env!("CARGO_PKG_VERSION"),
            host(),
            said.redis_ok,
            pools,
            said.worked,
            slots,
            busy,
            said.store.map(|store| store.mark),
            free,
            said.store.is_some_and(|store| store.full),
            said.knows,
            said.replica_lag,
        )
        .fetch_one(pool)
        .await?;
        sqlx::query!("delete from process where seen_at < now() - interval '1 day'").execute(pool).await?;
        Ok(rests.as_deref().and_then(RestReason::from_name))
    }

    /// Says that the process is gone, in good order.
    pub async fn leave(&self, pool: &PgPool) -> sqlx::Result<()> {
        sqlx::query!("delete from process where id = $1", self.id).execute(pool).await?;
        Ok(())
    }
}

/// The machine's name, as its operators know it.
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
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
