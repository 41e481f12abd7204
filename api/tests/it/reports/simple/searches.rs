//! A number of a chosen report leads to the search that shows whom it counts, to the number: whatever is grouped by, asked for and in whichever
//! period. What a search cannot say leads nowhere.

use serde_json::{Value, json};

use super::{
    super::{Report, merge},
    Cell, asked, choice, condition, known, number, rows,
};
use crate::support::{TestApp, TestRegister};

/// The body of a search by what a row says.
fn body(search: &Value) -> Value {
    let pol = search["pol"].as_bool().map_or(-1, i16::from);
    json!({ "registarID": search["registarID"], "pol": pol, "opsegUslova": "istiUnos", "unosUslova": search["unos"],
            "redPretrage": search["uslovi"], "sviRezultati": true })
}

/// What is said in the last cells of a row.
fn said<const N: usize>(row: &[Cell]) -> [Option<Value>; N] {
    let cells = row.last_chunk::<N>().expect("cells");
    std::array::from_fn(|place| match &cells[place] {
        Cell::Text(text) => {
            domain::report_screen::ScreenSearch::read(text).unwrap_or_else(|| panic!("the screen reads it not: {text}"));
            Some(serde_json::from_str(text).expect("JSON"))
        }
        _ => None,
    })
}

/// Whatever leads to a search over one grouping or none, or two.
fn choices(register: &TestRegister) -> Vec<Value> {
    let by = |code: &str| json!({ "po": "polje", "poljeID": register.fields[code] });
    let [sex, month, year] = ["pol", "mesec", "godina"].map(|po| json!({ "po": po }));
    let or = json!([
        condition(register, None, "broj", ">", "2,5"),
        condition(register, Some("i"), "izbor", "popunjeno", ""),
        condition(register, Some("ili"), "skup", "izabrano", &register.items["prva"].to_string()),
    ]);
    let men = json!({ "pol": true });
    let groups = [
        vec![],
        vec![by("izbor")],
        vec![by("skup")],
        vec![by("broj")],
        vec![sex.clone()],
        vec![month.clone()],
        vec![year],
        vec![month, by("izbor")],
        vec![sex, by("skup")],
    ];
    let mut choices = Vec::new();
    for grupe in groups {
        for (own, more) in [(true, json!({})), (false, json!({ "filteri": or })), (false, men.clone())] {
            let mut chosen = choice(register, json!({ "grupe": grupe, "mere": [{ "mera": "brojPacijenata" }], "samoMojaUstanova": own }));
            merge(&mut chosen, more);
            choices.push(chosen);
        }
    }
    choices
}

#[tokio::test]
async fn a_number_of_patients_leads_to_the_search_that_finds_as_many() {
    let app = TestApp::new().await;
    let (admin, lekar) = (app.admin().await, app.lekar().await);
    let report = Report::with(&app.db, "ustanova", &[]).await;
    let (register, _) = known(&app).await;
    let (mut compared, mut found) = (0, 0);
    for izbor in choices(&register) {
        let is_grouped = izbor["grupe"].as_array().is_some_and(|groups| !groups.is_empty());
        for period in [None, Some([Some("2026-02-01"), Some("2026-04-20")]), Some([Some("2026-03-15"), None])] {
            let mut izbor = izbor.clone();
            izbor["period"] = json!(period.is_some());
            for row in rows(&app, &admin, &report, &izbor, app.ustanova, period.unwrap_or_default()).await {
                let searches: Vec<(Option<f64>, Value)> = if is_grouped {
                    let place = row.iter().position(|cell| matches!(cell, Cell::Int(_))).expect("a number");
                    let place = if izbor["grupe"][0]["po"] == "godina" { place + 1 } else { place };
                    let [part, total] = said::<2>(&row);
                    let total = total.expect("the total leads to a search");
                    part.map(|part| (number(&row[place]), part)).into_iter().chain([(number(&row[place + 1]), total)]).collect()
                } else {
                    let [all] = said::<1>(&row);
                    vec![(number(&row[0]), all.expect("it leads to a search"))]
                };
                for (told, search) in searches {
                    let answer = lekar.post("/api/search", body(&search)).await;
                    answer.assert_status(200);
                    let patients = answer.json()["unosi"].as_array().expect("patients").len();
                    assert_eq!(told, Some(patients as f64), "{search} of {izbor}");
                    (compared, found) = (compared + 1, found + patients);
                }
            }
        }
    }
    assert!(compared > 300 && found > 500, "{compared} {found}");
}

#[tokio::test]
async fn what_a_search_cannot_say_leads_nowhere() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let report = Report::with(&app.db, "ustanova", &[]).await;
    let (register, _) = known(&app).await;
    let patients = json!([{ "mera": "brojPacijenata" }]);
    let upit = async |more: Value| {
        let mut chosen = choice(&register, json!({ "mere": patients }));
        merge(&mut chosen, more);
        let made = asked(&admin, &report, &chosen).await.json();
        assert_eq!(made["provera"]["greske"], json!([]), "{made}");
        made["upit"].as_str().expect("a query").to_owned()
    };
    assert!(upit(json!({})).await.contains("\"pretraga m1\""));
    for more in [
        json!({ "starostOd": 40 }),
        json!({ "grupe": [{ "po": "dob" }] , "starostDo": 90 }),
        json!({ "filteri": [condition(&register, None, "tekst", "sadrzi", "Anić")] }),
        json!({ "mere": [{ "mera": "udeo" }], "grupe": [{ "po": "pol" }] }),
    ] {
        assert!(!upit(more.clone()).await.contains("pretraga"), "{more}");
    }
    // A group by age leads nowhere, and its total does.
    let by_age = upit(json!({ "grupe": [{ "po": "dob" }] })).await;
    assert!(!by_age.contains("\"pretraga m1\"") && by_age.contains("\"pretraga u1\""), "{by_age}");
    app.lay_out(&["update form_field set pretrazuje_se = false where sifra = 'broj'"]).await;
    let by_number = upit(json!({ "grupe": [{ "po": "polje", "poljeID": register.fields["broj"] }] })).await;
    assert!(!by_number.contains("\"pretraga m1\""), "a search has no criterion for it: {by_number}");
}

#[tokio::test]
async fn a_search_by_the_days_of_an_entry_finds_only_known_patients_and_refuses_what_it_cannot_mean() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let (register, entries) = known(&app).await;
    for number in 40..60 {
        let stranger = app.patient(&register, "Ime", "Tuđinac", app.druga_ustanova, number).await;
        app.entry(&register, stranger, app.druga_ustanova, "2026-02-15", json!({ "broj": 5, "izbor": true })).await;
    }
    let frame = |more: Value| {
        let mut frame = json!({ "tipUnosaID": register.form });
        merge(&mut frame, more);
        json!({ "registarID": register.id, "opsegUslova": "istiUnos", "unosUslova": frame, "sviRezultati": true })
    };
    let answer = lekar.post("/api/search", frame(json!({ "od": "2026-02-15", "do": "2026-02-15" }))).await.json();
    let found = answer["unosi"].as_array().expect("patients");
    let seen: std::collections::BTreeSet<usize> = entries.iter().filter(|entry| entry.month == 2).map(|entry| entry.patient).collect();
    assert!(!found.is_empty() && found.len() <= seen.len() && answer["manjeOdTudjih"].is_null(), "{answer}");
    assert!(found.iter().all(|row| row["blurPodataka"] == false && !row["imePrezime"].to_string().contains("Tuđinac")), "{answer}");
    let log: String = sqlx::query_scalar("select polja::text from audit_log where klasa = 'patient_search' order by id desc limit 1")
        .fetch_one(&app.db.owner)
        .await
        .unwrap();
    assert!(log.contains("U unosu") && log.contains("Pregled od 15.02.2026., do 15.02.2026."), "{log}");

    let mut other_scope = frame(json!({}));
    other_scope["opsegUslova"] = json!("biloKojiUnos");
    lekar.post("/api/search", other_scope).await.assert_error(
        422,
        Some("unosUslova"),
        "Uslovi o jednom unosu važe uz opseg „u istom unosu”. Izaberite taj opseg, ili uklonite izbor unosa.",
    );
    let backwards = frame(json!({ "od": "2026-03-01", "do": "2026-02-01" }));
    lekar.post("/api/search", backwards).await.assert_error(422, Some("unosUslova"), "Dan unosa „do” ne sme biti pre dana „od”.");
}

#[tokio::test]
async fn a_search_looks_at_the_first_or_the_last_entry_that_passes_and_asks_the_rest_of_that_one() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let (register, entries) = known(&app).await;
    // What a patient of the test's has, in the order of days and ids.
    let of_patient = |patient: usize| {
        let mut all: Vec<(usize, &super::SampleEntry)> = entries.iter().enumerate().filter(|(_, entry)| entry.patient == patient).collect();
        all.sort_by_key(|(place, entry)| (entry.month, *place));
        all.into_iter().map(|(_, entry)| entry).collect::<Vec<_>>()
    };
    let is_known = |patient: usize| !patient.is_multiple_of(3) || of_patient(patient).iter().any(|entry| entry.ustanova == app.ustanova);
    let row = |code: &str, operator: &str, value: &str| condition(&register, None, code, operator, value);
    let mut counted = 0;
    for koji in ["prvi", "poslednji"] {
        for (picked_by, own, from) in [(json!([]), false, 1), (json!([row("izbor", "popunjeno", "")]), false, 2), (json!([]), true, 3)] {
            for (rows, month) in [(json!([]), None), (json!([row("broj", ">=", "4")]), None), (json!([row("broj", "<", "6")]), Some(3))] {
                let pick = json!({ "koji": koji, "od": format!("2026-{from:02}-01"), "svoj": own, "uslovi": picked_by });
                let [first, last] = [1, 28].map(|day| month.map(|month| format!("2026-{month:02}-{day:02}")));
                let frame = json!({ "tipUnosaID": register.form, "od": first, "do": last, "izbor": pick });
                let body = json!({ "registarID": register.id, "opsegUslova": "istiUnos", "unosUslova": frame, "redPretrage": rows, "sviRezultati": true });
                let answer = lekar.post("/api/search", body.clone()).await.assert_status(200).json();
                let wanted = (0..12).filter(|patient| is_known(*patient)).filter(|patient| {
                    let all = of_patient(*patient);
                    let mut passing = all.iter().filter(|entry| {
                        let is_answered = picked_by == json!([]) || entry.izbor.is_some();
                        entry.month >= from && (!own || entry.ustanova == app.ustanova) && is_answered
                    });
                    let entry = if koji == "prvi" { passing.next() } else { passing.next_back() };
                    entry.is_some_and(|entry| {
                        let holds = match rows[0]["operator"].as_str() {
                            None => true,
                            Some(">=") => entry.tenths.is_some_and(|tenths| tenths >= 40),
                            Some(_) => entry.tenths.is_some_and(|tenths| tenths < 60),
                        };
                        holds && month.is_none_or(|month| entry.month == month)
                    })
                });
                let wanted = wanted.count();
                assert_eq!(answer["unosi"].as_array().expect("patients").len(), wanted, "{body}");
                counted += wanted;
            }
        }
    }
    assert!(counted > 40, "{counted}");
    let log: String = sqlx::query_scalar("select polja::text from audit_log where klasa = 'patient_search' order by id desc limit 1")
        .fetch_one(&app.db.owner)
        .await
        .unwrap();
    assert!(log.contains("gleda se poslednji unos od 01.03.2026., u svojoj ustanovi"), "{log}");

    let backwards = json!({ "koji": "prvi", "od": "2026-03-01", "do": "2026-02-01" });
    let frame = json!({ "tipUnosaID": register.form, "izbor": backwards });
    let body = json!({ "registarID": register.id, "opsegUslova": "istiUnos", "unosUslova": frame });
    lekar.post("/api/search", body).await.assert_error(422, Some("unosUslova"), "Dan unosa „do” ne sme biti pre dana „od”.");
    // What an entry is chosen by names nobody, either, where a search is kept.
    let text = json!([condition(&register, None, "tekst", "sadrzi", "Anić")]);
    let kept = json!({ "redovi": [], "unosUslova": { "tipUnosaID": register.form, "izbor": { "koji": "prvi", "uslovi": text } } });
    lekar
        .post("/api/saved-searches", json!({ "registarID": register.id, "naziv": "Po tekstu", "deljena": false, "upit": kept }))
        .await
        .assert_error(422, Some("upit"), "Uslov po tekstualnom polju se ne čuva: tekst može da otkrije o kome je reč.");
}
