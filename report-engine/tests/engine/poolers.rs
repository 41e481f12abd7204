//! PgBouncer, the real one, between the programs and PostgreSQL: by session all works, by transaction no program starts.

use std::time::Duration;

use domain::{
    artifacts::ArtifactStore,
    standing::{Ground, Precondition, State},
};

use crate::world::{Pooler, Report, World, eventually};

fn ground(world: &World, database_url: String, report_url: String) -> Ground {
    Ground {
        database_url,
        report_database_url: Some(report_url),
        redis_url: world.redis.url(),
        artifacts: ArtifactStore::folder(world.artifacts()),
        template_dir: None,
        smtp_url: None,
    }
}

#[tokio::test]
async fn by_session_reports_are_made_cancelled_and_heard_of_as_without_a_pooler() {
    let world = World::new().await;
    let Some(pooler) = Pooler::start(&world.db, "session").await else { return };
    let (app, reports) = (pooler.through(&world.db.app_url), pooler.through(&world.db.report_url));
    let findings = ground(&world, app.clone(), reports.clone()).ask().await;
    assert!(findings.iter().all(domain::standing::Finding::holds), "{findings:?}");

    let counting = world.report("broj", Report { sql: "select count(*)::text as a from pacijent", ..Report::default() }).await;
    let endless = world.report("dug", Report { sql: "select pg_sleep(600)::text as a", seconds: 1800, ..Report::default() }).await;
    world.patient("0101990715005").await;
    let _engine = world.engine(&[("DATABASE_URL", &app), ("REPORT_DATABASE_URL", &reports)]);
    for _ in 0..3 {
        let run = world.ask(world.new_run(counting)).await;
        assert_eq!(world.end(run).await.status, "succeeded");
        assert!(String::from_utf8(world.files(run).await.remove(0).1).unwrap().contains('1'));
    }
    let run = world.ask(world.new_run(endless)).await;
    let at_work = format!("select count(*) from pg_stat_activity where application_name = 'run:{run}' and state = 'active'");
    eventually("the statement runs", async || (world.count(&at_work).await == 1).then_some(())).await;
    world.cancel(run).await;
    assert_eq!(world.end(run).await.status, "cancelled");
    eventually("the statement is gone", async || (world.count(&at_work).await == 0).then_some(())).await;

    // The bounds of a session are set, and gone with it.
    let bounds = platform::pools::Bounds { most: 1, wait: Duration::from_secs(10), statement: Duration::from_secs(7) };
    let pool = platform::pools::open(&app, "regix-api", bounds).unwrap();
    assert_eq!(sqlx::query_scalar::<_, String>("show statement_timeout").fetch_one(&pool).await.unwrap(), "7s");
}

#[tokio::test]
async fn by_transaction_no_program_starts_and_says_why_of_either_address() {
    let world = World::new().await;
    let Some(pooler) = Pooler::start(&world.db, "transaction").await else { return };
    let (app, reports) = (pooler.through(&world.db.app_url), pooler.through(&world.db.report_url));
    for (database, of_reports, precondition, setting) in [
        (&app, &world.db.report_url, Precondition::Pooler, "DATABASE_URL"),
        (&world.db.app_url, &reports, Precondition::ReportPooler, "REPORT_DATABASE_URL"),
    ] {
        let findings = ground(&world, database.clone(), of_reports.clone()).ask().await;
        let found = findings.iter().find(|finding| finding.precondition == precondition).unwrap();
        assert!(matches!(found.state, State::Wrong(_)), "{findings:?}");
        let engine = world.engine(&[("DATABASE_URL", database), ("REPORT_DATABASE_URL", of_reports)]);
        engine.says(&format!("{setting} (127.0.0.1:{}", pooler.port)).await;
        engine.says("a pooler hands the statements of one session to several connections").await;
        engine.says("pool_mode = session").await;
        assert!(!engine.ended().await);
    }
}

#[tokio::test]
async fn one_by_transaction_is_found_out_while_others_work_through_it_too() {
    let world = World::new().await;
    let Some(pooler) = Pooler::start(&world.db, "transaction").await else { return };
    let app = pooler.through(&world.db.app_url);
    let busy: Vec<_> = (0..6)
        .map(|_| {
            let url = app.clone();
            tokio::spawn(async move {
                let options = domain::db::options(&url).unwrap();
                let mut connection = <sqlx::PgConnection as sqlx::Connection>::connect_with(&options).await.unwrap();
                loop {
                    sqlx::raw_sql("begin; select pg_sleep(0.005); commit").execute(&mut connection).await.unwrap();
                }
            })
        })
        .collect();
    for _ in 0..10 {
        let findings = ground(&world, app.clone(), world.db.report_url.clone()).ask().await;
        let found = findings.iter().find(|finding| finding.precondition == Precondition::Pooler).unwrap();
        assert!(matches!(found.state, State::Wrong(_)), "{findings:?}");
    }
    busy.iter().for_each(tokio::task::JoinHandle::abort);
}
