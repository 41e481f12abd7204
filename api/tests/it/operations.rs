//! What operators see and do, who may, and what health says of it.

use accounts::rights::Right;
use axum::{body::Body, http::Request};
use serde_json::{Value, json};
use tower::ServiceExt;
use uuid::Uuid;

use crate::{
    reports::{Field, Report, TEXT},
    support::{TestApp, Worker},
};

const SECRET: &str = "Tajna vrednost parametra";

/// A run of a worker's, with a value that nobody else may read.
async fn asked(app: &TestApp, worker: &Worker) -> Uuid {
    let report = Report::with(&app.db, "sve", &[Field::new(TEXT, "ime", "Ime").optional()]).await;
    let answer = worker.post("/api/report-queue", report.request(worker, json!({ "ime": SECRET }))).await;
    answer.assert_status(202).json()["izvestajID"].as_str().expect("a run").parse().expect("a uuid")
}

/// As the sweep ends a run that has killed three engines, long after it was asked for.
async fn poison(app: &TestApp, run: Uuid) {
    sqlx::query(
        "update report_run set status = 'failed', error_code = 'poison', error_text = 'Prekinuto više puta.', crash_count = 3, attempt = 3, fence = 3,
                finished_at = now(), started_at = now() where id = $1",
    )
    .bind(run)
    .execute(&app.db.owner)
    .await
    .expect("the run fails");
}

async fn process(app: &TestApp, id: &str, kind: &str) {
    sqlx::query("insert into process (id, kind, version, host, slots, busy) values ($1, $2, '2.2.0', 'bolnica-1', 2, 1)")
        .bind(id)
        .bind(kind)
        .execute(&app.db.owner)
        .await
        .expect("a process");
}

async fn row(app: &TestApp, run: Uuid) -> Value {
    sqlx::query_scalar("select to_jsonb(r) from report_run r where id = $1").bind(run).fetch_one(&app.db.owner).await.expect("the run")
}

fn kind<'a>(seen: &'a Value, vrsta: &str) -> &'a Value {
    seen["redovi"].as_array().expect("queues").iter().find(|row| row["vrsta"] == vrsta).expect("every kind is there")
}

#[tokio::test]
async fn operators_only_see_and_do() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let others = app.worker("ostali", &[Right::Reports, Right::Roles, Right::Workers, Right::ReportSetup, Right::Log], app.ustanova).await;
    let run = asked(&app, &lekar).await;
    process(&app, "report-engine-1", "report-engine").await;
    for (method, path) in [
        ("GET", "/api/operations".to_owned()),
        ("POST", format!("/api/operations/runs/{run}/cancel")),
        ("POST", format!("/api/operations/runs/{run}/retry")),
        ("POST", "/api/operations/engines/report-engine-1/drain".to_owned()),
        ("POST", "/api/operations/engines/report-engine-1/resume".to_owned()),
    ] {
        for worker in [&*lekar, &others] {
            worker.call(method, &path, None).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
        }
    }
    assert_eq!(row(&app, run).await["status"], "queued");
}

#[tokio::test]
async fn a_poisoned_run_is_seen_with_its_cause_and_begun_again_and_none_of_its_values_is_told() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let operator = app.worker("operater", &[Right::Parameters], app.ustanova).await;
    let run = asked(&app, &lekar).await;
    let seen = operator.get("/api/operations").await.json();
    assert_eq!((&kind(&seen, "interactive")["ceka"], &kind(&seen, "mail")["ceka"]), (&json!(1), &json!(0)));
    assert!(kind(&seen, "interactive")["najstarijeSekundi"].as_f64().expect("seconds") >= 0.0);

    poison(&app, run).await;
    let answer = operator.get("/api/operations").await;
    let (seen, text) = (answer.json(), answer.text());
    assert_eq!(seen["uzroci"], json!([{ "sifra": "poison", "broj": 1 }]));
    let failed = &seen["neuspeli"][0];
    assert_eq!((&failed["id"], &failed["sifra"], &failed["pokusaja"]), (&json!(run), &json!("poison"), &json!(3)));
    assert_eq!(failed["radnik"], Value::Null, "accounts are for those who administer workers");
    assert!(!text.contains(SECRET) && !text.contains("lekar"), "{text}");
    let both = app.worker("oba", &[Right::Parameters, Right::Workers], app.ustanova).await;
    assert_eq!(both.get("/api/operations").await.json()["neuspeli"][0]["radnik"], "lekar");

    operator.post(&format!("/api/operations/runs/{run}/retry"), json!({})).await.assert_status(204);
    let again = row(&app, run).await;
    assert_eq!((&again["status"], &again["crash_count"], &again["fence"]), (&json!("queued"), &json!(0), &json!(3)));
    assert_eq!(again["parametri"]["ime"], SECRET);
    let refused = "Ponoviti se može samo izvršavanje koje nije uspelo.";
    operator.post(&format!("/api/operations/runs/{run}/retry"), json!({})).await.assert_error(409, None, refused);
    operator.post(&format!("/api/operations/runs/{}/retry", Uuid::now_v7()), json!({})).await.assert_status(404);

    operator.post(&format!("/api/operations/runs/{run}/cancel"), json!({})).await.assert_status(204);
    assert_eq!(row(&app, run).await["status"], "cancelled");
    operator.post(&format!("/api/operations/runs/{run}/cancel"), json!({})).await.assert_status(409);
    let told: Vec<(i64, String, String, Value)> = sqlx::query_as(
        "select radnik_id, akcija, opis, polja from audit_log where klasa = 'report_run' and red_id = $1 and radnik_id = $2 order by id",
    )
    .bind(run.to_string())
    .bind(operator.id)
    .fetch_all(&app.db.owner)
    .await
    .expect("the log");
    let deeds: Vec<&str> = told.iter().map(|(_, akcija, _, _)| akcija.as_str()).collect();
    assert_eq!(deeds, ["ponavljanje", "otkazivanje"]);
    assert!(told.iter().all(|(_, _, opis, polja)| opis.ends_with(", iz rada sistema") && !polja.to_string().contains(SECRET)), "{told:?}");
}

/// The owner of a schedule is told of a failure once, and has the report when it was made after all.
#[tokio::test]
async fn a_fire_that_is_begun_again_is_mailed_once_and_its_failure_told_once() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let operator = app.worker("operater", &[Right::Parameters], app.ustanova).await;
    let report = Report::plain(&app.db).await;
    lekar.post("/api/report-queue", report.weekly(&lekar)).await.assert_status(202);
    app.lay_out(&[
        "update worker set email = 'lekar@bolnica.test' where username = 'lekar'",
        "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, zakazivanje_id, fire_local, queue, formati, emails)
         select '01900000-0000-7000-8000-000000000001', izvestaj_id, radnik_id, ustanova_id, id, '2026-01-01 06:00', 'scheduled', '{CSV}', '{lekar@bolnica.test}'
           from report_schedule",
    ])
    .await;
    let run: Uuid = "01900000-0000-7000-8000-000000000001".parse().unwrap();
    let mails = async || -> i64 {
        sqlx::query_scalar("select count(*) from report_delivery where run_id = $1").bind(run).fetch_one(&app.db.owner).await.unwrap()
    };
    poison(&app, run).await;
    assert_eq!(mails().await, 1, "the owner is told");
    operator.post(&format!("/api/operations/runs/{run}/retry"), json!({})).await.assert_status(204);
    poison(&app, run).await;
    assert_eq!(mails().await, 1, "once");
    operator.post(&format!("/api/operations/runs/{run}/retry"), json!({})).await.assert_status(204);

    let lease =
        domain::runs::claim(&app.db.app, run, "engine", domain::runs::KNOWN_VERSION, 60.0).await.unwrap().expect("it waits").lease();
    let recipient = domain::runs::Recipient { address: "lekar@bolnica.test".to_owned(), message_id: "<izvestaj@regix>".to_owned() };
    assert!(domain::runs::finish_succeeded(&app.db.app, lease, &[], &[recipient], 1, false, None).await.unwrap());
    let due: Vec<String> = sqlx::query_scalar("select message_id from report_delivery where run_id = $1 and redni_broj = 1")
        .bind(run)
        .fetch_all(&app.db.owner)
        .await
        .unwrap();
    assert_eq!(due, ["<izvestaj@regix>"], "and has the report");
}

#[tokio::test]
async fn an_engine_is_emptied_and_filled_again_once_each_and_the_log_says_by_whom() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    process(&app, "report-engine-1", "report-engine").await;
    process(&app, "scheduler-1", "scheduler").await;
    let engine = async |deed: &str| admin.post(&format!("/api/operations/engines/report-engine-1/{deed}"), json!({})).await;
    for _ in 0..2 {
        engine("drain").await.assert_status(204);
    }
    let seen = admin.get("/api/operations").await.json();
    let shown = seen["procesi"].as_array().unwrap().iter().find(|process| process["vrsta"] == "report-engine").unwrap();
    assert_eq!(
        (&shown["praznjenje"], &shown["masina"], &shown["mesta"], &shown["ziv"]),
        (&json!(true), &json!("bolnica-1"), &json!(2), &json!(true))
    );
    for _ in 0..2 {
        engine("resume").await.assert_status(204);
    }
    let told: Vec<String> = app.log("process").await.into_iter().map(|line| line.akcija).collect();
    assert_eq!(told, ["pražnjenje", "nastavljanje"]);
    let announced: i64 =
        sqlx::query_scalar("select count(*) from maintenance_request where vrsta = 'praznjenje' and cilj = 'report-engine-1'")
            .fetch_one(&app.db.owner)
            .await
            .unwrap();
    assert_eq!(announced, 2);
    admin.post("/api/operations/engines/scheduler-1/drain", json!({})).await.assert_error(404, None, "Ova mašina više ne radi.");
}

#[tokio::test]
async fn health_degrades_when_engines_rest_when_the_folder_is_another_and_when_nothing_fires() {
    let app = TestApp::new().await;
    process(&app, "report-engine-1", "report-engine").await;
    process(&app, "scheduler-1", "scheduler").await;
    let admin = app.admin().await;
    let health = async || app.anonymous().get("/api/health").await.json();
    let store_problem = async || admin.get("/api/operations").await.json()["sistem"]["skladiste"].clone();
    assert_eq!(health().await["status"], "ok");

    app.lay_out(&["update process set rests = 'drained' where kind = 'report-engine'"]).await;
    let seen = health().await;
    assert_eq!((&seen["status"], &seen["engines"]["ok"], &seen["store"]["ok"]), (&json!("degraded"), &json!(false), &json!(true)));
    assert_eq!(store_problem().await, Value::Null);

    process(&app, "report-engine-2", "report-engine").await;
    assert_eq!(health().await["status"], "ok", "one works");
    app.lay_out(&["update process set rests = 'other_store' where id = 'report-engine-1'"]).await;
    let seen = health().await;
    assert_eq!((&seen["status"], &seen["store"]), (&json!("degraded"), &json!({ "ok": false })));
    assert_eq!(store_problem().await, "not_shared");
    app.lay_out(&["update process set rests = null"]).await;

    app.lay_out(&[
        "update process set started_at = now() - interval '1 hour', last_work_at = now() - interval '2 minutes' where kind = 'scheduler'",
    ])
    .await;
    let seen = health().await;
    assert_eq!(
        (&seen["status"], &seen["firing"]["ok"], &seen["scheduler"]["ok"]),
        (&json!("degraded"), &json!(false), &json!(true)),
        "it lives and looks at nothing"
    );
    app.lay_out(&["update process set last_work_at = now() where kind = 'scheduler'"]).await;
    assert_eq!(health().await["status"], "ok");
    app.lay_out(&["update process set seen_at = seen_at - interval '1 hour' where kind = 'scheduler'"]).await;
    let seen = health().await;
    assert_eq!(
        (&seen["status"], &seen["firing"]["ok"], &seen["scheduler"]["ok"]),
        (&json!("degraded"), &json!(false), &json!(false)),
        "there is none any more"
    );
    app.lay_out(&["update process set seen_at = now() where kind = 'scheduler'"]).await;
    assert_eq!(health().await["status"], "ok");

    let lekar = app.lekar().await;
    asked(&app, &lekar).await;
    app.lay_out(&["update process set knows = 1 where kind = 'report-engine'", "update report_run set needs = 2"]).await;
    let seen = health().await;
    assert_eq!(
        (&seen["status"], &seen["knowledge"]["ok"]),
        (&json!("degraded"), &json!(false)),
        "it waits for an engine that is not there"
    );
    app.lay_out(&["update process set knows = 2 where id = 'report-engine-1'"]).await;
    assert_eq!(health().await["status"], "ok");

    std::fs::remove_dir_all(app.artifact_dir()).unwrap();
    std::fs::write(app.artifact_dir(), "nije fascikla").unwrap();
    let seen = health().await;
    assert_eq!((&seen["status"], &seen["store"]["ok"]), (&json!("degraded"), &json!(false)));
    assert_eq!(store_problem().await, "unusable");
}

/// What waits is counted from when it should have happened: attempts, and putting the next one off, change nothing of it.
#[tokio::test]
async fn waiting_is_counted_from_when_a_thing_should_have_happened() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let operator = app.worker("operater", &[Right::Parameters], app.ustanova).await;
    let run = asked(&app, &lekar).await;
    let done = asked(&app, &lekar).await;
    sqlx::query(
        "insert into report_delivery (run_id, address, message_id, created_at, attempts, next_attempt_at)
         values ($1, 'primalac@bolnica.test', '<a@regix>', now() - interval '1 day', 7, now() + interval '4 hours')",
    )
    .bind(done)
    .execute(&app.db.owner)
    .await
    .unwrap();
    app.lay_out(&[
        "update report_run set status = 'succeeded', finished_at = now() - interval '1 day' where id in (select run_id from report_delivery)",
        "update report_run set created_at = now() - interval '2 hours', attempt = 3, not_before = now() + interval '1 hour' where status = 'queued'",
    ])
    .await;
    let oldest = async |vrsta: &str| {
        let seen = operator.get("/api/operations").await.json();
        kind(&seen, vrsta)["najstarijeSekundi"].as_f64().unwrap_or(0.0)
    };
    assert!(oldest("mail").await >= 86_400.0, "it is tried for a day");
    assert!(oldest("interactive").await >= 7200.0, "its next attempt is an hour away");
    let text = api::operations::measure(&app.state).await.text();
    let figure = |kind: &str| -> f64 {
        let name = format!("regix_queue_oldest_seconds{{kind=\"{kind}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&name)).expect("the figure").parse().expect("a number")
    };
    assert!(figure("mail") >= 86_400.0 && figure("interactive") >= 7200.0);

    app.lay_out(&["update report_delivery set status = 'sending', lease_until = now() + interval '1 minute'"]).await;
    assert!(oldest("mail").await >= 86_400.0, "the eighth attempt is no other letter");
    app.lay_out(&["update report_run set status = 'failed', not_before = null, finished_at = now() where status = 'queued'"]).await;
    operator.post(&format!("/api/operations/runs/{run}/retry"), json!({})).await.assert_status(204);
    assert!(oldest("interactive").await < 60.0, "an operator let it begin again: it waits since then");
}

#[tokio::test]
async fn a_mail_server_that_is_down_is_told_to_everybody_and_its_answer_to_operators() {
    let app = TestApp::new().await;
    process(&app, "report-engine-1", "report-engine").await;
    process(&app, "scheduler-1", "scheduler").await;
    let operator = app.worker("operater", &[Right::Parameters], app.ustanova).await;
    let health = async || app.anonymous().get("/api/health").await.json();
    let server = async || operator.get("/api/operations").await.json()["serverPoste"].clone();
    let figures = async || api::operations::measure(&app.state).await.text();
    assert_eq!((&health().await["status"], &health().await["mail"]["ok"]), (&json!("ok"), &json!(true)));
    assert_eq!((&server().await["radi"], &server().await["neRadiOd"]), (&json!(true), &Value::Null));
    assert!(figures().await.contains("regix_mail_up{} 1.0"));

    app.lay_out(&["update mail_server set fault = 'greeting', down_since = now() - interval '1 hour', code = 421, answer = '4.3.2 later'"])
        .await;
    assert_eq!((&health().await["status"], &health().await["mail"]["ok"]), (&json!("degraded"), &json!(false)));
    let seen = server().await;
    assert_eq!((&seen["radi"], &seen["odgovor"]), (&json!(false), &json!("421 4.3.2 later")));
    assert!(seen["neRadiSekundi"].as_f64().expect("seconds") >= 3600.0 && seen["neRadiOd"].is_string());
    let text = figures().await;
    assert!(text.contains("regix_mail_up{} 0.0") && text.contains("regix_mail_down_seconds{} 36"), "{text}");
}

#[tokio::test]
async fn a_silent_engine_is_missed_until_another_has_taken_its_place() {
    let app = TestApp::new().await;
    let operator = app.worker("operater", &[Right::Parameters], app.ustanova).await;
    process(&app, "report-engine-1", "report-engine").await;
    process(&app, "report-engine-2", "report-engine").await;
    app.lay_out(&[
        "update process set host = 'bolnica-2', seen_at = now() - interval '5 minutes', started_at = now() - interval '1 day' where id = 'report-engine-2'",
    ])
    .await;
    let replaced = async || {
        let seen = operator.get("/api/operations").await.json();
        let silent = seen["procesi"].as_array().unwrap().iter().find(|process| process["ziv"] == false).expect("it is told").clone();
        silent["zamenjen"].clone()
    };
    let silent = async || {
        let text = api::operations::measure(&app.state).await.text();
        text.contains("regix_processes{kind=\"report-engine\",state=\"silent\"} 1.0")
    };
    assert_eq!((replaced().await, silent().await), (json!(false), true));
    process(&app, "report-engine-3", "report-engine").await;
    assert_eq!((replaced().await, silent().await), (json!(false), true), "that one is on another machine");
    app.lay_out(&["update process set host = 'bolnica-2' where id = 'report-engine-3'"]).await;
    assert_eq!((replaced().await, silent().await), (json!(true), false));
}

#[tokio::test]
async fn a_process_that_lives_need_not_be_ready() {
    let app = TestApp::new().await;
    app.anonymous().get("/api/health/ready").await.assert_status(200);
    app.state.vitals.db.close().await;
    assert_eq!(app.anonymous().get("/api/health/live").await.assert_status(200).json(), json!({ "ready": true, "fails": [] }));
    let ready = app.anonymous().get("/api/health/ready").await;
    ready.assert_status(503);
    assert!(ready.text().starts_with(r#"{"ready":false,"fails":["not so: the database answers"#), "{}", ready.text());
}

#[tokio::test]
async fn a_run_carries_the_id_of_the_call_that_asked_for_it() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let first = asked(&app, &lekar).await;
    let given = row(&app, first).await["zahtev_id"].as_str().expect("an id").to_owned();
    given.parse::<Uuid>().expect("the api makes one where nobody gave one");

    for (sent, kept) in [("proksi-zahtev-7", true), ("Pera Perić", false), ("x", false)] {
        let request = Request::get("/api/health/live").header("x-request-id", sent.as_bytes()).body(Body::empty()).unwrap();
        let answer = api::app(app.state.clone()).oneshot(request).await.unwrap();
        let answered = answer.headers()["x-request-id"].to_str().unwrap();
        assert_eq!(answered == sent, kept, "{sent}: {answered}");
    }
}

#[tokio::test]
async fn metrics_tell_the_queue_the_causes_and_the_processes_and_nobodys_name() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let (waiting, failed) = (asked(&app, &lekar).await, asked(&app, &lekar).await);
    poison(&app, failed).await;
    process(&app, "report-engine-1", "report-engine").await;
    let text = api::operations::measure(&app.state).await.text();
    for line in [
        "regix_queue_waiting{kind=\"interactive\"} 1.0",
        "regix_queue_waiting{kind=\"mail\"} 0.0",
        "regix_runs_failed{cause=\"poison\"} 1.0",
        "regix_processes{kind=\"report-engine\",state=\"working\"} 1.0",
        "regix_database_up{} 1.0",
        "regix_store_up{} 1.0",
        "regix_pool_most{pool=\"api\"}",
        "regix_partitions_ahead{table=\"audit_log\"} 12.0",
        "regix_partition_strays{table=\"value_history\"} 0.0",
        "regix_answers_seconds_count{area=\"",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    for private in ["lekar", SECRET, &waiting.to_string(), "bolnica-1"] {
        assert!(!text.contains(private), "{private}");
    }
}
