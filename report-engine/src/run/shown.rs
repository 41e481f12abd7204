//! Whose data a run puts into its files, for the log: of a report the patients in its column `pacijent_id`, of an export with identity
//! all whom it holds. Written before the files are anybody's; a run whose row cannot be written gives no file.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use domain::{report_sql::PATIENT_COLUMN, runs::Lease};
use serde_json::json;
use sqlx::PgPool;

use crate::plan::Value;

/// Patients as they pass by.
#[derive(Clone, Debug, Default)]
pub struct Shown(Arc<Mutex<HashSet<i64>>>);

impl Shown {
    /// Where the patient stands in the rows of these columns.
    pub fn column(columns: &[String]) -> Option<usize> {
        columns.iter().position(|name| name == PATIENT_COLUMN)
    }

    pub fn of_rows(&self, column: usize, rows: &[Vec<Value>]) {
        self.add(rows.iter().filter_map(|row| match row.get(column) {
            Some(Value::Int(id)) => Some(*id),
            _ => None,
        }));
    }

    pub fn add(&self, patients: impl Iterator<Item = i64>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(patients);
    }

    fn all(&self) -> Vec<i64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
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
            insert into audit_log (radnik_id, ustanova_id, klasa, akcija, red_id, polja)
            select radnik_id, ustanova_id, $2, $3, id::text, $4 from report_run where id = $1
            returning vreme_pristupa, id)
        insert into audit_log_patient (vreme_pristupa, log_id, pacijent_id)
        select row.vreme_pristupa, row.id, u.id from row, unnest($5::bigint[]) u (id)
        "#,
        lease.run,
        klasa,
        akcija,
        json!([{ "naziv": "Redova", "stara": null, "nova": rows }]),
        &shown.all(),
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
        let shown = Shown::default();
        shown.of_rows(1, &[vec![Value::Int(3), Value::Int(7)], vec![Value::Null, Value::Int(7)], vec![Value::Int(9), Value::Null]]);
        assert_eq!(shown.all(), [7]);
    }
}
