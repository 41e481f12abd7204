//! Reports from a streaming replica: when a connection there may begin, and how far the replica is behind.

use std::{
    io,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};

use super::ReportSqlError;

/// How long a statement waits for a replica that is behind, before it is tried again later.
const REPLAY_PATIENCE: Duration = Duration::from_secs(30);
const REPLAY_PAUSE: Duration = Duration::from_millis(20);
/// How long the question how far it is behind may take.
const LAG_PATIENCE: Duration = Duration::from_secs(2);

/// Waits until the scope, which was written on the primary, is here. Changes arrive in their order, so whatever was saved before a report
/// began is in it.
pub async fn arrived(connection: &mut PgConnection) -> Result<(), ReportSqlError> {
    let since = Instant::now();
    while !sqlx::query_scalar!(r#"select report.ima_opseg() as "is_here!""#).fetch_one(&mut *connection).await? {
        if since.elapsed() > REPLAY_PATIENCE {
            let behind = io::Error::new(io::ErrorKind::TimedOut, "the replica that reports read from is too far behind");
            return Err(ReportSqlError::Passing(behind.into()));
        }
        tokio::time::sleep(REPLAY_PAUSE).await;
    }
    Ok(())
}

/// What is known of the server that reports read from.
#[derive(Default)]
pub struct Replica(Mutex<ServerKind>);

#[derive(Clone, Copy, Default)]
enum ServerKind {
    #[default]
    Nothing,
    Primary,
    /// When it last answered, and how many seconds it was behind then.
    Replica {
        asked: Instant,
        lag: f64,
    },
}

impl Replica {
    pub fn found(&self, is_replica: bool) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known = match *known {
            _ if !is_replica => ServerKind::Primary,
            ServerKind::Replica { asked, lag } => ServerKind::Replica { asked, lag },
            _ => ServerKind::Replica { asked: Instant::now(), lag: 0.0 },
        };
    }

    fn known(&self) -> ServerKind {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A primary is not asked again: a connection that is opened for a report would tell that it has become a replica. A replica that
    /// does not answer falls behind by the clock.
    pub async fn lag(&self, options: &PgConnectOptions) -> Option<f64> {
        if matches!(self.known(), ServerKind::Primary) {
            return None;
        }
        let answer = tokio::time::timeout(LAG_PATIENCE, ask(options)).await;
        if let Ok(Ok(lag)) = answer {
            self.found(lag.is_some());
            if let Some(lag) = lag {
                *self.0.lock().unwrap_or_else(PoisonError::into_inner) = ServerKind::Replica { asked: Instant::now(), lag };
            }
            return lag;
        }
        match self.known() {
            ServerKind::Replica { asked, lag } => Some(lag + asked.elapsed().as_secs_f64()),
            _ => None,
        }
    }
}

async fn ask(options: &PgConnectOptions) -> sqlx::Result<Option<f64>> {
    let mut connection = PgConnection::connect_with(options).await?;
    let asked = sqlx::query_scalar!(
        "select case when pg_is_in_recovery()
                     then greatest(0, extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()))::float8 end"
    );
    let lag = asked.fetch_one(&mut connection).await;
    connection.close().await?;
    lag
}
