//! A Redis of the test's own, which it may empty, stop and start.

use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
    sync::Mutex,
};

use tempfile::TempDir;

use super::eventually;

pub struct RedisServer {
    port: u16,
    folder: TempDir,
    child: Mutex<Option<Child>>,
}

impl RedisServer {
    /// # Panics
    /// When `TEST_REDIS_SERVER` does not name the program of a Redis server.
    pub async fn start() -> Self {
        // The port is free for a moment at least, and nobody else is given it that soon.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Self { port, folder: tempfile::tempdir().unwrap(), child: Mutex::new(None) };
        server.run().await;
        server
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Starts the server, with nothing in it.
    pub async fn run(&self) {
        let program = domain::config::required("TEST_REDIS_SERVER").expect("tests need the path of redis-server");
        let child = Command::new(program)
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
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
        let mut connection = redis::Client::open(self.url())?.get_multiplexed_async_connection().await?;
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
