//! What a worker sees to in the own account: a password that somebody else gave, the second step of a sign-in, open sessions.

use accounts::rights::Right;
use axum::{
    body::Body,
    http::{Request, header},
};
use jiff::SignedDuration;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret, Totp};
use tower::ServiceExt;

use crate::support::{Anonymous, Answer, TestApp, Worker};

const GIVEN: &str = "tanjir-kiša-olovka";
const OWN: &str = "zeleni vagon peva";
const CHANGE: &str = "/api/worker-password-change";
const FIRST_CHANGE: &str = "Lozinku vam je dodelio neko drugi. Promenite je, pa nastavite.";
const FIRST_SET_UP: &str = "Vaša uloga traži prijavu u dva koraka. Podesite drugi korak, pa nastavite.";
const ASKED: &str = "Unesite kod iz aplikacije na telefonu.";
const WRONG_CODE: &str = "Kod nije ispravan, ili je već iskorišćen.";

async fn login(app: &TestApp, username: &str, password: &str, code: Option<&str>) -> Answer {
    app.anonymous().post("/api/login", json!({ "username": username, "password": password, "kod": code })).await
}

fn signed_in(app: &TestApp, answer: &Answer) -> Anonymous {
    app.anonymous().with_token(answer.json()["ulogovaniRadnik"]["token"].as_str().expect("a token"))
}

fn totp(secret: &Value) -> Totp {
    let secret = Secret::try_from_base32(secret.as_str().expect("a secret")).expect("base 32");
    Builder::new().with_secret(secret).build().expect("six digits of thirty seconds")
}

/// What the telephone shows now.
fn code(app: &TestApp, secret: &Value) -> String {
    totp(secret).generate(app.state.clock.now().as_second().unsigned_abs()).to_string()
}

/// The next code, half a minute later.
fn next_code(app: &TestApp, secret: &Value) -> String {
    app.advance(SignedDuration::from_secs(30));
    code(app, secret)
}

/// Turns the second step on: the secret, and the codes on paper.
async fn turn_on(app: &TestApp, caller: &Anonymous, password: &str) -> (Value, Vec<String>) {
    let offer = caller.post("/api/second-factor", json!({ "lozinka": password })).await;
    offer.assert_status(200);
    let secret = offer.json()["tajna"].clone();
    let confirmed = caller.post("/api/second-factor/confirm", json!({ "kod": code(app, &secret) })).await;
    confirmed.assert_status(200);
    let codes =
        confirmed.json()["kodovi"].as_array().expect("codes").iter().map(|code| code.as_str().expect("a code").to_owned()).collect();
    (secret, codes)
}

/// `lekar` with a password of her own.
async fn lekar(app: &TestApp) -> Worker {
    let lekar = app.worker("lekar", &[Right::Reports], app.ustanova).await;
    app.set_password(&lekar, OWN).await;
    lekar
}

async fn roles_ask(app: &TestApp, asks: bool) {
    let statement = if asks { "update role set drugi_faktor = true" } else { "update role set drugi_faktor = false" };
    app.lay_out(&["select set_config('app.worker', '1', true)", statement]).await;
}

#[tokio::test]
async fn a_password_that_somebody_else_gave_opens_nothing_but_its_change() {
    let app = TestApp::new().await;
    let (admin, lekar) = (app.admin().await, app.lekar().await);
    let given = json!({ "radnikID": lekar.id, "novaLozinka": GIVEN, "potvrdaLozinke": GIVEN, "isAdmin": true });
    admin.post(CHANGE, given).await.assert_status(204);

    let first = login(&app, "lekar", GIVEN, None).await;
    assert_eq!(first.json()["ulogovaniRadnik"]["obaveza"], "lozinka");
    let session = signed_in(&app, &first);
    for path in ["/api/registers", "/api/reports/tree", "/api/workers/1", "/api/parameter/registri"] {
        session.get(path).await.assert_error(403, None, FIRST_CHANGE);
    }
    assert_eq!(session.get("/api/session").await.json()["obaveza"], "lozinka");

    let own =
        |nova: &str| json!({ "radnikID": lekar.id, "staraLozinka": GIVEN, "novaLozinka": nova, "potvrdaLozinke": nova, "isAdmin": false });
    session.post(CHANGE, own(GIVEN)).await.assert_error(422, Some("novaLozinka"), "Nova lozinka mora biti drugačija od stare.");
    session.post(CHANGE, own(OWN)).await.assert_status(204);
    assert_eq!(session.get("/api/session").await.json()["obaveza"], Value::Null);
    session.get("/api/registers").await.assert_status(200);
}

#[tokio::test]
async fn who_must_change_the_password_gives_nobody_another_one() {
    let app = TestApp::new().await;
    let (admin, lekar) = (app.admin().await, app.lekar().await);
    app.lay_out(&[
        "select set_config('app.worker', '1', true)",
        "update worker set mora_promeniti_lozinku = true where username = 'admin'",
    ])
    .await;
    let given = json!({ "radnikID": lekar.id, "novaLozinka": GIVEN, "potvrdaLozinke": GIVEN, "isAdmin": true });
    admin.post(CHANGE, given).await.assert_status(403);
}

#[tokio::test]
async fn a_new_worker_changes_the_first_password() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let worker = json!({ "username": "nova", "ime": "Nova", "prezime": "Sestra", "password": GIVEN, "ustanovaID": app.ustanova });
    admin.post("/api/workers", worker).await.assert_status(201);
    assert_eq!(login(&app, "nova", GIVEN, None).await.json()["ulogovaniRadnik"]["obaveza"], "lozinka");
}

#[tokio::test]
async fn a_password_is_long_and_neither_common_nor_the_workers_name() {
    let app = TestApp::new().await;
    let lekar = lekar(&app).await;
    let guessed =
        "Ova lozinka se lako pogađa. Ne koristite česte lozinke, nizove sa tastature ni svoje ime; nekoliko reči bez veze je dobro.";
    for (password, message) in [
        ("Kž4!vQw8z", "Lozinka mora imati najmanje 10 znakova."),
        ("1234567890", guessed),
        ("password123", guessed),
        ("lekar-lekar", guessed),
    ] {
        let body = json!({ "radnikID": lekar.id, "staraLozinka": OWN, "novaLozinka": password, "potvrdaLozinke": password });
        lekar.post(CHANGE, body).await.assert_error(422, Some("novaLozinka"), message);
    }
    login(&app, "lekar", OWN, None).await.assert_status(200);
}

#[tokio::test]
async fn with_the_second_step_on_the_password_alone_signs_nobody_in() {
    let app = TestApp::new().await;
    let lekar = lekar(&app).await;
    let elsewhere = app.another_session(&lekar).await;
    let (secret, _) = turn_on(&app, &lekar, OWN).await;
    elsewhere.get("/api/session").await.assert_status(401);
    lekar.get("/api/session").await.assert_status(200);

    login(&app, "lekar", OWN, None).await.assert_error(401, Some("kod"), ASKED);
    login(&app, "lekar", OWN, Some("  ")).await.assert_error(401, Some("kod"), ASKED);
    login(&app, "lekar", OWN, Some("000000")).await.assert_error(401, Some("kod"), WRONG_CODE);
    login(&app, "lekar", "pogrešna", Some(&next_code(&app, &secret))).await.assert_error(
        401,
        None,
        "Neispravno korisničko ime i/ili lozinka.",
    );
    let session = login(&app, "lekar", OWN, Some(&code(&app, &secret))).await;
    signed_in(&app, &session).get("/api/session").await.assert_status(200);
}

#[tokio::test]
async fn no_code_opens_twice() {
    let app = TestApp::new().await;
    let lekar = lekar(&app).await;
    let (secret, _) = turn_on(&app, &lekar, OWN).await;
    let confirming = code(&app, &secret);
    login(&app, "lekar", OWN, Some(&confirming)).await.assert_error(401, Some("kod"), WRONG_CODE);
    let next = next_code(&app, &secret);
    let both = [login(&app, "lekar", OWN, Some(&next)), login(&app, "lekar", OWN, Some(&next))];
    let opened = futures::future::join_all(both).await.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(opened, 1, "two sign-ins at once with the same code");
    app.advance(SignedDuration::from_secs(120));
    login(&app, "lekar", OWN, Some(&next)).await.assert_error(401, Some("kod"), WRONG_CODE);
}

#[tokio::test]
async fn guessing_codes_is_slowed_and_asking_for_one_does_not_forget_the_guesses() {
    let app = TestApp::new().await;
    let lekar = lekar(&app).await;
    turn_on(&app, &lekar, OWN).await;
    for _ in 0..4 {
        login(&app, "lekar", OWN, Some("111111")).await.assert_status(401);
        login(&app, "lekar", OWN, None).await.assert_error(401, Some("kod"), ASKED);
    }
    login(&app, "lekar", OWN, Some("111111")).await.assert_status(401);
    login(&app, "lekar", OWN, Some("111111")).await.assert_status(429);
}

#[tokio::test]
async fn a_code_on_paper_opens_once_and_new_ones_make_the_old_void() {
    let app = TestApp::new().await;
    let lekar = lekar(&app).await;
    let (_, codes) = turn_on(&app, &lekar, OWN).await;
    assert_eq!(codes.len(), 10);
    login(&app, "lekar", OWN, Some(&codes[0].to_uppercase().replace('-', " "))).await.assert_status(200);
    login(&app, "lekar", OWN, Some(&codes[0])).await.assert_error(401, Some("kod"), WRONG_CODE);
    assert_eq!(lekar.get("/api/second-factor").await.json(), json!({ "ukljucen": true, "obavezan": false, "preostaloKodova": 9 }));

    lekar.post("/api/second-factor/recovery-codes", json!({ "lozinka": "pogrešna" })).await.assert_error(
        422,
        Some("lozinka"),
        "Lozinka nije ispravna.",
    );
    let renewed = lekar.post("/api/second-factor/recovery-codes", json!({ "lozinka": OWN })).await.json();
    login(&app, "lekar", OWN, Some(&codes[1])).await.assert_status(401);
    login(&app, "lekar", OWN, renewed["kodovi"][3].as_str()).await.assert_status(200);
    let stored: Vec<Vec<u8>> = sqlx::query_scalar("select code_hash from recovery_code").fetch_all(&app.db.owner).await.expect("hashes");
    assert!(stored.iter().all(|hash| hash.len() == 32));
}

#[tokio::test]
async fn a_role_that_asks_for_two_steps_opens_nothing_until_they_are_set_up_and_keeps_them() {
    let app = TestApp::new().await;
    let lekar = lekar(&app).await;
    roles_ask(&app, true).await;
    assert_eq!(lekar.get("/api/session").await.json()["obaveza"], "drugiFaktor");
    lekar.get("/api/registers").await.assert_error(403, None, FIRST_SET_UP);
    turn_on(&app, &lekar, OWN).await;
    lekar.get("/api/registers").await.assert_status(200);
    lekar.post("/api/second-factor/off", json!({ "lozinka": OWN })).await.assert_error(409, None, "Vaša uloga traži prijavu u dva koraka.");

    roles_ask(&app, false).await;
    lekar.post("/api/second-factor/off", json!({ "lozinka": OWN })).await.assert_status(204);
    login(&app, "lekar", OWN, None).await.assert_status(200);
}

#[tokio::test]
async fn an_unconfirmed_second_step_asks_for_nothing_and_a_confirmed_one_is_not_replaced() {
    let app = TestApp::new().await;
    let lekar = lekar(&app).await;
    lekar.post("/api/second-factor", json!({ "lozinka": "pogrešna" })).await.assert_error(422, Some("lozinka"), "Lozinka nije ispravna.");
    let abandoned = lekar.post("/api/second-factor", json!({ "lozinka": OWN })).await.json();
    login(&app, "lekar", OWN, None).await.assert_status(200);
    let (secret, _) = turn_on(&app, &lekar, OWN).await;
    assert_ne!(abandoned["tajna"], secret);
    lekar.post("/api/second-factor", json!({ "lozinka": OWN })).await.assert_error(409, None, "Prijava u dva koraka je već uključena.");
}

#[tokio::test]
async fn a_lost_telephone_is_forgiven_by_who_administers_workers_and_holds_no_less() {
    let app = TestApp::new().await;
    let (admin, lekar) = (app.admin().await, lekar(&app).await);
    let clerk = app.worker("kadrovi", &[Right::Workers], app.ustanova).await;
    turn_on(&app, &lekar, OWN).await;
    let reset = format!("/api/workers/{}/second-factor-reset", lekar.id);
    lekar.post(&reset, json!({})).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
    // The clerk does not hold the right to reports, the doctor does.
    clerk.post(&reset, json!({})).await.assert_status(403);
    login(&app, "lekar", OWN, None).await.assert_error(401, Some("kod"), ASKED);

    admin.post(&reset, json!({})).await.assert_status(204);
    lekar.get("/api/session").await.assert_status(401);
    login(&app, "lekar", OWN, None).await.assert_status(200);
    admin.post("/api/workers/0/second-factor-reset", json!({})).await.assert_status(404);
    let line = app.log("second_factor").await.pop().expect("a line of the log");
    assert_eq!((line.radnik_id, line.akcija.as_str()), (Some(admin.id), "prijava u dva koraka poništena"));
}

#[tokio::test]
async fn own_sessions_are_listed_with_their_device_and_ended_one_by_one_or_all() {
    let app = TestApp::new().await;
    let (lekar, sestra) = (lekar(&app).await, app.sestra().await);
    let request = Request::builder().method("POST").uri("/api/login").header(header::CONTENT_TYPE, "application/json");
    let request = request.header(header::USER_AGENT, format!("Pregledac/{}", "9".repeat(300)));
    let body = json!({ "username": "lekar", "password": OWN }).to_string();
    let answer = app.router().oneshot(request.body(Body::from(body)).expect("a request")).await.expect("an answer");
    let elsewhere = signed_in(&app, &Answer::read(answer).await);

    let listed = lekar.get("/api/sessions").await.json();
    assert_eq!(listed.as_array().map(Vec::len), Some(2));
    assert_eq!((&listed[0]["ova"], &listed[1]["ova"]), (&json!(true), &json!(false)));
    assert_eq!(listed[1]["pregledac"].as_str().map(str::len), Some(200), "of a long name the beginning is kept");

    let other = sestra.get("/api/sessions").await.json()[0]["id"].clone();
    lekar.delete(&format!("/api/sessions/{other}")).await.assert_status(404);
    sestra.get("/api/session").await.assert_status(200);

    lekar.delete(&format!("/api/sessions/{}", listed[1]["id"])).await.assert_status(204);
    elsewhere.get("/api/session").await.assert_status(401);
    lekar.get("/api/session").await.assert_status(200);

    lekar.delete("/api/sessions").await.assert_status(204);
    lekar.get("/api/session").await.assert_status(401);
    sestra.get("/api/session").await.assert_status(200);
    let line = app.log("session").await.pop().expect("a line of the log");
    assert_eq!((line.radnik_id, line.akcija.as_str()), (Some(lekar.id), "odjava svuda"));
}

#[tokio::test]
async fn the_minutes_after_which_the_screen_locks_are_a_number_that_the_session_outlives() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let parameter = |vrednost: &str| json!({ "naziv": "zakljucavanjeMinuta", "vrednost": vrednost });
    for wrong in ["pet", "-1", "481", "1,5"] {
        let answer = admin.post("/api/parameters", parameter(wrong)).await;
        answer.assert_error(422, Some("vrednost"), "Unesite ceo broj od 1 do 480, ili 0 da se ekran nikada ne zaključava.");
    }
    admin.post("/api/parameters", parameter("0")).await.assert_status(201);
    assert_eq!(app.anonymous().get("/api/application").await.json()["zakljucavanjeMinuta"], 0);
}

#[tokio::test]
async fn what_the_browser_asks_by_itself_keeps_no_session_alive() {
    let app = TestApp::new().await;
    let (lekar, sestra) = (app.lekar().await, app.sestra().await);
    for _ in 0..3 {
        app.advance(SignedDuration::from_mins(8));
        sestra.get("/api/session").await.assert_status(200);
        let asked = Request::builder().uri("/api/warning").header(header::AUTHORIZATION, format!("Regix {}", lekar.token));
        let asked = asked.header("x-untouched", "1").body(Body::empty()).expect("a request");
        app.router().oneshot(asked).await.expect("an answer");
    }
    lekar.get("/api/session").await.assert_status(401);
    sestra.get("/api/session").await.assert_status(200);
}
