//! What a statement may take of the server: a process of its own, which the system bounds (`./dev` as compose does), so that planning, one
//! value and a whole result end in a refusal, and nobody else's connection ends with them.

use std::time::{Duration, Instant};

use domain::report_sql::{Binds, PatientOf, ReportDb, ReportSqlError, Scope, Statement};

use crate::world::World;

const TIME: Duration = Duration::from_secs(4);
/// What `./dev` gives a process of PostgreSQL, and what its shared memory may add to what is counted as the process's.
const BOUND_MB: u64 = 1024;
const SHARED_MB: u64 = 256;

/// `levels` subqueries, each of which makes `grown` of the one value of the one below.
fn nested(levels: usize, innermost: &str, grown: &str) -> String {
    let from = (0..levels).fold(innermost.to_owned(), |below, level| format!("select {grown} as a from ({below}) s{level}"));
    format!("select length(a::text) from ({from}) s")
}

/// In kB, of a line of `/proc/PID/status`.
fn peak_mb(pid: i32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the server runs here");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("Linux tells the peak");
    line.split_whitespace().nth(1).and_then(|kibibytes| kibibytes.parse::<u64>().ok()).expect("a number") / 1024
}

#[tokio::test]
async fn whatever_grows_while_it_is_planned_or_run_ends_in_a_refusal_and_the_next_report_runs() {
    let world = World::new().await;
    let reports = ReportDb::new(world.db.app.clone(), &world.db.report_url, 4).unwrap();
    let scope = Scope { run: None, radnik_id: world.radnik, ustanova_id: Some(world.ustanova) };
    world.patient("0101990710006").await;
    let began: String = sqlx::query_scalar("select pg_postmaster_start_time()::text").fetch_one(&world.db.owner).await.unwrap();
    let ten = "repeat('x', 10000)";
    let amplifiers = [
        ("expressions that double while they are planned", nested(40, "select 'x'::text as a", "a || a")),
        ("and that hold a column", nested(40, "select ime as a from pacijent", "a || a")),
        ("and that are numbers", nested(40, "select 3::numeric as a", "a * a + a")),
        ("and that are arrays", nested(40, "select array[1] as a", "array_cat(a, a)")),
        ("and that are choices", nested(28, "select ime as a from pacijent", "case when a > 'm' then a || 'x' else upper(a) end")),
        ("and in one that names its parts", {
            let parts: Vec<String> = (1..40).map(|n| format!("t{n} as (select a || a as a from t{})", n - 1)).collect();
            format!("with t0 as (select 'x'::text as a), {} select length(a) from t39", parts.join(", "))
        }),
        ("a word of fixed length, doubled", nested(12, "select 'x'::char(10000000)::text as a", "a || a")),
        ("a power, doubled", nested(20, "select 9.99999 ^ 100000::numeric as a", "a + a")),
        ("replacements of replacements", nested(3, &format!("select {ten} as a"), &format!("replace(a, 'x', {ten})"))),
        ("patterns that are replaced", nested(3, &format!("select {ten} as a"), &format!("regexp_replace(a, 'x', {ten}, 'g')"))),
        ("a format of any width", "select length(format('%1000000000s', 'x'))".to_owned()),
        ("a text of all rows", "select length(string_agg(md5(x::text), '')) from generate_series(1, 100000000) x".to_owned()),
        ("an array of all rows", "select cardinality(array_agg(x::numeric)) from generate_series(1, 1000000000) x".to_owned()),
        ("a json of all rows", "select length(json_agg(x)::text) from generate_series(1, 1000000000) x".to_owned()),
        (
            "an ordered set of all rows",
            "select percentile_disc(0.5) within group (order by md5(x::text)) from generate_series(1, 1000000000) x".to_owned(),
        ),
        (
            "what each row leads to",
            "with recursive t (a) as (select 'x'::text union all select a || a from t) select count(length(a)) from t".to_owned(),
        ),
        ("digits", "select length((9.99999 ^ 100000::numeric)::text), factorial(30000) > 0".to_owned()),
        ("a pattern of patterns", "select 'a' ~ '((((a{1,99}){1,99}){1,99}){1,99})'".to_owned()),
        ("depth", "select length(jsonb_pretty((repeat('[', 5000) || repeat(']', 5000))::jsonb))".to_owned()),
        (
            "a list of any length",
            format!("select cardinality(string_to_array({ten}, null)), length(array_to_string(string_to_array({ten}, null), {ten}))"),
        ),
    ];
    for (what, sql) in amplifiers {
        let statement = Statement::scan(&sql).unwrap();
        let started = Instant::now();
        let mut session = reports.open(scope, "proba", TIME).await.unwrap();
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", session.pid())).expect("the server runs here");
        let bound = limits.lines().find(|line| line.starts_with("Max data size")).expect("Linux tells the bound");
        assert!(bound.contains(&(BOUND_MB << 20).to_string()), "{bound}");
        let done = async {
            session.follow(&statement, &Binds::new(), PatientOf::Column).await?;
            session.declare(&statement, &Binds::new(), 10).await?;
            session.fetch().await
        }
        .await;
        let (took, peak) = (started.elapsed(), peak_mb(session.pid()));
        session.close().await;
        assert!(peak <= BOUND_MB + SHARED_MB, "{what}: {peak} MB");
        // Planned four times, of which none hears of `statement_timeout`: what is counted before it ends it, or memory.
        assert!(took < Duration::from_secs(60), "{what}: {took:?}");
        // It is the statement's own doing: the same again would end the same.
        assert!(!matches!(done, Err(ReportSqlError::Passing(_))), "{what}: {done:?}");
        let next = reports.small(scope, "select count(*) from pacijent", &Binds::new(), TIME, 1).await;
        assert!(next.is_ok(), "after {what}: {next:?}");
    }
    let still: String = sqlx::query_scalar("select pg_postmaster_start_time()::text").fetch_one(&world.db.owner).await.unwrap();
    assert_eq!(still, began);
    let text = reports.small(scope, &nested(40, "select 'x'::text as a", "a || a"), &Binds::new(), TIME, 1).await;
    let Err(ReportSqlError::Query(said)) = text else { panic!("{text:?}") };
    assert!(said.for_author().starts_with("podupiti se umnožavaju: isti izraz bi se računao više hiljada puta;"), "{}", said.for_author());
}
