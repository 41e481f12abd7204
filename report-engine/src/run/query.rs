//! The query of a run: rows travel from a cursor through a bounded channel to the thread that renders.

use std::time::Duration;

use domain::{
    report_sql::{Binds, ReportSqlError, Session, Statement},
    runs::Lease,
};
use sqlx::PgPool;
use tokio::{sync::mpsc, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::plan::Value;

/// Rows that one fetch brings.
const BATCH: u32 = 1000;

/// Batches that wait for the renderer.
const AHEAD: usize = 4;

/// How long the server gets to stop a statement; after that its connection is cut, which stops it too.
const STOP_PATIENCE: Duration = Duration::from_secs(10);

pub type Batch = Vec<Vec<Value>>;

/// A query under way.
pub struct Feed {
    pub columns: Vec<String>,
    pub rows: mpsc::Receiver<Batch>,
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
    stop: CancellationToken,
) -> Result<Feed, ReportSqlError> {
    let guard = Guard { app, pid: session.pid(), label: label(lease), stop };
    let columns = match guard.stoppable(session.declare(statement, binds, BATCH)).await {
        Ok(columns) => columns,
        Err(error) => {
            session.close().await;
            return Err(error);
        }
    };
    let (sender, rows) = mpsc::channel(AHEAD);
    let end = tokio::spawn(async move {
        let end = feed(&guard, &mut session, sender).await;
        session.close().await;
        end
    });
    Ok(Feed { columns, rows, end })
}

async fn feed(guard: &Guard, session: &mut Session, sender: mpsc::Sender<Batch>) -> Result<(), ReportSqlError> {
    loop {
        let rows = guard.stoppable(session.fetch()).await?;
        if rows.is_empty() {
            return Ok(());
        }
        let batch = rows.into_iter().map(|row| row.into_iter().map(Value::from).collect()).collect();
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
    label: String,
    stop: CancellationToken,
}

impl Guard {
    /// Does `work`, unless told to stop: then the server is asked to stop the statement, and its end is waited for, since
    /// forgetting the future would leave the statement running.
    async fn stoppable<T>(&self, work: impl Future<Output = Result<T, ReportSqlError>>) -> Result<T, ReportSqlError> {
        tokio::pin!(work);
        tokio::select! {
            biased;
            () = self.stop.cancelled() => {}
            done = &mut work => return done,
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

impl From<domain::report_sql::Value> for Value {
    fn from(cell: domain::report_sql::Value) -> Self {
        use domain::report_sql::Value as Cell;
        match cell {
            Cell::Null => Value::Null,
            Cell::Bool(flag) => Value::Bool(flag),
            Cell::Int(number) => Value::Int(number),
            Cell::Decimal(number) => Value::Decimal(number),
            Cell::Float(number) => Value::Float(number),
            Cell::Text(text) => Value::Text(text),
            Cell::Date(date) => Value::Date(date),
            Cell::DateTime(moment) => Value::DateTime(moment),
        }
    }
}
