//! Examples kept with the formulas of a form: whatever changes the form, they come out, or the change is refused with the example that
//! does not (docs/decisions/0056-formulas-prove-themselves-and-read-rows.md).

use domain::{
    entry::form::{EntryForm, FormError},
    formula,
    register::Example,
};
use platform::error::{Error, Result};
use sqlx::{PgConnection, types::Json};

use super::other_forms;

/// The first examples of the stored form that do not come out, by field, in words.
pub async fn failing(db: &mut PgConnection, form: i64) -> std::result::Result<Vec<String>, FormError> {
    let kept = sqlx::query!(
        r#"select id, naziv, primeri as "primeri!: Json<Vec<Example>>" from form_field
             join form_field_place on polje_id = id
            where tip_skupa_atributa_id = $1 and aktivan and primeri is not null order by mesto"#,
        form
    )
    .fetch_all(&mut *db)
    .await?;
    if kept.is_empty() {
        return Ok(Vec::new());
    }
    let form = match EntryForm::load(&mut *db, form).await {
        Err(FormError::Missing) => return Ok(Vec::new()),
        form => form?,
    };
    let fields = other_forms::all_fields(db, &form, []).await?;
    let told = |name: String| move |message: String| format!("Polje „{name}”: {message}");
    Ok(kept.into_iter().flat_map(|row| formula::failing(&fields, row.id, &row.primeri).into_iter().map(told(row.naziv))).collect())
}

/// After a change of the form.
pub async fn refuse_failing(db: &mut PgConnection, form: i64) -> Result<()> {
    match failing(db, form).await?.into_iter().next() {
        Some(message) => Err(Error::conflict(message)),
        None => Ok(()),
    }
}
