//! Stored results computed anew by the newest version of a form: what becomes of entries, of their history, and of those who save
//! meanwhile; and engines that die in the middle.

use domain::{
    db,
    formula::{self, FormulaKind, Target},
    register::ValueType,
};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Postgres, Transaction};

use crate::world::{World, eventually};

/// Of engines that are going to die. On a busy machine a shorter one would lapse under living engines too.
const SHORT_LEASE: (&str, &str) = ("ENGINE_LEASE_SECONDS", "3");

/// A form of a number and of what is calculated of it, by the formula `$(broj) + 1` until it is changed.
struct Case {
    world: World,
    register: i64,
    form: i64,
    broj: i64,
    zbir: i64,
}

impl Case {
    async fn new() -> Self {
        let world = World::new().await;
        let mut tx = db::begin(&world.db.owner, db::SYSTEM_WORKER).await.unwrap();
        let register = of(&mut tx, "insert into register (naziv) values ('Proba') returning id").await;
        let form = of(&mut tx, &format!("insert into form (registar_id, naziv) values ({register}, 'Pregled') returning id")).await;
        let mut fields = Vec::new();
        for (place, code) in ["broj", "zbir"].into_iter().enumerate() {
            let kind = of(
                &mut tx,
                &format!(
                    "insert into attribute_type (naziv, tip_vrednosti_atributa, donja_granica_brojne_vrednosti, gornja_granica_brojne_vrednosti)
                     values ('{code}', 2, 0, 100) returning id"
                ),
            )
            .await;
            let field = format!(
                "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, pretrazuje_se, opcioni)
                 values ({form}, {kind}, '{code}', {place}, '{code}', true, true) returning id"
            );
            fields.push(of(&mut tx, &field).await);
        }
        tx.commit().await.unwrap();
        let case = Self { world, register, form, broj: fields[0], zbir: fields[1] };
        case.reformulate("$(broj) + 1").await;
        case
    }

    /// As a publication: another formula, its version, and a mark on every result, known to the version.
    async fn reformulate(&self, text: &str) -> i64 {
        let known: Vec<formula::Field> = [("broj", self.broj), ("zbir", self.zbir)]
            .map(|(code, id)| formula::Field { id, sifra: Some(code.to_owned()), tip_vrednosti: ValueType::Number, ..Default::default() })
            .to_vec();
        let target = Target { field: self.zbir, kind: FormulaKind::Calculation };
        let tree = serde_json::to_value(formula::compile(text, target, &known).expect("a formula").formula).unwrap();
        let mut tx = db::begin(&self.world.db.owner, db::SYSTEM_WORKER).await.unwrap();
        sqlx::query("update form_field set formula_za_racunanje = $2, formula_za_racunanje_ast = $3 where id = $1")
            .bind(self.zbir)
            .bind(text)
            .bind(tree)
            .execute(&mut *tx)
            .await
            .unwrap();
        let version = of(&mut tx, &format!("select make_form_version({})", self.form)).await;
        sqlx::query(
            "insert into stale_result (unos_id, polje_id, razlog, vreme)
             select e.id, $2, 'formula', v.napravljena from entry e join form_version v on v.id = $3 where e.tsa_id = $1
                 on conflict (unos_id, polje_id) do update set vreme = excluded.vreme",
        )
        .bind(self.form)
        .bind(self.zbir)
        .bind(version)
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
        version
    }

    async fn patient(&self) -> i64 {
        let number = self.count("select count(*) + 1 from patient").await;
        let mut tx = db::begin(&self.world.db.owner, db::SYSTEM_WORKER).await.unwrap();
        let patient = of(
            &mut tx,
            &format!(
                "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
                 values ('Ana', 'Anić', '1960-01-01', lpad('{number}', 13, '0'), lpad('{number}', 11, '0'), true, '011/1234567', {}) returning id",
                self.world.ustanova
            ),
        )
        .await;
        tx.commit().await.unwrap();
        patient
    }

    /// As it was saved by the form of that moment.
    async fn entry(&self, patient: i64, day: &str, broj: i64, zbir: i64) -> i64 {
        let mut tx = db::begin(&self.world.db.owner, db::SYSTEM_WORKER).await.unwrap();
        let values = json!({ self.broj.to_string(): broj, self.zbir.to_string(): zbir });
        let entry = of(
            &mut tx,
            &format!(
                "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, vrednosti)
                 values ({patient}, {}, {}, '{day}', {}, '{values}') returning id",
                self.register, self.form, self.world.ustanova
            ),
        )
        .await;
        tx.commit().await.unwrap();
        entry
    }

    /// Each of a patient of its own, with the numbers from 1 on.
    async fn entries(&self, count: i64) -> Vec<i64> {
        let mut entries = Vec::new();
        for broj in 1..=count {
            let patient = self.patient().await;
            entries.push(self.entry(patient, "2026-03-01", broj, broj + 1).await);
        }
        entries
    }

    /// As the api does; the engines find it by themselves.
    async fn order(&self, version: i64) -> i64 {
        let mut tx = db::begin(&self.world.db.app, self.world.radnik).await.unwrap();
        let id = of(
            &mut tx,
            &format!(
                "insert into recomputation (form_id, form_version_id, radnik_id, ustanova_id, ukupno)
                 values ({}, {version}, {}, {}, (select count(*) from entry where tsa_id = {} and aktivan)) returning id",
                self.form, self.world.radnik, self.world.ustanova, self.form
            ),
        )
        .await;
        tx.commit().await.unwrap();
        id
    }

    async fn row(&self, id: i64) -> Row {
        sqlx::query_as("select status, fence, ukupno, pregledano, promenjeno, prevedeno, ostavljeno from recomputation where id = $1")
            .bind(id)
            .fetch_one(&self.world.db.owner)
            .await
            .unwrap()
    }

    async fn end(&self, id: i64) -> Row {
        eventually("the recomputation ends", async || {
            let row = self.row(id).await;
            (!matches!(row.status.as_str(), "queued" | "running")).then_some(row)
        })
        .await
    }

    async fn run(&self, sql: &'static str) {
        let mut tx = db::begin(&self.world.db.owner, db::SYSTEM_WORKER).await.unwrap();
        sqlx::query(sql).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn count(&self, sql: &str) -> i64 {
        self.world.count(sql).await
    }

    async fn stored(&self, entry: i64) -> StoredResult {
        sqlx::query_as(
            "select (vrednosti -> $2)::text as zbir, verzija, form_version_id, radnik_izmenio_id, datum_izmene is not null as izmenjen
               from entry where id = $1",
        )
        .bind(entry)
        .bind(self.zbir.to_string())
        .fetch_one(&self.world.db.owner)
        .await
        .unwrap()
    }

    async fn results(&self, entries: &[i64]) -> Vec<i64> {
        let mut results = Vec::new();
        for entry in entries {
            results.push(self.stored(*entry).await.zbir.and_then(|zbir| zbir.parse().ok()).expect("a result"));
        }
        results
    }

    /// A person who saves the entry at this moment: whoever comes after her waits.
    async fn saving(&self, entry: i64, broj: i64, zbir: i64) -> Transaction<'static, Postgres> {
        let mut tx = db::begin(&self.world.db.owner, self.world.radnik).await.unwrap();
        sqlx::query("update entry set vrednosti = $2 where id = $1")
            .bind(entry)
            .bind(json!({ self.broj.to_string(): broj, self.zbir.to_string(): zbir }))
            .execute(&mut *tx)
            .await
            .unwrap();
        tx
    }

    async fn wait_for_waiting(&self) {
        // Other tests' engines wait on the same server.
        let waiting = "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'report-engine'
            and wait_event_type = 'Lock'";
        eventually("the engine waits for whoever saves", async || (self.count(waiting).await > 0).then_some(())).await;
    }

    /// Each entry has one row of the recomputation, one of the history and one of the log.
    async fn assert_once(&self, count: i64) {
        for sql in [
            "select count(*) from recomputation_entry where ishod = 'promenjen'",
            "select count(distinct unos_id) from recomputation_entry",
            "select count(*) from value_history",
            "select count(*) from audit_log where klasa = 'entry' and akcija = 'preračunavanje'",
        ] {
            assert_eq!(self.count(sql).await, count, "{sql}");
        }
    }
}

#[derive(Debug, PartialEq, sqlx::FromRow)]
struct Row {
    status: String,
    fence: i64,
    ukupno: i64,
    pregledano: i64,
    promenjeno: i64,
    prevedeno: i64,
    ostavljeno: i64,
}

impl Row {
    fn counts(&self) -> (&str, [i64; 5]) {
        (&self.status, [self.ukupno, self.pregledano, self.promenjeno, self.prevedeno, self.ostavljeno])
    }
}

#[derive(Debug, PartialEq, sqlx::FromRow)]
struct StoredResult {
    zbir: Option<String>,
    verzija: i32,
    form_version_id: i64,
    radnik_izmenio_id: Option<i64>,
    izmenjen: bool,
}

async fn of(tx: &mut Transaction<'_, Postgres>, sql: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut **tx).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
}

#[tokio::test]
async fn results_become_those_of_the_newest_version_and_the_history_says_who_asked_for_it() {
    let case = Case::new().await;
    let patient = case.patient().await;
    let entries = [case.entry(patient, "2026-03-01", 5, 6).await, case.entry(patient, "2026-03-02", 7, 8).await];
    let version = case.reformulate("if($(broj) > 6, $(broj) + 10, $(broj) + 1)").await;
    let id = case.order(version).await;
    let _engine = case.world.engine(&[]);
    assert_eq!(case.end(id).await.counts(), ("done", [2, 2, 1, 1, 0]));
    let now = |zbir: &str| StoredResult {
        zbir: Some(zbir.to_owned()),
        verzija: 2,
        form_version_id: version,
        radnik_izmenio_id: None,
        izmenjen: false,
    };
    assert_eq!([case.stored(entries[0]).await, case.stored(entries[1]).await], [now("6"), now("17")], "nobody has corrected anything");

    let (entry, was, who): (i64, Value, i64) =
        sqlx::query_as("select unos_id, vrednost, radnik_id from value_history").fetch_one(&case.world.db.owner).await.unwrap();
    assert_eq!((entry, was, who), (entries[1], json!(8), case.world.radnik), "only what became another has a history");
    let same_moment =
        "select count(*) from recomputation_entry r join value_history h on h.unos_id = r.unos_id and h.vreme_prestanka_vazenja = r.vreme";
    assert_eq!(case.count(same_moment).await, 1);
    let logged: Vec<(String, Option<i64>, Option<i64>)> =
        sqlx::query_as("select akcija, radnik_id, ustanova_id from audit_log where klasa = 'entry' and akcija <> 'kreiranje'")
            .fetch_all(&case.world.db.owner)
            .await
            .unwrap();
    assert_eq!(logged, vec![("preračunavanje".to_owned(), Some(case.world.radnik), Some(case.world.ustanova)); 2]);
    assert_eq!(case.count("select count(*) from stale_result").await, 0, "the marks are settled");
    assert_eq!(
        case.count(&format!("select count(*) from value_num where polje_id = {} and vrednost = 17", case.zbir)).await,
        1,
        "it is searched"
    );
}

#[tokio::test]
async fn what_would_change_more_than_results_is_left_and_what_is_deleted_is_not_looked_at() {
    let case = Case::new().await;
    let entries = case.entries(4).await;
    let mut tx = db::begin(&case.world.db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update entry set aktivan = false where id = $1").bind(entries[2]).execute(&mut *tx).await.unwrap();
    let owner = "update patient set aktivan = false where id = (select pacijent_id from entry where id = $1)";
    sqlx::query(owner).bind(entries[3]).execute(&mut *tx).await.unwrap();
    sqlx::query("update attribute_type set gornja_granica_brojne_vrednosti = 1 where naziv = 'broj'").execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let version = case.reformulate("$(broj) + 2").await;
    let id = case.order(version).await;
    let _engine = case.world.engine(&[]);
    assert_eq!(case.end(id).await.counts().1[1..], [2, 1, 0, 1], "the number 2 is out of the new bounds");
    assert_eq!(case.results(&entries).await, [3, 3, 4, 5]);
    let left: (i64, String, i64) = sqlx::query_as("select unos_id, razlog, polje_id from recomputation_entry where ishod = 'ostavljen'")
        .fetch_one(&case.world.db.owner)
        .await
        .unwrap();
    assert_eq!(left, (entries[1], "pravilo".to_owned(), case.broj));
    assert_eq!(case.stored(entries[1]).await.verzija, 1);
    assert_eq!(case.count("select count(*) from stale_result").await, 3, "what was not recomputed stays marked");
}

#[tokio::test]
async fn what_is_signed_or_locked_is_left_with_its_signature() {
    let case = Case::new().await;
    let entries = case.entries(4).await;
    let late = case.entry(case.patient().await, "2025-12-31", 5, 6).await;
    let mut tx = db::begin(&case.world.db.owner, case.world.radnik).await.unwrap();
    for sql in [
        "insert into entry_state (unos_id, stanje, radnja) select unnest(array[$1, $2]), 'zavrsen', 'zavrsavanje' where $3 > 0",
        "insert into entry_state (unos_id, stanje, radnja, znacenje) select $2, 'potpisan', 'potpis', 'autor' where $1 > 0",
        "insert into entry_state (unos_id, stanje, radnja, razlog) select $3, 'zakljucan', 'zakljucavanje', 'Kraj kvartala' where $1 + $2 > 0",
        "insert into period_lock (registar_id, ustanova_id, do_dana, razlog)
         select registar_id, ustanova_id, '2025-12-31', 'Kraj godine' from entry where id = $1 and $2 + $3 > 0",
    ] {
        sqlx::query(sql).bind(entries[1]).bind(entries[2]).bind(entries[3]).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    let version = case.reformulate("$(broj) + 2").await;
    let id = case.order(version).await;
    let _engine = case.world.engine(&[]);
    assert_eq!(case.end(id).await.counts(), ("done", [5, 5, 2, 0, 3]));
    assert_eq!(case.results(&entries).await, [3, 4, 4, 5]);
    assert_eq!(case.results(&[late]).await, [6]);
    let left: Vec<(i64, String)> =
        sqlx::query_as("select unos_id, razlog from recomputation_entry where ishod = 'ostavljen' order by unos_id")
            .fetch_all(&case.world.db.owner)
            .await
            .unwrap();
    let expected = [(entries[2], "potpisan"), (entries[3], "zakljucan"), (late, "zakljucan")];
    assert_eq!(left, expected.map(|(id, why)| (id, why.to_owned())));
    let states: Vec<(String, String)> = sqlx::query_as(
        "select stanje, radnja from entry_state where id = any (select max(id) from entry_state group by unos_id) order by unos_id",
    )
    .fetch_all(&case.world.db.owner)
    .await
    .unwrap();
    let expected = [("uRadu", "preracunavanje"), ("potpisan", "potpis"), ("zakljucan", "zakljucavanje")];
    assert_eq!(states, expected.map(|(state, deed)| (state.to_owned(), deed.to_owned())), "what was only finished goes back into work");
}

#[tokio::test]
async fn signatures_end_where_whoever_ordered_it_said_so_and_locks_hold() {
    let case = Case::new().await;
    let entries = case.entries(3).await;
    let mut tx = db::begin(&case.world.db.owner, case.world.radnik).await.unwrap();
    for sql in [
        "insert into entry_state (unos_id, stanje, radnja) select unnest(array[$1, $2, $3]), 'zavrsen', 'zavrsavanje'",
        "insert into entry_state (unos_id, stanje, radnja, znacenje) select unnest(array[$1, $2, $3]), 'potpisan', 'potpis', 'autor'",
        "insert into entry_state (unos_id, stanje, radnja, razlog) select $2, 'zakljucan', 'zakljucavanje', 'Kraj kvartala' where $1 + $3 > 0",
    ] {
        sqlx::query(sql).bind(entries[0]).bind(entries[1]).bind(entries[2]).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    // The third one has the result that the new formula gives, and goes over to the new version: what was signed names the version too.
    let version = case.reformulate("if($(broj) < 3, $(broj) + 2, $(broj) + 1)").await;
    let mut tx = db::begin(&case.world.db.owner, case.world.radnik).await.unwrap();
    let job = format!("select set_config('app.recomputation', '{}', true)", case.order(version).await);
    sqlx::query(AssertSqlSafe(job)).execute(&mut *tx).await.unwrap();
    let refused = sqlx::query("update entry set form_version_id = $2 where id = $1").bind(entries[0]).bind(version).execute(&mut *tx).await;
    assert!(refused.unwrap_err().to_string().contains("signed"), "an order that does not say so ends no signature");
    tx.rollback().await.unwrap();
    case.run("update recomputation set status = 'cancelled', vreme_zavrsetka = now()").await;

    let id = case.order(version).await;
    case.run("update recomputation set razlog_potpisa = 'Ispravljena formula' where status = 'queued'").await;
    let _engine = case.world.engine(&[]);
    assert_eq!(case.end(id).await.counts(), ("done", [3, 3, 1, 1, 1]));
    assert_eq!(case.count("select potpisa from recomputation order by id desc limit 1").await, 2);
    assert_eq!(case.results(&entries).await, [3, 3, 4], "what is locked is not looked through, whatever it was before");
    let states: Vec<(String, String, Option<String>, bool)> = sqlx::query_as(
        "select stanje, radnja, razlog, signature_of_entry(unos_id) is not null from entry_state
          where id = any (select max(id) from entry_state group by unos_id) order by unos_id",
    )
    .fetch_all(&case.world.db.owner)
    .await
    .unwrap();
    let why = || Some("Ispravljena formula".to_owned());
    let ended = ("uRadu".to_owned(), "preracunavanje".to_owned(), why(), false);
    let locked = ("zakljucan".to_owned(), "zakljucavanje".to_owned(), Some("Kraj kvartala".to_owned()), true);
    assert_eq!(states, [ended.clone(), locked, ended]);
}

#[tokio::test]
async fn a_result_that_reads_the_previous_entry_reads_it_as_it_is_recomputed() {
    let case = Case::new().await;
    let patient = case.patient().await;
    // Not in the order of their days.
    let (third, first) = (case.entry(patient, "2026-03-03", 3, 4).await, case.entry(patient, "2026-03-01", 1, 2).await);
    let second = case.entry(patient, "2026-03-02", 2, 3).await;
    let version = case.reformulate("$(broj) + if(isblank(prethodno($(zbir))), 0, prethodno($(zbir)))").await;
    let id = case.order(version).await;
    let engine = case.world.engine(&[]);
    assert_eq!(case.end(id).await.counts(), ("done", [3, 3, 2, 1, 0]), "the second result is what it was");
    assert_eq!(case.results(&[first, second, third]).await, [1, 3, 6]);
    drop(engine);

    // Where the previous one stays as it is, so does what reads it.
    let mut tx = db::begin(&case.world.db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update attribute_type set donja_granica_brojne_vrednosti = 2 where naziv = 'broj'").execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let version = case.reformulate("$(broj) + 1 + if(isblank(prethodno($(zbir))), 0, prethodno($(zbir)))").await;
    let id = case.order(version).await;
    let _engine = case.world.engine(&[]);
    assert_eq!(case.end(id).await.counts(), ("done", [3, 3, 0, 0, 3]));
    assert_eq!(case.results(&[first, second, third]).await, [1, 3, 6]);
    let reasons: Vec<String> = sqlx::query_scalar("select razlog from recomputation_entry where preracunavanje_id = $1 order by vreme")
        .bind(id)
        .fetch_all(&case.world.db.owner)
        .await
        .unwrap();
    assert_eq!(reasons, ["pravilo", "prethodni", "prethodni"]);
}

/// One engine dies before what it did of a patient is written, the next one between two patients; a third ends it.
#[tokio::test]
async fn an_engine_that_is_killed_in_the_middle_is_succeeded_and_no_entry_is_done_twice() {
    let case = Case::new().await;
    let entries = case.entries(6).await;
    let version = case.reformulate("$(broj) + 2").await;
    let id = case.order(version).await;
    for (place, done) in [("recompute-patient", 0), ("recompute-between", 1)] {
        let engine = case.world.engine(&[("ENGINE_FAILPOINT", place), SHORT_LEASE]);
        engine.says(&format!("failpoint {place} reached")).await;
        assert_eq!(case.row(id).await.pregledano, done, "at {place}");
        engine.kill();
    }
    let _third = case.world.engine(&[]);
    let ended = case.end(id).await;
    assert_eq!((ended.counts(), ended.fence), (("done", [6, 6, 6, 0, 0]), 3));
    assert_eq!(case.results(&entries).await, [3, 4, 5, 6, 7, 8]);
    case.assert_once(6).await;
}

#[tokio::test]
async fn two_engines_do_no_entry_twice() {
    let case = Case::new().await;
    let entries = case.entries(40).await;
    let version = case.reformulate("$(broj) + 2").await;
    let (_first, _second) = (case.world.engine(&[]), case.world.engine(&[]));
    let id = case.order(version).await;
    let ended = case.end(id).await;
    assert_eq!((ended.counts(), ended.fence), (("done", [40, 40, 40, 0, 0]), 1));
    assert_eq!(case.results(&entries).await, (1..=40).map(|broj| broj + 2).collect::<Vec<_>>());
    case.assert_once(40).await;
}

#[tokio::test]
async fn whoever_saves_at_the_same_moment_loses_nothing_and_a_cancel_stops_after_the_patient() {
    let case = Case::new().await;
    let entries = case.entries(3).await;
    let version = case.reformulate("$(broj) + 2").await;
    let saving = case.saving(entries[1], 50, 51).await;
    let id = case.order(version).await;
    let _engine = case.world.engine(&[]);
    case.wait_for_waiting().await;
    let mut tx = db::begin(&case.world.db.owner, case.world.radnik).await.unwrap();
    sqlx::query("update recomputation set cancel_requested_at = now() where id = $1").bind(id).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    saving.commit().await.unwrap();
    assert_eq!(case.end(id).await.counts(), ("cancelled", [3, 2, 2, 0, 0]));
    assert_eq!(case.results(&entries).await, [3, 52, 4], "by the number that was just saved; the third is as it was");
    let saved = case.stored(entries[1]).await;
    assert_eq!((saved.verzija, saved.radnik_izmenio_id), (3, Some(case.world.radnik)), "the last correction is the person's");
    assert_eq!(case.count("select count(*) from stale_result").await, 1, "what was not reached stays marked");
}

#[tokio::test]
async fn a_cancel_whose_engine_has_died_ends_it_and_a_form_that_is_changed_meanwhile_supersedes_it() {
    let case = Case::new().await;
    let entries = case.entries(3).await;
    let version = case.reformulate("$(broj) + 2").await;
    let id = case.order(version).await;
    let engine = case.world.engine(&[("ENGINE_FAILPOINT", "recompute-between"), SHORT_LEASE]);
    engine.says("failpoint recompute-between reached").await;
    let mut tx = db::begin(&case.world.db.owner, case.world.radnik).await.unwrap();
    sqlx::query("update recomputation set cancel_requested_at = now() where id = $1").bind(id).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    engine.kill();
    let engine = case.world.engine(&[]);
    assert_eq!(case.end(id).await.counts(), ("cancelled", [3, 1, 1, 0, 0]));
    drop(engine);

    let again = case.order(version).await;
    case.reformulate("$(broj) + 3").await;
    let _engine = case.world.engine(&[]);
    assert_eq!(case.end(again).await.counts(), ("superseded", [3, 0, 0, 0, 0]));
    assert_eq!(case.results(&entries).await, [3, 3, 4]);
}

/// An engine that is asked to stop does not make its successor wait for a lease.
#[tokio::test]
async fn a_stopping_engine_gives_it_back_where_it_stands() {
    let case = Case::new().await;
    let entries = case.entries(3).await;
    let version = case.reformulate("$(broj) + 2").await;
    let saving = case.saving(entries[0], 10, 11).await;
    let id = case.order(version).await;
    let engine = case.world.engine(&[]);
    case.wait_for_waiting().await;
    engine.ask_to_stop();
    engine.says("report engine stops").await;
    saving.commit().await.unwrap();
    eventually("it is given back", async || (case.row(id).await.status == "queued").then_some(())).await;
    assert_eq!(case.row(id).await.pregledano, 1);
    drop(engine);
    let _next = case.world.engine(&[]);
    assert_eq!(case.end(id).await.counts(), ("done", [3, 3, 3, 0, 0]));
    assert_eq!(case.results(&entries).await, [12, 4, 5]);
}

/// What only an engine does for a recomputation that is under way passes for nothing else.
#[tokio::test]
async fn no_change_is_hidden_as_a_recomputation() {
    let case = Case::new().await;
    let entries = case.entries(1).await;
    let mut tx = db::begin(&case.world.db.app, case.world.radnik).await.unwrap();
    sqlx::query("select set_config('app.recomputation', '1', true)").execute(&mut *tx).await.unwrap();
    let refused = sqlx::query("update entry set vrednosti = '{}' where id = $1").bind(entries[0]).execute(&mut *tx).await;
    assert!(refused.unwrap_err().to_string().contains("no recomputation of this form is under way"));
}
