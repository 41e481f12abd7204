//! Whether plans of visits go on fitting a form that was changed: a condition names its fields by their codes, as a formula does.

use domain::{entry::form::EntryForm, formula::compile_conditions};
use platform::error::{Error, Result};
use sqlx::PgConnection;

use super::super::other_forms;

/// Refuses a change of the form, as it is in this transaction, after which the condition of a planned visit could not be asked.
pub async fn refuse_broken_conditions(tx: &mut PgConnection, form: i64) -> Result<()> {
    let asked = sqlx::query!(
        r#"select p.naziv, i.naziv as visit, i.uslov as "uslov!" from visit_plan p
             join visit_plan_item i on i.plan_version_id = (select max(v.id) from visit_plan_version v where v.plan_id = p.id)
            where p.aktivan and i.uslov is not null and i.uslov_form_id = $1 order by p.naziv, p.id, i.redosled"#,
        form
    )
    .fetch_all(&mut *tx)
    .await?;
    if asked.is_empty() {
        return Ok(());
    }
    let form = EntryForm::load(&mut *tx, form).await?;
    let texts: Vec<&str> = asked.iter().map(|item| item.uslov.as_str()).collect();
    let fields = other_forms::all_fields(&mut *tx, &form, texts.iter().copied()).await?;
    for (item, compiled) in asked.iter().zip(compile_conditions(&texts, &fields)) {
        if let Err(error) = compiled {
            return Err(Error::conflict(format!(
                "Uslov posete „{}” u planu poseta „{}” čita ovaj formular, pa se tako ne može izmeniti: {} Prvo izmenite uslov u planu.",
                item.visit, item.naziv, error.message
            )));
        }
    }
    Ok(())
}
