//! What every handler may reach: pools, clock, configuration.

use std::{ops::Deref, path::PathBuf, sync::Arc, time::Duration};

use anyhow::Context;
use domain::{
    config::Config,
    environment,
    jobs::Dispatcher,
    process::{Kind, PoolUse, Process},
    report_sql::ReportDb,
    standing::Ground,
};
use jiff::{Timestamp, civil::Date};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    health::Vitals,
    hub::Hub,
    identity_provider,
    known_forms::KnownForms,
    long_answers::LongAnswers,
    parsers::Parsers,
    pools::{self, Bounds},
    proxies::Proxies,
    sockets::Sockets,
};

/// The pool of the application's role, as the maintenance area names it.
pub const POOL: &str = "api";

/// Of the calls: a call has 30 seconds, and what it asked of the server not much more.
const CALLS: Bounds = Bounds { most: 16, wait: Duration::from_secs(10), statement: Duration::from_secs(35) };
/// Of health, the heartbeat and the figures: apart from the calls.
const VITALS: Bounds = Bounds { most: 2, wait: Duration::from_secs(3), statement: Duration::from_secs(5) };
/// Of the scopes of report SQL, one for each session of the report role: whoever has a session does not wait for a call's connection.
const SCOPES: Bounds = Bounds { most: REPORT_SESSIONS, wait: Duration::from_secs(10), statement: Duration::from_secs(10) };
const REPORT_SESSIONS: u32 = 4;

/// What is counted over all entries of a form while somebody looks, page by page.
#[derive(Clone, Copy)]
pub struct Counting {
    /// How long one page counts.
    pub page: Duration,
    /// Entries that are read together.
    pub chunk: i64,
}

impl Default for Counting {
    fn default() -> Self {
        Self { page: Duration::from_secs(2), chunk: 250 }
    }
}

/// Cheap to clone; `state.db` and the rest are read through it.
#[derive(Clone)]
pub struct AppState(Arc<Parts>);

#[derive(Clone)]
pub struct Parts {
    /// Signed in as `regix_app`.
    pub db: PgPool,
    /// Signed in as `regix_app` as well.
    pub vitals: Vitals,
    /// Signed in as `regix_report`: report SQL and parameter queries only.
    pub report_db: ReportDb,
    /// Wakes the engines.
    pub dispatcher: Dispatcher,
    /// Brings the database's report events to the sockets.
    pub hub: Hub,
    /// This process among all that run.
    pub process: Process,
    pub config: Config,
    pub clock: Clock,
    /// Answers that are made whole before they are sent.
    pub long_answers: LongAnswers,
    pub counting: Counting,
    /// Where files of strangers are read.
    pub parsers: Parsers,
    /// What versions of forms say.
    pub known_forms: KnownForms,
    /// Live updates, each a connection that stays.
    pub sockets: Sockets,
    /// A show-case installation: the sign-in screen says so.
    pub demo: bool,
    /// The built web application; none: the API alone.
    pub web_dir: Option<PathBuf>,
    /// Whose `X-Forwarded-For` is believed; anyone else could write any address.
    pub proxies: Proxies,
    /// Where workers sign in without a password of ours.
    pub oidc: Option<identity_provider::Provider>,
}

impl AppState {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// Reads what only the API reads from the environment, waits for the ground that `config` names, and opens the pools. A wrong setting is
    /// told before anybody is waited for.
    pub async fn connect(config: Config) -> anyhow::Result<Self> {
        let proxies = Proxies::parse(&environment::optional("BEHIND_PROXY", ""))?;
        let oidc = identity_provider::Settings::from_env()?
            .map(|settings| identity_provider::Provider::new(settings, &config.public_url))
            .transpose()
            .context("OIDC_ISSUER")?;
        Ground::of(&config, None).stand().await?;
        let url = &config.database_url;
        let db = pools::open(url, "regix-api", CALLS)?;
        let scopes = pools::open(url, "regix-api-opsezi", SCOPES)?;
        Ok(Self::new(Parts {
            db,
            vitals: Vitals::new(pools::open(url, "regix-api-zdravlje", VITALS)?),
            report_db: ReportDb::new(scopes, &config.report_database_url, REPORT_SESSIONS)?,
            dispatcher: Dispatcher::connect(&config.redis_url)?,
            hub: Hub::listen(&config.database_url),
            process: Process::new(Kind::Api, Uuid::now_v7()),
            config,
            clock: Clock::system(),
            long_answers: LongAnswers::default(),
            counting: Counting::default(),
            parsers: Parsers::own(),
            known_forms: KnownForms::default(),
            sockets: Sockets::default(),
            demo: flag("REGIX_DEMO"),
            web_dir: Some(environment::optional("WEB_DIR", "web/dist").into()),
            proxies,
            oidc,
        }))
    }
}

fn flag(name: &str) -> bool {
    matches!(environment::optional(name, "").as_str(), "true" | "1")
}

impl Parts {
    /// How busy the pools are, by the names that the maintenance area cleans them by.
    pub fn pools(&self) -> Vec<PoolUse> {
        vec![PoolUse::of(POOL, &self.db), self.report_db.pool_use("api-izvestaji")]
    }

    /// The date in Belgrade.
    pub fn today(&self) -> Date {
        self.clock.now().to_zoned(domain::time::zone()).date()
    }
}

impl Deref for AppState {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Where "now" comes from: the system, or a test that wants a session to grow old.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    pub fn system() -> Self {
        Self::new(Timestamp::now)
    }

    pub fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}
