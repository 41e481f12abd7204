//! Changing passwords: one's own, and as an administrator.

use serde_json::{Value, json};

use crate::support::{Answer, TestApp, Worker};

const PATH: &str = "/api/worker-password-change";
const NEW: &str = "zeleni vagon peva";

fn own(worker: &Worker, stara: &str, nova: &str, potvrda: &str) -> Value {
    json!({ "radnikID": worker.id, "staraLozinka": stara, "novaLozinka": nova, "potvrdaLozinke": potvrda, "isAdmin": false })
}

fn by_admin(worker: &Worker, nova: &str, potvrda: &str) -> Value {
    json!({ "radnikID": worker.id, "novaLozinka": nova, "potvrdaLozinke": potvrda, "isAdmin": true })
}

async fn login(app: &TestApp, username: &str, password: &str) -> Answer {
    app.anonymous().post("/api/login", json!({ "username": username, "password": password })).await
}

#[tokio::test]
async fn what_is_missing_is_named_in_the_order_of_the_form() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    let cases = [
        (own(&sestra, "", "", ""), "staraLozinka", "Niste uneli staru lozinku."),
        (own(&sestra, "stara", " ", ""), "novaLozinka", "Niste uneli novu lozinku."),
        (own(&sestra, "stara", NEW, ""), "potvrdaLozinke", "Niste uneli potvrdu lozinke."),
        (own(&sestra, "stara", NEW, "novaa"), "potvrdaLozinke", "Nova lozinka i potvrda lozinke nisu iste."),
    ];
    for (body, field, message) in cases {
        sestra.post(PATH, body).await.assert_error(422, Some(field), message);
    }
}

#[tokio::test]
async fn the_new_password_signs_in_the_old_one_does_not_and_other_sessions_end() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    app.set_password(&sestra, "stara").await;
    let elsewhere = app.another_session(&sestra).await;

    sestra.post(PATH, own(&sestra, "stara", NEW, NEW)).await.assert_status(204);

    sestra.get("/api/session").await.assert_status(200);
    elsewhere.get("/api/session").await.assert_status(401);
    login(&app, "sestra", "stara").await.assert_status(401);
    login(&app, "sestra", NEW).await.assert_status(200);
    let change = app.log("worker").await.pop().expect("a line of the log");
    assert_eq!((change.radnik_id, change.akcija.as_str()), (Some(sestra.id), "izmena"));
    let polja: Value = sqlx::query_scalar("select polja from audit_log where klasa = 'worker' order by id desc limit 1")
        .fetch_one(&app.db.owner)
        .await
        .expect("fields");
    assert_eq!(polja, json!([{ "naziv": "password_hash", "stara": "•••", "nova": "•••" }]));
}

#[tokio::test]
async fn a_wrong_old_password_is_refused_and_guessing_it_is_slowed() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    app.set_password(&sestra, "stara").await;
    for _ in 0..5 {
        let refused = sestra.post(PATH, own(&sestra, "pogrešna", NEW, NEW)).await;
        refused.assert_error(422, Some("staraLozinka"), "Stara lozinka nije ispravna.");
    }
    sestra.post(PATH, own(&sestra, "stara", NEW, NEW)).await.assert_status(429);
    login(&app, "sestra", "stara").await.assert_status(429);
}

#[tokio::test]
async fn nobody_changes_anothers_password_without_the_right() {
    let app = TestApp::new().await;
    let (lekar, sestra) = (app.lekar().await, app.sestra().await);
    app.set_password(&lekar, "tajna").await;
    for body in [own(&lekar, "tajna", NEW, NEW), by_admin(&lekar, NEW, NEW), by_admin(&sestra, NEW, NEW)] {
        sestra.post(PATH, body).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
    }
    login(&app, "lekar", "tajna").await.assert_status(200);
}

#[tokio::test]
async fn an_administrator_needs_no_old_password_and_ends_all_sessions_of_the_worker() {
    let app = TestApp::new().await;
    let (admin, lekar) = (app.admin().await, app.lekar().await);
    admin.post(PATH, by_admin(&lekar, "", "")).await.assert_error(422, Some("novaLozinka"), "Niste uneli novu lozinku.");
    admin.post(PATH, by_admin(&lekar, NEW, NEW)).await.assert_status(204);
    lekar.get("/api/session").await.assert_status(401);
    admin.get("/api/session").await.assert_status(200);
    login(&app, "lekar", NEW).await.assert_status(200);
    let gone = json!({ "radnikID": 0, "novaLozinka": "n", "potvrdaLozinke": "n", "isAdmin": true });
    admin.post(PATH, gone).await.assert_status(404);
}
