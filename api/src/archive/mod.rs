//! `api archive make FOLDER` and `api archive read FILE`: months of the log and of histories that are older than the parameters say go
//! into files, and come back from them. One month of one kind is one file.

mod make;
mod read;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Subcommand;
use domain::{db, locks};
use jiff::civil::Date;
use platform::archived::Kind;
use serde::{Deserialize, Serialize};
use sqlx::{Connection, PgConnection};

pub use make::{ArchiveFile, make};
pub use read::{ReadBack, read};

const HEADER: &str = "archive.json";
/// The arrangement of the file.
const FORMAT: u32 = 1;

#[derive(Subcommand)]
pub enum Command {
    /// Move whole months that are older than the parameters say into files in FOLDER.
    Make {
        folder: PathBuf,
        /// In whose name the log says that it was done; without it, the system's.
        #[arg(long, value_name = "USERNAME")]
        worker: Option<String>,
    },
    /// Read a file back into the tables; what is there already stays as it is.
    Read {
        file: PathBuf,
        #[arg(long, value_name = "USERNAME")]
        worker: Option<String>,
        /// Also a file that this database does not know, as after the restoration of an older backup.
        #[arg(long)]
        unknown: bool,
    },
}

/// What the file says of itself before everything else.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Header {
    format: u32,
    regix: String,
    /// The name that it was given.
    naziv: String,
    vrsta: Kind,
    mesec: Date,
}

pub async fn run(command: Command) -> anyhow::Result<()> {
    let owner = db::required("OWNER_DATABASE_URL")?;
    match command {
        Command::Make { folder, worker } => {
            let made = make(&owner, &folder, worker.as_deref()).await?;
            for file in &made {
                println!("{}: {} rows", folder.join(&file.name).display(), file.rows);
                for old in &file.replaced {
                    println!("{old} is replaced by it: destroy that file");
                }
            }
            println!("{} files", made.len());
        }
        Command::Read { file, worker, unknown } => {
            let read = read(&owner, &file, worker.as_deref(), unknown).await?;
            println!("{}: {} rows came back, {} were here already", file.display(), read.added, read.known);
        }
    }
    Ok(())
}

/// A connection of the owner, and the worker in whose name it writes.
async fn connect(owner_url: &str, worker: Option<&str>) -> anyhow::Result<(PgConnection, i64)> {
    let mut owner = PgConnection::connect(owner_url).await.context("the database does not answer")?;
    let Some(name) = worker else { return Ok((owner, db::SYSTEM_WORKER)) };
    let id = sqlx::query_scalar!("select id from worker where lower(username) = lower($1) and aktivan", name);
    let id = id.fetch_optional(&mut owner).await?.with_context(|| format!("there is no worker {name}"))?;
    Ok((owner, id))
}

/// Waits for who moves or anonymises at this moment, and keeps others waiting until the connection ends or lets go.
async fn hold(owner: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("select pg_advisory_lock($1) as locked", locks::ARCHIVE).fetch_one(owner).await?;
    Ok(())
}

async fn let_go(owner: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("select pg_advisory_unlock($1) as unlocked", locks::ARCHIVE).fetch_one(owner).await?;
    Ok(())
}

/// Writes into the log what was done with a file.
async fn record(tx: &mut PgConnection, worker: i64, deed: &str, file: i64, name: &str, rows: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, klasa, akcija, red_id, opis, polja)
         values ($1, 'archive_file', $2, $3::bigint::text, $4, jsonb_build_array(jsonb_build_object('naziv', 'Redova', 'stara', null, 'nova', $5::bigint)))",
        worker,
        deed,
        file,
        name,
        rows
    )
    .execute(tx)
    .await?;
    Ok(())
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
