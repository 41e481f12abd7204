//! One recomputation from where it stands to its end: patient by patient, each in a transaction of its own.

use domain::{
    caller::{self, Caller},
    entry::{
        form::{EntryForm, FormError},
        recompute::{Versions, patients_after},
    },
};

use super::{
    kind::Recompute,
    patient::{Step, entries_of},
    queue::{self, ClaimedRecomputation},
};
use crate::failpoint;

/// Patients who are looked up together.
const AHEAD: i64 = 200;

/// Never fails: what cannot be written is left to the lapse of the lease.
pub async fn recompute(job: &Recompute, claimed: ClaimedRecomputation) {
    let caller = Caller { adresa: None, ustanova_id: claimed.ustanova_id };
    let ended = caller::within(caller, carry_out(job, &claimed)).await;
    if let Err(error) = ended {
        tracing::warn!(recomputation = claimed.id, %error, "the end of a recomputation could not be written");
    }
}

async fn carry_out(job: &Recompute, claimed: &ClaimedRecomputation) -> sqlx::Result<()> {
    let mut attempts = claimed.attempts;
    let ended = match all_patients(job, claimed, &mut attempts).await {
        Ok(End::Written(status)) => {
            tracing::info!(recomputation = claimed.id, status, "a recomputation has ended");
            queue::end(&job.app, claimed, status).await
        }
        Ok(End::GivenBack) => queue::give_back(&job.app, claimed).await,
        Ok(End::Lost) => {
            tracing::warn!(recomputation = claimed.id, "a recomputation is another engine's, or has ended");
            Ok(true)
        }
        // Switched off meanwhile: nothing of it is shown, so there is nothing to compute.
        Err(FormError::Missing) => queue::end(&job.app, claimed, "superseded").await,
        Err(FormError::Formula { field, cause }) => {
            tracing::error!(recomputation = claimed.id, field, %cause, "a stored formula cannot be read");
            queue::end(&job.app, claimed, "failed").await
        }
        Err(FormError::Database(error)) => {
            tracing::warn!(recomputation = claimed.id, %error, "a recomputation is tried again later");
            queue::put_off(&job.app, claimed, attempts).await
        }
    };
    ended.map(drop)
}

enum End {
    Written(&'static str),
    GivenBack,
    Lost,
}

async fn all_patients(job: &Recompute, claimed: &ClaimedRecomputation, attempts: &mut i32) -> Result<End, FormError> {
    let newest = EntryForm::of_version(&mut *job.app.acquire().await?, claimed.form_version_id).await?;
    let mut forms = Versions::below(newest);
    forms.ends_signatures = claimed.razlog_potpisa.is_some();
    let mut last = claimed.poslednji_pacijent_id;
    loop {
        let patients = patients_after(&mut *job.app.acquire().await?, &forms.newest, last, AHEAD).await?;
        if patients.is_empty() {
            return Ok(End::Written("done"));
        }
        for patient in patients {
            if job.host.stopping.is_cancelled() || job.host.rests(false) {
                return Ok(End::GivenBack);
            }
            match entries_of(job, claimed, &mut forms, patient).await? {
                Step::Done => *attempts = 1,
                Step::Cancelled => return Ok(End::Written("cancelled")),
                Step::Superseded => return Ok(End::Written("superseded")),
                Step::Lost => return Ok(End::Lost),
            }
            failpoint::reached_async("recompute-between").await;
            last = patient;
        }
    }
}
