//! The entries of one patient, oldest first: a result that reads the previous entry reads it as it is recomputed.

use domain::{
    db,
    entry::{
        form::{EntryForm, FormError},
        form_lock,
        recompute::{Versions, carry_out},
    },
};
use sqlx::PgConnection;

use super::{
    kind::Recompute,
    queue::{self, ClaimedRecomputation},
};
use crate::{failpoint, jobs::LeaseState};

/// What became of a patient.
pub enum Step {
    Done,
    /// Done, and asked to stop.
    Cancelled,
    /// The form is configured otherwise since: nothing was done.
    Superseded,
    /// Another engine is at it: nothing was done.
    Lost,
}

/// Locks as a save does: the form does not change meanwhile, and whoever saves one of these entries comes before or after.
pub async fn entries_of(job: &Recompute, claimed: &ClaimedRecomputation, forms: &mut Versions, patient: i64) -> Result<Step, FormError> {
    let mut tx = db::begin(&job.app, claimed.radnik_id).await?;
    // No longer than the lease: another engine would begin the same patient.
    sqlx::query!(
        "select set_config('app.recomputation', $1, true) as job, set_config('lock_timeout', $2, true) as patience",
        claimed.id.to_string(),
        format!("{}ms", (job.lease_seconds * 500.0) as i64)
    )
    .fetch_one(&mut *tx)
    .await?;
    form_lock::share(&mut tx, forms.newest.id).await?;
    if !is_newest(&mut tx, &forms.newest).await? {
        return Ok(Step::Superseded);
    }
    let counts = carry_out(&mut tx, claimed.id, forms, patient).await?;
    failpoint::reached_async("recompute-patient").await;
    let held = queue::advance(&mut tx, claimed, patient, counts, job.lease_seconds).await?;
    if held == LeaseState::Lost {
        return Ok(Step::Lost);
    }
    tx.commit().await?;
    Ok(if held == LeaseState::Cancel { Step::Cancelled } else { Step::Done })
}

async fn is_newest(db: &mut PgConnection, form: &EntryForm) -> sqlx::Result<bool> {
    let today = sqlx::query_scalar!(r#"select form_today_fingerprint($1) as "otisak!""#, form.id).fetch_one(db).await?;
    Ok(today == form.otisak)
}
