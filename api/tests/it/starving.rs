//! Nobody starves anybody: what calls hold of the few connections to the database, and what goes on when there are none left.

use std::time::Duration;

use domain::db;
use platform::{
    pools::{self, Bounds},
    state::{AppState, Parts},
};
use serde_json::json;

use crate::support::TestApp;

const BUSY: &str = "Server je trenutno zauzet. Pokušajte ponovo za koji trenutak.";
const TIMED_OUT: &str = "Server nije odgovorio na vreme. Pokušajte ponovo.";
/// Far below what a call may take, far above what an answer needs.
const SOON: Duration = Duration::from_secs(15);

#[tokio::test]
async fn health_has_connections_of_its_own_and_tells_what_it_is_when_the_calls_have_none() {
    let app = TestApp::new().await;
    let (db, caller) = app.with_one_connection();
    let held = db.acquire().await.unwrap();
    let health = caller.get("/api/health").await;
    health.assert_status(200);
    assert_eq!((&health.json()["status"], &health.json()["database"]), (&json!("degraded"), &json!({ "ok": true })));
    caller.get("/api/health/ready").await.assert_status(200);
    // Every other call waits for a connection, and says so.
    caller.get("/api/application").await.assert_error(503, None, BUSY);
    drop(held);
}

#[tokio::test]
async fn a_statement_that_nobody_waits_for_ends_on_the_server_too() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let second = Duration::from_secs(1);
    let db = pools::open(&app.db.app_url, "regix-api", Bounds { most: 1, wait: second * 5, statement: second }).unwrap();
    let caller = app.with_parts(Parts { db, ..Parts::clone(&app.state) }).with_token(lekar.token.clone());
    let mut tx = app.db.owner.begin().await.unwrap();
    sqlx::query("lock table warning in access exclusive mode").execute(&mut *tx).await.unwrap();
    let answer = tokio::time::timeout(SOON, caller.get("/api/warning")).await.expect("the server ends what takes too long");
    answer.assert_error(503, None, TIMED_OUT);
    caller.get("/api/session").await.assert_status(200);
    tx.rollback().await.unwrap();
    caller.get("/api/warning").await.assert_status(200);
}

#[tokio::test]
async fn the_calls_of_a_running_api_are_bounded_on_the_server() {
    let app = TestApp::new().await;
    let state = AppState::connect(app.state.config.clone()).await.unwrap();
    let bound: String = sqlx::query_scalar("show statement_timeout").fetch_one(&state.db).await.unwrap();
    assert_eq!(bound, "35s", "a call has 30");
}

#[tokio::test]
async fn names_of_a_likeness_are_bounded_as_those_of_a_record() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let long = "ž".repeat(101);
    for (field, message) in [
        ("ime", "Ime: najviše 100 znakova."),
        ("prezime", "Prezime: najviše 100 znakova."),
        ("jmbg", "JMBG: najviše 30 znakova."),
        ("lbo", "LBO: najviše 30 znakova."),
    ] {
        lekar.post("/api/patients/duplicates", json!({ field: long })).await.assert_error(422, Some(field), message);
    }
    let longest = json!({ "ime": "ž".repeat(100), "prezime": "ž".repeat(100), "datumRodjenja": "1970-01-01" });
    lekar.post("/api/patients/duplicates", longest).await.assert_status(200);
}

#[tokio::test]
async fn a_new_entry_asks_its_queries_with_no_connection_in_hand() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let lekar = app.lekar().await;
    let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update form_field set upit_inicijalna_vrednost = 'select 7 from pacijent where id = :pacijentID' where sifra = 'broj'")
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let (_, caller) = app.with_one_connection();
    let caller = caller.with_token(lekar.token.clone());
    let shown = caller.get(&format!("/api/entry-display?tsaID={}&pacijentID={patient}", register.form)).await;
    shown.assert_status(200);
    assert_eq!(shown.json()["upozorenja"], json!([]));
    assert_eq!(shown.json()["vrednosti"][register.field("broj")], json!(7.0));
}

#[tokio::test]
async fn a_transaction_that_somebody_left_open_is_nobodys_and_other_connections_stay() {
    let app = TestApp::new().await;
    let bounds = Bounds { most: 1, wait: Duration::from_secs(10), statement: Duration::from_secs(5) };
    let pool = pools::open(&app.db.app_url, "proba", bounds).unwrap();
    let pid = async || sqlx::query_scalar::<_, i32>("select pg_backend_pid()").fetch_one(&pool).await.unwrap();
    let first = pid().await;
    assert_eq!(pid().await, first, "what is idle is used again");
    let mut left = pool.acquire().await.unwrap();
    sqlx::raw_sql("begin isolation level repeatable read read only; select 1").execute(&mut *left).await.unwrap();
    drop(left);
    let second = pid().await;
    assert_ne!(second, first);
    sqlx::query("delete from login_attempt").execute(&pool).await.expect("it may write");
    assert_eq!(pid().await, second);
}
