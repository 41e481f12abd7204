//! Two writers of one entry, in 500 random orders: loads, edits, saves, lost answers, replays, saves at one moment, deletions. After
//! each order the entry, its history, its log and its projection are what an independent model says, and nothing typed is lost.

mod model;
mod writer;

use std::collections::BTreeMap;

use domain::db;
use futures::{StreamExt, stream};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use self::{
    model::{Answers, DATUM, LEKAR, Model, Outcome, Save, entered, is_head},
    writer::{Choices, Writer},
};
use crate::support::{Answer, TestApp, TestRegister, Worker};

const ORDERS: u64 = 500;
const AT_ONE_TIME: usize = 4;

struct Place {
    app: TestApp,
    register: TestRegister,
    workers: [Worker; 2],
    choices: Choices,
}

impl Place {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let workers = [
            app.worker("prvi", &[accounts::rights::Right::Reports], app.ustanova).await,
            app.worker("drugi", &[accounts::rights::Right::Reports], app.ustanova).await,
        ];
        let choices = Choices { doctors: [workers[0].id, workers[1].id], items: [register.items["prva"], register.items["druga"]] };
        Self { app, register, workers, choices }
    }

    fn code(&self, id: &str) -> String {
        let found = self.register.fields.iter().find(|(_, field)| field.to_string() == id);
        found.map_or_else(|| id.to_owned(), |(code, _)| (*code).to_owned())
    }

    /// Field values by id from answers by code.
    fn values(&self, answers: &Answers) -> Value {
        let fields = answers.iter().filter(|(part, _)| !is_head(part));
        fields.map(|(code, value)| (self.register.field(code), value.clone())).collect::<serde_json::Map<_, _>>().into()
    }

    fn body(&self, patient: i64, save: &Save) -> Value {
        json!({
            "unosID": save.unos, "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": patient,
            "vrednosti": self.values(&save.mine), "datumUnosa": save.mine.get(DATUM), "radnikOdgovoran": save.mine.get(LEKAR),
            "osnova": self.values(&save.base), "osnovaDatumUnosa": save.base.get(DATUM), "osnovaRadnikOdgovoran": save.base.get(LEKAR),
            "verzija": save.version, "kljuc": save.key,
        })
    }

    async fn send(&self, who: usize, patient: i64, save: &Save) -> Answer {
        self.workers[who].post("/api/entry-values", self.body(patient, save)).await
    }

    /// Everything that an answer says is stored, by code.
    fn stored(&self, said: &Value) -> Answers {
        let mut answers = self.by_code(&said["vrednosti"]);
        answers.insert(DATUM.to_owned(), said["datumUnosa"].clone());
        answers.insert(LEKAR.to_owned(), said["radnikOdgovoran"].clone());
        answers
    }

    fn by_code(&self, by_id: &Value) -> Answers {
        by_id.as_object().unwrap().iter().map(|(id, value)| (self.code(id), whole(value))).collect()
    }

    fn outcome(&self, answer: &Answer) -> Outcome {
        let said: Value = serde_json::from_slice(&answer.bytes).unwrap();
        match answer.status {
            200 => Outcome::Saved {
                version: said["verzija"].as_i64().unwrap(),
                answers: self.stored(&said),
                cleared: said["ocisceno"].as_array().unwrap().iter().map(|id| self.code(&id.to_string())).collect(),
            },
            409 => {
                let present = |value: &Value| (!value.is_null()).then(|| whole(value));
                let clashes = said["sukobi"].as_array().unwrap().iter();
                Outcome::Clash {
                    version: said["verzija"].as_i64().unwrap(),
                    clashes: clashes
                        .map(|clash| (self.code(clash["polje"].as_str().unwrap()), (present(&clash["moje"]), present(&clash["njihovo"]))))
                        .collect(),
                    joined: self.by_code(&said["spojeno"]),
                    stored: entered(&self.stored(&said)),
                }
            }
            410 => Outcome::Gone,
            other => panic!("{other} {}", answer.text()),
        }
    }
}

/// Whole numbers alike, however they are written.
fn whole(value: &Value) -> Value {
    match value.as_f64() {
        Some(number) if number.fract() == 0.0 => json!(number as i64),
        _ => value.clone(),
    }
}

/// One order of steps on an entry of its own patient.
struct Course<'a> {
    place: &'a Place,
    patient: i64,
    rng: StdRng,
    writers: [Writer; 2],
    unos: Option<i64>,
    model: Model,
    /// What a writer was told is saved: it must be found for ever.
    promised: Vec<(String, Value)>,
    typed: u32,
    told: Vec<String>,
}

impl Course<'_> {
    fn edit(&mut self, who: usize) {
        for _ in 0..self.rng.random_range(1..=3) {
            self.typed += 1;
            self.writers[who].edit(self.typed, &self.place.choices, &mut self.rng);
        }
    }

    fn promise(&mut self, edits: Vec<(String, Value)>, outcome: &Outcome) {
        if let Outcome::Saved { cleared, .. } = outcome {
            self.promised.extend(edits.into_iter().filter(|(part, _)| !cleared.contains(part)));
        }
    }

    fn check(&mut self, save: &Save, outcome: &Outcome) {
        let expected = self.model.save(save);
        assert_eq!(outcome, &expected, "after {:#?}\n{save:#?}", self.told);
    }

    async fn save(&mut self, who: usize, answer_is_lost: bool) {
        let save = self.writers[who].to_send();
        self.told.push(format!("{who} saves, answer lost: {answer_is_lost}"));
        let answer = self.place.send(who, self.patient, &save).await;
        let outcome = self.place.outcome(&answer);
        self.check(&save, &outcome);
        self.promise(self.writers[who].edits(), &outcome);
        self.learn(&answer);
        if !answer_is_lost {
            self.writers[who].take(save, &outcome, self.unos, &mut self.rng);
        }
    }

    fn learn(&mut self, answer: &Answer) {
        if answer.status == 200 {
            self.unos = answer.json()["snimljenUnosID"].as_i64();
        }
    }

    async fn both_save(&mut self) {
        let saves = [self.writers[0].to_send(), self.writers[1].to_send()];
        self.told.push("both save".to_owned());
        let (place, patient) = (self.place, self.patient);
        let answers = tokio::join!(place.send(0, patient, &saves[0]), place.send(1, patient, &saves[1]));
        let outcomes = [place.outcome(&answers.0), place.outcome(&answers.1)];
        let after = [[0, 1], [1, 0]].into_iter().find_map(|order| {
            let mut model = self.model.clone();
            order.iter().all(|&who| model.save(&saves[who]) == outcomes[who]).then_some(model)
        });
        self.model = after.unwrap_or_else(|| panic!("{outcomes:#?} come of no order after {:#?}\n{saves:#?}", self.told));
        for (who, save) in saves.into_iter().enumerate() {
            self.promise(self.writers[who].edits(), &outcomes[who]);
            self.writers[who].take(save, &outcomes[who], self.unos, &mut self.rng);
        }
    }

    async fn replay(&mut self, who: usize) {
        let Some(save) = self.writers[who].delivered.clone() else { return };
        self.told.push(format!("{who}'s last save is delivered once more"));
        let before = (self.model.history.len(), self.model.writes);
        let outcome = self.place.outcome(&self.place.send(who, self.patient, &save).await);
        self.check(&save, &outcome);
        assert_eq!((self.model.history.len(), self.model.writes), before, "a replay writes nothing: {:#?}", self.told);
    }

    async fn load(&mut self, who: usize) {
        let Some(unos) = self.unos.filter(|_| self.writers[who].is_clean()) else { return };
        let answer = self.place.workers[who].get(&format!("/api/entry-display?haID={unos}")).await;
        if self.model.deleted {
            answer.assert_status(404);
            return;
        }
        self.told.push(format!("{who} loads"));
        let shown = answer.json();
        let mut stored = self.place.by_code(&shown["vrednosti"]);
        for part in [DATUM, LEKAR] {
            stored.insert(part.to_owned(), shown["tsa"][part].clone());
        }
        assert_eq!(Some(&stored), self.model.stored.as_ref(), "{:#?}", self.told);
        let version = shown["tsa"]["verzija"].as_i64().unwrap();
        self.writers[who].load(unos, version, &stored, &mut self.rng);
    }

    async fn delete(&mut self, who: usize) {
        let Some(unos) = self.unos else { return };
        self.told.push(format!("{who} deletes"));
        self.place.workers[who].post("/api/delete-entry", json!({ "id": unos })).await.assert_status(204);
        self.model.delete();
    }

    async fn run(&mut self) {
        let first = &mut self.writers[0].mine;
        first.insert("broj".to_owned(), json!(1));
        first.insert(DATUM.to_owned(), json!("2026-03-01"));
        first.insert(LEKAR.to_owned(), json!(self.place.choices.doctors[0]));
        let lost = self.rng.random_bool(0.3);
        self.save(0, lost).await;
        if lost {
            self.edit(0);
            self.save(0, false).await;
        }
        self.load(1).await;
        for _ in 0..self.rng.random_range(4..=10) {
            let who = self.rng.random_range(0..2);
            match self.rng.random_range(0..100) {
                0..15 => self.load(who).await,
                15..45 => self.edit(who),
                45..70 => self.save(who, false).await,
                70..80 => self.save(who, true).await,
                80..88 => self.replay(who).await,
                88..98 => {
                    self.edit(0);
                    self.edit(1);
                    self.both_save().await;
                }
                _ => self.delete(who).await,
            }
        }
        self.verify().await;
    }

    /// The database holds what the model says, and every promise.
    async fn verify(&self) {
        let (db, unos) = (&self.place.app.db.owner, self.unos.unwrap());
        let stored = self.model.stored.as_ref().unwrap();
        let (values, date, doctor, version, active): (Value, String, i64, i32, bool) =
            sqlx::query_as("select vrednosti, datum_unosa::text, radnik_odgovoran_id, verzija, aktivan from entry where id = $1")
                .bind(unos)
                .fetch_one(db)
                .await
                .unwrap();
        let mut held = self.place.by_code(&values);
        held.extend([(DATUM.to_owned(), json!(date)), (LEKAR.to_owned(), json!(doctor))]);
        assert_eq!(&held, stored, "{:#?}", self.told);
        assert_eq!((i64::from(version), active), (self.model.version, !self.model.deleted), "{:#?}", self.told);

        let rows: Vec<(i64, Option<Value>)> = sqlx::query_as("select polje_id, vrednost from value_history where unos_id = $1 order by id")
            .bind(unos)
            .fetch_all(db)
            .await
            .unwrap();
        let mut history: Vec<_> =
            rows.iter().map(|(field, value)| (self.place.code(&field.to_string()), value.as_ref().map(whole))).collect();
        let mut expected = self.model.history.clone();
        let by_text = |row: &(String, Option<Value>)| format!("{row:?}");
        history.sort_by_key(by_text);
        expected.sort_by_key(by_text);
        assert_eq!(history, expected, "{:#?}", self.told);

        let deeds: Vec<(String, Value)> = sqlx::query_as(
            "select akcija, polja from audit_log where klasa = 'entry' and red_id = $1::text and akcija in ('kreiranje', 'izmena', 'brisanje')",
        )
        .bind(unos)
        .fetch_all(db)
        .await
        .unwrap();
        assert_eq!(deeds.len(), self.model.writes, "{:#?}", self.told);
        let log: Vec<&Value> = deeds.iter().flat_map(|(_, parts)| parts.as_array().unwrap()).collect();
        for (part, value) in &self.promised {
            let column = match part.as_str() {
                DATUM => "datum_unosa".to_owned(),
                LEKAR => "radnik_odgovoran_id".to_owned(),
                code => self.place.register.field(code),
            };
            let is_logged = |row: &&Value| {
                (row["polje"] == json!(column) || row["naziv"] == json!(column)) && [&row["stara"], &row["nova"]].contains(&value)
            };
            let kept = held.get(part) == Some(value)
                || if is_head(part) {
                    log.iter().any(is_logged)
                } else {
                    history.iter().any(|(code, was)| code == part && was.as_ref() == Some(value))
                };
            assert!(kept, "{part} = {value} was saved and is nowhere: {:#?}", self.told);
        }
        self.verify_projection(&held).await;
    }

    async fn verify_projection(&self, held: &Answers) {
        let (db, unos, fields) = (&self.place.app.db.owner, self.unos.unwrap(), &self.place.register.fields);
        let mut expected: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (code, value) in held.iter().filter(|(part, _)| !is_head(part) && !self.model.deleted) {
            let projected = match value {
                Value::Bool(yes) => vec![i64::from(*yes).to_string()],
                Value::Array(items) => items.iter().map(ToString::to_string).collect(),
                Value::String(text) => vec![text.clone()],
                other => vec![other.to_string()],
            };
            for one in projected {
                *expected.entry((fields[code.as_str()].to_string(), one)).or_default() += 1;
            }
        }
        let rows: Vec<(String, String)> = sqlx::query_as(
            "select polje_id::text, vrednost::text from value_num where unos_id = $1
             union all select polje_id::text, vrednost_f from value_text where unos_id = $1",
        )
        .bind(unos)
        .fetch_all(db)
        .await
        .unwrap();
        let mut projection = BTreeMap::new();
        for row in rows {
            *projection.entry(row).or_insert(0) += 1;
        }
        assert_eq!(projection, expected, "{:#?}", self.told);
        let first: (Option<i64>, i32) =
            sqlx::query_as("select prvi_unos_id, broj_unosa::int from patient_register where pacijent_id = $1 and registar_id = $2")
                .bind(self.patient)
                .bind(self.place.register.id)
                .fetch_one(db)
                .await
                .unwrap();
        let active = !self.model.deleted;
        assert_eq!(first, (active.then_some(unos), i32::from(active)), "{:#?}", self.told);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "long: 500 times two writers"]
async fn in_500_random_orders_of_two_writers_nothing_saved_is_lost_or_done_twice() {
    let place = Place::new().await;
    let orders = stream::iter(0..ORDERS).map(async |order| {
        let patient = place.app.patient(&place.register, "Ana", "Anić", place.app.ustanova, order as i64 + 1).await;
        let mut rng = StdRng::seed_from_u64(order);
        let writers = [Writer::new(&mut rng), Writer::new(&mut rng)];
        let (model, promised, told) = (Model::default(), Vec::new(), vec![format!("order {order}")]);
        Course { place: &place, patient, rng, writers, unos: None, model, promised, typed: 0, told }.run().await;
    });
    orders.buffer_unordered(AT_ONE_TIME).count().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_entries_made_at_one_moment_only_as_many_are_made_as_may_be_and_each_retry_finds_its_own() {
    let place = Place::new().await;
    let mut tx = db::begin(&place.app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update form set maksimalan_broj_instanci_po_pacijentu = 2").execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let mut rng = StdRng::seed_from_u64(7);
    for number in 1..=20 {
        let patient = place.app.patient(&place.register, "Ana", "Anić", place.app.ustanova, number).await;
        let mine = Answers::from([
            ("broj".to_owned(), json!(number)),
            (DATUM.to_owned(), json!("2026-03-01")),
            (LEKAR.to_owned(), json!(place.choices.doctors[0])),
        ]);
        let saves =
            [(); 3].map(|()| Save { key: writer::key(&mut rng), unos: None, version: None, base: Answers::new(), mine: mine.clone() });
        // Each is sent twice, as by a client that lost patience; all six at one moment.
        let calls = [0, 1, 2, 0, 1, 2].map(async |i: usize| (i, place.send(i % 2, patient, &saves[i]).await));
        let answers = futures::future::join_all(calls).await;
        let mut made: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
        for (save, answer) in &answers {
            match answer.status {
                200 => made.entry(*save).or_default().push(answer.json()["snimljenUnosID"].clone()),
                _ => {
                    answer.assert_refusal(
                        422,
                        Some("tsaID"),
                        "Nije moguće kreirati unos jer premašuje maksimalan broj mogućih kreiranih po pacijentu 2",
                    );
                }
            }
        }
        assert_eq!(made.len(), 2);
        assert!(made.values().all(|ids| ids.len() == 2 && ids[0] == ids[1]), "{made:?}");
        let entries: i64 = sqlx::query_scalar("select count(*) from entry where pacijent_id = $1")
            .bind(patient)
            .fetch_one(&place.app.db.owner)
            .await
            .unwrap();
        assert_eq!(entries, 2);
    }
}
