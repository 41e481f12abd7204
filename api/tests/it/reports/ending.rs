//! A report that is deleted or hidden ends its schedules, and nobody's ends by accident: the administrator is told how many, their
//! owners that they ended.

use accounts::rights::Right;
use serde_json::{Value, json};

use super::{Report, log_of};
use crate::support::{Answer, TestApp, Worker};

async fn schedule(report: &Report, worker: &Worker) -> i64 {
    let answer = worker.post("/api/report-queue", report.weekly(worker)).await;
    answer.assert_status(202);
    answer.json()["zakazivanjeID"].as_i64().unwrap()
}

/// Of one report two schedules of a doctor, one of them paused, and one of another; of another report one.
struct ScheduleScene {
    app: TestApp,
    admin: Worker,
    lekar: Worker,
    druga: Worker,
    report: Report,
    path: String,
    other: i64,
}

async fn planned() -> ScheduleScene {
    let app = TestApp::new().await;
    let (report, another) = (Report::plain(&app.db).await, Report::plain(&app.db).await);
    app.lay_out(&["update report set naziv = 'Drugi izveštaj' where id = (select max(id) from report)"]).await;
    let admin = app.worker("admin", &Right::ALL, app.ustanova).await;
    let lekar = app.worker("lekar", &[Right::Reports], app.ustanova).await;
    let druga = app.worker("druga", &[Right::Reports], app.ustanova).await;
    app.lay_out(&["update worker set email = 'lekar@kcs.rs' where username = 'lekar'"]).await;
    schedule(&report, &lekar).await;
    let paused = schedule(&report, &lekar).await;
    lekar.post(&format!("/api/report-schedules/{paused}/pause"), json!({})).await.assert_status(204);
    schedule(&report, &druga).await;
    let other = schedule(&another, &lekar).await;
    ScheduleScene { path: format!("/api/reports/{}", report.id), app, admin, lekar, druga, report, other }
}

async fn broj(worker: &Worker) -> Value {
    worker.get("/api/report-runs/attention").await.json()["broj"].clone()
}

impl ScheduleScene {
    /// Every schedule: its report is this one, it is active, and has a time.
    async fn schedules(&self) -> Vec<(bool, bool, bool)> {
        sqlx::query_as("select izvestaj_id = $1, aktivan, sledece_izvrsavanje is not null from report_schedule order by id")
            .bind(self.report.id)
            .fetch_all(&self.app.db.owner)
            .await
            .unwrap()
    }

    async fn mails(&self) -> Vec<String> {
        let mails = "select d.address from report_delivery d join report_run r on r.id = d.run_id
                      where r.status = 'skipped_ended' and d.message_id like '%.vlasnik@regix>' order by d.id";
        sqlx::query_scalar(mails).fetch_all(&self.app.db.owner).await.unwrap()
    }

    async fn assert_untouched(&self) {
        assert_eq!(self.schedules().await, [(true, true, true), (true, true, false), (true, true, true), (false, true, true)]);
        assert_eq!((broj(&self.lekar).await, self.mails().await), (json!(0), vec![]));
    }

    async fn assert_ended(&self) {
        assert_eq!(self.schedules().await, [(true, false, false), (true, false, false), (true, false, false), (false, true, true)]);
        assert_eq!((broj(&self.lekar).await, broj(&self.druga).await, broj(&self.admin).await), (json!(2), json!(1), json!(0)));
        assert_eq!(self.mails().await, ["lekar@kcs.rs", "lekar@kcs.rs"], "who has no address is told by the mark alone");
        let left = self.lekar.get("/api/report-schedules").await.json();
        assert_eq!((&left["total"], &left["data"][0]["zakazivanjeID"]), (&json!(1), &json!(self.other)));
        let runs = self.lekar.get("/api/report-runs").await.json();
        for run in runs["data"].as_array().unwrap() {
            let reason = "Izveštaj „Izveštaj o đacima” više nije dostupan; zakazano generisanje je završeno.";
            assert_eq!((&run["status"], &run["greska"]["tekst"]), (&json!("skipped_ended"), &json!(reason)));
        }
        let ended = log_of(&self.app, "report_schedule").await.into_iter().filter(|(akcija, ..)| akcija == "završavanje").count();
        assert_eq!(ended, 3);
        self.lekar.post("/api/report-runs/seen", json!({})).await.assert_status(204);
        assert_eq!(broj(&self.lekar).await, json!(0));
    }
}

const QUESTION: &str = "Time se završava: 3 zakazana generisanja (2 radnika). Vlasnici dobijaju obaveštenje. Ponovno prikazivanje ili \
                        vraćanje izveštaja ne vraća zakazivanja. Potvrdite.";

/// Of a refusal.
fn body(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.bytes).expect("a body")
}

/// How many end, and of how many workers.
fn assert_asked(answer: &Answer) {
    answer.assert_status(409);
    let expected = json!({ "field": null, "message": QUESTION, "zavrsava": { "zakazivanja": 3, "radnika": 2 } });
    assert_eq!(body(answer), expected);
}

#[tokio::test]
async fn a_deleted_report_ends_its_schedules_once_their_number_was_said_back_and_tells_their_owners() {
    let planned = planned().await;
    let (admin, path) = (&planned.admin, planned.path.as_str());
    assert_asked(&admin.delete(path).await);
    for told in [json!({ "aktivan": false }), json!({ "aktivan": false, "potvrdjenoZakazivanja": 2 })] {
        assert_asked(&admin.patch(path, told).await);
    }
    planned.assert_untouched().await;
    admin.patch(path, json!({ "aktivan": false, "potvrdjenoZakazivanja": 3 })).await.assert_status(200);
    planned.assert_ended().await;

    admin.patch(path, json!({ "aktivan": true })).await.assert_status(200);
    assert!(planned.schedules().await.iter().all(|(of_report, active, _)| of_report != active), "nothing brings them back");
    admin.delete(path).await.assert_status(204);
}

#[tokio::test]
async fn a_hidden_report_ends_its_schedules_once_their_number_was_said_back_and_tells_their_owners() {
    let planned = planned().await;
    let (admin, path) = (&planned.admin, planned.path.as_str());
    admin.patch(path, json!({ "opis": "Prikazan ostaje sa svojim zakazivanjima" })).await.assert_status(200);
    assert_asked(&admin.patch(path, json!({ "prikazujeSe": false })).await);
    planned.assert_untouched().await;
    assert_eq!(admin.get(path).await.json()["prikazujeSe"], true);
    let hidden = admin.patch(path, json!({ "prikazujeSe": false, "potvrdjenoZakazivanja": 3 })).await;
    hidden.assert_status(200);
    assert_eq!(hidden.json()["prikazujeSe"], false);
    planned.assert_ended().await;

    admin.patch(path, json!({ "prikazujeSe": true })).await.assert_status(200);
    assert!(planned.schedules().await.iter().all(|(of_report, active, _)| of_report != active), "nothing brings them back");
    schedule(&planned.report, &planned.lekar).await;
}

#[tokio::test]
async fn a_report_that_runs_is_not_deleted_whatever_is_said_back() {
    let planned = planned().await;
    planned.report.run(&planned.lekar).await;
    let told = json!({ "aktivan": false, "potvrdjenoZakazivanja": 3 });
    let refused = planned.admin.patch(&planned.path, told).await;
    refused.assert_status(409);
    assert_eq!(body(&refused)["mesta"], json!(["u toku je 1 generisanje"]));
    planned.assert_untouched().await;
}

/// Schedules of a doctor in two institutions; both ways of leaving the first one.
#[tokio::test]
async fn who_leaves_an_institution_leaves_her_schedules_there_and_is_told() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let admin = app.worker("admin", &Right::ALL, app.ustanova).await;
    let (moved, taken) = (
        app.worker("preseljena", &[Right::Reports], app.ustanova).await,
        app.worker("iskljucena", &[Right::Reports], app.druga_ustanova).await,
    );
    app.lay_out(&["delete from worker_institution where radnik_id = (select id from worker where username = 'preseljena')"]).await;
    let (left, stays) = (schedule(&report, &moved).await, schedule(&report, &taken).await);
    app.join(&taken, app.ustanova).await;
    taken.patch(&format!("/api/workers/{}", taken.id), json!({ "ustanovaID": app.ustanova })).await.assert_status(200);
    let ends = schedule(&report, &taken).await;
    taken.patch(&format!("/api/workers/{}", taken.id), json!({ "ustanovaID": app.druga_ustanova })).await.assert_status(200);
    let active = async |id: i64| -> bool {
        sqlx::query_scalar("select aktivan from report_schedule where id = $1").bind(id).fetch_one(&app.db.owner).await.unwrap()
    };
    assert!(active(left).await && active(stays).await && active(ends).await, "nobody has left yet");

    admin.patch(&format!("/api/workers/{}", moved.id), json!({ "ustanovaID": app.druga_ustanova })).await.assert_status(200);
    let unlink = json!({ "radnikID": taken.id, "ustanoveID": [app.ustanova] });
    admin.post("/api/worker-institutions-delete", unlink).await.assert_status(204);
    assert_eq!((active(left).await, active(stays).await, active(ends).await), (false, true, false));
    let reason = "Niste više radnik ustanove „Klinika A”; zakazano generisanje izveštaja „Izveštaj o đacima” je završeno.";
    for worker in [&moved, &taken] {
        assert_eq!(broj(worker).await, json!(1));
        let runs = worker.get("/api/report-runs").await.json();
        assert_eq!((&runs["data"][0]["status"], &runs["data"][0]["greska"]["tekst"]), (&json!("skipped_ended"), &json!(reason)));
    }
    let ended = log_of(&app, "report_schedule").await.into_iter().filter(|(akcija, ..)| akcija == "završavanje").count();
    assert_eq!(ended, 2);
}
