//! Small results at once: the options of a set parameter, an initial value.

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

/// An option of a set parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub value: String,
    pub label: String,
}

impl ReportDb {
    /// Runs `source` under the report role and brings at most `most` rows, within `timeout` from connect to last row.
    pub async fn small(&self, scope: Scope, source: &str, binds: &Binds, timeout: Duration, most: u32) -> Result<Small, ReportSqlError> {
        let statement = Statement::scan(source)?;
        let read = async {
            let mut session = self.open(scope, "regix-upit", timeout).await?;
            let result = async {
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

    /// The options that a set parameter's query gives: the first column is the value, the second, if any, the label.
    pub async fn options(&self, scope: Scope, source: &str, binds: &Binds, most: u32) -> Result<Vec<Choice>, ReportSqlError> {
        let found = self.small(scope, source, binds, OPTIONS_TIMEOUT, most).await?;
        let choice = |row: Vec<Value>| {
            let mut cells = row.into_iter();
            let value = cells.next()?.into_text()?;
            let label = cells.next().and_then(Value::into_text).unwrap_or_else(|| value.clone());
            Some(Choice { value, label })
        };
        Ok(found.rows.into_iter().filter_map(choice).collect())
    }
}
