//! What a test needs: the API on a fresh database, its users as types, and answers that are easy to assert on.

mod answer;
mod person;
mod register;
pub mod statements;
mod users;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use accounts::oidc;
use axum::{Router, extract::connect_info::MockConnectInfo};
use domain::{
    artifacts::ArtifactStore,
    config::Config,
    db, environment,
    jobs::Dispatcher,
    process::{Kind, Process},
    report_sql::ReportDb,
    testing::{self, TestDb},
};
use jiff::{SignedDuration, Timestamp};
use platform::{
    health::Vitals,
    hub::Hub,
    known_forms::KnownForms,
    long_answers::LongAnswers,
    parsers::Parsers,
    pools::{self, Bounds},
    proxies::Proxies,
    sockets::Sockets,
    state::{AppState, Clock, Counting, Parts},
};
use sqlx::{PgPool, postgres::PgPoolOptions};
use tempfile::TempDir;
use uuid::Uuid;

pub use answer::{Answer, keys};
pub use person::{Person, Secrets, record};
pub use register::TestRegister;
pub use users::{Anonymous, Worker};

/// The site's address, as its users type it.
pub const PUBLIC_URL: &str = "https://regix.test";

/// The API on a database that only this test sees, with two institutions in it.
pub struct TestApp {
    pub db: TestDb,
    pub state: AppState,
    /// Where the workers of `users` work.
    pub ustanova: i64,
    /// Another institution, none of whose workers are theirs.
    pub druga_ustanova: i64,
    router: Router,
    now: Arc<Mutex<Timestamp>>,
    artifacts: TempDir,
}

impl TestApp {
    pub async fn new() -> Self {
        Self::with_web(None).await
    }

    /// The API beside the web application that was built into `web_dir`.
    pub async fn with_web(web_dir: Option<PathBuf>) -> Self {
        let db = testing::database().await;
        let (ustanova, druga_ustanova) = (institution(&db, "Klinika A").await, institution(&db, "Klinika B").await);
        Self::on(db, tempfile::tempdir().expect("a folder for report files"), web_dir, ustanova, druga_ustanova)
    }

    /// The API on a database and a folder that hold something already.
    pub fn on(db: TestDb, artifacts: TempDir, web_dir: Option<PathBuf>, ustanova: i64, druga_ustanova: i64) -> Self {
        let now = Arc::new(Mutex::new(Timestamp::now()));
        let state = state(&db, artifacts.path(), web_dir, &now, None);
        let router = router(&state);
        Self { db, state, ustanova, druga_ustanova, router, now, artifacts }
    }

    /// Another api on the same database and at the same time, whose workers sign in there.
    pub fn beside(&self, oidc: oidc::Settings) -> Router {
        let provider = oidc::Provider::new(oidc, PUBLIC_URL).expect("a provider");
        router(&state(&self.db, self.artifacts.path(), None, &self.now, Some(provider)))
    }

    /// Where the files of reports are.
    pub fn artifact_dir(&self) -> &Path {
        self.artifacts.path()
    }

    /// Lets time pass for the API; the database's own clock stays.
    pub fn advance(&self, by: SignedDuration) {
        *self.now.lock().expect("no test panics while it sets the clock") += by;
    }

    /// For calls with headers of their own.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    pub fn anonymous(&self) -> Anonymous {
        Anonymous::new(self.router.clone())
    }

    /// A caller of the same API with a single connection to the database, which it can be left without.
    pub fn with_one_connection(&self) -> (PgPool, Anonymous) {
        let one = PgPoolOptions::new().max_connections(1).acquire_timeout(Duration::from_secs(3)).connect_lazy(&self.db.app_url);
        let db = one.expect("the URL of the application's role");
        let report_db = ReportDb::new(db.clone(), &self.db.report_url, 4).expect("the URL of the report role");
        (db.clone(), self.with_parts(Parts { db, report_db, ..Parts::clone(&self.state) }))
    }

    /// A caller of the API with other parts.
    pub fn with_parts(&self, parts: Parts) -> Anonymous {
        Anonymous::new(api::app(AppState::new(parts)))
    }
}

fn state(db: &TestDb, artifacts: &Path, web_dir: Option<PathBuf>, now: &Arc<Mutex<Timestamp>>, oidc: Option<oidc::Provider>) -> AppState {
    let config = Config {
        database_url: db.app_url.clone(),
        report_database_url: db.report_url.clone(),
        redis_url: environment::required("TEST_REDIS_URL").expect("tests need the URL of a Redis"),
        artifacts: ArtifactStore::folder(artifacts.to_owned()),
        template_dir: concat!(env!("CARGO_MANIFEST_DIR"), "/../templates").into(),
        public_url: PUBLIC_URL.to_owned(),
    };
    let clock = Clock::new({
        let now = now.clone();
        move || *now.lock().expect("no test panics while it reads the clock")
    });
    let bounds = Bounds { most: 2, wait: Duration::from_secs(10), statement: Duration::from_secs(10) };
    let apart = || pools::open(&db.app_url, "regix-api", bounds).expect("the URL of the application's role");
    AppState::new(Parts {
        db: db.app.clone(),
        vitals: Vitals::new(apart()),
        report_db: ReportDb::new(apart(), &db.report_url, 4).expect("the URL of the report role"),
        dispatcher: Dispatcher::connect(&config.redis_url).expect("the URL of a Redis"),
        hub: Hub::listen(&db.app_url),
        process: Process::new(Kind::Api, Uuid::now_v7()),
        config,
        clock,
        long_answers: LongAnswers::default(),
        // What a slow machine counts in one page must not be what a test sees.
        counting: Counting { page: Duration::from_secs(120), ..Counting::default() },
        parsers: Parsers::of(env!("CARGO_BIN_EXE_api").into(), Duration::from_secs(60)),
        known_forms: KnownForms::default(),
        sockets: Sockets::default(),
        demo: false,
        web_dir,
        proxies: Proxies::parse("true").expect("private networks"),
        oidc,
    })
}

fn router(state: &AppState) -> Router {
    api::app(state.clone()).layer(MockConnectInfo(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 40_000)))
}

/// A line of the log: who, what kind of thing, what was done, to which row.
#[derive(Debug, PartialEq, sqlx::FromRow)]
pub struct Logged {
    pub radnik_id: Option<i64>,
    pub klasa: String,
    pub akcija: String,
    pub red_id: Option<String>,
}

impl TestApp {
    /// The log of one kind of thing, oldest first.
    pub async fn log(&self, klasa: &str) -> Vec<Logged> {
        sqlx::query_as("select radnik_id, klasa, akcija, red_id from audit_log where klasa = $1 order by id")
            .bind(klasa)
            .fetch_all(&self.db.owner)
            .await
            .expect("the log")
    }
}

impl TestApp {
    /// Runs statements as the superuser in the system's name.
    pub async fn lay_out(&self, statements: &[&'static str]) {
        let mut tx = db::begin(&self.db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
        for statement in statements {
            sqlx::query(*statement).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
        tx.commit().await.expect("committed");
    }
}

pub async fn institution(db: &TestDb, naziv: &str) -> i64 {
    let mut tx = db::begin(&db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
    let id = sqlx::query_scalar("insert into institution (naziv, sifra) values ($1, $2) returning id")
        .bind(naziv)
        .bind(naziv.to_lowercase().replace(' ', "-"))
        .fetch_one(&mut *tx)
        .await
        .expect("an institution");
    tx.commit().await.expect("committed");
    id
}
