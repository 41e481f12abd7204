//! Engines of two versions at one queue: nobody carries out what he does not know.

use domain::runs::KNOWN_VERSION;

use crate::world::{Report, World, eventually};

async fn needs(world: &World, run: uuid::Uuid, version: i32) {
    sqlx::query("update report_run set needs = $2 where id = $1").bind(run).bind(version).execute(&world.db.owner).await.unwrap();
}

#[tokio::test]
async fn an_old_engine_leaves_the_runs_of_a_new_api_to_a_new_engine() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let newer = world.insert(&world.new_run(report)).await;
    needs(&world, newer, KNOWN_VERSION + 1).await;
    let old = world.engine(&[("ENGINE_KNOWS", &KNOWN_VERSION.to_string())]);
    world.announce(newer, domain::jobs::Queue::Interactive).await;
    let known = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(known).await.status, "succeeded", "what it does not know holds up nothing");
    eventually("it says what it knows", async || {
        let sql = format!("select count(*) from process where knows = {KNOWN_VERSION} and last_work_at is not null");
        (world.count(&sql).await == 1).then_some(())
    })
    .await;
    let left = world.row(newer).await;
    assert_eq!((left.status.as_str(), left.fence), ("queued", 0));
    let _new = world.engine(&[("ENGINE_KNOWS", &(KNOWN_VERSION + 1).to_string())]);
    assert_eq!(world.end(newer).await.status, "succeeded");
    assert!(!old.log().contains(&newer.to_string()));
}

/// An old api writes no version: its runs are of the one that the schema asks for.
#[tokio::test]
async fn a_new_engine_takes_the_runs_of_an_old_api() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let _new = world.engine(&[("ENGINE_KNOWS", "7")]);
    let run = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    assert!(world.count("select needs::bigint from report_run").await <= i64::from(KNOWN_VERSION));
}
