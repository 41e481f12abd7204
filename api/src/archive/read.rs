//! Reading a file back: its rows stand in their tables again, without what was erased since. Twice is once.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use domain::db;
use jiff::ToSpan;
use jiff_sqlx::ToSqlx;
use sqlx::{Connection, PgConnection};
use tokio::sync::mpsc;

use super::{FORMAT, HEADER, Header, connect, hold, make::sha256_of, record};
use crate::backup::archive;

/// Rows of one statement.
const BATCH: usize = 1000;

#[derive(Debug, PartialEq, Eq)]
pub struct ReadBack {
    pub added: i64,
    /// Rows that were there already.
    pub known: i64,
}

pub async fn read(owner_url: &str, file: &Path, worker: Option<&str>, unknown: bool) -> anyhow::Result<ReadBack> {
    archive::verify(file)?;
    let (header, sha256) = (header_of(file)?, sha256_of(file)?);
    ensure!(header.format == FORMAT, "{} is of a newer version of Regix", file.display());
    let (mut owner, worker) = connect(owner_url, worker).await?;
    hold(&mut owner).await?;
    let mut tx = owner.begin().await?;
    db::sign(&mut tx, worker).await?;
    let known = sqlx::query_scalar!(r#"select exists (select from archive_file where sha256 = $1) as "known!""#, sha256);
    if !known.fetch_one(&mut *tx).await? && !unknown {
        bail!("{} was not made of this database: with --unknown it is read all the same", file.display());
    }
    let added = pour(&mut tx, file.to_owned()).await?;
    let until = header.mesec.checked_add(1.month())?;
    sqlx::query!("select anonymise_again(month_start($1), month_start($2)) as changed", header.mesec.to_sqlx() as _, until.to_sqlx() as _)
        .fetch_one(&mut *tx)
        .await?;
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let id = sqlx::query_scalar!(
        "insert into archive_file (vrsta, mesec, naziv, redova, sha256, vraceno_at) values ($1, $2, $3, $4, $5, now())
         on conflict (sha256) do update set vraceno_at = coalesce(archive_file.vraceno_at, excluded.vraceno_at) returning id",
        header.vrsta.name(),
        header.mesec.to_sqlx() as _,
        format!("{name} ({})", &sha256[..8]),
        added.rows,
        sha256
    );
    let id = id.fetch_one(&mut *tx).await?;
    record(&mut tx, worker, "vraćanje iz arhive", id, name, added.added).await?;
    tx.commit().await?;
    Ok(ReadBack { added: added.added, known: added.rows - added.added })
}

#[derive(Default)]
struct RowCounts {
    rows: i64,
    added: i64,
}

/// Rows that a file holds, of one table.
struct Batch {
    table: String,
    /// A JSON array.
    rows: String,
    count: i64,
}

/// Reads the file beside the database's work, a few batches ahead of it.
async fn pour(tx: &mut PgConnection, file: PathBuf) -> anyhow::Result<RowCounts> {
    let (sender, mut batches) = mpsc::channel(4);
    let reading = tokio::task::spawn_blocking(move || read_batches(&file, &sender));
    let mut poured = RowCounts::default();
    while let Some(Batch { table, rows, count }) = batches.recv().await {
        let added = sqlx::query_scalar!(r#"select read_back($1, $2::text::jsonb) as "n!""#, table, rows).fetch_one(&mut *tx).await?;
        poured.rows += count;
        poured.added += added;
    }
    reading.await??;
    Ok(poured)
}

/// Blocks.
fn read_batches(file: &Path, into: &mpsc::Sender<Batch>) -> anyhow::Result<()> {
    archive::each(file, |name, content| {
        let Some(table) = name.strip_suffix(".jsonl") else { return Ok(()) };
        let mut lines = Vec::new();
        let send = |lines: &mut Vec<String>| {
            let batch = Batch { table: table.to_owned(), rows: format!("[{}]", lines.join(",")), count: lines.len() as i64 };
            lines.clear();
            into.blocking_send(batch).context("the database has stopped")
        };
        for line in BufReader::new(content).lines() {
            lines.push(line?);
            if lines.len() == BATCH {
                send(&mut lines)?;
            }
        }
        if lines.is_empty() { Ok(()) } else { send(&mut lines) }
    })
}

/// What a whole file of the archive says of itself.
pub(super) fn header_of(file: &Path) -> anyhow::Result<Header> {
    let mut header = None;
    archive::each(file, |name, content| {
        if name == HEADER {
            header = Some(serde_json::from_reader(content)?);
        }
        Ok(())
    })?;
    header.with_context(|| format!("{} is no file of the archive", file.display()))
}
