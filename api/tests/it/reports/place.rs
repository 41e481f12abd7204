//! The real programs beside each other: apis, engines and schedulers on one database and a Redis of their own.

use std::{
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use domain::{environment, testing::free_port};
use serde_json::Value;
use uuid::Uuid;

use super::eventually;
use crate::support::{TestApp, Worker};

/// A program of the workspace, with the environment that all of them share.
pub struct Program(Child);

impl Program {
    fn start(name: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let beside = Path::new(env!("CARGO_BIN_EXE_api")).with_file_name(name);
        assert!(beside.exists(), "{} is not built: this test runs with the whole workspace", beside.display());
        let process = Command::new(beside).args(arguments).envs(environment.iter().copied()).env("RUST_LOG", "error").spawn();
        Self(process.expect("the program starts"))
    }

    /// `kill -9`: nothing in the process gets to know.
    pub fn kill(mut self) {
        self.0.kill().expect("it is there to be killed");
        self.0.wait().expect("it has ended");
    }
}

impl Program {
    /// Waits until it has ended by itself; gives whether it called that a success.
    pub async fn ended(&mut self) -> bool {
        let process = std::sync::Mutex::new(&mut self.0);
        eventually("the program ends", async || process.lock().unwrap().try_wait().unwrap()).await.success()
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
pub struct Place {
    pub app: TestApp,
    _redis: Program,
    pub redis_url: String,
    pub folder: tempfile::TempDir,
}

impl Place {
    pub async fn new() -> Self {
        let server = environment::required("TEST_REDIS_SERVER").expect("tests start a Redis of their own");
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

    pub fn start(&self, name: &str, arguments: &[&str], more: &[(&str, &str)]) -> Program {
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
    pub async fn calls(&self) -> usize {
        let client = redis::Client::open(self.redis_url.as_str()).expect("the URL of a Redis");
        let mut redis = client.get_multiplexed_async_connection().await.expect("Redis answers");
        let mut calls = redis::pipe();
        calls.zcard("reports:interactive:scheduled").llen("reports:interactive:active");
        let (due, active): (usize, usize) = calls.query_async(&mut redis).await.expect("the lengths of the queue");
        due + active
    }

    /// An api process, once it answers.
    pub async fn api(&self, redis_url: &str) -> (Program, String) {
        self.api_with(&[("REDIS_URL", redis_url)]).await
    }

    pub async fn api_with(&self, more: &[(&str, &str)]) -> (Program, String) {
        let port = free_port().to_string();
        let mut environment = more.to_vec();
        environment.extend([("BIND", "127.0.0.1"), ("PORT", port.as_str())]);
        let api = self.start("api", &["serve"], &environment);
        let address = format!("http://127.0.0.1:{port}");
        eventually("the api answers", async || reqwest::get(format!("{address}/api/application")).await.ok()).await;
        (api, address)
    }
}

pub async fn ask(address: &str, worker: &Worker, request: &Value) -> Uuid {
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
