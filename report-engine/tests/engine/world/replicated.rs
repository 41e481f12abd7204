//! A PostgreSQL of the test's own with a streaming replica.

use std::{
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Stdio},
};

use domain::testing::{self, TestDb};
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, postgres::PgPoolOptions};
use tempfile::TempDir;
use uuid::Uuid;

use super::eventually;

const OWNER: &str = "regix_owner";
const PRIMARY: &str = "primary";
const REPLICA: &str = "replica";

pub struct Replicated {
    folder: TempDir,
    pub primary: u16,
    pub replica: u16,
    /// The superuser on the replica.
    pub owner: PgPool,
}

impl Replicated {
    /// # Panics
    /// When `TEST_POSTGRES` does not name a program that runs one of PostgreSQL's.
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // PostgreSQL does not run as root: whoever it runs as makes its folders here.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        let [primary, replica] = [(); 2].map(|()| testing::free_port());
        let owner = PgPoolOptions::new().max_connections(2).connect_lazy(&url(replica)).unwrap();
        let servers = Self { folder, primary, replica, owner };
        let locale = ["-E", "UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=sr-Latn"];
        servers.run("initdb", &[&["-D", &servers.data(PRIMARY), "-U", OWNER, "--auth=trust", "--no-sync"][..], &locale].concat());
        servers.begin(PRIMARY, primary).await;
        let port = primary.to_string();
        let copied = ["-D", &servers.data(REPLICA), "-h", "127.0.0.1", "-p", &port, "-U", OWNER, "-R", "-c", "fast", "--no-sync"];
        servers.run("pg_basebackup", &copied);
        servers.begin(REPLICA, replica).await;
        servers
    }

    fn data(&self, server: &str) -> String {
        self.folder.path().join(server).display().to_string()
    }

    fn log(&self, server: &str) -> PathBuf {
        self.folder.path().join(format!("{server}.log"))
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let done = command(program).args(arguments).output().expect("a program of PostgreSQL runs");
        assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
    }

    async fn begin(&self, server: &str, port: u16) {
        let settings = format!(
            "-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories= -c fsync=off -c timezone=Europe/Belgrade \
             -c wal_level=replica -c max_connections=60 -c max_locks_per_transaction=256 -c hot_standby_feedback=on"
        );
        let log = self.log(server).display().to_string();
        self.run("pg_ctl", &["-D", &self.data(server), "-o", &settings, "-l", &log, "-W", "start"]);
        eventually("PostgreSQL answers", async || {
            let pool = PgPoolOptions::new().connect(&url(port)).await.ok()?;
            pool.close().await;
            Some(())
        })
        .await;
    }

    /// A migrated database of the primary, whose reports are read from the replica, which has it by then.
    pub async fn database(&self) -> TestDb {
        let mut db = testing::database_of(&url(self.primary)).await;
        let there = self.owner.connect_options().as_ref().clone().database(&db.name);
        eventually("the replica has the database", async || PgConnection::connect_with(&there).await.ok()).await;
        let (here, there) = (format!(":{}/", self.primary), format!(":{}/", self.replica));
        assert!(db.report_url.contains(&here));
        db.report_url = db.report_url.replace(&here, &there);
        db
    }

    /// From now on the replica takes what comes and shows none of it.
    pub async fn hold(&self) {
        self.on_replica("select pg_wal_replay_pause()").await;
        eventually("the replica has paused", async || {
            let state: String = sqlx::query_scalar("select pg_get_wal_replay_pause_state()").fetch_one(&self.owner).await.unwrap();
            (state == "paused").then_some(())
        })
        .await;
    }

    pub async fn go_on(&self) {
        self.on_replica("select pg_wal_replay_resume()").await;
    }

    async fn on_replica(&self, sql: &str) {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&self.owner).await.unwrap();
    }

    /// Statements of the run that the replica executes.
    pub async fn statements(&self, run: Uuid) -> i64 {
        let sql = format!("select count(*) from pg_stat_activity where application_name = 'run:{run}' and state = 'active'");
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&self.owner).await.unwrap()
    }

    /// The superuser's eyes on a database of the replica.
    pub async fn of_database(&self, name: &str) -> PgPool {
        let options = self.owner.connect_options().as_ref().clone().database(name);
        PgPoolOptions::new().max_connections(1).connect_with(options).await.unwrap()
    }

    /// A migrated database of the primary.
    pub async fn database_of_primary(&self) -> TestDb {
        testing::database_of(&url(self.primary)).await
    }

    /// From now on a commit is acknowledged once the replica has it on its disk.
    pub async fn commit_on_both(&self) {
        let primary = PgPoolOptions::new().max_connections(1).connect(&url(self.primary)).await.unwrap();
        for sql in ["alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"] {
            sqlx::raw_sql(sql).execute(&primary).await.unwrap();
        }
        eventually("the replica is one that commits wait for", async || {
            let waits: bool = sqlx::query_scalar("select exists (select from pg_stat_replication where sync_state = 'sync')")
                .fetch_one(&primary)
                .await
                .unwrap();
            waits.then_some(())
        })
        .await;
        primary.close().await;
    }

    /// `kill -9` of the primary and all that it has begun.
    pub fn kill_primary(&self) {
        let pid = std::fs::read_to_string(self.folder.path().join(PRIMARY).join("postmaster.pid")).expect("it runs");
        let pid = pid.lines().next().expect("a number");
        // One of those that it has begun may end by itself meanwhile.
        let script = "begun=$(cat /proc/$0/task/*/children); kill -9 $0 && { kill -9 $begun 2>/dev/null || true; }";
        let killed = Command::new("sh").args(["-c", script, pid]).status().expect("a shell");
        assert!(killed.success(), "the primary is there to be killed");
    }

    /// Makes the replica a primary, as whoever watches over the servers does.
    pub async fn promote(&self) {
        self.run("pg_ctl", &["-D", &self.data(REPLICA), "-W", "promote"]);
        eventually("the replica takes writes", async || {
            let standby: Result<bool, _> = sqlx::query_scalar("select pg_is_in_recovery()").fetch_one(&self.owner).await;
            (!standby.unwrap_or(true)).then_some(())
        })
        .await;
    }

    pub fn stop_replica(&self) {
        self.stop(REPLICA);
    }

    pub async fn start_replica(&self) {
        self.begin(REPLICA, self.replica).await;
    }

    fn stop(&self, server: &str) {
        let _ = command("pg_ctl").args(["-D", &self.data(server), "-m", "immediate", "stop"]).output();
    }
}

fn url(port: u16) -> String {
    format!("postgres://{OWNER}:proba@127.0.0.1:{port}/postgres")
}

fn command(program: &str) -> Command {
    let runs = domain::environment::required("TEST_POSTGRES").expect("tests need a program that runs those of PostgreSQL");
    let mut command = Command::new(runs);
    command.arg(program).stdin(Stdio::null());
    command
}

impl Drop for Replicated {
    fn drop(&mut self) {
        self.stop(REPLICA);
        self.stop(PRIMARY);
    }
}
