//! What an entry says of its patient: the day in a field that sets a status is recorded with the save, corrected when it changes, and taken
//! back when it goes or the entry is deleted.

use accounts::{auth::Actor, rights::Right};
use domain::entry::form::{EntryField, EntryForm};
use jiff::civil::Date;
use platform::error::{Error, Result};
use serde_json::Value;
use sqlx::PgConnection;

use super::values::Values;
use crate::patients::status::{self, FieldStatus};

/// The entry whose fields are read, as it is stored by now.
pub struct TellingEntry<'a> {
    pub id: i64,
    pub patient: i64,
    pub form: &'a EntryForm,
    pub today: Date,
}

/// Records what is said otherwise than before; None: nothing was, the entry is new or was deleted. Nothing is asked of whoever leaves such fields
/// as they are.
pub async fn tell(
    db: &mut PgConnection,
    actor: &Actor,
    entry: &TellingEntry<'_>,
    before: Option<&Values>,
    now: Option<&Values>,
) -> Result<()> {
    for field in &entry.form.fields {
        let Some(sets) = field.postavlja_status else { continue };
        let day = |values: Option<&Values>| {
            values.and_then(|values| values.get(&field.id)).and_then(Value::as_str).and_then(|day| day.parse().ok())
        };
        let (was, dan): (Option<Date>, Option<Date>) = (day(before), day(now));
        if was == dan {
            continue;
        }
        if !actor.prava.holds(Right::PatientStatus) {
            return Err(refusal(
                field,
                "ovo polje postavlja status pacijenta, a nemate pravo da ga beležite. Vratite vrednost koja je bila.",
            ));
        }
        let said = FieldStatus {
            patient: entry.patient,
            register: entry.form.registar_id,
            entry: entry.id,
            field: field.id,
            status: sets,
            note: status::note_of_field(entry.form, field),
        };
        match dan {
            Some(dan) => {
                status::tell_by_field(db, actor, &said, dan, entry.today).await?.map_or(Ok(()), |why| Err(refusal(field, &why)))?
            }
            None => status::take_back_by_field(db, actor, &said).await?,
        }
    }
    Ok(())
}

fn refusal(field: &EntryField, why: &str) -> Error {
    Error::invalid(field.id.to_string(), format!("{}: {why}", field.naziv))
}
