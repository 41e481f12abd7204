//! The primary dies under load, its standby is promoted behind one address: nothing that was acknowledged is lost, and everything works again
//! without a hand.

use std::{
    collections::BTreeSet,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use domain::{
    artifacts::ArtifactStore,
    db,
    report_sql::{Binds, ReportDb, ReportSqlError, Scope},
    standing::{Finding, Ground},
};
use platform::pools::{self, Bounds};
use sqlx::{PgPool, postgres::PgPoolOptions};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use uuid::Uuid;

use crate::world::{Forwarder, Replicated, Report, World, eventually};

const WRITERS: usize = 6;

fn through(url: &str, port: u16) -> String {
    let (before, rest) = url.rsplit_once('@').unwrap();
    format!("{before}@127.0.0.1:{port}/{}", rest.split_once('/').unwrap().1)
}

/// A real api, which is built beside the engine.
struct Api {
    process: Child,
    port: u16,
}

impl Api {
    fn start(world: &World, ground: &Ground) -> Self {
        let program = Path::new(env!("CARGO_BIN_EXE_report-engine")).with_file_name("api");
        assert!(program.exists(), "{} is not built: this test runs with the whole workspace", program.display());
        let port = domain::testing::free_port();
        let process = Command::new(program)
            .arg("serve")
            .env_clear()
            .env("DATABASE_URL", &ground.database_url)
            .env("REPORT_DATABASE_URL", ground.report_database_url.as_deref().expect("an address of reports"))
            .env("REDIS_URL", world.redis.url())
            .env("ARTIFACT_DIR", world.artifacts())
            .env("PORT", port.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the api starts");
        Self { process, port }
    }

    /// The head of an answer; none: nobody listens yet.
    async fn head(&self, call: &str, body: &str) -> Option<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.ok()?;
        let length = body.len();
        let request = format!(
            "{call} HTTP/1.1\r\nhost: regix.test\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.ok()?;
        Some(answer.split("\r\n\r\n").next().unwrap_or_default().to_ascii_lowercase())
    }

    async fn is_ready(&self) -> Option<bool> {
        Some(self.head("GET /api/health/ready", "").await?.starts_with("http/1.1 200"))
    }

    /// Signing in writes, whoever tries.
    async fn sign_in(&self) -> Option<String> {
        self.head("POST /api/login", r#"{"username":"niko","password":"ništa"}"#).await
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Writes as the api does, in a worker's name, through its pool, and keeps what was acknowledged.
async fn write(pool: PgPool, worker: i64, acknowledged: Arc<Mutex<Vec<Uuid>>>, over: Arc<AtomicBool>) {
    while !over.load(Ordering::Relaxed) {
        let name = Uuid::now_v7();
        let saved = async {
            let mut tx = db::begin(&pool, worker).await?;
            sqlx::query("insert into institution (naziv, sifra) values ($1, $1)").bind(name.to_string()).execute(&mut *tx).await?;
            tx.commit().await
        };
        match saved.await {
            Ok(()) => acknowledged.lock().unwrap().push(name),
            // Whoever was told nothing asks again, as a browser does after the 503.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

#[tokio::test]
async fn a_killed_primary_loses_nothing_that_was_acknowledged_and_all_goes_on_behind_one_address() {
    let servers = Replicated::start().await;
    let mut world = World::with_database(servers.database_of_primary().await, "smtp://127.0.0.1:9").await;
    servers.commit_on_both().await;
    let address = Forwarder::start(servers.primary).await;
    let (app, reports) = (through(&world.db.app_url, address.port), through(&world.db.report_url, address.port));
    let report = world.report("broj", Report { sql: "select count(*)::text as a from ustanova", ..Report::default() }).await;
    let endless = world.report("dug", Report { sql: "select pg_sleep(3)::text as a", ..Report::default() }).await;
    let engine = world.engine(&[("DATABASE_URL", &app), ("REPORT_DATABASE_URL", &reports), ("ENGINE_LEASE_SECONDS", "3")]);
    let ground = Ground {
        database_url: app.clone(),
        report_database_url: Some(reports.clone()),
        redis_url: world.redis.url(),
        artifacts: ArtifactStore::folder(world.artifacts()),
        template_dir: None,
        smtp_url: None,
    };
    ground.stand().await.unwrap();
    let api = Api::start(&world, &ground);
    eventually("the api is ready", async || api.is_ready().await.filter(|ready| *ready)).await;
    assert!(api.sign_in().await.unwrap().starts_with("http/1.1 401"), "it asks the database");

    let bounds = Bounds { most: WRITERS as u32, wait: Duration::from_secs(3), statement: Duration::from_secs(5) };
    let pool = pools::open(&app, "regix-api", bounds).unwrap();
    let (acknowledged, over) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
    let writers: Vec<_> =
        (0..WRITERS).map(|_| tokio::spawn(write(pool.clone(), world.radnik, acknowledged.clone(), over.clone()))).collect();
    let under_way = world.ask(world.new_run(endless)).await;
    let waiting = world.insert(&world.new_run(report)).await;
    world.wait_running(under_way).await;
    let so_far = |least: usize| {
        let acknowledged = acknowledged.clone();
        async move {
            eventually("writers write", async || (acknowledged.lock().unwrap().len() >= least).then_some(())).await;
            acknowledged.lock().unwrap().len()
        }
    };
    so_far(40).await;

    servers.kill_primary();
    address.lead(None);
    let away: Vec<Finding> = ground.ask_databases().await;
    assert!(!away[0].holds() && !away.iter().any(Finding::forbids), "it is waited for: {away:?}");
    let told = api.head("GET /api/application", "").await.unwrap();
    assert!(told.starts_with("http/1.1 503") && told.contains("retry-after: 2"), "{told}");
    assert_eq!(api.is_ready().await, Some(false));
    // For a while the address leads to a server that takes no writes.
    address.lead(Some(servers.replica));
    let standby = ground.ask_databases().await;
    assert!(standby.iter().any(|finding| !finding.holds()) && !standby.iter().any(Finding::forbids), "{standby:?}");
    let told = api.sign_in().await.unwrap();
    assert!(told.starts_with("http/1.1 503") && told.contains("retry-after: 2"), "{told}");
    servers.promote().await;
    let when_promoted = acknowledged.lock().unwrap().len();

    so_far(when_promoted + 40).await;
    over.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.await.unwrap();
    }
    ground.stand().await.unwrap();
    eventually("the api is ready again", async || api.is_ready().await.filter(|ready| *ready)).await;
    assert!(api.sign_in().await.unwrap().starts_with("http/1.1 401"), "it writes again");
    let there = through(&world.db.owner_url, servers.replica);
    world.db.owner = PgPoolOptions::new().max_connections(3).connect(&there).await.unwrap();
    world.db.app = PgPoolOptions::new().max_connections(3).connect(&app).await.unwrap();
    let names: Vec<String> = sqlx::query_scalar("select naziv from institution").fetch_all(&world.db.owner).await.unwrap();
    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let acknowledged = acknowledged.lock().unwrap().clone();
    let lost: Vec<&Uuid> = acknowledged.iter().filter(|name| !names.contains(name.to_string().as_str())).collect();
    assert!(lost.is_empty(), "{} of {} acknowledged saves are lost", lost.len(), acknowledged.len());
    // The history is that of what is there.
    let logged = world.count("select count(*) from audit_log l join institution i on l.klasa = 'institution' and l.red_id = i.id::text and l.akcija = 'kreiranje'").await;
    assert!(usize::try_from(logged).unwrap() >= acknowledged.len(), "{logged}");

    for run in [under_way, waiting, world.ask(world.new_run(report)).await] {
        let ended = world.end(run).await;
        assert_eq!(ended.status, "succeeded", "{ended:?}\n{}", engine.log());
    }
}

/// For a while the address leads to a standby, as where a failover is taken back: who got a connection there is led on with the next one.
#[tokio::test]
async fn a_connection_to_a_server_that_takes_no_writes_is_not_used_again() {
    let servers = Replicated::start().await;
    let db = servers.database().await;
    let address = Forwarder::start(servers.replica).await;
    let url = through(&db.app_url, address.port);
    let bounds = Bounds { most: 1, wait: Duration::from_secs(10), statement: Duration::from_secs(5) };
    let calls = pools::open(&url, "regix-api", bounds).unwrap();
    let asked = async || sqlx::query_scalar::<_, bool>("select pg_catalog.pg_is_in_recovery()").fetch_one(&calls).await.ok();
    assert!(eventually("the standby has the database", asked).await, "the one connection was to the standby");
    let jobs = db::pool(&url, "regix-engine", 1).await.unwrap();
    // A report that begins there waits for another try: nothing in it was refused.
    let standby = PgPoolOptions::new().max_connections(1).connect(&url).await.unwrap();
    let reports = ReportDb::new(standby, &db.report_url, 1).unwrap();
    let scope = Scope { run: None, radnik_id: db::SYSTEM_WORKER, ustanova_id: None };
    let begun = reports.small(scope, "select 1 as broj", &Binds::new(), Duration::from_secs(10), 10).await;
    assert!(matches!(begun, Err(ReportSqlError::Passing(_))), "{:?}", begun.err());
    address.lead(Some(servers.primary));
    for (what, pool) in [("calls", &calls), ("jobs", &jobs)] {
        let saved = async {
            let mut tx = db::begin(pool, db::SYSTEM_WORKER).await?;
            sqlx::query("insert into institution (naziv, sifra) values ($1, $1)").bind(what).execute(&mut *tx).await?;
            tx.commit().await
        };
        saved.await.unwrap_or_else(|error| panic!("{what} come to the primary: {error}"));
    }
    let there: i64 =
        sqlx::query_scalar("select count(*) from institution where naziv in ('calls', 'jobs')").fetch_one(&db.owner).await.unwrap();
    assert_eq!(there, 2);
}
