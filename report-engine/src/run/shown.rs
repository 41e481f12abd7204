//! Whose data a run puts into its files, for the log: of a report the patients in its column `pacijent_id`, of an export with identity
//! all whom it holds. Written before the files are anybody's; a run whose row cannot be written gives no file.

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use domain::{report_sql::PATIENT_COLUMN, runs::Lease};
use serde_json::json;
use sqlx::PgPool;

use crate::plan::Value;

/// Patients as they pass by.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    patients: Arc<Mutex<HashSet<i64>>>,
    /// The rows say who patients are.
    named: bool,
    /// Rows that do not say whom they show.
    unknown: Arc<AtomicU64>,
}

impl Shown {
    /// `named`: the rows say who patients are.
    pub fn of(named: bool) -> Self {
        Self { named, ..Self::default() }
    }

    /// Where the patient stands in the rows of these columns.
    pub fn column(columns: &[String]) -> Option<usize> {
        columns.iter().position(|name| name == PATIENT_COLUMN)
    }

    /// Without a column nobody is known of any row.
    pub fn of_rows(&self, column: Option<usize>, rows: &[Vec<Value>]) {
        let patient = |row: &Vec<Value>| match row.get(column?)? {
            Value::Int(id) => Some(*id),
            _ => None,
        };
        let unknown = rows.iter().filter(|row| patient(row).is_none()).count();
        self.unknown.fetch_add(unknown as u64, Ordering::Relaxed);
        self.add(rows.iter().filter_map(patient));
    }

    pub fn add(&self, patients: impl Iterator<Item = i64>) {
        self.patients.lock().unwrap_or_else(PoisonError::into_inner).extend(patients);
    }

    fn all(&self) -> Vec<i64> {
        self.patients.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    /// What the officer is told of rows whose patients nobody knows.
    fn note(&self, rows: u64) -> Option<String> {
        // One row more than a trial shows is read of it.
        let unknown = self.unknown.load(Ordering::Relaxed).min(rows);
        (self.named && unknown > 0)
            .then(|| format!("Bez {PATIENT_COLUMN}: ne zna se koje je pacijente izveštaj pokazao. Redova bez pacijenta: {unknown}."))
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Made {
    Report,
    Export,
}

/// Writes what the run shows, for its worker and its institution.
pub async fn record(app: &PgPool, lease: Lease, made: Made, shown: &Shown, rows: u64) -> sqlx::Result<()> {
    let (klasa, akcija) = match made {
        Made::Report => ("report_run", "izrada izveštaja"),
        Made::Export => ("data_export", "izrada izvoza"),
    };
    sqlx::query!(
        r#"
        with row as (
            insert into audit_log (radnik_id, ustanova_id, klasa, akcija, red_id, polja, opis)
            select radnik_id, ustanova_id, $2, $3, id::text, $4, $6 from report_run where id = $1
            returning vreme_pristupa, id)
        insert into audit_log_patient (vreme_pristupa, log_id, pacijent_id)
        select row.vreme_pristupa, row.id, u.id from row, unnest($5::bigint[]) u (id)
        "#,
        lease.run,
        klasa,
        akcija,
        json!([{ "naziv": "Redova", "stara": null, "nova": rows }]),
        &shown.all(),
        shown.note(rows),
    )
    .execute(app)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patients_are_read_from_their_column_and_from_no_other() {
        let columns = ["ime", "pacijent_id"].map(str::to_owned);
        assert_eq!(Shown::column(&columns), Some(1));
        assert_eq!(Shown::column(&columns[..1]), None);
        let shown = Shown::of(true);
        let rows = [vec![Value::Int(3), Value::Int(7)], vec![Value::Null, Value::Int(7)], vec![Value::Int(9), Value::Null]];
        shown.of_rows(Some(1), &rows);
        assert_eq!((shown.all(), shown.note(3).is_some()), (vec![7], true), "one row does not say whom it shows");
        let told = Shown::of(true);
        told.of_rows(Some(1), &rows[..2]);
        assert_eq!(told.note(2), None);
        told.of_rows(None, &rows);
        let nameless = Shown::of(false);
        nameless.of_rows(None, &rows);
        assert_eq!(nameless.note(3), None);
        assert!(told.note(5).is_some_and(|note| note.ends_with(": 3.")), "{:?}", told.note(5));
    }
}
