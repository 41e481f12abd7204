//! Whose data a run puts into its files, for the log: of a report the patients in its column `pacijent_id`, of an export with identity
//! all whom it holds. Written before the files are anybody's; a run whose row cannot be written gives no file.

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use domain::{
    report_sql::{NamedPatients, PATIENT_COLUMN},
    runs::Lease,
};
use serde_json::json;
use sqlx::PgPool;

use crate::plan::Value;

/// Said in the log.
const UNPROVEN: &str = "Ne može se dokazati koje pacijente redovi imenuju: upisani su svi koje je izveštaj mogao da pokaže.";

/// Patients as they pass by.
#[derive(Clone, Debug, Default)]
pub struct ShownPatients {
    patients: Arc<Mutex<HashSet<i64>>>,
    /// Those are all whom the rows could name, for nobody can say whom they do.
    unproven: Arc<AtomicBool>,
}

impl ShownPatients {
    /// Where the patient stands in the rows of these columns.
    pub fn column(columns: &[String]) -> Option<usize> {
        columns.iter().position(|name| name == PATIENT_COLUMN)
    }

    pub fn of_rows(&self, column: usize, rows: &[Vec<Value>]) {
        self.add(rows.iter().filter_map(|row| match row.get(column)? {
            Value::Int(id) => Some(*id),
            _ => None,
        }));
    }

    /// Whom the views gave to a query that reads who patients are.
    pub fn named(&self, named: NamedPatients) {
        self.unproven.fetch_or(!named.proven, Ordering::Relaxed);
        self.add(named.patients.into_iter());
    }

    pub fn add(&self, patients: impl Iterator<Item = i64>) {
        self.patients.lock().unwrap_or_else(PoisonError::into_inner).extend(patients);
    }

    fn all(&self) -> Vec<i64> {
        self.patients.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    /// What the officer is told where the rows do not tell whom they name.
    fn note(&self, rows: u64) -> Option<&'static str> {
        (rows > 0 && self.unproven.load(Ordering::Relaxed)).then_some(UNPROVEN)
    }
}

#[derive(Clone, Copy, Debug)]
pub enum WorkKind {
    Report,
    Export,
}

/// Writes what the run shows, for its worker and its institution.
pub async fn record(app: &PgPool, lease: Lease, made: WorkKind, shown: &ShownPatients, rows: u64) -> sqlx::Result<()> {
    let (klasa, akcija) = match made {
        WorkKind::Report => ("report_run", "izrada izveštaja"),
        WorkKind::Export => ("data_export", "izrada izvoza"),
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
        assert_eq!(ShownPatients::column(&columns), Some(1));
        assert_eq!(ShownPatients::column(&columns[..1]), None);
        let shown = ShownPatients::default();
        shown.of_rows(1, &[vec![Value::Int(3), Value::Int(7)], vec![Value::Null, Value::Int(7)], vec![Value::Int(9), Value::Null]]);
        assert_eq!((shown.all(), shown.note(3)), (vec![7], None));
        shown.named(NamedPatients { patients: HashSet::from([7]), proven: true });
        assert_eq!((shown.all(), shown.note(3)), (vec![7], None));
        shown.named(NamedPatients { patients: HashSet::from([7, 8]), proven: false });
        assert_eq!((shown.all().len(), shown.note(3), shown.note(0)), (2, Some(UNPROVEN), None));
    }
}
