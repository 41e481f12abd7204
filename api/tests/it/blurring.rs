//! A worker whose institution does not know a patient: no answer of the API tells who it is, nor lets it be guessed by searching, nor
//! shows so few rows that they would tell.

use std::collections::BTreeMap;

use accounts::rights::Right;
use domain::fold::fold;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};

use crate::{
    reports::{Field, Report, SET},
    support::{Answer, Person, Secrets, TestApp, TestRegister, Worker},
};

const ANSWERS: usize = 1_000;
/// Rows of other institutions' patients are at least so many, as the parameter usually says.
const LEAST: usize = 5;

/// Thirty patients of one institution, a few of the other, and a worker of the other who holds every right.
struct Stage {
    _app: TestApp,
    register: TestRegister,
    /// Patients whom the stranger's institution does not know.
    people: Vec<Person>,
    /// Those whom it knows.
    known: Vec<Person>,
    stranger: Worker,
    own: Worker,
    report: Report,
    parameter: i64,
}

impl Stage {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        // Ids that no other number of an answer resembles.
        app.lay_out(&[
            "alter table patient alter id restart with 731000001",
            "alter table entry alter id restart with 841000001",
            "update parameter set vrednost = '100000' where naziv = 'najvisePretragaTudjihNaSat'",
        ])
        .await;
        let (mut people, mut known) = (Vec::new(), Vec::new());
        for number in 1..=30 {
            people.push(app.person(&register, app.ustanova, number).await);
        }
        for number in 31..=33 {
            known.push(app.person(&register, app.druga_ustanova, number).await);
        }
        let stranger = app.worker("stranac", &Right::ALL, app.druga_ustanova).await;
        let own = app.worker("domaci", &Right::ALL, app.ustanova).await;
        let patients =
            Field::new(SET, "pacijent", "Pacijent").query("select id, ime_prezime from report.pacijent order by 2").of_patients();
        let report = Report::with(&app.db, "ustanova", &[patients]).await;
        let parameter = report.parameter_id(&app.db, "pacijent").await;
        Self { _app: app, register, people, known, stranger, own, report, parameter }
    }

    /// Everything that names a person or their records. Ids are secrets of the clinical calls; a list that an administrator
    /// reads may number its rows.
    fn secrets(&self, with_ids: bool) -> Secrets {
        let ids = self.people.iter().filter(|_| with_ids).flat_map(|person| [person.id.to_string(), person.entry.to_string()]);
        let details: Vec<String> = self.people.iter().flat_map(|person| person.identity.iter().cloned()).chain(ids).collect();
        Secrets::of(&details)
    }
}

struct Request {
    method: &'static str,
    path: String,
    body: Option<Value>,
}

fn get(path: String) -> Request {
    Request { method: "GET", path, body: None }
}

fn post(path: &str, body: Value) -> Request {
    Request { method: "POST", path: path.to_owned(), body: Some(body) }
}

/// Random calls, by somebody who knows everything about the patients and wants to have it confirmed.
struct Curious<'a> {
    stage: &'a Stage,
    dice: StdRng,
}

impl Curious<'_> {
    fn person(&mut self) -> &Person {
        self.stage.people.choose(&mut self.dice).expect("people")
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        *of.choose(&mut self.dice).expect("a choice")
    }

    fn coin(&mut self, odds: f64) -> bool {
        self.dice.random_bool(odds)
    }

    /// A detail of the record: whole, without diacritics, or only how it begins.
    fn detail(&mut self, record: &Value, name: &str) -> String {
        let text = record[name].as_str().expect("a text").to_owned();
        match self.dice.random_range(0..3) {
            0 => text,
            1 => fold(&text),
            _ => text.chars().take(self.dice.random_range(1..=text.chars().count())).collect(),
        }
    }

    fn request(&mut self) -> Request {
        let (patient, entry, record) = {
            let person = self.person();
            (person.id, person.entry, person.record.clone())
        };
        let (register, form) = (self.stage.register.id, self.stage.register.form);
        match self.dice.random_range(0..12) {
            0..4 => post("/api/search", self.search(&record)),
            4 => {
                let rest = self.one(&[
                    "",
                    "/archive",
                    "/views",
                    "/entries?",
                    "/latest-entries?",
                    "/chart?sifre=tekst,broj&",
                    "/trend?",
                    "/visits?",
                    "/summary?",
                ]);
                let register = if rest.contains('?') { format!("registarID={register}") } else { String::new() };
                get(format!("/api/patients/{patient}{rest}{register}"))
            }
            5 => {
                let field = self.stage.register.field("tekst");
                get(self.one(&["/view", "/items", "/archive?nizAutsID="]).to_owned()).within(&format!("/api/entries/{entry}"), &field)
            }
            6 => {
                let existing = self.coin(0.5);
                let of = if existing { format!("haID={entry}") } else { format!("tsaID={form}&pacijentID={patient}") };
                get(format!("/api/entry-display?{of}"))
            }
            7 => {
                let fields = ["ime", "prezime", "datumRodjenja", "jmbg", "lbo"].into_iter().filter(|_| self.dice.random_bool(0.6));
                let likeness: serde_json::Map<_, _> = fields.map(|name| (name.to_owned(), record[name].clone())).collect();
                post("/api/patients/duplicates", likeness.into())
            }
            8 => post("/api/patients", record),
            9 => self.change(patient, entry),
            10 => {
                let filter = fold(&self.detail(&record, "prezime"));
                get(format!("/api/report-parameters/{}/options?filter={filter}", self.stage.parameter))
            }
            _ => post("/api/report-queue", self.stage.report.request(&self.stage.stranger, json!({ "pacijent": patient.to_string() }))),
        }
    }

    fn search(&mut self, record: &Value) -> Value {
        let mut search =
            json!({ "registarID": self.stage.register.id, "sviRezultati": self.coin(0.3), "brojRezultatePretrage": self.one(&[50, 1000]) });
        for name in ["ime", "prezime", "jmbg", "lbo"] {
            if self.coin(0.15) {
                search[name] = json!(self.detail(record, name));
            }
        }
        let born: i16 = record["datumRodjenja"].as_str().expect("a date")[..4].parse().expect("a year");
        if self.coin(0.3) {
            (search["godinaOd"], search["godinaDo"]) = (json!(born), json!(born));
        }
        search["pol"] = json!(self.one(&[-1, 0, 1]));
        let mut rows = Vec::new();
        for _ in 0..self.one(&[0, 0, 1, 2]) {
            let (code, operator, value) = match self.dice.random_range(0..4) {
                0 => ("broj", self.one(&["<", ">", "!=", "=", "=", "="]), self.dice.random_range(0..40).to_string()),
                1 => ("izbor", self.one(&["izabrano", "nijeIzabrano"]), "1".to_owned()),
                2 => ("datum", self.one(&["=", ">="]), "2019-05-06".to_owned()),
                _ => ("tekst", self.one(&["=", "!=", "sadrzi", "neSadrzi", "pocinje", "zavrsava"]), self.detail(record, "imeRoditelja")),
            };
            let link = self.one(&["i", "ili"]);
            rows.push(json!({ "veza": link, "poljeID": self.stage.register.fields[code], "operator": operator, "vrednost": value }));
        }
        search["redPretrage"] = json!(rows);
        search
    }

    fn change(&mut self, patient: i64, entry: i64) -> Request {
        let saving = |entry: Option<i64>| {
            json!({
                "unosID": entry, "tsaID": self.stage.register.form, "registarID": self.stage.register.id, "pacijentID": patient,
                "vrednosti": {}, "verzija": 1, "radnikOdgovoran": self.stage.stranger.id, "datumUnosa": "2026-01-01",
            })
        };
        let calls = [
            ("PATCH", format!("/api/patients/{patient}"), json!({ "zanimanje": "pekar" })),
            ("PATCH", format!("/api/patients/{patient}"), json!({ "aktivan": false })),
            ("POST", "/api/entry-values".to_owned(), saving(Some(entry))),
            ("POST", "/api/entry-values".to_owned(), saving(None)),
            ("POST", "/api/delete-entry".to_owned(), json!({ "id": entry })),
            ("PUT", format!("/api/entry-drafts/unos-{entry}"), json!({ "pacijentID": patient, "sadrzaj": {} })),
            ("POST", "/api/entry-prints".to_owned(), json!({ "unosID": entry })),
        ];
        let (method, path, body) = calls.choose(&mut self.dice).expect("a call").clone();
        Request { method, path, body: Some(body) }
    }
}

impl Request {
    /// The path below `of`, with the field's id where the path ends asking for it.
    fn within(self, of: &str, field: &str) -> Self {
        let asked = if self.path.ends_with('=') { field } else { "" };
        Self { path: format!("{of}{}{asked}", self.path), ..self }
    }

    async fn by(&self, worker: &Worker) -> Answer {
        worker.call(self.method, &self.path, self.body.clone()).await
    }
}

#[tokio::test]
#[ignore = "long: a thousand answers, each searched for every identifier"]
async fn a_thousand_answers_to_a_blurred_worker_hold_no_identifier() {
    let stage = Stage::new().await;
    let secrets = stage.secrets(true);
    let mut curious = Curious { stage: &stage, dice: StdRng::seed_from_u64(20_261_121) };
    let (mut statuses, mut blurred, mut small): (BTreeMap<u16, usize>, usize, usize) = Default::default();
    for _ in 0..ANSWERS {
        let request = curious.request();
        let answer = request.by(&stage.stranger).await;
        assert!(answer.status < 500, "{} {}: {}", request.method, request.path, answer.text());
        answer.assert_silent_about(&format!("{} {} {:?}", request.method, request.path, request.body), &secrets);
        *statuses.entry(answer.status).or_default() += 1;
        let rows = answer.text().matches("\"blurPodataka\":true").count();
        blurred += rows;
        if request.path == "/api/search" && answer.status == 200 {
            let fewer_than = &answer.json()["manjeOdTudjih"];
            assert!(rows == 0 || rows >= LEAST && fewer_than.is_null(), "{rows} rows of others: {:?}", request.body);
            small += usize::from(*fewer_than == LEAST);
        }
    }
    // The calls are real ones: many found blurred rows, the rest were refused.
    assert!(blurred > 1_000 && statuses[&200] > 300 && statuses[&404] > 100 && statuses[&409] > 20, "{blurred} rows, {statuses:?}");
    assert!(small > 20, "only {small} searches found a small group: it proves nothing about them");
    // And the same calls by a worker who knows the patients tell who they are.
    let mut telling = 0;
    for _ in 0..100 {
        let request = curious.request();
        if request.method == "GET" || request.path == "/api/search" {
            telling += usize::from(request.by(&stage.own).await.tells(&secrets).is_some());
        }
    }
    assert!(telling > 20, "only {telling} answers tell anything: the search for identifiers proves nothing");
}

#[tokio::test]
async fn no_list_that_an_administrator_of_another_institution_reads_names_a_patient() {
    let stage = Stage::new().await;
    let secrets = stage.secrets(false);
    // Looking leaves rows in the log, which are about the patients.
    for person in &stage.people {
        stage.own.get(&format!("/api/patients/{}", person.id)).await.assert_status(200);
        stage.own.patch(&format!("/api/patients/{}", person.id), json!({ "zanimanje": "pekar" })).await.assert_status(200);
    }
    let document = serde_json::to_value(api::openapi()).expect("plain data");
    let mut read = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        if item.get("get").is_none() {
            continue;
        }
        for id in [stage.people[0].id, stage.people[0].entry, 1] {
            let path = path.split('/').map(|part| if part.starts_with('{') { id.to_string() } else { part.to_owned() });
            let path = path.collect::<Vec<_>>().join("/");
            let answer = stage.stranger.get(&path).await;
            answer.assert_silent_about(&path, &secrets);
            read += usize::from(answer.status == 200);
        }
    }
    assert!(read > 60, "only {read} lists were read");
}

/// Whether the person exists or not, the answer to one who types their name or number is the same.
#[tokio::test]
async fn searching_confirms_neither_a_name_nor_a_number_nor_a_text() {
    let stage = Stage::new().await;
    let search = async |worker: &Worker, criteria: Value| {
        let mut body = json!({ "registarID": stage.register.id });
        body.as_object_mut().expect("a body").extend(criteria.as_object().expect("criteria").clone());
        worker.post("/api/search", body).await.json()
    };
    let text = |operator: &str, value: &str| {
        json!({ "redPretrage": [
            { "poljeID": stage.register.fields["broj"], "operator": ">=", "vrednost": "0" },
            { "veza": "i", "poljeID": stage.register.fields["tekst"], "operator": operator, "vrednost": value },
        ]})
    };
    for person in &stage.people {
        let said = |name: &str| person.record[name].as_str().expect("a text");
        let note = format!("majka {} zove", said("imeRoditelja"));
        let year: i16 = said("datumRodjenja")[..4].parse().expect("a year");
        for criteria in [
            json!({ "ime": said("ime") }),
            json!({ "prezime": fold(said("prezime")) }),
            json!({ "ime": said("prezime"), "prezime": said("ime"), "godinaOd": year, "godinaDo": year, "pol": -1 }),
            json!({ "jmbg": said("jmbg") }),
            json!({ "jmbg": &said("jmbg")[..9], "sviRezultati": true }),
            json!({ "lbo": said("lbo") }),
            text("=", &note),
            text("pocinje", &note[..9]),
            text("sadrzi", &fold(said("imeRoditelja"))),
        ] {
            let found = search(&stage.own, criteria.clone()).await;
            assert!(found["unosi"].to_string().contains(&person.id.to_string()), "{criteria} finds nobody: it proves nothing");
            let strange = search(&stage.stranger, criteria.clone()).await;
            assert_only_known(&stage, &strange, &criteria);
        }
        let likeness =
            json!({ "ime": said("ime"), "prezime": said("prezime"), "datumRodjenja": said("datumRodjenja"), "lbo": said("lbo") });
        let nothing = json!({ "data": [], "uDrugimUstanovama": 0 });
        assert_eq!(stage.stranger.post("/api/patients/duplicates", likeness).await.json(), nothing);
    }
    // "Is not" and "does not contain" are questions too: they find those whom the institution knows.
    for operator in ["!=", "neSadrzi"] {
        let rows = search(&stage.stranger, text(operator, "nepostojeće")).await;
        assert_eq!(rows["unosi"].as_array().expect("rows").len(), stage.known.len(), "{operator}");
        assert_only_known(&stage, &rows, &json!(operator));
    }
}

/// The answer holds nothing that depends on patients whom the institution does not know.
#[track_caller]
fn assert_only_known(stage: &Stage, answer: &Value, criteria: &Value) {
    assert_eq!(answer["skraceno"], false, "{criteria}");
    for row in answer["unosi"].as_array().expect("rows") {
        assert!(stage.known.iter().any(|person| row["pacijentID"] == person.id), "{criteria}: {row}");
    }
}
