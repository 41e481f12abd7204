//! Ordering again what was ordered: an ended run, or a run of a schedule apart from its plan.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{DATE, Field, NUMBER, Report, SET, TEXT, log_of, merge, succeed};
use crate::support::{Answer, TestApp, Worker};

const ADVICE: &str = "Izveštaj možete da naručite iznova na tabu „Parametri”.";

async fn report(app: &TestApp) -> Report {
    let fields = [
        Field::new(DATE, "od", "Od datuma").optional(),
        Field::new(NUMBER, "granica", "Granica").optional(),
        Field::new(TEXT, "ime", "Ime").optional(),
        Field::new(SET, "korpa", "Korpa").optional().multi().query("values ('1', 'Jabuka'), ('2', 'Kruška')"),
    ];
    Report::with(&app.db, "sve", &fields).await
}

/// A run of all its parameters, mailed to Ana, that has ended.
async fn ended(app: &TestApp, report: &Report, worker: &Worker) -> Uuid {
    let values = json!({ "od": "pocetak-meseca", "granica": "2,108", "ime": "2.108", "korpa": ["1", "2"] });
    let mut request = report.request(worker, values);
    merge(&mut request, json!({ "emails": ["ana@kcs.rs"], "formati": ["CSV"] }));
    let run = id_of(&worker.post("/api/report-queue", request).await);
    succeed(app, run, b"a\n").await;
    run
}

fn id_of(answer: &Answer) -> Uuid {
    answer.assert_status(202).json()["izvestajID"].as_str().expect("a run").parse().expect("a uuid")
}

async fn again(worker: &Worker, run: Uuid, posalji: bool) -> Answer {
    worker.post(&format!("/api/report-runs/{run}/again"), json!({ "posalji": posalji })).await
}

/// What a run was ordered with, and how it is queued.
async fn order_of(app: &TestApp, run: Uuid) -> Value {
    sqlx::query_scalar(
        "select json_build_object('izvestaj', izvestaj_id, 'ustanova', ustanova_id, 'parametri', parametri, 'formati', formati, 'emails', emails,
                    'queue', queue, 'status', status, 'zakazivanje', zakazivanje_id) from report_run where id = $1",
    )
    .bind(run)
    .fetch_one(&app.db.owner)
    .await
    .expect("the run")
}

#[tokio::test]
async fn an_ended_run_is_made_again_with_the_same_values_and_mailed_only_where_asked() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    let run = ended(&app, &report, &lekar).await;
    let mut first = order_of(&app, run).await;
    first["status"] = json!("queued");
    let mailed = id_of(&again(&lekar, run, true).await);
    assert_ne!(mailed, run);
    assert_eq!(order_of(&app, mailed).await, first);
    assert_eq!(first["parametri"]["granica"], "2.108", "a kept number is no text with two readings");
    let quiet = id_of(&again(&lekar, run, false).await);
    first["emails"] = json!([]);
    assert_eq!(order_of(&app, quiet).await, first);
    let log: Vec<String> = log_of(&app, "report_run").await.into_iter().map(|row| row.0).collect();
    assert_eq!(log, ["kreiranje", "kreiranje", "kreiranje"]);
}

#[tokio::test]
async fn the_same_key_makes_a_run_again_once() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    let run = ended(&app, &report, &lekar).await;
    let path = format!("/api/report-runs/{run}/again");
    let body = json!({ "posalji": false, "kljuc": Uuid::now_v7() });
    let answers = futures::future::join_all((0..4).map(|_| lekar.post(&path, body.clone()))).await;
    let ids: Vec<Uuid> = answers.iter().map(id_of).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    // A retry is answered even when the order would be refused by now.
    lekar.delete(&format!("/api/report-runs/{run}")).await.assert_status(204);
    assert_eq!(id_of(&lekar.post(&path, body).await), ids[0]);
}

#[tokio::test]
async fn a_run_that_is_open_deleted_or_anothers_is_not_made_again() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let run = report.run(&lekar).await;
    again(&lekar, run, false).await.assert_error(409, None, "Izveštaj se još izvršava. Sačekajte da se završi.");
    succeed(&app, run, b"a\n").await;
    again(&admin, run, false).await.assert_status(404);
    lekar.delete(&format!("/api/report-runs/{run}")).await.assert_status(204);
    again(&lekar, run, false).await.assert_status(404);
}

#[tokio::test]
async fn what_has_changed_since_is_refused_by_its_name_with_a_way_on() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    let run = ended(&app, &report, &lekar).await;
    let narrowed = "update report_parameter_type t set upit = 'select ''2'', ''Kruška''' from report_parameter p
                     where p.tip_id = t.id and p.request_naziv = 'korpa'";
    app.lay_out(&[narrowed]).await;
    let message = format!("Parametar „Korpa” sadrži vrednost koja nije ponuđena. {ADVICE}");
    again(&lekar, run, false).await.assert_error(422, Some("korpa"), &message);
    app.lay_out(&["update report_parameter set aktivan = false where request_naziv = 'korpa'"]).await;
    again(&lekar, run, false).await.assert_error(422, Some("korpa"), &format!("Nepoznat parametar „korpa”. {ADVICE}"));
    app.lay_out(&["update report set prikazuje_se = false"]).await;
    again(&lekar, run, false).await.assert_error(404, None, "Ovaj izveštaj više nije u ponudi.");
}

#[tokio::test]
async fn a_run_stays_with_its_institution_and_is_refused_to_who_has_left_it() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let lekar = app.lekar().await;
    let run = ended(&app, &report, &lekar).await;
    app.join(&lekar, app.druga_ustanova).await;
    app.lay_out(&["update worker set ustanova_id = (select id from institution where naziv = 'Klinika B') where username = 'lekar'"]).await;
    let repeated = id_of(&again(&lekar, run, false).await);
    assert_eq!(order_of(&app, repeated).await["ustanova"], json!(app.ustanova));
    app.lay_out(&["delete from worker_institution where ustanova_id = (select id from institution where naziv = 'Klinika A')"]).await;
    again(&lekar, run, false).await.assert_error(403, None, "Izveštaj je ustanove „Klinika A”, a vi više niste njen radnik.");
}

#[tokio::test]
async fn a_schedule_runs_now_for_its_recipients_and_keeps_its_plan() {
    let app = TestApp::new().await;
    let report = report(&app).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let mut request = report.weekly(&lekar);
    let values = json!({ "od": "danas", "granica": "2,108", "korpa": ["2"] });
    merge(
        &mut request,
        json!({ "parametri": values, "emails": ["ana@kcs.rs"], "formati": ["PDF"], "vremenskaZona": "Pacific/Kiritimati" }),
    );
    let id = lekar.post("/api/report-queue", request).await.json()["zakazivanjeID"].as_i64().unwrap();
    let (card, run) = (format!("/api/report-schedules/{id}"), format!("/api/report-schedules/{id}/run"));
    let planned = lekar.get(&card).await.json();
    admin.post(&run, json!({})).await.assert_status(404);
    // There it may be tomorrow already.
    let today = app.state.clock.now().in_tz("Pacific/Kiritimati").unwrap().date();
    let body = json!({ "kljuc": Uuid::now_v7() });
    let made = id_of(&lekar.post(&run, body.clone()).await);
    assert_eq!(
        order_of(&app, made).await,
        json!({
            "izvestaj": report.id, "ustanova": app.ustanova, "formati": ["PDF"], "emails": ["ana@kcs.rs"],
            "parametri": { "od": today.to_string(), "granica": "2.108", "ime": null, "korpa": ["2"] },
            "queue": "interactive", "status": "queued", "zakazivanje": null,
        })
    );
    assert_eq!(id_of(&lekar.post(&run, body).await), made, "one key, one run");
    assert_eq!(lekar.get(&card).await.json(), planned);
    lekar.delete(&card).await.assert_status(204);
    lekar.post(&run, json!({})).await.assert_status(404);
}
