//! Reports that are read from a streaming replica: what they see, what stops them, and what is told of a replica that is behind.

use std::time::Duration;

use domain::report_sql::{Binds, ReportDb, Scope};
use uuid::Uuid;

use crate::world::{Replicated, Report, World, eventually};

/// Tells on which server it ran, and how many patients it saw.
const COUNTING: &str = "select case when pg_is_in_recovery() then 'kopija ' else 'original ' end || count(*) as a from pacijent";

async fn counted(world: &World, run: Uuid) -> String {
    let ended = world.end(run).await;
    assert_eq!(ended.status, "succeeded", "{ended:?}");
    String::from_utf8(world.files(run).await.remove(0).1).unwrap()
}

fn scope(world: &World, ustanova_id: Option<i64>) -> Scope {
    Scope { run: None, radnik_id: world.radnik, ustanova_id }
}

#[tokio::test]
async fn a_report_from_a_replica_has_all_that_was_saved_before_it_began_however_far_that_is_behind() {
    let servers = Replicated::start().await;
    let world = World::replicated(&servers).await;
    world.patient("0101990715005").await;
    let report = world.report("broj", Report { sql: COUNTING, ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let first = world.ask(world.new_run(report)).await;
    assert!(counted(&world, first).await.contains("kopija 1"));

    servers.hold().await;
    world.patient("0202990715009").await;
    let second = world.ask(world.new_run(report)).await;
    eventually("the run waits for its scope", async || {
        let sql = format!("select count(*) from report_scope where run_id = '{second}' and server_od <> pg_postmaster_start_time()");
        (world.count(&sql).await == 1).then_some(())
    })
    .await;
    let lag = "select count(*) from process where kind = 'report-engine' and replica_lag > 1";
    eventually("the engine says how far it is behind", async || (world.count(lag).await == 1).then_some(())).await;
    assert_eq!(world.row(second).await.status, "running", "nothing is read that is older than the run");
    servers.go_on().await;
    assert!(counted(&world, second).await.contains("kopija 2"));
    assert_eq!(world.count("select count(*) from report_scope").await, 0, "the scopes went with the runs");
}

#[tokio::test]
async fn a_process_of_the_primary_with_the_same_number_opens_nothing_on_a_replica() {
    let servers = Replicated::start().await;
    let world = World::replicated(&servers).await;
    world.patient("0101990715005").await;
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    let elsewhere: i64 =
        sqlx::query_scalar("insert into institution (naziv) values ('Druga') returning id").fetch_one(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let reports = ReportDb::new(world.db.app.clone(), &world.db.report_url, 2).unwrap();
    let mut session = reports.open(scope(&world, Some(elsewhere)), "proba", Duration::from_secs(5)).await.unwrap();
    assert!(session.is_of_replica());
    // As if a report over all institutions ran on the primary in a process of the same number.
    sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id) values ($1, $2, null)")
        .bind(session.pid())
        .bind(world.radnik)
        .execute(&world.db.app)
        .await
        .unwrap();
    let arrived = "select count(*) from report_scope where ustanova_id is null";
    let statement = domain::report_sql::Statement::scan("select count(*)::text as a from pacijent").unwrap();
    let replayed = servers.of_database(&world.db.name).await;
    eventually("the other scope is replayed", async || {
        let there: i64 = sqlx::query_scalar(arrived).fetch_one(&replayed).await.unwrap();
        (there == 1).then_some(())
    })
    .await;
    session.declare(&statement, &Binds::new(), 10).await.unwrap();
    let rows = session.fetch().await.unwrap();
    assert_eq!(rows[0][0].clone().into_text().as_deref(), Some("0"));
    session.close().await;
}

#[tokio::test]
async fn a_cancelled_statement_on_a_replica_ends_with_its_connection_and_a_replica_that_is_away_is_waited_for() {
    let servers = Replicated::start().await;
    let world = World::replicated(&servers).await;
    let endless = world.report("dug", Report { sql: "select pg_sleep(600)::text as a", seconds: 1800, ..Report::default() }).await;
    let counting = world.report("broj", Report { sql: COUNTING, ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let run = world.ask(world.new_run(endless)).await;
    eventually("the statement runs", async || (servers.statements(run).await == 1).then_some(())).await;
    world.cancel(run).await;
    assert_eq!(world.end(run).await.status, "cancelled");
    eventually("the statement is gone from the replica", async || (servers.statements(run).await == 0).then_some(())).await;

    servers.stop_replica();
    let waiting = world.ask(world.new_run(counting)).await;
    eventually("the run is tried", async || (world.row(waiting).await.attempt >= 1).then_some(())).await;
    servers.start_replica().await;
    assert!(counted(&world, waiting).await.contains("kopija 0"));
}
