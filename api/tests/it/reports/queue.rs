//! Asking for a report: once, now, within bounds.

use domain::jobs::Dispatcher;
use platform::state::Parts;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Field, Report, SET, TEXT, eventually, log_of, merge};
use crate::support::TestApp;

#[tokio::test]
async fn a_request_is_queued_logged_and_announced() {
    let app = TestApp::new().await;
    let fields = [Field::new(TEXT, "jmbg", "JMBG pacijenta").logged(), Field::new(TEXT, "tajno", "Tajno")];
    let report = Report::with(&app.db, "sve", &fields).await;
    let lekar = app.lekar().await;
    let mut request = report.request(&lekar, json!({ "jmbg": "pacijent 0101990710006", "tajno": "ne piše se" }));
    merge(
        &mut request,
        json!({ "emails": [" ana@kcs.rs", "ANA@kcs.rs"], "formati": ["csv", "PDF"], "redPretrage": [], "initValue": null }),
    );
    let answer = lekar.post("/api/report-queue", request).await;
    answer.assert_status(202);
    assert_eq!(answer.keys(), ["izvestajID"]);
    let run: Uuid = answer.json()["izvestajID"].as_str().unwrap().parse().unwrap();

    let (status, queue, emails, formati, ustanova): (String, String, Vec<String>, Vec<String>, i64) =
        sqlx::query_as("select status, queue, emails, formati, ustanova_id from report_run where id = $1 and radnik_id = $2")
            .bind(run)
            .bind(lekar.id)
            .fetch_one(&app.db.owner)
            .await
            .unwrap();
    assert_eq!((status.as_str(), queue.as_str(), ustanova), ("queued", "interactive", app.ustanova));
    assert_eq!(emails, ["ana@kcs.rs"]);
    assert_eq!(formati, ["PDF", "CSV"]);

    let log = log_of(&app, "report_run").await;
    let fields = json!([{ "naziv": "JMBG pacijenta", "stara": null, "nova": "pacijent •••" }]);
    assert_eq!(log, [("kreiranje".to_owned(), "Izveštaj o đacima".to_owned(), fields)]);

    eventually("Redis is told", async || {
        let told = sqlx::query_scalar("select dispatched_at is not null from report_run where id = $1").bind(run);
        let told: bool = told.fetch_one(&app.db.owner).await.unwrap();
        told.then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_request_is_accepted_while_redis_is_away() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let away = Dispatcher::connect("redis://127.0.0.1:1").unwrap();
    let caller = app.with_parts(Parts { dispatcher: away, ..Parts::clone(&app.state) }).with_token(lekar.token.clone());
    let answer = caller.post("/api/report-queue", report.request(&lekar, json!({}))).await;
    answer.assert_status(202);
    let waiting: i64 = sqlx::query_scalar("select count(*) from report_run where status = 'queued' and dispatched_at is null")
        .fetch_one(&app.db.owner)
        .await
        .unwrap();
    assert_eq!(waiting, 1, "the sweep will find it");
}

#[tokio::test]
async fn the_same_key_makes_one_run_however_often_it_is_sent() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let mut request = report.request(&lekar, json!({}));
    request["kljuc"] = json!(Uuid::now_v7());
    let sent = (0..6).map(|_| lekar.post("/api/report-queue", request.clone()));
    let answers = futures::future::join_all(sent).await;
    let ids: Vec<Value> = answers.iter().map(|answer| answer.assert_status(202).json()["izvestajID"].clone()).collect();
    assert!(ids.iter().all(|id| *id == ids[0] && id.is_string()), "{ids:?}");
    // A retry is answered even when the request would be refused by now.
    request["emails"] = json!(["nije-adresa"]);
    assert_eq!(lekar.post("/api/report-queue", request.clone()).await.json()["izvestajID"], ids[0]);
    assert_eq!(log_of(&app, "report_run").await.len(), 1);

    let other = app.worker("lekar2", &[accounts::rights::Right::Reports], app.druga_ustanova).await;
    merge(&mut request, json!({ "radnikID": other.id, "emails": [] }));
    assert_ne!(other.post("/api/report-queue", request).await.json()["izvestajID"], ids[0], "a key is the worker's own");
}

#[tokio::test]
async fn nobody_asks_in_the_name_of_another() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let answer = admin.post("/api/report-queue", report.request(&lekar, json!({}))).await;
    answer.assert_error(403, None, "Nemate pravo na ovu radnju.");
}

#[tokio::test]
async fn addresses_and_formats_are_checked_by_name() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let cases = [
        (json!({ "emails": ["ana@kcs.rs", "mika.kcs.rs"] }), "emails", "Adresa „mika.kcs.rs” nije ispravna."),
        (json!({ "formati": ["PDF", "DOCX"] }), "formati", "Format „DOCX” nije dozvoljen za ovaj izveštaj."),
        (json!({ "formati": [] }), "formati", "Izaberite bar jedan format."),
    ];
    for (change, field, message) in cases {
        let mut request = report.request(&lekar, json!({}));
        merge(&mut request, change);
        lekar.post("/api/report-queue", request).await.assert_error(422, Some(field), message);
    }
}

#[tokio::test]
async fn ten_reports_at_a_time_are_enough_for_one_worker() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let mut runs = Vec::new();
    for _ in 0..10 {
        runs.push(report.run(&lekar).await);
    }
    let refused = lekar.post("/api/report-queue", report.request(&lekar, json!({}))).await;
    refused.assert_error(429, None, "Već imate 10 izveštaja koji se generišu. Sačekajte da se neki završi ili ga otkažite.");
    let admin = app.admin().await;
    report.run(&admin).await;

    lekar.post(&format!("/api/report-runs/{}/cancel", runs[0]), json!({})).await.assert_status(204);
    report.run(&lekar).await;
}

#[tokio::test]
async fn a_worker_without_an_institution_is_told_so() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let mut tx = domain::db::begin(&app.db.owner, 1).await.unwrap();
    sqlx::query("update worker set ustanova_id = null where id = $1").bind(lekar.id).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let answer = lekar.post("/api/report-queue", report.request(&lekar, json!({}))).await;
    answer.assert_error(422, Some("ustanovaID"), "Niste dodeljeni nijednoj ustanovi.");
}

#[tokio::test]
async fn patients_whom_a_report_was_asked_about_are_named_to_readers_of_the_log_who_know_them() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let ours = app.person(&register, app.ustanova, 1).await;
    let shared = app.person(&register, app.druga_ustanova, 2).await;
    app.entry(&register, shared.id, app.ustanova, "2024-02-02", json!({ "broj": 1 })).await;
    let upit = "select id, ime_prezime || ', ' || jmbg from pacijent order by id";
    let field = Field::new(SET, "pacijenti", "Pacijenti").query(upit).multi().logged().of_patients();
    let report = Report::with(&app.db, "ustanova", &[field]).await;
    let lekar = app.lekar().await;
    let both = json!({ "pacijenti": [ours.id.to_string(), shared.id.to_string()] });
    lekar.post("/api/report-queue", report.request(&lekar, both)).await.assert_status(202);

    let name = |person: &crate::support::Person| {
        format!("{} {}", person.record["prezime"].as_str().unwrap(), person.record["ime"].as_str().unwrap())
    };
    let path = "/api/log?datumOd=2020-01-01&klaseArray=report_run";
    let told = async |worker: &crate::support::Worker| {
        let answer = worker.get(path).await;
        (answer.json()["data"][0]["polja"][0]["nova"].clone(), answer)
    };
    let own = app.worker("domaci", &accounts::rights::Right::ALL, app.ustanova).await;
    assert_eq!(told(&own).await.0, json!(format!("{}, {}", name(&ours), name(&shared))));
    let stranger = app.worker("stranac", &accounts::rights::Right::ALL, app.druga_ustanova).await;
    let (said, answer) = told(&stranger).await;
    assert_eq!(said, Value::Null, "what was asked for in another institution is kept back");
    answer.assert_silent_about(path, &ours.secrets());
}
