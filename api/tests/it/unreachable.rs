//! A database that cannot be signed in to in time: it is starting, stopping, out of connections, or too busy to ask for the password. The
//! call was not wrong, and the same again in a moment may well succeed.

use std::time::Duration;

use domain::report_sql::ReportDb;
use platform::{
    pools::{self, Bounds},
    state::Parts,
};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::{
    reports::{Field, Report, SET},
    support::{Answer, TestApp},
};

const BUSY: &str = "Server je trenutno zauzet. Pokušajte ponovo za koji trenutak.";

/// What PostgreSQL says before it ends a connection.
fn last_words(code: &str, message: &str) -> Vec<u8> {
    let fields = format!("SFATAL\0VFATAL\0C{code}\0M{message}\0\0");
    let length = u32::try_from(fields.len() + 4).unwrap();
    [b"E".as_slice(), &length.to_be_bytes(), fields.as_bytes()].concat()
}

async fn hang_up(mut caller: TcpStream, words: &[u8]) -> std::io::Result<()> {
    let rest = caller.read_u32().await? - 4;
    let mut greeting = vec![0; rest as usize];
    caller.read_exact(&mut greeting).await?;
    caller.write_all(words).await?;
    caller.shutdown().await
}

/// Stands where PostgreSQL does: it hears who wants to sign in, says this and hangs up. Gives the URL.
async fn server_that_says(words: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((caller, _)) = listener.accept().await {
            // A caller that is gone has heard enough.
            let _ = hang_up(caller, &words).await;
        }
    });
    url(port)
}

/// Where nobody listens.
fn nobody() -> String {
    url(domain::testing::free_port())
}

fn url(port: u16) -> String {
    format!("postgres://regix:tajna@127.0.0.1:{port}/regix?sslmode=disable")
}

#[track_caller]
fn assert_busy(answer: &Answer, what: &str) {
    assert_eq!(answer.status, 503, "{what}: {}", answer.text());
    answer.assert_error(503, None, BUSY);
    assert_eq!(answer.header("retry-after"), Some("2"), "{what}");
}

async fn asked_of(app: &TestApp, url: &str) -> Answer {
    let bounds = Bounds { most: 1, wait: Duration::from_secs(1), statement: Duration::from_secs(5) };
    let db = pools::open(url, "proba", bounds).unwrap();
    app.with_parts(Parts { db, ..Parts::clone(&app.state) }).get("/api/application").await
}

#[tokio::test]
async fn a_call_that_cannot_sign_in_to_the_database_in_time_is_told_to_come_again() {
    let app = TestApp::new().await;
    for (what, words) in [
        ("the time for the greeting is over", Vec::new()),
        ("the time for the password is over", last_words("57014", "canceling authentication due to timeout")),
        ("it starts", last_words("57P03", "the database system is starting up")),
        ("it stops", last_words("57P01", "terminating connection due to administrator command")),
        ("it fell", last_words("57P02", "terminating connection because of crash of another server process")),
        ("it is full", last_words("53300", "sorry, too many clients already")),
        ("a pooler has nobody behind it", last_words("08P01", "server login has been failing, cached error: connect failed")),
        ("a pooler lost its server", last_words("08006", "server conn crashed?")),
    ] {
        assert_busy(&asked_of(&app, &server_that_says(words).await).await, what);
    }
    assert_busy(&asked_of(&app, &nobody()).await, "nobody listens");
    // Before anybody says whether it encrypts.
    let closing = server_that_says(Vec::new()).await.replace("?sslmode=disable", "");
    assert_busy(&asked_of(&app, &closing).await, "a proxy with nobody behind it");

    // What no waiting mends is not called busy.
    let refusing = server_that_says(last_words("28P01", "password authentication failed for user \"regix\"")).await;
    asked_of(&app, &refusing).await.assert_error(500, None, "Došlo je do greške na serveru.");
}

#[tokio::test]
async fn a_query_of_the_report_role_that_cannot_sign_in_is_not_taken_for_a_wrong_one() {
    let app = TestApp::new().await;
    let fields = [Field::new(SET, "gde", "Gde").query("select id, naziv from ustanova")];
    let report = Report::with(&app.db, "ustanova", &fields).await;
    let path = format!("/api/report-parameters/{}/options", report.parameter_id(&app.db, "gde").await);
    let lekar = app.lekar().await;
    lekar.get(&path).await.assert_status(200);
    let timed_out = last_words("57014", "canceling authentication due to timeout");
    for (what, url) in [
        ("nobody listens", nobody()),
        ("the time for the greeting is over", server_that_says(Vec::new()).await),
        ("the time for the password is over", server_that_says(timed_out).await),
        ("it starts", server_that_says(last_words("57P03", "the database system is starting up")).await),
    ] {
        let report_db = ReportDb::new(app.state.db.clone(), &url, 4).unwrap();
        let caller = app.with_parts(Parts { report_db, ..Parts::clone(&app.state) }).with_token(lekar.token.clone());
        assert_busy(&caller.get(&path).await, what);
    }
    let answer = lekar.get(&path).await.json();
    assert_eq!(answer["data"].as_array().map(Vec::len), Some(2), "{}", json!(answer));
}

#[tokio::test]
async fn a_call_that_meets_a_server_that_takes_no_writes_is_told_to_come_again() {
    let app = TestApp::new().await;
    app.lekar().await;
    // As a server that was demoted: what begins there may not write.
    let bounds = Bounds { most: 1, wait: Duration::from_secs(5), statement: Duration::from_secs(5) };
    let more = if app.db.app_url.contains('?') { '&' } else { '?' };
    let url = format!("{}{more}options=-c%20default_transaction_read_only%3Don", app.db.app_url);
    let db = pools::open(&url, "proba", bounds).unwrap();
    let caller = app.with_parts(Parts { db, ..Parts::clone(&app.state) });
    let attempt = json!({ "username": "lekar", "password": "pogrešna" });
    assert_busy(&caller.post("/api/login", attempt).await, "it takes no writes");
}
