//! `api backup FILE` and `api restore FILE`: the whole installation in one file. The database as `pg_dump` writes it, the files of
//! reports, and the templates; not the sign-ins that were open, nor the programs that ran.

pub(crate) mod archive;
mod make;
mod postgres;
mod rehearse;
mod restore;
mod settle;

use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

use anyhow::ensure;
use domain::{artifacts::ArtifactStore, db, environment};
use serde::{Deserialize, Serialize};

pub use make::{BackupResult, make};
pub use rehearse::{Rehearsal, rehearse};
pub use restore::{RestoreResult, restore};
pub use settle::{SettledCounts, settle};

const HEADER: &str = "backup.json";
const DATABASE: &str = "database.dump";
const ARTIFACTS: &str = "artifacts";
const TEMPLATES: &str = "templates";

/// What the file says of itself before everything else.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The arrangement of the file, 1.
    pub format: u32,
    pub regix: String,
    /// The newest migration of the database.
    pub migration: i64,
    /// The instant whose data it holds.
    pub taken_at: jiff::Timestamp,
    /// Of tables that a restoration adds nothing to: the rows, and a sum over them. Copies of before have none.
    #[serde(default)]
    pub sums: BTreeMap<String, (i64, String)>,
}

/// Where an installation's parts lie.
#[derive(Clone)]
pub struct Places {
    /// Signs in as the database's owner.
    pub owner_url: String,
    pub artifacts: ArtifactStore,
    pub template_dir: PathBuf,
}

impl Places {
    pub fn from_env() -> anyhow::Result<Self> {
        Ok(Self {
            owner_url: db::required("OWNER_DATABASE_URL")?,
            artifacts: ArtifactStore::from_env()?,
            template_dir: environment::optional("TEMPLATE_DIR", "templates").into(),
        })
    }
}

pub async fn run_backup(file: &Path) -> anyhow::Result<()> {
    let made = make(&Places::from_env()?, file).await?;
    println!("{}: {} bytes, the data of {}, {} files of reports", file.display(), made.bytes, made.header.taken_at, made.artifacts);
    ensure!(made.missing.is_empty(), "the copy is whole but for files of reports that could not be read:\n{}", made.missing.join("\n"));
    Ok(())
}

pub async fn run_restore(file: &Path) -> anyhow::Result<()> {
    let restored = restore(&Places::from_env()?, file).await?;
    crate::migrate::run().await?;
    println!("The data of {} is back, with {} files of reports.", restored.header.taken_at, restored.artifacts);
    println!(
        "Not sent, because nobody knows whether they were: {} e-mails. Ended, to be asked for again: {} runs. Fires before now become no runs.",
        restored.settled.deliveries, restored.settled.runs
    );
    for template in &restored.kept_templates {
        println!("Left as it is here, not as in the copy: template {template}");
    }
    Ok(())
}

/// Says what came back, and fails where that is not what was backed up.
pub async fn run_rehearsal(path: &Path) -> anyhow::Result<()> {
    let rehearsal = rehearse(&Places::from_env()?, path).await?;
    println!("{} was restored and thrown away again: the data of {}.", rehearsal.file.display(), rehearsal.header.taken_at);
    for (table, rows, came) in &rehearsal.tables {
        println!("{table:<16} {rows:>10} backed up {came:>10} came back");
    }
    println!("{:<16} {:>10} came back", "files", rehearsal.artifacts);
    Ok(())
}

/// A path within a folder: plain names, nothing that leads elsewhere.
fn is_plain(path: &Path) -> bool {
    path.components().next().is_some() && path.components().all(|part| matches!(part, Component::Normal(_)))
}
