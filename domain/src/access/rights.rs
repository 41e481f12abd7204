//! The application rights (A §6; 14 and those after it are of our own), and what a role opens of patients.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
    DataExport = 14,
    Looks = 15,
    Anonymisation = 16,
    DataImport = 17,
    PatientStatus = 18,
    Consents = 19,
    Merging = 20,
    Transfer = 21,
    Boards = 24,
    WallDisplays = 25,
    EntryFinishing = 26,
    EntrySigning = 27,
    EntryLocking = 28,
    Questions = 29,
    Monitoring = 30,
    QualityRules = 31,
}

impl Right {
    pub const ALL: [Self; 26] = [
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
        Self::DataExport,
        Self::Looks,
        Self::Anonymisation,
        Self::DataImport,
        Self::PatientStatus,
        Self::Consents,
        Self::Merging,
        Self::Transfer,
        Self::Boards,
        Self::WallDisplays,
        Self::EntryFinishing,
        Self::EntrySigning,
        Self::EntryLocking,
        Self::Questions,
        Self::Monitoring,
        Self::QualityRules,
    ];

    pub const fn number(self) -> i32 {
        self as i32
    }

    /// The right with this number; numbers that open nothing here are no rights.
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|right| right.number() == number)
    }
}

/// What a role opens of patients: the clinical right. Rights of administration open none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Patients {
    /// Not at all.
    #[default]
    Ne,
    /// To read.
    Uvid,
    /// To change.
    Izmena,
}

/// The rights of one worker, or those that one role gives.
#[derive(Debug, Clone, Default)]
pub struct Rights {
    prava: Vec<Right>,
    pub pacijenti: Patients,
    /// Administering workers reaches every institution, not the own ones alone.
    pub sve_ustanove: bool,
}

impl Rights {
    pub fn new(numbers: &[i32], pacijenti: Patients) -> Self {
        Self { prava: numbers.iter().filter_map(|number| Right::from_number(*number)).collect(), pacijenti, sve_ustanove: false }
    }

    /// The same, of a role that may reach every institution.
    pub fn reaching(self, sve_ustanove: bool) -> Self {
        Self { sve_ustanove, ..self }
    }

    pub fn holds(&self, right: Right) -> bool {
        self.prava.contains(&right)
    }

    /// Whether patients are open at all.
    pub fn open_patients(&self) -> bool {
        self.pacijenti >= Patients::Uvid
    }

    /// What of `other` these rights lack; nothing where they reach as far.
    pub fn lack(&self, other: &Self) -> Self {
        let prava = other.prava.iter().copied().filter(|right| !self.holds(*right)).collect();
        let pacijenti = if other.pacijenti > self.pacijenti { other.pacijenti } else { Patients::Ne };
        Self { prava, pacijenti, sve_ustanove: other.sve_ustanove && !self.sve_ustanove }
    }

    /// By their numbers, as the specification lists them.
    pub fn in_order(mut self) -> Self {
        self.prava.sort_by_key(|right| right.number());
        self
    }

    /// Neither a right, nor a patient, nor a reach.
    pub fn is_nothing(&self) -> bool {
        self.prava.is_empty() && self.pacijenti == Patients::Ne && !self.sve_ustanove
    }

    /// These and the others.
    pub fn and(mut self, other: &Self) -> Self {
        self.prava.extend(self.lack(other).prava);
        self.pacijenti = self.pacijenti.max(other.pacijenti);
        self.sve_ustanove |= other.sve_ustanove;
        self
    }

    pub fn holds_any(&self, rights: &[Right]) -> bool {
        rights.iter().any(|right| self.holds(*right))
    }

    /// No right; patients may be open all the same.
    pub fn is_empty(&self) -> bool {
        self.prava.is_empty()
    }

    pub fn numbers(&self) -> Vec<i32> {
        self.prava.iter().map(|right| right.number()).collect()
    }
}

/// Who holds any of these may ask for reports, and open those that were made.
pub const REPORTS: &[Right] = &[Right::Reports, Right::ReportSetup];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_the_specification_names_its_right_and_no_other_number_does() {
        let known: Vec<i32> = (-1..=31).filter(|number| Right::from_number(*number).is_some()).collect();
        assert_eq!(known, [1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 28, 29, 30, 31]);
        for right in Right::ALL {
            assert_eq!(Right::from_number(right.number()), Some(right));
        }
    }

    #[test]
    fn one_of_several_rights_is_enough_and_patients_are_no_right() {
        let reporter = Rights::new(&[Right::Reports.number()], Patients::Ne);
        assert!(reporter.holds_any(REPORTS) && !reporter.is_empty());
        assert!(!Rights::new(&[2], Patients::Izmena).holds_any(REPORTS));
        assert!(!reporter.holds_any(&[]));
        let clinician = Rights::new(&[], Patients::Izmena);
        assert!(clinician.is_empty() && !clinician.is_nothing());
    }

    #[test]
    fn what_is_lacked_is_what_the_other_has_beyond() {
        let nurse = Rights::new(&[1], Patients::Izmena);
        let administrator = Rights::new(&[2, 4], Patients::Uvid);
        let lacked = administrator.lack(&nurse);
        assert_eq!((lacked.numbers(), lacked.pacijenti), (vec![1], Patients::Izmena));
        let lacked = nurse.lack(&administrator);
        assert_eq!((lacked.numbers(), lacked.pacijenti), (vec![2, 4], Patients::Ne));
        let ordered = administrator.clone().and(&nurse).in_order();
        assert_eq!((ordered.numbers(), ordered.pacijenti), (vec![1, 2, 4], Patients::Izmena));
        let both = nurse.and(&administrator);
        assert!(both.lack(&administrator).is_nothing());
        assert_eq!((both.numbers(), both.pacijenti), (vec![1, 2, 4], Patients::Izmena));
        let everywhere = Rights::new(&[2, 4], Patients::Uvid).reaching(true);
        assert!(administrator.lack(&everywhere).sve_ustanove && !administrator.lack(&everywhere).is_nothing());
        assert!(everywhere.lack(&administrator).is_nothing() && administrator.and(&everywhere).sve_ustanove);
    }
}
