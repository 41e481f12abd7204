//! The schema: the tables' history, and the functions, triggers, views and roles as they are today.

use anyhow::{Context, ensure};
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection, PgConnection, migrate::Migrator};

/// Tables and data, forward only.
pub static MIGRATIONS: Migrator = sqlx::migrate!("../migrations");

/// The newest migration that this program knows.
pub fn newest() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// The migration with which the tables begin. What was made by Regix of before it was never a hospital's, and no migration leads here from it.
pub fn first() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).min().unwrap_or_default()
}

macro_rules! definitions {
    ($($name:literal),*) => { &[$(($name, include_str!(concat!("../../migrations/functions/", $name, ".sql")))),*] };
}

/// Live functions, triggers and views, each defined once, applied anew when any of them has changed.
pub static DEFINITIONS: &[(&str, &str)] = definitions![
    "access",
    "archive",
    "audit",
    "consent",
    "data_imports",
    "entry",
    "entry_file",
    "entry_state",
    "erasure",
    "form",
    "merge",
    "patient",
    "patient_status",
    "plan",
    "quality",
    "question",
    "register",
    "report_functions",
    "report_views",
    "runs",
    "standing",
    "text"
];

/// The roles of the services and what they may, applied every time: they belong to the cluster, not to the database.
const ROLES: (&str, &str) = ("roles", include_str!("../../migrations/functions/roles.sql"));

/// Brings a database to today's schema; says whether definitions were applied anew.
pub async fn migrate(owner: &mut PgConnection) -> anyhow::Result<bool> {
    refuse_older_beginning(owner).await?;
    MIGRATIONS.run(&mut *owner).await?;
    let mut tx = owner.begin().await?;
    // Two that migrate at once wait for each other here, as they did for the migrations.
    sqlx::query("lock table applied_definitions in exclusive mode").execute(&mut *tx).await?;
    let newest: Option<String> =
        sqlx::query_scalar("select sha256 from applied_definitions order by vreme desc limit 1").fetch_optional(&mut *tx).await?;
    let changed = newest.as_ref() != Some(&fingerprint());
    if changed {
        // A function may name what a later file defines.
        sqlx::query("set local check_function_bodies = off").execute(&mut *tx).await?;
        for definition in DEFINITIONS {
            apply(&mut tx, definition).await?;
        }
        sqlx::query("insert into applied_definitions (sha256) values ($1) on conflict (sha256) do update set vreme = excluded.vreme")
            .bind(fingerprint())
            .execute(&mut *tx)
            .await?;
    }
    apply(&mut tx, &ROLES).await?;
    // A database that was away for months, or comes out of a backup, has none for today.
    sqlx::query("select ensure_partitions()").execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(changed)
}

async fn refuse_older_beginning(owner: &mut PgConnection) -> anyhow::Result<()> {
    let is_migrated: bool = sqlx::query_scalar("select to_regclass('public._sqlx_migrations') is not null").fetch_one(&mut *owner).await?;
    if is_migrated {
        let newest: Option<i64> = sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(owner).await?;
        ensure!(
            newest.is_none_or(|newest| newest >= first()),
            "the database is of a Regix of before schema {} (it has {}), and no upgrade leads from it: `./dev reset` makes the demo anew, and \
             data come over as exports of the program that made them",
            first(),
            newest.unwrap_or_default()
        );
    }
    Ok(())
}

async fn apply(tx: &mut PgConnection, (name, sql): &(&str, &'static str)) -> anyhow::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(*sql)).execute(tx).await.with_context(|| format!("migrations/functions/{name}.sql"))?;
    Ok(())
}

/// The migration of the oldest programs that the newest schema serves, as it says itself.
#[cfg(test)]
fn serves_from() -> Option<i64> {
    let (_, sql) = DEFINITIONS.iter().find(|(name, _)| *name == "standing")?;
    sql.split_once("serves_programs_from() returns int language sql immutable as $$ select ")?.1.split_once(' ')?.0.parse().ok()
}

/// Names the whole schema: another one as soon as a migration or a definition differs.
pub fn fingerprint() -> String {
    let mut hash = Sha256::new();
    for migration in MIGRATIONS.iter() {
        hash.update(&migration.checksum);
    }
    for (_, sql) in DEFINITIONS.iter().chain([&ROLES]) {
        hash.update(sql);
    }
    hex::encode(hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_serves_its_own_programs() {
        assert!(serves_from().is_some_and(|oldest| oldest <= newest()), "{:?}", serves_from());
    }
}
