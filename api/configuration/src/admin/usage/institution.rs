//! Where an institution is used.

use domain::text::{ENTRIES, PATIENTS};
use platform::error::Result;
use sqlx::PgConnection;

use super::{Places, SCHEDULES};

pub async fn places(tx: &mut PgConnection, id: i64) -> Result<Vec<String>> {
    let used = sqlx::query!(
        r#"
        select array(select w.prezime || ' ' || w.ime from members_of($1) m join worker w on w.id = m.radnik_id order by 1)
                   as "workers!: Vec<String>",
               (select count(*) from patient where ustanova_id = $1) as "patients!",
               (select count(*) from entry where ustanova_id = $1 and aktivan) as "entries!",
               (select count(*) from report_schedule where ustanova_id = $1 and aktivan) as "schedules!"
        "#,
        id
    )
    .fetch_one(tx)
    .await?;
    Ok(Places::default()
        .named("u ustanovi radi radnik ", &used.workers)
        .counted("ustanova ima ", used.patients, PATIENTS)
        .counted("ustanova ima ", used.entries, ENTRIES)
        .counted("za nju ima ", used.schedules, SCHEDULES)
        .all())
}
