//! What becomes of runs: listing, cancelling, deleting, by their owner only.

use std::time::Duration;

use accounts::rights::Right;
use domain::{
    jobs::Queue,
    runs::{self, Entry, NewRun},
    testing::TestDb,
};
use jiff::civil::{DateTime, date};
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, postgres::PgConnectOptions};
use uuid::Uuid;

use super::{Report, eventually, log_of, merge, succeed};
use crate::support::{TestApp, keys};

#[tokio::test]
async fn a_worker_sees_own_runs_newest_first() {
    let app = TestApp::new().await;
    let (one, other) = (Report::plain(&app.db).await, Report::plain(&app.db).await);
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let (first, second, third) = (one.run(&lekar).await, other.run(&lekar).await, one.run(&lekar).await);
    one.run(&admin).await;

    let ids = async |query: &str| {
        let answer = lekar.get(&format!("/api/report-runs{query}")).await.json();
        let ids: Vec<String> = answer["data"].as_array().unwrap().iter().map(|run| run["giID"].as_str().unwrap().to_owned()).collect();
        (ids, answer["total"].as_i64().unwrap())
    };
    assert_eq!(ids("").await, (vec![third.to_string(), second.to_string(), first.to_string()], 3));
    assert_eq!(ids(&format!("?izvestaj={}", one.id)).await, (vec![third.to_string(), first.to_string()], 2));
    assert_eq!(ids("?page=1&size=2").await, (vec![first.to_string()], 3));
    assert_eq!(ids("?page=0&size=50000000").await.1, 3);
    admin.get(&format!("/api/report-runs/{first}")).await.assert_status(404);
    admin.delete(&format!("/api/report-runs/{first}")).await.assert_status(404);
    admin.post(&format!("/api/report-runs/{first}/cancel"), json!({})).await.assert_status(404);
    lekar.get("/api/report-runs/not-a-uuid").await.assert_status(404);
}

#[tokio::test]
async fn a_run_tells_its_state_its_files_and_its_deliveries() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let run = report.run(&lekar).await;
    let path = format!("/api/report-runs/{run}");
    let waiting = lekar.get(&path).await.json();
    assert_eq!(
        keys(&waiting),
        [
            "ekran",
            "emails",
            "faza",
            "formats",
            "giID",
            "greska",
            "isporuke",
            "istice",
            "izvestajID",
            "kraj",
            "moj",
            "napomene",
            "naziv",
            "nedostupno",
            "otkazivanje",
            "parametri",
            "pocetak",
            "poslednjiOtkucaj",
            "preuzimanja",
            "primaoci",
            "redova",
            "skraceno",
            "status",
            "trazio",
            "ustanova",
            "vremeGenerisanja",
            "zakazanoZa",
            "zakazivanjeID",
        ]
    );
    assert_eq!((waiting["status"].clone(), waiting["formats"].clone(), waiting["kraj"].clone()), (json!("queued"), json!([]), json!(null)));

    succeed(&app, run, b"a;b\n").await;
    sqlx::query(
        "insert into report_delivery (run_id, address, message_id, status, smtp_text) values ($1, 'a@b.rs', 'x', 'failed', '550 nema')",
    )
    .bind(run)
    .execute(&app.db.owner)
    .await
    .unwrap();
    let ended = lekar.get(&path).await.json();
    assert_eq!(ended["formats"], json!([{ "nazivKratki": "CSV", "bytes": 4 }]));
    assert_eq!(ended["isporuke"], json!([{ "adresa": "a@b.rs", "status": "failed", "poruka": "550 nema", "vreme": null }]));
    assert!(ended["istice"].is_string() && ended["kraj"].is_string());

    sqlx::query("update report_run set expires_at = now() - interval '1 second' where id = $1")
        .bind(run)
        .execute(&app.db.owner)
        .await
        .unwrap();
    assert_eq!(lekar.get(&path).await.json()["formats"], json!([]), "what has expired is not offered");

    let failed = report.run(&lekar).await;
    sqlx::query("update report_run set status = 'failed', error_code = 'too_many_rows', error_text = 'Suzite uslove.' where id = $1")
        .bind(failed)
        .execute(&app.db.owner)
        .await
        .unwrap();
    let failed = lekar.get(&format!("/api/report-runs/{failed}")).await.json();
    assert_eq!(failed["greska"], json!({ "kod": "too_many_rows", "tekst": "Suzite uslove." }));
}

#[tokio::test]
async fn only_an_ended_run_is_deleted_and_then_it_is_gone() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let run = report.run(&lekar).await;
    let path = format!("/api/report-runs/{run}");
    lekar.delete(&path).await.assert_error(409, None, "Izveštaj se još izvršava. Prvo otkažite generisanje.");
    succeed(&app, run, b"a\n").await;
    lekar.delete(&path).await.assert_status(204);
    lekar.get(&path).await.assert_status(404);
    lekar.delete(&path).await.assert_status(404);
    lekar.get(&format!("{path}/download?format=CSV")).await.assert_status(404);
    assert_eq!(lekar.get("/api/report-runs").await.json()["total"], 0);
    let log: Vec<String> = log_of(&app, "report_run").await.into_iter().map(|row| row.0).collect();
    assert_eq!(log, ["kreiranje", "brisanje"]);
}

#[tokio::test]
async fn a_waiting_run_is_cancelled_at_once_and_an_ended_one_is_not() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let run = report.run(&lekar).await;
    let cancel = format!("/api/report-runs/{run}/cancel");
    lekar.post(&cancel, json!({})).await.assert_status(204);
    let state = lekar.get(&format!("/api/report-runs/{run}")).await.json();
    assert_eq!((state["status"].clone(), state["otkazivanje"].clone()), (json!("cancelled"), json!(false)));
    lekar.post(&cancel, json!({})).await.assert_error(409, None, "Generisanje izveštaja je već završeno.");
    let log: Vec<String> = log_of(&app, "report_run").await.into_iter().map(|row| row.0).collect();
    assert_eq!(log, ["kreiranje", "otkazivanje"]);
}

/// A run that a silent engine holds: its statement sleeps on a connection of the report role.
async fn held_run(db: &TestDb, run: Uuid, label: &str) -> tokio::task::JoinHandle<sqlx::Result<()>> {
    sqlx::query("update report_run set status = 'running', stage = 'query', lease_until = now() + interval '1 minute', heartbeat_at = now() where id = $1")
        .bind(run)
        .execute(&db.owner)
        .await
        .unwrap();
    let options: PgConnectOptions = db.report_url.parse().unwrap();
    let mut connection = PgConnection::connect_with(&options.application_name(label)).await.unwrap();
    let sleeping = tokio::spawn(async move { connection.execute(AssertSqlSafe("select pg_sleep(300)".to_owned())).await.map(|_| ()) });
    let (owner, label) = (db.owner.clone(), label.to_owned());
    eventually("the statement runs", async || {
        let active = sqlx::query_scalar("select exists (select from pg_stat_activity where application_name = $1 and state = 'active')");
        let active: bool = active.bind(&label).fetch_one(&owner).await.unwrap();
        active.then_some(())
    })
    .await;
    sleeping
}

#[tokio::test]
async fn the_statement_of_a_silent_engine_is_stopped_and_no_other() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let (run, other) = (report.run(&lekar).await, report.run(&lekar).await);
    let sleeping = held_run(&app.db, run, &format!("run:{run}")).await;
    let untouched = held_run(&app.db, other, &format!("run:{other}")).await;

    lekar.post(&format!("/api/report-runs/{run}/cancel"), json!({})).await.assert_status(204);
    let state = lekar.get(&format!("/api/report-runs/{run}")).await.json();
    assert_eq!((state["status"].clone(), state["otkazivanje"].clone()), (json!("running"), json!(true)));

    let outcome = tokio::time::timeout(Duration::from_secs(20), sleeping).await.expect("the statement is stopped").unwrap();
    let code = outcome.expect_err("stopped").into_database_error().and_then(|error| error.code().map(|code| code.into_owned()));
    assert_eq!(code.as_deref(), Some("57014"));
    assert!(!untouched.is_finished());
    untouched.abort();
}

#[tokio::test]
async fn fires_without_a_report_are_counted_until_their_owner_has_looked() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let schedule = lekar.post("/api/report-queue", report.weekly(&lekar)).await.json()["zakazivanjeID"].as_i64().unwrap();
    report.run(&lekar).await;
    let fires = "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, zakazivanje_id, fire_local, formati, status)
                 select gen_random_uuid(), $1, $2, $3, $4, now() - make_interval(days => n::int), '{CSV}', status
                   from unnest(array['failed', 'missed', 'skipped_overlap', 'skipped_unauthorised', 'skipped_paused', 'skipped_ended', 'succeeded', 'cancelled']) with ordinality f (status, n)";
    sqlx::query(fires).bind(report.id).bind(lekar.id).bind(app.ustanova).bind(schedule).execute(&app.db.owner).await.unwrap();
    let count = async |worker: &crate::support::Worker| worker.get("/api/report-runs/attention").await.json()["broj"].clone();
    assert_eq!((count(&lekar).await, count(&admin).await), (json!(6), json!(0)));
    lekar.post("/api/report-runs/seen", json!({})).await.assert_status(204);
    assert_eq!(count(&lekar).await, json!(0));
    let mailed: i64 = sqlx::query_scalar("select count(*) from report_delivery").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(mailed, 0, "an account without an address is told by the mark alone");
}

#[tokio::test]
async fn a_run_tells_when_it_was_due_by_the_zone_of_then() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let mut weekly = report.weekly(&lekar);
    merge(&mut weekly, json!({ "vremenskaZona": "America/New_York" }));
    let schedule = lekar.post("/api/report-queue", weekly.clone()).await.json()["zakazivanjeID"].as_i64().unwrap();
    let fire = async |due: Option<DateTime>, entry| {
        let run = NewRun {
            id: Uuid::now_v7(),
            izvestaj_id: report.id,
            radnik_id: lekar.id,
            ustanova_id: app.ustanova,
            registar_id: None,
            parametri: json!({}),
            parametri_opis: json!([]),
            formati: vec!["CSV".to_owned()],
            emails: Vec::new(),
            queue: Queue::Scheduled,
            proba: None,
        };
        let mut connection = app.db.app.acquire().await.unwrap();
        runs::insert_fire(&mut connection, &run, schedule, due, entry).await.unwrap().expect("a new moment")
    };
    let [missed, old] = [
        fire(Some(date(2026, 11, 16).at(7, 30, 0, 0)), Entry::Missed).await,
        fire(Some(date(2026, 11, 9).at(7, 30, 0, 0)), Entry::Missed).await,
    ];
    let ended = fire(None, Entry::SkippedEnded).await;
    sqlx::query("update report_run set fire_zone = null where id = $1").bind(old).execute(&app.db.owner).await.unwrap();
    merge(&mut weekly, json!({ "zakazivanjeIzvestajaIzmenaID": schedule, "vremenskaZona": "Asia/Tokyo" }));
    lekar.post("/api/report-queue", weekly).await.assert_status(202);

    let by_hand = report.run(&lekar).await;
    let all = lekar.get("/api/report-runs").await.json();
    let told = async |run: Uuid| {
        let one = lekar.get(&format!("/api/report-runs/{run}")).await.json()["zakazanoZa"].clone();
        let listed = all["data"].as_array().unwrap().iter().find(|one| one["giID"] == run.to_string()).unwrap();
        assert_eq!(one, listed["zakazanoZa"]);
        one
    };
    assert_eq!(told(missed).await, json!({ "vreme": "2026-11-16 07:30", "zona": "America/New_York" }));
    assert_eq!(told(old).await, json!({ "vreme": "2026-11-09 07:30", "zona": "Asia/Tokyo" }), "of before fires had one of their own");
    assert_eq!((told(ended).await, told(by_hand).await), (json!(null), json!(null)));
}

#[tokio::test]
async fn who_configures_reports_is_told_which_version_made_a_run_and_nobody_else() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let designer = app.worker("dizajner", &[Right::Reports, Right::ReportSetup], app.ustanova).await;
    let of_file = [report.run(&designer).await, report.run(&lekar).await];
    let of_version = [report.run(&designer).await, report.run(&lekar).await];
    let waiting = report.run(&designer).await;
    let version = "with d as (insert into report_definition (izvestaj_id, broj, upit, sablon, radnik_id) values ($1, 3, 'select 1', '', $2) returning id)
                   update report_run set definicija_id = (select id from d), template_sha = 'x' where id = any ($3)";
    let mut tx = domain::db::begin(&app.db.owner, designer.id).await.unwrap();
    sqlx::query(version).bind(report.id).bind(designer.id).bind(of_version).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    sqlx::query("update report_run set template_sha = 'x' where id = any ($1)").bind(of_file).execute(&app.db.owner).await.unwrap();
    let told = async |worker: &crate::support::Worker, run: Uuid| {
        let one = worker.get(&format!("/api/report-runs/{run}")).await.json();
        let all = worker.get("/api/report-runs").await.json();
        let listed = all["data"].as_array().unwrap().iter().find(|one| one["giID"] == run.to_string()).unwrap();
        assert_eq!(one.get("verzija"), listed.get("verzija"));
        one.get("verzija").cloned()
    };
    assert_eq!(told(&designer, of_version[0]).await, Some(json!(3)));
    assert_eq!(told(&designer, of_file[0]).await, Some(json!(0)));
    assert_eq!(told(&designer, waiting).await, None, "it was not made yet");
    assert_eq!((told(&lekar, of_version[1]).await, told(&lekar, of_file[1]).await), (None, None));
}

/// A failed run of the report, as an engine leaves one whose query the database refused.
pub async fn broken(app: &TestApp, run: Uuid) {
    sqlx::query(
        r#"update report_run set status = 'failed', error_code = 'query', error_text = 'Upit izveštaja nije uspeo.', finished_at = now(),
                  error_detail = '{"poruka": "column nema does not exist", "savet": "Perhaps ima.", "mesto": {"red": 2, "kolona": 5}}' where id = $1"#,
    )
    .bind(run)
    .execute(&app.db.owner)
    .await
    .unwrap();
}

#[tokio::test]
async fn what_the_database_said_of_a_query_is_told_to_who_configures_reports_and_to_nobody_else() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let designer = app.worker("dizajner", &[Right::Reports, Right::ReportSetup], app.ustanova).await;
    let every_other = Right::ALL.iter().copied().filter(|right| *right != Right::ReportSetup).collect::<Vec<_>>();
    let almost_all = app.worker("svasta", &every_other, app.ustanova).await;
    for (worker, told) in [(&*lekar, false), (&almost_all, false), (&designer, true)] {
        let run = report.run(worker).await;
        broken(&app, run).await;
        let answers = [worker.get(&format!("/api/report-runs/{run}")).await, worker.get("/api/report-runs").await];
        let [one, all] = answers.each_ref().map(|answer| answer.assert_status(200).json());
        let expected = told.then(|| json!({ "poruka": "column nema does not exist", "savet": "Perhaps ima.", "red": 2, "kolona": 5 }));
        for run in [&one, &all["data"][0]] {
            assert_eq!(run["greska"]["tekst"], "Upit izveštaja nije uspeo.");
            assert_eq!(run["greska"].get("upit"), expected.as_ref());
        }
        assert!(told || answers.iter().all(|answer| !answer.text().contains("does not exist")));
    }
    let failed = async |worker: &crate::support::Worker| worker.get("/api/operations").await.assert_status(200).json()["neuspeli"].clone();
    let operator = app.worker("operater", &[Right::Parameters], app.ustanova).await;
    let seen = failed(&operator).await;
    assert_eq!((seen.as_array().unwrap().len(), seen[0].get("upit"), seen[0].get("izvestajID")), (3, None, None), "{seen}");
    assert!(!seen.to_string().contains("does not exist"), "{seen}");
    let both = app.worker("oba", &[Right::Parameters, Right::ReportSetup], app.ustanova).await;
    let seen = failed(&both).await;
    assert_eq!((&seen[0]["upit"]["poruka"], &seen[0]["izvestajID"]), (&json!("column nema does not exist"), &json!(report.id)));
}
