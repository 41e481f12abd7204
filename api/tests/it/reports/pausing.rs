//! Pausing a schedule and letting it go on, by its owner only.

use jiff::{SignedDuration, ToSpan};
use serde_json::{Value, json};

use super::{Report, log_of, merge};
use crate::support::{TestApp, Worker};

async fn schedule(report: &Report, worker: &Worker, change: Value) -> String {
    let mut request = report.weekly(worker);
    merge(&mut request, change);
    let answer = worker.post("/api/report-queue", request).await;
    answer.assert_status(202);
    format!("/api/report-schedules/{}", answer.json()["zakazivanjeID"])
}

#[tokio::test]
async fn a_paused_schedule_has_no_next_time_until_it_is_resumed_from_now() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let path = schedule(&report, &lekar, json!({})).await;
    let (pause, resume) = (format!("{path}/pause"), format!("{path}/resume"));
    let planned = lekar.get(&path).await.json();
    assert_eq!((&planned["pauziranoOd"], &planned["razlogPauze"]), (&json!(null), &json!(null)));
    for call in [&pause, &resume] {
        admin.post(call, json!({})).await.assert_status(404);
    }
    lekar.post(&pause, json!({})).await.assert_status(204);
    lekar.post(&pause, json!({})).await.assert_status(204);
    let paused = lekar.get(&path).await.json();
    assert_eq!((&paused["sledeceIzvrsavanje"], &paused["opis"]), (&json!(null), &planned["opis"]));
    assert!(paused["pauziranoOd"].is_string());
    assert_eq!(lekar.get("/api/report-schedules").await.json()["data"], json!([paused]));

    let today = app.state.clock.now().to_zoned(domain::time::zone()).date();
    let events = lekar.get(&format!("/api/report-calendar?od={today}&do={}", today + 14.days())).await.json()["dogadjaji"].clone();
    let events = events.as_array().unwrap();
    assert!(!events.is_empty() && events.iter().all(|event| event["status"] == "paused"), "{events:?}");

    app.advance(SignedDuration::from_hours(14 * 24));
    let later = app.another_session(&lekar).await;
    later.post(&resume, json!({})).await.assert_status(204);
    later.post(&resume, json!({})).await.assert_status(204);
    let resumed = later.get(&path).await.json();
    assert!(resumed["pauziranoOd"].is_null());
    let next = resumed["sledeceIzvrsavanje"].as_str().unwrap();
    assert!(next > planned["sledeceIzvrsavanje"].as_str().unwrap() && next.ends_with("07:30"), "{next}");
    let log: Vec<String> = log_of(&app, "report_schedule").await.into_iter().map(|row| row.0).collect();
    assert_eq!(log, ["kreiranje", "pauziranje", "nastavljanje"]);
}

#[tokio::test]
async fn an_edited_schedule_stays_paused_and_its_failures_are_forgotten() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let path = schedule(&report, &lekar, json!({})).await;
    lekar.post(&format!("{path}/pause"), json!({})).await.assert_status(204);
    app.lay_out(&[
        "update report_schedule set razlog_pauze = 'Pauzirano posle 5 neuspelih izvršavanja zaredom.', neuspesi_od = '2026-01-01'",
    ])
    .await;
    let id: i64 = path.rsplit('/').next().unwrap().parse().unwrap();
    assert_eq!(schedule(&report, &lekar, json!({ "zakazivanjeIzvestajaIzmenaID": id, "vreme": "09:15" })).await, path);
    let edited = lekar.get(&path).await.json();
    assert_eq!((&edited["vremeIzvrsavanjaVisetruko"], &edited["sledeceIzvrsavanje"]), (&json!("09:15"), &json!(null)));
    assert_eq!(edited["razlogPauze"], "Pauzirano posle 5 neuspelih izvršavanja zaredom.");
    lekar.post(&format!("{path}/resume"), json!({})).await.assert_status(204);
    let resumed = lekar.get(&path).await.json();
    assert!(resumed["razlogPauze"].is_null() && resumed["sledeceIzvrsavanje"].as_str().unwrap().ends_with("09:15"), "{resumed}");
    let forgotten: bool =
        sqlx::query_scalar("select neuspesi_od > now() - interval '1 hour' from report_schedule").fetch_one(&app.db.owner).await.unwrap();
    assert!(forgotten);
}

#[tokio::test]
async fn a_schedule_whose_time_passed_in_the_pause_is_resumed_only_after_an_edit() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let soon = app.state.clock.now().to_zoned(domain::time::zone()) + 2.hours();
    let once = json!({ "ponavljanje": 0, "datumVreme": soon.strftime("%Y-%m-%d %H:%M").to_string() });
    let path = schedule(&report, &lekar, once).await;
    lekar.post(&format!("{path}/pause"), json!({})).await.assert_status(204);
    app.advance(SignedDuration::from_hours(3));
    let lekar = app.another_session(&lekar).await;
    let message = "Po svom rasporedu zakazivanje nema više nijedno izvršavanje. Izmenite raspored, pa ga nastavite.";
    lekar.post(&format!("{path}/resume"), json!({})).await.assert_error(409, None, message);
    assert!(lekar.get(&path).await.json()["pauziranoOd"].is_string());
}

#[tokio::test]
async fn who_has_left_the_institution_may_pause_but_not_resume() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let path = schedule(&report, &lekar, json!({})).await;
    app.join(&lekar, app.druga_ustanova).await;
    app.lay_out(&[
        "update worker set ustanova_id = (select id from institution where naziv = 'Klinika B') where username = 'lekar'",
        "delete from worker_institution where ustanova_id = (select id from institution where naziv = 'Klinika A')",
    ])
    .await;
    lekar.post(&format!("{path}/pause"), json!({})).await.assert_status(204);
    let message = "Zakazivanje je ustanove „Klinika A”, a vi više niste njen radnik. Možete samo da ga obrišete.";
    for call in ["resume", "run"] {
        lekar.post(&format!("{path}/{call}"), json!({})).await.assert_error(403, None, message);
    }
}
