//! Connections on which nothing is asked, or never to the end.

use std::{
    net::{SocketAddr, TcpListener},
    time::Duration,
};

use axum_server::Handle;
use platform::connections;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::TestApp;

/// Long enough for a head that comes at all, short enough to wait for.
const SHORT: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(20);

async fn serve(app: &TestApp, head_timeout: Duration) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let routes = api::app(app.state.clone()).into_make_service_with_connect_info::<SocketAddr>();
    let server = connections::server(listener, head_timeout, Handle::new()).unwrap();
    tokio::spawn(async move { server.serve(routes).await });
    address
}

/// Opens a connection and sends `text`.
async fn say(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    stream
}

/// What comes until the server closes the connection.
async fn until_closed(mut stream: TcpStream) -> String {
    let mut all = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut all)).await.expect("the connection is closed");
    // A connection that is reset is closed, too.
    let _ = read;
    String::from_utf8_lossy(&all).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_head_that_does_not_come_ends_its_connection_and_holds_nobody_up() {
    let app = TestApp::new().await;
    let address = serve(&app, SHORT).await;
    let mut half_sent = vec![say(address, "").await];
    for _ in 0..500 {
        half_sent.push(say(address, "GET /api/health/live HTTP/1.1\r\nHost: regix.test\r\nX-Never").await);
    }
    let asked = say(address, "GET /api/health/live HTTP/1.1\r\nHost: regix.test\r\nConnection: close\r\n\r\n").await;
    assert!(until_closed(asked).await.starts_with("HTTP/1.1 200 OK"), "who asks to the end is answered");
    for stream in half_sent {
        let answer = until_closed(stream).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_head_sent_letter_by_letter_ends_as_one_not_sent() {
    let app = TestApp::new().await;
    let address = serve(&app, SHORT).await;
    let mut stream = say(address, "GET /api/health HTTP/1.1\r\n").await;
    let sending = async {
        while stream.write_all(b"X-A: b\r\n").await.is_ok() {
            tokio::time::sleep(SHORT / 20).await;
        }
    };
    tokio::time::timeout(PATIENCE, sending).await.expect("the server closes the connection while it is written to");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_of_20_000_words_is_refused_before_it_is_read() {
    let app = TestApp::new().await;
    let (address, lekar) = (serve(&app, SHORT).await, app.lekar().await);
    for path in ["/api/search", "/api/search-exports"] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: regix.test\r\nAuthorization: Regix {}\r\n\
             Content-Type: application/json\r\nContent-Length: 188889\r\n\r\n{{",
            lekar.token
        );
        let answer = until_closed(say(address, &head).await).await;
        assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
        assert!(answer.contains("Poslati podaci su preveliki."), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_may_take_longer_than_a_head() {
    let app = TestApp::new().await;
    let address = serve(&app, SHORT).await;
    let body = r#"{"username":"nema","password":"nikakva-lozinka"}"#;
    let head = format!(
        "POST /api/login HTTP/1.1\r\nHost: regix.test\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = say(address, &head).await;
    tokio::time::sleep(SHORT * 2).await;
    stream.write_all(body.as_bytes()).await.unwrap();
    let answer = until_closed(stream).await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
}

/// What a client says who knows that the server speaks HTTP/2: its greeting, its settings, and one whole request.
const HTTP2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\
    \x00\x00\x00\x04\x00\x00\x00\x00\x00\
    \x00\x00\x20\x01\x05\x00\x00\x00\x01\x82\x86\x01\x0aregix.test\x04\x10/api/health/live";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_cannot_go_around_the_limit_by_speaking_http_2() {
    let app = TestApp::new().await;
    let address = serve(&app, SHORT).await;
    for size in [HTTP2.len(), 2] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        for piece in HTTP2.chunks(size) {
            // The server may have closed it already.
            let _ = stream.write_all(piece).await;
        }
        assert_eq!(until_closed(stream).await, "");
    }
    // What only begins like it is a method that nobody knows.
    let other = say(address, "PROPFIND / HTTP/1.1\r\nHost: regix.test\r\nConnection: close\r\n\r\n").await;
    assert!(until_closed(other).await.starts_with("HTTP/1.1 4"));
}
