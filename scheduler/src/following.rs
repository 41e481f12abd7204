//! Patients of whom an entry was written past the screens (a file, a merge, a recomputation): what other forms make of it follows soon after.

use domain::{
    db::{self, SYSTEM_WORKER},
    entry::{follow::follow_due, form::FormError},
};
use sqlx::PgPool;

/// Patients of one transaction: a save of theirs waits for it.
const BATCH: usize = 20;
/// Transactions of one turn.
const TURNS: usize = 100;

/// Gives how many patients were looked at.
pub async fn follow(pool: &PgPool) -> Result<usize, FormError> {
    let mut done = 0;
    for _ in 0..TURNS {
        let mut tx = db::begin(pool, SYSTEM_WORKER).await?;
        let followed = follow_due(&mut tx, BATCH as i64).await?;
        tx.commit().await?;
        done += followed;
        if followed < BATCH {
            break;
        }
    }
    Ok(done)
}
