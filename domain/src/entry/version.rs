//! Versions of a form: which one today's configuration is, and which one an entry keeps.

use jiff::Timestamp;
use sqlx::PgConnection;

use super::form::FormError;

/// The version of today's configuration; made where the newest one is another, in the transaction that needs it.
pub async fn make(db: &mut PgConnection, form: i64) -> Result<i64, FormError> {
    sqlx::query_scalar!(r#"select make_form_version(id) as "id!" from form where id = $1 and aktivan"#, form)
        .fetch_optional(db)
        .await?
        .ok_or(FormError::Missing)
}

/// Today's configuration beside the versions that are there.
#[derive(Debug)]
pub struct Today {
    /// Names its description.
    pub otisak: String,
    /// Its number: that of the newest version, or the next one where no entry was saved by it yet.
    pub broj: i32,
    /// When its version was made; none where it is not yet.
    pub napravljena: Option<Timestamp>,
}

pub async fn today(db: &mut PgConnection, form: i64) -> sqlx::Result<Today> {
    let otisak = sqlx::query_scalar!(r#"select form_today_fingerprint($1) as "otisak!""#, form).fetch_one(&mut *db).await?;
    beside(db, form, otisak).await
}

/// Where a description of the form stands that is today's.
pub async fn beside(db: &mut PgConnection, form: i64, otisak: String) -> sqlx::Result<Today> {
    let newest = sqlx::query!(
        r#"select broj, napravljena as "napravljena: jiff_sqlx::Timestamp", otisak
             from form_version where form_id = $1 order by broj desc limit 1"#,
        form
    )
    .fetch_optional(db)
    .await?;
    Ok(match newest {
        Some(newest) if newest.otisak == otisak => Today { otisak, broj: newest.broj, napravljena: Some(newest.napravljena.to_jiff()) },
        newest => Today { otisak, broj: newest.map_or(0, |newest| newest.broj) + 1, napravljena: None },
    })
}
