//! The store as a folder: a file is made durable, then gets its name, then the folder is made durable.

use std::{
    fs::{self, DirEntry, File, OpenOptions},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use uuid::Uuid;

use super::{MARK, StoreState, make_folder};
use crate::environment;

/// Megabytes below which the folder is full, where the environment does not say.
pub(super) const LEAST_FREE_MB: u64 = 256;

#[derive(Clone)]
pub(super) struct Folder {
    root: Arc<Path>,
}

impl Folder {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root: root.into() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.root
    }

    pub(super) async fn look(&self) -> io::Result<StoreState> {
        self.aside(look).await
    }

    pub(super) async fn keep(&self, draft: &Path, name: &str) -> io::Result<()> {
        let (draft, name) = (draft.to_owned(), name.to_owned());
        self.aside(move |root| {
            File::open(&draft)?.sync_all()?;
            let target = root.join(name);
            let folder = target.parent().unwrap_or(root);
            make_folder(folder)?;
            fs::rename(draft, &target)?;
            File::open(folder)?.sync_all()
        })
        .await
    }

    pub(super) async fn open(&self, name: &str) -> io::Result<Option<File>> {
        let name = name.to_owned();
        self.aside(move |root| match File::open(root.join(name)) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    pub(super) async fn remove(&self, name: &str) -> io::Result<()> {
        let name = name.to_owned();
        self.aside(move |root| match fs::remove_file(root.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
        .await
    }

    /// Files stand in folders whose names have two letters.
    pub(super) async fn old(&self, age: Duration) -> io::Result<Vec<String>> {
        self.aside(move |root| {
            let mut files = Vec::new();
            for shard in entries(root)?.iter().filter(|entry| entry.file_name().len() == 2 && entry.path().is_dir()) {
                let shard_name = shard.file_name().to_string_lossy().into_owned();
                for file in entries(&shard.path())?.iter().filter(|entry| is_old(entry, age)) {
                    files.push(format!("{shard_name}/{}", file.file_name().to_string_lossy()));
                }
            }
            Ok(files)
        })
        .await
    }

    /// A program that has looked at the folder has left its mark there, and one that makes files the empty folder of its drafts.
    pub(super) async fn is_empty(&self) -> io::Result<bool> {
        self.aside(|root| match entries(root) {
            Ok(entries) => Ok(entries.iter().all(|entry| {
                entry.file_name() == MARK
                    || (entry.file_name() == super::DRAFTS && fs::read_dir(entry.path()).is_ok_and(|mut left| left.next().is_none()))
            })),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(error),
        })
        .await
    }

    async fn aside<T: Send + 'static>(&self, work: impl FnOnce(&Path) -> io::Result<T> + Send + 'static) -> io::Result<T> {
        let root = self.root.clone();
        tokio::task::spawn_blocking(move || work(&root)).await.map_err(io::Error::other)?
    }
}

/// Whether this was last written so long ago; of what has no time, nobody knows.
pub(super) fn is_old(entry: &DirEntry, age: Duration) -> bool {
    let written = entry.metadata().and_then(|meta| meta.modified());
    written.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|passed| passed > age))
}

fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    fs::read_dir(folder)?.collect()
}

/// Looks at the folder, and marks it where nobody has yet.
fn look(root: &Path) -> io::Result<StoreState> {
    let mark = match read_mark(root) {
        Err(error) if error.kind() == ErrorKind::NotFound => write_mark(root)?,
        mark => mark?,
    };
    let volume = rustix::fs::statvfs(root)?;
    let free = volume.f_bavail.saturating_mul(volume.f_frsize);
    Ok(StoreState { mark, free: Some(free), full: free < least_free() })
}

fn least_free() -> u64 {
    environment::number("STORE_MIN_FREE_MB", LEAST_FREE_MB).unwrap_or(LEAST_FREE_MB).saturating_mul(1 << 20)
}

fn read_mark(root: &Path) -> io::Result<Uuid> {
    let text = fs::read_to_string(root.join(MARK))?;
    text.trim().parse().map_err(|_| io::Error::new(ErrorKind::InvalidData, "the mark of the folder of artifacts is no UUID"))
}

/// Two that do this at once end with one mark: only one of the names is new.
fn write_mark(root: &Path) -> io::Result<Uuid> {
    make_folder(root)?;
    let mark = Uuid::now_v7();
    let draft = root.join(format!("{MARK}-{mark}"));
    let mut file: File = OpenOptions::new().write(true).create_new(true).open(&draft)?;
    file.write_all(mark.to_string().as_bytes())?;
    file.sync_all()?;
    let linked = fs::hard_link(&draft, root.join(MARK));
    fs::remove_file(&draft)?;
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => read_mark(root),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_keeps_its_mark_and_another_has_another() {
        let [first, second] = ["a", "b"].map(|name| std::env::temp_dir().join(format!("regix-mark-{}-{name}", Uuid::now_v7().simple())));
        let marks: Vec<Uuid> = std::thread::scope(|scope| {
            let lookers: Vec<_> = (0..8).map(|_| scope.spawn(|| look(&first).unwrap().mark)).collect();
            lookers.into_iter().map(|looker| looker.join().unwrap()).collect()
        });
        assert!(marks.iter().all(|mark| *mark == marks[0]), "whoever comes first marks the folder for all");
        assert_ne!(look(&second).unwrap().mark, marks[0]);
        assert!(look(&first).unwrap().free.is_some_and(|free| free > 0));
        for folder in [first, second] {
            fs::remove_dir_all(folder).unwrap();
        }
    }
}
