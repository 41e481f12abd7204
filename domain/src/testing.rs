//! A database for each test: copied from a template that holds the migrated schema, dropped when the test ends.
//!
//! `TEST_DATABASE_URL` names a superuser of a cluster that tests may use. The template's name carries a hash of the
//! schema and is built once, under an advisory lock; so are templates that hold more, as the demo. The login roles belong to
//! the cluster: they get the password of `TEST_ROLE_PASSWORD`, or else the superuser's own, and only when they cannot sign in
//! with it already; the template's comment tells which password was tried.

mod port;
mod s3;

use std::{
    fs::OpenOptions,
    io::Write as _,
    str::FromStr,
    time::{Duration, SystemTime},
};

use anyhow::Context;
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, PgPool, postgres::PgConnectOptions, postgres::PgPoolOptions};
use uuid::Uuid;

pub use self::{port::free_port, s3::S3Server};

use crate::{db, environment, schema};

/// Guards template and roles of a cluster: taken in the superuser's own database, since advisory locks belong to one.
const TEMPLATE_LOCK: i64 = 7_231_840_100;

/// Guards the templates that hold more than the schema: they take longer, and only those who need them wait.
const FILLING_LOCK: i64 = 7_231_840_101;

/// So long the cluster may take to make or drop a database: a test that waits for longer says so instead of hanging.
const PATIENCE: Duration = Duration::from_secs(120);

/// Tells what a test leaves out on this machine, and why: `./dev test` ends with what `LEFT_OUT` names the file of.
pub fn left_out(what: &str, why: &str) {
    println!("{what} is left out: {why}");
    if let Some(file) = std::env::var_os("LEFT_OUT") {
        let noted = OpenOptions::new()
            .append(true)
            .create(true)
            .open(file)
            .and_then(|mut file| file.write_all(format!("{what}: {why}\n").as_bytes()));
        noted.expect("the list of what is left out can be written");
    }
}

/// A migrated database that only one test sees.
pub struct TestDb {
    pub name: String,
    /// The superuser: lays out data that the application itself may not write.
    pub owner: PgPool,
    /// `regix_app`: what the services sign in as.
    pub app: PgPool,
    /// `regix_report`: sees the report views only.
    pub report: PgPool,
    pub owner_url: String,
    pub app_url: String,
    pub report_url: String,
    cluster: PgConnectOptions,
}

/// Makes a database for one test.
///
/// # Panics
/// When `TEST_DATABASE_URL` is not set or the cluster refuses: a test cannot go on without its database.
pub async fn database() -> TestDb {
    made(&cluster(), Content::Schema).await
}

/// Makes a database with nothing in it, to be filled by the test.
///
/// # Panics
/// As [`database`].
pub async fn empty_database() -> TestDb {
    made(&cluster(), Content::Nothing).await
}

/// Makes a database for one test that holds what `fill` lays out, which is done once for each program of tests and copied from then on.
/// `what` names it among the program's own.
///
/// # Panics
/// As [`database`], and where `fill` does.
pub async fn database_with(what: &str, fill: impl AsyncFnOnce(&TestDb)) -> TestDb {
    let database = async {
        let cluster = Cluster::of(&cluster())?;
        let mut admin = cluster.connect().await?;
        let template = format!("regix_template_{what}_{}", this_program()?);
        sqlx::query("select pg_advisory_lock($1)").bind(FILLING_LOCK).execute(&mut admin).await?;
        if comment_of(&mut admin, &template).await?.is_none() {
            let filled = cluster.database(Content::Schema).await?;
            fill(&filled).await;
            for pool in [&filled.owner, &filled.app, &filled.report] {
                pool.close().await;
            }
            run(&mut admin, format!("alter database {} rename to {template}", filled.name)).await?;
        }
        sqlx::query("select pg_advisory_unlock($1)").bind(FILLING_LOCK).execute(&mut admin).await?;
        let database = cluster.copy(&mut admin, &template).await;
        admin.close().await?;
        database
    };
    in_time(database).await
}

/// Makes a database for one test on another cluster, whose superuser `url` names.
///
/// # Panics
/// As [`database`].
pub async fn database_of(url: &str) -> TestDb {
    made(url, Content::Schema).await
}

impl TestDb {
    /// A worker whose roles open patients, made when it is first asked for: whoever asks for what reports name must be one.
    pub async fn clinician(&self) -> i64 {
        self.known_clinician().await.expect("the test's clinician is made")
    }

    async fn known_clinician(&self) -> sqlx::Result<i64> {
        let mut tx = db::begin(&self.owner, db::SYSTEM_WORKER).await?;
        let known = "select id from worker where username = 'citalac-izvestaja'";
        let made =
            "with w as (insert into worker (username, ime, prezime) values ('citalac-izvestaja', 'Čitalac', 'Izveštaja') returning id),
                         r as (insert into role (ime, pacijenti) values ('Čitalac izveštaja', 'uvid') returning id)
                    insert into worker_role (radnik_id, uloga_id) select w.id, r.id from w, r returning radnik_id";
        let id = match sqlx::query_scalar(known).fetch_optional(&mut *tx).await? {
            Some(id) => id,
            None => sqlx::query_scalar(made).fetch_one(&mut *tx).await?,
        };
        tx.commit().await?;
        Ok(id)
    }
}

#[derive(PartialEq)]
enum Content {
    Schema,
    Nothing,
}

fn cluster() -> String {
    environment::required("TEST_DATABASE_URL").expect("tests need the URL of a PostgreSQL superuser")
}

async fn made(url: &str, content: Content) -> TestDb {
    in_time(async { Cluster::of(url)?.database(content).await }).await
}

async fn in_time(database: impl Future<Output = anyhow::Result<TestDb>>) -> TestDb {
    let made = tokio::time::timeout(PATIENCE, database).await.unwrap_or_else(|_| panic!("the cluster makes no database"));
    made.unwrap_or_else(|error| panic!("the test has no database: {error:#}"))
}

/// A cluster as its superuser sees it, and the password of the login roles there.
struct Cluster {
    options: PgConnectOptions,
    role_password: String,
}

impl Cluster {
    fn of(url: &str) -> anyhow::Result<Self> {
        let options = PgConnectOptions::from_str(url).context("the cluster's URL is not one of PostgreSQL")?;
        let role_password = match std::env::var("TEST_ROLE_PASSWORD") {
            Ok(password) => password,
            Err(_) => db::credentials(url).context("set TEST_ROLE_PASSWORD: TEST_DATABASE_URL holds no password")?.1,
        };
        Ok(Self { options, role_password })
    }

    async fn connect(&self) -> anyhow::Result<PgConnection> {
        patient(self.options.clone()).connect().await.context("the cluster does not answer")
    }

    async fn database(&self, content: Content) -> anyhow::Result<TestDb> {
        let mut admin = self.connect().await?;
        let schema = template(&mut admin, &self.options, &self.role_password).await?;
        let database = self.copy(&mut admin, if content == Content::Schema { &schema } else { "template0" }).await;
        admin.close().await?;
        database
    }

    async fn copy(&self, admin: &mut PgConnection, template: &str) -> anyhow::Result<TestDb> {
        let name = format!("regix_test_{}", Uuid::now_v7().simple());
        // Copying files costs less than logging their pages, where the checkpoints that it takes wait for no disk.
        run(admin, format!("create database {name} template {template} strategy file_copy")).await?;

        let owner = self.options.clone().database(&name);
        let app = owner.clone().username("regix_app").password(&self.role_password);
        let report = owner.clone().username("regix_report").password(&self.role_password);
        Ok(TestDb {
            owner_url: owner.to_url_lossy().to_string(),
            app_url: app.to_url_lossy().to_string(),
            report_url: report.to_url_lossy().to_string(),
            owner: pool(patient(owner)),
            app: pool(app),
            report: pool(report),
            name,
            cluster: self.options.clone(),
        })
    }
}

fn patient(options: PgConnectOptions) -> PgConnectOptions {
    options.options([("lock_timeout", "100s")])
}

/// Tells this program from the same one compiled anew.
fn this_program() -> anyhow::Result<String> {
    let program = std::env::current_exe()?;
    let made = program.metadata()?.modified()?.duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
    Ok(hex::encode(&Sha256::digest(format!("{} {made}", program.display()))[..8]))
}

/// A database's comment, where it has one; nothing where there is no such database.
async fn comment_of(admin: &mut PgConnection, database: &str) -> sqlx::Result<Option<Option<String>>> {
    sqlx::query_scalar("select shobj_description(oid, 'pg_database') from pg_database where datname = $1")
        .bind(database)
        .fetch_optional(admin)
        .await
}

/// The name of the migrated template, built now when no other test has built it.
async fn template(admin: &mut PgConnection, cluster: &PgConnectOptions, role_password: &str) -> anyhow::Result<String> {
    let template = format!("regix_template_{}", &schema::fingerprint()[..16]);

    sqlx::query("select pg_advisory_lock($1)").bind(TEMPLATE_LOCK).execute(&mut *admin).await?;
    let tried = hex::encode(Sha256::digest(role_password));
    let known = comment_of(admin, &template).await?;
    if known.is_none() {
        let building = format!("{template}_building");
        run(admin, format!("drop database if exists {building} with (force)")).await?;
        run(admin, format!("create database {building}")).await?;
        let mut empty = cluster.clone().database(&building).connect().await?;
        schema::migrate(&mut empty).await.context("the schema cannot be made in an empty database")?;
        empty.close().await?;
        run(admin, format!("alter database {building} rename to {template}")).await?;
    }
    if known.flatten().as_ref() != Some(&tried) {
        for role in ["regix_app", "regix_report"] {
            let signs_in = cluster.clone().username(role).password(role_password).connect().await;
            match signs_in {
                Ok(connection) => connection.close().await?,
                Err(_) => let_sign_in(admin, role, role_password).await?,
            }
        }
        run(admin, format!("comment on database {template} is '{tried}'")).await?;
    }
    sqlx::query("select pg_advisory_unlock($1)").bind(TEMPLATE_LOCK).execute(&mut *admin).await?;
    Ok(template)
}

async fn let_sign_in(admin: &mut PgConnection, role: &str, password: &str) -> anyhow::Result<()> {
    let statement: String = sqlx::query_scalar("select format('alter role %I with login password %L', $1::text, $2::text)")
        .bind(role)
        .bind(password)
        .fetch_one(&mut *admin)
        .await?;
    run(admin, statement).await
}

async fn run(connection: &mut PgConnection, statement: String) -> anyhow::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(connection).await?;
    Ok(())
}

/// Small pools that open nothing until they are used: many tests run at once.
fn pool(options: PgConnectOptions) -> PgPool {
    PgPoolOptions::new().max_connections(8).acquire_timeout(Duration::from_secs(20)).connect_lazy_with(options)
}

impl Drop for TestDb {
    /// Dropping is courtesy: what a killed test leaves behind is found by its name, `regix_test_…`.
    fn drop(&mut self) {
        let (cluster, name) = (self.cluster.clone(), self.name.clone());
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let dropping = async {
                    let mut admin = cluster.connect().await?;
                    run(&mut admin, format!("drop database if exists {name} with (force)")).await?;
                    admin.close().await?;
                    anyhow::Ok(())
                };
                tokio::time::timeout(PATIENCE, dropping).await?
            })
        });
        if !matches!(dropping.join(), Ok(Ok(()))) {
            eprintln!("the test database {} stays behind", self.name);
        }
    }
}
