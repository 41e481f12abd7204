//! Making a backup beside an installation that goes on working: database and files are those of one instant.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, ensure};
use domain::schema;
use jiff_sqlx::ToSqlx;
use sqlx::{Connection, PgConnection};
use tokio::runtime::Handle;

use super::{ARTIFACTS, DATABASE, HEADER, Header, Places, TEMPLATES, archive::Writer, is_plain, postgres};

/// What lives only as long as the programs do. Nobody is signed in after a restoration.
const TRANSIENT: [&str; 7] =
    ["session", "socket_ticket", "external_sign_in", "external_sign_in_code", "process", "report_scope", "backup_made"];

pub struct BackupResult {
    pub header: Header,
    pub bytes: u64,
    pub artifacts: usize,
    /// Files of reports that the database names and the store does not have.
    pub missing: Vec<String>,
}

/// Writes the backup under a name of its own and gives it `file` when it is whole; `file` must not be there.
pub async fn make(places: &Places, file: &Path) -> anyhow::Result<BackupResult> {
    ensure!(!file.exists(), "{} is there already", file.display());
    let parts = Parts::beside(file);
    let mut owner = PgConnection::connect(&places.owner_url).await.context("the database does not answer")?;
    // The dump and the list of files see the same rows.
    let mut tx = owner.begin_with("begin isolation level repeatable read read only").await?;
    let start =
        sqlx::query!(r#"select pg_export_snapshot() as "snapshot!", now() as "now!: jiff_sqlx::Timestamp""#).fetch_one(&mut *tx).await?;
    let migration = known_migration(&mut tx).await?;
    let header = Header {
        format: 1,
        regix: env!("CARGO_PKG_VERSION").to_owned(),
        migration,
        taken_at: start.now.to_jiff(),
        sums: super::rehearse::sums(&mut tx).await?,
    };
    dump(places, &start.snapshot, &parts.dump).await?;
    let artifacts = sqlx::query_scalar!(
        r#"select path as "path!" from report_artifact union all select putanja from entry_file where sacuvan and not uklanja_se order by 1"#
    );
    let artifacts = artifacts.fetch_all(&mut *tx).await?;
    tx.commit().await?;

    let (places, header_now, target) = (places.clone(), header.clone(), file.to_owned());
    let (artifacts, missing) = tokio::task::spawn_blocking(move || write(&places, &header_now, artifacts, parts, &target)).await??;
    let made = BackupResult { header, bytes: fs::metadata(file)?.len(), artifacts, missing: gone(&mut owner, missing).await? };
    note(&mut owner, &made).await?;
    Ok(made)
}

/// For those who watch how old the last backup is.
async fn note(owner: &mut PgConnection, made: &BackupResult) -> anyhow::Result<()> {
    sqlx::query!(
        "insert into backup_made (snimljeno_od, bajtova, fajlova, nedostaje) values ($1, $2, $3, $4)",
        made.header.taken_at.to_sqlx() as _,
        i64::try_from(made.bytes)?,
        i32::try_from(made.artifacts)?,
        i32::try_from(made.missing.len())?
    )
    .execute(owner)
    .await?;
    Ok(())
}

/// The newest migration of the database. An older program would leave out what it does not know, and could not restore what it made.
async fn known_migration(tx: &mut PgConnection) -> anyhow::Result<i64> {
    // A table of sqlx's own, not of the schema that queries are checked against.
    let migration: i64 = sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(tx).await?;
    ensure!(
        migration <= schema::newest(),
        "the database was migrated by a newer Regix (migration {migration}; this program, {}, knows {} and older): a backup by this program \
         could not be restored, so none is made. Make it with the program that runs the site (compose: build the service `backup` anew)",
        env!("CARGO_PKG_VERSION"),
        schema::newest()
    );
    Ok(migration)
}

async fn dump(places: &Places, snapshot: &str, into: &Path) -> anyhow::Result<()> {
    let mut command = postgres::program("pg_dump", &places.owner_url)?;
    command.args(["--format=custom", "--no-owner"]).arg(format!("--snapshot={snapshot}")).arg("--file").arg(into);
    command.args(TRANSIENT.map(|table| format!("--exclude-table-data={table}"))).stdout(Stdio::null());
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(into).with_context(|| into.display().to_string())?;
    let output = command.output().await.context("pg_dump cannot be started: PG_BIN names the folder of PostgreSQL's programs")?;
    postgres::check("pg_dump", &output)
}

/// Blocks. Returns how many files of reports went in, and the paths of those that could not be read.
fn write(places: &Places, header: &Header, artifacts: Vec<String>, parts: Parts, target: &Path) -> anyhow::Result<(usize, Vec<String>)> {
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&parts.whole)?;
    let mut writer = Writer::new(file);
    let header = serde_json::to_vec(header)?;
    writer.add(HEADER, header.len() as u64, header.as_slice())?;
    let dumped = File::open(&parts.dump)?;
    writer.add(DATABASE, dumped.metadata()?.len(), dumped)?;
    let store = Handle::current();
    let mut missing = Vec::new();
    let mut added = 0;
    for path in artifacts {
        ensure!(is_plain(Path::new(&path)), "a file of a report has the name {path}");
        match store.block_on(places.artifacts.open(&path)).with_context(|| path.clone())? {
            Some(content) => {
                writer.add(&format!("{ARTIFACTS}/{path}"), content.metadata()?.len(), content)?;
                added += 1;
            }
            None => missing.push(path),
        }
    }
    let templates = files_below(&places.template_dir).with_context(|| format!("TEMPLATE_DIR: {}", places.template_dir.display()))?;
    for path in templates {
        let content = File::open(places.template_dir.join(&path))?;
        writer.add(&format!("{TEMPLATES}/{}", path.display()), content.metadata()?.len(), content)?;
    }
    writer.finish()?;
    fs::rename(&parts.whole, target)?;
    Ok((added, missing))
}

/// Of the files that were not found, those whose run still names them: the others were swept meanwhile, as their time was over.
async fn gone(owner: &mut PgConnection, missing: Vec<String>) -> sqlx::Result<Vec<String>> {
    if missing.is_empty() {
        return Ok(missing);
    }
    sqlx::query_scalar!(
        r#"select path as "path!" from report_artifact where path = any($1)
           union all select putanja from entry_file where putanja = any($1) and not uklanja_se order by 1"#,
        &missing
    )
    .fetch_all(owner)
    .await
}

fn files_below(root: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The unfinished files, removed whatever happens.
struct Parts {
    dump: PathBuf,
    whole: PathBuf,
}

impl Parts {
    fn beside(file: &Path) -> Self {
        let named = |ending: &str| {
            let mut name = file.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        Self { dump: named(".dump.part"), whole: named(".part") }
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        for part in [&self.dump, &self.whole] {
            let _ = fs::remove_file(part);
        }
    }
}
