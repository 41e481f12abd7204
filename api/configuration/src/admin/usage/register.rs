//! Where a register is used: by its patients and entries, deleted ones too, and by the reports that read it or a form of it.

use std::path::Path;

use domain::text::{ENTRIES, PATIENTS};
use platform::error::Result;
use sqlx::PgConnection;

use super::{DELETED_ENTRIES, DELETED_PATIENTS, Places, SCHEDULES, reports_reading, reports_reading_form};

pub async fn places(tx: &mut PgConnection, templates: &Path, id: i64) -> Result<Vec<String>> {
    let used = sqlx::query!(
        r#"
        select r.sifra,
               (select count(*) from patient_register h join patient p on p.id = h.pacijent_id and p.aktivan
                 where h.registar_id = r.id) as "patients!",
               (select count(*) from patient_register h join patient p on p.id = h.pacijent_id and not p.aktivan
                 where h.registar_id = r.id) as "deleted_patients!",
               (select count(*) from entry e where e.registar_id = r.id and e.aktivan) as "entries!",
               (select count(*) from entry e where e.registar_id = r.id and not e.aktivan) as "deleted_entries!",
               array(select f.id from form f where f.registar_id = r.id order by f.id) as "forms!: Vec<i64>",
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
    for form in used.forms {
        reports.extend(reports_reading_form(&mut *tx, templates, form).await?);
    }
    reports.sort();
    reports.dedup();
    Ok(Places::default()
        .counted("registar ima ", used.patients, PATIENTS)
        .counted("registar ima ", used.deleted_patients, DELETED_PATIENTS)
        .counted("registar ima ", used.entries, ENTRIES)
        .counted("registar ima ", used.deleted_entries, DELETED_ENTRIES)
        .named("čita ga izveštaj ", &reports)
        .counted("za njega ima ", used.schedules, SCHEDULES)
        .all())
}
