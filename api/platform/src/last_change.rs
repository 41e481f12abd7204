//! Who has changed a record since it was loaded, from the log.

use domain::time;
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

/// The last change of a record.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = LastChange)]
pub struct Change {
    /// Who; none where it was the system.
    pub radnik: Option<String>,
    pub vreme: String,
}

pub async fn last(db: &mut PgConnection, table: &str, id: i64) -> sqlx::Result<Option<Change>> {
    let row = sqlx::query!(
        r#"select a.vreme_pristupa as "vreme!", w.prezime || ' ' || w.ime as radnik
             from audit_log a left join worker w on w.id = a.radnik_id
            where a.klasa = $1 and a.red_id = $2 and look_kind(a.klasa, a.akcija) is null
            order by a.vreme_pristupa desc limit 1"#,
        table,
        id.to_string()
    );
    Ok(row.fetch_optional(db).await?.map(|row| Change { radnik: row.radnik, vreme: time::server_text(row.vreme.to_jiff()) }))
}
