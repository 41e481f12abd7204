//! What each area of the API asks for of the application rights (A §6).

use std::marker::PhantomData;

use axum::{extract::FromRequestParts, http::request::Parts};
pub use domain::access::{Patients, Right, Rights};
use platform::error::Error;

use crate::auth::Actor;

/// Whom a part of the API lets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Every signed-in worker.
    Everyone,
    /// Workers with any one of these rights.
    AnyOf(&'static [Right]),
}

impl Access {
    pub fn admits(self, held: &Rights) -> bool {
        match self {
            Self::Everyone => true,
            Self::AnyOf(rights) => held.holds_any(rights),
        }
    }
}

/// A part of the API that a handler names in its signature: `Allowed<Maintenance>`.
pub trait Area {
    const ACCESS: Access;
}

macro_rules! areas {
    ($($(#[$doc:meta])* $name:ident: $($right:ident)|+;)*) => {$(
        $(#[$doc])*
        pub struct $name;
        impl Area for $name {
            const ACCESS: Access = Access::AnyOf(&[$(Right::$right),+]);
        }
    )*};
}

/// Generating, scheduling and fetching reports.
pub struct Reports;

impl Area for Reports {
    const ACCESS: Access = Access::AnyOf(domain::access::REPORTS);
}

areas! {
    /// Templates, connection pools and the reload of parameters.
    Maintenance: Parameters;
    /// The list of report templates: the maintenance area shows it, and a report's configuration chooses from it.
    ReportTemplates: Parameters | ReportSetup;
    /// Choosing who is in a group of recipients.
    RecipientGroups: ReportSetup;
    /// Taking the second step of a sign-in from a worker who has lost it.
    SecondFactorReset: Workers;
    /// Whose an account of the hospital's provider of sign-ins is.
    ExternalAccounts: Workers;
    Log: Log;
    EntryStatistics: EntryStatistics;
    /// Versions, which the menu opens together with warnings.
    WarningsAndReleases: WarningsAndReleases;
    /// Taking data sets out.
    DataExport: DataExport;
    /// Who looked at whose data.
    Looks: Looks;
    /// Finding a patient whose rows of the log are asked for.
    LookedAt: Looks | Log;
    /// What an upgrade has changed for workers, roles and reports.
    UpgradeNotes: Roles | Workers | ReportSetup;
    /// Making a patient anonymous, for good.
    Anonymisation: Anonymisation;
    /// Bringing patients and entries in from a file, where a role opens patients to change as well.
    DataImport: DataImport;
    /// Saying what became of a patient, where a role opens patients to change as well.
    PatientStatus: PatientStatus;
    /// What a patient has agreed to, where a role opens patients to change as well.
    Consents: Consents;
    /// The texts of consents of a register.
    RegisterSetup: Registers;
    /// Making one record of two of one person, and two again.
    Merging: Merging;
    /// Giving a patient to another keeper, and taking one.
    Transfer: Transfer;
    /// Arranging the board of the institution.
    Boards: Boards;
    /// Putting it on a wall.
    WallDisplays: WallDisplays;
    /// Finishing entries and taking them back into work, where a role opens patients to change as well.
    EntryFinishing: EntryFinishing;
    /// Signing finished entries, where a role opens patients to change as well.
    EntrySigning: EntrySigning;
    /// Locking entries and periods, and unlocking them, where a role opens patients to change as well.
    EntryLocking: EntryLocking;
    /// Asking about entries, where a role opens patients.
    AskingQuestions: Questions | Monitoring;
    /// Rules of quality, and runs that look by them.
    QualitySetup: QualityRules;
    /// Faults of the institution's data as a whole.
    DataQuality: Questions | Monitoring | QualityRules;
}

/// The signed-in worker, whom `A` lets in; any other worker is answered 403 before the body is read.
pub struct Allowed<A> {
    pub actor: Actor,
    area: PhantomData<A>,
}

impl<A> std::ops::Deref for Allowed<A> {
    type Target = Actor;

    fn deref(&self) -> &Actor {
        &self.actor
    }
}

impl<A: Area, S: Send + Sync> FromRequestParts<S> for Allowed<A> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let actor = Actor::from_request_parts(parts, state).await?;
        if !A::ACCESS.admits(&actor.prava) {
            return Err(Error::Forbidden);
        }
        Ok(Self { actor, area: PhantomData })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_open_nothing_are_dropped() {
        let rights = Rights::new(&[7, 8, 99, 1], Patients::Ne);
        assert_eq!(rights.numbers(), [7, 1]);
        assert!(Reports::ACCESS.admits(&rights));
        assert!(!Maintenance::ACCESS.admits(&rights));
        assert!(Rights::new(&[9], Patients::Izmena).is_empty());
    }
}
