//! What is hidden and what is not there: one answer, by the same statements, with the same row of the log; and how often a worker may
//! ask whether a number is somebody's.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::{Answer, Person, TestApp, TestRegister, Worker, record, statements};

/// What nobody has.
const NOTHING: i64 = 987_654_321;

/// A patient of the first institution, one of the other, a deleted one of the other; and a doctor of the first, with a right.
struct Stage {
    app: TestApp,
    register: TestRegister,
    own: Person,
    foreign: Person,
    deleted: Person,
    doctor: Worker,
}

impl Stage {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let own = app.person(&register, app.ustanova, 1).await;
        let foreign = app.person(&register, app.druga_ustanova, 2).await;
        let deleted = app.person(&register, app.druga_ustanova, 3).await;
        delete(&app, deleted.id).await;
        let doctor = app.worker("lekarka", &[Right::Reports], app.ustanova).await;
        Self { app, register, own, foreign, deleted, doctor }
    }
}

async fn delete(app: &TestApp, patient: i64) {
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
    sqlx::query("update patient set aktivan = false where id = $1").bind(patient).execute(&mut *tx).await.expect("deleted");
    tx.commit().await.expect("committed");
}

/// What the log keeps of the worker since that row, but for the patient, whom it keeps for who may know her.
async fn logged(app: &TestApp, worker: &Worker, since: i64) -> Vec<(String, String, Option<String>, Value)> {
    sqlx::query_as("select klasa, akcija, opis, polja from audit_log where radnik_id = $1 and id > $2 order by id")
        .bind(worker.id)
        .bind(since)
        .fetch_all(&app.db.owner)
        .await
        .expect("the log")
}

async fn newest(app: &TestApp) -> i64 {
    sqlx::query_scalar("select coalesce(max(id), 0) from audit_log").fetch_one(&app.db.owner).await.expect("the log")
}

/// All that can be told of a call: its answer, its statements and its rows of the log.
type Told = (u16, String, Vec<String>, Vec<(String, String, Option<String>, Value)>);

async fn told(app: &TestApp, worker: &Worker, method: &str, path: &str, body: &Value) -> Told {
    let since = newest(app).await;
    let call = worker.call(method, path, (method != "GET").then(|| body.clone()));
    let (answer, sent): (Answer, _) = statements::of(call).await;
    (answer.status, answer.text(), sent, logged(app, worker, since).await)
}

/// Calls about a patient.
fn of_patient(id: i64, register: &TestRegister) -> Vec<(&'static str, String, Value)> {
    let of = |rest: &str| format!("/api/patients/{id}{rest}");
    let r = register.id;
    vec![
        ("GET", of(""), json!({})),
        ("PATCH", of(""), json!({ "zanimanje": "pekar" })),
        ("PATCH", of(""), json!({ "aktivan": false })),
        ("PATCH", of(""), json!({ "aktivan": true })),
        ("GET", of("/archive"), json!({})),
        ("GET", of("/views"), json!({})),
        ("GET", of(&format!("/entries?registarID={r}")), json!({})),
        ("GET", of(&format!("/latest-entries?registarID={r}")), json!({})),
        ("GET", of(&format!("/chart?sifre=broj&registarID={r}")), json!({})),
        ("GET", of(&format!("/trend?registarID={r}")), json!({})),
        ("GET", of(&format!("/summary?registarID={r}")), json!({})),
        ("GET", of(&format!("/visits?registarID={r}")), json!({})),
        ("GET", of("/deleted-entries"), json!({})),
        ("GET", format!("/api/entry-count?pacijentID={id}&thaID={}", register.form), json!({})),
        ("GET", format!("/api/entry-display?tsaID={}&pacijentID={id}", register.form), json!({})),
        ("PUT", "/api/entry-drafts/unos-1".to_owned(), json!({ "pacijentID": id, "sadrzaj": {} })),
    ]
}

/// Calls about an entry.
fn of_entry(id: i64, register: &TestRegister) -> Vec<(&'static str, String, Value)> {
    vec![
        ("GET", format!("/api/entry-display?haID={id}"), json!({})),
        ("GET", format!("/api/entries/{id}/view"), json!({})),
        ("GET", format!("/api/entries/{id}/items"), json!({})),
        ("GET", format!("/api/entries/{id}/newer-form"), json!({})),
        ("GET", format!("/api/entries/{id}/archive?nizAutsID={}", register.field("broj")), json!({})),
        ("POST", "/api/entry-prints".to_owned(), json!({ "unosID": id })),
        ("POST", "/api/delete-entry".to_owned(), json!({ "id": id })),
        ("POST", "/api/restore-entry".to_owned(), json!({ "id": id })),
    ]
}

/// Compares the calls of both, and says what differs.
async fn differing(
    app: &TestApp,
    worker: &Worker,
    hidden: Vec<(&'static str, String, Value)>,
    missing: Vec<(&'static str, String, Value)>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for ((method, path, body), (_, nowhere, nothing)) in hidden.iter().zip(&missing) {
        // What the first call of a kind prepares is prepared for both.
        worker.call(method, nowhere, (*method != "GET").then(|| nothing.clone())).await;
        let (exists, not) = (told(app, worker, method, path, body).await, told(app, worker, method, nowhere, nothing).await);
        let refused = exists.3.iter().any(|(klasa, akcija, ..)| (klasa.as_str(), akcija.as_str()) == ("access", "odbijanje"));
        if exists != not || exists.0 != 404 || !refused || exists.2.is_empty() {
            wrong.push(format!("{method} {path} {body}:\n{exists:#?}\n{not:#?}"));
        }
    }
    wrong
}

#[tokio::test]
async fn what_is_hidden_and_what_is_not_there_send_the_same_statements_and_leave_the_same_row() {
    let stage = Stage::new().await;
    let (app, register) = (&stage.app, &stage.register);
    let nurse = app.worker("sestra", &[], app.ustanova).await;
    let mut wrong = Vec::new();
    for worker in [&stage.doctor, &nurse] {
        for person in [&stage.foreign, &stage.deleted] {
            let may_restore = worker.id == stage.doctor.id;
            let calls = |id| of_patient(id, register).into_iter().filter(|(_, _, body)| may_restore || body["aktivan"] != true).collect();
            wrong.extend(differing(app, worker, calls(person.id), calls(NOTHING)).await);
            wrong.extend(differing(app, worker, of_entry(person.entry, register), of_entry(NOTHING, register)).await);
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn who_may_not_bring_back_is_refused_alike_whatever_the_id() {
    let stage = Stage::new().await;
    let app = &stage.app;
    let own = app.person(&stage.register, app.ustanova, 4).await;
    delete(app, own.id).await;
    let (reader, nurse) = (app.worker("citalac", &[Right::Reports], app.ustanova).await, app.worker("sestra", &[], app.ustanova).await);
    app.lay_out(&["update role set pacijenti = 'uvid' where ime = 'Uloga radnika citalac'"]).await;
    for worker in [&reader, &nurse] {
        let mut answers = Vec::new();
        for id in [NOTHING, stage.foreign.id, stage.deleted.id, stage.own.id, own.id] {
            let answer = worker.patch(&format!("/api/patients/{id}"), json!({ "aktivan": true })).await;
            answers.push((answer.status, answer.text()));
        }
        assert_eq!(answers[0].0, 403);
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    }
}

/// A patient whom the institution took over: the keeper's entries are as if they were not there.
#[tokio::test]
async fn entries_of_the_keeper_are_to_the_taker_as_if_they_were_not_there() {
    let stage = Stage::new().await;
    let (app, register, person) = (&stage.app, &stage.register, &stage.foreign);
    let mut taking = person.record.clone();
    taking["razlog"] = json!("Upućen na dalje lečenje");
    stage.doctor.post("/api/patient-takings", taking).await.assert_status(200);
    let save = |entry: i64| {
        let body = json!({
            "unosID": entry, "tsaID": register.form, "registarID": register.id, "pacijentID": person.id, "verzija": 1, "vrednosti": {},
            "radnikOdgovoran": stage.doctor.id, "datumUnosa": "2026-03-05",
        });
        ("POST", "/api/entry-values".to_owned(), body)
    };
    let calls = |entry| of_entry(entry, register).into_iter().chain([save(entry)]).collect();
    let wrong = differing(app, &stage.doctor, calls(person.entry), calls(NOTHING)).await;
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn a_number_of_somebody_hidden_is_searched_for_as_one_of_nobody() {
    let stage = Stage::new().await;
    let nobody = record(9);
    for name in ["jmbg", "lbo"] {
        let search = |number: &Value| json!({ "registarID": stage.register.id, name: number });
        stage.doctor.post("/api/search", search(&nobody[name])).await.assert_status(200);
        let mut answers = Vec::new();
        for number in [&stage.foreign.record[name], &nobody[name]] {
            let (status, text, sent, log) = told(&stage.app, &stage.doctor, "POST", "/api/search", &search(number)).await;
            let mut answer: Value = serde_json::from_str(&text).expect("JSON");
            answer["zapis"] = Value::Null;
            answers.push((status, answer, sent, log));
        }
        assert_eq!(answers[0], answers[1], "{name}");
        assert!(!answers[0].2.is_empty());
    }
}

#[tokio::test]
async fn an_account_of_nobody_is_tried_by_the_statements_of_one_that_there_is() {
    let stage = Stage::new().await;
    stage.app.set_password(&stage.doctor, "zeleni vagon peva").await;
    let anonymous = stage.app.anonymous();
    let try_with = async |name: &str| {
        let call = anonymous.post("/api/login", json!({ "username": name, "password": "pogrešna lozinka" }));
        let (answer, sent) = statements::of(call).await;
        (answer.status, answer.text(), sent)
    };
    try_with("niko").await;
    let (known, unknown) = (try_with("lekarka").await, try_with("nikakva").await);
    assert_eq!(known, unknown);
    assert!(!known.2.is_empty());
}

#[tokio::test]
async fn a_return_that_tells_of_a_taken_jmbg_is_in_the_log() {
    let stage = Stage::new().await;
    let app = &stage.app;
    let own = app.person(&stage.register, app.ustanova, 5).await;
    delete(app, own.id).await;
    // Another institution registers the same person meanwhile.
    let elsewhere = app.worker("drugde", &[], app.druga_ustanova).await;
    let mut again = own.record.clone();
    again["lbo"] = json!("90000000777");
    let holder = elsewhere.post("/api/patients", again).await.assert_status(201).json()["id"].clone();
    stage.doctor.patch(&format!("/api/patients/{}", own.id), json!({ "aktivan": true })).await.assert_status(409);
    let rows: i64 =
        sqlx::query_scalar("select count(*) from audit_log where radnik_id = $1 and akcija = 'provera JMBG' and pacijent_id = $2")
            .bind(stage.doctor.id)
            .bind(holder.as_i64())
            .fetch_one(&app.db.owner)
            .await
            .unwrap();
    assert_eq!(rows, 1);
}

#[tokio::test]
async fn a_draft_stays_behind_with_the_entry_that_it_is_of() {
    let stage = Stage::new().await;
    let (app, person) = (&stage.app, &stage.foreign);
    // She types in the keeper's entry, then moves to the institution that takes the patient over.
    let moving = app.worker("seli", &[], app.druga_ustanova).await;
    let kept = format!("/api/entry-drafts/unos-{}", person.entry);
    let draft = json!({ "pacijentID": person.id, "sadrzaj": { "tekst": "ne sme da pređe" } });
    moving.put(&kept, draft.clone()).await.assert_status(204);
    moving.put(&format!("{kept}.prozor"), draft).await.assert_status(204);
    let listed = format!("/api/entry-drafts?kljuc=unos-{}", person.entry);
    assert_eq!(moving.get(&listed).await.json()["total"], 2);
    let mut taking = person.record.clone();
    taking["razlog"] = json!("Upućen na dalje lečenje");
    stage.doctor.post("/api/patient-takings", taking).await.assert_status(200);
    app.lay_out(&[
        "update worker set ustanova_id = (select id from institution where naziv = 'Klinika A') where username = 'seli'",
        "insert into worker_institution select id, ustanova_id from worker where username = 'seli'",
        "delete from worker_institution where ustanova_id = (select id from institution where naziv = 'Klinika B')",
    ])
    .await;
    let left = moving.get(&listed).await.assert_status(200).json();
    assert_eq!(left["total"], 0, "{left}");
    let fresh = json!({ "pacijentID": person.id, "sadrzaj": { "tekst": "novo" } });
    moving.put(&kept, fresh.clone()).await.assert_status(404);
    // What is typed for an entry of the own institution stays hers.
    moving.put("/api/entry-drafts/novi-1", fresh).await.assert_status(204);
    assert_eq!(moving.get("/api/entry-drafts?kljuc=novi-1").await.json()["total"], 1);
}

#[tokio::test]
async fn so_many_numbers_an_hour_are_asked_for_whether_they_are_somebodys_or_nobodys() {
    let stage = Stage::new().await;
    let (app, doctor) = (&stage.app, &stage.doctor);
    app.lay_out(&["update parameter set vrednost = '4' where naziv = 'najviseProveraBrojevaNaSat'"]).await;
    let ask = async |person: &Value| doctor.post("/api/patients/duplicates", person.clone()).await;
    for number in [10, 11] {
        ask(&record(number)).await.assert_status(200);
    }
    let told = ask(&stage.foreign.record).await.assert_status(200).json();
    assert_eq!(told["uDrugimUstanovama"], 1, "she is told of three");
    for _ in 0..3 {
        ask(&stage.foreign.record).await.assert_status(200);
    }
    // A registration asks for the JMBG and for the LBO: the first of the two is known already.
    let conflict = doctor.post("/api/patients", stage.foreign.record.clone()).await;
    conflict.assert_status(409);
    let own = app.person(&stage.register, app.ustanova, 6).await;
    let path = format!("/api/patients/{}", own.id);
    let mut refused = Vec::new();
    for person in [&stage.deleted.record, &record(12)] {
        refused.push(ask(person).await);
        refused.push(doctor.post("/api/patients", person.clone()).await);
        refused.push(doctor.patch(&path, json!({ "jmbg": person["jmbg"], "potvrde": ["jmbgNeslaganje"] })).await);
        refused.push(doctor.patch(&path, json!({ "lbo": person["lbo"] })).await);
    }
    for answer in &refused {
        answer.assert_status(429);
        assert_eq!(answer.text(), refused[0].text());
    }
    assert!(refused[0].text().contains("JMBG"), "{}", refused[0].text());
    // Nobody is asked about by who changes something else, or asks for what she has asked for.
    doctor.patch(&path, own.record.clone()).await.assert_status(200);
    ask(&stage.foreign.record).await.assert_status(200);
    app.worker("druga", &[], app.ustanova).await.post("/api/patients", record(12)).await.assert_status(201);
    sqlx::query("update number_check set vreme = vreme - interval '61 minutes'").execute(&app.db.owner).await.unwrap();
    doctor.post("/api/patients", record(13)).await.assert_status(201);
}

#[tokio::test]
async fn a_number_tried_on_a_patient_of_others_counts_whether_it_is_hers_or_not() {
    let stage = Stage::new().await;
    let counted = async |person: &Person, lbo: &Value| {
        stage.doctor.patch(&format!("/api/patients/{}", person.id), json!({ "lbo": lbo })).await.assert_status(404);
        let n: i64 = sqlx::query_scalar("select count(*) from number_check").fetch_one(&stage.app.db.owner).await.unwrap();
        n
    };
    assert_eq!(counted(&stage.foreign, &stage.foreign.record["lbo"]).await, 1);
    assert_eq!(counted(&stage.foreign, &record(12)["lbo"]).await, 2);
}

#[tokio::test]
async fn a_day_of_many_checks_is_unusual() {
    let stage = Stage::new().await;
    sqlx::query(
        "insert into audit_log (radnik_id, ustanova_id, klasa, akcija, pacijent_id, vreme_pristupa)
         select $1, $2, 'patient', case n % 2 when 0 then 'provera JMBG' else 'provera LBO' end, n, timestamptz '2026-03-05 12:00+01'
           from generate_series(1, 20) n",
    )
    .bind(stage.doctor.id)
    .bind(stage.app.ustanova)
    .execute(&stage.app.db.owner)
    .await
    .unwrap();
    let officer = stage.app.worker("poverenik", &[Right::Looks], stage.app.ustanova).await;
    let found = officer.get("/api/looks/unusual?datumOd=2026-03-01&datumDo=2026-03-31").await.assert_status(200).json();
    assert_eq!((&found["data"][0]["mera"], &found["data"][0]["broj"]), (&json!("provereno"), &json!(20)), "{found}");
}
