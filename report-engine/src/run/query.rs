//! The query of a run: rows travel from a cursor through a bounded channel to the thread that renders.

use std::time::Duration;

use domain::{
    report_sql::{Binds, PatientOf, ReportSqlError, Session, Statement},
    runs::Lease,
};
use sqlx::PgPool;
use tokio::{sync::mpsc, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::shown::ShownPatients;
use crate::plan::Value;

/// Rows that one fetch brings.
pub const BATCH: u32 = 1000;

/// Batches that wait for the renderer.
const AHEAD: usize = 4;

/// How long the server gets to stop a statement; after that its connection is cut, which stops it too.
const STOP_PATIENCE: Duration = Duration::from_secs(10);

pub type Batch = Vec<Vec<Value>>;

/// A query under way.
pub struct Feed {
    pub columns: Vec<String>,
    pub rows: mpsc::Receiver<Batch>,
    /// The patients whom the rows name.
    pub shown: ShownPatients,
    /// They may name some; who they were is known when the last row is through.
    pub may_name: bool,
    /// How the query ended, once all its rows are through or nobody wants more.
    pub end: JoinHandle<Result<(), ReportSqlError>>,
}

/// What tells the connection of a run from every other one on the server.
pub fn label(lease: Lease) -> String {
    format!("run:{}", lease.run)
}

/// Starts the query and its feeding task, which closes the session when it ends.
pub async fn start(
    app: PgPool,
    mut session: Session,
    lease: Lease,
    statement: &Statement,
    binds: &Binds,
    batch: u32,
    stop: CancellationToken,
) -> Result<Feed, ReportSqlError> {
    let guard = Guard { app, pid: session.pid(), of_replica: session.is_of_replica(), label: label(lease), stop };
    let declared = async {
        let names_patients = session.follow(statement, binds, PatientOf::Column).await?;
        Ok((names_patients, session.declare(statement, binds, batch).await?))
    };
    let (names_patients, columns) = match guard.stoppable(declared).await {
        Ok(declared) => declared,
        Err(error) => {
            session.close().await;
            return Err(error);
        }
    };
    let (sender, rows) = mpsc::channel(AHEAD);
    let shown = ShownPatients::default();
    let seen = ShownPatients::column(&columns).map(|column| (column, shown.clone()));
    let may_name = names_patients || seen.is_some();
    let end = tokio::spawn({
        let shown = shown.clone();
        async move {
            let mut end = feed(&guard, &mut session, sender, seen).await;
            if end.is_ok() && names_patients {
                end = guard.stoppable(session.named()).await.map(|named| named.into_iter().for_each(|named| shown.named(named)));
            }
            session.close().await;
            end
        }
    });
    Ok(Feed { columns, rows, shown, may_name, end })
}

async fn feed(
    guard: &Guard,
    session: &mut Session,
    sender: mpsc::Sender<Batch>,
    seen: Option<(usize, ShownPatients)>,
) -> Result<(), ReportSqlError> {
    loop {
        let batch = guard.stoppable(session.fetch()).await?;
        if batch.is_empty() {
            return Ok(());
        }
        if let Some((column, shown)) = &seen {
            shown.of_rows(*column, &batch);
        }
        tokio::select! {
            sent = sender.send(batch) => if sent.is_err() { return Ok(()) },
            () = guard.stop.cancelled() => return Err(ReportSqlError::Stopped),
        }
    }
}

/// Stops the statements of one backend.
struct Guard {
    app: PgPool,
    pid: i32,
    of_replica: bool,
    label: String,
    stop: CancellationToken,
}

impl Guard {
    /// Does `work`, unless told to stop: then the server is asked to stop the statement, and its end is waited for, since
    /// forgetting the future would leave the statement running. A replica cannot be asked by the application's role: there the caller
    /// ends the connection, and the server looks for that every five seconds.
    async fn stoppable<T>(&self, work: impl Future<Output = Result<T, ReportSqlError>>) -> Result<T, ReportSqlError> {
        tokio::pin!(work);
        tokio::select! {
            biased;
            () = self.stop.cancelled() => {}
            done = &mut work => return done,
        }
        if self.of_replica {
            return Err(ReportSqlError::Stopped);
        }
        let ended = tokio::time::timeout(STOP_PATIENCE, async {
            loop {
                self.cancel_statement().await;
                // A cancel that comes between two statements is lost: it is repeated until this one has ended.
                if tokio::time::timeout(Duration::from_millis(250), &mut work).await.is_ok() {
                    return;
                }
            }
        });
        if ended.await.is_err() {
            tracing::error!(pid = self.pid, run = %self.label, "the server did not stop a statement in time; its connection is cut");
        }
        Err(ReportSqlError::Stopped)
    }

    /// By pid and by the run's own label: a pid alone may by now be someone else's.
    async fn cancel_statement(&self) {
        let cancelled = sqlx::query_scalar!(
            "select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and application_name = $2 and state = 'active'",
            self.pid,
            self.label,
        )
        .fetch_optional(&self.app)
        .await;
        if let Err(error) = cancelled {
            tracing::warn!(%error, run = %self.label, "the statement of a run could not be cancelled");
        }
    }
}
