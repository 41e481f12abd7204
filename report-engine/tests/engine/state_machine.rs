//! The states of a run against a model, over random orders of what engines, sweeps and people do to it.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use domain::{
    jobs::Heartbeat,
    runs::{self, Artifact, Cancel, Failure, FailureCode, Lease, POISON_AFTER},
};
use futures::future::join_all;
use proptest::{collection::vec, prelude::*, test_runner::TestRunner};
use uuid::Uuid;

use crate::world::{Report, World};

const ENGINES: usize = 3;

#[derive(Clone, Copy, Debug)]
enum Step {
    Claim(usize),
    Beat(usize),
    Succeed(usize),
    Fail(usize),
    GiveBack(usize),
    EndCancelled(usize),
    /// The lease lapses: its holder has died, or only thinks that it lives.
    Lapse,
    Sweep,
    RequestCancel,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..ENGINES).prop_map(Step::Claim),
        3 => (0..ENGINES).prop_map(Step::Beat),
        2 => (0..ENGINES).prop_map(Step::Succeed),
        1 => (0..ENGINES).prop_map(Step::Fail),
        2 => (0..ENGINES).prop_map(Step::GiveBack),
        1 => (0..ENGINES).prop_map(Step::EndCancelled),
        4 => Just(Step::Lapse),
        4 => Just(Step::Sweep),
        1 => Just(Step::RequestCancel),
    ]
}

/// What the rules say about one run.
#[derive(Debug)]
struct Model {
    status: &'static str,
    fence: i64,
    attempt: i32,
    crashes: i32,
    cancel: bool,
    lapsed: bool,
    /// The newest lease that each engine believes to have.
    leases: [Option<Lease>; ENGINES],
}

impl Model {
    fn holds(&self, engine: usize) -> bool {
        self.status == "running" && self.leases[engine].is_some_and(|lease| lease.fence == self.fence)
    }
}

fn failure() -> Failure {
    Failure { code: FailureCode::Query, text: "Upit nije uspeo.".to_owned(), detail: None }
}

fn artifact(lease: Lease) -> Artifact {
    Artifact { format: "CSV".to_owned(), path: format!("{}-{}.csv", lease.run, lease.fence), bytes: 1, sha256: vec![0], rows: 1 }
}

async fn succeed(world: &World, lease: Lease) -> bool {
    runs::finish_succeeded(&world.db.app, lease, &[artifact(lease)], &[], 1, false, None).await.unwrap()
}

/// Takes one step in the database and in the model, and compares what both say.
async fn take(world: &World, run: Uuid, model: &mut Model, step: Step) -> Result<(), TestCaseError> {
    let app = &world.db.app;
    match step {
        Step::Claim(engine) => {
            let lease = runs::claim(app, run, &format!("engine-{engine}"), runs::KNOWN_VERSION, 600.0)
                .await
                .unwrap()
                .map(|claimed| claimed.lease());
            prop_assert_eq!(lease.is_some(), model.status == "queued");
            if let Some(lease) = lease {
                (model.status, model.fence, model.attempt, model.lapsed) = ("running", model.fence + 1, model.attempt + 1, false);
                prop_assert_eq!((lease.fence, lease.attempt), (model.fence, model.attempt));
                model.leases[engine] = Some(lease);
            }
        }
        Step::Beat(engine) => {
            let Some(lease) = model.leases[engine] else { return Ok(()) };
            let expected = match (model.holds(engine), model.cancel) {
                (false, _) => Heartbeat::Lost,
                (true, true) => Heartbeat::Cancel,
                (true, false) => Heartbeat::Held,
            };
            prop_assert_eq!(runs::heartbeat(app, lease, 600.0).await.unwrap(), expected);
            // Nobody has taken the lapsed lease back yet: a late heartbeat saves it.
            model.lapsed &= !model.holds(engine);
        }
        Step::Succeed(engine) => {
            let Some(lease) = model.leases[engine] else { return Ok(()) };
            let allowed = model.holds(engine) && !model.cancel;
            prop_assert_eq!(succeed(world, lease).await, allowed);
            if allowed {
                model.status = "succeeded";
            }
        }
        Step::Fail(engine) => {
            let Some(lease) = model.leases[engine] else { return Ok(()) };
            prop_assert_eq!(runs::fail(app, lease, &failure()).await.unwrap(), model.holds(engine));
            if model.holds(engine) {
                model.status = "failed";
            }
        }
        Step::GiveBack(engine) => {
            let Some(lease) = model.leases[engine] else { return Ok(()) };
            prop_assert_eq!(runs::requeue(app, lease, 0.0).await.unwrap(), model.holds(engine));
            if model.holds(engine) {
                model.status = if model.cancel { "cancelled" } else { "queued" };
            }
        }
        Step::EndCancelled(engine) => {
            let Some(lease) = model.leases[engine] else { return Ok(()) };
            let allowed = model.holds(engine) && model.cancel;
            prop_assert_eq!(runs::finish_cancelled(app, lease).await.unwrap(), allowed);
            if allowed {
                model.status = "cancelled";
            }
        }
        Step::Lapse => {
            sqlx::query("update report_run set lease_until = now() - interval '1 s' where id = $1 and status = 'running'")
                .bind(run)
                .execute(&world.db.owner)
                .await
                .unwrap();
            model.lapsed = model.status == "running";
        }
        Step::Sweep => {
            let swept = runs::sweep_lapsed(app).await.unwrap();
            let expected = model.status == "running" && model.lapsed;
            prop_assert_eq!(swept.iter().any(|swept| swept.run == run), expected);
            if expected {
                model.crashes += 1;
                model.status = match (model.cancel, model.crashes >= POISON_AFTER) {
                    (true, _) => "cancelled",
                    (false, true) => "failed",
                    (false, false) => "queued",
                };
            }
        }
        Step::RequestCancel => {
            let expected = match model.status {
                "queued" => Cancel::Done,
                "running" => Cancel::Asked,
                _ => Cancel::Ended,
            };
            prop_assert_eq!(world.cancel(run).await, expected);
            model.cancel |= expected != Cancel::Ended;
            if expected == Cancel::Done {
                model.status = "cancelled";
            }
        }
    }
    let row = world.row(run).await;
    prop_assert_eq!(
        (row.status.as_str(), row.fence, row.attempt, row.crash_count),
        (model.status, model.fence, model.attempt, model.crashes)
    );
    let files = world.count(&format!("select count(*) from report_artifact where run_id = '{run}'")).await;
    prop_assert_eq!(files, i64::from(model.status == "succeeded"));
    Ok(())
}

#[test]
fn every_order_of_events_ends_as_the_rules_say() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (world, report) = runtime.block_on(async {
        let world = World::new().await;
        let report = world.report("proba", Report::default()).await;
        (world, report)
    });
    let mut runner = TestRunner::new(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() });
    let outcome = runner.run(&vec(step(), 1..30), |steps| {
        runtime.block_on(async {
            let run = world.insert(&world.new_run(report)).await;
            let mut model =
                Model { status: "queued", fence: 0, attempt: 0, crashes: 0, cancel: false, lapsed: false, leases: [None; ENGINES] };
            for step in steps {
                take(&world, run, &mut model, step).await?;
            }
            // What is left over must not be swept by the next case.
            sqlx::query("update report_run set lease_until = 'infinity' where id = $1").bind(run).execute(&world.db.owner).await.unwrap();
            Ok(())
        })
    });
    let _inside = runtime.enter();
    drop(world);
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

/// Three engines that claim, work and die without order, sweeps beside them, all at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_the_same_moment_no_fence_has_two_owners_and_every_run_ends_once() {
    let world = Arc::new(World::new().await);
    let report = world.report("proba", Report::default()).await;
    let mut runs = Vec::new();
    for _ in 0..40 {
        runs.push(world.insert(&world.new_run(report)).await);
    }
    let engines = (0..ENGINES).map(|engine| tokio::spawn(chaos(world.clone(), runs.clone(), engine)));
    let (mut claims, mut successes) = (Vec::new(), Vec::new());
    for seen in join_all(engines).await {
        let (claimed, succeeded) = seen.unwrap();
        claims.extend(claimed);
        successes.extend(succeeded);
    }
    let fences: HashSet<(Uuid, i64)> = claims.iter().copied().collect();
    assert_eq!(fences.len(), claims.len(), "a fence had two owners");
    let ended: HashMap<Uuid, i64> = successes.iter().copied().collect();
    assert_eq!(ended.len(), successes.len(), "a run succeeded twice");
    for run in runs {
        let row = world.row(run).await;
        assert!(matches!(row.status.as_str(), "succeeded" | "failed"), "{row:?}");
        let winner = (row.status == "succeeded").then_some(row.fence);
        assert_eq!(winner, ended.get(&run).copied(), "only the newest holder ends a run: {row:?}");
        assert!(row.status == "succeeded" || row.error_code.as_deref() == Some("poison"), "{row:?}");
    }
}

/// One engine's life: it claims whatever there is; by the luck of the draw it ends the run at once, forgets it, or works on
/// it for some rounds, in which the lease may lapse and the run may be another engine's.
async fn chaos(world: Arc<World>, runs: Vec<Uuid>, engine: usize) -> (Vec<(Uuid, i64)>, Vec<(Uuid, i64)>) {
    let (mut claims, mut successes, mut working) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0.. {
        let open = world.count("select count(*) from report_run where status in ('queued', 'running')").await;
        if open == 0 {
            break;
        }
        for run in &runs {
            let Some(lease) = runs::claim(&world.db.app, *run, &format!("engine-{engine}"), runs::KNOWN_VERSION, 0.01).await.unwrap()
            else {
                continue;
            };
            let lease = lease.lease();
            claims.push((*run, lease.fence));
            match draw(lease, engine) {
                0 => {}
                1 => successes.extend(succeed(&world, lease).await.then_some((*run, lease.fence))),
                rounds => working.push((round + rounds - 1, lease)),
            }
        }
        for (_, lease) in working.extract_if(.., |(due, _)| *due <= round) {
            successes.extend(succeed(&world, lease).await.then_some((lease.run, lease.fence)));
        }
        // One of them is enough: a lapsed run stays its old holder's for a while, and then another's for a while.
        if engine == 0 {
            runs::sweep_lapsed(&world.db.app).await.unwrap();
        }
    }
    (claims, successes)
}

/// A draw that is the same whenever the same things happen.
fn draw(lease: Lease, engine: usize) -> u128 {
    (lease.run.as_u128() ^ (lease.fence as u128 * 7919) ^ (engine as u128 * 104_729)) % 5
}

#[tokio::test]
async fn waiting_runs_are_announced_in_a_bounded_window_and_again_when_the_word_is_old() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    for _ in 0..30 {
        world.insert(&world.new_run(report)).await;
    }
    let announce = async |stale: f64| {
        let mut tx = world.db.app.begin().await.unwrap();
        let due = runs::due_for_dispatch(&mut tx, 20, stale).await.unwrap();
        let ids: Vec<Uuid> = due.iter().map(|(run, _)| *run).collect();
        runs::mark_dispatched(&mut tx, &ids).await.unwrap();
        tx.commit().await.unwrap();
        ids
    };
    let first = announce(60.0).await;
    assert_eq!(first.len(), 20, "the window is full");
    assert_eq!(announce(60.0).await.len(), 0, "nothing more fits while those wait");
    assert_eq!(announce(0.0).await, first, "an old word is given again, oldest runs first");
}
