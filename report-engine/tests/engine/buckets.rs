//! Files of reports in a store that speaks S3, and what happens when it is cut off.

use std::{
    fs::Permissions,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use domain::{
    artifacts::{ArtifactStore, StoreError},
    runs::NewRun,
    testing::{S3Server, left_out},
};
use sqlx::PgPool;

use crate::faults_crash;
use crate::world::{Authority, Begins, EngineProcess, MailServer, NOBODY, Reply, Report, Stage, World, eventually};

/// Many parts of an upload.
const BIG_ROWS: &str = "select x as a, repeat(md5(x::text), 4) as b from generate_series(1, 400000) x";
const BIG_TEMPLATE: &str = r#"{{#report}}{{col "a" head="A"}}{{col "b" head="B"}}{{/report}}"#;

/// An engine of a host that shares nothing with others but the database, Redis and the bucket.
fn engine(world: &World, s3: &S3Server, host: &str, extra: &[(&str, &str)]) -> EngineProcess {
    on_host(world, s3, host, extra, |environment| world.engine(environment))
}

/// The same of another user, so that it could not reach the other's folder if it tried. Where tests may not become another user, as the same.
fn engine_of_another_user(world: &World, s3: &S3Server, host: &str, extra: &[(&str, &str)]) -> EngineProcess {
    let (all, own) = (world.folder.path(), world.folder.path().join(host));
    std::fs::set_permissions(all, Permissions::from_mode(0o711)).expect("the folder is the test's");
    std::fs::create_dir(&own).expect("the host is new");
    let given = std::os::unix::fs::chown(&own, Some(NOBODY), Some(NOBODY));
    on_host(world, s3, host, extra, |environment| {
        given.ok().and_then(|()| world.engine_as_nobody(environment)).unwrap_or_else(|| {
            left_out("another user on the second host of a bucket", "the tests may not become another one here");
            world.engine(environment)
        })
    })
}

fn on_host(
    world: &World,
    s3: &S3Server,
    host: &str,
    extra: &[(&str, &str)],
    start: impl FnOnce(&[(&str, &str)]) -> EngineProcess,
) -> EngineProcess {
    let folder = world.folder.path().join(host);
    let settings = s3.environment("izvestaji/a");
    let mut environment: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    environment.push(("ARTIFACT_DIR", folder.to_str().expect("a plain path")));
    environment.extend(extra);
    start(&environment)
}

fn store(world: &World, s3: &S3Server) -> ArtifactStore {
    s3.store("izvestaji/a", world.folder.path().join("tester"))
}

/// What the bucket has of the run, after checking that it is what the rows say.
async fn files(world: &World, s3: &S3Server, run: uuid::Uuid) -> Vec<(String, Vec<u8>)> {
    let store = store(world, s3);
    world
        .files_of(run, async |path| {
            use std::io::Read;
            let mut content = Vec::new();
            store.open(path).await.expect("the bucket answers").expect("the file is there").read_to_end(&mut content).unwrap();
            content
        })
        .await
}

/// The files of the server by their names, those of its own making left out.
fn objects(s3: &S3Server) -> Vec<String> {
    let mut found: Vec<String> = walk(&s3.folder().join("regix/izvestaji/a"))
        .filter(|name| !name.rsplit('/').any(|part| part.starts_with(".skladiste") || part.starts_with(".upis")))
        .collect();
    found.sort();
    found
}

/// Parts of uploads that nobody completed.
fn parts(s3: &S3Server) -> usize {
    walk(s3.folder()).filter(|name| name.contains(".upload_id-")).count()
}

fn walk(folder: &Path) -> impl Iterator<Item = String> {
    let mut names = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => names.push(path.to_string_lossy().into_owned()),
            }
        }
    }
    names.into_iter()
}

#[tokio::test]
async fn a_run_keeps_its_files_in_a_bucket_and_nothing_on_the_engines_host() {
    let (world, s3) = (World::new().await, S3Server::start().await);
    let report = world.report("proba", Report::default()).await;
    // As compose sets what nobody gave.
    let engine = engine(&world, &s3, "host", &[("AWS_ENDPOINT_URL_S3", ""), ("AWS_SESSION_TOKEN", "")]);
    let formati = ["CSV", "PDF", "XLSX"].map(str::to_owned).to_vec();
    let run = world.ask(NewRun { formati, ..world.new_run(report) }).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    let files = files(&world, &s3, run).await;
    assert_eq!(files.iter().map(|(format, _)| format.as_str()).collect::<Vec<_>>(), ["CSV", "PDF", "XLSX"]);
    assert!(files[1].1.starts_with(b"%PDF"));
    assert_eq!(objects(&s3).len(), 3);
    engine.stop().await;
    assert_eq!(walk(&world.folder.path().join("host")).count(), 0, "drafts go when they are kept");
}

#[tokio::test]
async fn a_bucket_for_which_the_hospitals_own_authority_vouches_is_believed_and_one_of_a_strangers_gets_nothing() {
    let (world, s3, authority) = (World::new().await, S3Server::start().await, Authority::new());
    let stranger = Authority::new();
    let plain = s3.environment("izvestaji/a").into_iter().find(|(name, _)| *name == "AWS_ENDPOINT").expect("an address").1;
    let inner = plain.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let endpoint = format!("https://127.0.0.1:{}", authority.vouch_for(inner, Begins::AtOnce).await);
    let settings = |believed: &Authority| format!("s3://regix/izvestaji/a?{}", believed.believed());
    let [own, strangers] = [settings(&authority), settings(&stranger)];

    let deceived = engine(&world, &s3, "drugi", &[("AWS_ENDPOINT", &endpoint), ("ARTIFACT_URL", &strangers)]);
    deceived.says("invalid peer certificate").await;
    assert!(objects(&s3).is_empty(), "a server that does not prove who it is gets nothing");
    deceived.stop().await;

    let engine = engine(&world, &s3, "host", &[("AWS_ENDPOINT", &endpoint), ("ARTIFACT_URL", &own)]);
    let report = world.report("proba", Report::default()).await;
    let run = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    assert_eq!(objects(&s3).len(), 1);
    engine.stop().await;
}

/// Hundreds of megabytes take no more: what is in memory is a part.
#[tokio::test]
#[ignore = "long: hundreds of megabytes"]
async fn a_big_file_goes_up_in_parts_and_comes_back_whole() {
    let (world, s3) = (World::new().await, S3Server::start().await);
    let small = world.report("mali", Report::default()).await;
    let big = world.report("veliki", Report { sql: BIG_ROWS, template: BIG_TEMPLATE, seconds: 300, ..Report::default() }).await;
    let engine = engine(&world, &s3, "host", &[]);
    let run = world.ask(world.new_run(small)).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    let before = engine.peak_memory();
    let run = world.ask(world.new_run(big)).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    let grown = engine.peak_memory() - before;
    let files = files(&world, &s3, run).await;
    let megabytes = files[0].1.len() as f64 / f64::from(1 << 20);
    assert!(megabytes > 50.0, "{megabytes} MiB");
    assert!(grown < 45.0, "{grown:.0} MiB more for {megabytes:.0} MiB");
    assert_eq!(parts(&s3), 0);
    assert_eq!(world.count("select count(*) from artifact_upload").await, 0, "an upload that is over is no more");
}

#[tokio::test]
async fn a_store_cut_off_in_mid_run_makes_the_run_wait_and_end_once() {
    let (world, s3) = (World::new().await, S3Server::start().await);
    let slow = world.report("spor", Report { sql: "select 1 as a from pg_sleep(2)", ..Report::default() }).await;
    let quick = world.report("brz", Report::default()).await;
    let engine = engine(&world, &s3, "host", &[]);
    let cut = world.ask(world.new_run(slow)).await;
    world.wait_running(cut).await;
    s3.stop();
    engine.says("the files of a run could not be kept").await;
    engine.says("no_store").await;
    let waiting = world.ask(world.new_run(quick)).await;
    let looked = world.count("select count(*) from process where rests = 'no_store' and store is null").await;
    assert_eq!((looked, world.row(waiting).await.status.as_str()), (1, "queued"), "operators see why");
    s3.run().await;
    engine.says("the engine takes jobs again").await;
    for run in [cut, waiting] {
        let ended = world.end(run).await;
        assert_eq!((ended.status.as_str(), ended.crash_count), ("succeeded", 0), "{ended:?}");
        assert_eq!(files(&world, &s3, run).await.len(), 1);
    }
    assert_eq!(objects(&s3).len(), 2, "nothing of the attempt that failed");
}

#[tokio::test]
async fn an_engine_without_access_leaves_runs_to_one_that_has_it() {
    let (world, s3) = (World::new().await, S3Server::start().await);
    let report = world.report("proba", Report::default()).await;
    let locked_out = engine(&world, &s3, "first", &[("AWS_SECRET_ACCESS_KEY", "wrong")]);
    locked_out.says("no_store").await;
    let run = world.ask(world.new_run(report)).await;
    let _other = engine(&world, &s3, "second", &[]);
    assert_eq!(world.end(run).await.status, "succeeded");
    assert!(!locked_out.log().contains(&run.to_string()));
    assert_eq!(files(&world, &s3, run).await.len(), 1);
}

/// As with a folder that all share; what the dead ones put into the bucket, and no entry names, is all that is left of them.
#[tokio::test]
async fn a_host_killed_at_any_place_is_succeeded_by_another_from_the_bucket() {
    let (world, s3) = (World::new().await, S3Server::start().await);
    let start = |host: &str, extra: &[(&str, &str)]| engine(&world, &s3, host, extra);
    faults_crash::killed_at_each_place(&world, start, async |run| files(&world, &s3, run).await).await;
    let named: Vec<String> = sqlx::query_scalar("select path from report_artifact order by path").fetch_all(&world.db.owner).await.unwrap();
    let kept = objects(&s3);
    assert!(named.iter().all(|path| kept.iter().any(|object| object.ends_with(path))), "{named:?} in {kept:?}");
    assert_eq!((named.len(), kept.len()), (4, 5), "the one that died before it told the database: {kept:?}");
    store(&world, &s3).abort_old(&world.db.app, Duration::ZERO).await.unwrap();
    assert_eq!(parts(&s3), 0);
}

/// Two hosts with users and folders of their own, and the store goes away under both: each run ends once, whole.
#[tokio::test]
async fn two_hosts_survive_the_death_of_one_and_the_absence_of_the_store() {
    let (world, s3) = (World::new().await, S3Server::start().await);
    let report =
        world.report("proba", Report { sql: "select x as a from generate_series(1, 50) x, pg_sleep(0.004)", ..Report::default() }).await;
    let mut asked = Vec::new();
    for _ in 0..24 {
        asked.push(world.ask(world.new_run(report)).await);
    }
    std::fs::DirBuilder::new().mode(0o700).create(world.folder.path().join("first")).expect("the host is new");
    let first = engine(&world, &s3, "first", &[("ENGINE_LEASE_SECONDS", "3")]);
    let second = engine_of_another_user(&world, &s3, "second", &[("ENGINE_LEASE_SECONDS", "3")]);
    first.says("run succeeded").await;
    first.kill();
    s3.stop();
    second.says("no_store").await;
    s3.run().await;
    for run in &asked {
        let ended = world.end(*run).await;
        assert_eq!(ended.status, "succeeded", "{ended:?}");
        assert_eq!(files(&world, &s3, *run).await.len(), 1);
    }
    assert_eq!(world.count("select count(*) from report_artifact").await, 24);
    second.stop().await;
    store(&world, &s3).abort_old(&world.db.app, Duration::ZERO).await.unwrap();
    assert_eq!(parts(&s3), 0);
}

/// What cannot be attached now is sent later, with it, and once.
#[tokio::test]
async fn a_mail_waits_for_the_store_that_has_its_attachment() {
    let busy = Arc::new(AtomicBool::new(true));
    let server = MailServer::scripted({
        let busy = busy.clone();
        move |stage, _, _| match stage {
            Stage::Greeting if busy.load(Ordering::Relaxed) => Reply::Say("421 busy"),
            _ => Reply::Normal,
        }
    });
    let (world, s3) = (World::with_mail(&server).await, S3Server::start().await);
    let report = world.report("proba", Report { attach: true, ..Report::default() }).await;
    let engine = engine(&world, &s3, "host", &[]);
    let run = world.ask(NewRun { emails: vec!["pera@bolnica.test".to_owned()], ..world.new_run(report) }).await;
    eventually("it was tried", async || world.deliveries(run).await.iter().any(|delivery| delivery.attempts > 0).then_some(())).await;
    s3.stop();
    busy.store(false, Ordering::Relaxed);
    // Whichever notices first: the mail that is tried, or the engine, which then rests with all its mail.
    eventually("the mail waits", async || {
        let rests = async || world.count("select count(*) from process where rests = 'no_store'").await == 1;
        (engine.log().contains("a message could not be written now") || rests().await).then_some(())
    })
    .await;
    s3.run().await;
    let letter = eventually("the message comes", async || server.kept("pera@bolnica.test").pop()).await;
    assert!(letter.content.contains("Content-Disposition: attachment"), "{}", letter.content);
    assert_eq!(server.kept("pera@bolnica.test").len(), 1);
}

/// A server that has lost sight of its disks says of every file that there is none.
#[tokio::test]
async fn a_store_that_knows_not_even_its_mark_is_away_and_no_file_of_it_is_gone() {
    let (s3, made_in) = (S3Server::start().await, tempfile::tempdir().unwrap());
    let store = s3.store("host", made_in.path().to_owned());
    let draft = store.drafts().unwrap().join("mala.csv");
    std::fs::write(&draft, "a;b").unwrap();
    store.look(true).await.expect("the bucket answers");
    store.keep(None, &draft, "ab/mala.csv").await.unwrap();
    assert!(store.open("ab/druga.csv").await.unwrap().is_none());
    let disk = s3.folder().join("regix");
    std::fs::rename(disk.join("host"), disk.join("odvojeno")).unwrap();
    assert!(matches!(store.open("ab/mala.csv").await, Err(StoreError::Away(_))));
    std::fs::rename(disk.join("odvojeno"), disk.join("host")).unwrap();
    assert!(store.open("ab/mala.csv").await.unwrap().is_some());
}

/// An upload that ends with its process: `keep` stopped where it stands.
async fn begun(store: &ArtifactStore, db: &PgPool, draft: &Path) {
    let keeping = store.keep(Some(db), draft, "ab/velika.csv");
    tokio::pin!(keeping);
    loop {
        tokio::select! {
            kept = &mut keeping => panic!("it was to be stopped before its end: {kept:?}"),
            () = tokio::time::sleep(Duration::from_millis(2)) => {}
        }
        let noted: i64 = sqlx::query_scalar("select count(*) from artifact_upload").fetch_one(db).await.unwrap();
        if noted == 1 {
            return;
        }
    }
}

#[tokio::test]
async fn an_upload_that_was_never_completed_is_seen_by_nobody_and_is_swept() {
    let (world, s3) = (World::new().await, S3Server::start().await);
    let (store, db) = (store(&world, &s3), &world.db.app);
    let draft = world.folder.path().join("velika.csv");
    std::fs::write(&draft, vec![b'x'; 80 << 20]).unwrap();
    store.look(true).await.expect("the bucket can be used");
    begun(&store, db, &draft).await;
    assert!(store.open("ab/velika.csv").await.unwrap().is_none(), "there whole or not at all");
    assert!(store.is_empty().await.unwrap());
    assert_eq!(store.abort_old(db, Duration::from_secs(3600)).await.unwrap(), 0, "somebody may still be at it");
    assert_eq!(store.abort_old(db, Duration::ZERO).await.unwrap(), 1);
    assert_eq!((parts(&s3), world.count("select count(*) from artifact_upload").await), (0, 0));

    // Cut off in the middle: the caller is told, and what is left is swept when the store is back.
    let keeping = tokio::spawn({
        let (store, db, draft) = (store.clone(), db.clone(), draft.clone());
        async move { store.keep(Some(&db), &draft, "ab/druga.csv").await }
    });
    eventually("it is under way", async || (world.count("select count(*) from artifact_upload").await == 1).then_some(())).await;
    s3.stop();
    assert!(keeping.await.unwrap().is_err());
    s3.run().await;
    assert!(store.open("ab/druga.csv").await.unwrap().is_none());
    assert_eq!(store.abort_old(db, Duration::ZERO).await.unwrap(), 1);
    assert_eq!(parts(&s3), 0);

    store.keep(Some(db), &draft, "ab/treca.csv").await.unwrap();
    assert_eq!(store.open("ab/treca.csv").await.unwrap().unwrap().metadata().unwrap().len(), 80 << 20);
    assert_eq!(store.old(Duration::ZERO).await.unwrap(), ["ab/treca.csv"]);
    for _ in 0..2 {
        store.remove("ab/treca.csv").await.unwrap();
    }
    assert!(store.is_empty().await.unwrap());
}

#[tokio::test]
async fn all_who_see_a_bucket_see_one_mark_and_a_neighbour_sees_another() {
    let (world, s3) = (World::new().await, S3Server::start().await);
    let stores: Vec<_> = (0..6).map(|_| store(&world, &s3)).collect();
    let first = stores.iter().cloned().map(|store| tokio::spawn(async move { store.look(true).await }));
    for looker in first.collect::<Vec<_>>() {
        looker.await.unwrap().expect("the bucket can be used");
    }
    // This server looks whether a key is there and then writes it: of two that mark it at once the last one stays, for all from then on.
    let mut marks = Vec::new();
    for store in &stores {
        marks.push(store.look(true).await.expect("the bucket can be used").mark);
    }
    assert!(marks.iter().all(|mark| *mark == marks[0]), "{marks:?}");
    let neighbour = s3.store("izvestaji/b", world.folder.path().join("tester")).look(true).await.expect("the bucket can be used");
    assert_ne!(neighbour.mark, marks[0]);
    s3.stop();
    assert_eq!(store(&world, &s3).look(false).await, None);
}
