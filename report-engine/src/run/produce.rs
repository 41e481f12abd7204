//! From query to files: one pass over the rows feeds every format.

use std::sync::Arc;

use domain::{
    report_sql::{Session, Statement},
    runs::{self, Failure, Lease},
};
use tokio::sync::mpsc;

use super::{
    failure::{self, Stop},
    load::Job,
    progress::{Progress, RowCounter, Stage},
    query::{self, Batch, Feed},
    runner::Runner,
};
use crate::{
    failpoint,
    jobs::Stopper,
    plan::{Format, Value},
    render::{self, Limits, Outcome, RenderError, Rendered, Target},
    store::Draft,
    template::Context,
};

/// What a run has made.
pub struct Produced {
    /// One entry a format that could be made; never empty.
    pub files: Vec<(Format, Rendered)>,
    pub rows: u64,
    pub truncated: bool,
    /// Said of formats that could not be made while others could.
    pub note: Option<Failure>,
}

pub async fn files(
    runner: &Arc<Runner>,
    lease: Lease,
    job: &Job,
    draft: &Draft,
    stopper: &Stopper,
    progress: &Progress,
) -> Result<Produced, Stop> {
    let targets = targets(job, draft)?;
    let session = open(runner, lease, job, stopper).await?;
    runs::set_backend(&runner.app, lease, session.pid(), &job.files.sha256).await?;
    let feed = start(runner, lease, job, session, &job.files.statement, stopper).await?;
    failpoint::reached_async("query").await;
    let (outcomes, end) = render(feed, targets, stopper, progress).await;
    // A query that failed is the cause, whatever the renderer made of the missing rows.
    end.map_err(|panic| Stop::panicked(&panic))??;
    collect(outcomes?, progress.rows())
}

fn targets(job: &Job, draft: &Draft) -> Result<Vec<Target>, Stop> {
    let target = |format: &Format| {
        let context = Context {
            naziv: job.naziv.clone(),
            parametri: job.parametri.clone(),
            ustanova: job.ustanova.clone(),
            radnik_ime_prezime: job.radnik.clone(),
            generisano: job.generisano,
            format: *format,
            extra: serde_json::Value::Null,
        };
        let plan = job.files.template.plan(&context).map_err(|error| failure::template_error(&error))?;
        Ok(Target { plan, path: draft.path(*format) })
    };
    job.formats.iter().map(target).collect()
}

async fn open(runner: &Runner, lease: Lease, job: &Job, stopper: &Stopper) -> Result<Session, Stop> {
    let label = query::label(lease);
    tokio::select! {
        session = runner.reports.open(job.scope, &label, job.time_limit) => Ok(session?),
        () = stopper.token().cancelled() => Err(Stop::Cancelled),
    }
}

async fn start(runner: &Runner, lease: Lease, job: &Job, session: Session, statement: &Statement, stopper: &Stopper) -> Result<Feed, Stop> {
    Ok(query::start(runner.app.clone(), session, lease, statement, &job.binds, stopper.token().clone()).await?)
}

type QueryEnd = Result<Result<(), domain::report_sql::ReportSqlError>, tokio::task::JoinError>;

async fn render(feed: Feed, targets: Vec<Target>, stopper: &Stopper, progress: &Progress) -> (Result<Vec<Outcome>, Stop>, QueryEnd) {
    progress.stage(Stage::Render);
    let Feed { columns, rows, end } = feed;
    let source = Rows { batches: rows, current: Vec::new().into_iter(), counter: progress.row_counter(), stopper: stopper.clone() };
    let token = stopper.token().clone();
    let span = tracing::Span::current();
    let rendering =
        tokio::task::spawn_blocking(move || span.in_scope(|| render::render(targets, &columns, source, &Limits::default(), &token)));
    let outcomes = match rendering.await {
        Ok(Ok(outcomes)) => Ok(outcomes),
        Ok(Err(error)) => Err(failure::render(&error)),
        Err(panic) => Err(Stop::panicked(&panic)),
    };
    (outcomes, end.await)
}

/// The rows as the renderer takes them, from the channel that the query fills.
struct Rows {
    batches: mpsc::Receiver<Batch>,
    current: std::vec::IntoIter<Vec<Value>>,
    counter: RowCounter,
    stopper: Stopper,
}

impl Iterator for Rows {
    type Item = Result<Vec<Value>, RenderError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.current.next() {
                return Some(Ok(row));
            }
            // The channel closes when the query is through, when it failed and when it was stopped.
            let batch = self.batches.blocking_recv();
            if self.stopper.token().is_cancelled() {
                return Some(Err(RenderError::Cancelled));
            }
            let batch = batch?;
            self.counter.add(batch.len() as u64);
            self.current = batch.into_iter();
            failpoint::reached("render");
        }
    }
}

fn collect(outcomes: Vec<Outcome>, rows: u64) -> Result<Produced, Stop> {
    let mut produced = Produced { files: Vec::new(), rows, truncated: false, note: None };
    let mut failed = Vec::new();
    for outcome in outcomes {
        match outcome.result {
            Ok(rendered) => {
                produced.truncated |= rendered.truncated;
                if !rendered.missing_glyphs.is_empty() {
                    tracing::warn!(format = %outcome.format, count = rendered.missing_glyphs.len(), "the report font lacks characters");
                }
                produced.files.push((outcome.format, rendered));
            }
            Err(error) => failed.push((outcome.format, error)),
        }
    }
    let Some((_, first)) = failed.first() else { return Ok(produced) };
    if produced.files.is_empty() {
        return Err(failure::render(first));
    }
    produced.note = Some(failure::some_formats(&failed));
    Ok(produced)
}
