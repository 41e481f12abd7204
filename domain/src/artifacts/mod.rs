//! Where the files of reports are kept: a folder that all hosts share, or a bucket of any store that speaks S3.
//!
//! A file is there whole or not at all. It is made in a folder of the host's own (its draft), then kept under the name that a run's row
//! carries; nobody writes it again, and it is read through a file of the reader's own host.

mod bucket;
mod folder;

use std::{
    fs::{DirBuilder, File},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Component, Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use sqlx::PgPool;
use uuid::Uuid;

use crate::environment;
use bucket::Bucket;
use folder::Folder;

/// The one file in the store that is of no report: its content is the same for all who see the same store.
pub const MARK: &str = ".skladiste";

/// Below the folder of artifacts: the files that are being made.
const DRAFTS: &str = "u-izradi";

/// How long a store may be silent before it is taken for out of reach.
const SILENCE: Duration = Duration::from_secs(4);

/// What a process sees of its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreState {
    /// The same for all processes that see the same store.
    pub mark: Uuid,
    /// Bytes that may still be written; a bucket tells nobody.
    pub free: Option<u64>,
    pub full: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The store did not answer, or refused. What was begun there is not seen by anybody.
    #[error("the store of artifacts: {}", with_causes(.0))]
    Away(object_store::Error),
}

/// An error and what it came of, which the client of buckets leaves out: that a certificate is not believed, for one.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !told.contains(&text) {
            told = format!("{told}: {text}");
        }
        cause = error.source();
    }
    told
}

#[derive(Clone)]
pub struct ArtifactStore {
    place: Place,
    drafts: PathBuf,
}

#[derive(Clone)]
enum Place {
    Folder(Folder),
    Bucket(Arc<Bucket>),
}

impl ArtifactStore {
    /// `ARTIFACT_URL` names a bucket; without it the files are in `ARTIFACT_DIR`.
    pub fn from_env() -> anyhow::Result<Self> {
        // Read where it is asked; a wrong one is told before anything is done.
        environment::within("STORE_MIN_FREE_MB", folder::LEAST_FREE_MB, 0, 1 << 40)?;
        match environment::optional("ARTIFACT_URL", "").as_str() {
            "" => Ok(Self::folder(environment::required("ARTIFACT_DIR")?.into())),
            url => {
                let made_in = std::env::temp_dir().join("regix");
                let made_in = environment::optional("ARTIFACT_DIR", &made_in.to_string_lossy());
                Self::bucket(url, made_in.into(), &[]).context("ARTIFACT_URL")
            }
        }
    }

    pub fn folder(root: PathBuf) -> Self {
        Self { drafts: root.join(DRAFTS), place: Place::Folder(Folder::new(root)) }
    }

    /// A bucket by its `s3://bucket/prefix`. Whom to ask, and as whom, says the environment by the names that AWS gave its variables, and
    /// `more` over it. Drafts are made below `made_in`.
    pub fn bucket(url: &str, made_in: PathBuf, more: &[(&str, String)]) -> anyhow::Result<Self> {
        Ok(Self { drafts: made_in.join(DRAFTS), place: Place::Bucket(Arc::new(Bucket::new(url, more)?)) })
    }

    /// Where it is, for people: nothing of it is secret.
    pub fn place(&self) -> String {
        match &self.place {
            Place::Folder(folder) => folder.path().display().to_string(),
            Place::Bucket(bucket) => bucket.address().to_owned(),
        }
    }

    /// The folder in which this host makes files before they are kept; it is made when it is not there.
    pub fn drafts(&self) -> io::Result<&Path> {
        make_folder(&self.drafts)?;
        Ok(&self.drafts)
    }

    /// What is seen of the store; it is marked where nobody has yet. `None`, told to the log: it cannot be used. Who `writes` asks after a
    /// failure whether it may.
    pub async fn look(&self, writes: bool) -> Option<StoreState> {
        let looked = tokio::time::timeout(SILENCE, async {
            match &self.place {
                Place::Folder(folder) => folder.look().await.map_err(StoreError::Io),
                Place::Bucket(bucket) => bucket.look(writes).await,
            }
        });
        match looked.await {
            Ok(Ok(state)) => Some(state),
            Ok(Err(error)) => {
                tracing::error!(%error, "the store of artifacts cannot be used");
                None
            }
            Err(_) => {
                tracing::error!("the store of artifacts cannot be used: it does not answer");
                None
            }
        }
    }

    /// Keeps a finished draft under this name; the draft may be gone afterwards. `db` remembers what a dying process would leave unfinished.
    pub async fn keep(&self, db: Option<&PgPool>, draft: &Path, name: &str) -> Result<(), StoreError> {
        plain(name)?;
        match &self.place {
            Place::Folder(folder) => Ok(folder.keep(draft, name).await?),
            Place::Bucket(bucket) => bucket.keep(db, draft, name).await,
        }
    }

    /// Opens a file at its beginning; one from a bucket is brought to this host first. `None`: there is none of this name.
    pub async fn open(&self, name: &str) -> Result<Option<File>, StoreError> {
        plain(name)?;
        match &self.place {
            Place::Folder(folder) => Ok(folder.open(name).await?),
            Place::Bucket(bucket) => bucket.open(name).await,
        }
    }

    /// A file that is gone already is as good as removed.
    pub async fn remove(&self, name: &str) -> Result<(), StoreError> {
        plain(name)?;
        match &self.place {
            Place::Folder(folder) => Ok(folder.remove(name).await?),
            Place::Bucket(bucket) => bucket.remove(name).await,
        }
    }

    /// The names of the files that are older than this.
    pub async fn old(&self, age: Duration) -> Result<Vec<String>, StoreError> {
        match &self.place {
            Place::Folder(folder) => Ok(folder.old(age).await?),
            Place::Bucket(bucket) => bucket.old(age).await,
        }
    }

    /// Gives up what dead processes began to write so long ago; gives how much.
    pub async fn abort_old(&self, db: &PgPool, age: Duration) -> anyhow::Result<usize> {
        match &self.place {
            Place::Folder(_) => Ok(0),
            Place::Bucket(bucket) => bucket.abort_old(db, age).await,
        }
    }

    /// Whether no file is there; the mark is none.
    pub async fn is_empty(&self) -> Result<bool, StoreError> {
        match &self.place {
            Place::Folder(folder) => Ok(folder.is_empty().await?),
            Place::Bucket(bucket) => bucket.is_empty().await,
        }
    }
}

/// Only the product's own user reads what is in here.
pub fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o750).create(path)
}

/// A stored name that leads out of the store is a broken row.
fn plain(name: &str) -> io::Result<()> {
    let path = Path::new(name);
    if path.components().next().is_some() && path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "the name of a file leads out of the store of artifacts"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_name_stays_within_the_store() {
        assert!(plain("2026/11/a.pdf").is_ok());
        for name in ["", "/etc/passwd", "../secret", "a/../../secret", "./a"] {
            assert!(plain(name).is_err(), "{name}");
        }
    }
}
