//! Live hints: only one's own, only while the session lives.

use std::time::Duration;

use futures::{StreamExt, TryStreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Error, Message},
};

use super::{Report, eventually};
use crate::support::{TestApp, Worker};

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Serves the API on a port of its own: a socket needs a connection.
async fn serve(app: &TestApp) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = api::app(app.state.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });
    eventually("the process listens", async || {
        let listening =
            "select exists (select from pg_stat_activity where datname = current_database() and query ilike 'listen%regix_izvestaji%')";
        let listening: bool = sqlx::query_scalar(listening).fetch_one(&app.db.owner).await.unwrap();
        listening.then_some(())
    })
    .await;
    address.to_string()
}

async fn ticket(worker: &Worker) -> String {
    worker.post("/api/socket-tickets", json!({})).await.json()["ticket"].as_str().unwrap().to_owned()
}

pub async fn connect(address: &str, radnik: i64, ticket: &str) -> Result<Socket, u16> {
    match connect_async(format!("ws://{address}/api/izvestajiWebSocket?radnikID={radnik}&ticket={ticket}")).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(other) => panic!("{other}"),
    }
}

const HEARTBEAT: &str = r#"{"vrsta":"otkucaj"}"#;

fn is_heartbeat(message: &Message) -> bool {
    message.to_text().is_ok_and(|text| text == HEARTBEAT)
}

/// What is said beside signs of life.
async fn next(socket: &mut Socket) -> Message {
    let mut spoken = socket.by_ref().try_filter(|message| std::future::ready(!message.is_ping() && !is_heartbeat(message)));
    tokio::time::timeout(Duration::from_secs(10), spoken.next()).await.expect("the socket speaks").expect("the socket is open").unwrap()
}

pub async fn hint(socket: &mut Socket) -> Value {
    serde_json::from_str(next(socket).await.to_text().unwrap()).unwrap()
}

#[tokio::test]
async fn a_worker_hears_of_own_runs_and_schedules_and_of_nobody_elses() {
    let app = TestApp::new().await;
    let address = serve(&app).await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let mut lekars = connect(&address, lekar.id, &ticket(&lekar).await).await.unwrap();
    let mut admins = connect(&address, admin.id, &ticket(&admin).await).await.unwrap();

    // The other's events come first, so that a leak would be heard before one's own.
    let others = report.run(&admin).await;
    admin.post("/api/report-queue", report.weekly(&admin)).await.assert_status(202);
    let own = report.run(&lekar).await;
    let schedule = lekar.post("/api/report-queue", report.weekly(&lekar)).await.json()["zakazivanjeID"].clone();

    let mut heard = hint(&mut lekars).await;
    assert_eq!((heard["vrsta"].clone(), heard["id"].clone()), (json!("izvestaj"), json!(own)));
    assert_eq!(crate::support::keys(&heard), ["id", "seq", "vrsta"]);
    let mut last_seq = heard["seq"].as_i64().unwrap();
    while heard["vrsta"] != "zakazivanje" {
        heard = hint(&mut lekars).await;
        assert!([json!(own), json!(schedule.to_string())].contains(&heard["id"]), "not lekar's: {heard}");
        assert!(heard["seq"].as_i64().unwrap() > last_seq);
        last_seq = heard["seq"].as_i64().unwrap();
    }
    assert_eq!(hint(&mut admins).await["id"], json!(others));
}

#[tokio::test]
async fn a_ticket_admits_once_and_only_its_worker() {
    let app = TestApp::new().await;
    let address = serve(&app).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let used = ticket(&lekar).await;
    connect(&address, lekar.id, &used).await.unwrap();
    assert_eq!(connect(&address, lekar.id, &used).await.err(), Some(401));
    assert_eq!(connect(&address, admin.id, &ticket(&lekar).await).await.err(), Some(401));
    assert_eq!(connect(&address, lekar.id, "izmisljena").await.err(), Some(401));

    let old = ticket(&lekar).await;
    sqlx::query("update socket_ticket set istice = now()").execute(&app.db.owner).await.unwrap();
    assert_eq!(connect(&address, lekar.id, &old).await.err(), Some(401));
    let stored: i64 = sqlx::query_scalar("select count(*) from socket_ticket where encode(ticket_hash, 'escape') like '%' || $1 || '%'")
        .bind(&old)
        .fetch_one(&app.db.owner)
        .await
        .unwrap();
    assert_eq!(stored, 0, "only the hash is kept");

    let of_ended_session = ticket(&lekar).await;
    lekar.post("/api/logout", json!({})).await.assert_status(204);
    assert_eq!(connect(&address, lekar.id, &of_ended_session).await.err(), Some(401));
}

#[tokio::test]
async fn a_socket_ends_with_its_session() {
    let app = TestApp::new().await;
    let address = serve(&app).await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let run = report.run(&lekar).await;
    let mut socket = connect(&address, lekar.id, &ticket(&lekar).await).await.unwrap();
    lekar.post("/api/logout", json!({})).await.assert_status(204);
    sqlx::query("update report_run set rows_done = 5 where id = $1").bind(run).execute(&app.db.owner).await.unwrap();
    loop {
        match next(&mut socket).await {
            // Told before the log-out.
            Message::Text(_) => {}
            Message::Close(Some(frame)) => {
                assert_eq!(u16::from(frame.code), 4401);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn after_a_lost_connection_to_the_database_sockets_are_told_to_come_again() {
    let app = TestApp::new().await;
    let address = serve(&app).await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let mut socket = connect(&address, lekar.id, &ticket(&lekar).await).await.unwrap();
    let kill = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'regix-api-dogadjaji'";
    sqlx::query(kill).execute(&app.db.owner).await.unwrap();
    let Message::Close(Some(frame)) = next(&mut socket).await else { panic!("the socket goes on") };
    assert_eq!(u16::from(frame.code), 1012);

    let mut again = connect(&address, lekar.id, &ticket(&lekar).await).await.unwrap();
    let run = report.run(&lekar).await;
    assert_eq!(hint(&mut again).await["id"], json!(run), "the process listens again");
}

#[tokio::test]
async fn a_worker_has_so_many_sockets_and_who_closes_one_may_open_another() {
    let app = TestApp::new().await;
    let address = serve(&app).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let mut open = Vec::new();
    for _ in 0..20 {
        open.push(connect(&address, lekar.id, &ticket(&lekar).await).await.unwrap());
    }
    assert_eq!(connect(&address, lekar.id, &ticket(&lekar).await).await.err(), Some(429));
    connect(&address, admin.id, &ticket(&admin).await).await.expect("another's sockets are counted apart");
    drop(open.pop());
    eventually("the place is free", async || connect(&address, lekar.id, &ticket(&lekar).await).await.ok()).await;
    let run = Report::plain(&app.db).await.run(&lekar).await;
    assert_eq!(hint(&mut open[0]).await["id"], json!(run), "those that are open go on");
}

#[tokio::test]
async fn a_socket_of_which_nothing_is_to_be_told_beats_more_often_than_a_browser_gives_it_up() {
    let app = TestApp::new().await;
    let address = serve(&app).await;
    let lekar = app.lekar().await;
    let mut socket = connect(&address, lekar.id, &ticket(&lekar).await).await.unwrap();
    // The browser waits 25 s; the first beat comes with the socket.
    for _ in 0..2 {
        let mut texts = socket.by_ref().try_filter(|message| std::future::ready(message.is_text()));
        let beat = tokio::time::timeout(Duration::from_secs(15), texts.next()).await.expect("a beat in time");
        assert_eq!(beat.expect("the socket is open").unwrap().to_text().unwrap(), HEARTBEAT);
    }
}
