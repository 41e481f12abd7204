//! What is kept only for a time: files of runs, the runs themselves, drafts; and the partitions that coming months need.

use domain::{
    artifacts::ArtifactStore,
    db::{self, SYSTEM_WORKER},
};
use sqlx::PgPool;
use uuid::Uuid;

const BATCH: i64 = 200;

/// Removes the files of expired runs, then the rows that name them: a row without a file would be a broken promise, a
/// file without a row only waste. Gives how many files. A file that cannot be removed is tried again next time.
pub async fn expire(db: &PgPool, store: &ArtifactStore) -> anyhow::Result<usize> {
    let mut removed = 0;
    let mut last = (Uuid::nil(), String::new());
    loop {
        let artifacts = sqlx::query!(
            "select a.run_id, a.format, a.path
               from report_artifact a join report_run r on r.id = a.run_id
              where r.expires_at <= clock_timestamp() and (a.run_id, a.format) > ($1, $2)
              order by a.run_id, a.format limit $3",
            last.0,
            last.1,
            BATCH,
        )
        .fetch_all(db)
        .await?;
        let Some(final_one) = artifacts.last() else { return Ok(removed) };
        last = (final_one.run_id, final_one.format.clone());
        for artifact in artifacts {
            if let Err(error) = store.remove(&artifact.path).await {
                tracing::error!(run = %artifact.run_id, cause = %error, "an expired file cannot be removed");
                continue;
            }
            let gone = sqlx::query!("delete from report_artifact where run_id = $1 and format = $2", artifact.run_id, artifact.format);
            removed += gone.execute(db).await?.rows_affected() as usize;
        }
    }
}

/// Forgets runs and ended schedules older than 400 days; gives how many runs.
pub async fn purge(db: &PgPool) -> sqlx::Result<usize> {
    let mut purged = 0;
    loop {
        let batch = sqlx::query_scalar!(r#"select purge_runs($1) as "purged!""#, BATCH as i32).fetch_one(db).await?;
        purged += batch as usize;
        if i64::from(batch) < BATCH {
            return Ok(purged);
        }
    }
}

/// Forgets drafts that nobody has touched for 30 days, and which saves were done before that; gives how many drafts.
pub async fn forget_drafts(db: &PgPool) -> sqlx::Result<u64> {
    sqlx::query!("delete from entry_save where vreme < now() - interval '30 days'").execute(db).await?;
    let forgotten = sqlx::query!("delete from entry_draft where izmenjeno < now() - interval '30 days'").execute(db).await?;
    Ok(forgotten.rows_affected())
}

/// Removes uploads that no save took, and the files of patients who were made anonymous; gives how many. The file goes before the row that
/// names it, so that none is left without.
pub async fn remove_entry_files(db: &PgPool, store: &ArtifactStore) -> anyhow::Result<usize> {
    sqlx::query!("select give_up_entry_files() as given_up").fetch_one(db).await?;
    let (mut removed, mut last) = (0, 0);
    loop {
        let files = sqlx::query!("select id, putanja from entry_file where uklanja_se and id > $1 order by id limit $2", last, BATCH);
        let files = files.fetch_all(db).await?;
        let Some(final_one) = files.last() else { return Ok(removed) };
        last = final_one.id;
        for file in files {
            if let Err(error) = store.remove(&file.putanja).await {
                tracing::error!(file = file.id, cause = %error, "a file of an entry cannot be removed");
                continue;
            }
            removed += sqlx::query!("delete from entry_file where id = $1", file.id).execute(db).await?.rows_affected() as usize;
        }
    }
}

/// Imports whose process has gone are told as broken, and files that nobody has touched for a day go; gives how many files.
pub async fn forget_imports(db: &PgPool) -> sqlx::Result<u64> {
    sqlx::query!("select sweep_data_imports() as swept").fetch_one(db).await?;
    let forgotten = sqlx::query_scalar!(r#"select expire_data_imports() as "gone!""#).fetch_one(db).await?;
    Ok(forgotten as u64)
}

/// Entries that were written for a day to come, before that was refused, become the last ones of their registers on that day.
pub async fn refresh_arrived(db: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"select refresh_arrived_entries() as "arrived!""#).fetch_one(db).await
}

/// Patients whom one look for likely pairs takes, and looks within one clearing: a register that was never searched takes some nights.
const PAIRED_AT_ONCE: i32 = 500;
const LOOKS_FOR_PAIRS: usize = 200;
/// The hours of Belgrade in which it looks.
const NIGHT: std::ops::Range<i32> = 0..5;

/// Looks at night for pairs of patients who are likely one person; gives how many patients it has looked at.
pub async fn find_pairs_at_night(db: &PgPool) -> sqlx::Result<usize> {
    let hour = sqlx::query_scalar!(r#"select extract(hour from now() at time zone 'Europe/Belgrade')::int as "hour!""#);
    if NIGHT.contains(&hour.fetch_one(db).await?) { find_pairs(db, 300.0).await } else { Ok(0) }
}

/// The same at any hour, of those who were changed at least so many seconds ago.
pub async fn find_pairs(db: &PgPool, settled_seconds: f64) -> sqlx::Result<usize> {
    let mut looked = 0;
    for _ in 0..LOOKS_FOR_PAIRS {
        let batch = sqlx::query_scalar!(
            r#"select find_patient_pairs($1, make_interval(secs => $2)) as "looked!""#,
            PAIRED_AT_ONCE,
            settled_seconds
        );
        match batch.fetch_one(db).await? {
            0 => break,
            batch => looked += batch as usize,
        }
    }
    Ok(looked)
}

/// Asks at night for a look at every register that has quality rules; gives how many.
pub async fn order_quality_runs(db: &PgPool) -> sqlx::Result<usize> {
    let hour = sqlx::query_scalar!(r#"select extract(hour from now() at time zone 'Europe/Belgrade')::int as "hour!""#);
    if !NIGHT.contains(&hour.fetch_one(db).await?) {
        return Ok(0);
    }
    order_quality_runs_now(db).await
}

/// The same at any hour, of those that nobody has looked at for half a day.
pub async fn order_quality_runs_now(pool: &PgPool) -> sqlx::Result<usize> {
    let mut tx = db::begin(pool, SYSTEM_WORKER).await?;
    let ordered = sqlx::query_scalar!(r#"select order_quality_runs() as "ordered!""#).fetch_one(&mut *tx).await?;
    tx.commit().await?;
    Ok(ordered as usize)
}

/// Makes the monthly partitions of the log and of the value history a year ahead.
pub async fn lay_partitions(db: &PgPool) -> sqlx::Result<()> {
    sqlx::query!("select ensure_partitions() as made").fetch_one(db).await?;
    Ok(())
}
