//! The forms of a visit go along to another day or another doctor: each is saved anew as it stands, since some of it is computed by the day.

use accounts::auth::Actor;
use domain::entry::{around::around, form_lock, settle::settle, units};
use jiff::civil::Date;
use platform::error::{Error, Result};
use sqlx::PgConnection;

use super::{
    form::EntryForm,
    save,
    signature::SignatureInForce,
    stale,
    values::{self, Values},
};
use crate::patients::PatientAccess;

/// Where the entries of a visit go.
pub struct Redating {
    pub patient: i64,
    pub date: Date,
    /// None: each keeps the doctor that it has.
    pub doctor: Option<Option<i64>>,
    pub today: Date,
}

/// An entry and its form.
pub struct VisitEntry {
    pub id: i64,
    pub form: i64,
    naziv: String,
}

/// Holds the forms of the entry's visit as a save does, before any entry is locked.
pub async fn share_forms(db: &mut PgConnection, entry: i64) -> sqlx::Result<()> {
    let forms = sqlx::query_scalar!(
        "select distinct o.tsa_id from entry e join entry o on o.poseta_id = e.poseta_id where e.id = $1 order by 1",
        entry
    );
    for form in forms.fetch_all(&mut *db).await? {
        form_lock::share(db, form).await?;
    }
    Ok(())
}

/// What else stood in that visit.
pub async fn others_of(db: &mut PgConnection, visit: i64, but: i64) -> sqlx::Result<Vec<VisitEntry>> {
    sqlx::query_as!(
        VisitEntry,
        "select e.id, e.tsa_id as form, f.naziv from entry e join form f on f.id = e.tsa_id
          where e.poseta_id = $1 and e.aktivan and e.id <> $2 order by e.id",
        visit,
        but
    )
    .fetch_all(db)
    .await
}

/// All of them, or the first refusal, which names its form.
pub async fn entries(db: &mut PgConnection, actor: &Actor, access: PatientAccess, entries: &[VisitEntry], to: &Redating) -> Result<()> {
    for entry in entries {
        redate(db, actor, access, entry, to).await.map_err(|error| match error {
            Error::Invalid { message, .. } => Error::Invalid { field: None, message: format!("{}: {message}", entry.naziv).into() },
            other => other,
        })?;
    }
    Ok(())
}

async fn redate(db: &mut PgConnection, actor: &Actor, access: PatientAccess, entry: &VisitEntry, to: &Redating) -> Result<()> {
    let stored = save::lock(db, actor, access, entry.id, (to.patient, entry.form)).await?;
    let form = EntryForm::of_version(db, stored.form_version).await?;
    let around = around(db, &form, to.patient, actor.ustanova()?, Some(to.date), Some(stored.id), to.today).await?;
    let fields = form.by_id();
    let typed = stored.values.iter().filter(|(id, _)| !fields.get(id).is_some_and(|field| field.is_calculated()));
    let typed: Values = typed.map(|(id, value)| (*id, value.clone())).collect();
    let mut computed = values::compute(&form, typed, &around);
    if !computed.cleared.is_empty() {
        return Err(apart("na taj dan krije polja koja su popunjena"));
    }
    computed.typed = units::kept(&form, &computed.values, &stored.typed, &stored.typed);
    values::check(&form, &computed, Some(&stored.values))?;
    values::refuse_broken(&form, &computed, Some((&stored.values, stored.date)), Some(to.date))?;
    values::refuse_retired(&form, &computed, Some(&stored.values))?;
    if stale::rewritten(db, stored.id, &form, &stored.values, &computed.values).await?.is_some() {
        return Err(apart("dobio bi i druge rezultate"));
    }
    if let Some((_, message)) = save::no_room(db, to.patient, Some(&stored), &form, to.date).await? {
        return Err(Error::Invalid { field: None, message: message.into() });
    }
    let signed = SignatureInForce::of(db, stored.id).await?.is_some();
    let doctor = to.doctor.unwrap_or(stored.doctor);
    // What is locked says so first.
    let saved = save::change(db, &stored, &form, computed, to.date, doctor).await?;
    if signed {
        return Err(apart("je potpisan, a potpis bi prestao da važi"));
    }
    settle(db, stored.id, &form, None, Some(&stored.values), &values::from_json(&saved.vrednosti)).await?;
    Ok(())
}

/// What a person must see before it happens does not happen beside another form.
fn apart(why: &str) -> Error {
    Error::Invalid { field: None, message: format!("ovaj formular {why}. Promenite ga posebno.").into() }
}
