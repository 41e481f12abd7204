//! What programs stand on: each wrong ground is refused in words that name the setting, and told by `/api/health/ready` while they run.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    time::Duration,
};

use domain::{
    config::Config,
    environment,
    standing::{self, Finding, Ground, Precondition, State, Watch},
    testing,
};
use platform::state::{AppState, Parts};
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::support::TestApp;

fn ground(app: &TestApp) -> Ground {
    Ground::of(&app.state.config, None)
}

async fn as_owner(app: &TestApp, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&app.db.owner).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// What is not as it must be.
fn failing(findings: &[Finding]) -> Vec<Precondition> {
    findings.iter().filter(|finding| !finding.holds()).map(|finding| finding.precondition).collect()
}

/// A program on this ground does not start, and says why without saying a password.
async fn refusal(ground: &Ground) -> String {
    let stood = tokio::time::timeout(Duration::from_secs(30), ground.stand()).await.expect("what is wrong is refused at once");
    let said = format!("{:#}", stood.expect_err("wrong ground"));
    let (_, password) = domain::db::credentials(&environment::required("TEST_DATABASE_URL").unwrap()).unwrap();
    assert!(!said.contains(&password), "{said}");
    said
}

#[tokio::test]
async fn the_ground_of_an_installation_as_migrate_leaves_it_holds() {
    let app = TestApp::new().await;
    let findings = ground(&app).ask().await;
    assert_eq!(failing(&findings), [], "{}", standing::checked(&findings));
    let asked: Vec<Precondition> = findings.iter().map(|finding| finding.precondition).collect();
    assert_eq!(asked, Precondition::ALL, "each is asked once, in the order of the list");
    ground(&app).stand().await.unwrap();
    assert_eq!(app.anonymous().get("/api/health/ready").await.json(), json!({ "ready": true, "fails": [] }));
}

#[tokio::test]
async fn a_schema_that_is_not_the_programs_is_refused_and_not_ready() {
    let later = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
                 select 9999, 'later', true, checksum, 0 from _sqlx_migrations limit 1";
    let serves = "create or replace function serves_programs_from() returns int language sql immutable as $$ select 9999 $$";
    for (what, sql, word) in [
        ("older", "delete from _sqlx_migrations where version = (select max(version) from _sqlx_migrations)", "the schema is older"),
        ("newer, and serves none of these programs", &*format!("{later}; {serves}"), "is older than those that the schema (9999) serves"),
        ("functions of another program", "update applied_definitions set sha256 = 'another'", "are not this program's"),
        ("not migrated", "drop table _sqlx_migrations", "has no schema of Regix"),
        ("begun", "update _sqlx_migrations set success = false where version = 101", "begun and not ended"),
    ] {
        let app = TestApp::new().await;
        as_owner(&app, sql).await;
        let said = refusal(&ground(&app)).await;
        for part in [word, "DATABASE_URL (127.0.0.1:", "run `api migrate`"] {
            assert!(said.contains(part), "{what}: {said}");
        }
        let answer = app.anonymous().get("/api/health/ready").await;
        let fails = answer.refusal(503)["fails"].clone();
        assert_eq!(fails.as_array().map(Vec::len), Some(1), "{what}: {fails}");
        let told = fails[0].as_str().unwrap();
        assert!(told.contains("schema") && told.contains("api migrate") && !told.contains("127.0.0.1"), "{what}: {told}");
    }
    // While an upgrade goes on, the schema serves the programs before it.
    let app = TestApp::new().await;
    as_owner(&app, later).await;
    ground(&app).stand().await.unwrap();
    app.anonymous().get("/api/health/ready").await.assert_status(200);
}

#[tokio::test]
async fn a_database_of_before_the_beginning_is_refused_with_the_way_out_and_left_as_it_is() {
    let app = TestApp::new().await;
    as_owner(&app, "delete from _sqlx_migrations where version > 101; update _sqlx_migrations set version = 91").await;
    let mut owner = app.db.owner.acquire().await.unwrap();
    let said = format!("{:#}", domain::schema::migrate(&mut owner).await.expect_err("no way leads from there"));
    for part in ["before schema 101 (it has 91)", "./dev reset"] {
        assert!(said.contains(part), "{said}");
    }
    let left: Vec<i64> = sqlx::query_scalar("select version from _sqlx_migrations").fetch_all(&app.db.owner).await.unwrap();
    assert_eq!(left, [91]);
}

#[tokio::test]
async fn roles_are_known_by_what_they_can_do() {
    let app = TestApp::new().await;
    let with = |database_url: &str, report_url: &str| Ground {
        database_url: database_url.to_owned(),
        report_database_url: Some(report_url.to_owned()),
        ..ground(&app)
    };
    let (owner, role, reports) = (app.db.owner_url.as_str(), app.db.app_url.as_str(), app.db.report_url.as_str());
    for (what, wrong, parts) in [
        (
            "reports as the application",
            with(role, role),
            ["REPORT_DATABASE_URL (127.0.0.1:", "regix_app reads or writes tables behind", "worker"],
        ),
        ("reports as the owner", with(role, owner), ["REPORT_DATABASE_URL (127.0.0.1:", "is a superuser", "sign in as regix_report"]),
        ("the application as the owner", with(owner, reports), ["DATABASE_URL (127.0.0.1:", "is a superuser", "sign in as regix_app"]),
    ] {
        let said = refusal(&wrong).await;
        assert!(parts.iter().all(|part| said.contains(part)), "{what}: {said}");
    }
    for (sql, back, parts) in [
        ("grant update on audit_log to regix_app", "revoke update on audit_log from regix_app", ["histories (audit_log)", "DATABASE_URL"]),
        (
            "grant delete on value_history_default to regix_app",
            "revoke all on value_history_default from regix_app",
            ["histories (value_history_default)", "DATABASE_URL"],
        ),
        (
            "grant update (vrednost) on value_history to regix_app",
            "revoke update (vrednost) on value_history from regix_app",
            ["histories (value_history)", "DATABASE_URL"],
        ),
        ("revoke insert on patient from regix_app", "grant insert on patient to regix_app", ["may not write patient", "`api migrate`"]),
        (
            "grant select (password_hash) on worker to regix_report",
            "revoke select (password_hash) on worker from regix_report",
            ["behind the report views (worker)", "REPORT_DATABASE_URL"],
        ),
        (
            "grant select on report_inside.pacijent_ustanove to regix_report",
            "revoke select on report_inside.pacijent_ustanove from regix_report",
            ["behind the report views (pacijent_ustanove)", "REPORT_DATABASE_URL"],
        ),
    ] {
        as_owner(&app, sql).await;
        let said = refusal(&ground(&app)).await;
        assert!(parts.iter().all(|part| said.contains(part)), "{sql}: {said}");
        as_owner(&app, back).await;
    }
    // A role of another name reads as reports do, and has neither their settings nor, from a migration of before, their bounds.
    let named = format!("izvestaji_{}", app.db.name);
    let (user, password) = domain::db::credentials(reports).unwrap();
    let other = with(role, &reports.replacen(&format!("{user}:{password}@"), &format!("{named}:{password}@"), 1));
    as_owner(&app, &format!("create role {named} login password '{password}' in role regix_report")).await;
    let said = refusal(&other).await;
    assert!(said.contains(&format!("sessions of the role {named} do not look into schema report first")), "{said}");
    as_owner(&app, &format!("alter role {named} set search_path = report, pg_catalog")).await;
    other.stand().await.unwrap();
    as_owner(&app, &format!("grant regix_functions to {named}")).await;
    let said = refusal(&other).await;
    assert!(said.contains(&format!("the role {named} may call functions that reports may not")), "{said}");
    as_owner(&app, &format!("drop role {named}")).await;
    // What the server's administrator measures with shows everybody that it is there, and nobody's data.
    as_owner(&app, "create view merenja as select 1 as a; grant select on merenja to public; alter extension pg_trgm add view merenja")
        .await;
    ground(&app).stand().await.unwrap();
}

#[tokio::test]
async fn an_application_role_that_owns_the_tables_is_refused() {
    let app = TestApp::new().await;
    as_owner(&app, "alter table warning owner to regix_app").await;
    let said = refusal(&ground(&app)).await;
    assert!(said.contains("owns tables"), "{said}");
}

/// Something that speaks HTTP; gives its address.
async fn site() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut caller, _)) = listener.accept().await {
            // A caller that is gone has heard enough.
            let _ = tokio::io::AsyncWriteExt::write_all(&mut caller, b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
            let _ = tokio::io::AsyncReadExt::read(&mut caller, &mut [0; 16]).await;
        }
    });
    address
}

#[tokio::test]
async fn a_server_that_is_there_and_wrong_is_told_from_one_that_is_not_there_yet() {
    let app = TestApp::new().await;
    let other = testing::database().await;
    let right = ground(&app);
    let (_, password) = domain::db::credentials(&app.db.app_url).unwrap();
    let redis = environment::required("TEST_REDIS_URL").unwrap();
    let redis_place = redis.rsplit_once('@').unwrap().1.split('/').next().unwrap().to_owned();
    let wrong = |database_url: String| Ground { database_url, ..right.clone() };
    for (what, ground, word) in [
        ("a password", wrong(app.db.app_url.replace(&password, "pogresna")), "DATABASE_URL"),
        ("no such database", wrong(app.db.app_url.replace(&app.db.name, "nema_je")), "nema_je"),
        ("no PostgreSQL", wrong(format!("postgres://regix_app:x@{}/regix", site().await)), "what answers there is no PostgreSQL"),
        (
            "another database of reports",
            Ground { report_database_url: Some(other.report_url.clone()), ..right.clone() },
            "another database than that of DATABASE_URL",
        ),
        ("a password of Redis", Ground { redis_url: format!("redis://:pogresna@{redis_place}/0"), ..right.clone() }, "REDIS_URL"),
    ] {
        let said = refusal(&ground).await;
        assert!(said.contains(word), "{what}: {said}");
    }
    let nobody = wrong(format!("postgres://regix_app:x@127.0.0.1:{}/regix", testing::free_port()));
    let findings = nobody.ask().await;
    assert!(matches!(findings[0].state, State::Away(_)), "{findings:?}");
    assert!(findings[0].to_string().contains("start the server"), "{}", findings[0]);
    assert!(tokio::time::timeout(Duration::from_secs(3), nobody.stand()).await.is_err(), "it is waited for");
    // A replica that is away makes reports late, and keeps nobody from working.
    let replica = format!("postgres://regix_report:x@127.0.0.1:{}/regix", testing::free_port());
    let without = Ground { report_database_url: Some(replica), ..right.clone() };
    assert_eq!(failing(&without.ask().await), [Precondition::ReportDatabase]);
    without.stand().await.unwrap();
    // Redis only wakes the engines: without it programs start.
    let without = Ground { redis_url: format!("redis://127.0.0.1:{}", testing::free_port()), ..right };
    assert_eq!(failing(&without.ask().await), [Precondition::Redis]);
    without.stand().await.unwrap();
}

#[tokio::test]
async fn a_program_that_runs_asks_again_and_is_not_ready_where_the_ground_has_become_wrong() {
    let app = TestApp::new().await;
    let (watch, ground) = (Watch::default(), ground(&app));
    let watching = tokio::spawn({
        let watch = watch.clone();
        async move { watch.until_forbidden(&ground, Duration::from_millis(50)).await }
    });
    crate::reports::eventually("it has looked", async || (!watch.findings().is_empty()).then_some(())).await;
    assert_eq!(failing(&watch.findings()), []);
    let report_db = Config { report_database_url: app.db.app_url.clone(), ..app.state.config.clone() };
    let caller = app.with_parts(Parts { config: report_db, ..Parts::clone(&app.state) });
    as_owner(&app, "grant select on worker to regix_report").await;
    let why = tokio::time::timeout(Duration::from_secs(30), watching).await.expect("it is seen").unwrap();
    assert!(why.contains("REPORT_DATABASE_URL") && why.contains("worker"), "{why}");
    assert_eq!(failing(&watch.findings()), [Precondition::ReportRole]);
    let answer = caller.get("/api/health/ready").await;
    answer.assert_status(503);
    assert!(answer.text().contains("reads report views and nothing else"), "{}", answer.text());
    app.anonymous().get("/api/health/live").await.assert_status(200);
}

fn api(environment: &[(&str, &str)], arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_api"))
        .args(arguments)
        .env_clear()
        .envs(environment.iter().copied())
        .output()
        .expect("the program runs")
}

fn settings<'a>(app: &'a TestApp, redis: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("DATABASE_URL", app.db.app_url.as_str()),
        ("REPORT_DATABASE_URL", &app.db.report_url),
        ("REDIS_URL", redis),
        ("ARTIFACT_DIR", app.artifact_dir().to_str().expect("a plain path")),
    ]
}

#[tokio::test]
async fn check_prints_every_precondition_and_ends_with_whether_all_hold() {
    let app = TestApp::new().await;
    let redis = environment::required("TEST_REDIS_URL").unwrap();
    let good = api(&settings(&app, &redis), &["check"]);
    let table = String::from_utf8_lossy(&good.stdout).into_owned();
    assert!(good.status.success(), "{table}{}", String::from_utf8_lossy(&good.stderr));
    for precondition in Precondition::ALL {
        assert!(table.contains(precondition.name()), "{table}");
    }
    let elsewhere = api(&[settings(&app, &redis), vec![("TEMPLATE_DIR", "/nema")]].concat(), &["check"]);
    let told = String::from_utf8_lossy(&elsewhere.stdout).into_owned();
    assert!(elsewhere.status.success() && told.contains("TEMPLATE_DIR (/nema): there is no folder reports and email in it"), "{told}");
    assert!(!table.contains("warning  reports"), "{table}");
    // A report of before the rule of small groups is refused when it runs: said here too, and no fault of the ground.
    let of_before = "set app.worker = '1';
        with k as (insert into report_category (naziv, numericka_vrednost) values ('Klinički', 1) returning id),
             t as (insert into report_type (naziv, numericka_vrednost, kategorija_id) select 'Pregledi', 1, id from k returning id)
        insert into report (naziv, numericka_vrednost, jasper_fajl, prikazuje_se, opis, tip_id, obim)
        select n, 1, 'nema', true, 'Za probu', t.id, 'sve' from t, unnest(array['Spisak svih', 'Broj svih']) n;
        insert into report_definition (izvestaj_id, broj, upit, sablon, radnik_id)
        select id, 1, case naziv when 'Spisak svih' then 'select id from pacijent where godina_rodjenja = any(:izbor::int[])'
                                 else 'select count(*) as n, array_agg(id) as grupa_pacijenata from pacijent where id > :od::int' end, '{{#report}}{{/report}}', 1
          from report where naziv in ('Spisak svih', 'Broj svih');
        update report r set definicija_id = d.id from report_definition d where d.izvestaj_id = r.id";
    as_owner(&app, of_before).await;
    let told = api(&settings(&app, &redis), &["check"]);
    let table = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.status.success() && table.contains("refused when they run: Spisak svih\n"), "{table}");
    as_owner(&app, "grant delete on audit_log to regix_app").await;
    let bad = api(&settings(&app, &redis), &["check"]);
    let table = String::from_utf8_lossy(&bad.stdout).into_owned();
    assert_eq!(bad.status.code(), Some(1), "{table}");
    assert!(table.contains("WRONG    the role keeps data and changes no history") && table.contains("→ sign in as regix_app"), "{table}");
    assert!(table.contains("-        the role of reports reads report views"), "what comes after is not asked: {table}");
}

#[tokio::test]
async fn a_wrong_setting_is_refused_in_words_that_name_it_before_anybody_is_waited_for() {
    let app = TestApp::new().await;
    let redis = environment::required("TEST_REDIS_URL").unwrap();
    let nobody = format!("postgres://regix_app:x@127.0.0.1:{}/regix", testing::free_port());
    for (name, value, word) in [
        ("DATABASE_URL", "postgres://regix_app:tajna@db1,db2/regix", "one address that leads to the primary"),
        ("DATABASE_URL", "postgres://regix_app:tajna@db1/regix?target_session_attrs=primary", "one address"),
        ("REPORT_DATABASE_URL", "mysql://regix_report:tajna@db1/regix", "begins with mysql://"),
        ("REDIS_URL", "http://127.0.0.1:6379", "no address of Redis"),
        ("REDIS_URL", "redis-sentinel://127.0.0.1:26379/regix", "Sentinel"),
        ("OIDC_LABEL", "Bolnica", "sign-in by OpenID Connect is set in part; missing: OIDC_ISSUER"),
        ("BEHIND_PROXY", "proxy", "names no addresses"),
        ("ARTIFACT_URL", "https://bucket", "s3://bucket/prefix"),
        ("STORE_MIN_FREE_MB", "mnogo", "is not a number"),
        ("PUBLIC_URL", "regix.bolnica.rs", "begins with https://"),
        ("METRICS_BIND", "9464", "no address with a port"),
        ("PORT", "0", "lies between 1 and 65535"),
    ] {
        let mut environment = settings(&app, &redis);
        environment.retain(|(known, _)| *known != name && *known != "DATABASE_URL");
        if name != "DATABASE_URL" {
            environment.push(("DATABASE_URL", &nobody));
        }
        environment.push((name, value));
        let ended = api(&environment, &["serve"]);
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        let named = said.contains(name) || name == "OIDC_LABEL";
        assert!(!ended.status.success() && named && said.contains(word), "{name}={value}: {said}");
        assert!(!said.contains("tajna") && !said.contains("cannot reach its database"), "{name}={value}: {said}");
    }
}

#[tokio::test]
async fn an_api_that_started_before_its_database_serves_once_that_is_there() {
    let app = TestApp::new().await;
    let port = testing::free_port();
    let forwarded = format!("127.0.0.1:{port}");
    let server = app.db.app_url.rsplit_once('@').unwrap().1.split('/').next().unwrap().to_owned();
    let through = |url: &str| url.replace(&server, &forwarded);
    let config =
        Config { database_url: through(&app.db.app_url), report_database_url: through(&app.db.report_url), ..app.state.config.clone() };
    let starting = tokio::spawn(AppState::connect(config));
    let listener = tokio::net::TcpListener::bind(&forwarded).await.unwrap();
    tokio::spawn(async move {
        while let Ok((mut here, _)) = listener.accept().await {
            let mut there = tokio::net::TcpStream::connect(&server).await.unwrap();
            tokio::spawn(async move { tokio::io::copy_bidirectional(&mut here, &mut there).await });
        }
    });
    let state = tokio::time::timeout(Duration::from_secs(60), starting).await.expect("it comes").unwrap().unwrap();
    assert!(sqlx::query_scalar::<_, bool>("select true").fetch_one(&state.db).await.unwrap());
}

#[test]
fn the_documents_have_the_list_as_the_programs_have_it() {
    let running = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/running.md")).unwrap();
    let table = standing::described();
    assert!(running.contains(&table), "docs/running.md lacks what `api check --table` prints:\n{table}");
}
