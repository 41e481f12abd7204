//! What a formula may know besides the form's own values: the day, the examination, the patient, the previous entry.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::Value as Json;

use super::Field;

#[derive(Clone, Debug, Default)]
pub struct FormulaSurroundings {
    /// The day by the clock of Belgrade.
    pub today: Date,
    /// The examination's date, once it is known.
    pub examined: Option<Date>,
    pub patient: Option<Patient>,
    /// The patient's newest entry of the same form with an earlier examination date.
    pub previous: Option<Previous>,
    /// Those before it, the last of each day, oldest first; only where a formula asks for the first, the least or the greatest of them.
    pub earlier: Vec<Previous>,
    /// Other forms of the register whose fields the formulas name.
    pub others: Vec<OtherForm>,
}

/// Another form, as formulas that name its fields read it.
#[derive(Clone, Debug, Default)]
pub struct OtherForm {
    pub form: i64,
    /// The fields that are named, by their codes with the form's: `form.code`.
    pub fields: Vec<Field>,
    /// The patient's entries, the last of each day, oldest first.
    pub entries: Vec<Previous>,
}

impl OtherForm {
    /// The entry of this day.
    pub fn on(&self, day: Date) -> Option<&Previous> {
        self.entries.iter().rfind(|entry| entry.examined == day)
    }

    /// Those of earlier days, oldest first.
    pub fn before(&self, day: Date) -> &[Previous] {
        &self.entries[..self.entries.partition_point(|entry| entry.examined < day)]
    }
}

/// Of a patient everything is known; an example may say less.
#[derive(Clone, Copy, Debug)]
pub struct Patient {
    pub born: Option<Date>,
    /// Whether male, now and at birth.
    pub male: Option<bool>,
    pub male_at_birth: Option<bool>,
}

/// An entry as it is stored: what it calculated has two decimals.
#[derive(Clone, Debug)]
pub struct Previous {
    pub examined: Date,
    pub values: BTreeMap<i64, Json>,
}

impl FormulaSurroundings {
    pub fn on(today: Date) -> Self {
        Self { today, ..Self::default() }
    }
}
