//! Cancelling: the statement ends on the server, the run ends once, whatever the moment.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use domain::runs::{self, Artifact, Cancel};
use futures::future::join_all;

use crate::world::{Report, World, eventually};

const ENDLESS: &str = "select pg_sleep(600)::text as a";

#[tokio::test]
async fn a_cancelled_statement_is_gone_from_the_server_within_seconds() {
    let world = World::new().await;
    let report = world.report("dug", Report { sql: ENDLESS, seconds: 1800, ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let run = world.ask(world.new_run(report)).await;
    eventually("the statement runs", async || (world.backends(run).await == 1).then_some(())).await;
    let noted = format!(
        "select count(*) from report_run r join pg_stat_activity a on a.pid = r.backend_pid
          where r.id = '{run}' and a.application_name = 'run:{run}' and length(r.template_sha) = 32"
    );
    assert_eq!(world.count(&noted).await, 1, "its row says which process of the server it is, and what template it follows");
    let asked = Instant::now();
    assert_eq!(world.cancel(run).await, Cancel::Asked);
    let ended = world.end(run).await;
    assert_eq!(ended.status, "cancelled", "{ended:?}");
    assert_eq!(world.backends(run).await, 0, "the run is over only when its statement is");
    assert!(asked.elapsed() < Duration::from_secs(8), "it took {:?}", asked.elapsed());
    assert_eq!(world.count("select count(*) from report_scope").await, 0);
    assert_eq!(world.cancel(run).await, Cancel::Ended);
    assert_eq!(world.published().len(), 0);
}

/// The same code of the server as a statement that ran out of time, and another story for the reader.
#[tokio::test]
async fn a_statement_that_an_administrator_cancels_is_not_said_to_have_taken_too_long() {
    let world = World::new().await;
    let report = world.report("dug", Report { sql: ENDLESS, seconds: 1800, ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let run = world.ask(world.new_run(report)).await;
    let cancel = format!(
        "select count(pg_cancel_backend(pid)) from pg_stat_activity where application_name = 'run:{run}' and state = 'active' and query like 'fetch%'"
    );
    eventually("the statement is cancelled", async || (world.count(&cancel).await == 1).then_some(())).await;
    let ended = world.end(run).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("interrupted")), "{ended:?}");
    assert!(ended.error_text.as_deref().is_some_and(|text| text.contains("Administrator baze podataka je prekinuo")), "{ended:?}");
}

#[tokio::test]
async fn a_cancel_that_was_not_heard_is_seen_by_the_next_beat() {
    let world = World::new().await;
    let report = world.report("dug", Report { sql: ENDLESS, seconds: 1800, ..Report::default() }).await;
    let _engine = world.engine(&[("ENGINE_LEASE_SECONDS", "3")]);
    let run = world.ask(world.new_run(report)).await;
    eventually("the statement runs", async || (world.backends(run).await == 1).then_some(())).await;
    // As if the announcement had been lost with its connection.
    sqlx::query("alter table report_run disable trigger report_run_cancel_wake").execute(&world.db.owner).await.unwrap();
    world.cancel(run).await;
    assert_eq!(world.end(run).await.status, "cancelled");
    assert_eq!(world.backends(run).await, 0);
}

#[tokio::test]
async fn a_run_that_waits_is_cancelled_at_once_and_never_starts() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let run = world.insert(&world.new_run(report)).await;
    assert_eq!(world.cancel(run).await, Cancel::Done);
    let other = world.ask(world.new_run(report)).await;
    let _engine = world.engine(&[]);
    assert_eq!(world.end(other).await.status, "succeeded");
    let row = world.row(run).await;
    assert_eq!((row.status.as_str(), row.attempt), ("cancelled", 0));
}

/// Success and cancel at the same moment: exactly one of them is what happened, and both sides know it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancel_and_success_never_both_win() {
    let world = Arc::new(World::new().await);
    let report = world.report("proba", Report::default()).await;
    let races = (0..200).map(|_| {
        let world = world.clone();
        async move {
            let run = world.insert(&world.new_run(report)).await;
            let lease =
                runs::claim(&world.db.app, run, "engine", runs::KNOWN_VERSION, 60.0).await.unwrap().expect("a new run is free").lease();
            let file = Artifact { format: "CSV".to_owned(), path: format!("{run}.csv"), bytes: 1, sha256: vec![0], rows: 1 };
            let success = async {
                let done = runs::finish_succeeded(&world.db.app, lease, &[file], &[], 1, false, None).await.unwrap();
                done || !runs::finish_cancelled(&world.db.app, lease).await.unwrap()
            };
            let (succeeded, cancel) = tokio::join!(success, world.cancel(run));
            (run, succeeded, cancel)
        }
    });
    let mut cancelled = 0;
    for (run, succeeded, cancel) in join_all(races).await {
        let row = world.row(run).await;
        let expected = if succeeded { ("succeeded", Cancel::Ended) } else { ("cancelled", Cancel::Asked) };
        assert_eq!((row.status.as_str(), cancel), expected, "{row:?}");
        let files = world.count(&format!("select count(*) from report_artifact where run_id = '{run}'")).await;
        assert_eq!(files, i64::from(succeeded));
        cancelled += u32::from(!succeeded);
    }
    assert!(cancelled < 200, "no race was won by success: the race is no race");
}

#[tokio::test]
async fn cancelling_a_live_engine_at_any_moment_leaves_files_only_with_success() {
    let world = World::new().await;
    let report = world
        .report("proba", Report { sql: "select x as a from generate_series(1, 3000) x, pg_sleep(0.00001)", ..Report::default() })
        .await;
    let _engine = world.engine(&[]);
    let mut runs_asked = Vec::new();
    for number in 0..24u64 {
        let run = world.ask(world.new_run(report)).await;
        tokio::time::sleep(Duration::from_millis(number * 5)).await;
        let said = world.cancel(run).await;
        runs_asked.push((run, said));
    }
    let mut succeeded = 0;
    for (run, said) in runs_asked {
        let ended = world.end(run).await;
        let expected = if said == Cancel::Ended { "succeeded" } else { "cancelled" };
        assert_eq!(ended.status, expected, "{said:?} {ended:?}");
        let files = world.files(run).await.len();
        assert_eq!(files, usize::from(expected == "succeeded"));
        succeeded += files;
    }
    eventually("files without a row are gone", async || (world.published().len() == succeeded).then_some(())).await;
}
