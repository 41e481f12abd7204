//! Whom a statement names, as the views gave it and not as its author says (decision 0072).
//!
//! A statement that reads who patients are is run three times in one snapshot. First the views hold nobody's identity: whom the rows name
//! then, nothing that identifies anybody has chosen. Then they hold the identity of those alone: no other's can be in the rows, whatever
//! the statement does. Where the rows that are delivered are the same rows, whom they name is proven. Where they are not, or where it takes
//! too long, they may name everybody whom the views give.

use std::{
    collections::HashSet,
    hash::{BuildHasher, Hash, Hasher, RandomState},
    time::{Duration, Instant},
};

use sqlx::{AssertSqlSafe, Column, Executor, Row, SqlSafeStr, Statement as _, ValueRef, postgres::PgRow};

use super::{Binds, PATIENT_COLUMN, ReportSqlError, Session, Statement, Value, session::outcome, value};

/// Rows that each step of a proof reads.
const BATCH: u32 = 2_000;
/// Each of the two runs of a proof gets this part of the statement's time.
const SHARE: u32 = 8;

/// Where a row says which patient it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatientOf {
    /// In the column [`PATIENT_COLUMN`].
    Column,
    /// In the first column: options of a parameter whose values are patients.
    First,
}

/// Whom the rows of a statement may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPatients {
    pub patients: HashSet<i64>,
    /// No other's identity is in the rows; otherwise the patients are all whom the views give.
    pub proven: bool,
}

/// What is known of the rows of a statement before they are delivered, and whether they are the same.
pub(super) struct Naming {
    proof: Option<Proof>,
    last: u64,
    rows: usize,
    same: bool,
}

#[derive(Default)]
struct Proof {
    patients: HashSet<i64>,
    digests: Digests,
}

/// Of the rows so far, after each of them; under a key that nobody knows.
#[derive(Default)]
struct Digests {
    key: RandomState,
    each: Vec<u64>,
}

impl Digests {
    fn next(&self, last: u64, row: &PgRow) -> Result<u64, sqlx::Error> {
        let mut hash = self.key.build_hasher();
        last.hash(&mut hash);
        for index in 0..row.len() {
            let cell = row.try_get_raw(index)?;
            let bytes = if cell.is_null() { None } else { Some(cell.as_bytes().map_err(sqlx::Error::Decode)?) };
            bytes.hash(&mut hash);
        }
        Ok(hash.finish())
    }

    fn push(&mut self, row: &PgRow) -> Result<(), sqlx::Error> {
        let next = self.next(self.each.last().copied().unwrap_or_default(), row)?;
        self.each.push(next);
        Ok(())
    }
}

impl Naming {
    fn new(proof: Option<Proof>) -> Self {
        Self { same: proof.is_some(), proof, last: 0, rows: 0 }
    }

    /// Rows as they are delivered.
    pub fn follow(&mut self, rows: &[PgRow]) -> Result<(), ReportSqlError> {
        let Some(proof) = &self.proof else { return Ok(()) };
        for row in rows {
            self.last = proof.digests.next(self.last, row)?;
            self.same &= proof.digests.each.get(self.rows) == Some(&self.last);
            self.rows += 1;
        }
        Ok(())
    }
}

impl Session {
    /// Whether the statement reads who patients are ([`Session::names_patients`]); if so, the rows that are declared and fetched next are
    /// followed, and [`Session::named`] says whom they may name.
    pub async fn follow(&mut self, statement: &Statement, binds: &Binds, of: PatientOf) -> Result<bool, ReportSqlError> {
        if !self.names_patients(statement, binds).await? {
            return Ok(false);
        }
        // The same rows come in the same order, where nothing else gives them one.
        self.execute("set local synchronize_seqscans = off").await?;
        self.execute("set local max_parallel_workers_per_gather = 0").await?;
        let proof = self.prove(statement, binds, of).await?;
        self.naming = Some(Naming::new(proof));
        Ok(true)
    }

    /// Whom the rows that were fetched may name; none where they name nobody.
    pub async fn named(&mut self) -> Result<Option<NamedPatients>, ReportSqlError> {
        let Some(naming) = self.naming.take() else { return Ok(None) };
        if let Some(proof) = naming.proof.filter(|_| naming.same) {
            return Ok(Some(NamedPatients { patients: proof.patients, proven: true }));
        }
        let everybody: Vec<i64> = sqlx::query_scalar("select id from report.pacijent").fetch_all(&mut self.connection).await?;
        Ok(Some(NamedPatients { patients: everybody.into_iter().collect(), proven: false }))
    }

    /// From now on the views hold the identity of these alone.
    pub(super) async fn name_only(&mut self, patients: impl IntoIterator<Item = i64>) -> Result<(), ReportSqlError> {
        let ids = patients.into_iter().map(|id| id.to_string()).collect::<Vec<_>>().join(",");
        let named = if ids.is_empty() { "niko" } else { &ids };
        (&mut self.connection).execute(AssertSqlSafe(format!("set local regix.pokazani = '{named}'"))).await?;
        Ok(())
    }

    /// Hands on every row as it is where the views hold the identity of these patients alone: a row that is the same then names no other.
    /// Gives whether all of them came in time.
    pub async fn each_naming_only(
        &mut self,
        patients: impl IntoIterator<Item = i64>,
        statement: &Statement,
        binds: &Binds,
        mut take: impl FnMut(Vec<Value>),
    ) -> Result<bool, ReportSqlError> {
        let whole = self.step_aside().await?;
        let named = self.name_only(patients).await;
        let read = async {
            named?;
            self.run_through(statement, binds, PatientOf::First, |row, _| {
                take(value::decode(row, &[])?);
                Ok(())
            })
            .await
        };
        let read = read.await;
        Ok(self.step_back(whole, read).await?.is_some())
    }

    async fn prove(&mut self, statement: &Statement, binds: &Binds, of: PatientOf) -> Result<Option<Proof>, ReportSqlError> {
        let whole = self.step_aside().await?;
        let proof = self.proof(statement, binds, of).await;
        self.step_back(whole, proof).await
    }

    /// What comes now is a part of a proof, with its share of the time. Gives the whole time.
    async fn step_aside(&mut self) -> Result<Duration, ReportSqlError> {
        let whole = self.statement_timeout;
        self.execute("savepoint dokaz").await?;
        self.statement_timeout = whole / SHARE;
        let share = format!("set local statement_timeout = {}", self.statement_timeout.as_millis().max(1));
        (&mut self.connection).execute(AssertSqlSafe(share)).await?;
        Ok(whole)
    }

    /// Goes on as if the part had not been there; none where it failed.
    async fn step_back<T>(&mut self, whole: Duration, done: Result<T, ReportSqlError>) -> Result<Option<T>, ReportSqlError> {
        self.execute("rollback to savepoint dokaz").await?;
        self.statement_timeout = whole;
        match done {
            Err(error @ (ReportSqlError::Passing(_) | ReportSqlError::Interrupted)) => Err(error),
            // What is wrong with it is told when it is run as it is.
            Err(error) => {
                tracing::debug!(%error, "whom a statement names is not proven");
                Ok(None)
            }
            Ok(done) => Ok(Some(done)),
        }
    }

    async fn proof(&mut self, statement: &Statement, binds: &Binds, of: PatientOf) -> Result<Proof, ReportSqlError> {
        let mut blind = Proof::default();
        self.name_only([]).await?;
        self.run_through(statement, binds, of, |row, patient| {
            blind.patients.extend(patient.and_then(|index| value::patient(row, index)));
            Ok(blind.digests.push(row)?)
        })
        .await?;
        if blind.patients.is_empty() {
            return Ok(blind);
        }
        self.name_only(blind.patients.iter().copied()).await?;
        let mut digests = Digests::default();
        self.run_through(statement, binds, of, |row, _| Ok(digests.push(row)?)).await?;
        Ok(Proof { patients: blind.patients, digests })
    }

    /// Hands on every row, with where its patient stands.
    async fn run_through(
        &mut self,
        statement: &Statement,
        binds: &Binds,
        of: PatientOf,
        mut take: impl FnMut(&PgRow, Option<usize>) -> Result<(), ReportSqlError>,
    ) -> Result<(), ReportSqlError> {
        let (started, most): (Instant, Duration) = (Instant::now(), self.statement_timeout);
        let cursor = self.open_cursor(statement, binds).await?;
        let fetch = AssertSqlSafe(format!("fetch forward {BATCH} from {cursor}")).into_sql_str();
        let fetch = (&mut self.connection).prepare(fetch).await?;
        let patient = match of {
            PatientOf::Column => fetch.columns().iter().position(|column| column.name() == PATIENT_COLUMN),
            PatientOf::First => Some(0),
        };
        loop {
            let ended = outcome(most);
            let rows = fetch.query().fetch_all(&mut self.connection).await.map_err(ended)?;
            rows.iter().try_for_each(|row| take(row, patient))?;
            if rows.len() < BATCH as usize {
                return Ok(());
            }
            if started.elapsed() > most {
                return Err(ReportSqlError::Stopped);
            }
        }
    }

    async fn execute(&mut self, statement: &'static str) -> Result<(), ReportSqlError> {
        (&mut self.connection).execute(statement).await?;
        Ok(())
    }
}
