//! The role that report SQL runs as: whoever writes a report writes SQL, so what this role can read, a report can print.

use sqlx::{Connection, Executor, PgConnection, Row};

use super::{Finding, Ground, Precondition, State, connect, pooler, within};

const LIST: [Precondition; 3] = [Precondition::ReportDatabase, Precondition::ReportPooler, Precondition::ReportRole];

/// `ready`: the application's own database is there, and has the schema. What the role may is asked there, where its own functions are not
/// needed; it is asked only who it is.
pub async fn ask(ground: &Ground, ready: bool) -> Vec<Finding> {
    let Some(url) = ground.report_database_url.as_deref() else { return Vec::new() };
    let all = |place: &str, states: [State; 3]| -> Vec<Finding> {
        LIST.into_iter().zip(states).map(|(precondition, state)| Finding::new(precondition, place, state)).collect()
    };
    let (mut connection, place) = match connect(url).await {
        Ok(connected) => connected,
        Err((state, place)) => return all(&place, [state, State::Unasked, State::Unasked]),
    };
    let pooled = pooler::ask(url, &mut connection).await;
    let states = match pooled {
        State::Good(_) if ready => {
            let [same, rights] = compared(ground, &mut connection).await;
            [same, pooled, rights]
        }
        _ => [State::Good("it answers".to_owned()), pooled, State::Unasked],
    };
    // What it has said is known; how it ends is not of interest.
    let _ = connection.close().await;
    all(&place, states)
}

/// Whether it is the application's database, and what the role may there.
async fn compared(ground: &Ground, reports: &mut PgConnection) -> [State; 2] {
    let (there, role) = match within(identity(reports)).await {
        Ok(found) => found,
        Err(state) => return [state, State::Unasked],
    };
    let (mut connection, place) = match connect(&ground.database_url).await {
        Ok(connected) => connected,
        Err((state, _)) => return [state, State::Unasked],
    };
    let states = match within(identity(&mut connection)).await {
        Err(state) => [state, State::Unasked],
        Ok((here, _)) if !here.is(&there) => {
            [State::Wrong(format!("it is another database than that of DATABASE_URL ({place})")), State::Unasked]
        }
        Ok(_) => {
            let rights = match rights(&mut connection, &role).await {
                State::Good(seen) => settings(reports, &role).await.unwrap_or(State::Good(seen)),
                state => state,
            };
            [State::Good("the database of the application, or its replica".to_owned()), rights]
        }
    };
    let _ = connection.close().await;
    states
}

struct Identity {
    /// That of the cluster, which a replica shares with its primary; none where the role may not ask.
    cluster: Option<String>,
    database: String,
}

impl Identity {
    fn is(&self, other: &Self) -> bool {
        self.database == other.database && !matches!((&self.cluster, &other.cluster), (Some(here), Some(there)) if here != there)
    }
}

/// Which database it is, and as whom.
async fn identity(connection: &mut PgConnection) -> sqlx::Result<(Identity, String)> {
    let who = "select d.oid::text || ' ' || d.datname, current_user::text from pg_database d where d.datname = current_catalog";
    let row = connection.fetch_one(sqlx::raw_sql(who)).await?;
    let cluster = connection.fetch_one(sqlx::raw_sql("select system_identifier::text from pg_control_system()")).await;
    let cluster = cluster.ok().and_then(|row| row.try_get(0).ok());
    Ok((Identity { cluster, database: row.try_get(0)? }, row.try_get(1)?))
}

/// What is wrong with how a session of the role begins: settings are of the role that signs in, and not of one that it is a member of.
async fn settings(reports: &mut PgConnection, role: &str) -> Option<State> {
    let path = within(async { reports.fetch_one(sqlx::raw_sql("show search_path")).await?.try_get::<String, _>(0) });
    match path.await {
        Ok(path) if path.split(',').next().is_some_and(|first| first.trim_matches([' ', '"']) == "report") => None,
        Ok(_) => Some(State::Wrong(format!("sessions of the role {role} do not look into schema report first (search_path)"))),
        Err(state) => Some(state),
    }
}

async fn rights(connection: &mut PgConnection, role: &str) -> State {
    let sql = "select r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolreplication as is_super,
                      array(select p.rolname::text from pg_roles p
                             where p.rolname in ('pg_read_all_data', 'pg_write_all_data', 'pg_read_server_files', 'pg_write_server_files',
                                                 'pg_execute_server_program', 'regix_app')
                               and pg_has_role(r.oid, p.oid, 'member')) as dangerous,
                      -- What an extension brings is the server's own, and shows everybody what it may.
                      array(select c.relname::text from pg_class c
                             where c.relnamespace in ('public'::regnamespace, 'report_inside'::regnamespace) and c.relkind in ('r', 'p', 'v', 'm', 'f')
                               and not exists (select from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')
                               and (has_table_privilege(r.oid, c.oid, 'select, insert, update, delete, truncate')
                                    or has_any_column_privilege(r.oid, c.oid, 'select, insert, update'))
                             order by c.relname <> 'worker', 1) as reads,
                      array(select c.relname::text from pg_class c
                             where c.relnamespace = 'report'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
                               and (has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate')
                                    or has_any_column_privilege(r.oid, c.oid, 'insert, update'))) as writes,
                      has_schema_privilege(r.oid, 'report', 'usage')
                          and 3 = (select count(*) from pg_roles p
                                    where p.rolname in ('regix_report_anonymous', 'regix_report_unnamed', 'regix_report_words')
                                      and pg_has_role(r.oid, p.oid, 'member')) as reads_as_reports_do,
                      -- Where the server keeps functions from reports, this role has none of them by another way.
                      has_function_privilege(r.oid, 'pg_catalog.set_config(text, text, boolean)', 'execute')
                          and not has_function_privilege('regix_report', 'pg_catalog.set_config(text, text, boolean)', 'execute') as calls_more
                 from pg_roles r where r.rolname = $1";
    match within(sqlx::query_as::<_, Rights>(sql).bind(role).persistent(false).fetch_one(connection)).await {
        Err(state) => state,
        Ok(rights) => rights.judge(role),
    }
}

#[derive(sqlx::FromRow)]
struct Rights {
    is_super: bool,
    dangerous: Vec<String>,
    reads: Vec<String>,
    writes: Vec<String>,
    reads_as_reports_do: bool,
    calls_more: bool,
}

impl Rights {
    fn judge(&self, role: &str) -> State {
        if self.is_super {
            State::Wrong(format!("the role {role} is a superuser, or may make roles, replicate or pass row security"))
        } else if !self.reads.is_empty() {
            let shown = self.reads.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
            State::Wrong(format!("the role {role} reads or writes tables behind the report views ({shown}), and so would every report"))
        } else if !self.dangerous.is_empty() {
            State::Wrong(format!("the role {role} is a member of {}", self.dangerous.join(", ")))
        } else if !self.writes.is_empty() {
            State::Wrong(format!("the role {role} may write {}", self.writes.join(", ")))
        } else if self.calls_more {
            State::Wrong(format!("the role {role} may call functions that reports may not (it is a member of regix_functions)"))
        } else if !self.reads_as_reports_do {
            State::Wrong(format!("the role {role} may not read as reports do"))
        } else {
            State::Good(format!("{role} reads report views only"))
        }
    }
}
