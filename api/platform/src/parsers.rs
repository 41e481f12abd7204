//! Files of strangers are read in a child process, which can be stopped: it has little time and memory, no secret and no connection, and
//! goes when nobody waits for it any more. Its side is `api::parse` (docs/decisions/0073-files-of-strangers-are-read-by-a-child.md).

use std::{fs::File, path::PathBuf, process::Stdio, sync::Arc, time::Duration};

use serde::de::DeserializeOwned;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, Command},
    sync::{OwnedSemaphorePermit, Semaphore},
};

use crate::error::{Error, Result};

/// What is told of a file that takes too much.
pub const TOO_HEAVY: &str = "Fajl je presložen: čitanje je prekinuto jer je tražilo previše vremena ili memorije.";
const BUSY: &str = "Server upravo čita druge fajlove. Pokušajte ponovo za koji trenutak.";

/// Children at one time, in one api, and files of data beside them.
const AT_ONCE: usize = 2;
/// How long a call waits for its turn, at most as long as for the child.
const TURN: Duration = Duration::from_secs(15);
/// The longest answer of a child: a picture that was made smaller.
const LONGEST_ANSWER: u64 = 8 << 20;

/// What a child reads.
pub enum Input {
    Bytes(Vec<u8>),
    File(File),
}

#[derive(Clone)]
pub struct Parsers {
    program: PathBuf,
    turns: Arc<Semaphore>,
    sheets: Arc<Semaphore>,
    /// How long a call waits for its turn, and then for the child. The child's own limit is the time that it computes.
    wait: Duration,
    most: Duration,
}

impl Parsers {
    /// This program itself, also where its file was replaced by a newer one.
    pub fn own() -> Self {
        Self::of("/proc/self/exe".into(), Duration::from_secs(20))
    }

    pub fn of(program: PathBuf, most: Duration) -> Self {
        let places = || Arc::new(Semaphore::new(AT_ONCE));
        Self { program, turns: places(), sheets: places(), wait: most.min(TURN), most }
    }

    /// Leave to read a file of data in the api itself: each may take some hundred megabytes of memory. Whoever reads keeps it until the end,
    /// also where nobody waits for the answer any more.
    pub async fn sheet(&self) -> Result<OwnedSemaphorePermit> {
        let turn = tokio::time::timeout(self.wait, self.sheets.clone().acquire_owned()).await;
        Ok(turn.map_err(|_| Error::Unavailable(BUSY.into()))?.map_err(anyhow::Error::from)?)
    }

    /// What the child answers to `api parse` with these words; none where it was stopped.
    pub async fn read<T: DeserializeOwned>(&self, words: &[&str], input: Input) -> Result<Option<T>> {
        let turn = tokio::time::timeout(self.wait, self.turns.acquire()).await;
        let _turn = turn.map_err(|_| Error::Unavailable(BUSY.into()))?.map_err(anyhow::Error::from)?;
        let (stdin, bytes) = match input {
            Input::Bytes(bytes) => (Stdio::piped(), Some(bytes)),
            Input::File(file) => (Stdio::from(file), None),
        };
        let mut child = Command::new(&self.program)
            .arg("parse")
            .args(words)
            .env_clear()
            .current_dir("/")
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Whoever stops waiting, by its own time or because the caller has gone, stops the child.
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| anyhow::Error::from(error).context("no child process to read a file"))?;
        match tokio::time::timeout(self.most, answer(&mut child, bytes)).await {
            Ok(Some(answer)) => Ok(Some(serde_json::from_slice(&answer).map_err(anyhow::Error::from)?)),
            ended => {
                // By its end the child is gone, and not only on its way.
                child.kill().await.map_err(anyhow::Error::from)?;
                tracing::warn!(task = words[0], in_time = ended.is_ok(), "reading a file was stopped");
                Ok(None)
            }
        }
    }
}

/// All that the child says; none where it did not come to an end.
async fn answer(child: &mut Child, bytes: Option<Vec<u8>>) -> Option<Vec<u8>> {
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take()?);
    let send = async {
        if let (Some(mut stdin), Some(bytes)) = (stdin, bytes) {
            // A child that has ended hears nothing more, which its end says.
            let _ = stdin.write_all(&bytes).await;
        }
    };
    let mut said = Vec::new();
    let hear = async { stdout.take(LONGEST_ANSWER).read_to_end(&mut said).await.is_ok() };
    let ((), heard) = tokio::join!(send, hear);
    let ended = child.wait().await.is_ok_and(|status| status.success());
    (heard && ended).then_some(said)
}
