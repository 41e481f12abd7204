//! An engine that takes nothing new: since an operator empties it, or since what it makes could not be handed out.

use serde_json::Value;
use uuid::Uuid;

use crate::world::{EngineProcess, Report, World, eventually};

/// The engine's name, as its row and its log know it.
async fn name_of(engine: &EngineProcess) -> String {
    engine.says("report engine started").await;
    let log = engine.log();
    let at = log.find("report-engine-").expect("it says its name");
    log[at..at + "report-engine-".len() + 32].to_owned()
}

async fn drain(world: &World, engine: &str, drained: bool) {
    let mut tx = domain::db::begin(&world.db.app, world.radnik).await.unwrap();
    sqlx::query("update process set drained_at = case when $2 then now() end where id = $1")
        .bind(engine)
        .bind(drained)
        .execute(&mut *tx)
        .await
        .unwrap();
    sqlx::query("insert into maintenance_request (vrsta, cilj, radnik_id) values ('praznjenje', $1, $2)")
        .bind(engine)
        .bind(world.radnik)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_engine_that_is_emptied_ends_what_it_has_and_leaves_the_rest_to_others() {
    let world = World::new().await;
    let slow = world.report("spor", Report { sql: "select pg_sleep(3)::text as a", ..Report::default() }).await;
    let quick = world.report("brz", Report::default()).await;
    let emptied = world.engine(&[]);
    let name = name_of(&emptied).await;
    let under_way = world.ask(world.new_run(slow)).await;
    world.wait_running(under_way).await;
    drain(&world, &name, true).await;
    emptied.says("the engine takes nothing new").await;

    let waiting = world.ask(world.new_run(quick)).await;
    assert_eq!(world.end(under_way).await.status, "succeeded", "what it has it ends");
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert_eq!(world.row(waiting).await.status, "queued", "it takes neither what Redis calls about nor what the poll finds");

    let other = world.engine(&[]);
    other.says("report engine started").await;
    assert_eq!(world.end(waiting).await.status, "succeeded");
    assert!(!emptied.log().contains(&waiting.to_string()));
    drop(other);

    drain(&world, &name, false).await;
    emptied.says("the engine takes jobs again").await;
    let again = world.ask(world.new_run(quick)).await;
    assert_eq!(world.end(again).await.status, "succeeded");
}

#[tokio::test]
async fn an_engine_with_another_folder_than_the_api_takes_no_run_and_says_so() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    sqlx::query("insert into process (id, kind, version, store) values ('api-1', 'api', '1', gen_random_uuid())")
        .execute(&world.db.owner)
        .await
        .unwrap();
    let engine = world.engine(&[]);
    engine.says("other_store").await;
    let run = world.ask(world.new_run(report)).await;
    let rests = world.count("select count(*) from process where kind = 'report-engine' and rests = 'other_store' and slots = 2").await;
    assert_eq!((rests, world.row(run).await.status.as_str()), (1, "queued"));

    sqlx::query("update process a set store = e.store from process e where a.kind = 'api' and e.kind = 'report-engine'")
        .execute(&world.db.owner)
        .await
        .unwrap();
    engine.says("the engine takes jobs again").await;
    assert_eq!(world.end(run).await.status, "succeeded");
}

#[tokio::test]
async fn an_engine_without_room_for_files_leaves_runs_waiting() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let engine = world.engine(&[("STORE_MIN_FREE_MB", "999999999")]);
    engine.says("full_store").await;
    let run = world.ask(world.new_run(report)).await;
    eventually("it has looked for work", async || {
        (world.count("select count(*) from process where seen_at > started_at + interval '4 seconds'").await == 1).then_some(())
    })
    .await;
    assert_eq!(world.row(run).await.status, "queued", "rather than failed");
}

#[tokio::test]
async fn a_line_of_an_engine_names_the_run_the_call_and_the_worker_and_nobody_by_name() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let engine = world.engine(&[("LOG_FORMAT", "json")]);
    let mut new = world.new_run(report);
    new.emails = vec!["pera@bolnica.test".to_owned()];
    new.id = Uuid::now_v7();
    let run = domain::request_id::within("zahtev-42".to_owned(), async {
        let mut tx = domain::db::begin(&world.db.app, world.radnik).await.unwrap();
        let run = domain::runs::insert(&mut tx, &new, None).await.unwrap().expect("a new run");
        tx.commit().await.unwrap();
        run
    })
    .await;
    assert_eq!(world.end(run).await.status, "succeeded");
    engine.says("run succeeded").await;
    let log = engine.log();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let end = lines.iter().find(|line| line["message"] == "run succeeded").expect("the end is told");
    assert_eq!(end["spans"][0]["run"], run.to_string());
    assert_eq!((&end["spans"][0]["zahtev"], &end["spans"][0]["radnik"]), (&Value::from("zahtev-42"), &Value::from(world.radnik)));
    for private in ["pera@", "Željka", "Đurić"] {
        assert!(!log.contains(private), "{private}");
    }
}

#[tokio::test]
async fn a_log_that_is_no_terminal_holds_no_codes_of_colours() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let engine = world.engine(&[]);
    let run = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    engine.says("run succeeded").await;
    assert!(!engine.log().contains('\u{1b}'), "{}", engine.log());
}
