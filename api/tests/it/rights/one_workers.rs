//! What is one worker's own, for a colleague and for a worker of another institution who hold every right.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::{reports::Report, support::TestApp};

/// What belongs to one worker, or to her institution: to everybody else it is as if it were not there, whatever rights she holds.
#[tokio::test]
async fn what_is_one_workers_is_not_there_for_others_whatever_they_hold() {
    let app = TestApp::new().await;
    let register = app.register().await;
    app.lay_out(&[
        "insert into process (id, kind, version, seen_at) values ('engine', 'report-engine', '2.2.0', now() + interval '1 hour')",
    ])
    .await;
    let person = app.person(&register, app.ustanova, 1).await;
    let owner = app.worker("vlasnica", &[Right::Reports, Right::DataExport], app.ustanova).await;
    let others = [app.worker("kolega", &Right::ALL, app.ustanova).await, app.worker("drugde", &Right::ALL, app.druga_ustanova).await];
    app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjiIzvozBezIdentiteta'"]).await;
    let report = Report::plain(&app.db).await;
    let run = report.run(&owner).await.to_string();
    let schedule = owner.post("/api/report-queue", report.weekly(&owner)).await.assert_status(202).json()["zakazivanjeID"].to_string();
    let order = json!({
        "registarID": register.id, "tsaID": register.form, "red": "unos", "ustanove": [app.ustanova], "profil": "bez_identiteta", "razlog": "Godišnja studija",
    });
    let text = |answer: &Value, name: &str| answer[name].as_str().expect("an id").to_owned();
    let export = text(&owner.post("/api/data-exports", order).await.assert_status(202).json(), "izvozID");
    let print = text(&owner.post("/api/entry-prints", json!({ "unosID": person.entry })).await.assert_status(202).json(), "stampaID");
    let session = owner.get("/api/sessions").await.json()["data"][0]["id"].to_string();
    const NOBODYS: &str = "00000000-0000-7000-8000-000000000000";
    let calls = [
        ("GET", "/api/report-runs/{}", &run, NOBODYS),
        ("GET", "/api/report-runs/{}/download?format=CSV", &run, NOBODYS),
        ("GET", "/api/report-runs/{}/screen", &run, NOBODYS),
        ("GET", "/api/report-runs/{}/screen/lines?blok=0&od=0&broj=10", &run, NOBODYS),
        ("GET", "/api/report-runs/{}/screen/chart?blok=1", &run, NOBODYS),
        ("POST", "/api/report-runs/{}/again", &run, NOBODYS),
        ("POST", "/api/report-runs/{}/send", &run, NOBODYS),
        ("POST", "/api/report-runs/{}/cancel", &run, NOBODYS),
        ("DELETE", "/api/report-runs/{}", &run, NOBODYS),
        ("GET", "/api/report-schedules/{}", &schedule, "987654321"),
        ("POST", "/api/report-schedules/{}/pause", &schedule, "987654321"),
        ("POST", "/api/report-schedules/{}/resume", &schedule, "987654321"),
        ("POST", "/api/report-schedules/{}/run", &schedule, "987654321"),
        ("DELETE", "/api/report-schedules/{}", &schedule, "987654321"),
        ("POST", "/api/data-exports/{}/cancel", &export, NOBODYS),
        ("GET", "/api/data-exports/{}/file", &export, NOBODYS),
        ("DELETE", "/api/data-exports/{}", &export, NOBODYS),
        ("GET", "/api/entry-prints/{}", &print, NOBODYS),
        ("GET", "/api/entry-prints/{}/file", &print, NOBODYS),
        ("POST", "/api/entry-prints/{}/cancel", &print, NOBODYS),
        ("DELETE", "/api/sessions/{}", &session, "987654321"),
    ];
    let mut wrong = Vec::new();
    for (method, path, own, nobodys) in calls {
        let body = || (method != "GET").then(|| json!({ "posalji": false, "adresa": "ana@kcs.rs", "redniBroj": 1 }));
        for other in &others {
            let (theirs, none) = (
                other.call(method, &path.replace("{}", own), body()).await,
                other.call(method, &path.replace("{}", nobodys), body()).await,
            );
            if theirs.status != 404 || (theirs.status, theirs.text()) != (none.status, none.text()) {
                wrong.push(format!("{method} {path}: {} {} and {} {}", theirs.status, theirs.text(), none.status, none.text()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    // All of them are still hers.
    for (method, path, own, _) in calls
        .iter()
        .filter(|(method, path, ..)| *method == "GET" && !["file", "download", "screen/"].iter().any(|part| path.contains(part)))
    {
        owner.call(method, &path.replace("{}", own), None).await.assert_status(200);
    }
    for list in ["/api/report-runs", "/api/report-schedules", "/api/data-exports"] {
        assert_eq!(owner.get(list).await.json()["total"], 1, "{list}");
        for other in &others {
            assert_eq!(other.get(list).await.json()["total"], 0, "{list}");
        }
    }
}
