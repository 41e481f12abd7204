//! Who may see a patient. A patient is known to the institution that registered it and to those that hold an entry of it. For a
//! worker of another institution there is no such patient, unless the parameter `blurPodatakaIzmedjuUstanova` is off.

use axum::{extract::Request, middleware::Next, response::Response};
use domain::access::knows_patient;
use sqlx::PgConnection;

use crate::{
    auth::Actor,
    error::{Error, Result},
    rights::Patients,
};

const CLOSED: &str = "Vaša uloga ne otvara pacijente.";
const READ_ONLY: &str = "Vaša uloga otvara pacijente samo za čitanje.";

/// Lets only workers through whose roles open patients: before every route about patients and entries, those to come as well.
pub async fn require_patients(actor: Actor, request: Request, next: Next) -> Result<Response> {
    require(&actor, Patients::Uvid)?;
    Ok(next.run(request).await)
}

/// Refuses a worker whose roles open patients less far, in words that say so.
pub fn require(actor: &Actor, needed: Patients) -> Result<()> {
    match actor.prava.pacijenti {
        held if held >= needed => Ok(()),
        Patients::Ne => Err(Error::refused(CLOSED)),
        _ => Err(Error::refused(READ_ONLY)),
    }
}

/// What the worker may do with one patient.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    /// May change the record and add entries: knows the patient and has a role that opens patients to change.
    pub change: bool,
    /// May delete: may change, and holds at least one right.
    pub delete: bool,
}

impl Access {
    /// The worker's access. 404 where there is no such patient and where the institution does not know it, so that nobody learns
    /// from the answer which of the two it is. A worker without an institution knows no patient.
    pub async fn to(db: &mut PgConnection, actor: &Actor, pacijent: i64) -> Result<Self> {
        require(actor, Patients::Uvid)?;
        if !knows_patient(db, actor.ustanova_id, pacijent).await? {
            return Err(Error::NotFound);
        }
        let change = actor.prava.pacijenti == Patients::Izmena && actor.ustanova_id.is_some();
        Ok(Self { change, delete: change && !actor.prava.is_empty() })
    }

    pub fn require_change(self) -> Result<()> {
        if self.change { Ok(()) } else { Err(Error::refused(READ_ONLY)) }
    }

    pub fn require_delete(self) -> Result<()> {
        if self.delete { Ok(()) } else { Err(Error::Forbidden) }
    }
}

/// Logs that somebody looked at a patient or an entry; changes are logged by triggers.
pub async fn deed_on_patient(
    db: &mut PgConnection,
    actor: &Actor,
    klasa: &str,
    akcija: &str,
    red_id: i64,
    pacijent: i64,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id) values ($1, $2, $3, $4::bigint::text, $5)",
        actor.radnik_id,
        klasa,
        akcija,
        red_id,
        pacijent,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Logs a look at the patient's data, unless the worker has looked within ten minutes: one screen asks for the data in parts.
pub async fn look_at_patient(db: &mut PgConnection, actor: &Actor, pacijent: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id)
         select $1::bigint, 'patient', 'pregled', $2::bigint::text, $2
          where not exists (select from audit_log
                             where radnik_id = $1 and pacijent_id = $2 and akcija like 'pregled%' and vreme_pristupa > now() - interval '10 minutes')",
        actor.radnik_id,
        pacijent,
    )
    .execute(db)
    .await?;
    Ok(())
}
