//! Two records of one person: merged, and made two again; who agrees, what leads to the one that is left, and that nothing is lost.

mod at_once;
mod doors;
mod keepers;
mod pairs;
mod random;
mod transfer;

use std::collections::BTreeSet;

use accounts::rights::Right;
use domain::db;
use serde_json::{Value, json};

use crate::support::{Answer, Person, TestApp, TestRegister, Worker};

const WHY: &str = "Ista osoba, upisana dva puta";

/// Two records of one person in one register, with a worker of the first institution who may merge.
struct Twice {
    app: TestApp,
    register: TestRegister,
    left: Person,
    gone: Person,
    worker: Worker,
}

impl Twice {
    /// Both kept by the first institution.
    async fn here() -> Self {
        let app = TestApp::new().await;
        let keeper = app.ustanova;
        Self::of(app, keeper).await
    }

    /// The second record is the second institution's; the first one knows it.
    async fn elsewhere() -> Self {
        let app = TestApp::new().await;
        let keeper = app.druga_ustanova;
        let twice = Self::of(app, keeper).await;
        twice.taken(twice.gone.id, twice.app.ustanova).await;
        twice
    }

    async fn of(app: TestApp, keeper: i64) -> Self {
        let register = app.register().await;
        app.lay_out(&["alter table patient alter id restart with 731000001", "alter table entry alter id restart with 841000001"]).await;
        let left = app.person(&register, app.ustanova, 7).await;
        let gone = app.person(&register, keeper, 811).await;
        let worker = app.worker("spaja", &[Right::Merging, Right::Transfer, Right::Log], app.ustanova).await;
        Self { app, register, left, gone, worker }
    }

    async fn taken(&self, patient: i64, by: i64) {
        self.owner(&format!(
            "insert into patient_taking (pacijent_id, ustanova_id, radnik_id, razlog) values ({patient}, {by}, 1, 'Upućen na lečenje')"
        ))
        .await;
    }

    /// Runs a statement as the database's owner.
    async fn owner(&self, sql: &str) {
        let mut tx = db::begin(&self.app.db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
        sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        tx.commit().await.expect("committed");
    }

    /// Returns once so many statements of this database wait for a lock.
    async fn until_waiting(&self, most: i64) {
        let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        while self.number(waiting).await < most {
            tokio::task::yield_now().await;
        }
    }

    fn body(&self, from_gone: &[&str]) -> Value {
        json!({ "pobednikID": self.left.id, "gubitnikID": self.gone.id, "odGubitnika": from_gone, "razlog": WHY, "potvrde": ["jmbgNeslaganje"] })
    }

    async fn merge(&self, from_gone: &[&str]) -> Answer {
        self.worker.post("/api/patient-merges", self.body(from_gone)).await
    }

    async fn merged(&self, from_gone: &[&str]) -> i64 {
        self.merge(from_gone).await.assert_status(201).json()["spajanjeID"].as_i64().expect("a merge")
    }

    async fn number(&self, sql: &str) -> i64 {
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql.to_owned())).fetch_one(&self.app.db.owner).await.expect("a number")
    }

    async fn patient_of(&self, entry: i64) -> i64 {
        self.number(&format!("select pacijent_id from entry where id = {entry}")).await
    }
}

#[tokio::test]
async fn every_column_that_names_a_patient_is_known_to_merging() {
    let app = TestApp::new().await;
    let named: Vec<String> = sqlx::query_scalar(
        "select c.relname || '.' || a.attname
           from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
            and (a.atttypid = 'bigint'::regtype and a.attname ~ '(pacijent|pacijenta|pobednik|gubitnik|patient)_id$'
                 or exists (select from pg_constraint k where k.contype = 'f' and k.conrelid = c.oid and k.confrelid = 'patient'::regclass
                               and a.attnum = any (k.conkey)))",
    )
    .fetch_all(&app.db.owner)
    .await
    .unwrap();
    let listed: Vec<String> =
        sqlx::query_scalar("select tabela || '.' || kolona from merged_tables()").fetch_all(&app.db.owner).await.unwrap();
    assert_eq!(listed.len(), listed.iter().collect::<BTreeSet<_>>().len(), "twice in the list");
    let (named, listed): (BTreeSet<_>, BTreeSet<_>) = (named.into_iter().collect(), listed.into_iter().collect());
    assert_eq!(
        listed, named,
        "say in merged_tables() (migrations/functions/merge.sql) what merging does with a column that names a patient"
    );
    // What is moved has a key by which the journal knows its rows.
    let without: Vec<String> = sqlx::query_scalar(
        "select tabela from merged_tables() where kako = 'pomera' and journal_key(tabela, kolona) is null
             or kako not in ('pomera', 'prati', 'racuna se', 'ostaje')",
    )
    .fetch_all(&app.db.owner)
    .await
    .unwrap();
    assert_eq!(without, Vec::<String>::new());
}

#[tokio::test]
async fn two_records_are_shown_side_by_side_with_what_differs_and_what_moves() {
    let twice = Twice::here().await;
    let shown = twice.worker.get(&format!("/api/patient-merges/preview?pacijentID={}&drugi={}", twice.left.id, twice.gone.id)).await.json();
    assert_eq!((&shown["pobednik"]["id"], &shown["gubitnik"]["id"]), (&json!(twice.left.id), &json!(twice.gone.id)));
    assert_eq!(shown["gubitnik"]["podaci"]["jmbg"], twice.gone.record["jmbg"]);
    let differing = shown["razlike"].as_array().unwrap();
    assert!(
        differing.contains(&json!("jmbg")) && !differing.contains(&json!("zvanje")) && !differing.contains(&json!("strucnaSprema")),
        "{shown}"
    );
    assert_eq!(shown["premesta"], json!([{ "tabela": "entry", "redova": 1 }]));
    assert_eq!((&shown["prepreke"], &shown["sukobi"], &shown["saglasnost"]), (&json!([]), &json!([]), &Value::Null));
    // Between all that the record holds one chooses.
    let chosen = twice.number("select cardinality(chosen_columns())::bigint").await;
    assert_eq!(shown["pobednik"]["podaci"].as_object().unwrap().len() as i64, chosen);
    // By the number of the other one as well.
    let jmbg = twice.gone.record["jmbg"].as_str().unwrap();
    let by_number = twice.worker.get(&format!("/api/patient-merges/preview?pacijentID={}&drugi={jmbg}", twice.left.id)).await.json();
    assert_eq!(by_number["gubitnik"]["id"], json!(twice.gone.id));
    assert_eq!(twice.number("select count(*) from audit_log where akcija = 'pregled pre spajanja'").await, 4);
}

#[tokio::test]
async fn the_chosen_values_stand_in_the_record_and_entries_move_without_a_change() {
    let twice = Twice::here().await;
    let merge = twice.merged(&["adresa", "jmbg", "datumRodjenja", "polTrenutni"]).await;
    let record = twice.worker.get(&format!("/api/patients/{}", twice.left.id)).await.json();
    assert_eq!((&record["adresa"], &record["jmbg"]), (&twice.gone.record["adresa"], &twice.gone.record["jmbg"]));
    assert_eq!((&record["ime"], &record["lbo"]), (&twice.left.record["ime"], &twice.left.record["lbo"]));
    assert_eq!(record["registri"][0]["brojUnosa"], json!(2));
    assert_eq!(twice.patient_of(twice.gone.entry).await, twice.left.id);
    assert_eq!(twice.number(&format!("select verzija::bigint from entry where id = {}", twice.gone.entry)).await, 1);
    assert_eq!(twice.number(&format!("select count(*) from value_num where pacijent_id = {}", twice.gone.id)).await, 0);
    assert_eq!(twice.number(&format!("select count(*) from patient_merge_row where spajanje_id = {merge} and tabela = 'entry'")).await, 1);
    // Who undoes it gets both as they were.
    twice.worker.post(&format!("/api/patient-merges/{merge}/unmerge"), json!({})).await.assert_status(204);
    for person in [&twice.left, &twice.gone] {
        let back = twice.worker.get(&format!("/api/patients/{}", person.id)).await.json();
        for (field, value) in person.record.as_object().unwrap() {
            assert_eq!(&back[field], value, "{field}");
        }
        assert_eq!(twice.patient_of(person.entry).await, person.id);
    }
    assert_eq!(twice.number("select count(*) from patient_alias").await, 0);
    twice.worker.post(&format!("/api/patient-merges/{merge}/unmerge"), json!({})).await.assert_status(422);
}

#[tokio::test]
async fn whose_the_newer_entries_are_is_asked_and_kept_to() {
    let twice = Twice::here().await;
    let merge = twice.merged(&[]).await;
    let (stays, goes) = (
        twice.app.entry(&twice.register, twice.left.id, twice.app.ustanova, "2025-02-03", json!({ "broj": 1 })).await,
        twice.app.entry(&twice.register, twice.left.id, twice.app.ustanova, "2025-02-04", json!({ "broj": 2 })).await,
    );
    let undo = format!("/api/patient-merges/{merge}/unmerge");
    twice.worker.post(&undo, json!({})).await.assert_error(
        409,
        None,
        "Od spajanja ima novijih podataka. Za svaki recite kojoj osobi pripada.",
    );
    let merges = twice.worker.get(&format!("/api/patients/{}/merges", twice.left.id)).await.json();
    assert_eq!((&merges["data"][0]["moze"], &merges["data"][0]["gubitnikID"]), (&json!(true), &json!(twice.gone.id)));
    let newer = merges["data"][0]["noviji"].as_array().unwrap();
    assert_eq!(newer.iter().map(|row| &row["kljuc"]["id"]).collect::<Vec<_>>(), [&json!(stays), &json!(goes)]);
    let said: Vec<Value> = newer
        .iter()
        .map(|row| json!({ "tabela": row["tabela"], "kljuc": row["kljuc"], "prelazi": row["kljuc"]["id"] == json!(goes) }))
        .collect();
    twice.worker.post(&undo, json!({ "noviji": said })).await.assert_status(204);
    assert_eq!((twice.patient_of(stays).await, twice.patient_of(goes).await), (twice.left.id, twice.gone.id));
    assert_eq!(twice.number(&format!("select pacijent_id from value_num where unos_id = {goes} limit 1")).await, twice.gone.id);
    assert_eq!(twice.number(&format!("select broj_unosa::bigint from patient_register where pacijent_id = {}", twice.gone.id)).await, 2);
}

#[tokio::test]
async fn what_somebody_has_changed_since_stays_when_a_merge_is_undone() {
    let twice = Twice::here().await;
    let merge = twice.merged(&["adresa", "zanimanje"]).await;
    let path = format!("/api/patients/{}", twice.left.id);
    twice.worker.patch(&path, json!({ "adresa": "Nova 5", "potvrde": ["jmbgNeslaganje", "slicanPacijent"] })).await.assert_status(200);
    twice.worker.post(&format!("/api/patient-merges/{merge}/unmerge"), json!({})).await.assert_status(204);
    let record = twice.worker.get(&path).await.json();
    assert_eq!((&record["adresa"], &record["zanimanje"]), (&json!("Nova 5"), &twice.left.record["zanimanje"]));
}

#[tokio::test]
async fn what_stands_in_the_way_is_said_and_nothing_happens() {
    let twice = Twice::here().await;
    let same = json!({ "pobednikID": twice.left.id, "gubitnikID": twice.left.id, "razlog": WHY });
    twice.worker.post("/api/patient-merges", same).await.assert_error(409, None, "Izabran je dva puta isti karton.");
    twice
        .worker
        .post("/api/patient-merges", json!({ "pobednikID": twice.left.id, "gubitnikID": twice.gone.id, "razlog": "kratko" }))
        .await
        .assert_status(422);
    let mut old = twice.body(&[]);
    old["verzijaGubitnika"] = json!(99);
    twice.worker.post("/api/patient-merges", old).await.assert_status(409);
    twice
        .owner(&format!("insert into entry_draft (radnik_id, kljuc, pacijent_id, sadrzaj) values (1, 'novi', {}, '{{}}')", twice.gone.id))
        .await;
    let refused = twice.merge(&[]).await.refusal(409);
    assert!(refused["message"].as_str().unwrap().contains("nacrti"), "{refused}");
    twice.owner("delete from entry_draft").await;
    twice.owner(&format!("update patient set aktivan = false where id = {}", twice.gone.id)).await;
    twice.merge(&[]).await.assert_status(404);
    assert_eq!(twice.number("select count(*) from patient_merge").await, 0);
    // Who holds no such right neither looks nor merges.
    let other = twice.app.worker("drugi", &[Right::Log], twice.app.ustanova).await;
    other.post("/api/patient-merges", twice.body(&[])).await.assert_status(403);
}

#[tokio::test]
async fn entries_beyond_the_limit_of_a_form_are_told_and_both_are_kept() {
    let twice = Twice::here().await;
    twice.owner("update form set maksimalan_broj_instanci_po_pacijentu = 1").await;
    let shown = twice.worker.get(&format!("/api/patient-merges/preview?pacijentID={}&drugi={}", twice.left.id, twice.gone.id)).await.json();
    assert_eq!(shown["sukobi"], json!([{ "formular": "Pregled", "dan": null, "broj": 2, "najvise": 1 }]));
    twice.merged(&[]).await;
    assert_eq!(twice.number(&format!("select count(*) from entry where pacijent_id = {} and aktivan", twice.left.id)).await, 2);
}

#[tokio::test]
async fn entries_after_a_death_that_the_other_record_knows_are_told_before_the_merge() {
    let twice = Twice::here().await;
    let preview = format!("/api/patient-merges/preview?pacijentID={}&drugi={}", twice.left.id, twice.gone.id);
    assert_eq!(twice.worker.get(&preview).await.json()["posleSmrti"], json!([]));
    let day: String = sqlx::query_scalar("select max(datum_unosa)::text from entry where pacijent_id = $1")
        .bind(twice.left.id)
        .fetch_one(&twice.app.db.owner)
        .await
        .unwrap();
    twice
        .owner(&format!(
            "insert into patient_status (pacijent_id, status, dan, izvor, ustanova_id)
             select id, 'preminuo', date '{day}' - 1, 'potvrda', ustanova_id from patient where id = {}",
            twice.gone.id
        ))
        .await;
    let told = twice.worker.get(&preview).await.json()["posleSmrti"].clone();
    assert_eq!((told.as_array().map(Vec::len), &told[0]["dan"]), (Some(1), &json!(day)), "{told}");
    // Whichever of the two stays.
    let other = format!("/api/patient-merges/preview?pacijentID={}&drugi={}", twice.gone.id, twice.left.id);
    assert_eq!(twice.worker.get(&other).await.json()["posleSmrti"], told);
}
