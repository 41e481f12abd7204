//! Old months go into files and come back: nothing is lost, nothing is double, whoever is killed in the middle.

use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use accounts::rights::Right;
use api::archive;
use domain::db;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgConnection};
use tempfile::TempDir;

use crate::{
    reports::eventually,
    support::{Person, TestApp, TestRegister, Worker},
};

const TABLES: [&str; 4] = ["audit_log", "audit_log_patient", "value_history", "patient_history"];

struct Case {
    app: TestApp,
    register: TestRegister,
    person: Person,
    lekar: Worker,
    folder: TempDir,
}

impl Case {
    /// A patient whose record and entry were changed twelve years ago, some of it more than once, and looked at.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let person = app.person(&register, app.ustanova, 4321).await;
        let lekar = app.worker("lekar", &[Right::Log, Right::Looks, Right::Parameters], app.ustanova).await;
        let case = Self { app, register, person, lekar, folder: tempfile::tempdir().unwrap() };
        for number in [1, 2, 3] {
            let values = json!({ case.register.field("broj"): number });
            let mut tx = db::begin(&case.app.db.owner, case.lekar.id).await.unwrap();
            sqlx::query("update entry set vrednosti = vrednosti || $2 where id = $1")
                .bind(case.person.entry)
                .bind(values)
                .execute(&mut *tx)
                .await
                .unwrap();
            tx.commit().await.unwrap();
            case.lekar.patch(&case.patient(""), json!({ "adresa": format!("Stara ulica {number}") })).await.assert_status(200);
        }
        case.lekar.post("/api/search", json!({ "registarID": case.register.id })).await.assert_status(200);
        case.age().await;
        case
    }

    fn patient(&self, rest: &str) -> String {
        format!("/api/patients/{}{rest}", self.person.id)
    }

    /// All of it happened twelve years before.
    async fn age(&self) {
        let mut tx = self.app.db.owner.begin().await.unwrap();
        // Without its triggers: nobody changes the entry.
        sqlx::query("set local session_replication_role = replica").execute(&mut *tx).await.unwrap();
        for (table, column) in [
            ("entry", "datum_kreiranja"),
            ("value_history", "vreme_kreiranja"),
            ("audit_log", "vreme_pristupa"),
            ("audit_log_patient", "vreme_pristupa"),
            ("value_history", "vreme_prestanka_vazenja"),
            ("patient_history", "vreme_prestanka_vazenja"),
        ] {
            let sql = format!("update {table} set {column} = {column} - interval '12 years'");
            sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await.unwrap();
        }
        tx.commit().await.unwrap();
    }

    async fn keep_for(&self, years: i32) {
        let mut tx = db::begin(&self.app.db.owner, db::SYSTEM_WORKER).await.unwrap();
        sqlx::query("update parameter set vrednost = $1 where naziv in ('cuvanjeDnevnikaGodina', 'cuvanjeIstorijeGodina')")
            .bind(years.to_string())
            .execute(&mut *tx)
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }

    async fn make(&self) -> Vec<archive::ArchiveFile> {
        archive::make(&self.app.db.owner_url, self.folder.path(), None).await.expect("months are moved")
    }

    async fn read(&self, name: &str) -> archive::ReadBack {
        archive::read(&self.app.db.owner_url, &self.file(name), None, false).await.expect("a file is read back")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// How often each row stands in the tables; but for those that speak of moving.
    async fn rows(&self) -> BTreeMap<String, u32> {
        let mut rows = BTreeMap::new();
        for table in TABLES {
            let sql = format!("select to_jsonb(t)::text from {table} t");
            let found: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&self.app.db.owner).await.unwrap();
            for row in found.into_iter().filter(|row| !row.contains("\"archive_file\"")) {
                *rows.entry(format!("{table} {row}")).or_default() += 1;
            }
        }
        rows
    }

    /// The rows that files hold.
    fn filed(&self, files: &[PathBuf]) -> BTreeMap<String, u32> {
        let mut rows = BTreeMap::new();
        for file in files {
            let mut tar = tar::Archive::new(fs::File::open(file).unwrap());
            for member in tar.entries().unwrap() {
                let mut member = member.unwrap();
                let name = member.path().unwrap().to_string_lossy().into_owned();
                let Some(table) = name.strip_suffix(".jsonl") else { continue };
                let mut text = String::new();
                member.read_to_string(&mut text).unwrap();
                for line in text.lines() {
                    *rows.entry(format!("{table} {line}")).or_default() += 1;
                }
            }
        }
        rows
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<_> = fs::read_dir(self.folder.path()).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        files
    }

    /// The program as operators run it.
    fn program(&self) -> Child {
        Command::new(env!("CARGO_BIN_EXE_api"))
            .args(["archive", "make"])
            .arg(self.folder.path())
            .env("OWNER_DATABASE_URL", &self.app.db.owner_url)
            .env("RUST_LOG", "error")
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts")
    }
}

/// Rows that are not as often in the one as in the other.
fn differing<'a>(one: &'a BTreeMap<String, u32>, other: &'a BTreeMap<String, u32>) -> Vec<&'a String> {
    one.keys().chain(other.keys()).filter(|row| one.get(*row) != other.get(*row)).collect()
}

/// Both together, each row as often as it stands in either.
fn sum(one: &BTreeMap<String, u32>, other: &BTreeMap<String, u32>) -> BTreeMap<String, u32> {
    let mut all = one.clone();
    for (row, n) in other {
        *all.entry(row.clone()).or_default() += n;
    }
    all
}

#[tokio::test]
async fn nothing_is_moved_unless_somebody_says_for_how_long_it_is_kept_and_never_before_five_years() {
    let case = Case::new().await;
    assert!(case.make().await.is_empty());
    case.keep_for(13).await;
    let before = case.rows().await;
    assert!(case.make().await.is_empty(), "twelve years are within thirteen");
    assert_eq!((case.rows().await, case.files()), (before, Vec::new()));

    let parameters = case.lekar.get("/api/parameters?filter=cuvanjeDnevnika").await.assert_status(200).json();
    let path = format!("/api/parameters/{}", parameters["data"][0]["id"]);
    let message = "Unesite ceo broj od 5 do 100, ili 0 da se zapisi uvek čuvaju u bazi.";
    for wrong in ["4", "101", "-1", "deset", "5,5"] {
        case.lekar.patch(&path, json!({ "vrednost": wrong })).await.assert_error(422, Some("vrednost"), message);
    }
    for right in ["5", "100", "0"] {
        case.lekar.patch(&path, json!({ "vrednost": right })).await.assert_status(200);
    }
    // What somebody wrote past the screen moves nothing.
    case.keep_for(1).await;
    assert!(case.make().await.is_empty());
}

#[tokio::test]
async fn looks_alone_go_earlier_where_the_law_lets_them_and_never_silently() {
    let case = Case::new().await;
    let set = async |naziv: &str, vrednost: &str| {
        let mut tx = db::begin(&case.app.db.owner, db::SYSTEM_WORKER).await.unwrap();
        sqlx::query("update parameter set vrednost = $2 where naziv = $1").bind(naziv).bind(vrednost).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    };
    let counts = async || -> (i64, i64) {
        let counted = sqlx::query_as(
            "select count(*) filter (where look_kind(klasa, akcija) is not null), count(*) filter (where look_kind(klasa, akcija) is null)
               from audit_log where vreme_pristupa < now() - interval '10 years'",
        );
        counted.fetch_one(&case.app.db.owner).await.unwrap()
    };
    let (looks, others) = counts().await;
    assert!(looks > 0 && others > 0, "{looks} {others}");
    // The law's bound, where somebody writes less past the screen.
    set("najmanjeGodinaUvida", "50").await;
    set("cuvanjeUvidaGodina", "1").await;
    assert!(case.make().await.is_empty());
    set("najmanjeGodinaUvida", "5").await;
    set("cuvanjeUvidaGodina", "0").await;
    let parameters = case.lekar.get("/api/parameters?filter=cuvanjeUvida").await.assert_status(200).json();
    let path = format!("/api/parameters/{}", parameters["data"][0]["id"]);
    let message = "Po propisu uvidi ostaju u bazi najmanje 5 godina (parametar „najmanjeGodinaUvida”).";
    case.lekar.patch(&path, json!({ "vrednost": "3" })).await.assert_error(422, Some("vrednost"), message);
    set("najmanjeGodinaUvida", "2").await;
    case.lekar.patch(&path, json!({ "vrednost": "3" })).await.assert_status(200);

    let before = case.rows().await;
    let told = async || case.lekar.get("/api/operations").await.assert_status(200).json()["sistem"]["uvidiUArhiviPre"].clone();
    assert_eq!(told().await, Value::Null);
    let made = case.make().await;
    assert!(!made.is_empty() && made.iter().all(|file| file.name.starts_with("uvidi-")), "{made:?}");
    assert_eq!(counts().await, (0, others), "the rest of the log stays for ever, as its own parameter says");
    let after = case.rows().await;
    let filed = case.filed(&case.files());
    let total = sum(&after, &filed);
    assert_eq!(differing(&total, &before), Vec::<&String>::new(), "each row is in one place");
    assert!(told().await.as_str().is_some_and(|day| day < "2027"), "operators are told");
    let logged: i64 = sqlx::query_scalar("select count(*) from audit_log where klasa = 'archive_file' and akcija = 'arhiviranje'")
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    assert_eq!(usize::try_from(logged).unwrap(), made.len(), "and so is the log");
    for file in &made {
        case.read(&file.name).await;
    }
    assert_eq!(counts().await, (looks, others), "they come back");
}

#[tokio::test]
async fn a_month_is_one_file_and_who_wrote_what_holds_now_stays() {
    let case = Case::new().await;
    case.keep_for(10).await;
    let before = case.rows().await;
    let made = case.make().await;
    assert_eq!(made.len(), 2, "{made:?}");
    let after = case.rows().await;
    assert_eq!(differing(&sum(&after, &case.filed(&case.files())), &before), Vec::<&String>::new(), "each row is in one place");
    assert!(case.make().await.is_empty(), "nothing is left to move");

    // The last change of the value and of the record, who registered the patient.
    let kept: Vec<(i64, i64)> = sqlx::query_as(
        "select (select count(*) from value_history), (select count(*) from patient_history) union all
         select (select count(*) from audit_log where klasa = 'patient' and akcija = 'kreiranje'), (select count(*) from audit_log_patient)",
    )
    .fetch_all(&case.app.db.owner)
    .await
    .unwrap();
    assert_eq!(kept, [(1, 1), (1, 0)]);
    let values =
        case.lekar.get(&format!("/api/entries/{}/archive?nizAutsID={}", case.person.entry, case.register.field("broj"))).await.json();
    let told: Vec<_> = values["data"].as_array().unwrap().iter().map(|row| (&row["brojnaVrednost"], &row["radnikUpisao"])).collect();
    assert_eq!(told, [(&json!(3.0), &json!("Test Lekar")), (&json!(2.0), &Value::Null)], "who wrote the one before is in the file");
    let states = case.lekar.get(&case.patient("/archive")).await.json();
    assert_eq!(
        (&states["total"], &states["data"][0]["radnikUpisao"], &states["data"][1]["radnikUpisao"]),
        (&json!(2), &json!("Test Lekar"), &Value::Null)
    );

    // The log says what was moved, and the screens from when on they tell.
    let log = case.lekar.get("/api/log?datumOd=2020-01-01&akcijeArray=arhiviranje").await.json();
    assert_eq!(log["data"].as_array().unwrap().len(), 2);
    assert_eq!((&log["data"][1]["opis"], &log["data"][1]["polja"][0]["nova"]), (&json!(made[0].name), &json!(made[0].rows)));
    let today = case.app.state.today();
    let month =
        today.checked_sub(jiff::ToSpan::years(12)).unwrap().first_of_month().checked_add(jiff::ToSpan::months(1)).unwrap().to_string();
    let looks = format!("/api/looks?datumOd=2020-01-01&pacijentID={}", case.person.id);
    for answer in [log, values, states, case.lekar.get(&looks).await.json(), case.lekar.get(&case.patient("/views")).await.json()] {
        assert_eq!(answer["uArhiviPre"], month);
    }
}

#[tokio::test]
async fn files_are_read_back_and_twice_is_once() {
    let case = Case::new().await;
    case.keep_for(10).await;
    let before = case.rows().await;
    let made = case.make().await;
    let moved = case.rows().await;
    for file in &made {
        assert_eq!(case.read(&file.name).await, archive::ReadBack { added: file.rows, known: 0 });
        assert_eq!(case.read(&file.name).await, archive::ReadBack { added: 0, known: file.rows });
    }
    assert_eq!(differing(&case.rows().await, &before), Vec::<&String>::new());
    // The next run moves it again, into files that stand for the ones before.
    let again = case.make().await;
    assert_eq!(
        again.iter().map(|file| (file.rows, file.replaced.clone())).collect::<Vec<_>>(),
        made.iter().map(|file| (file.rows, vec![file.name.clone()])).collect::<Vec<_>>()
    );
    assert_eq!(differing(&case.rows().await, &moved), Vec::<&String>::new());

    case.read(&again[0].name).await;
    let log = case.lekar.get("/api/log?datumOd=2010-01-01").await.json();
    assert_eq!(log["uArhiviPre"], Value::Null, "all of it is here");
    assert!(log["data"].as_array().unwrap().iter().any(|row| row["akcija"] == "vraćanje iz arhive"));
}

#[tokio::test]
async fn a_file_that_was_cut_changed_or_is_another_databases_is_refused() {
    let case = Case::new().await;
    case.keep_for(10).await;
    let made = case.make().await;
    let path = case.file(&made[0].name);
    let whole = fs::read(&path).unwrap();
    let refused =
        async || -> String { format!("{:#}", archive::read(&case.app.db.owner_url, &path, None, false).await.expect_err("it is refused")) };
    let moved = case.rows().await;
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert!(refused().await.contains("is not a whole"), "{}", refused().await);
    let mut changed = whole.clone();
    changed[2000] ^= 1;
    fs::write(&path, &changed).unwrap();
    assert!(refused().await.contains("is not a whole"), "{}", refused().await);
    fs::write(&path, &whole).unwrap();
    let other = TestApp::new().await;
    let error = archive::read(&other.db.owner_url, &path, None, false).await.expect_err("another database");
    assert!(error.to_string().contains("was not made of this database"), "{error}");
    assert_eq!(differing(&case.rows().await, &moved), Vec::<&String>::new());
    // A file that the program did not make is not written over.
    let second = Case::new().await;
    second.keep_for(10).await;
    fs::File::create(second.file(&made[0].name)).unwrap().write_all(b"nesto drugo").unwrap();
    let error = archive::make(&second.app.db.owner_url, second.folder.path(), None).await.expect_err("it is there");
    assert!(format!("{error:#}").contains("is there already"), "{error:#}");
}

/// Where the program is stopped: what others hold, and what is there of the file then.
struct Stop {
    held: &'static str,
    waits: &'static str,
    file: bool,
}

#[tokio::test]
async fn killed_at_any_moment_nothing_is_lost_and_nothing_is_double() {
    let case = Case::new().await;
    case.keep_for(10).await;
    let before = case.rows().await;
    for stop in [
        Stop { held: "lock table audit_log_patient in access exclusive mode", waits: "%archivable_rows%", file: false },
        Stop { held: "lock table audit_log_patient in share mode", waits: "%remove_archived%", file: true },
        Stop { held: "lock table archive_file in share mode", waits: "%insert into archive_file%", file: true },
    ] {
        let mut holder = case.app.db.owner.begin().await.unwrap();
        sqlx::query(stop.held).execute(&mut *holder).await.unwrap();
        let mut program = case.program();
        let mut watcher = case.app.db.owner.acquire().await.unwrap();
        eventually("it waits", async || waiting(&mut watcher, stop.waits).await.then_some(())).await;
        let whole = |path: &Path| path.extension().is_some_and(|ending| ending == "tar");
        assert_eq!(case.files().iter().any(|path| whole(path)), stop.file, "{}", stop.held);
        program.kill().unwrap();
        program.wait().unwrap();
        holder.rollback().await.unwrap();
        assert_eq!(differing(&case.rows().await, &before), Vec::<&String>::new(), "{}", stop.held);
        eventually("its session ends", async || (!waiting(&mut watcher, "%archiv%").await).then_some(())).await;
    }
    let status = case.program().wait().unwrap();
    assert!(status.success());
    let files = case.files();
    assert_eq!(files.len(), 2, "the halves are gone: {files:?}");
    assert_eq!(differing(&sum(&case.rows().await, &case.filed(&files)), &before), Vec::<&String>::new());
    let known: i64 = sqlx::query_scalar("select count(*) from archive_file").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(known, 2);
}

/// Whether a session of the database waits in such a statement.
async fn waiting(db: &mut PgConnection, statement: &str) -> bool {
    sqlx::query_scalar(
        "select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query ilike $1)",
    )
    .bind(statement)
    .fetch_one(db)
    .await
    .unwrap()
}

#[tokio::test]
async fn empty_months_give_their_room_back() {
    let case = Case::new().await;
    let day = case.app.state.today().checked_sub(jiff::ToSpan::years(12)).unwrap().first_of_month();
    let (next, month) = (day.checked_add(jiff::ToSpan::months(1)).unwrap(), day.strftime("%Y_%m").to_string());
    for table in ["audit_log", "audit_log_patient"] {
        let sql = format!(
            "create temp table old as select * from {table} where vreme_pristupa < '{next}';
             delete from {table} where vreme_pristupa < '{next}';
             create table {table}_{month} partition of {table} for values from ('{day}') to ('{next}');
             insert into {table} overriding system value select * from old;
             drop table old;"
        );
        let mut tx = case.app.db.owner.begin().await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }
    case.keep_for(10).await;
    let made = case.make().await;
    let there: Vec<String> =
        sqlx::query_scalar("select relname::text from pg_class where relkind = 'r' and relname like '%' || $1 order by 1")
            .bind(&month)
            .fetch_all(&case.app.db.owner)
            .await
            .unwrap();
    assert_eq!(there, [format!("audit_log_{month}")], "who registered the patient stands there still");
    let read = case.read(&made[0].name).await;
    assert_eq!(read.added, made[0].rows, "what comes back needs no month of its own");
}
