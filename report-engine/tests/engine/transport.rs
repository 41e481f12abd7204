//! TLS to PostgreSQL, Redis and the mail server, each vouched for by an authority of the hospital's own.

use crate::world::{Authority, Begins, MailServer, RedisServer, Report, World, eventually};

/// How many connections of engines are encrypted, and how many are not.
const CONNECTIONS: &str = "select count(*) from pg_stat_ssl s join pg_stat_activity a using (pid)
     where a.datname = current_database() and a.application_name like 'report-engine%' and s.ssl";

/// The address of a database that must prove who it is.
fn encrypted(url: &str, authority: &Authority) -> String {
    let address = url.split('?').next().expect("a URL");
    format!("{address}?sslmode=verify-full&{}", authority.believed())
}

/// One test, since there is one PostgreSQL for all.
#[tokio::test]
async fn a_report_goes_over_encrypted_connections_alone_and_a_server_for_whom_a_stranger_vouches_is_told_nothing() {
    let authority = Authority::new();
    let mut world = World::new().await;
    authority.vouch_for_postgres(&world.db).await;
    a_report_is_ordered_made_and_mailed(&mut world, &authority).await;
    a_stranger_is_told_nothing(&mut world, &authority).await;
    authority.leave_postgres(&world.db).await;
}

async fn a_report_is_ordered_made_and_mailed(world: &mut World, authority: &Authority) {
    let server = MailServer::healthy();
    world.redis = RedisServer::encrypted(authority).await;
    let (app, report) = (encrypted(&world.db.app_url, authority), encrypted(&world.db.report_url, authority));
    for (recipient, begins) in [("ana@bolnica.test", Begins::AtOnce), ("vera@bolnica.test", Begins::AfterStartTls)] {
        let mail = authority.vouch_for_mail(&server, begins).await;
        // Nothing but the call through Redis starts the run.
        let engine = world.engine(&[
            ("DATABASE_URL", &app),
            ("REPORT_DATABASE_URL", &report),
            ("SMTP_URL", &mail),
            ("ENGINE_POLL_SECONDS", "3600"),
            ("ENGINE_SMTP_TIMEOUT_SECONDS", "10"),
        ]);
        engine.says("report engine started").await;
        let mut run = world.new_run(world.report(recipient.split('@').next().unwrap(), Report::default()).await);
        run.emails = vec![recipient.to_owned()];
        let run = world.ask(run).await;
        assert_eq!(world.end(run).await.status, "succeeded");
        eventually("the mail is there", async || (!server.kept(recipient).is_empty()).then_some(())).await;
        assert!(world.count(CONNECTIONS).await >= 2);
        assert_eq!(world.count(&CONNECTIONS.replace("and s.ssl", "and not s.ssl")).await, 0);
        assert!(engine.stop().await);
    }
}

async fn a_stranger_is_told_nothing(world: &mut World, authority: &Authority) {
    let stranger = Authority::new();
    let server = MailServer::healthy();
    world.redis = RedisServer::encrypted(&stranger).await;

    let database = encrypted(&world.db.app_url, &stranger);
    world.engine(&[("DATABASE_URL", &database)]).says("invalid peer certificate").await;

    let mail = stranger.vouch_for_mail(&server, Begins::AtOnce).await.replace(&stranger.believed(), &authority.believed());
    let redis = world.redis.url().replace(&stranger.believed(), &authority.believed());
    let _engine = world.engine(&[("SMTP_URL", &mail), ("REDIS_URL", &redis), ("ENGINE_MAIL_DELAY_SCALE", "0.000001")]);
    let mut run = world.new_run(world.report("proba", Report::default()).await);
    run.emails = vec!["ana@bolnica.test".to_owned()];
    let run = world.ask(run).await;
    assert_eq!(world.end(run).await.status, "succeeded", "found in PostgreSQL");
    let failed = "select count(*) from report_delivery where status = 'failed' and smtp_code is null and smtp_text like '%sertifikatu se ne veruje%'";
    eventually("the mail is given up", async || (world.count(failed).await == 1).then_some(())).await;
    assert_eq!(server.receipts().len(), 0);
    assert_eq!(world.count("select count(*) from process where kind = 'report-engine' and redis_ok").await, 0);
}
