//! Conditions of planned visits: each is asked of the patient's newest entry of its form, and its answer is kept until such an entry is
//! written again. One that cannot be answered does not hold.

use jiff::civil::Date;
use sqlx::{PgConnection, types::Json};

use super::{
    around::around_for,
    form::{EntryForm, FormError},
    values,
};
use crate::formula::{Formula, evaluate_with};

/// Asks the conditions of at most so many patients' plans, within the transaction; gives how many. The visits that depend on them are planned
/// or taken away at once.
pub async fn settle(tx: &mut PgConnection, most: i64) -> sqlx::Result<usize> {
    let plans = sqlx::query_scalar!("select id from patient_plan where uslovi_zastareli order by id limit $1 for update skip locked", most)
        .fetch_all(&mut *tx)
        .await?;
    for plan in &plans {
        settle_plan(&mut *tx, *plan).await?;
    }
    Ok(plans.len())
}

async fn settle_plan(tx: &mut PgConnection, plan: i64) -> sqlx::Result<()> {
    let conditions = sqlx::query!(
        r#"select i.id, i.uslov_ast as "formula!: Json<Formula>", p.pacijent_id, p.ustanova_id, today() as "today!: jiff_sqlx::Date",
                  e.id as "unos_id?", e.vrednosti as "vrednosti?", e.form_version_id as "form_version_id?",
                  e.datum_unosa as "datum_unosa?: jiff_sqlx::Date"
             from patient_plan p join visit_plan_item i on i.plan_version_id = p.plan_version_id and i.uslov_ast is not null
             left join lateral (select n.id, n.vrednosti, n.form_version_id, n.datum_unosa from entry n
                                 where n.pacijent_id = p.pacijent_id and n.tsa_id = i.uslov_form_id and n.aktivan
                                 order by n.datum_unosa desc, n.id desc limit 1) e on true
            where p.id = $1"#,
        plan
    )
    .fetch_all(&mut *tx)
    .await?;
    for row in conditions {
        let holds = match (row.unos_id, row.vrednosti, row.form_version_id, row.datum_unosa) {
            (Some(entry), Some(stored), Some(version), Some(day)) => {
                let asked = AskedEntry {
                    entry,
                    version,
                    examined: day.to_jiff(),
                    today: row.today.to_jiff(),
                    holder: (row.pacijent_id, row.ustanova_id),
                };
                answer(&mut *tx, &row.formula.0, &values::from_json(&stored), asked).await?
            }
            // Nobody has entered what it asks about.
            _ => false,
        };
        sqlx::query!(
            "insert into patient_plan_condition (patient_plan_id, stavka_id, vazi) values ($1, $2, $3)
             on conflict (patient_plan_id, stavka_id) do update set vazi = excluded.vazi",
            plan,
            row.id,
            holds
        )
        .execute(&mut *tx)
        .await?;
    }
    sqlx::query!("update patient_plan set uslovi_zastareli = false where id = $1", plan).execute(&mut *tx).await?;
    sqlx::query!("select refresh_patient_plan($1) as refreshed", plan).fetch_one(tx).await?;
    Ok(())
}

/// The entry that a condition is asked of.
struct AskedEntry {
    entry: i64,
    version: i64,
    examined: Date,
    today: Date,
    /// The patient, and the institution that awaits her.
    holder: (i64, i64),
}

async fn answer(tx: &mut PgConnection, formula: &Formula, stored: &values::Values, asked: AskedEntry) -> sqlx::Result<bool> {
    let form = match EntryForm::of_version(&mut *tx, asked.version).await {
        Ok(form) => form,
        Err(FormError::Database(error)) => return Err(error),
        Err(error) => {
            tracing::warn!(entry = asked.entry, cause = %error, "the condition of a planned visit could not be asked");
            return Ok(false);
        }
    };
    let around = around_for(tx, &form, formula, asked.holder, (asked.examined, asked.entry), asked.today).await?;
    let (_, holds) = evaluate_with(&form.formulas, stored, &[formula], &around);
    Ok(holds.first().copied().unwrap_or(false))
}
