//! `api backup` and `api restore`: what comes back, what is settled, and what is refused.

use std::{
    fs,
    io::Read,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use api::backup::{self, Places, SettledCounts};
use domain::{
    artifacts::ArtifactStore,
    testing::{self, S3Server, TestDb},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::{
    reports::{Report, succeed},
    support::TestApp,
};

const CSV: &[u8] = "pol;broj\nženski;12\n".as_bytes();

/// An installation to copy, and a place to restore the copy to.
struct CopyScene {
    from: TestApp,
    folder: TempDir,
    template_dir: PathBuf,
    to: TestDb,
    to_artifacts: TempDir,
}

impl CopyScene {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let template_dir = folder.path().join("templates-here");
        fs::create_dir_all(template_dir.join("reports")).unwrap();
        fs::write(template_dir.join("reports/svoj.sql"), "select 1 as n").unwrap();
        fs::write(template_dir.join("reports/svoj.hbs"), "{{#report}}{{/report}}").unwrap();
        let (to, to_artifacts) = (testing::empty_database().await, tempfile::tempdir().unwrap());
        Self { from: TestApp::new().await, folder, template_dir, to, to_artifacts }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("regix.backup")
    }

    fn source(&self) -> Places {
        Places {
            owner_url: self.from.db.owner_url.clone(),
            artifacts: self.from.state.config.artifacts.clone(),
            template_dir: self.template_dir.clone(),
        }
    }

    fn target(&self) -> Places {
        Places {
            owner_url: self.to.owner_url.clone(),
            artifacts: ArtifactStore::folder(self.to_artifacts.path().to_owned()),
            template_dir: self.folder.path().join("templates-there"),
        }
    }

    async fn make(&self) -> backup::BackupResult {
        backup::make(&self.source(), &self.file()).await.expect("a backup")
    }

    async fn refused(&self) -> String {
        match backup::restore(&self.target(), &self.file()).await {
            Ok(_) => panic!("it was restored"),
            Err(error) => format!("{error:#}"),
        }
    }
}

/// The rows of every table, of both databases, but for what is not copied and what a restoration writes.
async fn rows(db: &TestDb) -> Vec<(String, i64)> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select relname::text from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
            and relname not in ('session', 'socket_ticket', 'process', 'report_scope', 'restoration', 'applied_definitions', 'backup_made') order by 1",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    let mut counted = Vec::new();
    for table in tables {
        let n = sqlx::query_scalar(sqlx::AssertSqlSafe(format!("select count(*) from {table}"))).fetch_one(&db.owner).await.unwrap();
        counted.push((table, n));
    }
    counted
}

/// Changes that bytes of the file may suffer on their way.
async fn refused_when(copied: &CopyScene, change: impl FnOnce(&mut Vec<u8>)) -> String {
    let whole = fs::read(copied.file()).unwrap();
    let mut changed = whole.clone();
    change(&mut changed);
    fs::write(copied.file(), changed).unwrap();
    let said = copied.refused().await;
    fs::write(copied.file(), whole).unwrap();
    said
}

/// The same backup, whole, with something else in what it says of itself.
fn write_with(file: &Path, change: impl Fn(&mut Value)) {
    let mut members = Vec::new();
    for entry in tar::Archive::new(fs::File::open(file).unwrap()).entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().display().to_string();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        members.push((path, content));
    }
    let (mut tar, mut list) = (tar::Builder::new(Vec::new()), Vec::new());
    for (path, mut content) in members {
        if path == "backup.json" {
            let mut header: Value = serde_json::from_slice(&content).unwrap();
            change(&mut header);
            content = header.to_string().into_bytes();
        } else if path == "manifest.json" {
            content = Value::from(std::mem::take(&mut list)).to_string().into_bytes();
        }
        list.push(json!({ "path": path, "bytes": content.len(), "sha256": hex::encode(Sha256::digest(&content)) }));
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        tar.append_data(&mut header, path, content.as_slice()).unwrap();
    }
    fs::write(file, tar.into_inner().unwrap()).unwrap();
}

#[tokio::test]
async fn a_copy_moves_the_files_from_a_folder_to_a_bucket_and_is_made_from_there() {
    let (copied, s3) = (CopyScene::new().await, S3Server::start().await);
    let lekar = copied.from.lekar().await;
    let run = Report::plain(&copied.from.db).await.run(&lekar).await;
    succeed(&copied.from, run, CSV).await;
    copied.make().await;
    let bucket = Places { artifacts: s3.store("izvestaji", copied.folder.path().join("here")), ..copied.target() };
    let restored = backup::restore(&bucket, &copied.file()).await.expect("a restoration");
    assert_eq!(restored.artifacts, 1);
    let mut content = Vec::new();
    bucket.artifacts.open(&format!("{run}.csv")).await.unwrap().expect("the file is there").read_to_end(&mut content).unwrap();
    assert_eq!(content, CSV);

    let again = backup::make(&bucket, &copied.folder.path().join("opet.backup")).await.expect("a backup");
    assert_eq!((again.artifacts, again.missing.len()), (1, 0));
}

#[tokio::test]
async fn everything_comes_back_and_people_sign_in_and_fetch_their_files() {
    let copied = CopyScene::new().await;
    let app = &copied.from;
    let lekar = app.lekar().await;
    app.set_password(&lekar, "lozinka za posle").await;
    let register = app.register().await;
    let person = app.person(&register, app.ustanova, 7).await;
    let report = Report::plain(&app.db).await;
    let run = report.run(&lekar).await;
    succeed(app, run, CSV).await;
    let before = rows(&app.db).await;

    let made = copied.make().await;
    assert_eq!((made.artifacts, made.missing.len()), (1, 0));
    assert_eq!(fs::metadata(copied.file()).unwrap().len(), made.bytes);
    assert_eq!(fs::metadata(copied.file()).unwrap().permissions().mode() & 0o777, 0o600, "patients' data, for nobody else's eyes");
    let restored = backup::restore(&copied.target(), &copied.file()).await.expect("a restoration");
    assert_eq!((restored.artifacts, restored.settled), (1, SettledCounts { deliveries: 0, runs: 0 }));
    assert_eq!(restored.header.taken_at, made.header.taken_at);
    assert_eq!(rows(&copied.to).await, before);
    assert_eq!(fs::read_to_string(copied.folder.path().join("templates-there/reports/svoj.sql")).unwrap(), "select 1 as n");

    let (ustanova, druga) = (app.ustanova, app.druga_ustanova);
    let there = TestApp::on(copied.to, copied.to_artifacts, None, ustanova, druga);
    there.anonymous().with_token(lekar.token.clone()).get("/api/registers?aktivan=true").await.assert_status(401);
    there.anonymous().post("/api/login", json!({ "username": "lekar", "password": "lozinka za posle" })).await.assert_status(200);
    let lekar = there.another_session(&lekar).await;
    lekar.get(&format!("/api/patients/{}", person.id)).await.assert_status(200);
    assert_eq!(lekar.get(&format!("/api/report-runs/{run}/download?format=CSV")).await.bytes, CSV);
    // Numbers go on where they were.
    there.person(&register, ustanova, 8).await;
}

#[tokio::test]
async fn what_was_open_ends_with_a_word_and_is_neither_run_nor_mailed_again() {
    let copied = CopyScene::new().await;
    let app = &copied.from;
    let lekar = app.lekar().await;
    let report = Report::plain(&app.db).await;
    let (done, open) = (report.run(&lekar).await, report.run(&lekar).await);
    succeed(app, done, CSV).await;
    for (status, address) in [("pending", "a@kcs.rs"), ("sending", "b@kcs.rs"), ("uncertain", "c@kcs.rs"), ("sent", "d@kcs.rs")] {
        sqlx::query("insert into report_delivery (run_id, address, message_id, status) values ($1, $2, $2, $3)")
            .bind(done)
            .bind(address)
            .bind(status)
            .execute(&app.db.owner)
            .await
            .unwrap();
    }
    app.register().await;
    app.lay_out(&[
        "insert into recomputation (form_id, form_version_id, radnik_id, ukupno) select id, make_form_version(id), 1, 0 from form",
    ])
    .await;
    copied.make().await;
    let restored = backup::restore(&copied.target(), &copied.file()).await.expect("a restoration");
    assert_eq!(restored.settled, SettledCounts { deliveries: 3, runs: 1 });
    let recomputation: String = sqlx::query_scalar("select status from recomputation").fetch_one(&copied.to.owner).await.unwrap();
    assert_eq!(recomputation, "failed", "it is asked for again");
    let mails: Vec<(String, String)> =
        sqlx::query_as("select address, status from report_delivery order by address").fetch_all(&copied.to.owner).await.unwrap();
    let mails: Vec<(&str, &str)> = mails.iter().map(|(address, status)| (address.as_str(), status.as_str())).collect();
    assert_eq!(mails, [("a@kcs.rs", "failed"), ("b@kcs.rs", "failed"), ("c@kcs.rs", "failed"), ("d@kcs.rs", "sent")]);
    let ended: (String, String) =
        sqlx::query_as("select status, error_text from report_run where id = $1").bind(open).fetch_one(&copied.to.owner).await.unwrap();
    assert_eq!(ended.0, "failed");
    assert!(ended.1.contains("vraćen iz rezervne kopije"), "{}", ended.1);
}

#[tokio::test]
async fn a_file_that_was_cut_or_changed_is_not_restored_and_leaves_nothing() {
    let copied = CopyScene::new().await;
    copied.make().await;
    let cut = refused_when(&copied, |bytes| bytes.truncate(bytes.len() * 2 / 3)).await;
    assert!(cut.contains("is not a whole backup"), "{cut}");
    let without_list = refused_when(&copied, |bytes| {
        let list = bytes.windows(13).rposition(|window| window == b"manifest.json").unwrap();
        bytes.truncate(list);
    })
    .await;
    assert!(without_list.contains("it was cut off"), "{without_list}");
    let changed = refused_when(&copied, |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
    })
    .await;
    assert!(changed.contains("is not a whole backup"), "{changed}");
    assert_eq!(rows(&copied.to).await, []);
    assert!(!copied.target().template_dir.exists());
}

#[tokio::test]
async fn nothing_is_overwritten_neither_a_database_nor_a_file_nor_a_backup() {
    let copied = CopyScene::new().await;
    copied.make().await;
    let again = backup::make(&copied.source(), &copied.file()).await.err().expect("the file is there");
    assert!(again.to_string().contains("is there already"), "{again}");
    let into_itself = backup::restore(&copied.source(), &copied.file()).await.err().expect("a database in use");
    assert!(into_itself.to_string().contains("the database is not empty"), "{into_itself}");
    fs::write(copied.to_artifacts.path().join("nečije.pdf"), "x").unwrap();
    assert!(copied.refused().await.contains("restored into an empty folder"));
    fs::remove_file(copied.to_artifacts.path().join("nečije.pdf")).unwrap();
    fs::write(copied.to_artifacts.path().join(domain::artifacts::MARK), "of a program that runs there").unwrap();

    let own = copied.folder.path().join("templates-there/reports/svoj.sql");
    fs::create_dir_all(own.parent().unwrap()).unwrap();
    fs::write(&own, "select 2 as n").unwrap();
    let restored = backup::restore(&copied.target(), &copied.file()).await.expect("a restoration");
    assert_eq!(restored.kept_templates, ["reports/svoj.sql"]);
    assert_eq!(fs::read_to_string(own).unwrap(), "select 2 as n");
}

#[tokio::test]
async fn a_report_file_that_is_gone_is_named_and_the_rest_is_copied() {
    let copied = CopyScene::new().await;
    let lekar = copied.from.lekar().await;
    let report = Report::plain(&copied.from.db).await;
    let (kept, lost) = (report.run(&lekar).await, report.run(&lekar).await);
    succeed(&copied.from, kept, CSV).await;
    succeed(&copied.from, lost, CSV).await;
    fs::remove_file(copied.from.artifact_dir().join(format!("{lost}.csv"))).unwrap();
    let made = copied.make().await;
    assert_eq!((made.artifacts, made.missing), (1, vec![format!("{lost}.csv")]));
}

#[tokio::test]
async fn no_backup_is_made_that_its_own_program_could_not_restore() {
    let copied = CopyScene::new().await;
    sqlx::query(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         select 9999, 'later', true, checksum, 0 from _sqlx_migrations limit 1",
    )
    .execute(&copied.from.db.owner)
    .await
    .unwrap();
    let said = match backup::make(&copied.source(), &copied.file()).await {
        Ok(_) => panic!("it was made"),
        Err(error) => format!("{error:#}"),
    };
    assert!(said.contains("migrated by a newer Regix (migration 9999"), "{said}");
    assert_eq!(fs::read_dir(copied.folder.path()).unwrap().count(), 1, "nothing stands beside the templates");
}

#[tokio::test]
async fn a_backup_of_a_newer_regix_or_of_before_the_beginning_is_left_to_that_one() {
    let copied = CopyScene::new().await;
    copied.make().await;
    write_with(&copied.file(), |header| header["migration"] = json!(9999));
    assert!(copied.refused().await.contains("made by a newer Regix"));
    write_with(&copied.file(), |header| header["migration"] = json!(91));
    assert!(copied.refused().await.contains("of a Regix of before schema 101 (it has 91)"));
}

#[tokio::test]
async fn a_restoration_that_failed_is_begun_again_with_the_same_file_and_no_other() {
    let copied = CopyScene::new().await;
    let lekar = copied.from.lekar().await;
    let run = Report::plain(&copied.from.db).await.run(&lekar).await;
    succeed(&copied.from, run, CSV).await;
    let before = rows(&copied.from.db).await;
    copied.make().await;
    // The database refuses what the copy brings: the files are in their place by then.
    sqlx::raw_sql("create type public.report_run as (n int)").execute(&copied.to.owner).await.unwrap();
    let failed = copied.refused().await;
    assert!(failed.contains("pg_restore"), "{failed}");
    assert!(copied.to_artifacts.path().join(format!("{run}.csv")).exists(), "the files came first");
    sqlx::raw_sql("drop type public.report_run").execute(&copied.to.owner).await.unwrap();

    let another = copied.folder.path().join("drugi.backup");
    backup::make(&copied.source(), &another).await.expect("another backup");
    let mixed = backup::restore(&copied.target(), &another).await.err().expect("two copies do not mix").to_string();
    assert!(mixed.contains("another backup was begun to be restored here"), "{mixed}");

    let restored = backup::restore(&copied.target(), &copied.file()).await.expect("a restoration");
    assert_eq!(restored.artifacts, 1);
    assert_eq!(rows(&copied.to).await, before);
    assert!(copied.refused().await.contains("the database is not empty"), "done is done");
}

#[tokio::test]
async fn one_that_was_killed_after_the_database_had_come_goes_on_from_there() {
    let copied = CopyScene::new().await;
    copied.make().await;
    backup::restore(&copied.target(), &copied.file()).await.expect("a restoration");
    // As if it had been killed before it could say that it was done.
    let header = fs::File::open(copied.file()).map(tar::Archive::new).unwrap().entries().unwrap().find_map(|entry| {
        let mut entry = entry.unwrap();
        let mut text = String::new();
        (entry.path().unwrap().display().to_string() == "backup.json").then(|| entry.read_to_string(&mut text).map(|_| text).unwrap())
    });
    sqlx::raw_sql("create schema regix_restoring; create table regix_restoring.copy (header text not null)")
        .execute(&copied.to.owner)
        .await
        .unwrap();
    sqlx::query("insert into regix_restoring.copy values ($1)").bind(header.expect("a header")).execute(&copied.to.owner).await.unwrap();
    backup::restore(&copied.target(), &copied.file()).await.expect("it goes on");
    let left: bool =
        sqlx::query_scalar("select to_regclass('regix_restoring.copy') is not null").fetch_one(&copied.to.owner).await.unwrap();
    assert!(!left);
}

#[tokio::test]
async fn what_is_restored_has_the_partitions_of_the_months_to_come() {
    let copied = CopyScene::new().await;
    let newest = "select max(inhrelid::regclass::text) from pg_inherits
                   where inhparent = 'audit_log'::regclass and inhrelid::regclass::text ~ '[0-9]$'";
    let part: String = sqlx::query_scalar(newest).fetch_one(&copied.from.db.owner).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("drop table {part}"))).execute(&copied.from.db.owner).await.unwrap();
    copied.make().await;
    backup::restore(&copied.target(), &copied.file()).await.expect("a restoration");
    assert_eq!(sqlx::query_scalar::<_, String>(newest).fetch_one(&copied.to.owner).await.unwrap(), part);
}

#[tokio::test]
async fn operators_see_how_old_and_how_large_the_last_backup_is() {
    let copied = CopyScene::new().await;
    let figures = async || api::operations::measure(&copied.from.state).await.text();
    assert!(!figures().await.contains("regix_backup_age_seconds{"), "there is none");
    let admin = copied.from.admin().await;
    let shown = async || admin.get("/api/operations").await.json()["kopija"].clone();
    assert_eq!(shown().await, Value::Null);
    let made = copied.make().await;
    let text = figures().await;
    let figure = |name: &str| -> f64 {
        let line = text.lines().find(|line| line.starts_with(&format!("{name}{{}} "))).unwrap_or_else(|| panic!("{name} in {text}"));
        line.rsplit_once(' ').unwrap().1.parse().unwrap()
    };
    assert_eq!(figure("regix_backup_bytes"), made.bytes as f64);
    assert!((0.0..60.0).contains(&figure("regix_backup_age_seconds")));
    assert_eq!(figure("regix_backup_missing_files"), 0.0);
    let shown = shown().await;
    assert_eq!((&shown["bajtova"], &shown["nedostaje"]), (&json!(made.bytes), &json!(0)));
    assert!(shown["staraSekundi"].as_f64().is_some_and(|age| (0.0..60.0).contains(&age)), "{shown}");
}

#[tokio::test]
async fn a_rehearsal_says_what_a_backup_brings_back_and_leaves_nothing() {
    let copied = CopyScene::new().await;
    let register = copied.from.register().await;
    copied.from.person(&register, copied.from.ustanova, 7).await;
    copied.make().await;
    // What has changed since is no business of the copy's.
    copied.from.person(&register, copied.from.ustanova, 8).await;
    let rehearsal = backup::rehearse(&copied.source(), copied.folder.path()).await.expect("the copy of the folder comes back");
    assert_eq!(rehearsal.file, copied.file());
    let came: Vec<&(String, i64, i64)> = rehearsal.tables.iter().filter(|(table, ..)| table == "patient").collect();
    assert_eq!(came, [&("patient".to_owned(), 1, 1)]);

    let refused = async |change: &dyn Fn(&mut Value)| {
        write_with(&copied.file(), change);
        match backup::rehearse(&copied.source(), &copied.file()).await {
            Ok(_) => panic!("it was taken for whole"),
            Err(error) => format!("{error:#}"),
        }
    };
    let other = refused(&|header| header["sums"]["patient"][1] = json!("1")).await;
    assert!(other.contains("patient: what came back is not what was backed up"), "{other}");
    write_with(&copied.file(), |header| header["migration"] = json!(domain::schema::newest() - 1));
    backup::rehearse(&copied.source(), &copied.file()).await.expect("of a copy of before an upgrade the rows are counted");
    let fewer = refused(&|header| header["sums"]["patient"][0] = json!(2)).await;
    assert!(fewer.contains("patient: 2 rows were backed up, 1 came back"), "{fewer}");

    let left: i64 = sqlx::query_scalar("select count(*) from pg_database where datname like 'regix_rehearsal_%' and not datistemplate")
        .fetch_one(&copied.from.db.owner)
        .await
        .unwrap();
    assert_eq!(left, 0, "the databases of rehearsals are gone");
}
