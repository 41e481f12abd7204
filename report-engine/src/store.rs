//! The files of runs: each is made in a draft of the host's own, then kept in the store under the name that the run's row carries.

use std::{
    fmt, fs,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use domain::{
    artifacts::{ArtifactStore, StoreError, make_folder},
    runs::{Artifact, Lease},
};
use sha2::{Digest, Sha256};
use sqlx::PgPool;

use crate::{plan::Format, render::RenderedFile};

/// A file that no run knows of after this time belongs to an engine that died.
const ORPHAN_AGE: Duration = Duration::from_secs(6 * 3600);

/// What a file of a run is: a report in one of its formats, or the archive of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Report(Format),
    Archive,
}

impl FileKind {
    fn extension(self) -> &'static str {
        match self {
            Self::Report(format) => format.extension(),
            Self::Archive => "zip",
        }
    }
}

impl From<Format> for FileKind {
    fn from(format: Format) -> Self {
        Self::Report(format)
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Report(format) => format.fmt(f),
            Self::Archive => f.write_str("ZIP"),
        }
    }
}

#[derive(Clone)]
pub struct Store {
    artifacts: ArtifactStore,
    /// Remembers uploads, so that what a dying engine leaves of them is swept.
    app: PgPool,
}

/// The unfinished files of one attempt; what is left of them goes with it.
pub struct Draft {
    folder: PathBuf,
    stem: String,
}

impl Store {
    pub fn open(artifacts: ArtifactStore, app: PgPool) -> io::Result<Self> {
        artifacts.drafts()?;
        Ok(Self { artifacts, app })
    }

    /// A place for the files of this attempt. The fence is in every name: two attempts never share one.
    pub fn draft(&self, lease: Lease) -> io::Result<Draft> {
        let stem = format!("{}-{}", lease.run.simple(), lease.fence);
        let folder = self.artifacts.drafts()?.join(&stem);
        make_folder(&folder)?;
        Ok(Draft { folder, stem })
    }

    /// Keeps a finished file under its final name.
    pub async fn publish(&self, draft: &Draft, kind: impl Into<FileKind>, rendered: &RenderedFile) -> Result<Artifact, StoreError> {
        let kind = kind.into();
        let source = draft.path(kind);
        let hashed = source.clone();
        let (bytes, sha256) = tokio::task::spawn_blocking(move || hash(&hashed)).await.map_err(io::Error::other)??;
        // The last digits of a version 7 UUID are random: they spread the files evenly.
        let shard = &draft.stem[30..32];
        let path = format!("{shard}/{}.{}", draft.stem, kind.extension());
        self.artifacts.keep(Some(&self.app), &source, &path).await?;
        Ok(Artifact {
            format: kind.to_string(),
            path,
            bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
            sha256,
            rows: i64::try_from(rendered.rows).unwrap_or(i64::MAX),
        })
    }

    /// Removes files whose run ended otherwise.
    pub async fn discard(&self, artifacts: &[Artifact]) {
        for artifact in artifacts {
            if let Err(error) = self.artifacts.remove(&artifact.path).await {
                tracing::warn!(%error, "a file of an abandoned run was not removed");
            }
        }
    }

    pub async fn read(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        let gone = || io::Error::new(io::ErrorKind::NotFound, "a file of the run is gone");
        Ok(self.find(name).await?.ok_or_else(gone)?)
    }

    /// None: it is not there.
    pub async fn find(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(mut file) = self.artifacts.open(name).await? else { return Ok(None) };
        let read = tokio::task::spawn_blocking(move || {
            let mut content = Vec::new();
            file.read_to_end(&mut content).map(|_| content)
        });
        Ok(Some(read.await.map_err(io::Error::other)??))
    }

    /// Removes what engines left behind when they died: drafts on this host, unfinished uploads, and kept files that no row names.
    pub async fn sweep_orphans(&self) -> anyhow::Result<usize> {
        let drafts = self.artifacts.drafts()?.to_owned();
        let mut removed = tokio::task::spawn_blocking(move || remove_old_drafts(&drafts)).await??;
        removed += self.artifacts.abort_old(&self.app, ORPHAN_AGE).await?;
        let files = self.artifacts.old(ORPHAN_AGE).await?;
        for batch in files.chunks(500) {
            let known = sqlx::query_scalar!("select path from report_artifact where path = any($1)", batch).fetch_all(&self.app).await?;
            for path in batch.iter().filter(|path| !known.contains(path)) {
                removed += usize::from(self.artifacts.remove(path).await.is_ok());
            }
        }
        Ok(removed)
    }
}

impl Draft {
    pub fn path(&self, kind: impl Into<FileKind>) -> PathBuf {
        self.folder.join(format!("izvestaj.{}", kind.into().extension()))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            tracing::warn!(%error, "the drafts of a run were not removed");
        }
    }
}

fn hash(path: &Path) -> io::Result<(u64, Vec<u8>)> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((bytes, hash.finalize().to_vec()));
        }
        hash.update(&buffer[..read]);
        bytes += read as u64;
    }
}

fn remove_old_drafts(folder: &Path) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let age = entry.metadata().and_then(|meta| meta.modified()).map(|at| SystemTime::now().duration_since(at));
        if matches!(age, Ok(Ok(age)) if age > ORPHAN_AGE) {
            removed += usize::from(fs::remove_dir_all(entry.path()).is_ok());
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use domain::testing;
    use uuid::Uuid;

    use super::*;

    fn rendered(rows: u64) -> RenderedFile {
        RenderedFile { rows, bytes: 0, pages: None, truncated: false, missing_glyphs: Vec::new() }
    }

    #[tokio::test]
    async fn a_published_file_is_complete_and_its_draft_is_gone() {
        let (folder, db) = (tempfile::tempdir().unwrap(), testing::empty_database().await);
        let store = Store::open(ArtifactStore::folder(folder.path().to_owned()), db.owner.clone()).unwrap();
        let draft = store.draft(Lease { run: Uuid::now_v7(), fence: 3, attempt: 1 }).unwrap();
        fs::write(draft.path(Format::Csv), "šifra;broj\n").unwrap();
        let artifact = store.publish(&draft, Format::Csv, &rendered(1)).await.unwrap();
        let drafts = draft.folder.clone();
        drop(draft);
        assert_eq!(store.read(&artifact.path).await.unwrap(), "šifra;broj\n".as_bytes());
        assert_eq!(artifact.bytes, 12);
        assert_eq!(hex::encode(&artifact.sha256), hex::encode(Sha256::digest("šifra;broj\n")));
        assert!(artifact.path.ends_with("-3.csv"), "the fence is in the name");
        assert!(!drafts.exists());
    }

    #[tokio::test]
    async fn two_attempts_at_one_run_never_write_the_same_file() {
        let (folder, db) = (tempfile::tempdir().unwrap(), testing::empty_database().await);
        let store = Store::open(ArtifactStore::folder(folder.path().to_owned()), db.owner.clone()).unwrap();
        let run = Uuid::now_v7();
        let paths = [1, 2].map(|fence| store.draft(Lease { run, fence, attempt: 1 }).unwrap().path(Format::Pdf));
        assert_ne!(paths[0], paths[1]);
    }
}
