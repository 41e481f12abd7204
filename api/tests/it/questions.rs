//! Questions about entries: threads to which messages are only added, whose turn it is, and a monitor who reads and asks and changes nothing.

use accounts::rights::Right;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::{
    routes,
    support::{Answer, TestApp, TestRegister, Worker},
};

/// An entry of the first institution with its doctor, a colleague who holds the right, and two monitors.
struct Case {
    app: TestApp,
    register: TestRegister,
    patient: i64,
    entry: i64,
    doctor: Worker,
    colleague: Worker,
    monitor: Worker,
    other_monitor: Worker,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let entry = app.entry(&register, patient, app.ustanova, "2025-02-01", json!({ "broj": 5 })).await;
        let doctor = app.worker("doktorka", &[], app.ustanova).await;
        let colleague = app.worker("kolega", &[Right::Questions], app.ustanova).await;
        let monitor = monitor(&app, "nadzor", app.ustanova).await;
        let other_monitor = monitor_too(&app).await;
        app.lay_out(&["update entry set radnik_odgovoran_id = (select id from worker where username = 'doktorka')"]).await;
        Self { app, register, patient, entry, doctor, colleague, monitor, other_monitor }
    }

    fn path(&self) -> String {
        format!("/api/entries/{}/questions", self.entry)
    }

    async fn ask(&self, worker: &Worker, text: &str) -> i64 {
        let body = json!({ "tekst": text, "poljeID": self.register.fields["broj"] });
        worker.post(&self.path(), body).await.assert_status(201).json()["id"].as_i64().expect("a question")
    }

    async fn say(&self, worker: &Worker, question: i64, text: &str) -> Answer {
        worker.post(&format!("/api/questions/{question}/messages"), json!({ "tekst": text })).await
    }

    async fn close(&self, worker: &Worker, question: i64) -> Answer {
        let last = self.thread(question).await["poruke"].as_array().expect("messages").last().expect("one")["id"].clone();
        worker.post(&format!("/api/questions/{question}/close"), json!({ "porukaID": last })).await
    }

    async fn reopen(&self, worker: &Worker, question: i64) -> Answer {
        worker.post(&format!("/api/questions/{question}/reopen"), json!({ "tekst": "Ipak nije" })).await
    }

    async fn thread(&self, question: i64) -> Value {
        let told = self.colleague.get(&self.path()).await.assert_status(200).json();
        told["upiti"].as_array().expect("questions").iter().find(|one| one["id"] == question).expect("the question").clone()
    }

    async fn state(&self, question: i64) -> Value {
        self.thread(question).await["stanje"].clone()
    }

    async fn waiting(&self, worker: &Worker) -> Value {
        worker.get("/api/question-counts").await.assert_status(200).json()["cekaju"].clone()
    }

    async fn listed(&self, worker: &Worker, query: &str) -> Vec<Value> {
        let page = worker.get(&format!("/api/questions?{query}")).await.assert_status(200).json();
        page["data"].as_array().expect("questions").iter().map(|one| one["id"].clone()).collect()
    }
}

/// A worker with the right of monitors alone, whose role opens patients to read.
async fn monitor(app: &TestApp, name: &str, ustanova: i64) -> Worker {
    let worker = app.worker(name, &[Right::Monitoring], ustanova).await;
    app.lay_out(&["update role set pacijenti = 'uvid' where ime like 'Uloga radnika nadzor%'"]).await;
    worker
}

async fn monitor_too(app: &TestApp) -> Worker {
    monitor(app, "nadzor drugi", app.ustanova).await
}

#[tokio::test]
async fn a_question_goes_from_who_asked_to_the_doctor_and_back_until_it_is_closed() {
    let case = Case::new().await;
    let question = case.ask(&case.monitor, "Da li je ovo tačno?").await;
    let thread = case.thread(question).await;
    assert_eq!(
        (&thread["stanje"], &thread["poreklo"], &thread["dodeljenID"]),
        (&json!("otvoren"), &json!("nadzor"), &json!(case.doctor.id))
    );
    assert_eq!((case.waiting(&case.doctor).await, case.waiting(&case.monitor).await), (json!(1), json!(0)));
    case.say(&case.doctor, question, "Jeste.").await.assert_status(204);
    assert_eq!(case.state(question).await, "odgovoren");
    assert_eq!((case.waiting(&case.doctor).await, case.waiting(&case.monitor).await), (json!(0), json!(1)));
    // Who asked asks on.
    case.say(&case.monitor, question, "A jedinica?").await.assert_status(204);
    assert_eq!(case.state(question).await, "otvoren");
    case.close(&case.doctor, question).await.assert_refusal(
        403,
        None,
        "Upit zatvara, ponovo otvara i dodeljuje ko ga je postavio, ili ko ima pravo „Upiti”.",
    );
    case.close(&case.monitor, question).await.assert_status(204);
    assert_eq!(case.state(question).await, "zatvoren");
    assert_eq!(case.say(&case.doctor, question, "Još nešto").await.status, 422);
    case.reopen(&case.colleague, question).await.assert_status(204);
    assert_eq!(case.state(question).await, "ponovoOtvoren");
    assert_eq!(case.reopen(&case.colleague, question).await.status, 422);
    let states: Vec<Value> =
        case.thread(question).await["poruke"].as_array().unwrap().iter().map(|message| message["stanje"].clone()).collect();
    assert_eq!(states, ["otvoren", "odgovoren", "otvoren", "zatvoren", "ponovoOtvoren"]);
}

#[tokio::test]
async fn what_is_no_question_is_refused_with_its_field() {
    let case = Case::new().await;
    let other_form: i64 = sqlx::query_scalar("select max(id) + 1000 from form_field").fetch_one(&case.app.db.owner).await.unwrap();
    let stranger = case.app.worker("stranac", &[], case.app.druga_ustanova).await;
    for (body, field, message) in [
        (json!({ "tekst": " " }), "tekst", "Tekst ima od 1 do 2.000 znakova."),
        (json!({ "tekst": "a".repeat(2001) }), "tekst", "Tekst ima od 1 do 2.000 znakova."),
        (json!({ "tekst": "Šta?", "poljeID": other_form }), "poljeID", "Formular unosa nema to polje."),
        (json!({ "tekst": "Šta?", "dodeljenID": stranger.id }), "dodeljenID", "Izaberite radnika ustanove čija uloga otvara pacijente."),
    ] {
        case.monitor.post(&case.path(), body).await.assert_refusal(422, Some(field), message);
    }
    let past = case.monitor.post(&case.path(), json!({ "tekst": "Šta?", "rok": "2020-01-01" })).await;
    assert_eq!(past.refusal(422)["field"], "rok");
    // Asking wants a right of its own.
    case.doctor.post(&case.path(), json!({ "tekst": "Šta?" })).await.assert_status(403);
}

#[tokio::test]
async fn two_monitors_and_a_doctor_in_one_thread_at_once_lose_nothing() {
    let case = Case::new().await;
    let question = case.ask(&case.monitor, "Da li je ovo tačno?").await;
    let calls = (0..8).flat_map(|turn| [(&case.monitor, turn), (&case.other_monitor, turn), (&case.doctor, turn)]);
    let sent: Vec<(i64, String)> = calls.clone().map(|(worker, turn)| (worker.id, format!("Poruka {turn}"))).collect();
    let answers = join_all(calls.zip(&sent).map(|((worker, _), (_, text))| case.say(worker, question, text))).await;
    for answer in &answers {
        answer.assert_status(204);
    }
    let kept: Vec<(i64, String)> =
        sqlx::query_as("select radnik_id, tekst from question_message where upit_id = $1 and vrsta = 'odgovor' order by 1, 2")
            .bind(question)
            .fetch_all(&case.app.db.owner)
            .await
            .unwrap();
    let mut sent = sent;
    sent.sort();
    assert_eq!(kept, sent);
    let last: (String, String) = sqlx::query_as(
        "select q.stanje, m.stanje from question q join question_message m on m.id = q.poslednja_poruka_id
          where q.id = $1 and m.id = (select max(id) from question_message where upit_id = q.id)",
    )
    .bind(question)
    .fetch_one(&case.app.db.owner)
    .await
    .unwrap();
    assert_eq!(last.0, last.1);
    // Who has not read the last message does not close over it.
    let first: i64 = sqlx::query_scalar("select min(id) from question_message").fetch_one(&case.app.db.owner).await.unwrap();
    let closing = case.monitor.post(&format!("/api/questions/{question}/close"), json!({ "porukaID": first })).await;
    closing.assert_refusal(409, None, "U upitu ima novih poruka. Pročitajte ih, pa ponovite.");
}

#[tokio::test]
async fn a_monitor_reads_and_asks_and_changes_nothing() {
    let case = Case::new().await;
    let question = case.ask(&case.monitor, "Da li je ovo tačno?").await;
    case.say(&case.monitor, question, "Molim vas.").await.assert_status(204);
    case.monitor.get(&format!("/api/entry-display?haID={}", case.entry)).await.assert_status(200);
    let before = counted(&case.app).await;
    // Every operation that writes, about what is there; those that are anybody's own change no patient and no configuration.
    let asking = [
        "/api/entries/{id}/questions",
        "/api/questions/{id}/messages",
        "/api/questions/{id}/close",
        "/api/questions/{id}/reopen",
        "/api/questions/{id}/assign",
    ];
    for (method, path) in routes::operations() {
        if method == "GET" || asking.contains(&path.as_str()) || path == "/api/logout" || path.starts_with("/api/sessions") {
            continue;
        }
        let id = if path.contains("/entries/") || path.contains("/visits/") { case.entry } else { case.patient };
        let target = path.split('/').map(|part| if part.starts_with('{') { id.to_string() } else { part.to_owned() });
        let target = target.collect::<Vec<_>>().join("/");
        let body = json!({
            "id": case.entry, "unosID": case.entry, "tsaID": case.register.form, "registarID": case.register.id, "pacijentID": case.patient, "verzija": 1,
            "vrednosti": { case.register.field("broj"): 99 }, "radnikOdgovoran": case.doctor.id, "datumUnosa": "2025-02-02", "razlog": "Nije dobro",
            "ime": "Druga", "prezime": "Osoba",
        });
        let answer = case.monitor.call(&method, &target, Some(body)).await;
        assert_ne!(answer.status, 500, "{method} {path}: {}", answer.text());
    }
    assert_eq!(counted(&case.app).await, before);
}

/// What of patients and of the configuration there is, as sums.
async fn counted(app: &TestApp) -> Vec<(String, Option<String>)> {
    let mut sums = Vec::new();
    for table in [
        "patient",
        "entry",
        "patient_status",
        "patient_consent",
        "patient_plan",
        "patient_taking",
        "patient_merge",
        "register",
        "form",
        "form_field",
        "worker_role",
        "role_right",
        "role",
        "institution",
        "report",
        "parameter",
    ] {
        let sql = format!("select md5(string_agg(t::text, '|' order by t::text)) from {table} t");
        sums.push((table.to_owned(), sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&app.db.owner).await.unwrap()));
    }
    sums
}

#[tokio::test]
async fn questions_are_the_institutions_that_holds_the_entry() {
    let case = Case::new().await;
    let question = case.ask(&case.colleague, "Da li je ovo tačno?").await;
    let stranger = case.app.worker("stranac", &[Right::Questions], case.app.druga_ustanova).await;
    stranger.get(&case.path()).await.assert_status(404);
    let body = json!({ "tekst": "x", "porukaID": 1, "dodeljenID": stranger.id });
    for deed in ["messages", "close", "reopen", "assign"] {
        let known = stranger.post(&format!("/api/questions/{question}/{deed}"), body.clone()).await;
        let none = stranger.post(&format!("/api/questions/999999999/{deed}"), body.clone()).await;
        assert_eq!((known.status, known.text()), (404, none.text()), "{deed}");
    }
    assert_eq!(case.listed(&stranger, "spisak=ustanova").await, Vec::<Value>::new());
    // One entry of its own, and it knows her; the questions stay the other's.
    case.app.entry(&case.register, case.patient, case.app.druga_ustanova, "2025-03-01", json!({})).await;
    assert_eq!(stranger.get(&case.path()).await.assert_status(200).json(), json!({ "upiti": [], "pravoPitanja": false }));
    stranger.post(&case.path(), json!({ "tekst": "Šta?" })).await.assert_refusal(403, None, "O unosu druge ustanove pita ko u njoj radi.");
}

#[tokio::test]
async fn lists_hold_what_their_counts_say_and_narrow_down() {
    let case = Case::new().await;
    let (one, other) = (case.ask(&case.monitor, "Prvo").await, case.ask(&case.colleague, "Drugo").await);
    case.colleague
        .post(&format!("/api/questions/{other}/assign"), json!({ "dodeljenID": case.monitor.id, "rok": "2999-01-01" }))
        .await
        .assert_status(204);
    assert_eq!(case.listed(&case.monitor, "spisak=cekaju").await, [json!(other)]);
    assert_eq!(case.listed(&case.doctor, "spisak=cekaju").await, [json!(one)]);
    assert_eq!(case.listed(&case.monitor, "spisak=postavljeni").await, [json!(one)]);
    assert_eq!(case.listed(&case.doctor, "spisak=ustanova").await, [json!(other), json!(one)]);
    let counts = case.monitor.get("/api/question-counts").await.json();
    assert_eq!(counts, json!({ "cekaju": 1, "postavljeni": 1, "ustanova": 2, "kasni": 0 }));
    case.close(&case.colleague, one).await.assert_status(204);
    assert_eq!(case.listed(&case.doctor, "spisak=ustanova").await, [json!(other)]);
    assert_eq!(case.listed(&case.doctor, "spisak=ustanova&stanje=zatvoren").await, [json!(one)]);
    let field = case.register.fields["tekst"];
    assert_eq!(case.listed(&case.doctor, &format!("spisak=ustanova&poljeID={field}")).await, Vec::<Value>::new());
    case.app.lay_out(&["update question set rok = '2025-01-01'"]).await;
    assert_eq!(case.listed(&case.doctor, "spisak=ustanova&kasni=true").await, [json!(other)]);
    assert_eq!(case.doctor.get("/api/question-counts").await.json()["kasni"], 1);
    let log = case.app.log("question").await;
    let deeds = |akcija: &str| log.iter().filter(|row| row.akcija == akcija).count();
    assert!(deeds("kreiranje") == 2 && deeds("izmena") > 0 && deeds("pregled spiska upita") > 0, "{log:?}");
}

#[tokio::test]
async fn a_message_stays_as_it_was_sent() {
    let case = Case::new().await;
    case.ask(&case.monitor, "Da li je ovo tačno?").await;
    for statement in [
        "update question_message set tekst = 'x'",
        "delete from question_message",
        "update question set stanje = 'zatvoren'",
        "delete from question",
    ] {
        let mut tx = domain::db::begin(&case.app.state.db, case.monitor.id).await.unwrap();
        assert!(sqlx::query(statement).execute(&mut *tx).await.is_err(), "{statement}");
    }
}

#[tokio::test]
async fn questions_go_where_their_entry_goes_and_stand_through_its_changes() {
    let case = Case::new().await;
    let question = case.ask(&case.monitor, "Da li je ovo tačno?").await;
    let saved = json!({
        "unosID": case.entry, "tsaID": case.register.form, "registarID": case.register.id, "pacijentID": case.patient, "verzija": version(&case).await,
        "vrednosti": { case.register.field("broj"): 7 }, "radnikOdgovoran": case.doctor.id, "datumUnosa": "2025-02-01",
    });
    case.doctor.post("/api/entry-values", saved).await.assert_status(200);
    assert_eq!(case.state(question).await, "otvoren");
    // A deleted entry's questions wait for nobody, until it is brought back.
    case.app.lay_out(&["update entry set aktivan = false"]).await;
    assert_eq!(case.waiting(&case.doctor).await, 0);
    assert_eq!(case.say(&case.doctor, question, "Jeste").await.status, 404);
    case.app.lay_out(&["update entry set aktivan = true"]).await;
    assert_eq!(case.waiting(&case.doctor).await, 1);
}

async fn version(case: &Case) -> i32 {
    sqlx::query_scalar("select verzija from entry where id = $1").bind(case.entry).fetch_one(&case.app.db.owner).await.unwrap()
}
