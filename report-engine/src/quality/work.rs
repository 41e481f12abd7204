//! One run from where it stands to its end: page by page, each in a transaction of its own, so that memory is that of a page.

use domain::{
    db,
    entry::quality::{Counts, RuleSet, patients_after, settle},
};

use super::{
    kind::QualityRuns,
    queue::{self, ClaimedQualityRun},
};
use crate::{failpoint, jobs::LeaseState};

/// Patients of one transaction: a save of theirs waits for it.
const PAGE: i64 = 10;

/// Never fails: what cannot be written is left to the lapse of the lease.
pub async fn look_at_all(job: &QualityRuns, claimed: ClaimedQualityRun) {
    if let Err(error) = carry_out(job, &claimed).await {
        tracing::warn!(run = claimed.id, %error, "the end of a run of quality rules could not be written");
    }
}

async fn carry_out(job: &QualityRuns, claimed: &ClaimedQualityRun) -> sqlx::Result<()> {
    let mut attempts = claimed.attempts;
    let ended = match all_pages(job, claimed, &mut attempts).await {
        Ok(End::Written(status)) => {
            tracing::info!(run = claimed.id, status, "a run of quality rules has ended");
            match queue::end(&job.app, claimed, status).await? {
                true => Ok(true),
                // A rule was changed at this moment.
                false => queue::give_back(&job.app, claimed).await,
            }
        }
        Ok(End::GivenBack) => queue::give_back(&job.app, claimed).await,
        Ok(End::Lost) => {
            tracing::warn!(run = claimed.id, "a run of quality rules is another engine's, or has ended");
            Ok(true)
        }
        Err(error) => {
            tracing::warn!(run = claimed.id, %error, "a run of quality rules is tried again later");
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

async fn all_pages(job: &QualityRuns, claimed: &ClaimedQualityRun, attempts: &mut i32) -> sqlx::Result<End> {
    let mut last = claimed.poslednji_pacijent_id;
    let mut rules = RuleSet::of(&mut *job.app.acquire().await?, claimed.registar_id).await?;
    loop {
        if job.host.stopping.is_cancelled() || job.host.rests(false) {
            return Ok(End::GivenBack);
        }
        let patients = patients_after(&mut *job.app.acquire().await?, claimed.registar_id, last, PAGE).await?;
        let Some(end) = patients.last().copied() else {
            if !queue::begin_again(&job.app, claimed, job.lease_seconds).await? {
                return Ok(End::Written("done"));
            }
            rules = RuleSet::of(&mut *job.app.acquire().await?, claimed.registar_id).await?;
            last = 0;
            continue;
        };
        match page(job, claimed, &mut rules, &patients, end).await? {
            LeaseState::GoOn => *attempts = 1,
            LeaseState::Cancel => return Ok(End::Written("cancelled")),
            LeaseState::Lost => return Ok(End::Lost),
        }
        failpoint::reached_async("quality-between").await;
        last = end;
    }
}

async fn page(job: &QualityRuns, claimed: &ClaimedQualityRun, rules: &mut RuleSet, patients: &[i64], end: i64) -> sqlx::Result<LeaseState> {
    let mut tx = db::begin(&job.app, claimed.radnik_id).await?;
    let today = sqlx::query_scalar!(r#"select today() as "today!: jiff_sqlx::Date""#).fetch_one(&mut *tx).await?.to_jiff();
    // Whom somebody writes at this moment is looked at by that writer, who sees the rules of this moment.
    let (counts, busy) = settle(&mut tx, rules, patients, today).await?;
    let counts = Counts { patients: counts.patients + busy.len() as i64, ..counts };
    let held = queue::advance(&mut tx, claimed, end, counts, job.lease_seconds).await?;
    if held != LeaseState::Lost {
        tx.commit().await?;
    }
    Ok(held)
}
