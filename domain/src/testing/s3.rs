//! A store that speaks S3, with signatures and parts as a real one has them, which a test may cut off and bring back.

use std::{
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::artifacts::ArtifactStore;

const BUCKET: &str = "regix";
const KEY: &str = "test-key";
const SECRET: &str = "test-secret";

pub struct S3Server {
    port: u16,
    folder: TempDir,
    running: Mutex<Option<Runtime>>,
}

impl S3Server {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder for the bucket");
        std::fs::create_dir(folder.path().join(BUCKET)).expect("a bucket");
        let server = Self { port: super::free_port(), folder, running: Mutex::new(None) };
        server.run().await;
        server
    }

    /// Brings the server up, with what it held before.
    pub async fn run(&self) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let root = self.folder.path().to_owned();
        let port = self.port;
        runtime.spawn(async move { serve(&root, port).await });
        *self.running.lock().expect("nobody panicked") = Some(runtime);
        for _ in 0..400 {
            if tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the S3 server does not answer");
    }

    /// Cuts everybody off at once, whatever was under way.
    pub fn stop(&self) {
        if let Some(runtime) = self.running.lock().expect("nobody panicked").take() {
            runtime.shutdown_background();
        }
    }

    /// What a program needs to find and to be let into a part of the bucket.
    pub fn environment(&self, prefix: &str) -> Vec<(&'static str, String)> {
        let mut environment = vec![("ARTIFACT_URL", Self::url(prefix))];
        environment.extend(self.keys());
        environment
    }

    /// The part of the bucket, as a process of the product sees it.
    pub fn store(&self, prefix: &str, made_in: PathBuf) -> ArtifactStore {
        ArtifactStore::bucket(&Self::url(prefix), made_in, &self.keys()).expect("a bucket")
    }

    /// Where the server keeps what it holds: objects in folders by their keys, parts and notes of uploads beside them.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn url(prefix: &str) -> String {
        format!("s3://{BUCKET}/{prefix}")
    }

    fn keys(&self) -> [(&'static str, String); 4] {
        [
            ("AWS_ENDPOINT", format!("http://127.0.0.1:{}", self.port)),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ]
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn serve(root: &Path, port: u16) {
    let mut service = S3ServiceBuilder::new(FileSystem::new(root).expect("a folder for the bucket"));
    service.set_auth(SimpleAuth::from_single(KEY, SECRET));
    let service = service.build();
    // The one before lets go of the port when its last task ends.
    let listener = loop {
        match tokio::net::TcpListener::bind(("127.0.0.1", port)).await {
            Ok(listener) => break listener,
            Err(_) => tokio::time::sleep(Duration::from_millis(25)).await,
        }
    };
    while let Ok((socket, _)) = listener.accept().await {
        let service = service.clone();
        tokio::spawn(async move {
            // A client that goes away ends its connection as it likes.
            let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(socket), service).await;
        });
    }
}
