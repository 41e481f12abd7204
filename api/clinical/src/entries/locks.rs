//! The lock that holds a day of a form, for those who are about to fill it in.

use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::constraints;
use sqlx::PgConnection;

/// Why an entry of the form, a new one or one that comes from another day, is not saved on this one.
pub async fn refusal(
    db: &mut PgConnection,
    moved: Option<i64>,
    form: i64,
    institution: Option<i64>,
    day: Date,
) -> sqlx::Result<Option<String>> {
    let told = sqlx::query_scalar!(
        "select lock_told(null, f.registar_id, coalesce((select e.ustanova_id from entry e where e.id = $1), $3), $4) from form f where f.id = $2",
        moved,
        form,
        institution,
        day.to_sqlx() as _
    )
    .fetch_one(db)
    .await?;
    Ok(told.map(|told| constraints::locked(Some(&told))))
}
