//! The artifact folder: a file is written aside, made durable, and only then gets the name that a run's row carries.

use std::{
    fs::{self, DirBuilder, File},
    io::{self, Read},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use domain::runs::{Artifact, Lease};
use sha2::{Digest, Sha256};
use sqlx::PgPool;

use crate::{plan::Format, render::Rendered};

const DRAFTS: &str = "u-izradi";

/// A file that no run knows of after this time belongs to an engine that died.
const ORPHAN_AGE: Duration = Duration::from_secs(6 * 3600);

#[derive(Clone)]
pub struct Store {
    root: PathBuf,
}

/// The unfinished files of one attempt; what is left of them goes with it.
pub struct Draft {
    folder: PathBuf,
    stem: String,
}

impl Store {
    pub fn open(root: PathBuf) -> io::Result<Self> {
        make_folder(&root.join(DRAFTS))?;
        Ok(Self { root })
    }

    /// A place for the files of this attempt. The fence is in every name: two attempts never share one.
    pub fn draft(&self, lease: Lease) -> io::Result<Draft> {
        let stem = format!("{}-{}", lease.run.simple(), lease.fence);
        let folder = self.root.join(DRAFTS).join(&stem);
        make_folder(&folder)?;
        Ok(Draft { folder, stem })
    }

    /// Makes a finished file durable under its final name. Blocks.
    pub fn publish(&self, draft: &Draft, format: Format, rendered: &Rendered) -> io::Result<Artifact> {
        let source = draft.path(format);
        let (bytes, sha256) = sync_and_hash(&source)?;
        // The last digits of a version 7 UUID are random: they spread the files evenly.
        let shard = &draft.stem[30..32];
        make_folder(&self.root.join(shard))?;
        let path = format!("{shard}/{}.{}", draft.stem, format.extension());
        fs::rename(&source, self.root.join(&path))?;
        File::open(self.root.join(shard))?.sync_all()?;
        Ok(Artifact {
            format: format.to_string(),
            path,
            bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
            sha256,
            rows: i64::try_from(rendered.rows).unwrap_or(i64::MAX),
        })
    }

    /// Removes files whose run ended otherwise.
    pub fn discard(&self, artifacts: &[Artifact]) {
        for artifact in artifacts {
            if let Err(error) = fs::remove_file(self.root.join(&artifact.path)) {
                tracing::warn!(%error, "a file of an abandoned run was not removed");
            }
        }
    }

    pub fn read(&self, relative: &str) -> io::Result<Vec<u8>> {
        fs::read(self.root.join(relative))
    }

    /// Removes what engines left behind when they died: drafts, and finished files that no row names.
    pub async fn sweep_orphans(&self, app: &PgPool) -> anyhow::Result<usize> {
        let root = self.root.clone();
        let (drafts, files) = tokio::task::spawn_blocking(move || old_things(&root)).await??;
        let mut removed = 0;
        for draft in drafts {
            removed += usize::from(fs::remove_dir_all(draft).is_ok());
        }
        for batch in files.chunks(500) {
            let known = sqlx::query_scalar!("select path from report_artifact where path = any($1)", batch).fetch_all(app).await?;
            for path in batch.iter().filter(|path| !known.contains(path)) {
                removed += usize::from(fs::remove_file(self.root.join(path)).is_ok());
            }
        }
        Ok(removed)
    }
}

impl Draft {
    pub fn path(&self, format: Format) -> PathBuf {
        self.folder.join(format!("izvestaj.{}", format.extension()))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            tracing::warn!(%error, "the drafts of a run were not removed");
        }
    }
}

/// Only the product's own user reads what is in here.
fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o750).create(path)
}

fn sync_and_hash(path: &Path) -> io::Result<(u64, Vec<u8>)> {
    let mut file = File::open(path)?;
    file.sync_all()?;
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

/// Old draft folders, and old files in the shards by their relative paths.
fn old_things(root: &Path) -> io::Result<(Vec<PathBuf>, Vec<String>)> {
    let old = |entry: &fs::DirEntry| {
        let age = entry.metadata().and_then(|meta| meta.modified()).map(|at| SystemTime::now().duration_since(at));
        matches!(age, Ok(Ok(age)) if age > ORPHAN_AGE)
    };
    let entries = |path: &Path| -> io::Result<Vec<fs::DirEntry>> { fs::read_dir(path)?.collect() };
    let drafts = entries(&root.join(DRAFTS))?.iter().filter(|entry| old(entry)).map(fs::DirEntry::path).collect();
    let mut files = Vec::new();
    for shard in entries(root)?.iter().filter(|entry| entry.file_name().len() == 2 && entry.path().is_dir()) {
        let shard_name = shard.file_name().to_string_lossy().into_owned();
        for file in entries(&shard.path())?.iter().filter(|entry| old(entry)) {
            files.push(format!("{shard_name}/{}", file.file_name().to_string_lossy()));
        }
    }
    Ok((drafts, files))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn rendered(rows: u64) -> Rendered {
        Rendered { rows, bytes: 0, pages: None, truncated: false, missing_glyphs: Vec::new() }
    }

    #[test]
    fn a_published_file_is_complete_and_its_draft_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_owned()).unwrap();
        let draft = store.draft(Lease { run: Uuid::now_v7(), fence: 3, attempt: 1 }).unwrap();
        fs::write(draft.path(Format::Csv), "šifra;broj\n").unwrap();
        let artifact = store.publish(&draft, Format::Csv, &rendered(1)).unwrap();
        let drafts = draft.folder.clone();
        drop(draft);
        assert_eq!(store.read(&artifact.path).unwrap(), "šifra;broj\n".as_bytes());
        assert_eq!(artifact.bytes, 12);
        assert_eq!(hex::encode(&artifact.sha256), hex::encode(Sha256::digest("šifra;broj\n")));
        assert!(artifact.path.ends_with("-3.csv"), "the fence is in the name");
        assert!(!drafts.exists());
    }

    #[test]
    fn two_attempts_at_one_run_never_write_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_owned()).unwrap();
        let run = Uuid::now_v7();
        let paths = [1, 2].map(|fence| store.draft(Lease { run, fence, attempt: 1 }).unwrap().path(Format::Pdf));
        assert_ne!(paths[0], paths[1]);
    }
}
