//! Report SQL and values that mean harm: refused, or bounded by time, and never more than they may see.

use std::time::{Duration, Instant};

use domain::report_sql::{Bind, Binds, ReportDb, ReportSqlError, Scope, Value, session_binds, sweep_scopes};
use proptest::prelude::*;

use crate::world::World;

const SECOND: Duration = Duration::from_secs(1);

fn reports(world: &World) -> ReportDb {
    ReportDb::new(world.db.app.clone(), &world.db.report_url, 4).unwrap()
}

fn scope(world: &World) -> Scope {
    Scope { run: None, radnik_id: world.radnik, ustanova_id: Some(world.ustanova) }
}

#[tokio::test]
async fn statements_that_do_anything_but_read_the_report_views_are_refused() {
    let world = World::new().await;
    let reports = reports(&world);
    let binds = session_binds(world.radnik, world.ustanova, None);
    for statement in [
        "select 1; drop table public.patient",
        "drop table public.patient",
        "delete from public.worker",
        "insert into report_scope values (pg_backend_pid(), null, 1, null)",
        "with d as (delete from report.ustanova returning 1) select * from d",
        "with d as (insert into report.ustanova (naziv) values ('x') returning 1) select * from d",
        "select * from report.ustanova for update",
        "select 1 into public.nova",
        "create table nova (a int)",
        "create temp table nova (a int)",
        "copy (select 1) to program 'id'",
        "copy public.worker to stdout",
        "select pg_read_file('/etc/passwd')",
        "select pg_ls_dir('.')",
        "select lo_import('/etc/passwd')",
        "select * from public.worker",
        "select password_hash from worker",
        "select * from public.report_scope",
        "select rolpassword from pg_authid",
        "select dblink('dbname=postgres', 'select 1')",
        "select set_config('transaction_read_only', 'off', true), nextval('public.report_event_seq')",
        "select set_config('role', 'regix_app', false)",
        "select set_config('session_authorization', 'app', false)",
        "set role regix_app",
        "set statement_timeout = 0",
        "reset all",
        "do $$ begin perform 1; end $$",
        "call audited('worker')",
        "select public.register_patient(1)",
        "listen regix_otkazi",
        "begin",
        "commit",
        "rollback",
        "close all",
        "discard all",
        "explain analyze select 1",
        "prepare p as select 1",
        "vacuum",
        "alter role regix_report set statement_timeout = 0",
        "grant regix_app to regix_report",
        "select report.moja_ustanova() from (select set_config('app.worker', '1', true)) x",
        "select report.moja_ustanova() from (select set_config('search_path', 'pg_temp, report', false)) x",
        "select set_config('statement_timeout', '0', false), pg_sleep(600)",
        "select pg_notify('regix_otkazi', 'x')",
        "select pg_advisory_lock(7)",
        "select lo_from_bytea(0, 'x')",
        "",
        "   -- only a comment",
    ] {
        let found = reports.small(scope(&world), statement, &binds, SECOND, 10).await;
        assert!(
            matches!(found, Err(ReportSqlError::Refused(_) | ReportSqlError::Query(_) | ReportSqlError::Scan(_))),
            "{statement}: {found:?}"
        );
    }
    assert_eq!(world.count("select count(*) from worker where username = 'lekar'").await, 1);
    assert_eq!(world.count("select count(*) from report_scope").await, 0);
}

/// A value that the server reads as a type, an expression or a unit: told with a place in the value, or with none.
const VALUES_THAT_ARE_READ: [&str; 11] = [
    "select (:ime::text)::regtype::text",
    "select (:ime || ' (')::regtype::text",
    "select (:ime || '(' || :ime || ')')::regtype::text",
    "select (:ime::text)::regclass::text",
    "select (:ime || ' (')::regprocedure::text",
    "select (:ime || ' &')::tsquery::text",
    "select ('$.' || :ime || '[')::jsonpath::text",
    "select date_trunc(:ime, now())::text",
    "select extract(epoch from (:ime::text)::interval)",
    "select now() at time zone :ime::text",
    "select ('a' ~ (:ime || '('))",
];

/// Errors go to logs, which hold no patient's data.
#[tokio::test]
async fn an_error_tells_what_is_wrong_with_the_statement_and_never_a_value() {
    let world = World::new().await;
    let reports = reports(&world);
    let binds = Binds::from([("ime".to_owned(), Bind::Text(Some("Đurđa".to_owned())))]);
    let told = async |statement: &str| {
        let error = reports.small(scope(&world), statement, &binds, SECOND, 10).await.expect_err("a wrong statement");
        format!("{error} {error:?}")
    };
    for (statement, code) in [("select (:ime::text)::int", "22P02"), ("select (:ime::text)::date", "22007")] {
        let said = told(statement).await;
        assert!(said.contains(code) && !said.contains("Đurđa"), "{said}");
    }
    for statement in VALUES_THAT_ARE_READ {
        let said = told(statement).await;
        assert!(!said.contains("Đurđa") && !said.contains("đurđa"), "{statement}: {said}");
    }
    let said = told("select nema_je from report.ustanova where naziv = :ime").await;
    assert!(said.contains("42703") && said.contains("nema_je") && !said.contains("Đurđa"), "{said}");
}

/// Where no server keeps functions from reports (decision 0071), casts reach those that read a value as a statement of its own.
#[tokio::test]
async fn an_error_of_what_is_read_out_of_a_value_tells_none_of_it_where_every_function_may_be_called() {
    let world = World::new().await;
    crate::functions::open_to_reports(&world).await;
    let reports = reports(&world);
    let binds = Binds::from([("ime".to_owned(), Bind::Text(Some("Đurđa".to_owned())))]);
    for statement in VALUES_THAT_ARE_READ {
        let error = reports.small(scope(&world), statement, &binds, SECOND, 10).await.expect_err("a wrong value");
        let said = format!("{error} {error:?}");
        assert!(!said.contains("permission denied"), "it is read: {said}");
        assert!(!said.contains("Đurđa") && !said.contains("đurđa"), "{statement}: {said}");
    }
}

#[tokio::test]
async fn statements_without_end_are_stopped_in_time_on_the_server_too() {
    let world = World::new().await;
    let reports = reports(&world);
    for statement in [
        "select pg_sleep(600)",
        "select count(*) from generate_series(1, 1000000000)",
        "select x from generate_series(1, 1000000000) x order by x desc",
        "with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r",
        "select repeat('x', 1000) || x from generate_series(1, 100000000) x order by md5(x::text)",
    ] {
        let started = Instant::now();
        let found = reports.small(scope(&world), statement, &Binds::new(), SECOND, 10).await;
        assert!(matches!(found, Err(ReportSqlError::Stopped)), "{statement}: {found:?}");
        assert!(started.elapsed() < Duration::from_secs(4), "{statement} took {:?}", started.elapsed());
    }
    let left = "select count(*) from pg_stat_activity where datname = current_database() and usename = 'regix_report' and state = 'active'";
    crate::world::eventually("no statement is left", async || (world.count(left).await == 0).then_some(())).await;
}

#[tokio::test]
async fn no_statement_widens_what_its_scope_shows() {
    let world = World::new().await;
    let reports = reports(&world);
    let one = |statement: &'static str| {
        let (reports, scope) = (reports.clone(), scope(&world));
        async move { reports.small(scope, statement, &Binds::new(), SECOND, 10).await }
    };
    let sees = |found: Result<domain::report_sql::Small, ReportSqlError>| found.map(|small| small.rows[0][0].clone()).ok();
    assert_eq!(sees(one("select report.moja_ustanova()").await), Some(Value::Int(world.ustanova)));
    assert_eq!(sees(one("select report.vidi_sve()").await), Some(Value::Bool(false)));
    let without_scope: (bool, Option<i64>) =
        sqlx::query_as("select report.vidi_sve(), report.moja_ustanova()").fetch_one(&world.db.report).await.unwrap();
    assert_eq!(without_scope, (false, None), "a connection without a scope sees nothing");
}

#[tokio::test]
async fn scopes_of_dead_backends_are_swept_and_live_ones_stay() {
    let world = World::new().await;
    let mut live = world.db.report.acquire().await.unwrap();
    let pid: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut *live).await.unwrap();
    for pid in [pid, 1_999_999] {
        sqlx::query("insert into report_scope (pid, radnik_id, created_at) values ($1, 1, now() - interval '1 hour')")
            .bind(pid)
            .execute(&world.db.app)
            .await
            .unwrap();
    }
    assert_eq!(sweep_scopes(&world.db.app).await.unwrap(), 1);
    let left: Vec<i32> = sqlx::query_scalar("select pid from report_scope").fetch_all(&world.db.owner).await.unwrap();
    assert_eq!(left, [pid]);
}

#[tokio::test]
async fn a_session_that_is_dropped_takes_its_scope_along() {
    let world = World::new().await;
    let reports = reports(&world);
    let session = reports.open(scope(&world), "proba", SECOND).await.unwrap();
    assert_eq!(world.count("select count(*) from report_scope").await, 1);
    drop(session);
    crate::world::eventually("the scope is gone", async || (world.count("select count(*) from report_scope").await == 0).then_some(()))
        .await;
}

/// Whatever a value is, it comes back as itself and changes nothing else.
#[test]
fn no_value_becomes_part_of_the_statement() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let world = runtime.block_on(World::new());
    let reports = reports(&world);
    let echo = |text: String, list: Vec<String>| {
        let binds = Binds::from([("v".to_owned(), Bind::Text(Some(text))), ("l".to_owned(), Bind::List(Some(list)))]);
        runtime.block_on(reports.small(
            scope(&world),
            "select :v as v, :l = :l as same, cardinality(:l) as n, 'stalno' as s",
            &binds,
            SECOND,
            10,
        ))
    };
    let expect = |text: &str, count: usize| {
        vec![vec![Value::Text(text.to_owned()), Value::Bool(true), Value::Int(count as i64), Value::Text("stalno".to_owned())]]
    };
    for text in ["'; drop table patient; --", "$1", ":v", "\\", "E'\\''", "{a,b}", "null", "'' or 1=1", "$$ $$", "\u{202e}", "š'đ"] {
        let found = echo(text.to_owned(), vec![text.to_owned(), String::new()]).unwrap();
        assert_eq!(found.rows, expect(text, 2), "{text}");
    }
    let strategy = ("[^\u{0}]{0,40}", prop::collection::vec("[^\u{0}]{0,10}", 1..4));
    let mut runner =
        proptest::test_runner::TestRunner::new(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() });
    let outcome = runner.run(&strategy, |(text, list)| {
        let count = list.len();
        let found = echo(text.clone(), list);
        prop_assert_eq!(found.map(|small| small.rows).map_err(|error| error.to_string()), Ok(expect(&text, count)));
        Ok(())
    });
    let zero = echo("nula\0bajt".to_owned(), vec![]);
    assert!(matches!(zero, Err(ReportSqlError::Query(_))), "a zero byte is refused by the server: {zero:?}");
    let _inside = runtime.enter();
    drop(world);
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[tokio::test]
async fn values_of_every_type_arrive_as_what_they_are() {
    let world = World::new().await;
    let sql = "select 1::int2 as a, 2::int8 as b, 1.50::numeric(6,2) as c, 0.1::float8 as d, 'č'::text as e, 'x'::char(2) as f, true as g,
                      date '2026-02-28' as h, timestamp '2026-02-28 13:05' as i, timestamptz '2026-07-01 10:05:00+00' as j,
                      null::int as k, array['a', 'b'] as l, (select avg(x) * avg(x) * 1.00000000001 from generate_series(1, 6) x) as m";
    let found = reports(&world).small(scope(&world), sql, &Binds::new(), SECOND, 10).await.unwrap();
    let text = |text: &str| Value::Text(text.to_owned());
    let moment = |text: &str| Value::DateTime(text.parse().unwrap());
    assert_eq!(
        found.rows[0],
        [
            Value::Int(1),
            Value::Int(2),
            Value::Decimal("1.50".parse().unwrap()),
            Value::Float(0.1),
            text("č"),
            text("x "),
            Value::Bool(true),
            Value::Date("2026-02-28".parse().unwrap()),
            moment("2026-02-28T13:05:00"),
            moment("2026-07-01T12:05:00"),
            Value::Null,
            text("a, b"),
            // More digits than a decimal holds: rounded, not refused.
            Value::Decimal("12.2500000001225000000000000000".parse().unwrap()),
        ]
    );
    assert_eq!(found.columns.join(""), "abcdefghijklm");
}
