//! From query to files: one pass over the rows feeds every format.

use std::{path::PathBuf, sync::Arc};

use domain::{
    parameters::{self, PDF_ROWS},
    report_screen::ScreenStart,
    report_sql::{OF_THE_SESSION, Session, Statement},
    runs::{self, Failure, Lease, RowsOfRun, Stage},
};

use tokio::sync::mpsc;

use super::{
    failure::{self, Stop},
    load::Job,
    logo,
    progress::Progress,
    query::{self, Feed},
    rows::Rows,
    runner::Runner,
    shown::{self, ShownPatients, WorkKind},
};
use crate::{
    failpoint,
    jobs::Stopper,
    plan::Format,
    render::{self, Cap, Limits, Outcome, Overflow, RenderError, RenderedFile, Target},
    store::{Draft, FileKind},
    template::Context,
};

/// Rows of a report that stands among others: a board is for looking at, and its file is put together in memory.
const FIRST_ROWS: Cap = Cap { rows: 500, overflow: Overflow::Cut };

/// What a run has made.
pub struct ProducedFiles {
    /// One entry a format that could be made; never empty.
    pub files: Vec<(FileKind, RenderedFile)>,
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
) -> Result<ProducedFiles, Stop> {
    let (first_lines, told) = mpsc::unbounded_channel();
    let targets = targets(runner, job, |format| draft.path(format), &first_lines)?;
    drop(first_lines);
    let session = open(runner, lease, job, stopper).await?;
    runs::set_backend(&runner.app, lease, session.pid(), &job.files.sha256, &job.notices).await?;
    let feed = start(runner, lease, job, session, &job.files.statement, stopper).await?;
    failpoint::reached_async("query").await;
    // Whom rows name must be in the log before anybody sees them, and rules of all institutions hold for the whole.
    let names_nobody = names_nobody(job, &feed);
    runs::set_rows(&runner.app, lease, RowsOfRun { names_nobody, is_shared: is_shared(job, names_nobody) }).await?;
    if names_nobody {
        tokio::spawn(tell_start(runner.clone(), lease, told));
    }
    let limits = if job.trial { Limits::trial() } else { limits(runner).await? };
    follow(runner, lease, job, feed, (targets, limits), stopper, progress).await
}

fn names_nobody(job: &Job, feed: &Feed) -> bool {
    job.scope.ustanova_id.is_some() && !feed.may_name
}

/// Whether whoever asks in the institution is told the same: nobody is named, as over all institutions nobody ever is, and the query does not
/// ask who reads.
fn is_shared(job: &Job, names_nobody: bool) -> bool {
    let [worker, ..] = OF_THE_SESSION;
    (names_nobody || job.scope.ustanova_id.is_none()) && !job.files.statement.names().iter().any(|name| name == worker)
}

async fn limits(runner: &Runner) -> sqlx::Result<Limits> {
    Ok(Limits::with_pdf_rows(parameters::load(&runner.app).await?.number(&PDF_ROWS).unsigned_abs().into()))
}

/// One report of several that a run makes.
pub struct Part {
    pub file: RenderedFile,
    /// Its rows can name no patient and are of one institution.
    pub names_nobody: bool,
}

/// Makes a report as a PDF of its first rows, beside others of the same run; whom it names is in the log before anybody sees it.
pub async fn part(
    runner: &Arc<Runner>,
    lease: Lease,
    job: &Job,
    path: PathBuf,
    stopper: &Stopper,
    progress: &Progress,
) -> Result<Part, Stop> {
    let targets = targets(runner, job, |_| path.clone(), &mpsc::unbounded_channel().0)?;
    let session = open(runner, lease, job, stopper).await?;
    runs::set_backend(&runner.app, lease, session.pid(), &job.files.sha256, &[]).await?;
    let feed = start(runner, lease, job, session, &job.files.statement, stopper).await?;
    let names_nobody = names_nobody(job, &feed);
    let limits = Limits { pdf: FIRST_ROWS, ..limits(runner).await? };
    let made = follow(runner, lease, job, feed, (targets, limits), stopper, progress).await?;
    let file = made.files.into_iter().next().map(|(_, file)| file);
    Ok(Part { file: file.ok_or_else(failure::defect)?, names_nobody })
}

/// Renders the rows that come, and writes whom they show.
async fn follow(
    runner: &Arc<Runner>,
    lease: Lease,
    job: &Job,
    feed: Feed,
    (targets, limits): (Vec<Target>, Limits),
    stopper: &Stopper,
    progress: &Progress,
) -> Result<ProducedFiles, Stop> {
    let before = progress.rows();
    // Over all institutions no patient can be told: what stands there are no ids.
    let shown = if job.scope.ustanova_id.is_some() { feed.shown.clone() } else { ShownPatients::default() };
    let (outcomes, end) = render(feed, targets, limits, stopper, progress).await;
    // A query that failed is the cause, whatever the renderer made of the missing rows.
    end.map_err(|panic| Stop::panicked(&panic))??;
    // Of a trial one row more is read, to know whether there are more.
    let read = progress.rows() - before;
    let rows = if job.trial { read.min(render::TRIAL_ROWS) } else { read };
    let produced = collect(outcomes?, rows)?;
    shown::record(&runner.app, lease, WorkKind::Report, &shown, rows).await?;
    Ok(produced)
}

/// Lets the requester see the first lines while the others are on their way. Ends when there are none to come.
async fn tell_start(runner: Arc<Runner>, lease: Lease, mut told: mpsc::UnboundedReceiver<ScreenStart>) {
    let Some(start) = told.recv().await else { return };
    // Only a hint for the screen: without it everything comes at the end.
    if let Err(error) = runs::keep_start(&runner.app, lease, &start).await {
        tracing::warn!(run = %lease.run, %error, "the first lines of a report could not be kept");
    }
}

fn targets(
    runner: &Runner,
    job: &Job,
    path: impl Fn(Format) -> PathBuf,
    first_lines: &mpsc::UnboundedSender<ScreenStart>,
) -> Result<Vec<Target>, Stop> {
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
        let mut plan = job.files.template.plan(&context).map_err(|error| failure::template_error(&error))?;
        logo::head(&mut plan.heading, &job.logo, &runner.templates)?;
        let start = (*format == Format::Screen).then(|| first_lines.clone());
        Ok(Target { plan, path: path(*format), notices: job.notices.clone(), start })
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
    let batch = if job.trial { render::TRIAL_ROWS as u32 + 1 } else { query::BATCH };
    Ok(query::start(runner.app.clone(), session, lease, statement, &job.binds, batch, stopper.token().clone()).await?)
}

type QueryEnd = Result<Result<(), domain::report_sql::ReportSqlError>, tokio::task::JoinError>;

async fn render(
    feed: Feed,
    targets: Vec<Target>,
    limits: Limits,
    stopper: &Stopper,
    progress: &Progress,
) -> (Result<Vec<Outcome>, Stop>, QueryEnd) {
    progress.stage(Stage::Render);
    let Feed { columns, rows, end, .. } = feed;
    let source = Rows::new(rows, progress.row_counter(), stopper.clone(), || RenderError::Cancelled);
    let token = stopper.token().clone();
    let span = tracing::Span::current();
    let rendering = tokio::task::spawn_blocking(move || span.in_scope(|| render::render(targets, &columns, source, &limits, &token)));
    let outcomes = match rendering.await {
        Ok(Ok(outcomes)) => Ok(outcomes),
        Ok(Err(error)) => Err(failure::render(&error)),
        Err(panic) => Err(Stop::panicked(&panic)),
    };
    (outcomes, end.await)
}

fn collect(outcomes: Vec<Outcome>, rows: u64) -> Result<ProducedFiles, Stop> {
    let mut produced = ProducedFiles { files: Vec::new(), rows, truncated: false, note: None };
    let mut failed = Vec::new();
    for outcome in outcomes {
        match outcome.result {
            Ok(rendered) => {
                produced.truncated |= rendered.truncated;
                if !rendered.missing_glyphs.is_empty() {
                    tracing::warn!(format = %outcome.format, count = rendered.missing_glyphs.len(), "the report font lacks characters");
                }
                produced.files.push((outcome.format.into(), rendered));
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
