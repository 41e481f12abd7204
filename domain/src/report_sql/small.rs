//! Small results at once: an initial value, a look at what a query gives.

use std::time::Duration;

use super::{Binds, ReportDb, ReportSqlError, Scope, Statement, Value};

/// The time that a parameter's query has.
pub const OPTIONS_TIMEOUT: Duration = Duration::from_secs(5);

/// A whole small result.
#[derive(Clone, Debug, PartialEq)]
pub struct Small {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
    /// There were more rows than asked for.
    pub truncated: bool,
}

impl ReportDb {
    /// Runs `source` under the report role and brings at most `most` rows, within `timeout` from connect to last row.
    pub async fn small(&self, scope: Scope, source: &str, binds: &Binds, timeout: Duration, most: u32) -> Result<Small, ReportSqlError> {
        self.read(scope, source, binds, timeout, most, None).await
    }

    /// The first value that a query finds for a patient, as text. Whoever is asked about her learns the identity of no other: the views hold
    /// hers alone.
    pub async fn first(&self, scope: Scope, source: &str, binds: &Binds, patient: i64) -> Result<Option<String>, ReportSqlError> {
        let found = self.read(scope, source, binds, OPTIONS_TIMEOUT, 1, Some(patient)).await?;
        Ok(found.rows.into_iter().next().and_then(|row| row.into_iter().next()?.into_text()))
    }

    async fn read(
        &self,
        scope: Scope,
        source: &str,
        binds: &Binds,
        timeout: Duration,
        most: u32,
        patient: Option<i64>,
    ) -> Result<Small, ReportSqlError> {
        let statement = Statement::scan(source)?;
        let read = async {
            let mut session = self.open(scope, "regix-upit", timeout).await?;
            let result = async {
                if let Some(patient) = patient {
                    session.name_only([patient]).await?;
                }
                let columns = session.declare(&statement, binds, most.saturating_add(1)).await?;
                Ok::<_, ReportSqlError>((columns, session.fetch().await?))
            }
            .await;
            session.close().await;
            result
        };
        // The server stops the statement by its own clock; this bounds the waiting for a free connection as well.
        let (columns, mut rows) =
            tokio::time::timeout(timeout + Duration::from_secs(1), read).await.map_err(|_| ReportSqlError::Stopped)??;
        let truncated = rows.len() > most as usize;
        rows.truncate(most as usize);
        Ok(Small { columns, rows, truncated })
    }
}
