//! A Redis of the test's own, which it may empty, stop and start.

use std::{
    process::{Child, Command, Stdio},
    sync::Mutex,
};

use tempfile::TempDir;

use super::{Authority, eventually};

pub struct RedisServer {
    url: String,
    /// What the program is told of where it listens.
    listens: Vec<String>,
    folder: TempDir,
    child: Mutex<Option<Child>>,
}

impl RedisServer {
    /// # Panics
    /// When `TEST_REDIS_SERVER` does not name the program of a Redis server.
    pub async fn start() -> Self {
        Self::of(|port| (format!("redis://127.0.0.1:{port}"), vec!["--port".to_owned(), port.to_string()])).await
    }

    /// One that takes encrypted connections only.
    pub async fn encrypted(authority: &Authority) -> Self {
        let file = |name| authority.file(name).display().to_string();
        Self::of(|port| {
            let arguments = [("--port", "0".to_owned()), ("--tls-port", port.to_string()), ("--tls-auth-clients", "no".to_owned())];
            let files =
                [("--tls-cert-file", file("server.pem")), ("--tls-key-file", file("server.key")), ("--tls-ca-cert-file", file("ca.pem"))];
            let arguments = arguments.into_iter().chain(files).flat_map(|(name, value)| [name.to_owned(), value]).collect();
            (format!("rediss://127.0.0.1:{port}?{}", authority.believed()), arguments)
        })
        .await
    }

    async fn of(listens: impl Fn(u16) -> (String, Vec<String>)) -> Self {
        let (url, listens) = listens(domain::testing::free_port());
        let server = Self { url, listens, folder: tempfile::tempdir().unwrap(), child: Mutex::new(None) };
        server.run().await;
        server
    }

    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Starts the server, with nothing in it.
    pub async fn run(&self) {
        let program = domain::environment::required("TEST_REDIS_SERVER").expect("tests need the path of redis-server");
        let child = Command::new(program)
            .args(&self.listens)
            .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .current_dir(self.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("redis-server starts");
        *self.child.lock().unwrap() = Some(child);
        eventually("Redis answers", async || self.command(&["PING"]).await.ok()).await;
    }

    pub fn stop(&self) {
        if let Some(mut child) = self.child.lock().unwrap().take() {
            child.kill().expect("redis-server is there to be stopped");
            child.wait().expect("redis-server is gone");
        }
    }

    pub async fn command(&self, words: &[&str]) -> redis::RedisResult<redis::Value> {
        let mut connection = domain::tls::redis_client(&self.url).expect("an address of Redis").get_multiplexed_async_connection().await?;
        let mut command = redis::cmd(words[0]);
        for word in &words[1..] {
            command.arg(word);
        }
        command.query_async(&mut connection).await
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.stop();
    }
}
