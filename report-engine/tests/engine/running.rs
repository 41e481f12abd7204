//! Ordinary runs, and those that the report, its template, its query or its owner does not let through.

use domain::{access::cases::CASES, jobs::Queue, report_sql::ParameterKind};
use serde_json::json;

use crate::world::{Parameter, Report, World, eventually};

fn csv(files: &[(String, Vec<u8>)]) -> String {
    let (format, content) = files.first().expect("a file");
    assert_eq!(format, "CSV");
    String::from_utf8(content.clone()).expect("UTF-8").trim_start_matches('\u{feff}').to_owned()
}

#[tokio::test]
async fn a_run_ends_with_a_file_of_its_rows() {
    let world = World::new().await;
    let report = world.report("proba", Report { sql: "select 'Željka' as a union all select 'đak' order by 1", ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let run = world.ask(world.new_run(report)).await;
    let ended = world.end(run).await;
    assert_eq!((ended.status.as_str(), ended.rows_done, ended.truncated), ("succeeded", Some(2), false), "{ended:?}");
    let text = csv(&world.files(run).await);
    assert!(text.contains("Željka") && text.contains("đak"), "{text}");
    assert_eq!(world.count("select count(*) from report_scope").await, 0, "the scope went with the run");
    assert_eq!(
        world.count(&format!("select count(*) from report_run where id = '{run}' and expires_at > now() + interval '29 days'")).await,
        1
    );
}

#[tokio::test]
async fn parameters_reach_the_query_as_values_and_hidden_ones_are_the_servers() {
    let world = World::new().await;
    let sql =
        "select :od::date::text || ' ' || coalesce(array_to_string(:tipovi::text[], '+'), 'svi') || ' ' || :skriven || ' ' || :ko as a";
    let report = world.report("proba", Report { sql, ..Report::default() }).await;
    let parameter = |kind, request| Parameter { kind, request, upit: None, multi: false, fixed: None, logged: false };
    for parameter in [
        Parameter { logged: true, ..parameter(ParameterKind::Date, "od") },
        Parameter { multi: true, upit: Some("select 1"), ..parameter(ParameterKind::Set, "tipovi") },
        Parameter { fixed: Some("stalno"), ..parameter(ParameterKind::Hidden, "skriven") },
        Parameter { upit: Some("radnikID"), ..parameter(ParameterKind::DynamicHidden, "ko") },
    ] {
        world.parameter(report, parameter).await;
    }
    let _engine = world.engine(&[]);

    let mut whole = world.new_run(report);
    // What the request says of hidden ones is not listened to.
    whole.parametri = json!({ "od": "2026-01-31", "tipovi": ["a'b", "c"], "skriven": "podmetnuto", "ko": "1", "radnikID": "1" });
    let whole = world.ask(whole).await;
    let mut sparse = world.new_run(report);
    sparse.parametri = json!({ "od": "2026-01-31" });
    let sparse = world.ask(sparse).await;
    let mut wrong = world.new_run(report);
    wrong.parametri = json!({ "od": "31. januar" });
    let wrong = world.ask(wrong).await;

    assert_eq!(world.end(whole).await.status, "succeeded");
    assert!(csv(&world.files(whole).await).contains(&format!("2026-01-31 a'b+c stalno {}", world.radnik)));
    assert_eq!(world.end(sparse).await.status, "succeeded");
    assert!(csv(&world.files(sparse).await).contains("2026-01-31 svi stalno"));
    let ended = world.end(wrong).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("bad_value")), "{ended:?}");
    let logged = "select count(*) from audit_log where polja::text like '%2026-01-31%'";
    assert_eq!(world.count(logged).await, 0, "values are in the row of whoever asked, masked and for her institution, and in no other");
}

/// A server process that dies takes the statement along, and it is begun again; one that always dies is given up.
#[tokio::test]
async fn a_run_whose_connection_breaks_is_tried_again() {
    let world = World::new().await;
    let report = world.report("spor", Report { sql: "select pg_sleep(1)::text as a", ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let run = world.ask(world.new_run(report)).await;
    eventually("the statement runs", async || (world.backends(run).await == 1).then_some(())).await;
    world.count(&format!("select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'run:{run}'")).await;
    let ended = world.end(run).await;
    assert_eq!((ended.status.as_str(), ended.attempt, ended.crash_count), ("succeeded", 2, 0), "{ended:?}");

    let hopeless = world.report("nemoguc", Report { sql: "select pg_sleep(60)::text as a", ..Report::default() }).await;
    let run = world.insert(&world.new_run(hopeless)).await;
    // Its delays grow to a minute; the test is not interested in them.
    let hurried = eventually("the run is given up", async || {
        sqlx::query("update report_run set not_before = null where id = $1 and status = 'queued'")
            .bind(run)
            .execute(&world.db.owner)
            .await
            .unwrap();
        sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1")
            .bind(format!("run:{run}"))
            .execute(&world.db.owner)
            .await
            .unwrap();
        Some(world.row(run).await).filter(|row| row.status == "failed")
    })
    .await;
    assert_eq!((hurried.error_code.as_deref(), hurried.attempt), (Some("database"), 5), "{hurried:?}");
}

#[tokio::test]
async fn the_query_sees_the_institution_of_the_run_unless_the_report_is_about_all() {
    let world = World::new().await;
    let sql = "select coalesce(report.moja_ustanova()::text, 'sve') as a";
    let own = world.report("svoje", Report { sql, ..Report::default() }).await;
    let all = world.report("sve", Report { sql, obim: "sve", ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let (own, all) = (world.ask(world.new_run(own)).await, world.ask(world.new_run(all)).await);
    assert_eq!((world.end(own).await.status, world.end(all).await.status), ("succeeded".to_owned(), "succeeded".to_owned()));
    assert!(csv(&world.files(own).await).contains(&world.ustanova.to_string()));
    assert!(csv(&world.files(all).await).contains("sve"));
}

/// Of the institution's own patients, for a worker whose roles open none.
#[tokio::test]
async fn a_report_that_names_patients_is_refused_to_whose_roles_open_none_and_one_that_counts_them_is_not() {
    let world = World::new().await;
    let names = world.report("imena", Report { sql: "select max(ime_prezime) as a from report.pacijent", ..Report::default() }).await;
    let counts = world.report("broj", Report { sql: "select count(*) as a from report.pacijent", ..Report::default() }).await;
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update role set pacijenti = 'ne'").execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let _engine = world.engine(&[]);
    let (names, counts) = (world.ask(world.new_run(names)).await, world.ask(world.new_run(counts)).await);
    assert_eq!(world.end(counts).await.status, "succeeded");
    let ended = world.end(names).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("no_identity")), "{ended:?}");
    assert!(ended.error_text.is_some_and(|text| text.contains("ne otvaraju pacijente")));
}

/// What goes wrong, and what the user reads about it.
#[tokio::test]
async fn every_fault_of_a_report_has_its_own_words_and_the_rest_goes_on() {
    let world = World::new().await;
    let cases = [
        (
            "neispravan",
            Report { template: "{{#report}}\n{{col \"a\" head=\"A\"}}\n{{/izvestaj}}", ..Report::default() },
            "template",
            "red ",
        ),
        ("nepoznata-kolona", Report { sql: "select 1 as b", ..Report::default() }, "template", "kolonu „a“"),
        ("upit", Report { sql: "select 1/0 as a", ..Report::default() }, "query", "Upit izveštaja nije uspeo."),
        ("nedozvoljen", Report { sql: "select username as a from public.worker", ..Report::default() }, "query_refused", "nije dozvoljen"),
        ("navodnik", Report { sql: "select 1 as a,\n 'b", ..Report::default() }, "query", "(red 2)"),
        ("bez-parametra", Report { sql: "select :nema as a", ..Report::default() }, "query", "„nema”"),
        ("vrsta", Report { sql: "select interval '1 day' as a", ..Report::default() }, "query", "„a”"),
        ("dug", Report { sql: "select pg_sleep(600)::text as a", seconds: 1, ..Report::default() }, "timeout", "duže od 1 s"),
        (
            "beskrajan",
            Report { sql: "select x as a from generate_series(1, 1000000000) x, pg_sleep(0.01)", seconds: 2, ..Report::default() },
            "timeout",
            "duže od 2 s",
        ),
    ];
    let mut asked = Vec::new();
    for (name, report, code, words) in cases {
        let report = world.report(name, report).await;
        asked.push((name, world.insert(&world.new_run(report)).await, code, words));
    }
    let missing = world.report("obrisan", Report::default()).await;
    std::fs::remove_file(world.template_file("obrisan", "hbs")).unwrap();
    asked.push(("obrisan", world.insert(&world.new_run(missing)).await, "template", "ne postoji"));
    let good = world.report("dobar", Report::default()).await;
    let good = world.insert(&world.new_run(good)).await;

    let engine = world.engine(&[("ENGINE_CONCURRENCY", "4")]);
    for (name, run, code, words) in asked {
        let ended = world.end(run).await;
        assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some(code)), "{name}: {ended:?}");
        let text = ended.error_text.expect("a failed run says why");
        assert!(text.contains(words), "{name}: {text}");
        assert!(!text.contains("line") && !text.contains("ERROR"), "{name} shows an internal message: {text}");
        assert_eq!(world.files(run).await.len(), 0);
        eventually("the statement of a failed run ends", async || (world.backends(run).await == 0).then_some(())).await;
    }
    assert_eq!(world.end(good).await.status, "succeeded");
    assert_eq!(world.published().len(), 1, "failed runs leave no files");
    assert!(!engine.log().contains("Željka"), "the log names nobody");
}

#[tokio::test]
async fn a_result_over_the_cap_fails_early_or_leaves_out_that_format_only() {
    let world = World::new().await;
    let report = world.report("velik", Report { sql: "select x as a from generate_series(1, 10001) x", ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let mut pdf = world.new_run(report);
    pdf.formati = vec!["PDF".to_owned()];
    let mut both = world.new_run(report);
    both.formati = vec!["PDF".to_owned(), "CSV".to_owned()];
    let (pdf, both) = (world.ask(pdf).await, world.ask(both).await);

    let ended = world.end(pdf).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("too_many_rows")), "{ended:?}");
    assert!(ended.error_text.is_some_and(|text| text.contains("10.000") && text.contains("Suzite")));

    let ended = world.end(both).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("succeeded", Some("too_many_rows")), "{ended:?}");
    let files = world.files(both).await;
    assert_eq!(csv(&files).lines().filter(|line| line.trim().parse::<u32>().is_ok()).count(), 10_001);
    assert_eq!(files.len(), 1, "the format that could not be made is left out");

    let more = "select set_config('app.worker', '1', false);
                update parameter set vrednost = '10001' where naziv = 'izvestajNajviseRedovaPdf'";
    sqlx::raw_sql(more).execute(&world.db.owner).await.unwrap();
    let mut allowed = world.new_run(report);
    allowed.formati = vec!["PDF".to_owned()];
    let ended = world.end(world.ask(allowed).await).await;
    assert_eq!((ended.status.as_str(), ended.rows_done, ended.truncated), ("succeeded", Some(10_001), false), "{ended:?}");
}

#[tokio::test]
async fn a_run_is_made_for_whom_the_rule_of_all_programs_lets() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let _engine = world.engine(&[]);
    for case in CASES {
        case.lay_out(&world.db.owner, world.radnik, world.ustanova).await.unwrap();
        let ended = world.end(world.ask(world.new_run(report)).await).await;
        let expected = if case.reports { ("succeeded", None) } else { ("failed", Some("unauthorised")) };
        assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), expected, "{}: {ended:?}", case.who);
    }
}

#[tokio::test]
async fn schedules_leave_a_slot_to_those_who_wait() {
    let world = World::new().await;
    let slow = world.report("spor", Report { sql: "select pg_sleep(600)::text as a", ..Report::default() }).await;
    let quick = world.report("brz", Report::default()).await;
    let _engine = world.engine(&[]);
    let scheduled = || domain::runs::NewRun { queue: Queue::Scheduled, ..world.new_run(slow) };
    let (first, second) = (world.ask(scheduled()).await, world.ask(scheduled()).await);
    eventually("a scheduled run is taken", async || {
        let taken = world.count("select count(*) from report_run where status = 'running'").await;
        (taken == 1).then_some(())
    })
    .await;
    let waited_for = world.ask(world.new_run(quick)).await;
    assert_eq!(world.end(waited_for).await.status, "succeeded");
    let running = world.count(&format!("select count(*) from report_run where status = 'running' and id in ('{first}', '{second}')")).await;
    assert_eq!(running, 1, "two slots, one of them never a schedule's");
}

#[tokio::test]
async fn a_stopping_engine_finishes_what_it_can_and_gives_back_the_rest() {
    let world = World::new().await;
    let short = world.report("kratak", Report { sql: "select pg_sleep(0.7)::text as a", ..Report::default() }).await;
    let long = world.report("dug", Report { sql: "select pg_sleep(600)::text as a", ..Report::default() }).await;
    let engine = world.engine(&[("ENGINE_SHUTDOWN_SECONDS", "1.5")]);
    let radnik_id = world.another_worker("sestra").await;
    let long = domain::runs::NewRun { radnik_id, ..world.new_run(long) };
    let (short, long) = (world.ask(world.new_run(short)).await, world.ask(long).await);
    world.wait_running(short).await;
    world.wait_running(long).await;
    assert!(engine.stop().await, "a stop that was asked for is a success");
    assert_eq!(world.row(short).await.status, "succeeded");
    let given_back = world.row(long).await;
    assert_eq!((given_back.status.as_str(), given_back.crash_count), ("queued", 0), "{given_back:?}");
    assert_eq!(world.backends(long).await, 0);
    assert_eq!(world.count("select count(*) from process where kind = 'report-engine'").await, 0, "it said good-bye");
}

#[tokio::test]
async fn a_changed_template_is_used_by_the_next_run() {
    let world = World::new().await;
    let report = world.report("proba", Report { sql: "select 'staro' as a", ..Report::default() }).await;
    let engine = world.engine(&[]);
    let first = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(first).await.status, "succeeded");
    std::fs::write(world.template_file("proba", "sql"), "select 'novo' as a").unwrap();
    eventually("the engine listens", async || {
        let listening =
            "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'report-engine-odrzavanje' and query like 'LISTEN%'";
        (world.count(listening).await == 1).then_some(())
    })
    .await;
    let mut tx = domain::db::begin(&world.db.app, world.radnik).await.unwrap();
    sqlx::query("insert into maintenance_request (vrsta, cilj, radnik_id) values ('jasper', 'proba', $1)")
        .bind(world.radnik)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    engine.says("compiled templates were dropped").await;
    let second = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(second).await.status, "succeeded");
    assert!(csv(&world.files(first).await).contains("staro"));
    assert!(csv(&world.files(second).await).contains("novo"));
}
