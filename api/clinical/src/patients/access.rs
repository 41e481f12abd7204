//! Who may see a patient. A patient is known to the institution that registered it, to those that hold an entry of it and to those that
//! took it over. For a
//! worker of another institution there is no such patient, unless the parameter `blurPodatakaIzmedjuUstanova` is off.

use accounts::{
    auth::Actor,
    rights::{Patients, Right},
};
use axum::{extract::Request, middleware::Next, response::Response};
use domain::access::{changes_entry, knows_entry, knows_patient};
use platform::{
    constraints::ANONYMOUS,
    error::{Error, Result},
};
use sqlx::PgConnection;

pub const CLOSED: &str = "Vaša uloga ne otvara pacijente.";
const READ_ONLY: &str = "Vaša uloga otvara pacijente samo za čitanje.";
/// An id that no patient and no institution has.
const NOBODY: i64 = 0;

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

/// Whether the worker may make a patient of `keeper`, who registered her, anonymous. The act itself asks the database as well.
pub fn may_anonymise(actor: &Actor, keeper: i64) -> bool {
    actor.prava.holds(Right::Anonymisation) && actor.prava.pacijenti == Patients::Izmena && actor.ustanova_id == Some(keeper)
}

/// What the worker may do with one patient.
#[derive(Debug, Clone, Copy)]
pub struct PatientAccess {
    /// May change the record and add entries: knows the patient and has a role that opens patients to change.
    pub change: bool,
    /// May delete: may change, and holds at least one right.
    pub delete: bool,
    /// Nobody changes anything of the patient any more.
    anonymous: bool,
    /// It is the access to an entry that another institution holds.
    of_others: bool,
}

impl PatientAccess {
    /// The worker's access. 404 where there is no such patient and where the institution does not know it, so that nobody learns
    /// from the answer which of the two it is. A worker without an institution knows no patient.
    pub async fn to(db: &mut PgConnection, actor: &Actor, patient: i64) -> Result<Self> {
        require(actor, Patients::Uvid)?;
        if !knows_patient(&mut *db, actor.ustanova_id, patient).await? {
            return Err(Error::HiddenPatient(patient));
        }
        Self::of(db, actor, patient).await
    }

    /// An entry as it was found, or was not, with the worker's access to it; `of` tells its patient and who holds it. Where
    /// the institution took the patient over, the entries of others are as if they were not there. What is hidden and what is not there
    /// are asked about, answered and logged alike.
    pub async fn to_entry<E>(
        db: &mut PgConnection,
        actor: &Actor,
        found: Option<E>,
        of: impl FnOnce(&E) -> (i64, i64),
    ) -> Result<(E, Self)> {
        require(actor, Patients::Uvid)?;
        let (patient, holder) = found.as_ref().map_or((NOBODY, NOBODY), of);
        let known = knows_entry(&mut *db, actor.ustanova_id, patient, holder).await?;
        match found {
            Some(entry) if known => Ok((entry, Self::of(db, actor, patient).await?.of_entry(actor, holder))),
            _ => Err(Error::HiddenPatient(patient)),
        }
    }

    /// Of a worker who knows the patient.
    async fn of(db: &mut PgConnection, actor: &Actor, patient: i64) -> Result<Self> {
        let anonymous = sqlx::query_scalar!(r#"select anonimizovan_at is not null as "anonymous!" from patient where id = $1"#, patient);
        let anonymous = anonymous.fetch_one(db).await?;
        let change = actor.prava.pacijenti == Patients::Izmena && actor.ustanova_id.is_some() && !anonymous;
        Ok(Self { change, delete: change && !actor.prava.is_empty(), anonymous, of_others: false })
    }

    /// The same, of an entry of the patient.
    pub fn of_entry(self, actor: &Actor, holder: i64) -> Self {
        let own = changes_entry(actor.ustanova_id, holder);
        Self { change: self.change && own, delete: self.delete && own, of_others: !own, ..self }
    }

    pub fn require_change(self) -> Result<()> {
        match self.change {
            true => Ok(()),
            false if self.anonymous => Err(Error::refused(ANONYMOUS)),
            false if self.of_others => Err(Error::Forbidden),
            false => Err(Error::refused(READ_ONLY)),
        }
    }

    pub fn require_delete(self) -> Result<()> {
        match self.delete {
            true => Ok(()),
            false if self.anonymous => Err(Error::refused(ANONYMOUS)),
            false => Err(Error::Forbidden),
        }
    }
}
