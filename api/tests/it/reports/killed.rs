//! The api process is killed between the commit of a run and the call that would wake an engine.

use std::{
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use domain::config;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Report, eventually};
use crate::support::{TestApp, Worker};

/// A program of the workspace, with the environment that all of them share.
struct Program(Child);

impl Program {
    fn start(name: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let beside = Path::new(env!("CARGO_BIN_EXE_api")).with_file_name(name);
        assert!(beside.exists(), "{} is not built: this test runs with the whole workspace", beside.display());
        let process = Command::new(beside).args(arguments).envs(environment.iter().copied()).env("RUST_LOG", "error").spawn();
        Self(process.expect("the program starts"))
    }

    /// `kill -9`: nothing in the process gets to know.
    fn kill(mut self) {
        self.0.kill().expect("it is there to be killed");
        self.0.wait().expect("it has ended");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What the programs need besides the database: a Redis of their own and folders.
struct Place {
    app: TestApp,
    _redis: Program,
    redis_url: String,
    folder: tempfile::TempDir,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port()
}

impl Place {
    async fn new() -> Self {
        let server = config::required("TEST_REDIS_SERVER").expect("tests start a Redis of their own");
        let port = free_port();
        let redis = Command::new(server)
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .stdout(Stdio::null())
            .spawn()
            .expect("the Redis of TEST_REDIS_SERVER starts");
        eventually("Redis answers", async || TcpStream::connect(("127.0.0.1", port)).ok()).await;
        let folder = tempfile::tempdir().expect("a folder");
        for part in ["artifacts", "templates/reports"] {
            std::fs::create_dir_all(folder.path().join(part)).expect("a folder");
        }
        let letters = concat!(env!("CARGO_MANIFEST_DIR"), "/../templates/email");
        std::os::unix::fs::symlink(letters, folder.path().join("templates/email")).expect("a link");
        let template = |ending: &str| -> PathBuf { folder.path().join("templates/reports/djaci").with_extension(ending) };
        std::fs::write(template("hbs"), r#"{{#report}}{{col "a" head="A"}}{{/report}}"#).expect("a template");
        std::fs::write(template("sql"), "select 1 as a").expect("a query");
        Self { app: TestApp::new().await, _redis: Program(redis), redis_url: format!("redis://127.0.0.1:{port}"), folder }
    }

    fn start(&self, name: &str, arguments: &[&str], more: &[(&str, &str)]) -> Program {
        let (artifacts, templates) = (self.folder.path().join("artifacts"), self.folder.path().join("templates"));
        let mut environment = vec![
            ("DATABASE_URL", self.app.db.app_url.as_str()),
            ("REPORT_DATABASE_URL", &self.app.db.report_url),
            ("REDIS_URL", &self.redis_url),
            ("SMTP_URL", "smtp://127.0.0.1:9"),
            ("MAIL_FROM", "Regix <regix@bolnica.test>"),
            ("PUBLIC_URL", "https://regix.test"),
            ("ARTIFACT_DIR", artifacts.to_str().expect("a plain path")),
            ("TEMPLATE_DIR", templates.to_str().expect("a plain path")),
            ("SCHEDULER_TICK_SECONDS", "1"),
            ("SCHEDULER_SWEEP_SECONDS", "1"),
            // The sweep wakes the engines here, not their own looking around.
            ("ENGINE_POLL_SECONDS", "3600"),
        ];
        environment.extend(more);
        Program::start(name, arguments, &environment)
    }

    /// Wake-up calls that wait in Redis.
    async fn calls(&self) -> usize {
        let client = redis::Client::open(self.redis_url.as_str()).expect("the URL of a Redis");
        let mut redis = client.get_multiplexed_async_connection().await.expect("Redis answers");
        let mut calls = redis::pipe();
        calls.zcard("reports:interactive:scheduled").llen("reports:interactive:active");
        let (due, active): (usize, usize) = calls.query_async(&mut redis).await.expect("the lengths of the queue");
        due + active
    }

    /// An api process, once it answers.
    async fn api(&self, redis_url: &str) -> (Program, String) {
        let port = free_port().to_string();
        let api = self.start("api", &["serve"], &[("REDIS_URL", redis_url), ("BIND", "127.0.0.1"), ("PORT", &port)]);
        let address = format!("http://127.0.0.1:{port}");
        eventually("the api answers", async || reqwest::get(format!("{address}/api/application")).await.ok()).await;
        (api, address)
    }
}

async fn ask(address: &str, worker: &Worker, request: &Value) -> Uuid {
    let call = reqwest::Client::new()
        .post(format!("{address}/api/report-queue"))
        .header("authorization", format!("Regix {}", worker.token))
        .header("content-type", "application/json")
        .body(request.to_string());
    let answer = call.send().await.expect("the api answers");
    assert_eq!(answer.status(), 202);
    let body: Value = serde_json::from_slice(&answer.bytes().await.expect("a body")).expect("json");
    body["izvestajID"].as_str().expect("the run's id").parse().expect("a uuid")
}

#[derive(Debug, PartialEq, sqlx::FromRow)]
struct Run {
    status: String,
    attempt: i32,
    fence: i64,
    told: bool,
    files: i64,
}

async fn runs(place: &Place) -> Vec<Run> {
    sqlx::query_as(
        "select status, attempt, fence, dispatched_at is not null as told,
                (select count(*) from report_artifact a where a.run_id = r.id) as files from report_run r",
    )
    .fetch_all(&place.app.db.owner)
    .await
    .expect("the runs")
}

#[tokio::test]
async fn a_run_whose_api_was_killed_before_it_told_redis_happens_exactly_once() {
    let place = Place::new().await;
    let lekar = place.app.lekar().await;
    let report = Report::plain(&place.app.db).await;
    let mut request = report.request(&lekar, json!({}));
    request["formati"] = json!(["CSV"]);
    request["kljuc"] = json!(Uuid::now_v7());

    // A Redis that takes connections and never says a word: the push cannot end, so the kill comes before its end.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let (api, address) = place.api(&format!("redis://{}", silent.local_addr().expect("an address"))).await;
    let run = ask(&address, &lekar, &request).await;
    api.kill();
    let waiting = Run { status: "queued".into(), attempt: 0, fence: 0, told: false, files: 0 };
    assert_eq!(runs(&place).await, [waiting], "committed, and nobody was told");

    // The client has had an answer that a dying process may as well have swallowed: it asks another process again.
    let (next, address) = place.api(&place.redis_url).await;
    assert_eq!(ask(&address, &lekar, &request).await, run, "the same run");
    assert_eq!(runs(&place).await.len(), 1);

    let _schedulers = [place.start("scheduler", &[], &[]), place.start("scheduler", &[], &[])];
    eventually("the sweep tells", async || (runs(&place).await[0].told && place.calls().await == 1).then_some(())).await;
    let _engines = [place.start("report-engine", &[], &[]), place.start("report-engine", &[], &[])];
    eventually("the run ends", async || (runs(&place).await[0].status == "succeeded").then_some(())).await;
    let once = Run { status: "succeeded".into(), attempt: 1, fence: 1, told: true, files: 1 };
    assert_eq!(runs(&place).await, [once]);
    next.kill();
}
