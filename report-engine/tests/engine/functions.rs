//! Which functions of the server report SQL may call, and what those that it may not would have told.

use std::{collections::HashSet, time::Duration};

use domain::report_sql::{Binds, ReportDb, ReportSqlError, Scope, Value};
use sqlx::Row;

use crate::world::World;

const SECOND: Duration = Duration::from_secs(1);
const ROLES: [&str; 4] = ["regix_report", "regix_report_anonymous", "regix_report_unnamed", "regix_report_words"];

fn reports(world: &World) -> ReportDb {
    ReportDb::new(world.db.app.clone(), &world.db.report_url, 4).unwrap()
}

fn scope(world: &World) -> Scope {
    Scope { run: None, radnik_id: world.radnik, ustanova_id: Some(world.ustanova) }
}

/// Each runs SQL out of a string, reads what reports do not read, changes a setting, or makes texts of any length.
const REFUSED: [(&str, &str); 35] = [
    ("query_to_xml", "select query_to_xml('select ime from report.pacijent', true, true, '')::text"),
    ("query_to_xml", "select \"query_to_xml\"('select ime from report.pacijent', true, true, '')::text"),
    ("query_to_xml", "select a from (select pg_catalog.query_to_xml('select 1', true, true, '')::text as a) x where a like '%1%'"),
    ("query_to_xmlschema", "select query_to_xmlschema('select ime from report.pacijent', true, true, '')::text"),
    ("query_to_xml_and_xmlschema", "select query_to_xml_and_xmlschema('select 1', true, true, '')::text"),
    ("cursor_to_xml", "select cursor_to_xml('izvestaj1', 10, true, true, '')::text"),
    ("cursor_to_xmlschema", "select cursor_to_xmlschema('izvestaj1', true, true, '')::text"),
    ("table_to_xml", "select table_to_xml('report.pacijent', true, true, '')::text"),
    ("table_to_xmlschema", "select table_to_xmlschema('report.pacijent', true, true, '')::text"),
    ("table_to_xml_and_xmlschema", "select table_to_xml_and_xmlschema('report.pacijent', true, true, '')::text"),
    ("schema_to_xml", "select schema_to_xml('report', true, true, '')::text"),
    ("schema_to_xmlschema", "select schema_to_xmlschema('report', true, true, '')::text"),
    ("schema_to_xml_and_xmlschema", "select schema_to_xml_and_xmlschema('report', true, true, '')::text"),
    ("database_to_xml", "select database_to_xml(true, true, '')::text"),
    ("database_to_xmlschema", "select database_to_xmlschema(true, true, '')::text"),
    ("database_to_xml_and_xmlschema", "select database_to_xml_and_xmlschema(true, true, '')::text"),
    ("ts_stat", "select word from ts_stat('select to_tsvector(ime) from report.pacijent')"),
    ("ts_stat", "select word from ts_stat('select to_tsvector(ime) from report.pacijent', 'a')"),
    ("ts_rewrite", "select ts_rewrite('a'::tsquery, 'select ime::tsquery, ime::tsquery from report.pacijent')::text"),
    ("current_setting", "select current_setting('regix.pokazani', true)"),
    ("set_config", "select set_config('regix.pokazani', '', true)"),
    ("to_regclass", "select to_regclass('public.worker')::text"),
    ("has_table_privilege", "select has_table_privilege('public.worker', 'select')"),
    ("pg_get_viewdef", "select pg_get_viewdef('report.pacijent'::regclass)"),
    ("pg_get_functiondef", "select pg_get_functiondef('pg_catalog.pi'::regproc)"),
    ("pg_stat_get_activity", "select query from pg_stat_get_activity(null)"),
    ("pg_stat_file", "select size from pg_stat_file('.')"),
    ("pg_relation_size", "select pg_relation_size('report.pacijent'::regclass)"),
    ("hashint8extended", "select hashint8extended(1, 1)"),
    ("repeat", "select length(pg_catalog.repeat('x', 1000000000))"),
    ("lpad", "select length(pg_catalog.lpad('x', 1000000000, 'x'))"),
    ("rpad", "select length(pg_catalog.rpad('x', 1000000000, 'x'))"),
    ("array_fill", "select cardinality(array_fill(1, array[100000000]))"),
    ("pg_advisory_lock", "select pg_advisory_lock(7)"),
    ("xpath", "select xpath('/a', '<a/>')::text"),
];

async fn refusal(reports: &ReportDb, world: &World, statement: &str) -> (String, Option<String>) {
    match reports.small(scope(world), statement, &Binds::new(), SECOND, 10).await {
        Err(ReportSqlError::Refused(said)) => (said.for_author(), said.hint_for_author()),
        other => panic!("{statement}: {other:?}"),
    }
}

#[tokio::test]
async fn what_runs_a_string_or_reads_more_than_the_views_is_refused_by_name() {
    let world = World::new().await;
    let reports = reports(&world);
    for (name, statement) in REFUSED {
        let (told, hint) = refusal(&reports, &world, statement).await;
        assert_eq!(told, format!("izveštaji ne pozivaju funkciju „{name}” [permission denied for function {name}]"), "{statement}");
        assert!(hint.is_some_and(|hint| hint.starts_with("Izveštaji pozivaju samo")), "{statement}");
    }
}

/// Gives every function of the server to everybody, as it stands where its owner is no superuser.
pub async fn open_to_reports(world: &World) {
    let all = "do $$ declare f regprocedure; begin
                   for f in select oid from pg_proc where pronamespace = 'pg_catalog'::regnamespace loop
                       execute format('grant execute on routine %s to public', f);
                   end loop; end $$";
    sqlx::raw_sql(all).execute(&world.db.owner).await.unwrap();
}

/// An owner of the database who is no superuser cannot take them: then the statement is read before it is sent.
#[tokio::test]
async fn where_the_server_keeps_no_function_from_reports_the_connection_does() {
    let world = World::new().await;
    open_to_reports(&world).await;
    let reports = reports(&world);
    for (name, statement) in REFUSED {
        let (told, _) = refusal(&reports, &world, statement).await;
        assert!(told.contains(&format!("„{name}”")), "{statement}: {told}");
    }
    let (told, _) = refusal(&reports, &world, "select U&\"\\0071uery_to_xml\"('select 1', true, true, '')::text").await;
    assert!(told.contains("„U&”"), "{told}");
    let fine = "select u.a, left('query_to_xml(1)', 3) as b from unnest(array[1, 2]) u (a) where u.a in (1, 3)";
    assert_eq!(reports.small(scope(&world), fine, &Binds::new(), SECOND, 10).await.unwrap().rows.len(), 1);
}

/// A function that is not in the list, a new one of the server's or of ours, is judged here before reports may call it.
#[tokio::test]
async fn every_function_that_a_report_may_call_is_in_the_list() {
    let world = World::new().await;
    let ours: HashSet<&str> = [
        "danas",
        "fold",
        "tekst_broja",
        "vidi_sve",
        "moja_ustanova",
        "vidi_tekstove",
        "ima_opseg",
        "samo_slobodne_funkcije",
        "repeat",
        "lpad",
        "rpad",
    ]
    .into();
    for role in ROLES {
        let callable = sqlx::query(
            "select n.nspname::text, p.proname::text, p.oid::regprocedure::text as signature, f.svrha
               from pg_proc p join pg_namespace n on n.oid = p.pronamespace
               left join report_inside.slobodne_funkcije() f on f.funkcija = p.oid
              where has_schema_privilege($1, n.oid, 'usage') and has_function_privilege($1, p.oid, 'execute')",
        )
        .bind(role)
        .fetch_all(&world.db.owner)
        .await
        .unwrap();
        assert!(callable.len() > 500, "{role} may call {}", callable.len());
        for row in callable {
            let (schema, name, signature): (String, String, String) = (row.get(0), row.get(1), row.get(2));
            let purpose: Option<String> = row.get(3);
            let listed = match schema.as_str() {
                "report" => ours.contains(name.as_str()),
                "pg_catalog" => purpose.is_some(),
                _ => false,
            };
            assert!(listed, "{role} may call {schema}.{signature}");
        }
    }
    // What is listed takes no query, no name of a table and no setting, and tells nothing of the server.
    let told = sqlx::query_scalar::<_, String>(
        "select p.oid::regprocedure::text from pg_proc p join report_inside.slobodne_funkcije() f on f.funkcija = p.oid
          where p.proargtypes::oid[] && array['regclass'::regtype, 'refcursor'::regtype, 'internal'::regtype]::oid[]
             or p.proname ~ '^(pg_|has_|lo_|query_|table_|schema_|database_|cursor_|ts_stat|ts_rewrite|current_|set_|inet_|txid|binary_upgrade)'
          order by 1",
    )
    .fetch_all(&world.db.owner)
    .await
    .unwrap();
    assert_eq!(
        told,
        [
            "pg_backend_pid()",
            "pg_control_system()",
            "pg_is_in_recovery()",
            "pg_last_xact_replay_timestamp()",
            "pg_postmaster_start_time()",
            "pg_sleep(double precision)",
            "pg_typeof(\"any\")",
        ]
    );
}

/// What reports have always been written with goes on: by name, by operator, by cast.
#[tokio::test]
async fn what_reports_are_written_with_is_listed() {
    let world = World::new().await;
    let reports = reports(&world);
    for statement in [
        "select round(avg(x), 1), percentile_cont(0.5) within group (order by x), stddev_samp(x), width_bucket(3, 0, 10, 5)
           from generate_series(1, 6) x",
        "select to_char(date '2026-02-03', 'DD.MM.YYYY.'), extract(year from age(date '2026-02-03', date '1990-01-01'))::int,
                date_trunc('month', now())::date, (date '2026-01-31' + interval '1 month')::date, now() at time zone 'Europe/Belgrade'",
        "select lpad('7', 2, '0'), rpad('a', 3), repeat('ab', 3), upper('š'), split_part('a-b', '-', 2), regexp_replace('a1', '[0-9]', ''),
                format('%s/%s', 1, 2), 'a' ilike 'A', 'ab' ~ '^a', position('b' in 'ab'), trim(' a '), substring('abc' from 2 for 1), 'x'::char(3),
                left('abc', 1) || 1, concat_ws(', ', 'a', null, 'b'), starts_with('ab', 'a'), md5('a')",
        "select json_build_object('a', 1)::text, '{\"a\": [1]}'::jsonb -> 'a' ->> 0, jsonb_path_query_first('{\"a\": 1}', '$.a')::text,
                row_to_json(x)::text, jsonb_agg(x.a) over () ::text from (values (1)) x (a)",
        "select array_agg(x order by x)::text[], string_agg(x::text, ', '), count(*) filter (where x > 1), bool_or(x = 2), max(x), min(x)
           from generate_series(1, 3) x",
        "select row_number() over (order by x), lag(x) over (order by x), sum(x) over (partition by x % 2), ntile(2) over (), x::numeric / 3, x ^ 2
           from generate_series(1, 3) x",
        "select daterange('2026-01-01', '2026-02-01') @> date '2026-01-05', int4range(1, 5) && int4range(4, 6), array[1, 2] && array[2],
                array[1] <@ array[1, 2], 2 = any(array[1, 2]), (1, 2) = (1, 2), 1 between 0 and 2, null is distinct from 1",
        "select coalesce(null, 'a'), greatest(1, 2), nullif(1, 1), case when true then 1 end, '1'::int, '2026-01-01'::date, 1::text, 1.5::float8::int,
                true::int, 'true'::boolean, (interval '1 day' * 2)::text, date '2026-01-02' - date '2026-01-01'",
        "select u.id, v.tekst, b.vrednost, p.ime from unos u join vrednost v on v.unos_id = u.id left join broj b on b.unos_id = u.id
           join pacijent p on p.id = u.pacijent_id",
    ] {
        let found = reports.small(scope(&world), statement, &Binds::new(), SECOND, 10).await;
        assert!(found.is_ok(), "{statement}: {found:?}");
    }
    let long = reports.small(scope(&world), "select length(repeat('x', 1000000000))", &Binds::new(), SECOND, 10).await;
    let Err(ReportSqlError::Query(said)) = long else { panic!("{long:?}") };
    assert_eq!(said.for_author(), "tekst koji upit pravi je predugačak: repeat, lpad i rpad prave do 10.000 slova (54000)");
}

/// The digests of a scope of all institutions lead nowhere after it, and the role that reads them cannot make one.
#[tokio::test]
async fn ids_over_all_institutions_are_under_a_secret_that_no_report_reads() {
    let world = World::new().await;
    world.patient("0101990710006").await;
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'").execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let reports = reports(&world);
    let all = Scope { run: None, radnik_id: world.radnik, ustanova_id: None };
    let sql = "select p.id, p.id = q.id as same from pacijent p join pacijent q on q.godina_rodjenja = p.godina_rodjenja";
    let ids = async || {
        let found = reports.small(all, sql, &Binds::new(), SECOND, 10).await.unwrap();
        assert_eq!(found.rows[0][1], Value::Bool(true), "one id within a run");
        found.rows[0][0].clone()
    };
    assert_ne!(ids().await, ids().await, "another one in the next");
    for statement in [
        "select tajna::text from report_inside.opseg",
        "select tajna::text from public.report_scope",
        "select report_inside.zamena(1, 'x')",
        "select report_inside.pokazani()",
        "select setting from pg_settings where name like 'regix%'",
        "select current_setting('regix.tajna')",
        "select prosrc from pg_proc where proname = 'zamena' and has_function_privilege(oid, 'execute')",
        "select hashint8extended(1, 1)",
        "select definition from pg_views where viewname = 'opseg'",
    ] {
        let found = reports.small(all, statement, &Binds::new(), SECOND, 10).await;
        assert!(matches!(found, Err(ReportSqlError::Refused(_))), "{statement}: {found:?}");
    }
    let views: String =
        sqlx::query_scalar("select string_agg(pg_get_viewdef(oid), '') from pg_class where relnamespace = 'report_inside'::regnamespace")
            .fetch_one(&world.db.owner)
            .await
            .unwrap();
    assert!(views.contains("zamena") && !views.contains("hashint8"), "no id goes by a digest without a key");
    let bytes: i32 = sqlx::query_scalar("insert into report_scope (pid, radnik_id) values (1999999, 1) returning length(tajna)")
        .fetch_one(&world.db.app)
        .await
        .unwrap();
    assert_eq!(bytes, 32);
}

/// What is wrong with a value is told by quoting it: the server keeps it out of its log where a report is the cause.
#[tokio::test]
async fn the_servers_log_gets_neither_a_value_nor_a_parameter_of_a_report() {
    let world = World::new().await;
    for (setting, value) in [
        ("log_min_messages", "fatal"),
        ("log_min_error_statement", "panic"),
        ("log_parameter_max_length", "0"),
        ("log_parameter_max_length_on_error", "0"),
    ] {
        // The report role itself cannot ask.
        let set: bool = sqlx::query_scalar("select rolconfig @> array[$1] from pg_roles where rolname = 'regix_report'")
            .bind(format!("{setting}={value}"))
            .fetch_one(&world.db.owner)
            .await
            .unwrap();
        assert!(set, "{setting}");
        let shown: String = sqlx::query_scalar(sqlx::AssertSqlSafe(format!("show {setting}"))).fetch_one(&world.db.report).await.unwrap();
        assert_eq!(shown, value, "{setting}");
    }
}
