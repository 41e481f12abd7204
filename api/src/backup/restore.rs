//! Bringing a backup back into an empty database and an empty folder. Nothing is overwritten: whoever wants the copy in the place of
//! something else removes that first. One that failed, or was killed, is begun again with the same file and goes on: the database remembers
//! which copy it is being filled from.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Read},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    process::Stdio,
};

use anyhow::{Context, ensure};
use domain::schema;
use sqlx::{Connection, PgConnection};
use tokio::{io::AsyncWriteExt, runtime::Handle};
use uuid::Uuid;

use super::{ARTIFACTS, DATABASE, HEADER, Header, Places, SettledCounts, TEMPLATES, archive, postgres, settle};

pub struct RestoreResult {
    pub header: Header,
    pub artifacts: usize,
    /// Templates that are here already, with another content.
    pub kept_templates: Vec<String>,
    pub settled: SettledCounts,
}

/// Passwords of the services' roles are not in a backup: until `api migrate` sets them, no service can sign in to a new cluster.
pub async fn restore(places: &Places, file: &Path) -> anyhow::Result<RestoreResult> {
    let (source, to) = (file.to_owned(), places.clone());
    let header = tokio::task::spawn_blocking(move || {
        archive::verify(&source)?;
        header(&source)
    })
    .await??;
    let mut owner = PgConnection::connect(&places.owner_url).await.context("the database does not answer")?;
    let goes_on = begin(&mut owner, places, &header).await?;
    make_roles(&mut owner).await?;

    let source = file.to_owned();
    let (artifacts, kept_templates) = tokio::task::spawn_blocking(move || bring_files(&to, &source)).await??;
    // It comes whole or not at all.
    if !(goes_on && has_tables(&mut owner).await?) {
        bring_database(places, file).await?;
    }
    schema::migrate(&mut owner).await?;
    let settled = settle(&mut owner, header.taken_at).await?;
    sqlx::raw_sql("drop schema regix_restoring cascade").execute(&mut owner).await?;
    Ok(RestoreResult { header, artifacts, kept_templates, settled })
}

fn header(file: &Path) -> anyhow::Result<Header> {
    let mut found = None;
    archive::each(file, |path, content| {
        if path == HEADER {
            found = Some(serde_json::from_reader::<_, Header>(content)?);
        }
        Ok(())
    })?;
    let header = found.context("the file does not say what it is")?;
    ensure!(
        header.format == 1 && header.migration <= schema::newest(),
        "the backup was made by a newer Regix, {}: restore it with that one",
        header.regix
    );
    ensure!(
        header.migration >= schema::first(),
        "the backup is of a Regix of before schema {} (it has {}), and no upgrade leads from it: restore it with the program that made it",
        schema::first(),
        header.migration
    );
    Ok(header)
}

/// Makes sure that nothing is overwritten, and writes down which copy is brought back; says whether it was begun before and is gone on with.
async fn begin(owner: &mut PgConnection, places: &Places, header: &Header) -> anyhow::Result<bool> {
    let copy = serde_json::to_string(header)?;
    // Apart from what is restored, and gone when that is done.
    let begun: bool = sqlx::query_scalar("select to_regclass('regix_restoring.copy') is not null").fetch_one(&mut *owner).await?;
    if begun {
        let before: Option<String> = sqlx::query_scalar("select header from regix_restoring.copy").fetch_optional(&mut *owner).await?;
        ensure!(
            before.as_ref() == Some(&copy),
            "another backup was begun to be restored here: go on with that one, or begin with an empty database and an empty store"
        );
        return Ok(true);
    }
    ensure!(!has_tables(owner).await?, "the database is not empty: a backup is restored into an empty one");
    let empty = places.artifacts.is_empty().await.context("the store of artifacts cannot be read")?;
    ensure!(empty, "the store of artifacts is not empty: a backup is restored into an empty folder or bucket");
    let mut tx = owner.begin().await?;
    sqlx::raw_sql("create schema regix_restoring; create table regix_restoring.copy (header text not null)").execute(&mut *tx).await?;
    sqlx::query("insert into regix_restoring.copy values ($1)").bind(copy).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(false)
}

async fn has_tables(owner: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from pg_class where relkind in ('r', 'p', 'v') and relnamespace = 'public'::regnamespace) as "has!""#
    )
    .fetch_one(owner)
    .await
}

/// The dump grants rights to them. Their settings follow with the migration.
async fn make_roles(owner: &mut PgConnection) -> sqlx::Result<()> {
    for (role, statement) in [
        ("regix_app", "create role regix_app nologin"),
        ("regix_report", "create role regix_report nologin"),
        ("regix_report_anonymous", "create role regix_report_anonymous nologin"),
        ("regix_report_unnamed", "create role regix_report_unnamed nologin"),
        ("regix_report_words", "create role regix_report_words nologin"),
        ("regix_functions", "create role regix_functions nologin"),
    ] {
        let known =
            sqlx::query_scalar!(r#"select exists (select from pg_roles where rolname = $1) as "known!""#, role).fetch_one(&mut *owner);
        if !known.await? {
            sqlx::raw_sql(statement).execute(&mut *owner).await?;
        }
    }
    Ok(())
}

/// Blocks. Returns how many files of reports came back, and the templates that stay as they are.
fn bring_files(places: &Places, file: &Path) -> anyhow::Result<(usize, Vec<String>)> {
    let (mut artifacts, mut kept) = (0, Vec::new());
    let (drafts, store) = (places.artifacts.drafts()?, Handle::current());
    archive::each(file, |path, content| {
        if let Some(path) = path.strip_prefix(ARTIFACTS).and_then(|rest| rest.strip_prefix('/')) {
            let draft = drafts.join(Uuid::now_v7().to_string());
            write_new(&draft, 0o700, 0o600, content)?;
            store.block_on(places.artifacts.keep(None, &draft, path)).with_context(|| path.to_owned())?;
            // Gone already where it was taken as it is.
            let _ = fs::remove_file(&draft);
            artifacts += 1;
        } else if let Some(path) = path.strip_prefix(TEMPLATES).and_then(|rest| rest.strip_prefix('/')) {
            let target = places.template_dir.join(path);
            let mut text = Vec::new();
            content.read_to_end(&mut text)?;
            match fs::read(&target) {
                Ok(present) if present == text => {}
                Ok(_) => kept.push(path.to_owned()),
                Err(_) => write_new(&target, 0o755, 0o644, &mut text.as_slice())?,
            }
        }
        Ok(())
    })?;
    Ok((artifacts, kept))
}

fn write_new(target: &Path, folder_mode: u32, mode: u32, content: &mut dyn Read) -> anyhow::Result<()> {
    let said = || target.display().to_string();
    if let Some(folder) = target.parent() {
        DirBuilder::new().recursive(true).mode(folder_mode).create(folder).with_context(said)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(target).with_context(said)?;
    io::copy(content, &mut file).with_context(said)?;
    file.sync_all().with_context(said)
}

/// The dump goes from the archive straight into `pg_restore`, in one transaction.
async fn bring_database(places: &Places, file: &Path) -> anyhow::Result<()> {
    let mut command = postgres::program("pg_restore", &places.owner_url)?;
    let database =
        command.as_std().get_envs().find_map(|(name, value)| value.filter(|_| name == "PGDATABASE")).unwrap_or_default().to_owned();
    command.args(["--single-transaction", "--exit-on-error", "--no-owner", "--dbname"]).arg(database);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .context("pg_restore cannot be started: PG_BIN names the folder of PostgreSQL's programs")?;
    let mut input = child.stdin.take().context("pg_restore takes no input")?;
    let (send, mut pieces) = tokio::sync::mpsc::channel::<Vec<u8>>(4);
    let source = file.to_owned();
    let reading = tokio::task::spawn_blocking(move || {
        archive::each(&source, |path, content| {
            if path == DATABASE {
                let mut piece = vec![0; 1 << 20];
                loop {
                    let n = content.read(&mut piece)?;
                    // pg_restore that has ended says why by itself.
                    if n == 0 || send.blocking_send(piece[..n].to_vec()).is_err() {
                        break;
                    }
                }
            }
            Ok(())
        })
    });
    let feeding = async move {
        while let Some(piece) = pieces.recv().await {
            if input.write_all(&piece).await.is_err() {
                break;
            }
        }
    };
    let (output, ()) = tokio::join!(child.wait_with_output(), feeding);
    postgres::check("pg_restore", &output?)?;
    reading.await?
}
