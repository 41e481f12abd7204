//! The real programs on ground that turns wrong under them: each says so and begins nothing, and goes on once it is right again.

use std::time::Duration;

use domain::standing::{Ground, Precondition, Watch};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::{
    Report, eventually,
    place::{Place, ask},
};

const EACH_SECOND: [(&str, &str); 1] = [("STANDING_SECONDS", "1")];

async fn as_owner(place: &Place, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&place.app.db.owner).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// The status of `/api/health/ready`, and what is not so.
async fn ready(address: &str) -> (u16, Vec<String>) {
    let answer = reqwest::get(format!("{address}/api/health/ready")).await.expect("the api answers");
    let status = answer.status().as_u16();
    let body: Value = serde_json::from_slice(&answer.bytes().await.expect("a body")).expect("json");
    (status, serde_json::from_value(body["fails"].clone()).expect("sentences"))
}

async fn status(place: &Place, run: Uuid) -> String {
    sqlx::query_scalar("select status from report_run where id = $1").bind(run).fetch_one(&place.app.db.owner).await.unwrap()
}

async fn living(place: &Place, kind: &str) -> i64 {
    sqlx::query_scalar("select count(*) from process where kind = $1").bind(kind).fetch_one(&place.app.db.owner).await.unwrap()
}

struct Wrong<'a> {
    made: &'a str,
    mended: &'a str,
    told: &'a str,
    /// It is the scheduler's ground, too.
    of_all: bool,
}

#[tokio::test]
async fn programs_on_ground_that_turns_wrong_take_nothing_and_go_on_once_it_is_right() {
    let place = Place::new().await;
    let lekar = place.app.lekar().await;
    let report = Report::plain(&place.app.db).await;
    let mut request = report.request(&lekar, json!({}));
    request["formati"] = json!(["CSV"]);
    let (_api, address) = place.api_with(&EACH_SECOND).await;
    let quick: Vec<_> = EACH_SECOND.into_iter().chain([("ENGINE_POLL_SECONDS", "1")]).collect();
    let later = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
                     select 9999, 'later', true, checksum, 0 from _sqlx_migrations limit 1;
                 create or replace function serves_programs_from() returns int language sql immutable as $$ select 9999 $$";
    let before = "delete from _sqlx_migrations where version = 9999;
                  create or replace function serves_programs_from() returns int language sql immutable as $$ select 1 $$";
    for wrong in [
        Wrong { made: later, mended: before, told: "schema", of_all: true },
        Wrong {
            made: "grant select on worker to regix_report",
            mended: "revoke select on worker from regix_report",
            told: "reads report views and nothing else",
            of_all: false,
        },
    ] {
        let (mut engine, mut scheduler) = (place.start("report-engine", &[], &quick), place.start("scheduler", &[], &EACH_SECOND));
        let run = ask(&address, &lekar, &request).await;
        eventually("the engine works", async || (status(&place, run).await == "succeeded").then_some(())).await;

        as_owner(&place, wrong.made).await;
        eventually("the api is not ready", async || (ready(&address).await.0 == 503).then_some(())).await;
        let (_, fails) = ready(&address).await;
        assert!(fails.len() == 1 && fails[0].contains(wrong.told), "{fails:?}");
        assert!(!engine.ended().await, "the engine ends, and not as if all were well");
        if wrong.of_all {
            assert!(!scheduler.ended().await, "so does the scheduler");
        }
        // Whoever starts them again gets the same answer, and what is asked for meanwhile waits.
        let waiting = ask(&address, &lekar, &request).await;
        assert!(!place.start("report-engine", &[], &quick).ended().await, "it does not start there");
        assert_eq!(status(&place, waiting).await, "queued");
        if wrong.of_all {
            assert_eq!(living(&place, "report-engine").await, 0, "health misses it at once");
        }

        as_owner(&place, wrong.mended).await;
        eventually("the same api is ready", async || (ready(&address).await.0 == 200).then_some(())).await;
        let _engine = place.start("report-engine", &[], &quick);
        eventually("what has waited is done", async || (status(&place, waiting).await == "succeeded").then_some(())).await;
    }
}

/// Between the first look that finds it wrong and the second an engine lives and begins nothing: seen through its own figures of the ground.
#[tokio::test]
async fn an_engine_begins_nothing_between_the_two_looks_that_end_it() {
    let place = Place::new().await;
    let lekar = place.app.lekar().await;
    let report = Report::plain(&place.app.db).await;
    let mut request = report.request(&lekar, json!({}));
    request["formati"] = json!(["CSV"]);
    let (_api, address) = place.api(&place.redis_url).await;
    let metrics = format!("127.0.0.1:{}", domain::testing::free_port());
    let mut engine =
        place.start("report-engine", &[], &[("STANDING_SECONDS", "6"), ("ENGINE_POLL_SECONDS", "1"), ("METRICS_BIND", &metrics)]);
    let figures = async || reqwest::get(format!("http://{metrics}/metrics")).await.ok()?.text().await.ok();
    let stands = |figures: &str, number: &str| {
        figures.lines().any(|line| line.starts_with("regix_standing") && line.contains("\"report_role\"") && line.ends_with(number))
    };
    eventually("it stands well", async || figures().await.filter(|figures| stands(figures, " 1.0")).map(|_| ())).await;
    as_owner(&place, "grant select on worker to regix_report").await;
    eventually("it has seen it", async || figures().await.filter(|figures| stands(figures, " 0.0")).map(|_| ())).await;
    let run = ask(&address, &lekar, &request).await;
    assert!(!engine.ended().await);
    assert_eq!(status(&place, run).await, "queued", "neither Redis nor its own looking around made it begin");
}

#[tokio::test]
async fn what_a_redis_may_lose_is_told_on_the_screen_of_operators() {
    let place = Place::new().await;
    let ground = Ground { redis_url: place.redis_url.clone(), ..Ground::of(&place.app.state.config, None) };
    let watching = tokio::spawn({
        let watch: Watch = place.app.state.vitals.watch.clone();
        async move { watch.until_forbidden(&ground, Duration::from_millis(50)).await }
    });
    let admin = place.app.admin().await;
    let told = async || -> Vec<String> {
        serde_json::from_value(admin.get("/api/operations").await.json()["sistem"]["podloga"].clone()).expect("codes")
    };
    eventually("its disk is told", async || (told().await == [Precondition::RedisDisk.code()]).then_some(())).await;
    let mut redis = redis::Client::open(place.redis_url.as_str()).unwrap().get_multiplexed_async_connection().await.unwrap();
    let mut set = async |name: &str, value: &str| {
        let () = redis::cmd("CONFIG").arg("SET").arg(name).arg(value).query_async(&mut redis).await.unwrap();
    };
    set("save", "3600 1").await;
    eventually("snapshots are enough", async || told().await.is_empty().then_some(())).await;
    set("maxmemory-policy", "allkeys-lru").await;
    eventually("its memory is told", async || (told().await == [Precondition::RedisMemory.code()]).then_some(())).await;
    watching.abort();
}
