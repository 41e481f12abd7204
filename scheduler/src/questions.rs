//! Letters to those for whom questions wait.

use domain::db::{self, SYSTEM_WORKER};
use sqlx::PgPool;

/// Writes the letters of today that nobody has written yet; gives how many.
pub async fn write_letters(pool: &PgPool) -> sqlx::Result<i32> {
    let mut tx = db::begin(pool, SYSTEM_WORKER).await?;
    let written = sqlx::query_scalar!(r#"select write_question_letters() as "written!""#).fetch_one(&mut *tx).await?;
    tx.commit().await?;
    Ok(written)
}
