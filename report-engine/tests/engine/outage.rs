//! A mail server that is away for an hour, and what operators are told of it meanwhile. The hour is taken from the rows, nobody waits for it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use api::operations;
use domain::{
    artifacts::ArtifactStore,
    config::Config,
    jobs::Dispatcher,
    process::{Kind, Process},
    report_sql::ReportDb,
};
use jiff::Timestamp;
use platform::{
    health::{self, Vitals},
    hub::Hub,
    known_forms::KnownForms,
    long_answers::LongAnswers,
    parsers::Parsers,
    pools::{self, Bounds},
    proxies::Proxies,
    sockets::Sockets,
    state::{AppState, Clock, Counting, Parts},
};
use uuid::Uuid;

use crate::world::{MailServer, Reply, Report, Stage, World, eventually};

/// The api beside the engines of the world.
fn api(world: &World) -> AppState {
    let config = Config {
        database_url: world.db.app_url.clone(),
        report_database_url: world.db.report_url.clone(),
        redis_url: world.redis.url(),
        artifacts: ArtifactStore::folder(world.artifacts()),
        template_dir: world.folder.path().join("templates"),
        public_url: "https://regix.test".to_owned(),
    };
    let bounds = Bounds { most: 2, wait: Duration::from_secs(10), statement: Duration::from_secs(10) };
    let apart = || pools::open(&world.db.app_url, "regix-api", bounds).unwrap();
    AppState::new(Parts {
        db: world.db.app.clone(),
        vitals: Vitals::new(apart()),
        report_db: ReportDb::new(apart(), &world.db.report_url, 4).unwrap(),
        dispatcher: Dispatcher::connect(&config.redis_url).unwrap(),
        hub: Hub::listen(&world.db.app_url),
        process: Process::new(Kind::Api, Uuid::now_v7()),
        config,
        clock: Clock::new(Timestamp::now),
        long_answers: LongAnswers::default(),
        parsers: Parsers::own(),
        counting: Counting::default(),
        known_forms: KnownForms::default(),
        sockets: Sockets::default(),
        demo: false,
        web_dir: None,
        proxies: Proxies::parse("true").unwrap(),
        oidc: None,
    })
}

/// What health says of mail, whether the alert on the server fires, and how long the first letter has waited by the alert on the queue.
struct MailHealth {
    health: bool,
    up: bool,
    down_seconds: f64,
    waits_seconds: f64,
}

async fn told(state: &AppState) -> MailHealth {
    let health = serde_json::to_value(&health::look(state).await.health).unwrap();
    let text = operations::measure(state).await.text();
    let figure = |name: &str| -> f64 {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name} in {text}"));
        line.rsplit_once(' ').unwrap().1.parse().unwrap()
    };
    assert!(!text.contains("bolnica.test"), "{text}");
    MailHealth {
        health: health["mail"]["ok"].as_bool().unwrap(),
        up: figure("regix_mail_up") == 1.0,
        down_seconds: figure("regix_mail_down_seconds"),
        waits_seconds: figure("regix_queue_oldest_seconds{kind=\"mail\"}"),
    }
}

async fn ask(world: &World, report: i64, address: &str) -> Uuid {
    let mut run = world.new_run(report);
    run.emails = vec![address.to_owned()];
    world.ask(run).await
}

async fn fault(world: &World) -> Option<String> {
    sqlx::query_scalar("select fault from mail_server").fetch_one(&world.db.owner).await.unwrap()
}

/// An hour goes by for everything about mail, and no attempt falls into the next.
async fn an_hour_passes(world: &World) {
    for sql in [
        "update report_delivery set created_at = created_at - interval '1 hour', next_attempt_at = now() + interval '1 hour' where status = 'pending'",
        "update mail_server set down_since = down_since - interval '1 hour'",
    ] {
        sqlx::query(sql).execute(&world.db.owner).await.unwrap();
    }
}

/// Looks at the server are due until one has found this.
async fn look(world: &World, found: &str) {
    eventually(found, async || {
        sqlx::query("update mail_server set checked_at = now() - interval '10 minutes'").execute(&world.db.owner).await.unwrap();
        (world.count(&format!("select count(*) from mail_server where {found}")).await == 1).then_some(())
    })
    .await;
}

async fn put_off(world: &World, run: Uuid) {
    eventually("the letter is put off", async || {
        let delivery = world.deliveries(run).await.pop()?;
        (delivery.status == "pending" && delivery.attempts > 0).then_some(())
    })
    .await;
}

async fn sent(world: &World, run: Uuid) {
    eventually("the letter leaves", async || world.deliveries(run).await.pop().filter(|delivery| delivery.status == "sent").map(|_| ()))
        .await;
}

#[tokio::test]
async fn a_server_that_is_frozen_for_an_hour_is_told_at_each_step() {
    let frozen = Arc::new(AtomicBool::new(false));
    let server = MailServer::scripted({
        let frozen = frozen.clone();
        move |stage, _, _| if stage == Stage::Greeting && frozen.load(Ordering::Relaxed) { Reply::Silence } else { Reply::Normal }
    });
    let world = World::with_mail(&server).await;
    let state = api(&world);
    let report = world.report("proba", Report::default()).await;
    // Attempts are minutes apart, as they are in earnest.
    let _engine = world.engine(&[("ENGINE_MAIL_DELAY_SCALE", "1"), ("ENGINE_SMTP_TIMEOUT_SECONDS", "0.5")]);
    let first = ask(&world, report, "prva@bolnica.test").await;
    sent(&world, first).await;
    let now = told(&state).await;
    assert!(now.health && now.up && now.down_seconds == 0.0 && now.waits_seconds == 0.0);

    frozen.store(true, Ordering::Relaxed);
    let second = ask(&world, report, "druga@bolnica.test").await;
    put_off(&world, second).await;
    assert_eq!(fault(&world).await.as_deref(), Some("greeting"));
    let now = told(&state).await;
    assert!(!now.health && !now.up, "at once");
    let answer: String = sqlx::query_scalar("select answer from mail_server").fetch_one(&world.db.owner).await.unwrap();
    assert!(answer.contains("nije odgovorio na vreme"), "{answer}");

    an_hour_passes(&world).await;
    sqlx::query("update mail_server set answer = null").execute(&world.db.owner).await.unwrap();
    look(&world, "answer is not null").await;
    let now = told(&state).await;
    assert!(!now.health && now.down_seconds >= 3600.0, "{}", now.down_seconds);
    assert!(now.waits_seconds >= 3600.0, "since it should have left, though the next attempt is an hour away: {}", now.waits_seconds);

    frozen.store(false, Ordering::Relaxed);
    look(&world, "fault is null").await;
    let now = told(&state).await;
    assert!(now.health && now.up && now.down_seconds == 0.0);
    assert!(now.waits_seconds >= 3600.0, "the letter waits still");

    sqlx::query("update report_delivery set next_attempt_at = now() where status = 'pending'").execute(&world.db.owner).await.unwrap();
    sent(&world, second).await;
    assert!(told(&state).await.waits_seconds == 0.0);
}

#[tokio::test]
async fn a_server_that_lets_in_and_takes_nothing_is_down_until_it_takes_something() {
    let frozen = Arc::new(AtomicBool::new(true));
    let server = MailServer::scripted({
        let frozen = frozen.clone();
        move |stage, _, _| if stage == Stage::Data && frozen.load(Ordering::Relaxed) { Reply::Silence } else { Reply::Normal }
    });
    let world = World::with_mail(&server).await;
    let state = api(&world);
    let report = world.report("proba", Report::default()).await;
    let _engine = world.engine(&[("ENGINE_MAIL_DELAY_SCALE", "1"), ("ENGINE_SMTP_TIMEOUT_SECONDS", "0.5")]);
    let run = ask(&world, report, "prva@bolnica.test").await;
    put_off(&world, run).await;
    an_hour_passes(&world).await;
    sqlx::query("update mail_server set checked_at = now() - interval '10 minutes'").execute(&world.db.owner).await.unwrap();
    eventually("an engine looks", async || {
        (world.count("select count(*) from mail_server where checked_at > now() - interval '5 minutes'").await == 1).then_some(())
    })
    .await;
    let now = told(&state).await;
    assert!(!now.health && !now.up && now.down_seconds >= 3600.0, "that it greets mends nothing");
    frozen.store(false, Ordering::Relaxed);
    sqlx::query("update report_delivery set next_attempt_at = now() where status = 'pending'").execute(&world.db.owner).await.unwrap();
    sent(&world, run).await;
    assert!(told(&state).await.health);
}

#[tokio::test]
async fn a_server_that_refuses_one_recipient_is_up() {
    let server = MailServer::scripted(
        |stage, _, _| if stage == Stage::To { Reply::Say("550 5.1.1 <ana@bolnica.test> unknown") } else { Reply::Normal },
    );
    let world = World::with_mail(&server).await;
    let report = world.report("proba", Report::default()).await;
    let _engine = world.engine(&[]);
    let run = ask(&world, report, "ana@bolnica.test").await;
    eventually("it is refused", async || world.deliveries(run).await.pop().filter(|delivery| delivery.status == "failed")).await;
    let known: (Option<String>, Option<i32>, Option<String>) =
        sqlx::query_as("select fault, code, answer from mail_server").fetch_one(&world.db.owner).await.unwrap();
    assert_eq!(known, (None, Some(550), Some("5.1.1".to_owned())), "nobody's address");
}
