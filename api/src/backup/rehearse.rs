//! `api rehearse`: brings a backup back beside the installation, into a database of its own and a folder that goes again, and holds it
//! against what the backup says that it holds. A backup that nobody has ever restored is a hope.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use domain::{artifacts::ArtifactStore, schema};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use uuid::Uuid;

use super::{Header, Places, restore};

/// What a table holds: its rows, and a sum over what stands in them.
type Sums = BTreeMap<String, (i64, String)>;

/// Tables that neither a restoration nor a migration adds rows to, and what of them is summed up.
const COMPARED: [(&str, &str); 9] = [
    ("institution", "id || naziv"),
    ("worker", "id || username"),
    ("register", "id || naziv"),
    ("form", "id || naziv"),
    ("form_field", "id || naziv"),
    ("patient", "p::text"),
    ("entry", "id || vrednosti::text"),
    ("entry_file", "putanja"),
    ("report_artifact", "path"),
];

pub struct Rehearsal {
    pub file: PathBuf,
    pub header: Header,
    pub artifacts: usize,
    /// What each table held when the backup was made, and what came back.
    pub tables: Vec<(String, i64, i64)>,
}

/// Restores the file, or the newest backup of a folder, and throws away what came of it.
pub async fn rehearse(places: &Places, path: &Path) -> anyhow::Result<Rehearsal> {
    let file = newest(path)?;
    let name = format!("regix_rehearsal_{}", Uuid::now_v7().simple());
    let mut owner = PgConnection::connect(&places.owner_url).await.context("the database does not answer")?;
    let create = format!("create database {name} template template0 encoding 'UTF8'");
    sqlx::raw_sql(AssertSqlSafe(create)).execute(&mut owner).await.context("the owner may not make a database to rehearse in")?;
    let rehearsed = restored(places, &file, &name).await;
    let drop = format!("drop database if exists {name} with (force)");
    sqlx::raw_sql(AssertSqlSafe(drop)).execute(&mut owner).await.with_context(|| format!("the database {name} stays behind"))?;
    rehearsed
}

async fn restored(places: &Places, file: &Path, database: &str) -> anyhow::Result<Rehearsal> {
    let folder = tempfile::tempdir()?;
    let scratch = Places {
        owner_url: with_database(&places.owner_url, database)?,
        artifacts: ArtifactStore::folder(folder.path().join("artifacts")),
        template_dir: folder.path().join("templates"),
    };
    let restored = restore(&scratch, file).await?;
    let mut db = PgConnection::connect(&scratch.owner_url).await?;
    let now = sums(&mut db).await?;
    db.close().await?;
    // A copy of before an upgrade comes back in the tables of today, where the same row may read otherwise.
    let reads_alike = restored.header.migration == schema::newest();
    let mut wrong = Vec::new();
    let mut tables = Vec::new();
    for (table, (rows, sum)) in &restored.header.sums {
        let (came, came_sum) = now.get(table).with_context(|| format!("{table} did not come back"))?;
        if rows != came {
            wrong.push(format!("{table}: {rows} rows were backed up, {came} came back"));
        } else if reads_alike && sum != came_sum {
            wrong.push(format!("{table}: what came back is not what was backed up"));
        }
        tables.push((table.clone(), *rows, *came));
    }
    ensure!(wrong.is_empty(), "the backup does not bring back what it was made of:\n{}", wrong.join("\n"));
    ensure!(!tables.is_empty(), "the backup is of an earlier Regix, {}, which did not say what it holds", restored.header.regix);
    Ok(Rehearsal { file: file.to_owned(), header: restored.header, artifacts: restored.artifacts, tables })
}

/// What the compared tables hold as this connection sees them.
pub(super) async fn sums(db: &mut PgConnection) -> sqlx::Result<Sums> {
    let mut sums = Sums::new();
    for (table, content) in COMPARED {
        // Sums of hashes: no order, no memory, whatever the number of rows.
        let statement = format!("select count(*), coalesce(sum(hashtextextended({content}, 0)::numeric), 0)::text from {table} p");
        sums.insert(table.to_owned(), sqlx::query_as(AssertSqlSafe(statement)).fetch_one(&mut *db).await?);
    }
    Ok(sums)
}

/// The file itself, or the youngest `*.backup` of a folder.
fn newest(path: &Path) -> anyhow::Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let mut found = None;
    for entry in fs::read_dir(path).with_context(|| path.display().to_string())? {
        let entry = entry?;
        let candidate = (entry.metadata()?.modified()?, entry.path());
        if candidate.1.extension().is_some_and(|ending| ending == "backup") && found.as_ref().is_none_or(|found| *found < candidate) {
            found = Some(candidate);
        }
    }
    match found {
        Some((_, file)) => Ok(file),
        None => bail!("{} holds no *.backup", path.display()),
    }
}

/// The same address with another database.
fn with_database(url: &str, database: &str) -> anyhow::Result<String> {
    let (address, query) = url.split_once('?').map_or((url, None), |(address, query)| (address, Some(query)));
    let (server, _) =
        address.rsplit_once('/').filter(|(server, _)| !server.ends_with('/')).context("OWNER_DATABASE_URL names no database")?;
    Ok(format!("{server}/{database}{}", query.map(|query| format!("?{query}")).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_the_rehearsal_differs_in_the_database_alone() {
        let url = with_database("postgres://o:p@h:5432/regix?sslmode=verify-full&sslrootcert=/a/b.pem", "proba").unwrap();
        assert_eq!(url, "postgres://o:p@h:5432/proba?sslmode=verify-full&sslrootcert=/a/b.pem");
        assert!(with_database("postgres://host", "proba").is_err());
    }

    #[test]
    fn of_a_folder_the_youngest_backup_is_taken_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        assert!(newest(folder.path()).unwrap_err().to_string().contains("holds no *.backup"));
        for (name, age) in [("a.backup", 60), ("b.backup", 10), ("c.backup.part", 0)] {
            let file = fs::File::create(folder.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(age)).unwrap();
        }
        assert_eq!(newest(folder.path()).unwrap(), folder.path().join("b.backup"));
        assert_eq!(newest(&folder.path().join("a.backup")).unwrap(), folder.path().join("a.backup"));
    }
}
