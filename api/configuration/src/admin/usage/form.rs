//! Where a form is used: by its entries, its register, plans of visits, and the reports that read it.

use std::path::Path;

use domain::text::ENTRIES;
use platform::error::Result;
use sqlx::PgConnection;

use super::{super::other_forms, DELETED_ENTRIES, Places, reports_reading, reports_reading_form};

pub async fn places(tx: &mut PgConnection, templates: &Path, id: i64) -> Result<Vec<String>> {
    let used = sqlx::query!(
        r#"
        select f.naziv, f.sifra_veza, (select count(*) from entry e where e.tsa_id = f.id and e.aktivan) as "entries!",
               (select count(*) from entry e where e.tsa_id = f.id and not e.aktivan) as "deleted!",
               array(select r.naziv from register r
                      where r.aktivan and f.id in (r.prvi_tip_hijerarhije_atributa_id, r.podrazumevani_tip_hijerarhije_atributa_id)
                      order by r.naziv) as "registers!: Vec<String>",
               array(select p.naziv from visit_plan p
                      where p.aktivan and exists (select from visit_plan_item i
                                where i.plan_version_id = (select max(v.id) from visit_plan_version v where v.plan_id = p.id) and (f.id = any (i.formulari) or f.id = i.uslov_form_id))
                      order by p.naziv) as "plans!: Vec<String>",
               array(select c.sifra from form_field c where c.tip_skupa_atributa_id = f.id and c.aktivan
                        and c.sifra is not null) as "codes!: Vec<String>"
          from form f where f.id = $1
        "#,
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    let before = format!("formular „{}” ima ", used.naziv);
    let places = Places::default()
        .counted(&before, used.entries, ENTRIES)
        .counted(&before, used.deleted, DELETED_ENTRIES)
        .named("prvi ili podrazumevani unos je registra ", &used.registers)
        .named("po njemu se ispunjava plan poseta ", &used.plans);
    // A report that reads a code of the form may be about another form with the same code: only what has entries is read.
    let mut reports = reports_reading(&mut *tx, templates, used.sifra_veza.as_deref()).await?;
    reports.extend(reports_reading_form(&mut *tx, templates, id).await?);
    if used.entries > 0 {
        for code in &used.codes {
            reports.extend(reports_reading(&mut *tx, templates, Some(code)).await?);
        }
    }
    reports.sort();
    reports.dedup();
    let formulas = other_forms::readers(tx, id, None).await?;
    Ok(places.named("čita ga izveštaj ", &reports).named("čita ga formula ", &formulas).all())
}
