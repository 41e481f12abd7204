//! Whose run is next: nobody's many runs keep another's waiting, and what people wait for goes before what a schedule made.

use std::{
    collections::{BTreeMap, HashSet},
    time::{Duration, Instant},
};

use domain::{
    jobs::Queue,
    runs::{self, ClaimedRun, NewRun},
};
use futures::future::join_all;
use uuid::Uuid;

use crate::world::{Report, World};

/// Runs in the order in which they were begun.
async fn begun(world: &World) -> Vec<Uuid> {
    sqlx::query_scalar("select id from report_run where started_at is not null order by started_at")
        .fetch_all(&world.db.owner)
        .await
        .unwrap()
}

fn place(begun: &[Uuid], run: Uuid) -> usize {
    begun.iter().position(|other| *other == run).expect("the run was begun")
}

#[tokio::test]
async fn twenty_slow_runs_of_one_worker_do_not_keep_anothers_waiting() {
    let world = World::new().await;
    let slow = world.report("spor", Report { sql: "select pg_sleep(0.4)::text as a", ..Report::default() }).await;
    let other = world.another_worker("sestra").await;
    let mut many = Vec::new();
    for _ in 0..20 {
        many.push(world.ask(world.new_run(slow)).await);
    }
    let mut one = world.new_run(slow);
    one.radnik_id = other;
    let one = world.ask(one).await;
    let _engine = world.engine(&[("ENGINE_CONCURRENCY", "1")]);
    world.end(one).await;
    let place = place(&begun(&world).await, one);
    assert!(place <= 2, "{place} runs of the other worker were begun before hers");
    for run in many {
        world.cancel(run).await;
    }
}

/// Claims for a slot that schedules may use, without an engine.
async fn next(world: &World) -> Option<ClaimedRun> {
    runs::claim_next(&world.db.app, "scheduled", "engine", runs::KNOWN_VERSION, 600.0).await.unwrap()
}

async fn next_id(world: &World) -> Uuid {
    next(world).await.expect("a run waits").run
}

/// Asks for a run of this worker, so many minutes ago.
async fn asked(world: &World, report: i64, radnik: i64, queue: Queue, minutes: i32) -> Uuid {
    let run = world.insert(&NewRun { radnik_id: radnik, queue, ..world.new_run(report) }).await;
    sqlx::query("update report_run set created_at = now() - make_interval(mins => $2) where id = $1")
        .bind(run)
        .bind(minutes)
        .execute(&world.db.owner)
        .await
        .unwrap();
    run
}

#[tokio::test]
async fn what_people_wait_for_goes_first_and_a_schedule_that_has_waited_long_goes_with_it() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let (lekar, sestra) = (world.radnik, world.another_worker("sestra").await);
    let scheduled = asked(&world, report, sestra, Queue::Scheduled, 9).await;
    let interactive = asked(&world, report, lekar, Queue::Interactive, 0).await;
    let long_waiting = asked(&world, report, sestra, Queue::Scheduled, 11).await;
    let narrow = runs::claim_next(&world.db.app, "interactive", "engine", runs::KNOWN_VERSION, 600.0).await.unwrap().expect("a run waits");
    assert_eq!((narrow.run, narrow.queue.as_str()), (interactive, "interactive"), "a slot that schedules leave free stays free of them");
    assert!(runs::claim_next(&world.db.app, "interactive", "engine", runs::KNOWN_VERSION, 600.0).await.unwrap().is_none());

    let second = asked(&world, report, lekar, Queue::Interactive, 0).await;
    assert_eq!(next_id(&world).await, long_waiting, "its worker has nothing under way, the other has");
    assert_eq!(next_id(&world).await, second);
    assert_eq!(next_id(&world).await, scheduled);
}

#[tokio::test]
async fn among_equals_the_worker_and_then_the_institution_with_the_least_under_way_is_next() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let (first, second, third) = (world.radnik, world.another_worker("sestra").await, world.another_worker("lekar2").await);
    let mut tx = system(&world).await;
    let other: i64 = sqlx::query_scalar("insert into institution (naziv) values ('Druga') returning id").fetch_one(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let mut firsts = Vec::new();
    for minutes in [9, 8, 7] {
        firsts.push(asked(&world, report, first, Queue::Interactive, minutes).await);
    }
    let seconds = asked(&world, report, second, Queue::Interactive, 2).await;
    let elsewhere = world.insert(&NewRun { radnik_id: third, ustanova_id: other, ..world.new_run(report) }).await;

    assert_eq!(next_id(&world).await, firsts[0], "the oldest, while nobody has anything under way");
    assert_eq!(next_id(&world).await, elsewhere, "its institution has nothing under way, though it is the youngest");
    assert_eq!(next_id(&world).await, seconds);
    assert_eq!(next_id(&world).await, firsts[1]);
}

async fn system(world: &World) -> sqlx::Transaction<'static, sqlx::Postgres> {
    domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap()
}

#[tokio::test]
async fn a_run_that_is_put_off_holds_up_nobody() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    for _ in 0..12 {
        let run = asked(&world, report, world.radnik, Queue::Interactive, 5).await;
        sqlx::query("update report_run set not_before = now() + interval '1 hour' where id = $1")
            .bind(run)
            .execute(&world.db.owner)
            .await
            .unwrap();
    }
    let due = asked(&world, report, world.radnik, Queue::Interactive, 1).await;
    assert_eq!(next_id(&world).await, due);
    assert!(next(&world).await.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn engines_that_ask_at_the_same_moment_all_find_a_run_of_the_only_worker() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    for _ in 0..8 {
        world.insert(&world.new_run(report)).await;
    }
    let claimed = join_all((0..8).map(|_| next(&world))).await;
    let runs: HashSet<Uuid> = claimed.into_iter().flatten().map(|claimed| claimed.run).collect();
    assert_eq!(runs.len(), 8, "each of them another run");
}

/// Twenty thousand runs, five hundred of each of forty workers of two institutions: every so many somebody waits for, the rest are of
/// schedules.
async fn twenty_thousand(world: &World, interactive_every: i32) {
    let report = world.report("proba", Report::default()).await;
    let mut tx = system(world).await;
    sqlx::query(
        "with other as (insert into institution (naziv) values ('Druga') returning id)
         insert into worker (username, ime, prezime, ustanova_id)
         select 'radnik' || n, 'Radnik', 'Broj', case when n <= 20 then $1 else other.id end from other, generate_series(1, 40) n",
    )
    .bind(world.ustanova)
    .execute(&mut *tx)
    .await
    .unwrap();
    // The first worker's come first, all of them, and so on.
    sqlx::query(
        "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, queue, formati, created_at)
         select gen_random_uuid(), $1, w.id, w.ustanova_id, case when n % $2 = 0 then 'interactive' else 'scheduled' end, '{CSV}',
                now() - interval '5 minutes' + make_interval(secs => w.id * 0.1 + n * 0.0001)
           from worker w, generate_series(1, 500) n where w.username like 'radnik%'",
    )
    .bind(report)
    .bind(interactive_every)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    sqlx::query("analyze report_run").execute(&world.db.owner).await.unwrap();
}

/// One slot, so that nothing is ever under way when the next one is chosen: turns are all that keeps the order.
#[tokio::test]
async fn of_forty_workers_with_twenty_thousand_runs_none_waits_for_more_than_the_others_turns() {
    let world = World::new().await;
    twenty_thousand(&world, 4).await;
    let started = Instant::now();
    for round in 0..5 {
        let mut served = HashSet::new();
        for _ in 0..40 {
            let claimed = next(&world).await.expect("thousands wait");
            assert_eq!(claimed.queue, "interactive");
            served.insert(claimed.radnik_id);
            assert!(runs::finish_succeeded(&world.db.app, claimed.lease(), &[], &[], 0, false, None).await.unwrap());
        }
        assert_eq!(served.len(), 40, "round {round}: each worker has one turn");
    }
    let each = started.elapsed() / 200;
    println!("a claim and its end among 20,000 runs of 40 workers: {each:?}");
    assert!(each < Duration::from_millis(100), "{each:?} for a claim among 20,000 runs");
}

/// How many of each worker's scheduled runs are begun: the rest would come in the same way.
const SCHEDULED: usize = 12;

/// The turns at which a worker's runs were begun.
type Turns = BTreeMap<i64, Vec<usize>>;

/// Begins so many runs of the queue, ten at a time as ten slots would, and ends them without making anything.
async fn drain(world: &World, queue: &str, runs: usize) -> Turns {
    let mut turns = Turns::new();
    let mut turn = 0;
    while turn < runs {
        let mut under_way = Vec::new();
        for _ in 0..10.min(runs - turn) {
            let claimed = next(world).await.expect("thousands wait");
            assert_eq!(claimed.queue, queue, "turn {turn}");
            turns.entry(claimed.radnik_id).or_default().push(turn);
            under_way.push(claimed.run);
            turn += 1;
        }
        let ended = "update report_run set status = 'succeeded', stage = null, lease_owner = null, lease_until = null, finished_at = now()
                      where id = any ($1)";
        sqlx::query(ended).bind(under_way).execute(&world.db.app).await.unwrap();
    }
    turns
}

/// Each of the forty has waited as long as any other, on the whole and from one run of hers to the next.
fn check_waits(what: &str, turns: &Turns, each: usize) {
    assert_eq!((turns.len(), turns.values().all(|of_worker| of_worker.len() == each)), (40, true), "{what}");
    let means: Vec<f64> = turns.values().map(|of_worker| of_worker.iter().sum::<usize>() as f64 / each as f64).collect();
    let longest = |of_worker: &Vec<usize>| {
        let between = of_worker.windows(2).map(|pair| pair[1] - pair[0]);
        between.chain([of_worker[0]]).max().unwrap_or_default()
    };
    let (longest, ratio) = (turns.values().map(longest).max().unwrap(), spread(&means));
    println!("{what}: mean waits of the workers differ by {ratio:.3}; the longest time without a turn was {longest} turns");
    // Who stands first in a round of forty stays first in most: what is left of one round in the mean of so many.
    assert!(ratio < 1.0 + 40.0 / means.iter().copied().fold(f64::INFINITY, f64::min), "{what}: {ratio}");
    assert!(longest < 80, "{what}: {longest} turns of others in a row");
}

/// The greatest by the least.
fn spread(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max) / values.iter().copied().fold(f64::INFINITY, f64::min)
}

#[tokio::test]
#[ignore = "long: twenty thousand runs"]
async fn of_twenty_thousand_runs_of_two_institutions_all_wait_equally_and_those_of_schedules_come_after() {
    let world = World::new().await;
    twenty_thousand(&world, 20).await;
    check_waits("what people wait for", &drain(&world, "interactive", 40 * 25).await, 25);
    check_waits("what schedules made", &drain(&world, "scheduled", 40 * SCHEDULED).await, SCHEDULED);
}
