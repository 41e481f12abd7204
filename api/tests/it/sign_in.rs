//! Signing in and out, throttling, and how sessions end.

use accounts::rights::Right;
use futures::{
    FutureExt, StreamExt,
    future::{LocalBoxFuture, join_all},
    stream::FuturesUnordered,
};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::support::{Anonymous, Answer, TestApp, keys};

const WRONG: &str = "Neispravno korisničko ime i/ili lozinka.";
const ENDED: &str = "Prijava je istekla. Prijavite se ponovo.";

async fn login(caller: &Anonymous, username: &str, password: &str) -> Answer {
    caller.post("/api/login", json!({ "username": username, "password": password })).await
}

/// `lekar` with the password "tajna".
async fn app_with_lekar() -> (TestApp, i64) {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    app.set_password(&lekar, "tajna").await;
    (app, lekar.id)
}

#[tokio::test]
async fn a_missing_username_is_named_before_a_missing_password() {
    let app = TestApp::new().await;
    let anonymous = app.anonymous();
    login(&anonymous, " \t", "").await.assert_error(422, Some("username"), "Niste uneli korisničko ime.");
    login(&anonymous, "lekar", "").await.assert_error(422, Some("password"), "Niste uneli šifru.");
    anonymous.post("/api/login", json!({})).await.assert_error(422, Some("username"), "Niste uneli korisničko ime.");
}

#[tokio::test]
async fn signing_in_answers_with_the_worker_and_a_token_that_works() {
    let (app, id) = app_with_lekar().await;
    let answer = login(&app.anonymous(), " LEKAR ", "tajna").await.json();
    let worker = &answer["ulogovaniRadnik"];
    assert_eq!(
        keys(worker),
        ["id", "imePrezime", "obaveza", "pacijenti", "prava", "spoljna", "theme", "token", "username", "ustanovaID", "ustanovaNaziv"]
    );
    assert_eq!(worker["id"], id);
    assert_eq!(worker["username"], "lekar");
    assert_eq!(worker["imePrezime"], "Lekar Test");
    assert_eq!(worker["ustanovaID"], app.ustanova);
    assert_eq!(worker["ustanovaNaziv"], "Klinika A");
    assert_eq!(worker["theme"], "regix");
    assert_eq!(worker["prava"], json!([1]));
    assert_eq!(worker["pacijenti"], "izmena");

    let signed_in = app.anonymous().with_token(worker["token"].as_str().expect("a token"));
    let session = signed_in.get("/api/session").await.json();
    assert_eq!(
        keys(&session),
        ["id", "imePrezime", "obaveza", "pacijenti", "prava", "spoljna", "theme", "username", "ustanovaID", "ustanovaNaziv"]
    );
    assert_eq!(session["id"], id);
}

#[tokio::test]
async fn the_database_never_holds_a_token() {
    let (app, _) = app_with_lekar().await;
    let answer = login(&app.anonymous(), "lekar", "tajna").await.json();
    let token = answer["ulogovaniRadnik"]["token"].as_str().expect("a token").to_owned();
    let stored: Vec<Vec<u8>> = sqlx::query_scalar("select token_hash from session").fetch_all(&app.db.owner).await.expect("sessions");
    assert!(!stored.is_empty());
    assert!(stored.iter().all(|hash| hash.len() == 32 && hash != token.as_bytes()));
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_account_look_alike() {
    let (app, _) = app_with_lekar().await;
    login(&app.anonymous(), "lekar", "pogrešna").await.assert_error(401, None, WRONG);
    login(&app.anonymous(), "nepoznat", "tajna").await.assert_error(401, None, WRONG);
}

#[tokio::test]
async fn neither_a_deleted_worker_nor_the_system_may_sign_in() {
    let (app, id) = app_with_lekar().await;
    let admin = app.admin().await;
    admin.delete(&format!("/api/workers/{id}")).await.assert_status(204);
    login(&app.anonymous(), "lekar", "tajna").await.assert_error(401, None, WRONG);
    login(&app.anonymous(), "sistem", "").await.assert_status(422);
    login(&app.anonymous(), "sistem", "x").await.assert_error(401, None, WRONG);
}

#[tokio::test]
async fn signing_in_failing_to_and_signing_out_are_logged() {
    let (app, id) = app_with_lekar().await;
    login(&app.anonymous(), "lekar", "pogrešna").await.assert_status(401);
    login(&app.anonymous(), "nepoznat", "tajna").await.assert_status(401);
    let answer = login(&app.anonymous(), "lekar", "tajna").await.json();
    let signed_in = app.anonymous().with_token(answer["ulogovaniRadnik"]["token"].as_str().expect("a token"));
    signed_in.post("/api/logout", json!({})).await.assert_status(204);

    let log: Vec<(Option<i64>, String)> = app.log("session").await.into_iter().map(|line| (line.radnik_id, line.akcija)).collect();
    let expected = [(Some(id), "neuspešna prijava"), (None, "neuspešna prijava"), (Some(id), "prijava"), (Some(id), "odjava")];
    assert_eq!(log, expected.map(|(who, what)| (who, what.to_owned())));
}

#[tokio::test]
async fn signing_out_ends_this_session_only() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let elsewhere = app.another_session(&lekar).await;
    lekar.post("/api/logout", json!({})).await.assert_status(204);
    lekar.get("/api/session").await.assert_error(401, None, ENDED);
    elsewhere.get("/api/session").await.assert_status(200);
}

#[tokio::test]
async fn failures_slow_the_account_down_even_for_the_right_password() {
    let (app, _) = app_with_lekar().await;
    for _ in 0..5 {
        login(&app.anonymous(), "lekar", "pogrešna").await.assert_error(401, None, WRONG);
    }
    let slowed = login(&app.anonymous(), "Lekar", "tajna").await;
    slowed.assert_error(429, None, "Previše neuspešnih prijava. Pokušajte ponovo za 5 s.");
    assert_eq!(slowed.header("retry-after"), Some("5"));
    login(&app.anonymous(), "nepoznat", "x").await.assert_error(401, None, WRONG);

    app.advance(SignedDuration::from_secs(5));
    login(&app.anonymous(), "lekar", "pogrešna").await.assert_status(401);
    login(&app.anonymous(), "lekar", "tajna").await.assert_error(429, None, "Previše neuspešnih prijava. Pokušajte ponovo za 10 s.");
    app.advance(SignedDuration::from_secs(10));
    login(&app.anonymous(), "lekar", "tajna").await.assert_status(200);
    // The right password wipes the slate clean.
    login(&app.anonymous(), "lekar", "pogrešna").await.assert_status(401);
    login(&app.anonymous(), "lekar", "tajna").await.assert_status(200);
}

#[tokio::test]
async fn an_account_that_does_not_exist_is_slowed_alike() {
    let app = TestApp::new().await;
    for _ in 0..5 {
        login(&app.anonymous(), "nepoznat", "x").await.assert_error(401, None, WRONG);
    }
    login(&app.anonymous(), "nepoznat", "x").await.assert_error(429, None, "Previše neuspešnih prijava. Pokušajte ponovo za 5 s.");
}

#[tokio::test]
async fn failures_from_elsewhere_hold_nobody_up_who_has_not_failed() {
    let (app, _) = app_with_lekar().await;
    for number in 0..50 {
        let guesser = app.anonymous().at_address(&format!("203.0.113.{}", number % 10));
        login(&guesser, "lekar", "pogrešna").await.assert_error(401, None, WRONG);
    }
    // The account is under attack: whoever has failed where he tries pays for each failure, whoever has not, for none.
    login(&app.anonymous().at_address("203.0.113.1"), "lekar", "pogrešna").await.assert_status(429);
    login(&app.anonymous().at_address("198.51.100.9"), "lekar", "tajna").await.assert_status(200);
    login(&app.anonymous().at_address("198.51.100.8"), "lekar", "pogrešna").await.assert_status(401);
    login(&app.anonymous().at_address("198.51.100.8"), "lekar", "tajna").await.assert_status(429);
    app.advance(SignedDuration::from_secs(5));
    login(&app.anonymous().at_address("198.51.100.8"), "lekar", "tajna").await.assert_status(200);
}

#[tokio::test]
async fn failures_on_many_accounts_slow_their_address_down_but_not_those_who_work_there() {
    let (app, _) = app_with_lekar().await;
    let sestra = app.sestra().await;
    app.set_password(&sestra, "tajna").await;
    let (hospital, elsewhere) = ("203.0.113.7", "203.0.113.8");
    login(&app.anonymous().at_address(hospital), "lekar", "tajna").await.assert_status(200);
    for number in 0..30 {
        let guesser = app.anonymous().at_address(hospital);
        login(&guesser, &format!("pokusaj{number}"), "x").await.assert_status(401);
    }
    login(&app.anonymous().at_address(hospital), "lekar", "tajna").await.assert_status(200);
    login(&app.anonymous().at_address(hospital), "sestra", "tajna").await.assert_status(429);
    login(&app.anonymous().at_address(elsewhere), "sestra", "tajna").await.assert_status(200);
    // What the client claims in front of our own proxy's word changes nothing.
    login(&app.anonymous().at_address("203.0.113.9, 203.0.113.7"), "sestra", "tajna").await.assert_status(429);
}

#[tokio::test]
async fn right_passwords_given_side_by_side_are_all_right() {
    let (app, _) = app_with_lekar().await;
    let callers: Vec<Anonymous> = (0..8).map(|_| app.anonymous()).collect();
    let answers = join_all(callers.iter().map(|caller| login(caller, "lekar", "tajna"))).await;
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [200; 8], "tabs that ask for the password again at one time");
}

#[tokio::test]
async fn attempts_made_side_by_side_do_not_slip_past_the_count() {
    let (app, _) = app_with_lekar().await;
    let callers: Vec<Anonymous> = (0..12).map(|_| app.anonymous()).collect();
    let answers = join_all(callers.iter().map(|caller| login(caller, "lekar", "pogrešna"))).await;
    let tried = answers.iter().filter(|answer| answer.status == 401).count();
    let slowed = answers.iter().filter(|answer| answer.status == 429).count();
    assert_eq!((tried, slowed), (5, 7));
}

/// Two hundred accounts tried at one time from one address, counting how many passwords were looked at.
struct Burst<'a> {
    answers: FuturesUnordered<LocalBoxFuture<'a, Answer>>,
    tried: usize,
    slowed: usize,
}

impl<'a> Burst<'a> {
    fn from(callers: &'a [Anonymous]) -> Self {
        let answers = callers
            .iter()
            .enumerate()
            .map(|(number, caller)| async move { login(caller, &format!("pokusaj{number}"), "Leto2026").await }.boxed_local());
        Self { answers: answers.collect(), tried: 0, slowed: 0 }
    }

    /// Goes on until `other` is answered.
    async fn until(&mut self, other: impl Future<Output = Answer>) -> Answer {
        let mut other = std::pin::pin!(other);
        loop {
            tokio::select! {
                answer = &mut other => return answer,
                Some(answer) = self.answers.next() => self.count(&answer),
            }
        }
    }

    async fn finish(&mut self) {
        while let Some(answer) = self.answers.next().await {
            self.count(&answer);
        }
    }

    fn count(&mut self, answer: &Answer) {
        match answer.status {
            401 => self.tried += 1,
            429 => self.slowed += 1,
            other => panic!("{other}"),
        }
    }
}

#[tokio::test]
async fn a_burst_from_one_address_holds_up_neither_others_nor_those_who_work_there_and_counts_while_it_is_under_way() {
    let (app, _) = app_with_lekar().await;
    let (bad, good) = ("203.0.113.7", "203.0.113.8");
    let sestra = app.sestra().await;
    app.set_password(&sestra, "tajna").await;
    login(&app.anonymous().at_address(bad), "lekar", "tajna").await.assert_status(200);
    let callers: Vec<Anonymous> = (0..200).map(|_| app.anonymous().at_address(bad)).collect();
    let mut burst = Burst::from(&callers);
    // The burst is under way by its first answer.
    let first = burst.answers.next().await.expect("an answer");
    burst.count(&first);
    let (elsewhere, there) = (app.anonymous().at_address(good), app.anonymous().at_address(bad));
    burst.until(login(&elsewhere, "sestra", "tajna")).await.assert_status(200);
    burst.until(login(&there, "lekar", "tajna")).await.assert_status(200);
    assert!(burst.tried < 30, "{} passwords were looked at before theirs", burst.tried);
    burst.finish().await;
    assert_eq!((burst.tried, burst.slowed), (30, 170));
}

#[tokio::test]
async fn a_session_ends_five_minutes_after_the_screen_locks_unseen() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    app.advance(SignedDuration::from_mins(19));
    lekar.get("/api/session").await.assert_status(200);
    app.advance(SignedDuration::from_mins(19));
    lekar.get("/api/session").await.assert_status(200);
    app.advance(SignedDuration::from_mins(20));
    lekar.get("/api/session").await.assert_error(401, None, ENDED);
}

#[tokio::test]
async fn where_the_screen_never_locks_a_session_ends_after_eight_idle_hours() {
    let app = TestApp::new().await;
    app.lay_out(&["update parameter set vrednost = '0' where naziv = 'zakljucavanjeMinuta'"]).await;
    let lekar = app.lekar().await;
    app.advance(SignedDuration::from_mins(8 * 60 - 1));
    lekar.get("/api/session").await.assert_status(200);
    app.advance(SignedDuration::from_mins(8 * 60 - 1));
    lekar.get("/api/session").await.assert_status(200);
    app.advance(SignedDuration::from_hours(8));
    lekar.get("/api/session").await.assert_error(401, None, ENDED);
}

#[tokio::test]
async fn a_session_ends_after_a_day_however_busy_it_is() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    for _ in 0..24 * 4 - 1 {
        app.advance(SignedDuration::from_mins(15));
        lekar.get("/api/session").await.assert_status(200);
    }
    app.advance(SignedDuration::from_mins(15));
    lekar.get("/api/session").await.assert_error(401, None, ENDED);
}

#[tokio::test]
async fn a_right_password_that_is_easily_guessed_opens_nothing_but_its_change() {
    let (app, id) = app_with_lekar().await;
    let duty = async |password: &str| login(&app.anonymous(), "lekar", password).await.json()["ulogovaniRadnik"]["obaveza"].clone();
    assert_eq!(duty("tajna").await, "lozinka");
    app.lay_out(&["update worker set mora_promeniti_lozinku = false, demo_nalog = true where username = 'lekar'"]).await;
    assert_eq!(duty("tajna").await, Value::Null, "the demo's accounts are what they are known for");
    app.lay_out(&["update worker set demo_nalog = false where username = 'lekar'"]).await;
    let answer = login(&app.anonymous(), "lekar", "tajna").await.json();
    let token = answer["ulogovaniRadnik"]["token"].as_str().expect("a token").to_owned();
    let caller = app.anonymous().with_token(&token);
    caller.get("/api/registers").await.assert_status(403);
    let own = "zeleni vagon peva";
    let change = json!({ "radnikID": id, "staraLozinka": "tajna", "novaLozinka": own, "potvrdaLozinke": own, "isAdmin": false });
    caller.post("/api/worker-password-change", change).await.assert_status(204);
    assert_eq!(duty(own).await, Value::Null);
}

#[tokio::test]
async fn deleting_a_worker_ends_the_session_at_once() {
    let app = TestApp::new().await;
    let (admin, lekar) = (app.admin().await, app.lekar().await);
    admin.patch(&format!("/api/workers/{}", lekar.id), json!({ "aktivan": false })).await.assert_status(200);
    lekar.get("/api/session").await.assert_error(401, None, ENDED);
    let left: i64 = sqlx::query_scalar("select count(*) from session where radnik_id = $1")
        .bind(lekar.id)
        .fetch_one(&app.db.owner)
        .await
        .expect("a count");
    assert_eq!(left, 0);
}

#[tokio::test]
async fn a_right_that_is_taken_away_is_gone_at_the_next_call() {
    let app = TestApp::new().await;
    let worker = app.worker("parametri", &[Right::Parameters], app.ustanova).await;
    worker.get("/api/parameters").await.assert_status(200);
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
    sqlx::query("update role set aktivan = false where ime = 'Uloga radnika parametri'").execute(&mut *tx).await.expect("the role");
    tx.commit().await.expect("committed");
    worker.get("/api/parameters").await.assert_error(403, None, "Nemate pravo na ovu radnju.");
    assert_eq!(worker.get("/api/session").await.json()["prava"], json!([]));
}
