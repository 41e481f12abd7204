//! Engines that are killed with -9 at the worst places.

use domain::runs::NewRun;
use uuid::Uuid;

use crate::world::{EngineProcess, Report, World, eventually};

/// Of engines that are going to die. On a busy machine a shorter one would lapse under living engines too.
const SHORT_LEASE: (&str, &str) = ("ENGINE_LEASE_SECONDS", "3");

const ROWS: &str = "select x as a from generate_series(1, 2500) x";

#[tokio::test]
async fn an_engine_killed_at_any_place_is_succeeded_by_another() {
    let world = World::new().await;
    killed_at_each_place(&world, |_, extra| world.engine(extra), async |run| world.files(run).await).await;
}

/// Four engines, each killed at another place with a run in its hands; a fifth ends all four, once. `engine` starts one of a host of its
/// own, and `files` gives what is kept of a run.
pub async fn killed_at_each_place(
    world: &World,
    engine: impl Fn(&str, &[(&str, &str)]) -> EngineProcess,
    files: impl AsyncFn(Uuid) -> Vec<(String, Vec<u8>)>,
) {
    let report = world.report("proba", Report { sql: ROWS, ..Report::default() }).await;
    let places = ["query", "render", "store", "commit"];
    let engines: Vec<EngineProcess> =
        places.iter().map(|place| engine(place, &[("ENGINE_FAILPOINT", place), ("ENGINE_CONCURRENCY", "1"), SHORT_LEASE])).collect();
    let mut asked = Vec::new();
    // Each of another worker: nobody has the last slot beside another of hers.
    for place in places {
        let radnik_id = world.another_worker(place).await;
        asked.push(world.ask(NewRun { radnik_id, ..world.new_run(report) }).await);
    }
    for (engine, place) in engines.iter().zip(places) {
        engine.says(&format!("failpoint {place} reached")).await;
    }
    let _second = engine("second", &[]);
    assert_eq!(world.count("select count(*) from report_artifact").await, 0, "nothing can be fetched of a run that is not over");
    for engine in engines {
        engine.kill();
    }
    for run in asked {
        let ended = world.end(run).await;
        assert_eq!((ended.status.as_str(), ended.fence, ended.crash_count), ("succeeded", 2, 1), "{ended:?}");
        let files = files(run).await;
        let lines = String::from_utf8_lossy(&files[0].1).lines().filter(|line| line.trim().parse::<u32>().is_ok()).count();
        assert_eq!((files.len(), lines), (1, 2500));
    }
}

#[tokio::test]
async fn a_run_that_kills_three_engines_is_given_up_and_the_queue_goes_on() {
    let world = World::new().await;
    let report = world.report("otrovan", Report { sql: ROWS, ..Report::default() }).await;
    let poison = world.ask(world.new_run(report)).await;
    for crash in 1..=3 {
        let engine = world.engine(&[("ENGINE_FAILPOINT", "render"), SHORT_LEASE]);
        engine.says("failpoint render reached").await;
        assert_eq!(world.row(poison).await.crash_count, crash - 1);
        engine.kill();
    }
    let _healthy = world.engine(&[]);
    let next = world.ask(world.new_run(report)).await;
    let ended = world.end(poison).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref(), ended.crash_count), ("failed", Some("poison"), 3), "{ended:?}");
    assert_eq!(world.end(next).await.status, "succeeded");
}

#[tokio::test]
async fn the_statement_of_a_killed_engine_ends_on_the_server() {
    let world = World::new().await;
    let report = world.report("dug", Report { sql: "select pg_sleep(600)::text as a", seconds: 1800, ..Report::default() }).await;
    let engine = world.engine(&[]);
    let run = world.ask(world.new_run(report)).await;
    eventually("the statement runs", async || (world.backends(run).await == 1).then_some(())).await;
    engine.kill();
    let killed = std::time::Instant::now();
    eventually("the server notices", async || (world.backends(run).await == 0).then_some(())).await;
    assert!(killed.elapsed().as_secs() < 15, "it took {:?}", killed.elapsed());
}

/// Two engines that share a queue: many runs, one of the engines killed in the middle.
#[tokio::test]
async fn every_run_of_a_full_queue_ends_once_though_an_engine_dies() {
    let world = World::new().await;
    let report =
        world.report("proba", Report { sql: "select x as a from generate_series(1, 50) x, pg_sleep(0.002)", ..Report::default() }).await;
    let mut asked = Vec::new();
    for _ in 0..40 {
        asked.push(world.ask(NewRun { ..world.new_run(report) }).await);
    }
    let (first, _second) = (world.engine(&[SHORT_LEASE]), world.engine(&[SHORT_LEASE]));
    first.says("run succeeded").await;
    first.kill();
    for run in asked {
        let ended = world.end(run).await;
        assert_eq!(ended.status, "succeeded", "{ended:?}");
        assert_eq!(i64::from(ended.crash_count) + 1, ended.fence, "each attempt beyond the first followed a crash: {ended:?}");
        assert_eq!(world.files(run).await.len(), 1);
    }
}
