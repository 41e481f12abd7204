//! What a formula may know besides the form's own values: the day, the examination, the patient, the previous entry.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::Value as Json;

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
