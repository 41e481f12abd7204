//! Who deleted a record and when, from the log.

use domain::time;
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

/// The last deletion of a record.
#[derive(Debug, Serialize, ToSchema)]
pub struct Deletion {
    pub id: i64,
    pub radnik: Option<String>,
    pub vreme: String,
}

pub async fn of(db: &mut PgConnection, table: &str, ids: &[i64]) -> sqlx::Result<Vec<Deletion>> {
    let rows = sqlx::query!(
        r#"
        select d.id as "id!", l.vreme_pristupa as "vreme!", w.prezime || ' ' || w.ime as radnik
          from unnest($2::bigint[]) d (id)
          cross join lateral (select a.vreme_pristupa, a.radnik_id from audit_log a
                               where a.klasa = $1 and a.red_id = d.id::text and a.akcija = 'brisanje'
                               order by a.vreme_pristupa desc limit 1) l
          left join worker w on w.id = l.radnik_id
        "#,
        table,
        ids
    );
    let rows = rows.fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| Deletion { id: row.id, radnik: row.radnik, vreme: time::server_text(row.vreme.to_jiff()) }).collect())
}
