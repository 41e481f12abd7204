//! The maintenance area: what it lists, what it asks of all processes.

use accounts::rights::Right;
use domain::{
    maintenance::{self, Request},
    process::PoolUse,
};
use serde_json::json;
use tokio::sync::mpsc;

use crate::{reports::eventually, support::TestApp};

#[tokio::test]
async fn maintenance_needs_its_right() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    for (method, path) in [
        ("GET", "/api/jasperi"),
        ("POST", "/api/obrisi-jasper"),
        ("GET", "/api/konekcije"),
        ("POST", "/api/ciscenje-pula-konekcija"),
        ("POST", "/api/reload-parametara"),
    ] {
        lekar.call(method, path, None).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
    }
}

#[tokio::test]
async fn who_configures_reports_may_list_the_templates_and_drop_none() {
    let app = TestApp::new().await;
    let author = app.worker("autor", &[Right::ReportSetup], app.ustanova).await;
    author.get("/api/jasperi").await.assert_status(200);
    author.post("/api/obrisi-jasper", json!({ "putanjaJaspera": "" })).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
}

#[tokio::test]
async fn the_api_closes_its_own_idle_connections_when_asked() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let held: Vec<_> =
        [app.db.app.acquire().await.unwrap(), app.db.app.acquire().await.unwrap(), app.db.app.acquire().await.unwrap()].into();
    drop(held);
    app.state
        .process
        .heartbeat(&app.db.app, &domain::process::HeartbeatReport { pools: app.state.pools(), ..Default::default() })
        .await
        .unwrap();
    eventually("connections are idle again", async || (app.db.app.num_idle() >= 3).then_some(())).await;
    tokio::spawn(api::maintenance::attend(app.state.clone()));
    listening(&app, "regix-api-odrzavanje").await;
    admin.post("/api/ciscenje-pula-konekcija", json!({ "dataSource": "api" })).await.assert_status(204);
    // What the request itself and the check use comes and goes.
    eventually("the idle ones are closed", async || (app.db.app.size() <= 1).then_some(())).await;
}

/// Listens as a process does.
async fn attending(app: &TestApp) -> mpsc::UnboundedReceiver<Request> {
    let (sender, receiver) = mpsc::unbounded_channel();
    let url = app.db.app_url.clone();
    tokio::spawn(async move {
        maintenance::attend(&url, "proba-odrzavanje", |request| {
            let heard = sender.send(request).is_ok();
            async move { assert!(heard, "the test has ended") }
        })
        .await;
    });
    listening(app, "proba-odrzavanje").await;
    receiver
}

async fn listening(app: &TestApp, application_name: &str) {
    let ask = "select exists (select from pg_stat_activity where application_name = $1 and datname = current_database() and query ilike 'listen%')";
    eventually("the process listens", async || {
        let listening: bool = sqlx::query_scalar(ask).bind(application_name).fetch_one(&app.db.owner).await.unwrap();
        listening.then_some(())
    })
    .await;
}

#[tokio::test]
async fn requests_reach_every_process_and_the_log() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let mut heard = attending(&app).await;
    admin.post("/api/obrisi-jasper", json!({ "putanjaJaspera": "" })).await.assert_status(204);
    assert_eq!(heard.recv().await, Some(Request::Jasper(String::new())));
    admin.post("/api/reload-parametara", json!({})).await.assert_status(204);
    assert_eq!(heard.recv().await, Some(Request::Parametri(String::new())));
    admin.post("/api/obrisi-jasper", json!({ "putanjaJaspera": "reports/nema-ga.hbs" })).await.assert_status(404);
    admin.post("/api/obrisi-jasper", json!({ "putanjaJaspera": "../../etc/passwd" })).await.assert_status(404);

    let log: Vec<(i64, String)> =
        sqlx::query_as("select radnik_id, opis from audit_log where klasa = 'maintenance_request' order by vreme_pristupa")
            .fetch_all(&app.db.owner)
            .await
            .unwrap();
    assert_eq!(log, [(admin.id, "jasper".to_owned()), (admin.id, "parametri".to_owned())]);
}

#[tokio::test]
async fn templates_are_listed_by_the_path_that_drops_them() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let mut heard = attending(&app).await;
    let listed = admin.get("/api/jasperi").await.json();
    let templates = listed["data"].as_array().unwrap();
    assert_eq!(listed["total"], templates.len());
    let Some(first) = templates.first() else { return };
    let naziv = first["naziv"].as_str().unwrap();
    assert_eq!(first["putanja"], json!(format!("reports/{naziv}.hbs")));
    admin.post("/api/obrisi-jasper", json!({ "putanjaJaspera": first["putanja"] })).await.assert_status(204);
    assert_eq!(heard.recv().await, Some(Request::Jasper(naziv.to_owned())));
}

#[tokio::test]
async fn the_pools_of_living_processes_are_listed_and_cleaned_by_name() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let pools = serde_json::to_value([PoolUse { naziv: "regix_app".into(), zauzeto: 2, najvise: 8 }]).unwrap();
    for (id, age) in [("engine-1", "1 second"), ("engine-0", "1 hour")] {
        sqlx::query("insert into process (id, kind, version, seen_at, pools) values ($1, 'report-engine', '1', now() - $2::interval, $3)")
            .bind(id)
            .bind(age)
            .bind(&pools)
            .execute(&app.db.owner)
            .await
            .unwrap();
    }
    let listed = admin.get("/api/konekcije").await.json();
    assert_eq!(listed["data"], json!([{ "naziv": "engine-1/regix_app", "zauzeto": 2, "najvise": 8 }]));

    let mut heard = attending(&app).await;
    let clean = async |source: &str| admin.post("/api/ciscenje-pula-konekcija", json!({ "dataSource": source })).await;
    clean("  ").await.assert_error(422, Some("dataSource"), "Niste uneli naziv izvora podataka.");
    clean("engine-0/regix_app").await.assert_error(422, Some("dataSource"), "Izvor podataka sa tim nazivom ne postoji.");
    clean("engine-1/regix_app").await.assert_status(204);
    assert_eq!(heard.recv().await, Some(Request::Konekcija("engine-1/regix_app".into())));
    clean("regix_app").await.assert_status(204);
    assert_eq!(heard.recv().await, Some(Request::Konekcija("regix_app".into())));
}
