//! One worker's slow runs leave a slot to the others, whoever asks for what: a person or a schedule.

use std::time::Duration;

use domain::{
    jobs::Queue,
    runs::{self, ClaimedRun, NewRun},
};
use uuid::Uuid;

use crate::world::{Report, World, eventually};

/// As long as the test looks at it.
const SLOW: &str = "select pg_sleep(600)::text as a";

/// So many slow runs of the worker, as many as the engine has slots.
async fn slow_runs(world: &World, queue: Queue) -> Vec<Uuid> {
    let slow = world.report("spor", Report { sql: SLOW, seconds: 900, ..Report::default() }).await;
    let mut runs = Vec::new();
    for _ in 0..4 {
        runs.push(world.ask(NewRun { queue, ..world.new_run(slow) }).await);
    }
    runs
}

async fn under_way(world: &World) -> i64 {
    world.count("select count(*) from report_run where status = 'running'").await
}

async fn end_all(world: &World, runs: Vec<Uuid>) {
    for run in &runs {
        world.cancel(*run).await;
    }
    for run in runs {
        world.end(run).await;
    }
}

#[tokio::test]
async fn four_slow_reports_of_one_worker_leave_a_slot_to_anothers_fast_one() {
    let world = World::new().await;
    let fast = world.report("brz", Report { sql: "select 1 as a", ..Report::default() }).await;
    let other = world.another_worker("sestra").await;
    let _engine = world.engine(&[("ENGINE_CONCURRENCY", "4")]);
    for queue in [Queue::Interactive, Queue::Scheduled] {
        let slow = slow_runs(&world, queue).await;
        eventually("her slow ones are under way", async || (under_way(&world).await == 3).then_some(())).await;
        // A person who asks for a report that nobody has asked for yet, and then the same by a schedule.
        for by in [Queue::Interactive, Queue::Scheduled] {
            let run = world.ask(NewRun { radnik_id: other, queue: by, ..world.new_run(fast) }).await;
            assert_eq!(world.end(run).await.status, "succeeded", "{queue:?} {by:?}");
            assert_eq!(under_way(&world).await, 3, "the fourth of hers waits");
        }
        // When one ends, the next one begins.
        world.cancel(slow[0]).await;
        world.end(slow[0]).await;
        eventually("the fourth begins", async || {
            let begun = world.count("select count(*) from report_run where status = 'queued'").await;
            (begun == 0).then_some(())
        })
        .await;
        end_all(&world, slow).await;
    }
}

#[tokio::test]
async fn two_slots_and_one_are_used_and_nothing_waits_for_ever() {
    let world = World::new().await;
    let report = world.report("kratak", Report { sql: "select pg_sleep(0.2)::text as a", ..Report::default() }).await;
    for slots in ["2", "1"] {
        let engine = world.engine(&[("ENGINE_CONCURRENCY", slots), ("ENGINE_POLL_SECONDS", "600")]);
        let mut runs = Vec::new();
        for n in 0..6 {
            let queue = if n % 2 == 0 { Queue::Interactive } else { Queue::Scheduled };
            runs.push(world.ask(NewRun { queue, ..world.new_run(report) }).await);
        }
        for run in runs {
            assert_eq!(world.end(run).await.status, "succeeded");
        }
        assert!(engine.stop().await);
    }
}

/// An engine as its row says: so many slots.
async fn engine(world: &World, slots: i32) {
    sqlx::query("insert into process (id, kind, version, slots) values ('engine', 'report-engine', '2.2.0', $1)")
        .bind(slots)
        .execute(&world.db.owner)
        .await
        .unwrap();
}

async fn next(world: &World) -> Option<ClaimedRun> {
    runs::claim_next(&world.db.app, "scheduled", "engine", runs::KNOWN_VERSION, 600.0).await.unwrap()
}

/// A run of the report that took so long.
async fn past(world: &World, report: i64, took: Duration) {
    let run = world.insert(&world.new_run(report)).await;
    sqlx::query(
        "update report_run set status = 'succeeded', started_at = now() - make_interval(secs => $2), finished_at = now() where id = $1",
    )
    .bind(run)
    .bind(took.as_secs_f64())
    .execute(&world.db.owner)
    .await
    .unwrap();
}

#[tokio::test]
async fn the_last_slot_is_for_what_is_soon_over() {
    let world = World::new().await;
    engine(&world, 2).await;
    let (unknown, quick, slow) = (
        world.report("nepoznat", Report::default()).await,
        world.report("brz", Report::default()).await,
        world.report("spor", Report::default()).await,
    );
    past(&world, quick, Duration::from_secs(2)).await;
    past(&world, slow, Duration::from_secs(60)).await;
    past(&world, slow, Duration::from_secs(1)).await;
    let other = world.another_worker("sestra").await;
    let first = world.insert(&world.new_run(unknown)).await;
    assert_eq!(next(&world).await.unwrap().run, first);

    let asked = async |report: i64, radnik_id: i64, queue: Queue| world.insert(&NewRun { radnik_id, queue, ..world.new_run(report) }).await;
    let mine = asked(unknown, world.radnik, Queue::Interactive).await;
    assert!(next(&world).await.is_none(), "nobody knows how long it takes, and she has one under way");
    let anothers = asked(slow, other, Queue::Interactive).await;
    assert!(next(&world).await.is_none(), "one of its last runs took a minute");
    let scheduled = asked(unknown, other, Queue::Scheduled).await;
    assert!(next(&world).await.is_none(), "nobody waits for it at a screen");
    let soon = asked(quick, world.radnik, Queue::Scheduled).await;
    let last = next(&world).await.unwrap();
    assert_eq!(last.run, soon);
    assert!(runs::finish_succeeded(&world.db.app, last.lease(), &[], &[], 0, false, None).await.unwrap());
    let persons = asked(unknown, other, Queue::Interactive).await;
    let last = next(&world).await.unwrap();
    assert_eq!(last.run, persons, "a person who has nothing under way");
    assert!(next(&world).await.is_none(), "no slot is left");

    sqlx::query("update process set slots = 3").execute(&world.db.owner).await.unwrap();
    assert!(next(&world).await.is_none(), "one is left, and none of the three is soon over");
    sqlx::query("update process set slots = 6").execute(&world.db.owner).await.unwrap();
    let mut begun = Vec::new();
    for _ in 0..3 {
        begun.push(next(&world).await.unwrap().run);
    }
    begun.sort();
    let mut waiting = vec![mine, anothers, scheduled];
    waiting.sort();
    assert_eq!(begun, waiting);
}

#[tokio::test]
async fn slots_of_engines_that_take_nothing_are_not_counted() {
    let world = World::new().await;
    engine(&world, 1).await;
    sqlx::query(
        "insert into process (id, kind, version, slots, rests, seen_at) values ('prazna', 'report-engine', '2.2.0', 8, 'drained', now()),
                ('mrtva', 'report-engine', '2.2.0', 8, null, now() - interval '5 minutes')",
    )
    .execute(&world.db.owner)
    .await
    .unwrap();
    let report = world.report("proba", Report::default()).await;
    let scheduled = world.insert(&NewRun { queue: Queue::Scheduled, ..world.new_run(report) }).await;
    assert_eq!(next(&world).await.unwrap().run, scheduled, "the only slot is for everybody");
}

#[tokio::test]
async fn engines_that_choose_at_the_same_moment_leave_the_last_slot_together() {
    let world = World::new().await;
    engine(&world, 4).await;
    let report = world.report("proba", Report::default()).await;
    for _ in 0..8 {
        world.insert(&world.new_run(report)).await;
    }
    let claimed = futures::future::join_all((0..8).map(|_| next(&world))).await;
    assert_eq!(claimed.into_iter().flatten().count(), 3, "one of the four slots is for somebody else");
}
