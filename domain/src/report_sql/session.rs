//! One connection of the report role, scoped to one worker, for one statement after another. Whose roles open no patient gets a role
//! without names.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use sqlx::{
    AssertSqlSafe, Column, Connection, Executor, PgConnection, PgPool, SqlSafeStr, Statement as _, TypeInfo,
    postgres::{PgArguments, PgConnectOptions, PgDatabaseError, PgErrorPosition, PgRow, PgStatement},
    query::Query,
};
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use super::{
    Bind, Binds, ReportSqlError, Scope, ServerMessage, Statement, Value, calls, copies,
    groups::{GroupedRow, Guards, KnownPatients, MOST_ROWS},
    naming::Naming,
    replica::{self, Replica},
    value,
};
use crate::{
    db,
    parameters::{self, LEAST_GROUP},
    process::PoolUse,
};

/// Opens scoped connections of the report role, a bounded number at a time. Each lives for one use: what a statement may
/// leave behind in a session goes with it.
#[derive(Clone)]
pub struct ReportDb {
    app: PgPool,
    options: PgConnectOptions,
    slots: Arc<Semaphore>,
    most: u32,
    replica: Arc<Replica>,
    unlisted: Arc<OnceCell<HashSet<String>>>,
}

impl ReportDb {
    /// `app` is the application's pool, which writes the scopes; `report_url` signs in as the report role.
    pub fn new(app: PgPool, report_url: &str, most: u32) -> sqlx::Result<Self> {
        let options = db::options(report_url)?;
        Ok(Self { app, options, slots: Arc::new(Semaphore::new(most as usize)), most, replica: Arc::default(), unlisted: Arc::default() })
    }

    /// Connections in use, for the maintenance screen.
    pub fn pool_use(&self, naziv: &str) -> PoolUse {
        let free = u32::try_from(self.slots.available_permits()).unwrap_or(u32::MAX);
        PoolUse { naziv: naziv.to_owned(), zauzeto: self.most.saturating_sub(free), najvise: self.most }
    }

    /// So many seconds the server that reports read from is behind, counted from the last change that it has replayed; none where it is
    /// no replica.
    pub async fn lag(&self) -> Option<f64> {
        self.replica.lag(&self.options).await
    }

    /// Connects, tells the views whose data to show, and begins a read-only transaction. `label` is the connection's
    /// `application_name`; `statement_timeout` bounds each statement.
    pub async fn open(&self, scope: Scope, label: &str, statement_timeout: Duration) -> Result<Session, ReportSqlError> {
        let mut session = self.connect(scope, label, statement_timeout).await?;
        // Over all institutions the views themselves name nobody.
        if scope.ustanova_id.is_some() && !session.mark.names_patients {
            session.anonymous = true;
            (&mut session.connection).execute("set local role regix_report_anonymous").await?;
        }
        Ok(session)
    }

    /// Has the server plan the statement for whoever may read all of it, and reads no row: a report is also written by those whose roles
    /// open no patient.
    pub async fn plan(
        &self,
        scope: Scope,
        label: &str,
        statement_timeout: Duration,
        statement: &Statement,
        binds: &Binds,
    ) -> Result<PlannedStatement, ReportSqlError> {
        let mut session = self.connect(scope, label, statement_timeout).await?;
        let planned = async {
            session.declare(statement, binds, 1).await?;
            let columns = session.columns();
            Ok(PlannedStatement { columns, names_patients: session.names_patients(statement, binds).await? })
        }
        .await;
        session.close().await;
        planned
    }

    /// Has the server plan one statement after another, likewise; one that is wrong keeps nothing from the next. Gives their columns.
    pub async fn plan_each(
        &self,
        scope: Scope,
        label: &str,
        statement_timeout: Duration,
        statements: &[Statement],
        binds: &Binds,
    ) -> Result<Vec<Result<Vec<ResultColumn>, ReportSqlError>>, ReportSqlError> {
        let mut session = self.connect(scope, label, statement_timeout).await?;
        let planned = async {
            let mut planned = Vec::with_capacity(statements.len());
            for statement in statements {
                planned.push(session.plan_apart(statement, binds).await?);
            }
            Ok(planned)
        }
        .await;
        session.close().await;
        planned
    }

    async fn connect(&self, scope: Scope, label: &str, statement_timeout: Duration) -> Result<Session, ReportSqlError> {
        let slot = self.slots.clone().acquire_owned().await.expect("the slots are never closed");
        let options = self.options.clone().application_name(label);
        // Nothing of the statement has reached the server yet, whatever that says.
        let mut connection = PgConnection::connect_with(&options).await.map_err(ReportSqlError::Passing)?;
        // A cursor is planned for its first rows unless told otherwise; a report reads all of them. The server notices a killed engine and
        // stops its statement.
        let bounds = format!(
            "set statement_timeout = {}; set cursor_tuple_fraction = 1.0; set client_connection_check_interval = '5s'",
            statement_timeout.as_millis()
        );
        (&mut connection).execute(sqlx::raw_sql(AssertSqlSafe(bounds))).await.map_err(ReportSqlError::Passing)?;
        let server = Server::of(&mut connection).await?;
        self.replica.found(server.is_replica);
        let mark = ScopeMark::set(&self.app, server, scope).await?;
        if mark.server.is_replica {
            replica::arrived(&mut connection).await?;
        }
        let unlisted = if mark.server.keeps_functions { None } else { Some(self.unlisted().await?) };
        (&mut connection).execute("begin isolation level repeatable read read only").await?;
        let identity = scope.ustanova_id.is_some();
        Ok(Session {
            connection,
            statement_timeout,
            identity,
            anonymous: false,
            run: scope.run,
            asker: None,
            mark,
            fetch: None,
            batch: 0,
            guards: Guards::default(),
            judged: RowCheck::Never,
            naming: None,
            unlisted,
            cursors: 0,
            _slot: slot,
        })
    }

    /// The functions of the server that are not listed for reports, by name.
    async fn unlisted(&self) -> Result<Arc<OnceCell<HashSet<String>>>, ReportSqlError> {
        let names = async || {
            let names = sqlx::query_scalar!(
                r#"select distinct p.proname::text as "name!" from pg_proc p
                    where p.pronamespace = 'pg_catalog'::regnamespace and not exists (
                          select from report_inside.slobodne_funkcije() f join pg_proc l on l.oid = f.funkcija where l.proname = p.proname)"#
            );
            Ok::<_, sqlx::Error>(names.fetch_all(&self.app).await?.into_iter().collect())
        };
        self.unlisted.get_or_try_init(names).await.map_err(ReportSqlError::Passing)?;
        Ok(self.unlisted.clone())
    }
}

/// A column of a result, with its type as the server names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultColumn {
    pub name: String,
    pub kind: String,
}

/// What the server says of a statement before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStatement {
    pub columns: Vec<ResultColumn>,
    /// See [`Session::names_patients`].
    pub names_patients: bool,
}

/// A scoped connection in a read-only transaction.
pub struct Session {
    pub(super) connection: PgConnection,
    pub(super) statement_timeout: Duration,
    /// The views hold identities in this scope.
    identity: bool,
    /// The worker's roles open no patient.
    anonymous: bool,
    run: Option<Uuid>,
    /// The institution that asks, where there is no run.
    asker: Option<i64>,
    mark: ScopeMark,
    fetch: Option<PgStatement>,
    batch: u32,
    guards: Guards,
    judged: RowCheck,
    pub(super) naming: Option<Naming>,
    /// Names that no statement may call, where the server does not see to that itself.
    unlisted: Option<Arc<OnceCell<HashSet<String>>>>,
    cursors: u32,
    _slot: OwnedSemaphorePermit,
}

/// Whether rows are judged before they leave: over all institutions, where they are of patients.
enum RowCheck {
    Never,
    /// Each holds at least so many patients of others.
    By(i32),
    /// All are, and these are still to be handed on.
    Done(std::vec::IntoIter<Vec<Value>>),
}

impl Session {
    /// The server process behind the connection.
    pub fn pid(&self) -> i32 {
        self.mark.server.pid
    }

    /// Whether it is a process of a replica, where the application can stop no statement but by ending its connection.
    pub fn is_of_replica(&self) -> bool {
        self.mark.server.is_replica
    }

    /// What is no run is asked for this institution: over all of them, whom it knows is no stranger to it.
    pub fn asked_from(&mut self, institution: i64) {
        self.asker = Some(institution);
    }

    /// Whether the statement reads who patients are, whatever it makes of it: a role without names is refused it. One that fails there for
    /// another reason may read it where it does not fail.
    pub async fn names_patients(&mut self, statement: &Statement, binds: &Binds) -> Result<bool, ReportSqlError> {
        if !self.identity || self.anonymous {
            return Ok(false);
        }
        Ok(self.planned_as("regix_report_unnamed", statement, binds).await?.is_err())
    }

    /// Plans a statement, and goes on as if it had not been there.
    async fn plan_apart(
        &mut self,
        statement: &Statement,
        binds: &Binds,
    ) -> Result<Result<Vec<ResultColumn>, ReportSqlError>, ReportSqlError> {
        (&mut self.connection).execute("savepoint upit").await?;
        let declared = self.declare(statement, binds, 1).await;
        if let Err(ReportSqlError::Passing(error)) = declared {
            return Err(ReportSqlError::Passing(error));
        }
        (&mut self.connection).execute("rollback to savepoint upit").await?;
        Ok(declared.map(|_| self.columns()))
    }

    /// Opens a cursor over the statement and gives the names of its columns; `batch` is what each fetch brings.
    pub async fn declare(&mut self, statement: &Statement, binds: &Binds, batch: u32) -> Result<Vec<String>, ReportSqlError> {
        let anonymous = self.anonymous;
        let least = self.least_group(statement, binds).await?;
        let opened = self.open_cursor(statement, binds).await;
        let cursor = opened.map_err(|error| if anonymous { error.for_lack_of_identity() } else { error })?;
        let fetch = AssertSqlSafe(format!("fetch forward {batch} from {cursor}")).into_sql_str();
        let fetch = (&mut self.connection).prepare(fetch).await?;
        let columns: Vec<(&str, &str)> = fetch.columns().iter().map(|column| (column.name(), column.type_info().name())).collect();
        self.guards = Guards::of(&columns).map_err(|unknown| ReportSqlError::UnknownCell(unknown.0))?;
        self.judged = match least {
            None => RowCheck::Never,
            Some(_) if !self.guards.has_rows() => return Err(ReportSqlError::Ungrouped),
            Some(least) => RowCheck::By(least),
        };
        (self.fetch, self.batch) = (Some(fetch), batch);
        Ok(self.columns().into_iter().map(|column| column.name).collect())
    }

    /// How many patients of others a row must hold; none where it may hold any.
    async fn least_group(&mut self, statement: &Statement, binds: &Binds) -> Result<Option<i32>, ReportSqlError> {
        if self.identity {
            return Ok(None);
        }
        let least = parameters::load(&self.mark.app).await.map_err(ReportSqlError::Passing)?.number(&LEAST_GROUP);
        Ok((least > 1 && self.reads_patients(statement, binds).await?).then_some(least))
    }

    /// Whether the statement reads more than how forms and institutions are called: the role of words is refused it.
    async fn reads_patients(&mut self, statement: &Statement, binds: &Binds) -> Result<bool, ReportSqlError> {
        match self.planned_as("regix_report_words", statement, binds).await? {
            Ok(()) => Ok(false),
            Err(_) => Ok(true),
        }
    }

    /// What a role that runs nothing is told when it has the statement planned.
    async fn planned_as(
        &mut self,
        role: &'static str,
        statement: &Statement,
        binds: &Binds,
    ) -> Result<Result<(), ReportSqlError>, ReportSqlError> {
        (&mut self.connection).execute("savepoint uloga").await?;
        (&mut self.connection).execute(AssertSqlSafe(format!("set local role {role}"))).await?;
        let planned = self.open_cursor(statement, binds).await;
        (&mut self.connection).execute("rollback to savepoint uloga").await?;
        match planned {
            Err(error @ (ReportSqlError::Passing(_) | ReportSqlError::Stopped | ReportSqlError::Interrupted)) => Err(error),
            planned => Ok(planned.map(|_| ())),
        }
    }

    /// Gives the cursor's name.
    pub(super) async fn open_cursor(&mut self, statement: &Statement, binds: &Binds) -> Result<String, ReportSqlError> {
        self.refuse_unlisted(statement)?;
        if copies::too_many(statement.sql()) {
            return Err(ReportSqlError::Query(ServerMessage::of_copies()));
        }
        self.cursors += 1;
        let cursor = format!("izvestaj{}", self.cursors);
        // The text is the template's; it reaches the server by the extended protocol, which takes one statement only.
        let before = format!("declare {cursor} no scroll cursor without hold for ");
        let declare = AssertSqlSafe(format!("{before}{}", statement.sql()));
        let ended = outcome(self.statement_timeout);
        let declared = bound(sqlx::query(declare), statement, binds)?.execute(&mut self.connection).await;
        declared.map_err(|error| {
            let letter = position(&error).and_then(|letter| letter.checked_sub(before.len() + 1));
            ended(error).at(letter.and_then(|letter| statement.place(letter)))
        })?;
        Ok(cursor)
    }

    fn refuse_unlisted(&self, statement: &Statement) -> Result<(), ReportSqlError> {
        let Some(unlisted) = self.unlisted.as_ref().and_then(|cell| cell.get()) else { return Ok(()) };
        let called = calls::called(statement.sql());
        let refused = called.into_iter().find(|name| name == calls::SPELT || unlisted.contains(name));
        match refused {
            // As a server would say that keeps it from reports.
            Some(name) => Err(ReportSqlError::Refused(ServerMessage::of_function(&name))),
            None => Ok(()),
        }
    }

    /// The columns of the cursor with their types, without those that only say whose data a row holds.
    pub fn columns(&self) -> Vec<ResultColumn> {
        let columns = self.fetch.iter().flat_map(|fetch| fetch.columns()).enumerate();
        columns
            .filter(|(index, _)| !self.guards.places.contains(index))
            .map(|(_, column)| ResultColumn { name: column.name().to_owned(), kind: column.type_info().name().to_owned() })
            .collect()
    }

    /// The next rows of the cursor; none when it is through.
    pub async fn fetch(&mut self) -> Result<Vec<Vec<Value>>, ReportSqlError> {
        if let RowCheck::By(least) = self.judged {
            let rows = self.judge(least).await?;
            self.judged = RowCheck::Done(rows.into_iter());
        }
        if let RowCheck::Done(rows) = &mut self.judged {
            return Ok(rows.by_ref().take(self.batch as usize).collect());
        }
        let rows = self.fetch_rows().await?;
        rows.iter().map(|row| Ok(self.without_guards(value::decode(row, &self.guards.places)?))).collect()
    }

    async fn fetch_rows(&mut self) -> Result<Vec<PgRow>, ReportSqlError> {
        let Some(fetch) = &self.fetch else { return Ok(Vec::new()) };
        let ended = outcome(self.statement_timeout);
        let rows = fetch.query().fetch_all(&mut self.connection).await.map_err(ended)?;
        if let Some(naming) = &mut self.naming {
            naming.follow(&rows)?;
        }
        Ok(rows)
    }

    /// All rows that may leave; what of them is few is known when all are there.
    async fn judge(&mut self, least: i32) -> Result<Vec<Vec<Value>>, ReportSqlError> {
        let mut grouped = Vec::new();
        loop {
            let rows = self.fetch_rows().await?;
            if rows.is_empty() {
                break;
            }
            for row in &rows {
                let patients = self.guards.places.iter().map(|place| value::patients(row, *place)).collect::<Result<_, _>>()?;
                grouped.push(GroupedRow { cells: value::decode(row, &self.guards.places)?, patients });
            }
            if grouped.len() > MOST_ROWS {
                return Err(ReportSqlError::TooManyGroups);
            }
        }
        let known = self.mark.known(self.run, self.asker, least).await.map_err(ReportSqlError::Passing)?;
        Ok(known.tell(&self.guards, grouped).into_iter().map(|row| self.without_guards(row)).collect())
    }

    fn without_guards(&self, row: Vec<Value>) -> Vec<Value> {
        if self.guards.places.is_empty() {
            return row;
        }
        row.into_iter().enumerate().filter(|(index, _)| !self.guards.places.contains(index)).map(|(_, cell)| cell).collect()
    }

    /// Ends the transaction and the connection, and forgets the scope. A session that is dropped instead does the last
    /// in the background.
    pub async fn close(self) {
        let Self { connection, mark, _slot, .. } = self;
        mark.forget().await;
        if let Err(error) = connection.close().await {
            tracing::debug!(%error, "a report connection did not close in order");
        }
    }
}

/// What an error of the statement that starts now means. The server has one code for a statement that ran out of time and for
/// one that somebody cancelled, and tells them apart in words of its own language only; the clock tells which it was.
pub(super) fn outcome(statement_timeout: Duration) -> impl FnOnce(sqlx::Error) -> ReportSqlError {
    let started = Instant::now();
    move |error| match ReportSqlError::from(error) {
        ReportSqlError::Interrupted if started.elapsed() >= statement_timeout => ReportSqlError::Stopped,
        other => other,
    }
}

/// Where in what was sent, counted in letters from 1, the server found the fault.
fn position(error: &sqlx::Error) -> Option<usize> {
    let fault = error.as_database_error()?.try_downcast_ref::<PgDatabaseError>()?;
    match fault.position()? {
        PgErrorPosition::Original(letter) => Some(letter),
        PgErrorPosition::Internal { .. } => None,
    }
}

fn bound<'q>(
    mut query: Query<'q, sqlx::Postgres, PgArguments>,
    statement: &Statement,
    binds: &Binds,
) -> Result<Query<'q, sqlx::Postgres, PgArguments>, ReportSqlError> {
    for name in statement.names() {
        query = match binds.get(name) {
            Some(Bind::Text(text)) => query.bind(text.clone()),
            Some(Bind::List(list)) => query.bind(list.clone()),
            Some(Bind::Int(number)) => query.bind(*number),
            Some(Bind::Date(date)) => query.bind(date.map(jiff_sqlx::ToSqlx::to_sqlx)),
            None => return Err(ReportSqlError::MissingBind(name.clone())),
        };
    }
    Ok(query)
}

/// The server process behind a connection. The moment of the server's start tells it from one of the same number elsewhere.
struct Server {
    pid: i32,
    started: String,
    is_replica: bool,
    /// It refuses reports whatever function is not listed for them.
    keeps_functions: bool,
}

impl Server {
    async fn of(connection: &mut PgConnection) -> sqlx::Result<Self> {
        let asked = sqlx::query_as!(
            Self,
            r#"select pg_backend_pid() as "pid!", pg_postmaster_start_time()::text as "started!", pg_is_in_recovery() as "is_replica!",
                      report.samo_slobodne_funkcije() as "keeps_functions!""#
        );
        asked.fetch_one(connection).await
    }
}

/// The row of `report_scope` for one server process. The moment of writing tells it from a later one with the same pid.
struct ScopeMark {
    app: PgPool,
    server: Server,
    names_patients: bool,
    /// Under it the ids of patients are digests over all institutions.
    secret: Vec<u8>,
    written: Option<String>,
}

impl ScopeMark {
    async fn set(app: &PgPool, server: Server, scope: Scope) -> Result<Self, ReportSqlError> {
        let row = sqlx::query!(
            r#"insert into report_scope (server_od, pid, run_id, radnik_id, ustanova_id, identitet, created_at)
               values ($1::text::timestamptz, $2, $3, $4, $5, opens_patients($4), clock_timestamp())
               on conflict (server_od, pid) do update
                  set run_id = excluded.run_id, radnik_id = excluded.radnik_id, ustanova_id = excluded.ustanova_id,
                      identitet = excluded.identitet, created_at = excluded.created_at, tajna = excluded.tajna
               returning created_at::text as "written!", identitet, tajna"#,
            server.started,
            server.pid,
            scope.run,
            scope.radnik_id,
            scope.ustanova_id,
        )
        .fetch_one(app)
        .await
        .map_err(ReportSqlError::of_own_write)?;
        Ok(Self { app: app.clone(), server, names_patients: row.identitet, secret: row.tajna, written: Some(row.written) })
    }

    /// Whom the institution of the run, or of the asker, knows. Patients who are in no register but such in which it knows everybody stand
    /// apart.
    async fn known(&self, run: Option<Uuid>, asker: Option<i64>, least: i32) -> sqlx::Result<KnownPatients> {
        let least = usize::try_from(least).unwrap_or(usize::MAX);
        let institution = match run {
            Some(run) => sqlx::query_scalar!("select ustanova_id from report_run where id = $1", run).fetch_optional(&self.app).await?,
            None => asker,
        };
        let Some(institution) = institution else { return Ok(KnownPatients { least, ..KnownPatients::default() }) };
        let rows = sqlx::query!(
            r#"with own as (
                   select p.id from patient p where p.ustanova_id = $1
                   union select e.pacijent_id from entry e where e.ustanova_id = $1 and e.aktivan
               ), shared as (
                   select distinct r.registar_id from patient_register r join patient p on p.id = r.pacijent_id and p.aktivan
                    where not exists (select from own o where o.id = r.pacijent_id)
               )
               select report_inside.zamena(o.id, $2) as "id!",
                      exists (select from patient_register r where r.pacijent_id = o.id)
                          and not exists (select from patient_register r where r.pacijent_id = o.id and r.registar_id in (select registar_id from shared))
                          as "apart!"
                 from own o"#,
            institution,
            self.secret,
        )
        .fetch_all(&self.app)
        .await?;
        let apart = rows.iter().filter(|row| row.apart).map(|row| row.id).collect();
        Ok(KnownPatients { least, institution: Some(institution), own: rows.into_iter().map(|row| row.id).collect(), apart })
    }

    async fn forget(mut self) {
        if let Some(written) = self.written.take() {
            delete_scope(&self.app, self.server.pid, &self.server.started, &written).await;
        }
    }
}

impl Drop for ScopeMark {
    fn drop(&mut self) {
        let Some(written) = self.written.take() else { return };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (app, pid, started) = (self.app.clone(), self.server.pid, std::mem::take(&mut self.server.started));
            runtime.spawn(async move { delete_scope(&app, pid, &started, &written).await });
        }
    }
}

/// A failure is left to [`super::sweep_scopes`].
async fn delete_scope(app: &PgPool, pid: i32, started: &str, written: &str) {
    let deleted = sqlx::query!(
        "delete from report_scope where pid = $1 and server_od = $2::text::timestamptz and created_at = $3::text::timestamptz",
        pid,
        started,
        written
    );
    if let Err(error) = deleted.execute(app).await {
        tracing::warn!(%error, pid, "a report scope was not removed");
    }
}
