//! An indicator that is chosen: what it counts is what its criteria say, its numbers lead to the search that finds as many, over all institutions
//! to one's own alone, and what can be told of nobody is not kept in silence.

use std::{collections::BTreeSet, time::Duration};

use domain::report_sql::{Bind, Scope, Value as Cell, session_binds};
use serde_json::{Value, json};

use super::{
    super::{Report, merge},
    SampleEntry, asked, choice, condition, known, number, save,
};
use crate::support::{TestApp, TestRegister, Worker};

fn indicator(register: &TestRegister, brojilac: Value, more: Value) -> Value {
    let mut of = json!({ "brojilac": brojilac, "broji": "pacijente", "vreme": "mesec", "smer": "vise", "cilj": 60 });
    merge(&mut of, more);
    choice(register, json!({ "prikaz": "indikator", "indikator": of }))
}

/// A row of sums: its month, whether it is one's own hospital's, the three numbers, and the searches of two.
#[derive(Debug)]
struct Sums {
    vreme: Option<String>,
    moja: Option<bool>,
    podobni: Option<f64>,
    imenilac: Option<f64>,
    brojilac: Option<f64>,
    searches: [Option<Value>; 2],
}

async fn sums(
    app: &TestApp,
    worker: &Worker,
    report: &Report,
    izbor: &Value,
    ustanova: Option<i64>,
    period: [Option<&str>; 2],
) -> Vec<Sums> {
    let made = asked(worker, report, izbor).await.assert_status(200).json();
    assert_eq!(made["provera"]["greske"], json!([]), "{made}");
    let upit = made["upit"].as_str().unwrap();
    let mut binds = session_binds(1, ustanova.unwrap_or(app.ustanova), None);
    for (name, day) in ["od", "do"].into_iter().zip(period) {
        binds.insert(name.to_owned(), Bind::Text(day.map(str::to_owned)));
    }
    let scope = Scope { run: None, radnik_id: app.db.clinician().await, ustanova_id: ustanova };
    let found = app.state.report_db.small(scope, upit, &binds, Duration::from_secs(20), 1_000).await;
    let found = found.unwrap_or_else(|error| panic!("{upit}: {error}"));
    let place = |name: &str| found.columns.iter().position(|column| column == name);
    let cell = |row: &[Cell], name: &str| place(name).map_or(Cell::Null, |place| row[place].clone());
    let of_row = |row: &Vec<Cell>| Sums {
        vreme: cell(row, "vreme").into_text(),
        moja: match cell(row, "moja") {
            Cell::Bool(own) => Some(own),
            _ => None,
        },
        podobni: number(&cell(row, "podobni")),
        imenilac: number(&cell(row, "imenilac")),
        brojilac: number(&cell(row, "brojilac")),
        searches: ["brojilac", "imenilac"].map(|name| {
            let text = cell(row, &format!("pretraga {name}")).into_text()?;
            domain::report_screen::ScreenSearch::read(&text).unwrap_or_else(|| panic!("the screen reads it not: {text}"));
            serde_json::from_str(&text).ok()
        }),
    };
    found.rows.iter().map(of_row).collect()
}

async fn found(worker: &Worker, search: &Value) -> usize {
    let body = json!({ "registarID": search["registarID"], "pol": search["pol"].as_bool().map_or(-1, i16::from), "opsegUslova": "istiUnos",
                       "unosUslova": search["unos"], "redPretrage": search["uslovi"], "sviRezultati": true });
    let answer = worker.post("/api/search", body).await;
    answer.assert_status(200).json()["unosi"].as_array().expect("patients").len()
}

fn patients<'a>(entries: impl Iterator<Item = &'a SampleEntry>) -> f64 {
    entries.map(|entry| entry.patient).collect::<BTreeSet<_>>().len() as f64
}

#[tokio::test]
async fn an_indicator_counts_what_its_criteria_say_and_leads_to_as_many() {
    let app = TestApp::new().await;
    let (admin, lekar) = (app.admin().await, app.lekar().await);
    let report = Report::with(&app.db, "ustanova", &[]).await;
    let (register, entries) = known(&app).await;
    let low = json!([condition(&register, None, "broj", "<", "4,5")]);
    let izbor = indicator(&register, low, json!({}));
    let rows = sums(&app, &admin, &report, &izbor, Some(app.ustanova), [None, None]).await;
    let own = |month: Option<i64>| {
        let ustanova = app.ustanova;
        entries.iter().filter(move |entry| entry.ustanova == ustanova && month.is_none_or(|month| entry.month == month))
    };
    assert_eq!(rows.len(), 6, "five months and all: {rows:?}");
    for (place, row) in rows.iter().enumerate() {
        let month = (place < 5).then_some(place as i64 + 1);
        assert_eq!(row.vreme, month.map(|month| format!("2026-{month:02}")));
        let wanted = [
            patients(own(month)),
            patients(own(month).filter(|entry| entry.tenths.is_some())),
            patients(own(month).filter(|entry| entry.tenths.is_some_and(|tenths| tenths < 45))),
        ];
        assert_eq!([row.podobni, row.imenilac, row.brojilac], wanted.map(Some), "{row:?}");
    }

    // Whatever it asks for, each number is that of the search that it leads to.
    let row = |link, code, operator, value: &str| condition(&register, link, code, operator, value);
    let first = register.items["prva"].to_string();
    let numerators = [
        json!([row(None, "broj", "<", "4,5")]),
        json!([row(None, "izbor", "nijeIzabrano", "")]),
        json!([row(None, "broj", "popunjeno", "")]),
        json!([row(None, "broj", ">=", "3"), row(Some("i"), "izbor", "izabrano", "")]),
        json!([row(None, "broj", ">=", "6"), row(Some("ili"), "skup", "izabrano", &first)]),
    ];
    let both = json!([row(None, "izbor", "popunjeno", ""), row(Some("ili"), "broj", ">", "1")]);
    let (mut compared, mut counted) = (0, 0);
    for brojilac in numerators {
        for more in [json!({}), json!({ "filteri": both, "samoMojaUstanova": false }), json!({ "pol": true })] {
            for period in [None, Some([Some("2026-02-01"), Some("2026-04-20")])] {
                let mut izbor =
                    indicator(&register, brojilac.clone(), json!({ "vreme": if period.is_some() { "kvartal" } else { "mesec" } }));
                merge(&mut izbor, more.clone());
                merge(&mut izbor, json!({ "period": period.is_some() }));
                for row in sums(&app, &admin, &report, &izbor, Some(app.ustanova), period.unwrap_or_default()).await {
                    for (told, search) in [row.brojilac, row.imenilac].into_iter().zip(&row.searches) {
                        let search = search.as_ref().unwrap_or_else(|| panic!("{row:?} of {izbor}"));
                        let patients = found(&lekar, search).await;
                        assert_eq!(told, Some(patients as f64), "{search} of {izbor}");
                        (compared, counted) = (compared + 1, counted + patients);
                    }
                }
            }
        }
    }
    assert!(compared > 150 && counted > 300, "{compared} {counted}");
}

#[tokio::test]
async fn of_all_institutions_ones_own_numbers_lead_to_a_search_and_others_do_not() {
    let app = TestApp::new().await;
    let (admin, lekar) = (app.admin().await, app.lekar().await);
    let report = Report::with(&app.db, "sve", &[]).await;
    let register = app.register().await;
    for number in 0..40 {
        let home = if number < 20 { app.ustanova } else { app.druga_ustanova };
        let patient = app.patient(&register, "Ime", "Prezime", home, number).await;
        app.entry(&register, patient, home, "2026-02-10", json!({ "broj": number % 20 })).await;
    }
    let izbor = indicator(&register, json!([condition(&register, None, "broj", "<", "8")]), json!({ "vreme": "godina" }));
    let rows = sums(&app, &admin, &report, &izbor, None, [None, None]).await;
    let of = |own: bool| rows.iter().find(|row| row.moja == Some(own)).expect("a hospital");
    assert_eq!((of(true).imenilac, of(true).brojilac), (Some(20.0), Some(8.0)));
    for (told, search) in [of(true).brojilac, of(true).imenilac].into_iter().zip(&of(true).searches) {
        assert_eq!(told, Some(found(&lekar, search.as_ref().expect("a search")).await as f64));
    }
    assert!(of(false).searches.iter().all(Option::is_none), "{:?}", of(false));
    let whole = rows.iter().find(|row| row.vreme.is_none() && row.moja.is_none()).expect("all");
    assert!(whole.imenilac == Some(40.0) && whole.searches.iter().flatten().all(|search| search["sveUstanove"] == true), "{whole:?}");
}

#[tokio::test]
async fn small_groups_of_others_are_withheld_from_a_chosen_indicator() {
    let app = TestApp::new().await;
    let (admin, register) = (app.admin().await, app.register().await);
    let report = Report::with(&app.db, "sve", &[]).await;
    for number in 0..20 {
        let patient = app.patient(&register, "Ime", "Prezime", app.druga_ustanova, number).await;
        app.entry(&register, patient, app.druga_ustanova, "2026-02-10", json!({ "broj": number })).await;
    }
    let izbor = |most: &str| indicator(&register, json!([condition(&register, None, "broj", "<", most)]), json!({ "vreme": "godina" }));
    for few in ["3", "18"] {
        for row in sums(&app, &admin, &report, &izbor(few), None, [None, None]).await {
            assert_eq!(row.brojilac, None, "three of strangers are in it, or not in it: {row:?}");
        }
    }
    let whole = sums(&app, &admin, &report, &izbor("10"), None, [None, None]).await;
    assert!(whole.iter().all(|row| row.brojilac == Some(10.0) && row.imenilac == Some(20.0)), "{whole:?}");
}

#[tokio::test]
async fn a_designer_sees_of_how_many_it_can_be_told_and_keeps_what_nobody_fills_in_only_knowingly() {
    let app = TestApp::new().await;
    let (admin, register) = (app.admin().await, app.register().await);
    let report = Report::with(&app.db, "ustanova", &[]).await;
    for number in 0..5 {
        let patient = app.patient(&register, "Ime", "Prezime", app.ustanova, number).await;
        let values = if number < 3 { json!({ "broj": number }) } else { json!({}) };
        app.entry(&register, patient, app.ustanova, "2026-02-10", values).await;
    }
    let stranger = app.patient(&register, "Ime", "Tuđinac", app.druga_ustanova, 9).await;
    app.entry(&register, stranger, app.druga_ustanova, "2026-02-10", json!({ "broj": 1 })).await;
    let count = format!("/api/reports/{}/indicator-count", report.id);
    let low = indicator(&register, json!([condition(&register, None, "broj", "<", "2")]), json!({}));
    let told = admin.post(&count, low.clone()).await.assert_status(200).json();
    assert_eq!(told, json!({ "podobni": 5, "imenilac": 3, "brojilac": 2, "unosaSaPodacima": 3, "unosa": 5 }));
    save(&admin, &report, &low, 0).await;

    let unfilled = indicator(&register, json!([condition(&register, None, "izbor", "izabrano", "")]), json!({}));
    let path = format!("/api/reports/{}/simple-definitions", report.id);
    let message = "Nijedan od 5 unosa vaše ustanove nema vrednosti koje brojilac traži, pa udeo ne bi imao o kome da govori. Izaberite polja koja \
                   se popunjavaju, ili potvrdite da indikator snimate unapred.";
    admin.post(&path, json!({ "izbor": unfilled, "osnova": 1 })).await.assert_error(422, Some("bezPodataka"), message);
    admin.post(&path, json!({ "izbor": unfilled, "osnova": 1, "bezPodataka": true })).await.assert_status(200);

    let refused = async |izbor: Value, field: &str, message: &str| {
        for path in [count.clone(), format!("/api/reports/{}/simple-definition-check", report.id)] {
            admin.post(&path, izbor.clone()).await.assert_error(422, Some(field), message);
        }
    };
    let none = "Izaberite bar jedan uslov brojioca: za koga od pacijenata iz imenioca jeste tako.";
    refused(indicator(&register, json!([]), json!({})), "brojilac", none).await;
    refused(choice(&register, json!({ "prikaz": "indikator" })), "brojilac", none).await;
    let odd = json!([{ "poljeID": register.fields["broj"], "operator": "<", "vrednost": "dva" }]);
    refused(indicator(&register, odd, json!({})), "brojilac", "Uslov 1: vrednost mora biti broj.").await;
    let beyond = json!({ "cilj": 101 });
    refused(indicator(&register, json!([condition(&register, None, "broj", "<", "2")]), beyond), "cilj", "Cilj je procenat, od 0 do 100.")
        .await;
    let groups = choice(&register, json!({ "mere": [{ "mera": "brojUnosa" }] }));
    admin.post(&count, groups).await.assert_error(422, Some("prikaz"), "Broje se pacijenti indikatora: izaberite prikaz „Indikator”.");
    app.lekar().await.post(&count, low).await.assert_status(403);
}
