//! The calendar: what ran, what will.

use jiff::ToSpan;
use serde_json::{Value, json};

use super::{Report, merge, succeed};
use crate::support::{TestApp, keys};

#[tokio::test]
async fn past_runs_and_coming_fires_of_the_worker_stand_side_by_side() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let run = report.run(&lekar).await;
    succeed(&app, run, b"a\n").await;
    let schedule = lekar.post("/api/report-queue", report.weekly(&lekar)).await.json()["zakazivanjeID"].clone();
    admin.post("/api/report-queue", report.weekly(&admin)).await.assert_status(202);

    let today = app.state.clock.now().to_zoned(domain::time::zone()).date();
    let view = format!("/api/report-calendar?od={}&do={}", today - 7.days(), today + 27.days());
    let calendar = lekar.get(&view).await.json();
    assert_eq!(calendar["skraceno"], false);
    let events = calendar["dogadjaji"].as_array().unwrap();
    let (past, coming): (Vec<&Value>, Vec<&Value>) = events.iter().partition(|event| event["vrsta"] == "izvrsen");
    assert_eq!((past.len(), past[0]["giID"].clone(), past[0]["status"].clone()), (1, json!(run), json!("succeeded")));
    assert!((3..=4).contains(&coming.len()), "four weeks hold as many Mondays, today's may be over: {coming:?}");
    assert!(coming.iter().all(|event| event["zakazivanjeID"] == schedule && event["pocetak"].as_str().unwrap().ends_with("07:30")));
    assert_eq!(keys(coming[0]), ["giID", "id", "izvestajID", "kraj", "naziv", "pocetak", "status", "vrsta", "zakazivanjeID"]);
    let ids: std::collections::HashSet<&str> = events.iter().map(|event| event["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), events.len());
}

#[tokio::test]
async fn a_view_is_bounded_and_says_when_it_is_cut() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let refused = |answer: crate::support::Answer, field: &str, message: &str| {
        answer.assert_error(422, Some(field), message);
    };
    let at = async |od: &str, to: &str| lekar.get(&format!("/api/report-calendar?od={od}&do={to}")).await;
    refused(at("2026-02-02", "2026-02-01").await, "do", "Datum „do” ne sme biti pre datuma „od”.");
    refused(at("juče", "2026-02-01").await, "od", "Datum nije ispravan.");
    refused(at("2026-01-01", "2026-12-31").await, "do", "Kalendar prikazuje najviše 100 dana.");

    let mut daily = report.weekly(&lekar);
    merge(&mut daily, json!({ "period": 0 }));
    for _ in 0..11 {
        lekar.post("/api/report-queue", daily.clone()).await.assert_status(202);
    }
    let today = app.state.clock.now().to_zoned(domain::time::zone()).date();
    let full = at(&(today + 1.day()).to_string(), &(today + 100.days()).to_string()).await.json();
    assert_eq!(full["skraceno"], true);
    assert_eq!(full["dogadjaji"].as_array().unwrap().len(), 11 * 90, "each schedule has its share");
}
