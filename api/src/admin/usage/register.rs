//! Where a register is used: by its patients, entries and reports.

use std::path::Path;

use domain::text::{ENTRIES, PATIENTS};
use sqlx::PgConnection;

use super::{Places, reports_reading};
use crate::error::Result;

pub async fn places(tx: &mut PgConnection, templates: &Path, id: i64) -> Result<Vec<String>> {
    let used = sqlx::query!(
        r#"
        select r.sifra,
               (select count(*) from patient_register h join patient p on p.id = h.pacijent_id and p.aktivan
                 where h.registar_id = r.id) as "patients!",
               (select count(*) from entry e where e.registar_id = r.id and e.aktivan) as "entries!",
               array(select i.naziv from report i where i.registar_id = r.id and i.aktivan order by i.naziv) as "reports!: Vec<String>",
               (select count(*) from report_schedule s where s.registar_id = r.id and s.aktivan) as "schedules!"
          from register r where r.id = $1
        "#,
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    let mut reports = used.reports;
    reports.extend(reports_reading(&mut *tx, templates, used.sifra.as_deref()).await?);
    reports.sort();
    reports.dedup();
    Ok(Places::default()
        .counted("registar ima ", used.patients, PATIENTS)
        .counted("registar ima ", used.entries, ENTRIES)
        .named("čita ga izveštaj ", &reports)
        .counted("za njega ima ", used.schedules, ["zakazan izveštaj", "zakazana izveštaja", "zakazanih izveštaja"])
        .all())
}
