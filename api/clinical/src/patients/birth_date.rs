//! A birth date that is corrected: not after what is there already.

use domain::time::date_text;
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::error::{Error, Result};
use sqlx::PgConnection;

/// Refuses a birth date that lies after an examination which is there.
pub async fn not_after_entries(db: &mut PgConnection, patient: i64, born: Date) -> Result<()> {
    let first = sqlx::query_scalar!(
        "select min(datum_unosa) from entry where pacijent_id = $1 and aktivan and datum_unosa < $2",
        patient,
        born.to_sqlx() as _
    )
    .fetch_one(db)
    .await?;
    match first {
        Some(first) => {
            let message = format!("Datum rođenja ne može biti posle pregleda od {}", date_text(first.to_jiff()));
            Err(Error::invalid("datumRodjenja", message))
        }
        None => Ok(()),
    }
}
