//! Redis emptied, stopped and started anew: PostgreSQL knows what is to be done.

use std::time::Duration;

use domain::{jobs::Queue, runs::NewRun};

use crate::world::{Report, World, eventually};

#[tokio::test]
async fn redis_emptied_under_queued_and_running_runs_loses_nothing_and_repeats_nothing() {
    let world = World::new().await;
    let slow = world.report("spor", Report { sql: "select pg_sleep(1.5)::text as a", ..Report::default() }).await;
    let quick = world.report("brz", Report::default()).await;
    let _engine = world.engine(&[]);
    let anothers = NewRun { radnik_id: world.another_worker("sestra").await, ..world.new_run(slow) };
    let running = [world.ask(world.new_run(slow)).await, world.ask(anothers).await];
    for run in running {
        world.wait_running(run).await;
    }
    let mut asked = running.to_vec();
    for _ in 0..30 {
        asked.push(world.ask(world.new_run(quick)).await);
    }
    world.redis.command(&["FLUSHALL"]).await.unwrap();
    for run in &asked {
        let ended = world.end(*run).await;
        assert_eq!((ended.status.as_str(), ended.attempt, ended.fence, ended.crash_count), ("succeeded", 1, 1, 0), "{ended:?}");
        assert_eq!(world.files(*run).await.len(), 1);
    }
}

#[tokio::test]
async fn runs_go_on_without_redis_and_its_calls_work_again_when_it_is_back() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let engine = world.engine(&[("ENGINE_POLL_SECONDS", "1")]);
    let first = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(first).await.status, "succeeded");
    world.redis.stop();
    let alone = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(alone).await.status, "succeeded", "the poll of PostgreSQL finds it");
    engine.stop().await;

    // An engine that started without Redis, and for which the poll is far away, hears the calls once Redis is there.
    let late = world.engine(&[("ENGINE_POLL_SECONDS", "600")]);
    late.says("a worker of Redis is started again").await;
    world.redis.run().await;
    eventually("the workers are back", async || {
        let workers = world.redis.command(&["ZCARD", "reports:interactive:workers"]).await;
        matches!(workers, Ok(redis::Value::Int(1..))).then_some(())
    })
    .await;
    let called = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(called).await.status, "succeeded");
}

/// One look at PostgreSQL is enough for everything that waits there: each end looks for the next.
#[tokio::test]
async fn a_backlog_that_nobody_announced_is_worked_off_without_pauses() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let mut waiting = Vec::new();
    for number in 0..12 {
        let queue = if number % 3 == 0 { Queue::Scheduled } else { Queue::Interactive };
        waiting.push(world.insert(&NewRun { queue, ..world.new_run(report) }).await);
    }
    let _engine = world.engine(&[("ENGINE_POLL_SECONDS", "600")]);
    for run in waiting {
        assert_eq!(world.end(run).await.status, "succeeded");
    }
}

#[tokio::test]
async fn a_stall_of_redis_disturbs_no_run() {
    let world = World::new().await;
    let report = world.report("spor", Report { sql: "select pg_sleep(2)::text as a", ..Report::default() }).await;
    let engine = world.engine(&[]);
    let run = world.ask(world.new_run(report)).await;
    world.wait_running(run).await;
    world.redis.command(&["CLIENT", "PAUSE", "1500"]).await.unwrap();
    let ended = world.end(run).await;
    assert_eq!((ended.status.as_str(), ended.attempt, ended.fence), ("succeeded", 1, 1));
    assert!(!engine.log().contains("a worker of Redis is started again"), "a short stall ends no worker");
}

#[tokio::test]
async fn a_call_given_many_times_runs_once_and_a_call_of_nothing_does_no_harm() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let run = world.insert(&world.new_run(report)).await;
    let dispatcher = domain::jobs::Dispatcher::connect(&world.redis.url()).unwrap();
    for _ in 0..20 {
        dispatcher.push(run, Queue::Interactive).await.unwrap();
        dispatcher.push(uuid::Uuid::now_v7(), Queue::Scheduled).await.unwrap();
    }
    let _engine = world.engine(&[]);
    assert_eq!(world.end(run).await.status, "succeeded");
    eventually("the calls are through", async || {
        let waiting = world
            .redis
            .command(&[
                "EVAL",
                "return redis.call('zcard', KEYS[1]) + redis.call('llen', KEYS[2])",
                "2",
                "reports:interactive:scheduled",
                "reports:interactive:active",
            ])
            .await;
        matches!(waiting, Ok(redis::Value::Int(0))).then_some(())
    })
    .await;
    let row = world.row(run).await;
    assert_eq!((row.attempt, row.fence), (1, 1), "{row:?}");
}

#[tokio::test]
async fn finished_calls_are_cleared_from_redis() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let run = world.insert(&world.new_run(report)).await;
    let engine = world.engine(&[]);
    // An engine clears once when it starts, and then each hour: the calls come when it has been at work for a while.
    world.end(run).await;
    let dispatcher = domain::jobs::Dispatcher::connect(&world.redis.url()).unwrap();
    for _ in 0..5 {
        dispatcher.push(run, Queue::Interactive).await.unwrap();
    }
    let count = async |command: &[&str]| match world.redis.command(command).await {
        Ok(redis::Value::Int(count)) => count,
        other => panic!("{other:?}"),
    };
    eventually("the calls are done", async || (count(&["SCARD", "reports:interactive:done"]).await == 5).then_some(())).await;
    engine.stop().await;
    let mut connection = report_engine::jobs::connection(&world.redis.url()).unwrap();
    assert_eq!(report_engine::jobs::trim(&mut connection, ["reports:interactive", "reports:scheduled", "mail"]).await.unwrap(), 5);
    assert_eq!(count(&["HLEN", "reports:interactive:data"]).await, 0);
    assert_eq!(count(&["SCARD", "reports:interactive:done"]).await, 0);
}

#[tokio::test]
async fn a_full_queue_takes_no_more_calls() {
    let world = World::new().await;
    let mut fill = vec!["ZADD".to_owned(), "reports:scheduled:scheduled".to_owned()];
    for number in 0..2000 {
        fill.extend([number.to_string(), format!("poziv-{number}")]);
    }
    world.redis.command(&fill.iter().map(String::as_str).collect::<Vec<_>>()).await.unwrap();
    let dispatcher = domain::jobs::Dispatcher::connect(&world.redis.url()).unwrap();
    let refused = dispatcher.push(uuid::Uuid::now_v7(), Queue::Scheduled).await;
    assert!(matches!(refused, Err(domain::jobs::PushError::Full)), "{refused:?}");
    assert!(dispatcher.push(uuid::Uuid::now_v7(), Queue::Interactive).await.is_ok(), "the other queue is free");
}

#[tokio::test]
async fn a_call_without_redis_fails_soon_and_the_next_one_after_a_restart_works() {
    let world = World::new().await;
    let dispatcher = domain::jobs::Dispatcher::connect(&world.redis.url()).unwrap();
    let push = async || dispatcher.push(uuid::Uuid::now_v7(), Queue::Interactive).await;
    assert!(push().await.is_ok());
    world.redis.stop();
    let started = std::time::Instant::now();
    assert!(push().await.is_err());
    assert!(started.elapsed() < Duration::from_secs(5), "the caller waited {:?}", started.elapsed());
    world.redis.run().await;
    eventually("calls go through again", async || push().await.ok()).await;
}

/// Workers that wake each other would ask without end: hundreds of times a second instead of five times a queue.
#[tokio::test]
async fn an_idle_engine_leaves_redis_in_peace() {
    let world = World::new().await;
    let report = world.report("proba", Report::default()).await;
    let _engine = world.engine(&[]);
    let run = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    // Three queues, five looks a second, three seconds: 45, and heartbeats add a few. A busy machine makes up for late looks afterwards;
    // an engine that gives no peace is not quiet in any of these windows.
    let mut seen = Vec::new();
    while !seen.last().is_some_and(|looks| (3..=120).contains(looks)) {
        assert!(seen.len() < 6, "looks in three seconds each: {seen:?}");
        world.redis.command(&["CONFIG", "RESETSTAT"]).await.unwrap();
        tokio::time::sleep(Duration::from_secs(3)).await;
        let stats = world.redis.command(&["INFO", "commandstats"]).await.unwrap();
        let text: String = redis::from_redis_value(stats).unwrap();
        let looks = text.lines().find_map(|line| line.strip_prefix("cmdstat_evalsha:calls=")?.split(',').next()?.parse::<u32>().ok());
        seen.push(looks.expect("the workers look at their queues"));
    }
}
