//! What visit plans need beside the triggers that keep them: patients who get a plan or its next version, visits that repeat beyond what is
//! dated, conditions that an entry has changed, weekly letters.

use domain::{
    db::{self, SYSTEM_WORKER},
    entry::plan_condition,
};
use sqlx::PgPool;

/// Patients of one transaction: saves of theirs wait for it.
const BATCH: i32 = 100;
/// Transactions of one turn.
const TURNS: usize = 50;

/// Gives how many patients' plans were looked at.
pub async fn advance(pool: &PgPool) -> anyhow::Result<usize> {
    let mut done = 0;
    for _ in 0..TURNS {
        let mut tx = db::begin(pool, SYSTEM_WORKER).await?;
        let advanced = sqlx::query_scalar!(r#"select advance_visit_plans($1) as "done!""#, BATCH).fetch_one(&mut *tx).await?;
        let settled = plan_condition::settle(&mut tx, i64::from(BATCH)).await?;
        tx.commit().await?;
        done += settled + usize::try_from(advanced).unwrap_or_default();
        if advanced < BATCH && settled < BATCH as usize {
            break;
        }
    }
    Ok(done)
}

/// Writes the letters of this week that nobody has written yet; gives how many.
pub async fn write_digests(pool: &PgPool) -> sqlx::Result<i32> {
    let mut tx = db::begin(pool, SYSTEM_WORKER).await?;
    let written = sqlx::query_scalar!(r#"select write_visit_digests() as "written!""#).fetch_one(&mut *tx).await?;
    tx.commit().await?;
    Ok(written)
}
