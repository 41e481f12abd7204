//! What an entry's formulas know besides its own values. Whoever may open a patient may read all of the patient's entries,
//! whichever institution holds them; so callers check that first (`access::knows_patient`), and nothing is left out here: a
//! difference from the previous visit would be another number for another worker. Only an entry of an institution that took the patient
//! over knows no other than that institution's (`reads_own_entries_only`), whoever reads it.

use std::collections::BTreeSet;

use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{form::EntryForm, other_forms, values};
use crate::formula::{Formula, FormulaSurroundings, Patient, Previous};

/// The surroundings of `entry` of a patient (none: a new one) that is examined on `examined` in `institution`.
pub async fn around(
    db: &mut PgConnection,
    form: &EntryForm,
    patient: i64,
    institution: i64,
    examined: Option<Date>,
    entry: Option<i64>,
    today: Date,
) -> sqlx::Result<FormulaSurroundings> {
    let about = sqlx::query!(
        r#"select datum_rodjenja as "datum_rodjenja: jiff_sqlx::Date", pol_trenutni, pol_na_rodjenju from patient where id = $1"#,
        patient
    )
    .fetch_optional(&mut *db)
    .await?
    .map(|row| Patient { born: Some(row.datum_rodjenja.to_jiff()), male: Some(row.pol_trenutni), male_at_birth: row.pol_na_rodjenju });
    let mut earlier = match examined {
        Some(date) if form.asks_for_history() => earlier(db, form, (patient, institution), date, entry).await?,
        Some(date) if form.asks_for_previous() => previous(db, form.id, (patient, institution), date, entry).await?.into_iter().collect(),
        _ => Vec::new(),
    };
    let previous = earlier.pop();
    let others = other_forms::of_patient(db, form, &other_forms::codes_in(form), patient, Some(institution)).await?;
    Ok(FormulaSurroundings { today, examined, patient: about, previous, earlier, others })
}

/// The surroundings for one more formula, which is none of the form's: what it asks of earlier entries is known too.
pub async fn around_for(
    db: &mut PgConnection,
    form: &EntryForm,
    formula: &Formula,
    (patient, institution): (i64, i64),
    (examined, entry): (Date, i64),
    today: Date,
) -> sqlx::Result<FormulaSurroundings> {
    let mut around = around(&mut *db, form, patient, institution, Some(examined), Some(entry), today).await?;
    // Of each earlier entry all values, whatever the form's own formulas ask.
    if formula.asks_for_history() {
        around.earlier = all_earlier(&mut *db, form.id, (patient, institution), examined, entry).await?;
        around.previous = around.earlier.pop();
    } else if formula.asks_for_previous() {
        around.previous = previous(&mut *db, form.id, (patient, institution), examined, Some(entry)).await?;
    }
    if formula.of_other_forms().next().is_some() {
        let codes = formula.of_other_forms().cloned().chain(other_forms::codes_in(form)).collect();
        around.others = other_forms::of_patient(db, form, &codes, patient, Some(institution)).await?;
    }
    Ok(around)
}

async fn all_earlier(
    db: &mut PgConnection,
    form: i64,
    (patient, institution): (i64, i64),
    date: Date,
    entry: i64,
) -> sqlx::Result<Vec<Previous>> {
    let rows = sqlx::query!(
        r#"select distinct on (datum_unosa) datum_unosa as "datum_unosa: jiff_sqlx::Date", vrednosti from entry
            where pacijent_id = $1 and tsa_id = $2 and aktivan and datum_unosa < $3 and id <> $4
              and (ustanova_id = $5 or not (select reads_own_entries_only($5, $1)))
            order by datum_unosa, id desc"#,
        patient,
        form,
        date.to_sqlx() as _,
        entry,
        institution
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| Previous { examined: row.datum_unosa.to_jiff(), values: values::from_json(&row.vrednosti) }).collect())
}

/// All entries with an earlier examination date, the last of each day, oldest first: of each what formulas ask of it.
async fn earlier(
    db: &mut PgConnection,
    form: &EntryForm,
    (patient, institution): (i64, i64),
    date: Date,
    entry: Option<i64>,
) -> sqlx::Result<Vec<Previous>> {
    let rows = sqlx::query!(
        r#"select distinct on (datum_unosa) datum_unosa as "datum_unosa: jiff_sqlx::Date",
                  (select coalesce(jsonb_object_agg(v.key, v.value), '{}') from jsonb_each(vrednosti) v where v.key = any ($6)) as "vrednosti!"
             from entry
            where pacijent_id = $1 and tsa_id = $2 and aktivan and datum_unosa < $3 and id is distinct from $4
              and (ustanova_id = $5 or not (select reads_own_entries_only($5, $1)))
            order by datum_unosa, id desc"#,
        patient,
        form.id,
        date.to_sqlx() as _,
        entry,
        institution,
        &asked_before(form)
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| Previous { examined: row.datum_unosa.to_jiff(), values: values::from_json(&row.vrednosti) }).collect())
}

/// Ids of the fields that formulas read in earlier entries.
fn asked_before(form: &EntryForm) -> Vec<String> {
    let formulas = form.formulas.iter().flat_map(|field| field.formulas()).chain(form.conditions());
    let asked: BTreeSet<&str> = formulas.flat_map(|formula| &formula.prev).map(String::as_str).collect();
    let is_asked = |code: &str| asked.contains(code);
    form.formulas.iter().filter(|field| field.sifra.as_deref().is_some_and(is_asked)).map(|field| field.id.to_string()).collect()
}

/// The newest entry with an earlier examination date; of several on its day the one entered last.
async fn previous(
    db: &mut PgConnection,
    form: i64,
    (patient, institution): (i64, i64),
    date: Date,
    entry: Option<i64>,
) -> sqlx::Result<Option<Previous>> {
    let row = sqlx::query!(
        r#"select datum_unosa as "datum_unosa: jiff_sqlx::Date", vrednosti from entry
            where pacijent_id = $1 and tsa_id = $2 and aktivan and datum_unosa < $3 and id is distinct from $4
              and (ustanova_id = $5 or not (select reads_own_entries_only($5, $1)))
            order by datum_unosa desc, id desc limit 1"#,
        patient,
        form,
        date.to_sqlx() as _,
        entry,
        institution
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Previous { examined: row.datum_unosa.to_jiff(), values: values::from_json(&row.vrednosti) }))
}

/// Another entry of the patient and form, for formulas that run while somebody types.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherEntry {
    pub datum_unosa: Date,
    /// By field id, only what formulas ask of a previous entry.
    #[schema(value_type = Object)]
    pub vrednosti: Value,
}

/// The patient's other entries of the form that one of `institution` knows, the last of each day, where formulas ask for a previous one: the date of the
/// examination may yet be changed.
pub async fn others(
    db: &mut PgConnection,
    form: &EntryForm,
    patient: i64,
    institution: Option<i64>,
    entry: Option<i64>,
) -> sqlx::Result<Vec<OtherEntry>> {
    if !form.asks_for_previous() {
        return Ok(Vec::new());
    }
    let ids = asked_before(form);
    let rows = sqlx::query!(
        r#"select distinct on (datum_unosa) datum_unosa as "datum_unosa: jiff_sqlx::Date",
                  (select coalesce(jsonb_object_agg(v.key, v.value), '{}') from jsonb_each(vrednosti) v where v.key = any ($4)) as "vrednosti!"
             from entry where pacijent_id = $1 and tsa_id = $2 and aktivan and id is distinct from $3
              and (ustanova_id = $5 or not (select reads_own_entries_only($5, $1)))
            order by datum_unosa, id desc"#,
        patient,
        form.id,
        entry,
        &ids,
        institution
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| OtherEntry { datum_unosa: row.datum_unosa.to_jiff(), vrednosti: row.vrednosti }).collect())
}
