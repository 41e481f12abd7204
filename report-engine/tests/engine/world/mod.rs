//! A small hospital for each test: database, Redis, folders, one worker with the right to reports, and engines on demand.

mod authority;
mod engine;
mod forwarder;
mod pooler;
mod redis;
mod replicated;
mod smtp;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use domain::{
    artifacts,
    jobs::{Dispatcher, Queue},
    report_sql::ParameterKind,
    runs::{self, Cancel, NewRun},
    testing::{self, TestDb},
};
use interchange::import::progress::Progress;
use serde_json::json;
use sqlx::AssertSqlSafe;
use tempfile::TempDir;
use tokio::sync::OnceCell;
use uuid::Uuid;

pub use authority::{Authority, Begins};
pub use engine::{EngineProcess, NOBODY};
pub use forwarder::Forwarder;
pub use pooler::Pooler;
pub use redis::RedisServer;
pub use replicated::Replicated;
pub use smtp::{MailServer, Reply, Stage};

/// Longer than anything here takes on a busy machine; a condition that is not met by then is not going to be.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct World {
    pub db: TestDb,
    pub redis: RedisServer,
    pub folder: TempDir,
    pub ustanova: i64,
    pub radnik: i64,
    smtp_url: String,
    dispatcher: OnceCell<Dispatcher>,
}

/// A report that a test makes; the rest of its properties are ordinary.
pub struct Report<'a> {
    pub template: &'a str,
    pub sql: &'a str,
    pub obim: &'a str,
    pub seconds: i32,
    pub attach: bool,
    pub skip_empty: bool,
}

/// A parameter of a report.
pub struct Parameter<'a> {
    pub kind: ParameterKind,
    pub request: &'a str,
    pub upit: Option<&'a str>,
    pub multi: bool,
    pub fixed: Option<&'a str>,
    pub logged: bool,
}

pub const TEMPLATE: &str = r#"{{#report}}{{col "a" head="A"}}{{/report}}"#;

impl Default for Report<'_> {
    fn default() -> Self {
        Report { template: TEMPLATE, sql: "select 1 as a", obim: "ustanova", seconds: 60, attach: false, skip_empty: false }
    }
}

/// How a run ended, as its row says.
#[derive(Debug, sqlx::FromRow)]
pub struct EndedRun {
    pub status: String,
    pub fence: i64,
    pub attempt: i32,
    pub crash_count: i32,
    pub rows_done: Option<i64>,
    pub truncated: bool,
    pub error_code: Option<String>,
    pub error_text: Option<String>,
}

impl World {
    pub async fn new() -> Self {
        Self::with_smtp("smtp://127.0.0.1:9").await
    }

    pub async fn with_mail(server: &MailServer) -> Self {
        Self::with_smtp(&server.url()).await
    }

    async fn with_smtp(smtp_url: &str) -> Self {
        Self::with_database(testing::database().await, smtp_url).await
    }

    /// Its engines read reports from the replica.
    pub async fn replicated(servers: &Replicated) -> Self {
        Self::with_database(servers.database().await, "smtp://127.0.0.1:9").await
    }

    /// Its database is on a server of the test's own.
    pub async fn with_database(db: TestDb, smtp_url: &str) -> Self {
        let people = people(&db).await;
        Self::of(db, people, Some("email"), smtp_url).await
    }

    /// The demo's hospital, with the templates that are shipped; the worker is `lekar`.
    pub async fn of_the_demo() -> Self {
        let db = testing::database_with("demo", async |db| {
            interchange::demo::load(&db.owner, jiff::civil::date(2026, 6, 1), &mut Progress::Silent).await.expect("the demo loads");
        })
        .await;
        let lekar = sqlx::query_as("select ustanova_id, id from worker where username = 'lekar'").fetch_one(&db.owner).await.unwrap();
        Self::of(db, lekar, None, "smtp://127.0.0.1:9").await
    }

    /// `shipped` is the part of the shipped templates that the world has; the rest it writes itself. None: all of them.
    async fn of(db: TestDb, (ustanova, radnik): (i64, i64), shipped: Option<&str>, smtp_url: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let templates = folder.path().join("templates");
        match shipped {
            None => std::os::unix::fs::symlink(shipped_templates(), &templates).unwrap(),
            Some(part) => {
                std::fs::create_dir_all(templates.join("reports")).unwrap();
                std::os::unix::fs::symlink(shipped_templates().join(part), templates.join(part)).unwrap();
            }
        }
        // Engines look at the mail server when a test says so: the database may be of a template that was made long ago.
        sqlx::query("update mail_server set checked_at = clock_timestamp()").execute(&db.owner).await.unwrap();
        Self { db, redis: RedisServer::start().await, folder, ustanova, radnik, smtp_url: smtp_url.to_owned(), dispatcher: OnceCell::new() }
    }

    pub fn artifacts(&self) -> PathBuf {
        self.folder.path().join("artifacts")
    }

    pub fn template_file(&self, name: &str, extension: &str) -> PathBuf {
        self.folder.path().join(format!("templates/reports/{name}.{extension}"))
    }

    /// An engine with short times; `extra` is added to its environment.
    pub fn engine(&self, extra: &[(&str, &str)]) -> EngineProcess {
        EngineProcess::start(self.environment(extra))
    }

    /// As `engine`, of another user, who reads the templates and nothing else of this one's; none where there can be no other user.
    pub fn engine_as_nobody(&self, extra: &[(&str, &str)]) -> Option<EngineProcess> {
        EngineProcess::start_as_nobody(self.environment(extra))
    }

    pub fn engine_with_small_files(&self) -> EngineProcess {
        EngineProcess::start_with_small_files(self.environment(&[]))
    }

    fn environment<'a>(&self, extra: &[(&'a str, &str)]) -> Vec<(&'a str, String)> {
        let artifacts = self.artifacts();
        let templates = self.folder.path().join("templates");
        let mut environment = vec![
            ("DATABASE_URL", self.db.app_url.clone()),
            ("REPORT_DATABASE_URL", self.db.report_url.clone()),
            ("REDIS_URL", self.redis.url()),
            ("SMTP_URL", self.smtp_url.clone()),
            ("MAIL_FROM", "Regix <regix@bolnica.test>".to_owned()),
            ("PUBLIC_URL", "https://regix.test".to_owned()),
            ("ARTIFACT_DIR", artifacts.display().to_string()),
            ("TEMPLATE_DIR", templates.display().to_string()),
            ("RUST_LOG", "info,sqlx=warn".to_owned()),
            ("ENGINE_LEASE_SECONDS", "12".to_owned()),
            ("ENGINE_SWEEP_SECONDS", "0.3".to_owned()),
            ("ENGINE_POLL_SECONDS", "0.5".to_owned()),
            ("ENGINE_SHUTDOWN_SECONDS", "5".to_owned()),
            ("ENGINE_SMTP_TIMEOUT_SECONDS", "1.5".to_owned()),
            ("ENGINE_MAIL_DELAY_SCALE", "0.003".to_owned()),
        ];
        for (name, value) in extra {
            environment.retain(|(known, _)| known != name);
            environment.push((name, (*value).to_owned()));
        }
        environment
    }

    /// Writes a report and its files; gives its id.
    pub async fn report(&self, name: &str, report: Report<'_>) -> i64 {
        std::fs::write(self.template_file(name, "hbs"), report.template).unwrap();
        std::fs::write(self.template_file(name, "sql"), report.sql).unwrap();
        let mut tx = domain::db::begin(&self.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        let id: i64 = sqlx::query_scalar(
            "insert into report (naziv, numericka_vrednost, jasper_fajl, prikazuje_se, tip_id, obim, najvise_sekundi, prilog_u_mejlu, ne_salji_prazan)
             values ($1, 1, $2, true, (select min(id) from report_type), $3, $4, $5, $6) returning id",
        )
        .bind(format!("Izveštaj {name}"))
        .bind(name)
        .bind(report.obim)
        .bind(report.seconds)
        .bind(report.attach)
        .bind(report.skip_empty)
        .fetch_one(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// Gives the report a parameter, of a parameter type of its own.
    pub async fn parameter(&self, report: i64, parameter: Parameter<'_>) {
        let mut tx = domain::db::begin(&self.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        sqlx::query(
            "with t as (insert into report_parameter_type (naziv, tip_recnika, upit, logged) values ($3, $1, $2, $7) returning id)
             insert into report_parameter (izvestaj_id, naziv, prikazni_redosled, request_naziv, multi_select, podrazumevano, opcioni, tip_id)
             select $4, $3, 1, $3, $5, $6, true, id from t",
        )
        .bind(parameter.kind)
        .bind(parameter.upit)
        .bind(parameter.request)
        .bind(report)
        .bind(parameter.multi)
        .bind(parameter.fixed)
        .bind(parameter.logged)
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
    }

    /// A parameter that is typed.
    pub async fn text_parameter(&self, report: i64, request: &str) {
        let kind = ParameterKind::Text;
        self.parameter(report, Parameter { kind, request, upit: None, multi: false, fixed: None, logged: false }).await;
    }

    /// A worker of the same institution and role.
    pub async fn another_worker(&self, username: &str) -> i64 {
        let mut tx = domain::db::begin(&self.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        let id: i64 = sqlx::query_scalar(
            "insert into worker (username, ime, prezime, ustanova_id) select $1, ime, prezime, ustanova_id from worker where id = $2 returning id",
        )
        .bind(username)
        .bind(self.radnik)
        .fetch_one(&mut *tx)
        .await
        .unwrap();
        for sql in [
            "insert into worker_institution (radnik_id, ustanova_id) select $1, ustanova_id from worker_institution where radnik_id = $2",
            "insert into worker_role (radnik_id, uloga_id) select $1, uloga_id from worker_role where radnik_id = $2",
        ] {
            sqlx::query(sql).bind(id).bind(self.radnik).execute(&mut *tx).await.unwrap();
        }
        tx.commit().await.unwrap();
        id
    }

    /// A run as the api makes it, not announced.
    pub fn new_run(&self, report: i64) -> NewRun {
        NewRun {
            id: Uuid::now_v7(),
            izvestaj_id: report,
            radnik_id: self.radnik,
            ustanova_id: self.ustanova,
            registar_id: None,
            parametri: json!({}),
            parametri_opis: json!([]),
            formati: vec!["CSV".to_owned()],
            emails: Vec::new(),
            queue: Queue::Interactive,
            proba: None,
        }
    }

    pub async fn insert(&self, run: &NewRun) -> Uuid {
        let mut connection = self.db.app.acquire().await.unwrap();
        runs::insert(&mut connection, run, None).await.unwrap().expect("a run without a key is always new")
    }

    /// Asks for a run as the api does: row first, then the call through Redis, which may fail.
    pub async fn ask(&self, run: NewRun) -> Uuid {
        let id = self.insert(&run).await;
        self.announce(id, run.queue).await;
        id
    }

    pub async fn announce(&self, run: Uuid, queue: Queue) {
        let dispatcher = self.dispatcher.get_or_init(async || Dispatcher::connect(&self.redis.url()).unwrap()).await;
        // The engines find what Redis did not take.
        let _ = dispatcher.push(run, queue).await;
    }

    /// Asks for a cancel as the api does.
    pub async fn cancel(&self, run: Uuid) -> Cancel {
        let mut connection = self.db.app.acquire().await.unwrap();
        runs::request_cancel(&mut connection, run).await.unwrap()
    }

    pub async fn row(&self, run: Uuid) -> EndedRun {
        sqlx::query_as(
            "select status, fence, attempt, crash_count, rows_done, truncated, error_code, error_text from report_run where id = $1",
        )
        .bind(run)
        .fetch_one(&self.db.owner)
        .await
        .unwrap()
    }

    /// Waits until the run is over.
    pub async fn end(&self, run: Uuid) -> EndedRun {
        eventually("the run ends", async || {
            let row = self.row(run).await;
            (!matches!(row.status.as_str(), "queued" | "running")).then_some(row)
        })
        .await
    }

    pub async fn wait_running(&self, run: Uuid) {
        eventually("the run is taken", async || (self.row(run).await.status == "running").then_some(())).await;
    }

    /// Formats and contents of the run's files, after checking that each is what its row says.
    pub async fn files(&self, run: Uuid) -> Vec<(String, Vec<u8>)> {
        self.files_of(run, async |path| std::fs::read(self.artifacts().join(path)).expect("the file of an artifact is there")).await
    }

    /// As [`Self::files`], from wherever they are.
    pub async fn files_of(&self, run: Uuid, read: impl AsyncFn(&str) -> Vec<u8>) -> Vec<(String, Vec<u8>)> {
        let rows: Vec<(String, String, i64, Vec<u8>)> =
            sqlx::query_as("select format, path, bytes, sha256 from report_artifact where run_id = $1 order by format")
                .bind(run)
                .fetch_all(&self.db.owner)
                .await
                .unwrap();
        let mut files = Vec::new();
        for (format, path, bytes, sha256) in rows {
            let content = read(&path).await;
            assert_eq!(content.len() as i64, bytes, "the size of {format}");
            assert_eq!(sha2_of(&content), sha256, "the hash of {format}");
            files.push((format, content));
        }
        files
    }

    /// Files under the artifact folder that are not drafts.
    pub fn published(&self) -> Vec<PathBuf> {
        let published = |path: &PathBuf| !path.to_string_lossy().contains("u-izradi") && !path.ends_with(artifacts::MARK);
        walk(&self.artifacts()).into_iter().filter(published).collect()
    }

    /// A patient of the hospital.
    pub async fn patient(&self, jmbg: &str) -> i64 {
        let mut tx = domain::db::begin(&self.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        let id = sqlx::query_scalar(
            "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
             values ('Ana', 'Anić', '1990-01-01', $1, '1' || right($1, 10), true, '011/123456', $2) returning id",
        )
        .bind(jmbg)
        .bind(self.ustanova)
        .fetch_one(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
        id
    }

    pub async fn count(&self, sql: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&self.db.owner).await.unwrap()
    }

    /// Server processes that execute a statement of this run.
    pub async fn backends(&self, run: Uuid) -> i64 {
        self.count(&format!("select count(*) from pg_stat_activity where application_name = 'run:{run}' and state = 'active'")).await
    }

    pub async fn deliveries(&self, run: Uuid) -> Vec<Delivery> {
        sqlx::query_as(
            "select address, status, attempts, doubts, smtp_code, smtp_text, message_id from report_delivery where run_id = $1 order by address",
        )
        .bind(run)
        .fetch_all(&self.db.owner)
        .await
        .unwrap()
    }
}

#[derive(Debug, sqlx::FromRow)]
pub struct Delivery {
    pub address: String,
    pub status: String,
    pub attempts: i32,
    pub doubts: i32,
    pub smtp_code: Option<i32>,
    pub smtp_text: Option<String>,
    pub message_id: String,
}

/// Asks again and again until there is an answer.
pub async fn eventually<T>(what: &str, ask: impl AsyncFn() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    };
    match tokio::time::timeout(PATIENCE, asking).await {
        Ok(answer) => answer,
        Err(_) => panic!("in vain: {what}"),
    }
}

fn sha2_of(content: &[u8]) -> Vec<u8> {
    use sha2::Digest;
    sha2::Sha256::digest(content).to_vec()
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().flat_map(|entry| if entry.path().is_dir() { walk(&entry.path()) } else { vec![entry.path()] }).collect()
}

fn shipped_templates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates").canonicalize().expect("the shipped templates")
}

/// One institution, one worker with the right to reports, one report type.
async fn people(db: &TestDb) -> (i64, i64) {
    let mut tx = domain::db::begin(&db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    let institution: i64 =
        sqlx::query_scalar("insert into institution (naziv) values ('Klinika') returning id").fetch_one(&mut *tx).await.unwrap();
    let worker: i64 =
        sqlx::query_scalar("insert into worker (username, ime, prezime, ustanova_id) values ('lekar', 'Željka', 'Đurić', $1) returning id")
            .bind(institution)
            .fetch_one(&mut *tx)
            .await
            .unwrap();
    let role: i64 =
        sqlx::query_scalar("insert into role (ime, pacijenti) values ('Lekar', 'uvid') returning id").fetch_one(&mut *tx).await.unwrap();
    for (sql, first, second) in [
        ("insert into worker_institution (radnik_id, ustanova_id) values ($1, $2)", worker, institution),
        ("insert into worker_role (radnik_id, uloga_id) values ($1, $2)", worker, role),
        ("insert into role_right (uloga_id, aplikativno_pravo_id) values ($1, $2)", role, 1),
    ] {
        sqlx::query(sql).bind(first).bind(second).execute(&mut *tx).await.unwrap();
    }
    sqlx::raw_sql(
        "insert into report_category (naziv, numericka_vrednost) values ('Klinički', 1);
         insert into report_type (naziv, numericka_vrednost, kategorija_id) select 'Probni', 1, id from report_category",
    )
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    (institution, worker)
}
