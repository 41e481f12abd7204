//! Versions of a form: which one today's configuration is, and which one an entry keeps.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::form::FormError;
use crate::time::server_text;

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
    /// That version; none where it is not made yet.
    pub id: Option<i64>,
}

/// When a version was published, by whom, and what that worker said of it. One that screens or a file made has no publication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Publication {
    pub vreme: String,
    pub radnik: String,
    pub napomena: Option<String>,
}

pub async fn note_publication(db: &mut PgConnection, version: i64, worker: i64, note: Option<&str>) -> sqlx::Result<()> {
    sqlx::query!("insert into form_publication (form_version_id, radnik_id, napomena) values ($1, $2, $3)", version, worker, note)
        .execute(db)
        .await?;
    Ok(())
}

/// By version, oldest first.
pub async fn publications(db: &mut PgConnection, versions: &[i64]) -> sqlx::Result<HashMap<i64, Vec<Publication>>> {
    let rows = sqlx::query!(
        r#"select p.form_version_id, p.vreme as "vreme: jiff_sqlx::Timestamp", p.napomena, w.prezime || ' ' || w.ime as "radnik!"
             from form_publication p join worker w on w.id = p.radnik_id where p.form_version_id = any ($1) order by p.id"#,
        versions
    );
    let mut found: HashMap<i64, Vec<Publication>> = HashMap::new();
    for row in rows.fetch_all(db).await? {
        let publication = Publication { vreme: server_text(row.vreme.to_jiff()), radnik: row.radnik, napomena: row.napomena };
        found.entry(row.form_version_id).or_default().push(publication);
    }
    Ok(found)
}

pub async fn today(db: &mut PgConnection, form: i64) -> sqlx::Result<Today> {
    let otisak = sqlx::query_scalar!(r#"select form_today_fingerprint($1) as "otisak!""#, form).fetch_one(&mut *db).await?;
    beside(db, form, otisak).await
}

/// Where a description of the form stands that is today's.
pub async fn beside(db: &mut PgConnection, form: i64, otisak: String) -> sqlx::Result<Today> {
    let newest = sqlx::query!(
        r#"select id, broj, napravljena as "napravljena: jiff_sqlx::Timestamp", otisak
             from form_version where form_id = $1 order by broj desc limit 1"#,
        form
    )
    .fetch_optional(db)
    .await?;
    Ok(match newest {
        Some(newest) if newest.otisak == otisak => {
            Today { otisak, broj: newest.broj, napravljena: Some(newest.napravljena.to_jiff()), id: Some(newest.id) }
        }
        newest => Today { otisak, broj: newest.map_or(0, |newest| newest.broj) + 1, napravljena: None, id: None },
    })
}
