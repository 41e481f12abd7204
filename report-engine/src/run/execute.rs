//! One run, told from the claim to its end.

use std::{fmt, sync::Arc, time::Duration};

use domain::{
    jobs::Retries,
    request_id,
    runs::{self, Artifact, ClaimedRun, Failure, Lease, RunStatus, Stage},
};
use tracing::Instrument;

use super::{
    board, export,
    failure::{self, Stop},
    load::{self, RunOrder},
    print,
    produce::{self, ProducedFiles},
    progress::Progress,
    runner::Runner,
};
use crate::{failpoint, jobs::Stopper, store::Draft};

/// Seconds between the attempts of a run for faults that pass.
const RETRIES: Retries = Retries(&[2.0, 8.0, 18.0, 32.0]);

/// How long an ending tries to reach the database before the lease is left to lapse.
const SETTLE_TRIES: u32 = 5;

/// Executes a claimed run and writes how it ended. Never fails: what cannot be written is left to the lapse of the lease.
pub async fn execute(runner: &Arc<Runner>, claimed: &ClaimedRun) {
    // Whatever goes wrong inside is logged with the run that it stopped, who asked for it and by which call.
    let run = async {
        let span = tracing::info_span!("run", run = %claimed.run, radnik = claimed.radnik_id, zahtev = claimed.zahtev_id);
        follow(runner, claimed.lease(), &span).instrument(span.clone()).await;
    };
    match &claimed.zahtev_id {
        Some(id) => request_id::within(id.clone(), run).await,
        None => run.await,
    }
}

async fn follow(runner: &Arc<Runner>, lease: Lease, span: &tracing::Span) {
    tracing::info!(run = %lease.run, fence = lease.fence, attempt = lease.attempt, "run started");
    let held = runner.held.enter(lease);
    let body = tokio::spawn({
        let (runner, stopper) = (runner.clone(), held.stopper().clone());
        async move { story(&runner, lease, &stopper).await }.instrument(span.clone())
    });
    let end = body.await.unwrap_or_else(|panic| Err(Stop::panicked(&panic)));
    let end = match (end, held.stopper().why()) {
        // Whatever the parts said when they were stopped, the reason for stopping them decides.
        (Err(stop), Some(why)) => Err(stop.because(why)),
        (end, _) => end,
    };
    settle(runner, lease, end).await;
}

/// The steps of a run. Files are named for good by the time this returns, and belong to no row yet.
async fn story(runner: &Arc<Runner>, lease: Lease, stopper: &Stopper) -> Result<FinishedRun, Stop> {
    let progress = Progress::start(runner.app.clone(), lease);
    let (emails, draft, produced) = match (print::of_run(&runner.app, lease).await?, export::of_run(&runner.app, lease).await?) {
        (Some(ordered), _) => {
            let limit = stopper.limit(print::TIME_LIMIT);
            let draft = runner.store.draft(lease)?;
            let produced = print::file(runner, lease, ordered, &draft, stopper, &progress).await?;
            limit.lift();
            (Vec::new(), draft, produced)
        }
        (None, Some(wanted)) => {
            let limit = stopper.limit(export::TIME_LIMIT);
            let draft = runner.store.draft(lease)?;
            let produced = export::file(runner, lease, wanted, &draft, stopper, &progress).await?;
            limit.lift();
            (Vec::new(), draft, produced)
        }
        (None, None) => {
            let ordered = load::ordered(runner, lease).await?;
            let limit = stopper.limit(ordered.time_limit());
            let draft = runner.store.draft(lease)?;
            let producing = async {
                match &ordered {
                    RunOrder::Report(job) => produce::files(runner, lease, job, &draft, stopper, &progress).await,
                    RunOrder::Board(order) => board::files(runner, lease, order, &draft, stopper, &progress).await,
                }
            };
            let produced = producing.instrument(tracing::info_span!("produce")).await?;
            limit.lift();
            (ordered.emails(produced.rows), draft, produced)
        }
    };
    progress.stage(Stage::Store);
    failpoint::reached_async("store").await;
    let artifacts = publish(runner, draft, &produced).instrument(tracing::info_span!("store")).await?;
    failpoint::reached_async("commit").await;
    Ok(FinishedRun { emails, produced, artifacts })
}

struct FinishedRun {
    /// Whom it is mailed to; the print of an entry and exported data to nobody.
    emails: Vec<String>,
    produced: ProducedFiles,
    artifacts: Vec<Artifact>,
}

/// Gives every finished file its name; all or none of them keep it.
async fn publish(runner: &Arc<Runner>, draft: Draft, produced: &ProducedFiles) -> Result<Vec<Artifact>, Stop> {
    let mut artifacts = Vec::new();
    for (kind, rendered) in &produced.files {
        match runner.store.publish(&draft, *kind, rendered).await {
            Ok(artifact) => artifacts.push(artifact),
            Err(error) => {
                runner.store.discard(&artifacts).await;
                return Err(error.into());
            }
        }
    }
    // Removing what is left of the drafts may take a moment.
    let removed = tokio::task::spawn_blocking(|| drop(draft)).await;
    removed.map_err(|panic| Stop::panicked(&panic))?;
    Ok(artifacts)
}

/// Writes the end of a run, trying again while the database is away.
async fn settle(runner: &Arc<Runner>, lease: Lease, end: Result<FinishedRun, Stop>) {
    for attempt in 1..=SETTLE_TRIES {
        match write_end(runner, lease, &end).await {
            Ok(Some(left)) => {
                tracing::info!(run = %lease.run, fence = lease.fence, "run {left}");
                if left == RunOutcome::Ended(RunStatus::Succeeded) {
                    runner.mail.announce(lease.run).await;
                }
                return;
            }
            Ok(None) => {
                tracing::warn!(run = %lease.run, fence = lease.fence, "the lease of the run was lost: its end is not written here");
                break;
            }
            Err(error) => {
                tracing::warn!(run = %lease.run, %error, attempt, "the end of the run could not be written");
                tokio::time::sleep(Duration::from_millis(200 * u64::from(attempt))).await;
            }
        }
    }
    if let Ok(finished) = &end {
        // The rows may have been committed although the answer was lost; only files that no row names are removed.
        discard_unnamed(runner, &finished.artifacts).await;
    }
}

/// How this engine left a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunOutcome {
    Ended(RunStatus),
    /// Queued again, since the engine stops.
    GivenBack,
    /// Queued again, for later.
    PutOff,
}

impl fmt::Display for RunOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended(status) => status.fmt(f),
            Self::GivenBack => f.write_str("queued again: the engine stops"),
            Self::PutOff => f.write_str("queued again: it will be retried"),
        }
    }
}

const CANCELLED: RunOutcome = RunOutcome::Ended(RunStatus::Cancelled);

/// One try. `None`: the run is no longer this engine's.
async fn write_end(runner: &Arc<Runner>, lease: Lease, end: &Result<FinishedRun, Stop>) -> sqlx::Result<Option<RunOutcome>> {
    let app = &runner.app;
    match end {
        Ok(FinishedRun { emails, produced, artifacts }) => {
            let recipients = if emails.is_empty() { Vec::new() } else { runner.mail.recipients(lease.run, emails) };
            let note = produced.note.as_ref();
            let rows = i64::try_from(produced.rows).unwrap_or(i64::MAX);
            if runs::finish_succeeded(app, lease, artifacts, &recipients, rows, produced.truncated, note).await? {
                return Ok(Some(RunOutcome::Ended(RunStatus::Succeeded)));
            }
            // Cancelled at the last moment, or lost: the files must not stay.
            discard_unnamed(runner, artifacts).await;
            Ok(runs::finish_cancelled(app, lease).await?.then_some(CANCELLED))
        }
        Err(Stop::Cancelled) => Ok(runs::finish_cancelled(app, lease).await?.then_some(CANCELLED)),
        Err(Stop::Lost) => Ok(None),
        Err(Stop::Shutdown) => Ok(runs::requeue(app, lease, 0.0).await?.then_some(RunOutcome::GivenBack)),
        Err(Stop::Passing) => again_or(runner, lease, &failure::given_up()).await,
        Err(Stop::StoreAway) => again_or(runner, lease, &failure::storage()).await,
        Err(Stop::Failed(failure)) => fail(runner, lease, failure).await,
    }
}

/// Puts the run off for another attempt; after the last it has failed.
async fn again_or(runner: &Runner, lease: Lease, last: &Failure) -> sqlx::Result<Option<RunOutcome>> {
    match RETRIES.after(lease.attempt) {
        Some(delay) => Ok(runs::requeue(&runner.app, lease, delay).await?.then_some(RunOutcome::PutOff)),
        None => fail(runner, lease, last).await,
    }
}

/// A run that was asked to stop ends as cancelled, even if it failed on its own at that moment.
async fn fail(runner: &Runner, lease: Lease, failure: &Failure) -> sqlx::Result<Option<RunOutcome>> {
    if runs::finish_cancelled(&runner.app, lease).await? {
        return Ok(Some(CANCELLED));
    }
    Ok(runs::fail(&runner.app, lease, failure).await?.then_some(RunOutcome::Ended(RunStatus::Failed)))
}

async fn discard_unnamed(runner: &Runner, artifacts: &[Artifact]) {
    let paths: Vec<String> = artifacts.iter().map(|artifact| artifact.path.clone()).collect();
    let named = sqlx::query_scalar!("select path from report_artifact where path = any($1)", &paths).fetch_all(&runner.app).await;
    match named {
        Ok(named) => {
            let unnamed: Vec<Artifact> = artifacts.iter().filter(|artifact| !named.contains(&artifact.path)).cloned().collect();
            runner.store.discard(&unnamed).await;
        }
        Err(error) => tracing::warn!(%error, "files of an abandoned run are left to the sweep"),
    }
}
