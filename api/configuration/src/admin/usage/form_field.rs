//! Where a field is used: by entries that have a value of it, by charts, plans of visits, reports and queries that name its code, and reports that were
//! chosen.

use std::path::Path;

use platform::error::Result;
use sqlx::PgConnection;

use super::{super::other_forms, Places, queries_reading, reports_reading_field};

pub async fn places(tx: &mut PgConnection, templates: &Path, id: i64) -> Result<Vec<String>> {
    let used = sqlx::query!(
        r#"
        select f.sifra, f.naziv, t.naziv as form, t.id as form_id,
               (select count(*) from entry e where e.tsa_id = f.tip_skupa_atributa_id and entry_holds(e.vrednosti, f.id)) as "entries!",
               array(select p.naziv from visit_plan p
                      where p.aktivan and exists (select from visit_plan_item i
                                where i.plan_version_id = (select max(v.id) from visit_plan_version v where v.plan_id = p.id) and f.id = i.sidro_polje_id)
                      order by p.naziv) as "plans!: Vec<String>",
               array(select c.naziv from form_field c join form_field_place m on m.polje_id = c.id
                      where c.tip_skupa_atributa_id = f.tip_skupa_atributa_id and c.aktivan and c.id <> f.id
                        and c.grafik @> jsonb_build_array(jsonb_build_object('sifra', f.sifra))
                      order by m.mesto) as "charts!: Vec<String>"
          from form_field f join form t on t.id = f.tip_skupa_atributa_id where f.id = $1
        "#,
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    let code = used.sifra.as_deref();
    let another =
        sqlx::query_scalar!(r#"select exists (select from form_field where sifra = $1 and aktivan and id <> $2) as "another!""#, code, id)
            .fetch_one(&mut *tx)
            .await?;
    // What names a field by its code still finds one while another form has it too.
    let alone = code.filter(|_| !another);
    let reports = reports_reading_field(&mut *tx, templates, id, alone).await?;
    let formulas = match code {
        Some(code) => other_forms::readers(&mut *tx, used.form_id, Some(code)).await?,
        None => Vec::new(),
    };
    let queries = queries_reading(&mut *tx, alone).await?;
    Ok(Places::default()
        .counted(&format!("polje „{}” formulara „{}” ima vrednost u ", used.naziv, used.form), used.entries, ["unosu", "unosa", "unosa"])
        .named("crta ga grafik ", &used.charts)
        .named("od njega se računa plan poseta ", &used.plans)
        .named("čita ga izveštaj ", &reports)
        .named("čita ga upit ", &queries)
        .named("čita ga formula ", &formulas)
        .all())
}
