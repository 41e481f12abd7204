//! The api process is killed between the commit of a run and the call that would wake an engine.

use std::net::TcpListener;

use serde_json::json;
use uuid::Uuid;

use super::{
    Report, eventually,
    place::{Place, ask},
};

#[derive(Debug, PartialEq, sqlx::FromRow)]
struct Run {
    status: String,
    attempt: i32,
    fence: i64,
    told: bool,
    files: i64,
}

async fn runs(place: &Place) -> Vec<Run> {
    sqlx::query_as(
        "select status, attempt, fence, dispatched_at is not null as told,
                (select count(*) from report_artifact a where a.run_id = r.id) as files from report_run r",
    )
    .fetch_all(&place.app.db.owner)
    .await
    .expect("the runs")
}

#[tokio::test]
async fn a_run_whose_api_was_killed_before_it_told_redis_happens_exactly_once() {
    let place = Place::new().await;
    let lekar = place.app.lekar().await;
    let report = Report::plain(&place.app.db).await;
    let mut request = report.request(&lekar, json!({}));
    request["formati"] = json!(["CSV"]);
    request["kljuc"] = json!(Uuid::now_v7());

    // A Redis that takes connections and never says a word: the push cannot end, so the kill comes before its end.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let (api, address) = place.api(&format!("redis://{}", silent.local_addr().expect("an address"))).await;
    let run = ask(&address, &lekar, &request).await;
    api.kill();
    let waiting = Run { status: "queued".into(), attempt: 0, fence: 0, told: false, files: 0 };
    assert_eq!(runs(&place).await, [waiting], "committed, and nobody was told");

    // The client has had an answer that a dying process may as well have swallowed: it asks another process again.
    let (next, address) = place.api(&place.redis_url).await;
    assert_eq!(ask(&address, &lekar, &request).await, run, "the same run");
    assert_eq!(runs(&place).await.len(), 1);

    let _schedulers = [place.start("scheduler", &[], &[]), place.start("scheduler", &[], &[])];
    eventually("the sweep tells", async || (runs(&place).await[0].told && place.calls().await == 1).then_some(())).await;
    let _engines = [place.start("report-engine", &[], &[]), place.start("report-engine", &[], &[])];
    eventually("the run ends", async || (runs(&place).await[0].status == "succeeded").then_some(())).await;
    let once = Run { status: "succeeded".into(), attempt: 1, fence: 1, told: true, files: 1 };
    assert_eq!(runs(&place).await, [once]);
    next.kill();
}
