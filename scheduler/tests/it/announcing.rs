//! Waiting runs and Redis.

use domain::jobs::Dispatcher;
use scheduler::dispatch::announce;

use crate::support::{Redis, Yard};

const SCHEDULED: &str = "reports:scheduled";

/// Waiting runs of a schedule, none of them announced.
async fn waiting_runs(yard: &Yard, count: i32) {
    sqlx::query(
        "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, queue, formati)
         select gen_random_uuid(), $1, $2, $3, 'scheduled', '{PDF}' from generate_series(1, $4)",
    )
    .bind(yard.report)
    .bind(yard.worker)
    .bind(yard.institution)
    .bind(count)
    .execute(&yard.db.owner)
    .await
    .unwrap();
}

#[tokio::test]
async fn waiting_runs_are_announced_a_bounded_number_at_a_time() {
    let (yard, redis) = (Yard::new().await, Redis::start().await);
    let dispatcher = Dispatcher::connect(&redis.url).unwrap();
    waiting_runs(&yard, 1200).await;
    assert_eq!(announce(&yard.db.app, &dispatcher).await.unwrap(), 500);
    assert_eq!(announce(&yard.db.app, &dispatcher).await.unwrap(), 0, "the window is full");
    assert_eq!(redis.waiting(SCHEDULED).await, 500);

    let taken =
        "update report_run set status = 'succeeded' where id in (select id from report_run where dispatched_at is not null limit 200)";
    sqlx::query(taken).execute(&yard.db.owner).await.unwrap();
    assert_eq!(announce(&yard.db.app, &dispatcher).await.unwrap(), 200);
}

#[tokio::test]
async fn a_run_whose_announcement_was_lost_is_announced_again() {
    let (yard, redis) = (Yard::new().await, Redis::start().await);
    let dispatcher = Dispatcher::connect(&redis.url).unwrap();
    waiting_runs(&yard, 3).await;
    assert_eq!(announce(&yard.db.app, &dispatcher).await.unwrap(), 3);
    let long_ago = "update report_run set dispatched_at = now() - interval '121 seconds'";
    sqlx::query(long_ago).execute(&yard.db.owner).await.unwrap();
    assert_eq!(announce(&yard.db.app, &dispatcher).await.unwrap(), 3);
    assert_eq!(redis.waiting(SCHEDULED).await, 6, "a repeated call is a new task; the claim in PostgreSQL removes doubles");
}

#[tokio::test]
async fn without_redis_nothing_is_marked_as_announced() {
    let yard = Yard::new().await;
    let dispatcher = Dispatcher::connect("redis://127.0.0.1:1").unwrap();
    waiting_runs(&yard, 3).await;
    assert_eq!(announce(&yard.db.app, &dispatcher).await.unwrap(), 0);
    assert_eq!(yard.count("select count(*) from report_run where dispatched_at is null").await, 3);
}
