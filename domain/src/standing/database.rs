//! The application's database: whether it is there, may be written, and is of the kind that the programs were made for.

use sqlx::{Connection, Executor, PgConnection, Row};

use super::{Finding, Precondition, State, connect, pooler, schema_version, within};
use crate::time::ZONE;

/// The oldest major version that the schema can be made in.
const OLDEST: i32 = 15;

/// Tables that only grow: the application writes rows there, or has the database write them, and never changes one.
const HISTORY: &str = "'{audit_log,audit_log_patient,patient_history,value_history,entry_version_history,name_history,patient_erasure,\
                       form_version,report_definition}'::text[]";

/// Asked in this order; what comes after one that is not met is not asked.
const LIST: [Precondition; 9] = [
    Precondition::Database,
    Precondition::Pooler,
    Precondition::Primary,
    Precondition::Version,
    Precondition::Encoding,
    Precondition::TimeZone,
    Precondition::Schema,
    Precondition::Extensions,
    Precondition::Role,
];

pub async fn ask(url: &str) -> Vec<Finding> {
    let (mut connection, place) = match connect(url).await {
        Ok(connected) => connected,
        Err((state, place)) => return ended(vec![Finding::new(Precondition::Database, &place, state)], &place),
    };
    let mut findings = vec![Finding::new(Precondition::Database, &place, State::Good("it answers".to_owned()))];
    for precondition in &LIST[1..] {
        let state = match precondition {
            Precondition::Pooler => pooler::ask(url, &mut connection).await,
            Precondition::Primary => primary(&mut connection).await,
            Precondition::Version => version(&mut connection).await,
            Precondition::Encoding => encoding(&mut connection).await,
            Precondition::TimeZone => time_zone(&mut connection).await,
            Precondition::Schema => schema_version::ask(&mut connection).await,
            Precondition::Extensions => extensions(&mut connection).await,
            _ => role(&mut connection).await,
        };
        let finding = Finding::new(*precondition, &place, state);
        let holds = finding.holds();
        findings.push(finding);
        if !holds {
            break;
        }
    }
    // What it has said is known; how it ends is not of interest.
    let _ = connection.close().await;
    ended(findings, &place)
}

fn ended(mut findings: Vec<Finding>, place: &str) -> Vec<Finding> {
    let asked = findings.len();
    findings.extend(LIST[asked..].iter().map(|precondition| Finding::new(*precondition, place, State::Unasked)));
    findings
}

/// One value by the simple protocol.
async fn value<T>(connection: &mut PgConnection, sql: &'static str) -> Result<T, State>
where
    T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
{
    within(async { connection.fetch_one(sqlx::raw_sql(sql)).await?.try_get(0) }).await
}

async fn primary(connection: &mut PgConnection) -> State {
    match value(connection, "select pg_is_in_recovery()").await {
        Ok(false) => State::Good("it takes writes".to_owned()),
        Ok(true) => State::Away("the server is a standby and takes no writes".to_owned()),
        Err(state) => state,
    }
}

async fn version(connection: &mut PgConnection) -> State {
    match value::<i32>(connection, "select current_setting('server_version_num')::int").await {
        Ok(number) if number / 10_000 >= OLDEST => State::Good(format!("PostgreSQL {}", number / 10_000)),
        Ok(number) => State::Wrong(format!("PostgreSQL is {}", number / 10_000)),
        Err(state) => state,
    }
}

async fn encoding(connection: &mut PgConnection) -> State {
    match value::<String>(connection, "select current_setting('server_encoding')").await {
        Ok(name) if name == "UTF8" => State::Good(name),
        Ok(name) => State::Wrong(format!("the database is in {name}")),
        Err(state) => state,
    }
}

async fn time_zone(connection: &mut PgConnection) -> State {
    match value::<String>(connection, "select to_char(now() at time zone 'Europe/Belgrade', 'HH24:MI')").await {
        Ok(clock) => State::Good(format!("{clock} in Belgrade")),
        Err(State::Away(said)) if said.contains(ZONE) => State::Wrong(said),
        Err(state) => state,
    }
}

async fn extensions(connection: &mut PgConnection) -> State {
    match value::<bool>(connection, "select exists (select from pg_extension where extname = 'pg_trgm')").await {
        Ok(true) => State::Good("pg_trgm".to_owned()),
        Ok(false) => State::Wrong("pg_trgm is missing".to_owned()),
        Err(state) => state,
    }
}

#[derive(sqlx::FromRow)]
struct Rights {
    role: String,
    is_super: bool,
    dangerous: Vec<String>,
    owns: i64,
    changes: Vec<String>,
    lacks: Vec<String>,
}

/// What the role can do, whatever it is called.
async fn role(connection: &mut PgConnection) -> State {
    let sql = format!(
        "select current_user::text as role, r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolreplication as is_super,
                array(select p.rolname::text from pg_roles p
                       where p.rolname = any ('{{pg_write_all_data,pg_write_server_files,pg_execute_server_program,pg_read_server_files}}')
                         and pg_has_role(p.oid, 'member')) as dangerous,
                (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
                  where n.nspname in ('public', 'report') and pg_has_role(c.relowner, 'member')) as owns,
                array(select c.oid::regclass::text
                        from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
                       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
                         and (c.relname = any ({HISTORY}) or p.relname = any ({HISTORY}))
                         and (has_table_privilege(c.oid, 'delete, truncate') or has_any_column_privilege(c.oid, 'update'))
                       order by 1) as changes,
                array(select t from unnest(array['patient', 'entry', 'worker', 'report_run', 'process']) t
                       where not (has_table_privilege(t, 'select') and has_table_privilege(t, 'insert')
                                  and has_any_column_privilege(t, 'update'))) as lacks
           from pg_roles r where r.rolname = current_user"
    );
    let asked = sqlx::query_as::<_, Rights>(sqlx::AssertSqlSafe(sql)).persistent(false).fetch_one(connection);
    match within(asked).await {
        Err(state) => state,
        Ok(rights) => judge(&rights),
    }
}

fn judge(rights: &Rights) -> State {
    let role = &rights.role;
    if rights.is_super {
        State::Wrong(format!("the role {role} is a superuser, or may make roles, replicate or pass row security"))
    } else if !rights.dangerous.is_empty() {
        State::Wrong(format!("the role {role} is a member of {}", rights.dangerous.join(", ")))
    } else if rights.owns > 0 {
        State::Wrong(format!("the role {role} owns tables, and so may change histories"))
    } else if !rights.changes.is_empty() {
        let shown = rights.changes.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        State::Wrong(format!("the role {role} may change or delete rows of histories ({shown})"))
    } else if !rights.lacks.is_empty() {
        State::Wrong(format!("the role {role} may not write {}", rights.lacks.join(", ")))
    } else {
        State::Good(format!("{role} writes data and no history"))
    }
}
