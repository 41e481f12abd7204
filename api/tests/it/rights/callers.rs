//! Workers with one right each, in every opening of patients.

use accounts::rights::{Patients, Right};

use crate::support::{TestApp, Worker};

/// A worker with one right, or none, whose role opens patients so far.
pub struct Caller {
    pub right: Option<Right>,
    pub patients: Patients,
    pub worker: Worker,
}

/// One for each right and each opening, in the institution.
pub async fn callers(app: &TestApp, ustanova: i64, prefix: &str) -> Vec<Caller> {
    let mut callers = Vec::new();
    for (patients, word) in [(Patients::Ne, "ne"), (Patients::Uvid, "uvid"), (Patients::Izmena, "izmena")] {
        for right in Right::ALL.into_iter().map(Some).chain([None]) {
            let name = format!("{prefix}-{word}-{}", right.map_or(0, Right::number));
            let worker = app.worker(&name, right.as_slice(), ustanova).await;
            callers.push(Caller { right, patients, worker });
        }
    }
    app.lay_out(&[
        "update role set pacijenti = 'ne' where ime like 'Uloga radnika %-ne-%'",
        "update role set pacijenti = 'uvid' where ime like 'Uloga radnika %-uvid-%'",
    ])
    .await;
    callers
}
