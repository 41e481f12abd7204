//! Long answers, read slowly: what they hold of the server while they are read, and what they leave to others.

use std::time::Duration;

use jiff::SignedDuration;
use platform::{long_answers::LongAnswers, state::Parts};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
};

use crate::support::{TestApp, TestRegister};

/// Patients enough that no buffer between server and client holds all of them.
async fn crowd(app: &TestApp, register: &TestRegister) {
    let mut tx = app.db.owner.begin().await.unwrap();
    sqlx::query("set local session_replication_role = replica").execute(&mut *tx).await.unwrap();
    sqlx::query(
        "with p as (
             insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
             select 'Ana', repeat('Ž', 300) || n, '1970-01-01', lpad(n::text, 13, '0'), lpad(n::text, 11, '0'), true, '011/1234567', $1
               from generate_series(1, 10000) n returning *)
         insert into patient_register (pacijent_id, registar_id, ime_f, prezime_f, datum_rodjenja, pol_trenutni)
         select id, $2, ime_f, prezime_f, datum_rodjenja, pol_trenutni from p",
    )
    .bind(app.ustanova)
    .bind(register.id)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

/// Asks for all results and reads no more than the head of the answer.
async fn slow_reader(address: std::net::SocketAddr, token: &str, register: i64) -> (TcpStream, String) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    let body = json!({ "registarID": register, "sviRezultati": true }).to_string();
    let request = format!(
        "POST /api/search HTTP/1.1\r\nHost: regix.test\r\nAuthorization: Regix {token}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = [0; 512];
    let read = stream.read(&mut head).await.unwrap();
    let status = String::from_utf8_lossy(&head[..read]).lines().next().unwrap_or_default().to_owned();
    (stream, status)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "long: waits for slow readers"]
async fn slow_readers_of_all_results_leave_the_pool_to_others() {
    let app = TestApp::new().await;
    let register = app.register().await;
    crowd(&app, &register).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = api::app(app.state.clone()).into_make_service_with_connect_info::<std::net::SocketAddr>();
    let server = tokio::spawn(async move { axum::serve(listener, service).await });

    let mut readers = Vec::new();
    for number in 0..4 {
        let worker = app.worker(&format!("citalac{number}"), &[], app.ustanova).await;
        for _ in 0..3 {
            let (stream, status) = slow_reader(address, &worker.token, register.id).await;
            assert_eq!(status, "HTTP/1.1 200 OK");
            readers.push(stream);
        }
        // The fourth of the same worker is told why; another of the worker's calls is not touched.
        let (_, status) = slow_reader(address, &worker.token, register.id).await;
        assert_eq!(status, "HTTP/1.1 429 Too Many Requests");
    }
    assert_eq!(readers.len(), 12, "more than the pool has connections");
    let other = app.lekar().await;
    let search = other.post("/api/search", json!({ "registarID": register.id, "brojRezultatePretrage": 50 }));
    let answer = tokio::time::timeout(Duration::from_secs(10), search).await.expect("the other's search does not wait for the readers");
    assert_eq!(answer.json()["unosi"].as_array().unwrap().len(), 50);

    // Who reads after all gets everything, and who goes away leaves the place to the next.
    let mut last = readers.pop().unwrap();
    let mut rest = Vec::new();
    let reading = async {
        let mut piece = vec![0; 1 << 16];
        while !rest.ends_with(b"\r\n0\r\n\r\n") {
            let read = last.read(&mut piece).await.unwrap();
            assert!(read > 0, "the answer broke off after {} bytes", rest.len());
            rest.extend_from_slice(&piece[..read]);
        }
    };
    tokio::time::timeout(Duration::from_secs(60), reading).await.expect("the whole answer");
    assert!(rest.len() > 6_000_000, "{}", rest.len());
    server.abort();
}

#[tokio::test]
async fn all_results_asked_for_again_and_again_are_refused_until_a_while_has_passed() {
    let app = TestApp::new().await;
    let register = app.register().await;
    crowd(&app, &register).await;
    let (lekar, kolega) = (app.lekar().await, app.worker("kolega", &[], app.ustanova).await);
    let parts = Parts { long_answers: LongAnswers::of(25_000), ..Parts::clone(&app.state) };
    let of = |token: &str| app.with_parts(parts.clone()).with_token(token);
    let all = async |token: &str| of(token).post("/api/search", json!({ "registarID": register.id, "sviRezultati": true })).await;
    for _ in 0..3 {
        assert_eq!(all(&lekar.token).await.json()["unosi"].as_array().unwrap().len(), 10_000);
    }
    for _ in 0..9 {
        let refused = all(&lekar.token).await;
        let told = refused.refusal(429)["message"].as_str().unwrap().to_owned();
        assert!(told.starts_with("U poslednjih 10 minuta ste više puta tražili sve rezultate velikog registra."), "{told}");
    }
    // Another process counts the same rows.
    let other = app.with_parts(Parts { long_answers: LongAnswers::of(25_000), ..Parts::clone(&app.state) }).with_token(&lekar.token);
    other.post("/api/search", json!({ "registarID": register.id, "sviRezultati": true })).await.assert_status(429);
    let few = json!({ "registarID": register.id, "brojRezultatePretrage": 50 });
    of(&lekar.token).post("/api/search", few).await.assert_status(200);
    all(&kolega.token).await.assert_status(200);
    app.advance(SignedDuration::from_mins(11));
    all(&lekar.token).await.assert_status(200);
}

#[tokio::test]
async fn an_exhausted_pool_says_when_to_ask_again() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let (db, caller) = app.with_one_connection();
    let caller = caller.with_token(lekar.token.clone());
    let held = db.acquire().await.unwrap();
    let answer = caller.get("/api/warning").await;
    answer.assert_error(503, None, "Server je trenutno zauzet. Pokušajte ponovo za koji trenutak.");
    assert_eq!(answer.header("retry-after"), Some("2"));
    drop(held);
    caller.get("/api/warning").await.assert_status(200);
}

#[tokio::test]
async fn texts_of_a_search_are_bounded_and_the_refusal_names_the_field() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let text = register.fields["tekst"];
    let row = |value: String| json!([{ "poljeID": text, "operator": "sadrzi", "vrednost": value }]);
    for (asked, field, message) in [
        (json!({ "ime": "a ".repeat(20_000) }), "ime", "Ime u pretrazi sme da ima najviše 100 znakova."),
        (json!({ "prezime": "ć".repeat(101) }), "prezime", "Prezime u pretrazi sme da ima najviše 100 znakova."),
        (json!({ "prezime": "a b c d e f g h i" }), "prezime", "Prezime u pretrazi sme da ima najviše 8 reči."),
        (json!({ "ime": "A\u{0}" }), "ime", "Ime u pretrazi sadrži znak koji ne može da se traži."),
        (json!({ "redPretrage": row("x".repeat(201)) }), "redPretrage", "Uslov 1: vrednost u pretrazi sme da ima najviše 200 znakova."),
        (json!({ "redPretrage": vec![json!({}); 101] }), "redPretrage", "Pretraga može imati najviše 20 redova."),
    ] {
        let mut body = asked;
        body["registarID"] = json!(register.id);
        lekar.post("/api/search", body).await.assert_error(422, Some(field), message);
    }
    let longest =
        json!({ "registarID": register.id, "ime": "a b c d e f g ".to_owned() + &"ž".repeat(86), "redPretrage": row("x".repeat(200)) });
    lekar.post("/api/search", longest).await.assert_status(200);
}
