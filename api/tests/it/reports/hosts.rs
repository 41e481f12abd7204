//! Several apis behind one proxy, and engines on several hosts that share nothing but the database, Redis and a bucket.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use domain::testing::S3Server;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};

use super::{
    Report, eventually,
    place::{Place, Program},
    socket::{connect, hint},
};
use crate::support::Worker;

/// A proxy that sends each connection to the next of its apis.
async fn proxy(apis: &[&str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let behind: Vec<String> = apis.iter().map(|api| api.trim_start_matches("http://").to_owned()).collect();
    let turn = Arc::new(AtomicUsize::new(0));
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let api = behind[turn.fetch_add(1, Ordering::Relaxed) % behind.len()].clone();
            tokio::spawn(async move {
                let mut server = TcpStream::connect(api).await.expect("the api listens");
                // Either side may hang up first.
                let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    address
}

/// One call on a connection of its own: the proxy gives it to the next api.
async fn call(address: &str, worker: Option<&Worker>, method: &str, path: &str, body: Option<Value>) -> (u16, Vec<u8>) {
    let client = reqwest::Client::builder().pool_max_idle_per_host(0).build().expect("a client");
    let mut call = client.request(method.parse().expect("a method"), format!("{address}{path}"));
    if let Some(worker) = worker {
        call = call.header("authorization", format!("Regix {}", worker.token));
    }
    if let Some(body) = body {
        call = call.header("content-type", "application/json").body(body.to_string());
    }
    let answer = call.send().await.expect("the api answers");
    let status = answer.status().as_u16();
    (status, answer.bytes().await.expect("a body").to_vec())
}

async fn json_of(address: &str, worker: &Worker, method: &str, path: &str, body: Option<Value>) -> Value {
    let (status, body) = call(address, Some(worker), method, path, body).await;
    assert!((200..300).contains(&status), "{status} {}", String::from_utf8_lossy(&body));
    serde_json::from_slice(&body).unwrap_or(Value::Null)
}

fn lent<'a>(environment: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    environment.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

/// Two apis and the address of the proxy before them.
struct Pair {
    _programs: [Program; 2],
    each: [String; 2],
    proxy: String,
}

impl Pair {
    async fn new(place: &Place, more: &[(&str, &str)]) -> Self {
        let mut environment = more.to_vec();
        environment.push(("REDIS_URL", &place.redis_url));
        let ((first, one), (second, two)) = (place.api_with(&environment).await, place.api_with(&environment).await);
        let proxy = proxy(&[&one, &two]).await;
        Self { _programs: [first, second], each: [one, two], proxy }
    }
}

#[tokio::test]
async fn sockets_at_either_api_hear_what_happened_at_the_other() {
    let place = Place::new().await;
    let lekar = place.app.lekar().await;
    let report = Report::plain(&place.app.db).await;
    let pair = Pair::new(&place, &[]).await;
    eventually("both listen", async || {
        let listening =
            "select count(distinct pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%regix_izvestaji%'";
        let listening: i64 = sqlx::query_scalar(listening).fetch_one(&place.app.db.owner).await.unwrap();
        (listening >= 2).then_some(())
    })
    .await;
    let mut sockets = Vec::new();
    for (api, other) in [(0, 1), (1, 0)] {
        // A ticket that one has given opens the other.
        let ticket = json_of(&pair.each[api], &lekar, "POST", "/api/socket-tickets", Some(json!({}))).await;
        let address = pair.each[other].trim_start_matches("http://");
        sockets.push(connect(address, lekar.id, ticket["ticket"].as_str().expect("a ticket")).await.expect("the socket opens"));
    }
    let asked = json_of(&pair.proxy, &lekar, "POST", "/api/report-queue", Some(report.request(&lekar, json!({})))).await;
    for socket in &mut sockets {
        let heard = hint(socket).await;
        assert_eq!((&heard["vrsta"], &heard["id"]), (&json!("izvestaj"), &asked["izvestajID"]));
    }
}

#[tokio::test]
async fn wrong_passwords_count_together_whichever_api_was_tried() {
    let place = Place::new().await;
    let lekar = place.app.lekar().await;
    place.app.set_password(&lekar, "tajna").await;
    let pair = Pair::new(&place, &[]).await;
    let sign_in = async |address: &str, password: &str| {
        call(address, None, "POST", "/api/login", Some(json!({ "username": "lekar", "password": password }))).await.0
    };
    for _ in 0..5 {
        assert_eq!(sign_in(&pair.proxy, "pogrešna").await, 401);
    }
    for api in &pair.each {
        assert_eq!(sign_in(api, "tajna").await, 429);
    }
}

#[tokio::test]
async fn drafts_and_replayed_saves_are_one_whichever_api_they_reach() {
    let place = Place::new().await;
    let (app, lekar) = (&place.app, place.app.lekar().await);
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let pair = Pair::new(&place, &[]).await;
    let [one, two] = &pair.each;

    let draft = format!("novi-{patient}-{}", register.form);
    let content = json!({ "pacijentID": patient, "sadrzaj": { "broj": 4 } });
    json_of(one, &lekar, "PUT", &format!("/api/entry-drafts/{draft}.prvi"), Some(content)).await;
    let kept = json_of(two, &lekar, "GET", &format!("/api/entry-drafts?kljuc={draft}"), None).await;
    assert_eq!((&kept["total"], &kept["data"][0]["sadrzaj"]), (&json!(1), &json!({ "broj": 4 })));

    let save = json!({
        "tsaID": register.form, "registarID": register.id, "pacijentID": patient, "vrednosti": { register.field("broj"): 4 },
        "radnikOdgovoran": lekar.id, "datumUnosa": "2026-03-05", "kljuc": "018f3b1e-0000-7000-8000-000000000001",
        "nacrti": [format!("{draft}.prvi")],
    });
    // At the same moment at both, as when the proxy tries again what only seems lost; then once more.
    let path = "/api/entry-values";
    let (first, second) =
        tokio::join!(json_of(one, &lekar, "POST", path, Some(save.clone())), json_of(two, &lekar, "POST", path, Some(save.clone())));
    let third = json_of(&pair.proxy, &lekar, "POST", path, Some(save)).await;
    assert_eq!([&second["snimljenUnosID"], &third["snimljenUnosID"]], [&first["snimljenUnosID"]; 2]);
    let entries: i64 = sqlx::query_scalar("select count(*) from entry").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(entries, 1);
    let left = json_of(one, &lekar, "GET", &format!("/api/entry-drafts?kljuc={draft}"), None).await;
    assert_eq!(left["total"], json!(0), "the other's save ended it");
}

#[tokio::test]
async fn a_report_made_on_one_host_is_handed_out_by_every_api_from_the_bucket() {
    let (place, s3) = (Place::new().await, S3Server::start().await);
    let lekar = place.app.lekar().await;
    let report = Report::plain(&place.app.db).await;
    let settings = s3.environment("izvestaji");
    let host = |name: &str| {
        let folder = place.folder.path().join(name).to_str().expect("a plain path").to_owned();
        let mut environment = settings.clone();
        environment.extend([("ARTIFACT_DIR", folder), ("ENGINE_POLL_SECONDS", "1".to_owned())]);
        environment
    };
    let pair = Pair::new(&place, &lent(&host("api"))).await;
    let _engines = ["first", "second"].map(|name| place.start("report-engine", &[], &lent(&host(name))));

    let mut request = report.request(&lekar, json!({}));
    request["formati"] = json!(["CSV"]);
    let mut asked = Vec::new();
    for _ in 0..6 {
        let run = json_of(&pair.proxy, &lekar, "POST", "/api/report-queue", Some(request.clone())).await;
        asked.push(run["izvestajID"].as_str().expect("the run's id").to_owned());
    }
    for run in &asked {
        let path = format!("/api/report-runs/{run}/download?format=CSV");
        let content = eventually("the run ends", async || match call(&pair.proxy, Some(&lekar), "GET", &path, None).await {
            (200, content) => Some(content),
            _ => None,
        })
        .await;
        for api in &pair.each {
            assert_eq!(call(api, Some(&lekar), "GET", &path, None).await, (200, content.clone()));
        }
    }
    let health = async || -> Value { serde_json::from_slice(&call(&pair.proxy, None, "GET", "/api/health", None).await.1).unwrap() };
    assert_eq!(health().await["store"], json!({ "ok": true }));

    s3.stop();
    let path = format!("/api/report-runs/{}/download?format=CSV", asked[0]);
    let (status, body) = call(&pair.proxy, Some(&lekar), "GET", &path, None).await;
    assert_eq!(status, 503, "away is not expired: {}", String::from_utf8_lossy(&body));
    let seen = health().await;
    assert_eq!((&seen["status"], &seen["store"]), (&json!("degraded"), &json!({ "ok": false })));
    eventually("the engines say why they rest", async || {
        let resting: i64 = sqlx::query_scalar("select count(*) from process where kind = 'report-engine' and rests = 'no_store'")
            .fetch_one(&place.app.db.owner)
            .await
            .unwrap();
        (resting == 2).then_some(())
    })
    .await;
    s3.run().await;
    assert_eq!(call(&pair.proxy, Some(&lekar), "GET", &path, None).await.0, 200);
}

#[tokio::test]
async fn a_folder_without_room_degrades_health_and_operators_are_told_that_it_is_full() {
    let place = Place::new().await;
    let admin = place.app.admin().await;
    // No disk has so much.
    let (_full, full) = place.api_with(&[("STORE_MIN_FREE_MB", "1000000000000")]).await;
    let (_roomy, roomy) = place.api_with(&[("STORE_MIN_FREE_MB", "0")]).await;
    for (address, has_room, problem) in [(&full, false, json!("full")), (&roomy, true, Value::Null)] {
        let (status, body) = call(address, None, "GET", "/api/health", None).await;
        let health: Value = serde_json::from_slice(&body).expect("json");
        assert_eq!((status, &health["store"]["ok"]), (200, &json!(has_room)));
        assert_eq!(health["status"], "degraded", "no engine lives here");
        let operations = json_of(address, &admin, "GET", "/api/operations", None).await;
        assert_eq!(operations["sistem"]["skladiste"], problem);
    }
}
