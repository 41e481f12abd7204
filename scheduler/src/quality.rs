//! Patients of whom something was written past the screens (a file, a death, a merge): quality rules look at them soon after.

use domain::{
    db::{self, SYSTEM_WORKER},
    entry::quality::settle_due,
};
use sqlx::PgPool;

/// Patients of one transaction: a save of theirs waits for it.
const BATCH: usize = 50;
/// Transactions of one turn.
const TURNS: usize = 100;

/// Gives how many patients were looked at.
pub async fn settle(pool: &PgPool) -> sqlx::Result<usize> {
    let mut done = 0;
    for _ in 0..TURNS {
        let mut tx = db::begin(pool, SYSTEM_WORKER).await?;
        let today = sqlx::query_scalar!(r#"select today() as "today!: jiff_sqlx::Date""#).fetch_one(&mut *tx).await?.to_jiff();
        let settled = settle_due(&mut tx, BATCH as i64, today).await?;
        tx.commit().await?;
        done += settled;
        if settled < BATCH {
            break;
        }
    }
    Ok(done)
}
