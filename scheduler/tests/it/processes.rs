//! The scheduler as processes: started, killed, asked to stop.

use std::process::{Child, Command};

use jiff::{RoundMode, Timestamp, Unit, civil::DateTimeRound};
use tempfile::TempDir;

use crate::support::{Redis, Yard, daily, once, until};

struct Scheduler {
    process: Child,
    _artifacts: TempDir,
}

impl Scheduler {
    fn start(yard: &Yard, redis: &Redis) -> Self {
        let artifacts = tempfile::tempdir().unwrap();
        let process = Command::new(env!("CARGO_BIN_EXE_scheduler"))
            .env("DATABASE_URL", &yard.db.app_url)
            .env("REDIS_URL", &redis.url)
            .env("ARTIFACT_DIR", artifacts.path())
            .env("RUST_LOG", "error")
            .env("SCHEDULER_TICK_SECONDS", "1")
            .env("SCHEDULER_SWEEP_SECONDS", "1")
            .spawn()
            .unwrap();
        Self { process, _artifacts: artifacts }
    }

    /// SIGKILL.
    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// SIGTERM; gives whether it ended in good order.
    fn terminate(mut self) -> bool {
        let pid = self.process.id().to_string();
        // The shell's own `kill`: a bare machine may lack the program.
        assert!(Command::new("sh").args(["-c", "kill -TERM \"$0\"", &pid]).status().unwrap().success());
        self.process.wait().unwrap().success()
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A daily schedule whose time came a moment ago.
async fn due_schedule(yard: &Yard) -> i64 {
    let now = Timestamp::now();
    // The minute that is running: one that comes up during the test would be a second fire.
    let minute = DateTimeRound::new().smallest(Unit::Minute).mode(RoundMode::Trunc);
    let due = now.to_zoned(domain::time::zone()).datetime().round(minute).unwrap();
    let next = domain::recurrence::Fire { at: now, local: due };
    yard.schedule_with_next(&daily(&due.time().to_string()), next).await
}

#[tokio::test]
async fn two_schedulers_make_one_run_and_announce_it() {
    let (yard, redis) = (Yard::new().await, Redis::start().await);
    let (first, second) = (Scheduler::start(&yard, &redis), Scheduler::start(&yard, &redis));
    until("both have looked", async || yard.count("select count(*) from process where last_work_at is not null").await == 2).await;
    let schedule = due_schedule(&yard).await;
    until("it fires", async || yard.fires(schedule).await.len() == 1).await;
    until("it is announced", async || redis.waiting("reports:scheduled").await == 1).await;
    until("both have looked again", async || {
        let after = "select count(*) from process where last_work_at > (select max(created_at) from report_run)";
        yard.count(after).await == 2
    })
    .await;
    assert_eq!(yard.count("select count(*) from report_run").await, 1);
    assert_eq!(redis.waiting("reports:scheduled").await, 1);

    assert!(first.terminate() && second.terminate());
    assert_eq!(yard.count("select count(*) from process").await, 0, "a process that stops says so");
}

#[tokio::test]
async fn a_scheduler_killed_between_insert_and_commit_leaves_the_fire_to_another() {
    let (yard, redis) = (Yard::new().await, Redis::start().await);
    // The fire's last statement waits for a lock that the test holds.
    let stall =
        "create function stall() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(4242); return new; end $$;
                 create trigger stall before update on report_schedule for each row execute function stall()";
    sqlx::raw_sql(stall).execute(&yard.db.owner).await.unwrap();
    let mut holder = yard.db.owner.acquire().await.unwrap();
    sqlx::query("select pg_advisory_lock(4242)").execute(&mut *holder).await.unwrap();

    let schedule = due_schedule(&yard).await;
    let mut doomed = Scheduler::start(&yard, &redis);
    let stalled = "select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
    until("the fire stalls", async || yard.count(stalled).await == 1).await;
    assert_eq!(yard.fires(schedule).await.len(), 0, "nothing is seen before the commit");
    doomed.kill();
    sqlx::query("select pg_advisory_unlock(4242)").execute(&mut *holder).await.unwrap();
    until("its transaction is gone", async || {
        yard.count("select count(*) from pg_stat_activity where datname = current_database() and application_name like 'scheduler-%' and state <> 'idle'").await == 0
    })
    .await;
    assert_eq!(yard.fires(schedule).await.len(), 0, "the unfinished fire was rolled back");

    sqlx::raw_sql("drop trigger stall on report_schedule").execute(&yard.db.owner).await.unwrap();
    let _next = Scheduler::start(&yard, &redis);
    until("another scheduler fires it", async || yard.fires(schedule).await.len() == 1).await;
    assert_eq!(yard.fires(schedule).await[0].1, "queued");
}

#[tokio::test]
async fn a_scheduler_works_while_redis_is_down() {
    let (yard, redis) = (Yard::new().await, Redis::start().await);
    let url = redis.url.clone();
    drop(redis);
    let unreachable = Redis::gone(url);
    let schedule = yard.schedule(&once("2099-01-01T07:00"), Timestamp::now()).await;
    let _scheduler = Scheduler::start(&yard, &unreachable);
    yard.administer("update report_schedule set sledece_izvrsavanje = now() where id = $1", schedule).await;
    until("it fires", async || yard.fires(schedule).await.len() == 1).await;
    until("its heartbeat says that Redis is down", async || yard.count("select count(*) from process where not redis_ok").await == 1).await;
    assert_eq!(yard.count("select count(*) from report_run where dispatched_at is null").await, 1);
}

#[tokio::test]
async fn the_run_of_a_dead_engine_is_taken_back() {
    let (yard, redis) = (Yard::new().await, Redis::start().await);
    sqlx::query(
        "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, formati, status, stage, fence, lease_owner, lease_until)
         values (gen_random_uuid(), $1, $2, $3, '{PDF}', 'running', 'query', 1, 'dead', now() - interval '1 second')",
    )
    .bind(yard.report)
    .bind(yard.worker)
    .bind(yard.institution)
    .execute(&yard.db.owner)
    .await
    .unwrap();
    let _scheduler = Scheduler::start(&yard, &redis);
    until("it waits again", async || yard.count("select count(*) from report_run where status = 'queued' and crash_count = 1").await == 1)
        .await;
    until("it is announced", async || redis.waiting("reports:interactive").await == 1).await;
}

#[tokio::test]
async fn a_pace_that_nobody_can_mean_is_refused_by_its_name() {
    let yard = Yard::new().await;
    let redis = Redis::start().await;
    for (name, value) in [
        ("SCHEDULER_TICK_SECONDS", "0"),
        ("SCHEDULER_TICK_SECONDS", "31"),
        ("SCHEDULER_SWEEP_SECONDS", "-1"),
        ("SCHEDULER_SWEEP_SECONDS", "0"),
        ("SCHEDULER_CLEARING_SECONDS", "99999999"),
        ("DATABASE_URL", "postgres://regix_app:tajna@a,b/regix"),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_scheduler"));
        program.env("DATABASE_URL", &yard.db.app_url).env("REDIS_URL", &redis.url).env("ARTIFACT_DIR", "/nowhere").env(name, value);
        let ended = program.output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(!ended.status.success() && said.contains(name) && !said.contains("tajna"), "{name}={value}: {said}");
    }
}
