//! Application rights (A §6) and what each area of the API asks for.

use std::marker::PhantomData;

use axum::{extract::FromRequestParts, http::request::Parts};

use crate::{auth::Actor, error::Error};

/// A right, by the specification's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    Reports = 1,
    Roles = 2,
    Institutions = 3,
    Workers = 4,
    Registers = 5,
    Parameters = 6,
    ReportSetup = 7,
    Log = 11,
    EntryStatistics = 12,
    WarningsAndReleases = 13,
}

impl Right {
    pub const ALL: [Self; 10] = [
        Self::Reports,
        Self::Roles,
        Self::Institutions,
        Self::Workers,
        Self::Registers,
        Self::Parameters,
        Self::ReportSetup,
        Self::Log,
        Self::EntryStatistics,
        Self::WarningsAndReleases,
    ];

    pub fn number(self) -> i32 {
        self as i32
    }

    /// The right with this number; numbers that open nothing here are no rights.
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|right| right.number() == number)
    }
}

/// The rights of one worker.
#[derive(Debug, Clone, Default)]
pub struct Rights(Vec<Right>);

impl Rights {
    pub fn from_numbers(numbers: &[i32]) -> Self {
        Self(numbers.iter().filter_map(|number| Right::from_number(*number)).collect())
    }

    pub fn holds(&self, right: Right) -> bool {
        self.0.contains(&right)
    }

    pub fn holds_any(&self, rights: &[Right]) -> bool {
        rights.iter().any(|right| self.holds(*right))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn numbers(&self) -> Vec<i32> {
        self.0.iter().map(|right| right.number()).collect()
    }
}

/// Whom a part of the API lets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Every signed-in worker.
    Everyone,
    /// Workers with any one of these rights.
    AnyOf(&'static [Right]),
}

impl Access {
    pub fn admits(self, prava: &Rights) -> bool {
        match self {
            Self::Everyone => true,
            Self::AnyOf(rights) => prava.holds_any(rights),
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

areas! {
    /// Generating, scheduling and fetching reports.
    Reports: Reports | ReportSetup;
    /// Templates, connection pools and the reload of parameters.
    Maintenance: Parameters;
    /// The list of report templates: the maintenance area shows it, and a report's configuration chooses from it.
    ReportTemplates: Parameters | ReportSetup;
    Log: Log;
    EntryStatistics: EntryStatistics;
    /// Versions, which the menu opens together with warnings.
    WarningsAndReleases: WarningsAndReleases;
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
    fn every_number_of_the_specification_names_its_right_and_no_other_number_does() {
        let known: Vec<i32> = (-1..=20).filter(|number| Right::from_number(*number).is_some()).collect();
        assert_eq!(known, [1, 2, 3, 4, 5, 6, 7, 11, 12, 13]);
        for right in Right::ALL {
            assert_eq!(Right::from_number(right.number()), Some(right));
        }
    }

    #[test]
    fn numbers_that_open_nothing_are_dropped() {
        let rights = Rights::from_numbers(&[7, 8, 99, 1]);
        assert_eq!(rights.numbers(), [7, 1]);
        assert!(Reports::ACCESS.admits(&rights));
        assert!(!Maintenance::ACCESS.admits(&rights));
        assert!(Rights::from_numbers(&[9]).is_empty());
    }
}
