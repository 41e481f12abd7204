//! The search by entries of one's own institution: their state, what is open about them, their days; and what is unfinished in a period.

use accounts::rights::Right;
use clinical::patients::search::{
    compile::{FixedCriteria, Search, Source, Takings},
    criteria::EntryScope,
    own_entry::{OpenMatter, OwnEntryCriteria},
};
use domain::entry::state::EntryState;
use serde_json::{Value, json};
use sqlx::Row;

use crate::support::{TestApp, TestRegister, Worker};

/// Nine patients of the first institution and one of the second. The entry of the patient with number n is of 2026-0n-15, and is:
/// 1 in work, 2 finished, 3 signed, 4 locked after it was signed, 5 in work with a question, 6 finished with a finding, 7 in work again after it
/// was finished, with a question that was closed and a finding that was confirmed, 8 in work and deleted, 9 in work with both. The one of the second
/// institution is in work with both.
struct Case {
    app: TestApp,
    register: TestRegister,
    coordinator: Worker,
    patients: Vec<i64>,
}

const STATES: &[&str] = &[
    "insert into entry_state (unos_id, stanje, radnja)
     select e.id, 'zavrsen', 'zavrsavanje' from entry e where extract(month from e.datum_unosa) in (2, 3, 4, 6, 7)",
    "insert into entry_state (unos_id, stanje, radnja, znacenje)
     select e.id, 'potpisan', 'potpis', 'autor' from entry e where extract(month from e.datum_unosa) in (3, 4)",
    "insert into entry_state (unos_id, stanje, radnja, razlog)
     select e.id, 'zakljucan', 'zakljucavanje', 'Provereno' from entry e where extract(month from e.datum_unosa) = 4",
    "insert into entry_state (unos_id, stanje, radnja, razlog)
     select e.id, 'uRadu', 'vracanje', 'Dopuna' from entry e where extract(month from e.datum_unosa) = 7",
    "insert into question (unos_id, poreklo, dodeljen_id, pacijent_id, ustanova_id, stanje)
     select e.id, 'kolega', 1, e.pacijent_id, e.ustanova_id, case extract(month from e.datum_unosa) when 7 then 'zatvoren' else 'odgovoren' end
       from entry e where extract(month from e.datum_unosa) in (5, 7, 9, 10)",
    "insert into quality_rule (id, registar_id, naziv, vrsta) select 901, id, 'Posle danas', 'posleDanas' from register where naziv = 'Probni registar'",
    "insert into quality_finding (pravilo_id, unos_id, pacijent_id, ustanova_id, otisak, potvrdjen_at, potvrdio_id)
     select 901, e.id, e.pacijent_id, e.ustanova_id, 'x', case extract(month from e.datum_unosa) when 7 then now() end,
            case extract(month from e.datum_unosa) when 7 then 1 end
       from entry e where extract(month from e.datum_unosa) in (6, 7, 9, 10)",
    "update entry set aktivan = false where extract(month from datum_unosa) = 8",
];

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let mut patients = Vec::new();
        for number in 1..=10 {
            let institution = if number == 10 { app.druga_ustanova } else { app.ustanova };
            let patient = app.patient(&register, "Ana", "Anić", institution, number).await;
            app.entry(&register, patient, institution, &format!("2026-{number:02}-15"), json!({ "broj": 5 })).await;
            patients.push(patient);
        }
        app.lay_out(STATES).await;
        let coordinator = app.worker("koordinatorka", &[Right::EntryLocking], app.ustanova).await;
        Self { app, register, coordinator, patients }
    }

    async fn search(&self, more: Value) -> Value {
        let mut body = json!({ "registarID": self.register.id });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.coordinator.post("/api/search", body).await.assert_status(200).json()
    }

    /// The numbers of those who were found.
    async fn found(&self, more: Value) -> Vec<usize> {
        let answer = self.search(more).await;
        let rows = answer["unosi"].as_array().unwrap();
        assert_eq!(answer["manjeOdTudjih"], Value::Null, "nobody of others is among them: {answer}");
        let mut numbers: Vec<usize> = rows.iter().map(|row| self.number(row)).collect();
        numbers.sort_unstable();
        numbers
    }

    fn number(&self, row: &Value) -> usize {
        self.patients.iter().position(|patient| json!(patient) == row["pacijentID"]).expect("a patient of one's own") + 1
    }

    async fn unfinished(&self, day: &str) -> Value {
        let query = format!("/api/period-locks/unfinished?registarID={}&doDana={day}", self.register.id);
        self.coordinator.get(&query).await.assert_status(200).json()
    }

    async fn lock(&self, day: &str) {
        let body = json!({ "registarID": self.register.id, "doDana": day, "razlog": "Kraj kvartala" });
        self.coordinator.post("/api/period-locks", body).await.assert_status(201);
    }
}

#[tokio::test]
async fn entries_of_ones_own_are_found_by_state_by_what_is_open_and_by_day() {
    let case = Case::new().await;
    for (criteria, expected) in [
        (json!({ "stanjeUnosa": "uRadu" }), vec![1, 5, 7, 9]),
        (json!({ "stanjeUnosa": "zavrsen" }), vec![2, 6]),
        (json!({ "stanjeUnosa": "potpisan" }), vec![3]),
        (json!({ "stanjeUnosa": "zakljucan" }), vec![4]),
        (json!({ "otvoreno": "upit" }), vec![5, 9]),
        (json!({ "otvoreno": "nalaz" }), vec![6, 9]),
        (json!({ "otvoreno": "oba" }), vec![9]),
        (json!({ "otvoreno": "nalaz", "stanjeUnosa": "zavrsen" }), vec![6]),
        (json!({ "unosOd": "2026-03-15", "unosDo": "2026-05-15" }), vec![3, 4, 5]),
        (json!({ "stanjeUnosa": "uRadu", "unosDo": "2026-05-14" }), vec![1]),
        (json!({ "stanjeUnosa": "uRadu", "pol": 1, "prezime": "anic" }), vec![1, 5, 7, 9]),
        (
            json!({ "stanjeUnosa": "uRadu", "redPretrage": [{ "poljeID": case.register.fields["broj"], "operator": "=", "vrednost": "5" }] }),
            vec![1, 5, 7, 9],
        ),
        (json!({ "stanjeUnosa": "uRadu", "sviRezultati": true }), vec![1, 5, 7, 9]),
    ] {
        assert_eq!(case.found(criteria.clone()).await, expected, "{criteria}");
    }
    // A lock over the day is a lock.
    case.lock("2026-05-20").await;
    assert_eq!(case.found(json!({ "stanjeUnosa": "uRadu" })).await, [7, 9]);
    assert_eq!(case.found(json!({ "stanjeUnosa": "zakljucan" })).await, [1, 2, 3, 4, 5]);
    assert_eq!(case.found(json!({ "stanjeUnosa": "potpisan" })).await, [] as [usize; 0]);
}

#[tokio::test]
async fn the_newest_such_entry_is_named_and_how_many_there_are() {
    let case = Case::new().await;
    let older = case.app.entry(&case.register, case.patients[0], case.app.ustanova, "2025-01-15", json!({ "broj": 4 })).await;
    let answer = case.search(json!({ "stanjeUnosa": "uRadu", "unosDo": "2026-01-31" })).await;
    let row = &answer["unosi"][0];
    assert_eq!((case.number(row), &row["unos"]["unosDatum"], &row["unos"]["ukupno"]), (1, &json!("15.01.2026."), &json!(2)));
    assert_eq!((&row["unos"]["stanje"], &row["unos"]["formular"]), (&json!("uRadu"), &json!("Pregled")));
    let answer = case.search(json!({ "stanjeUnosa": "uRadu", "unosDo": "2025-01-31" })).await;
    assert_eq!(answer["unosi"][0]["unos"]["unosID"], json!(older));
    assert_eq!(case.search(json!({ "prezime": "anic" })).await["unosi"][0]["unos"], Value::Null);
}

#[tokio::test]
async fn nothing_is_told_of_entries_of_another_institution() {
    let case = Case::new().await;
    // The patient of the other institution has an entry here too, which is finished.
    let known = case.app.patient(&case.register, "Ana", "Anić", case.app.druga_ustanova, 11).await;
    case.app.entry(&case.register, known, case.app.ustanova, "2025-12-15", json!({ "broj": 1 })).await;
    case.app.entry(&case.register, known, case.app.druga_ustanova, "2026-11-15", json!({ "broj": 1 })).await;
    let found = case.search(json!({ "unosOd": "2026-11-01" })).await;
    assert_eq!(found["unosi"], json!([]), "her newer entry is another's");
    let other = case.app.worker("druga", &[Right::EntryLocking], case.app.druga_ustanova).await;
    let body = json!({ "registarID": case.register.id, "otvoreno": "oba" });
    let answer = other.post("/api/search", body).await.assert_status(200).json();
    let rows: Vec<&Value> = answer["unosi"].as_array().unwrap().iter().map(|row| &row["pacijentID"]).collect();
    assert_eq!(rows, [&json!(case.patients[9])]);
}

#[tokio::test]
async fn what_cannot_be_asked_of_an_entry_is_refused_and_what_was_asked_is_logged() {
    let case = Case::new().await;
    let ask = async |more: Value| {
        let mut body = json!({ "registarID": case.register.id });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        case.coordinator.post("/api/search", body).await
    };
    let order = json!({ "unosOd": "2026-03-02", "unosDo": "2026-03-01" });
    ask(order).await.assert_error(422, Some("unosDo"), "Dan unosa „do” ne sme biti pre dana „od”.");
    ask(json!({ "unosOd": "0001-01-01" })).await.assert_error(422, Some("unosOd"), "Dan unosa „od” nije između 1920. i 2030. godine.");
    case.search(json!({ "stanjeUnosa": "uRadu", "otvoreno": "oba", "unosOd": "2026-01-01", "unosDo": "2026-12-31" })).await;
    let log: Value = sqlx::query_scalar("select polja from audit_log where klasa = 'patient_search' order by id desc limit 1")
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    for (name, told) in
        [("Stanje unosa", "u radu"), ("Otvoreno na unosu", "upit i nalaz"), ("Unos od", "01.01.2026."), ("Unos do", "31.12.2026.")]
    {
        assert!(log.as_array().unwrap().iter().any(|field| field["naziv"] == name && field["nova"] == told), "{name}: {log}");
    }
}

#[tokio::test]
async fn every_source_finds_the_same_entries_of_ones_own() {
    let case = Case::new().await;
    case.lock("2026-01-20").await;
    let states = [None, Some(EntryState::URadu), Some(EntryState::Zavrsen), Some(EntryState::Potpisan), Some(EntryState::Zakljucan)];
    let matters = [None, Some(OpenMatter::Upit), Some(OpenMatter::Nalaz), Some(OpenMatter::Oba)];
    let mut found = 0;
    for (stanje, otvoreno) in states.into_iter().flat_map(|state| matters.map(|matter| (state, matter))) {
        let criteria = OwnEntryCriteria { stanje, otvoreno, od: None, do_dana: Some("2026-12-31".parse().unwrap()) };
        for (blur, fixed) in [true, false].into_iter().flat_map(|blur| {
            [(blur, FixedCriteria::default()), (blur, FixedCriteria { ime: vec!["ana".into()], ..FixedCriteria::default() })]
        }) {
            let search = Search {
                register: case.register.id,
                institution: case.app.ustanova,
                blur,
                least_group: 1,
                takings: Takings::default(),
                scope: EntryScope::BiloKojiUnos,
                fixed,
                groups: Vec::new(),
                frame: None,
                known_only: false,
                own_entry: Some(criteria),
                order: None,
            };
            let by = async |source: Source| -> Vec<i64> {
                let rows = search.select(&source, 100).build().fetch_all(&case.app.db.app).await.unwrap();
                rows.iter().map(|row| row.get("pacijent_id")).collect()
            };
            let expected = by(Source::All).await;
            found += expected.len();
            let mut sources = vec![Source::Window { from: 0, width: 100 }, Source::OwnEntries];
            if search.only_known() {
                sources.push(Source::Known);
            }
            if search.fixed.is_selective() {
                sources.push(Source::Fixed);
            }
            for source in sources {
                assert_eq!(by(source.clone()).await, expected, "{source:?} of {search:?}");
            }
        }
    }
    assert!(found > 80, "{found}");
}

#[tokio::test]
async fn a_period_says_what_is_unfinished_in_it_as_the_search_finds_it() {
    let case = Case::new().await;
    let all = json!({ "od": null, "unosa": 8, "uRadu": 4, "saUpitom": 2, "saNalazom": 2 });
    assert_eq!(case.unfinished("2026-11-29").await, all);
    assert_eq!(case.unfinished("2026-05-15").await, json!({ "od": null, "unosa": 5, "uRadu": 2, "saUpitom": 1, "saNalazom": 0 }));
    // What an earlier lock holds is over.
    case.lock("2026-05-15").await;
    let rest = case.unfinished("2026-11-29").await;
    assert_eq!(rest, json!({ "od": "2026-05-16", "unosa": 3, "uRadu": 2, "saUpitom": 1, "saNalazom": 2 }));
    assert_eq!(case.found(json!({ "stanjeUnosa": "uRadu", "unosDo": "2026-11-29" })).await.len(), 2);
    let other = case.app.worker("druga", &[Right::EntryLocking], case.app.druga_ustanova).await;
    let query = format!("/api/period-locks/unfinished?registarID={}&doDana=2026-11-29", case.register.id);
    assert_eq!(other.get(&query).await.json(), json!({ "od": null, "unosa": 1, "uRadu": 1, "saUpitom": 1, "saNalazom": 1 }));
    case.app.worker("bez", &[], case.app.ustanova).await.get(&query).await.assert_status(403);
}
