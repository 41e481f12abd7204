//! Moving old months into files. A row leaves its table in the transaction that begins after the file which holds it is whole, read
//! again, synced and under its name: whoever is killed has moved the month or has not, and the next run goes on.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use domain::{db, parameters};
use futures::TryStreamExt;
use jiff::{ToSpan, civil::Date};
use jiff_sqlx::ToSqlx;
use platform::archived::Kind;
use sha2::{Digest, Sha256};
use sqlx::{Connection, PgConnection};

use super::{FORMAT, HEADER, Header, beside, connect, hold, let_go, record};
use crate::backup::archive::{self, Writer};

#[derive(Debug)]
pub struct ArchiveFile {
    pub name: String,
    pub rows: i64,
    /// Files that were read back and whose rows this one holds now.
    pub replaced: Vec<String>,
}

/// Moves every whole month that is older than its parameter says, the oldest first.
pub async fn make(owner_url: &str, folder: &Path, worker: Option<&str>) -> anyhow::Result<Vec<ArchiveFile>> {
    ensure!(folder.is_dir(), "{} is no folder", folder.display());
    let (mut owner, worker) = connect(owner_url, worker).await?;
    let mut made = Vec::new();
    for kind in Kind::ALL {
        let Some(until) = kept_since(&mut owner, kind).await? else { continue };
        let months = sqlx::query_scalar!(r#"select archivable_months($1, month_start($2)) as "month!""#, kind.name(), until.to_sqlx() as _);
        for month in months.fetch_all(&mut owner).await? {
            hold(&mut owner).await?;
            made.extend(move_month(&mut owner, folder, kind, month.to_jiff(), worker).await?);
            let_go(&mut owner).await?;
        }
        let mut tx = owner.begin().await?;
        sqlx::query!("select drop_empty_partitions($1) as dropped", until.to_sqlx() as _).fetch_one(&mut *tx).await?;
        tx.commit().await?;
    }
    Ok(made)
}

/// The first month that is kept; none: all are.
async fn kept_since(owner: &mut PgConnection, kind: Kind) -> anyhow::Result<Option<Date>> {
    let years = kind.kept_years(&parameters::load(owner).await?);
    if years == 0 {
        return Ok(None);
    }
    let today = jiff::Timestamp::now().to_zoned(domain::time::zone()).date();
    Ok(Some(today.checked_sub(years.years())?.first_of_month()))
}

async fn move_month(owner: &mut PgConnection, folder: &Path, kind: Kind, month: Date, worker: i64) -> anyhow::Result<Option<ArchiveFile>> {
    // What is written and what is removed are rows of one snapshot.
    let mut tx = owner.begin_with("begin isolation level repeatable read").await?;
    db::sign(&mut tx, worker).await?;
    let earlier = sqlx::query_scalar!(
        r#"select count(*) as "n!" from archive_file where vrsta = $1 and mesec = $2"#,
        kind.name(),
        month.to_sqlx() as _
    );
    let number = earlier.fetch_one(&mut *tx).await? + 1;
    let name = format!("{}-{}-{number}.tar", kind.name(), month.strftime("%Y-%m"));
    let file = folder.join(&name);
    let members = Members::write(&mut tx, &file, kind, month).await?;
    if members.rows == 0 {
        return Ok(None);
    }
    let rows = members.rows;
    let header = Header { format: FORMAT, regix: env!("CARGO_PKG_VERSION").to_owned(), naziv: name.clone(), vrsta: kind, mesec: month };
    let sha256 = tokio::task::spawn_blocking(move || members.seal(&header)).await??;
    let removed = sqlx::query_scalar!(r#"select remove_archived($1, $2) as "n!""#, kind.name(), month.to_sqlx() as _).fetch_one(&mut *tx);
    let removed = removed.await?;
    ensure!(removed == rows, "{name} holds {rows} rows where {removed} would go: nothing was removed");
    let id = sqlx::query_scalar!(
        "insert into archive_file (vrsta, mesec, naziv, redova, sha256) values ($1, $2, $3, $4, $5) returning id",
        kind.name(),
        month.to_sqlx() as _,
        name,
        rows,
        sha256
    );
    let id = id.fetch_one(&mut *tx).await?;
    let replaced = sqlx::query_scalar!(
        "update archive_file set zamenio_id = $1 where vrsta = $2 and mesec = $3 and vraceno_at is not null and zamenio_id is null returning naziv",
        id,
        kind.name(),
        month.to_sqlx() as _
    );
    let replaced = replaced.fetch_all(&mut *tx).await?;
    record(&mut tx, worker, "arhiviranje", id, &name, rows).await?;
    tx.commit().await?;
    Ok(Some(ArchiveFile { name, rows, replaced }))
}

/// The rows as they lie on the disk before they are put into one file; removed whatever happens.
struct Members {
    target: PathBuf,
    parts: Vec<(&'static str, PathBuf)>,
    rows: i64,
}

impl Members {
    async fn write(tx: &mut PgConnection, target: &Path, kind: Kind, month: Date) -> anyhow::Result<Self> {
        let parts = kind.tables().map(|table| (table, beside(target, &format!(".{table}.part"))));
        let mut members = Self { target: target.to_owned(), parts: parts.to_vec(), rows: 0 };
        let mut files = Vec::new();
        for (table, part) in &members.parts {
            files.push((*table, BufWriter::new(new_file(part)?)));
        }
        let mut rows =
            sqlx::query!(r#"select tabela as "table!", red as "row!" from archivable_rows($1, $2)"#, kind.name(), month.to_sqlx() as _)
                .fetch(tx);
        while let Some(row) = rows.try_next().await? {
            let (_, file) = files.iter_mut().find(|(table, _)| *table == row.table).context("a row of an unknown table")?;
            file.write_all(row.row.as_bytes())?;
            file.write_all(b"\n")?;
            members.rows += 1;
        }
        for (_, mut file) in files {
            file.flush()?;
        }
        Ok(members)
    }

    /// Blocks. Makes the file, reads it again, and gives it its name when it is durable; returns its SHA-256.
    fn seal(self, header: &Header) -> anyhow::Result<String> {
        ensure_ours(&self.target, header)?;
        let whole = beside(&self.target, ".part");
        let mut writer = Writer::new(new_file(&whole)?);
        let header = serde_json::to_vec(header)?;
        writer.add(HEADER, header.len() as u64, header.as_slice())?;
        for (table, part) in &self.parts {
            let content = File::open(part)?;
            writer.add(&format!("{table}.jsonl"), content.metadata()?.len(), content)?;
        }
        writer.finish()?;
        archive::verify(&whole)?;
        let sha256 = sha256_of(&whole)?;
        fs::rename(&whole, &self.target)?;
        let folder = self.target.parent().context("a file lies in a folder")?;
        File::open(folder)?.sync_all()?;
        Ok(sha256)
    }
}

impl Drop for Members {
    fn drop(&mut self) {
        for (_, part) in &self.parts {
            let _ = fs::remove_file(part);
        }
    }
}

/// A file of this name that the database does not know was left by a run that was killed before it removed anything. Another file is not
/// written over.
fn ensure_ours(target: &Path, header: &Header) -> anyhow::Result<()> {
    if !target.exists() {
        return Ok(());
    }
    let there = super::read::header_of(target).with_context(|| format!("{} is there already", target.display()))?;
    ensure!(there.naziv == header.naziv, "{} is there already, and holds something else", target.display());
    Ok(())
}

fn new_file(path: &Path) -> anyhow::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path);
    file.with_context(|| format!("{} cannot be written", path.display()))
}

pub(super) fn sha256_of(path: &Path) -> anyhow::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hash)?;
    Ok(hex::encode(hash.finalize()))
}
