//! Reports that are chosen and not written: what the server makes of a choice counts right, reads nobody's text as SQL, and lives on as
//! any version of a report.

mod doors;
mod few;
mod fields;
mod file;
mod indicator;
mod refusals;
mod searches;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use accounts::rights::Right;
use domain::{
    db,
    report_sql::{Bind, Scope, Value as Cell, session_binds},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use super::{Field, Report, TEXT, merge};
use crate::support::{TestApp, TestRegister, Worker};

/// A choice over the test's register, with more of it.
fn choice(register: &TestRegister, more: Value) -> Value {
    let mut choice = json!({ "registarID": register.id, "tipUnosaID": register.form, "samoMojaUstanova": true, "prikaz": "grupe" });
    merge(&mut choice, more);
    choice
}

fn condition(register: &TestRegister, link: Option<&str>, code: &str, operator: &str, value: &str) -> Value {
    json!({ "veza": link, "poljeID": register.fields[code], "operator": operator, "vrednost": value })
}

fn of(register: &TestRegister, code: &str, kind: &str) -> Value {
    json!({ "mera": kind, "poljeID": register.fields[code] })
}

async fn asked(worker: &Worker, report: &Report, izbor: &Value) -> crate::support::Answer {
    worker.post(&format!("/api/reports/{}/simple-definition-check", report.id), izbor.clone()).await
}

async fn save(worker: &Worker, report: &Report, izbor: &Value, osnova: i32) -> Value {
    let path = format!("/api/reports/{}/simple-definitions", report.id);
    let answer = worker.post(&path, json!({ "izbor": izbor, "osnova": osnova })).await;
    answer.assert_status(200);
    answer.json()
}

/// The rows that a run in this institution delivers, after the check found nothing wrong.
async fn rows(app: &TestApp, worker: &Worker, report: &Report, izbor: &Value, ustanova: i64, period: [Option<&str>; 2]) -> Vec<Vec<Cell>> {
    let answer = asked(worker, report, izbor).await;
    answer.assert_status(200);
    let made = answer.json();
    assert_eq!(made["provera"]["greske"], json!([]), "{made}");
    run(app, made["upit"].as_str().unwrap(), ustanova, period).await
}

async fn run(app: &TestApp, upit: &str, ustanova: i64, period: [Option<&str>; 2]) -> Vec<Vec<Cell>> {
    let mut binds = session_binds(1, ustanova, None);
    for (name, day) in ["od", "do"].into_iter().zip(period) {
        binds.insert(name.to_owned(), Bind::Text(day.map(str::to_owned)));
    }
    let scope = Scope { run: None, radnik_id: app.db.clinician().await, ustanova_id: Some(ustanova) };
    app.state
        .report_db
        .small(scope, upit, &binds, Duration::from_secs(20), 1_000)
        .await
        .unwrap_or_else(|error| panic!("{upit}: {error}"))
        .rows
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Null => None,
        Cell::Int(number) => Some(*number as f64),
        Cell::Decimal(number) => Some(number.to_string().parse().unwrap()),
        other => panic!("no number: {other:?}"),
    }
}

fn text(cell: &Cell) -> &str {
    match cell {
        Cell::Text(text) => text,
        other => panic!("no text: {other:?}"),
    }
}

fn assert_near(found: Option<f64>, wanted: Option<f64>, what: &str) {
    let near = match (found, wanted) {
        (Some(found), Some(wanted)) => (found - wanted).abs() < 1e-6,
        (found, wanted) => found == wanted,
    };
    assert!(near, "{what}: {found:?} and not {wanted:?}");
}

/// An entry as the test knows it; its number in tenths.
struct SampleEntry {
    patient: usize,
    ustanova: i64,
    month: i64,
    tenths: Option<i64>,
    izbor: Option<bool>,
    skup: BTreeSet<&'static str>,
}

/// Twelve patients of two institutions, some seen in both, with blanks of every kind.
async fn known(app: &TestApp) -> (TestRegister, Vec<SampleEntry>) {
    let register = app.register().await;
    let mut random = StdRng::seed_from_u64(39);
    let mut patients = Vec::new();
    for number in 0..12 {
        let home = if number % 3 == 0 { app.druga_ustanova } else { app.ustanova };
        patients.push(app.patient(&register, "Ime", &format!("Prezime{number}"), home, number).await);
    }
    let mut entries = Vec::new();
    for _ in 0..90 {
        let entry = SampleEntry {
            patient: random.random_range(0..12),
            ustanova: if random.random_bool(0.3) { app.druga_ustanova } else { app.ustanova },
            month: random.random_range(1..=5),
            tenths: random.random_bool(0.8).then(|| random.random_range(1..=90)),
            izbor: random.random_bool(0.7).then(|| random.random_bool(0.5)),
            skup: ["prva", "druga"].into_iter().filter(|_| random.random_bool(0.4)).collect(),
        };
        let mut values = json!({ "skup": entry.skup.iter().map(|name| register.items[name]).collect::<Vec<_>>() });
        if let Some(tenths) = entry.tenths {
            merge(&mut values, json!({ "broj": tenths as f64 / 10.0 }));
        }
        if let Some(izbor) = entry.izbor {
            merge(&mut values, json!({ "izbor": izbor }));
        }
        let date = format!("2026-{:02}-15", entry.month);
        app.entry(&register, patients[entry.patient], entry.ustanova, &date, values).await;
        entries.push(entry);
    }
    (register, entries)
}

/// What the measures of `measured` are, computed here.
fn expected(entries: &[&SampleEntry], all: usize) -> [Option<f64>; 9] {
    let mut tenths: Vec<i64> = entries.iter().filter_map(|entry| entry.tenths).collect();
    tenths.sort_unstable();
    let (count, answered) = (tenths.len(), entries.iter().filter_map(|entry| entry.izbor).count());
    let median = (count > 0).then(|| (tenths[(count - 1) / 2] + tenths[count / 2]) as f64 / 20.0);
    [
        Some(entries.len() as f64),
        Some(entries.iter().map(|entry| entry.patient).collect::<BTreeSet<_>>().len() as f64),
        (all > 0).then(|| entries.len() as f64 * 100.0 / all as f64),
        Some(count as f64),
        (count > 0).then(|| tenths.iter().sum::<i64>() as f64 / 10.0 / count as f64),
        median,
        tenths.first().map(|least| *least as f64 / 10.0),
        tenths.last().map(|most| *most as f64 / 10.0),
        (answered > 0).then(|| entries.iter().filter(|entry| entry.izbor == Some(true)).count() as f64 * 100.0 / answered as f64),
    ]
}

/// In two parts, since a report has at most eight measures.
fn measured(register: &TestRegister) -> [Value; 2] {
    let plain = |kind: &str| json!({ "mera": kind });
    let of = |code, kind| of(register, code, kind);
    [
        json!([plain("brojUnosa"), plain("brojPacijenata"), plain("udeo"), of("broj", "popunjeno"), of("broj", "srednjaVrednost")]),
        json!([of("broj", "medijana"), of("broj", "minimum"), of("broj", "maksimum"), of("izbor", "udeoDa")]),
    ]
}

/// Compares each row's measures, and the totals beside them, with what is computed here of the entries of its group.
fn assert_measures(rows: &[Vec<Cell>], heads: usize, part: usize, wanted: &BTreeMap<Vec<String>, Vec<&SampleEntry>>, all: &[&SampleEntry]) {
    assert_eq!(rows.len(), wanted.len());
    let (from, to) = if part == 0 { (0, 5) } else { (5, 9) };
    let totals = expected(all, all.len());
    for row in rows {
        let key: Vec<String> = row[..heads]
            .iter()
            .map(|cell| match cell {
                Cell::Date(date) => date.to_string(),
                cell => text(cell).to_owned(),
            })
            .collect();
        let entries = wanted.get(&key).unwrap_or_else(|| panic!("no such group: {key:?}"));
        let mine = expected(entries, all.len());
        for (place, measure) in (from..to).enumerate() {
            let cells = &row[heads + 2 * place..];
            assert_near(number(&cells[0]), mine[measure], &format!("measure {measure} of {key:?}"));
            assert_near(number(&cells[1]), totals[measure], &format!("measure {measure} of all"));
        }
    }
}

fn answer(izbor: Option<bool>) -> String {
    izbor.map_or("Bez podatka", |yes| if yes { "Da" } else { "Ne" }).to_owned()
}

#[tokio::test]
async fn groups_count_what_a_computation_of_ones_own_counts() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await);
    let (register, entries) = known(&app).await;
    let [po_izboru, po_mesecu] = [json!({ "po": "polje", "poljeID": register.fields["izbor"] }), json!({ "po": "mesec" })];
    for ustanova in [app.ustanova, app.druga_ustanova] {
        let all: Vec<&SampleEntry> = entries.iter().filter(|entry| entry.ustanova == ustanova).collect();
        let mut wanted: BTreeMap<Vec<String>, Vec<&SampleEntry>> = BTreeMap::new();
        for entry in &all {
            wanted.entry(vec![format!("2026-{:02}-01", entry.month), answer(entry.izbor)]).or_default().push(entry);
        }
        for (part, mere) in measured(&register).into_iter().enumerate() {
            let izbor = choice(&register, json!({ "grupe": [po_mesecu, po_izboru], "mere": mere }));
            let found = rows(&app, &admin, &report, &izbor, ustanova, [None, None]).await;
            assert_measures(&found, 2, part, &wanted, &all);
            let order: Vec<(String, u8)> = found
                .iter()
                .map(|row| {
                    let Cell::Date(month) = &row[0] else { panic!("a month") };
                    (month.to_string(), ["Da", "Ne", "Bez podatka"].iter().position(|known| *known == text(&row[1])).unwrap() as u8)
                })
                .collect();
            assert!(order.is_sorted(), "by month, yes before no, blanks last: {order:?}");
        }
    }
}

#[tokio::test]
async fn an_entry_with_several_items_stands_in_each_group_and_once_in_the_total() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await);
    let (register, entries) = known(&app).await;
    let all: Vec<&SampleEntry> = entries.iter().filter(|entry| entry.ustanova == app.ustanova).collect();
    let mut wanted: BTreeMap<Vec<String>, Vec<&SampleEntry>> = BTreeMap::new();
    for entry in &all {
        for item in &entry.skup {
            wanted.entry(vec![(*item).to_owned()]).or_default().push(entry);
        }
        if entry.skup.is_empty() {
            wanted.entry(vec!["Bez podatka".to_owned()]).or_default().push(entry);
        }
    }
    assert!(wanted.values().map(Vec::len).sum::<usize>() > all.len(), "some have both");
    for (part, mere) in measured(&register).into_iter().enumerate() {
        let izbor = choice(&register, json!({ "grupe": [{ "po": "polje", "poljeID": register.fields["skup"] }], "mere": mere }));
        let found = rows(&app, &admin, &report, &izbor, app.ustanova, [None, None]).await;
        assert_measures(&found, 1, part, &wanted, &all);
        let order: Vec<&str> = found.iter().map(|row| text(&row[0])).collect();
        assert_eq!(order, ["prva", "druga", "Bez podatka"], "as on the form");
    }
}

#[tokio::test]
async fn a_value_that_does_not_compare_with_the_others_is_told_of_in_a_list_and_in_its_group() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await);
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let mut entries = Vec::new();
    for (day, izbor) in [("2026-01-10", true), ("2026-01-11", true), ("2026-01-12", false)] {
        entries.push(app.entry(&register, patient, app.ustanova, day, json!({ "broj": 5, "zbir": 6, "izbor": izbor })).await);
    }
    sqlx::query("insert into stale_result (unos_id, polje_id, razlog, jedinica) values ($1, $2, 'jedinica', 'g'), ($1, $3, 'formula', null), ($4, $3, 'neprovereno', null)")
        .bind(entries[0])
        .bind(register.fields["broj"])
        .bind(register.fields["zbir"])
        .bind(entries[1])
        .execute(&app.db.owner)
        .await
        .unwrap();
    let columns =
        json!([{ "kolona": "polje", "poljeID": register.fields["broj"] }, { "kolona": "polje", "poljeID": register.fields["zbir"] }]);
    let list = choice(&register, json!({ "prikaz": "lista", "kolone": columns }));
    let told: Vec<Cell> =
        rows(&app, &admin, &report, &list, app.ustanova, [None, None]).await.into_iter().map(|mut row| row.remove(2)).collect();
    let words = |words: &str| Cell::Text(words.to_owned());
    assert_eq!(
        told,
        [
            words("broj: Uneto u jedinici g; zbir: Današnja formula daje drugi rezultat"),
            words("zbir: Formula je promenjena posle ovog rezultata"),
            Cell::Null
        ]
    );
    let mere = json!([of(&register, "zbir", "srednjaVrednost")]);
    let groups = choice(&register, json!({ "grupe": [{ "po": "polje", "poljeID": register.fields["izbor"] }], "mere": mere }));
    let told: Vec<Cell> =
        rows(&app, &admin, &report, &groups, app.ustanova, [None, None]).await.into_iter().filter_map(|mut row| row.pop()).collect();
    assert_eq!(told, [words("Po ranijoj formuli ili jedinici: 2"), Cell::Null], "of what the group is measured by");
    let one = rows(&app, &admin, &report, &choice(&register, json!({ "mere": mere })), app.ustanova, [None, None]).await;
    assert_eq!(one[0].last(), Some(&words("Po ranijoj formuli ili jedinici: 2")));
    let counted = choice(&register, json!({ "mere": [{ "mera": "brojUnosa" }] }));
    let counts = rows(&app, &admin, &report, &counted, app.ustanova, [None, None]).await;
    let is_told = |cell: &Cell| matches!(cell, Cell::Text(words) if words.starts_with("Po ranijoj"));
    assert!(!counts[0].iter().any(is_told), "a count has nothing to be told of: {counts:?}");
}

#[tokio::test]
async fn a_blank_is_no_number_and_a_group_of_blanks_has_no_mean() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await);
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    app.entry(&register, patient, app.ustanova, "2026-01-10", json!({ "broj": null, "izbor": true })).await;
    app.entry(&register, patient, app.ustanova, "2026-01-11", json!({ "izbor": true })).await;
    app.entry(&register, patient, app.ustanova, "2026-01-12", json!({ "broj": 0, "izbor": false })).await;
    app.entry(&register, patient, app.ustanova, "2026-01-13", json!({ "broj": 7.5, "izbor": false })).await;
    let mere = json!([of(&register, "broj", "srednjaVrednost"), of(&register, "broj", "medijana"), of(&register, "broj", "popunjeno")]);
    let izbor = choice(&register, json!({ "grupe": [{ "po": "polje", "poljeID": register.fields["izbor"] }], "mere": mere }));
    let found = rows(&app, &admin, &report, &izbor, app.ustanova, [None, None]).await;
    let numbers = |row: &Vec<Cell>| [1, 3, 5].map(|place| number(&row[place]));
    assert_eq!(numbers(&found[0]), [None, None, Some(0.0)]);
    assert_eq!(numbers(&found[1]), [Some(3.75), Some(3.75), Some(2.0)], "a zero is a number");
    // Nothing at all is a row of zeros and blanks where there are no groups.
    let bare = choice(&register, json!({ "mere": mere, "pol": false, "starostOd": 150 }));
    let found = rows(&app, &admin, &report, &bare, app.ustanova, [None, None]).await;
    assert_eq!(found.len(), 1);
    assert_eq!([0, 1, 2].map(|place| number(&found[0][place])), [None, None, Some(0.0)]);
}

#[tokio::test]
async fn conditions_hold_for_the_entry_itself_and_blanks_pass_only_where_it_is_said() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await);
    let (register, entries) = known(&app).await;
    let count = async |more: Value, period| {
        let mut izbor = choice(&register, json!({ "mere": [{ "mera": "brojUnosa" }] }));
        merge(&mut izbor, more);
        number(&rows(&app, &admin, &report, &izbor, app.ustanova, period).await[0][0]).unwrap() as usize
    };
    let own =
        |passes: &dyn Fn(&SampleEntry) -> bool| entries.iter().filter(|entry| entry.ustanova == app.ustanova && passes(entry)).count();
    let if_all = |rows: &[Value]| json!({ "filteri": rows });
    let row = |link, code, operator, value: &str| condition(&register, link, code, operator, value);
    let first = register.items["prva"].to_string();
    let always = [None, None];

    assert_eq!(count(if_all(&[row(None, "broj", ">", "4,5")]), always).await, own(&|entry| entry.tenths.is_some_and(|tenths| tenths > 45)));
    assert_eq!(
        count(if_all(&[row(None, "broj", "!=", "4,5")]), always).await,
        own(&|entry| entry.tenths.is_some_and(|tenths| tenths != 45)),
        "a blank is not another number"
    );
    assert_eq!(count(if_all(&[row(None, "izbor", "nijeIzabrano", "")]), always).await, own(&|entry| entry.izbor != Some(true)));
    assert_eq!(count(if_all(&[row(None, "broj", "nijePopunjeno", "")]), always).await, own(&|entry| entry.tenths.is_none()));
    assert_eq!(count(if_all(&[row(None, "skup", "popunjeno", "")]), always).await, own(&|entry| !entry.skup.is_empty()));
    assert_eq!(count(if_all(&[row(None, "skup", "nijeIzabrano", &first)]), always).await, own(&|entry| !entry.skup.contains("prva")));
    let both = [row(None, "broj", "<=", "4,5"), row(Some("i"), "izbor", "izabrano", ""), row(Some("ili"), "skup", "izabrano", &first)];
    assert_eq!(
        count(if_all(&both), always).await,
        own(&|entry| entry.tenths.is_some_and(|tenths| tenths <= 45) && entry.izbor == Some(true) || entry.skup.contains("prva"))
    );
    assert_eq!(count(json!({ "pol": true }), always).await, own(&|entry| entry.patient % 2 == 1));
    // They were born on the first of January of 1950 and the years after.
    let age = |entry: &SampleEntry| 2026 - (1950 + entry.patient % 50);
    assert_eq!(count(json!({ "starostOd": 70, "starostDo": 73 }), always).await, own(&|entry| (70..=73).contains(&age(entry))));
    let period = json!({ "period": true });
    assert_eq!(count(period.clone(), [Some("2026-02-15"), Some("2026-04-15")]).await, own(&|entry| (2..=4).contains(&entry.month)));
    assert_eq!(count(period.clone(), [Some("2026-04-16"), None]).await, own(&|entry| entry.month == 5));
    assert_eq!(count(period, always).await, own(&|_| true));
    // Others' entries only of patients whom the institution knows, and only where that is asked for.
    let known: BTreeSet<usize> = (0..12)
        .filter(|patient| patient % 3 != 0 || entries.iter().any(|entry| entry.patient == *patient && entry.ustanova == app.ustanova))
        .collect();
    let seen = entries.iter().filter(|entry| known.contains(&entry.patient)).count();
    assert_eq!(count(json!({ "samoMojaUstanova": false }), always).await, seen);
}

#[tokio::test]
async fn ages_are_grouped_by_tens_and_sex_is_named() {
    let app = TestApp::new().await;
    let (admin, register) = (app.admin().await, app.register().await);
    for (patient, day) in [(1, "2010-12-31"), (2, "2012-01-01"), (15, "2026-06-01")] {
        let id = app.patient(&register, "Ime", "Prezime", app.ustanova, patient).await;
        app.entry(&register, id, app.ustanova, day, json!({})).await;
    }
    let izbor = choice(&register, json!({ "grupe": [{ "po": "dob" }, { "po": "pol" }], "mere": [{ "mera": "brojUnosa" }] }));
    for obim in ["ustanova", "sve"] {
        let report = Report::with(&app.db, obim, &[]).await;
        let found = rows(&app, &admin, &report, &izbor, app.ustanova, [None, None]).await;
        let groups: Vec<(&str, &str)> = found.iter().map(|row| (text(&row[0]), text(&row[1]))).collect();
        // Born in 1951, 1952 and 1965.
        assert_eq!(groups, [("50–59", "Muški"), ("60–69", "Muški"), ("60–69", "Ženski")], "{obim}");
        // Over all institutions an age is a difference of years, and the column says so in every format.
        let made = asked(
            &admin,
            &report,
            &choice(&register, json!({ "starostOd": 40, "grupe": [{ "po": "dob" }], "mere": [{ "mera": "brojUnosa" }] })),
        )
        .await
        .json();
        let sablon = made["sablon"].as_str().unwrap();
        let (head, condition) = if obim == "sve" {
            ("head=\"Uzrast po kalendarskoj godini\"", "uzrast po kalendarskoj godini od 40")
        } else {
            ("head=\"Starost (godine)\"", "starost od 40")
        };
        assert!(sablon.contains(head) && sablon.contains(condition), "{obim}: {sablon}");
    }
}

#[tokio::test]
async fn every_chart_is_drawn_from_what_the_query_delivers() {
    let app = TestApp::new().await;
    let (admin, report, register) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await, app.register().await);
    let [pol, mesec, dob] = ["pol", "mesec", "dob"].map(|po| json!({ "po": po }));
    for (vrsta, grupe, declared) in [
        ("stubici", vec![&pol], "{{#chart \"bar\" x=\"g1\" title=\"Broj unosa\""),
        ("linija", vec![&pol, &mesec], "{{#chart \"line\" x=\"g2\" bucket=\"month\" seriesBy=\"g1\""),
        ("naslagani", vec![&dob, &pol], "{{#chart \"stacked\" x=\"g1\" seriesBy=\"g2\""),
        ("pita", vec![&dob], "{{#chart \"pie\" x=\"g1\" title"),
    ] {
        let more = json!({ "grupe": grupe, "mere": [{ "mera": "brojUnosa" }], "grafikon": { "vrsta": vrsta, "mera": 0 } });
        let made = asked(&admin, &report, &choice(&register, more)).await.json();
        assert_eq!(made["provera"]["greske"], json!([]), "{vrsta}");
        assert!(made["sablon"].as_str().unwrap().contains(declared), "{}", made["sablon"]);
    }
}

#[tokio::test]
async fn a_list_shows_the_chosen_fields_as_they_are_read() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await);
    let register = app.register().await;
    let patient = app.patient(&register, "Žarko", "Đurić", app.ustanova, 1).await;
    let other = app.patient(&register, "Ana", "Čolić", app.ustanova, 2).await;
    let values = json!({ "broj": 7.50, "izbor": false, "tekst": "=1+1", "skup": [register.items["druga"], register.items["prva"]], "datum": "2025-03-04" });
    app.entry(&register, patient, app.ustanova, "2026-01-10", values).await;
    app.entry(&register, other, app.ustanova, "2026-01-11", json!({ "tekst": " " })).await;
    let field = |code: &str| json!({ "kolona": "polje", "poljeID": register.fields[code] });
    let kolone = json!([{ "kolona": "pacijent" }, { "kolona": "datum" }, { "kolona": "ustanova" }, { "kolona": "pol" }, { "kolona": "starost" },
        field("broj"), field("izbor"), field("tekst"), field("skup"), field("datum")]);
    let izbor = choice(&register, json!({ "prikaz": "lista", "kolone": kolone, "mere": [{ "mera": "medijana" }] }));
    let found = rows(&app, &admin, &report, &izbor, app.ustanova, [None, None]).await;
    let date = |year, month, day| Cell::Date(jiff::civil::date(year, month, day));
    let said = |text: &str| Cell::Text(text.to_owned());
    assert_eq!(
        found,
        [
            // Last, and not printed, the patient by whom the record of looks knows whom the list names.
            [said("Čolić Ana"), date(2026, 1, 11), said("Klinika A"), said("Ženski"), Cell::Int(74)]
                .into_iter()
                .chain([Cell::Null, Cell::Null, Cell::Null, Cell::Null, Cell::Null, Cell::Null, Cell::Int(other)])
                .collect::<Vec<_>>(),
            [said("Đurić Žarko"), date(2026, 1, 10), said("Klinika A"), said("Muški"), Cell::Int(75)]
                .into_iter()
                .chain([
                    Cell::Decimal("7.5".parse().unwrap()),
                    said("Ne"),
                    said("=1+1"),
                    said("prva, druga"),
                    date(2025, 3, 4),
                    Cell::Null,
                    Cell::Int(patient)
                ])
                .collect::<Vec<_>>(),
        ]
    );
}

#[tokio::test]
async fn a_choice_is_a_version_like_any_other_and_says_when_it_was_turned_into_sql() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await);
    let register = app.register().await;
    let path = |rest: &str| format!("/api/reports/{}/{rest}", report.id);
    let izbor = choice(
        &register,
        json!({ "period": true, "grupe": [{ "po": "pol" }], "mere": [{ "mera": "brojUnosa" }], "kolone": [{ "kolona": "datum" }] }),
    );
    let saved = save(&admin, &report, &izbor, 0).await;
    assert_eq!((&saved["broj"], &saved["provera"]["greske"], &saved["provera"]["upozorenja"]), (&json!(1), &json!([]), &json!([])));
    let kept = admin.get(&path("definitions/1")).await.json();
    assert_eq!((&kept["izbor"]["grupe"][0]["po"], &kept["izbor"]["period"]), (&json!("pol"), &json!(true)));
    assert_eq!(kept["izbor"]["kolone"], json!([]), "what is not used is not kept");
    assert!(kept["upit"].as_str().unwrap().contains("report.unos"));
    assert_eq!(save(&admin, &report, &izbor, 0).await["broj"], 1, "the same choice is the same version");

    // The period became parameters, once, which whoever runs it may leave out.
    let asked: Vec<(String, String, bool)> = sqlx::query_as(
        "select request_naziv, naziv, opcioni from report_parameter where izvestaj_id = $1 and aktivan order by prikazni_redosled",
    )
    .bind(report.id)
    .fetch_all(&app.db.owner)
    .await
    .unwrap();
    assert_eq!(asked, [("od".to_owned(), "Od".to_owned(), true), ("do".to_owned(), "Do".to_owned(), true)]);

    let typed = json!({ "upit": format!("{}-- dopisano", kept["upit"].as_str().unwrap()), "sablon": kept["sablon"], "osnova": 1 });
    admin.post(&path("definitions"), typed).await.assert_status(200);
    assert_eq!(admin.get(&path("definitions/2")).await.json()["izbor"], Value::Null);
    save(&admin, &report, &izbor, 2).await;
    let ways = |design: Value| design["verzije"].as_array().unwrap().iter().map(|version| version["nacin"].clone()).collect::<Vec<_>>();
    assert_eq!(ways(admin.get(&path("definition")).await.json()), ["jednostavan", "pretvorenUSql", "jednostavan"]);

    // A designer elsewhere is not written over.
    let late = admin
        .post(
            &path("simple-definitions"),
            json!({ "izbor": choice(&register, json!({ "mere": [{ "mera": "brojPacijenata" }] })), "osnova": 1 }),
        )
        .await;
    late.assert_status(409);
    admin.post(&path("definitions/3/publish"), json!({ "objavljena": 0 })).await.assert_status(204);
    admin.post(&path("definitions/3/trial"), json!({ "parametri": {} })).await.assert_status(202);

    // A parameter of the name that is no date is not taken for one.
    let other = Report::with(&app.db, "ustanova", &[Field::new(TEXT, "od", "Od koga").optional()]).await;
    admin.post(&format!("/api/reports/{}/simple-definitions", other.id), json!({ "izbor": izbor, "osnova": 0 })).await.assert_error(
        422,
        Some("period"),
        "Izveštaj već ima parametar „Od koga” (:od) koji nije datum. Promenite ga na tabu „Parametri”, pa izaberite period.",
    );
}

#[tokio::test]
async fn a_report_outlives_its_form_and_its_designer_is_told_what_is_gone() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await);
    let (register, entries) = known(&app).await;
    let grupe = json!([{ "po": "polje", "poljeID": register.fields["skup"] }]);
    let izbor = choice(&register, json!({ "grupe": grupe, "mere": [of(&register, "broj", "srednjaVrednost")] }));
    save(&admin, &report, &izbor, 0).await;
    admin.post(&format!("/api/reports/{}/definitions/1/publish", report.id), json!({ "objavljena": 0 })).await.assert_status(204);
    let upit = admin.get(&format!("/api/reports/{}/definitions/1", report.id)).await.json()["upit"].as_str().unwrap().to_owned();
    let before = run(&app, &upit, app.ustanova, [None, None]).await;

    let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update enum_item set naziv = 'preimenovana' where id = $1").bind(register.items["prva"]).execute(&mut *tx).await.unwrap();
    sqlx::query("update enum_item set aktivan = false where id = $1").bind(register.items["druga"]).execute(&mut *tx).await.unwrap();
    sqlx::query("update form_field set prikazuje_se = false where id = $1").bind(register.fields["skup"]).execute(&mut *tx).await.unwrap();
    sqlx::query("update form_field set aktivan = false where id = $1").bind(register.fields["broj"]).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let after = run(&app, &upit, app.ustanova, [None, None]).await;
    let names: BTreeSet<String> = after.iter().map(|row| text(&row[0]).to_owned()).collect();
    let deleted = format!("Obrisana stavka {}", register.items["druga"]);
    assert_eq!(names, BTreeSet::from(["preimenovana".to_owned(), deleted, "Bez podatka".to_owned()]));
    let sum = |rows: &[Vec<Cell>]| rows.iter().filter_map(|row| number(&row[1])).sum::<f64>();
    assert_near(Some(sum(&after)), Some(sum(&before)), "the values that were written are there");
    assert!(!entries.is_empty());
    let gone = "Izabrano polje više nije na ovom formularu. Izaberite drugo.";
    asked(&admin, &report, &izbor).await.assert_error(422, Some("mere"), gone);
}

#[tokio::test]
async fn only_who_configures_reports_chooses_them() {
    let app = TestApp::new().await;
    let (lekar, report, register) = (app.lekar().await, Report::with(&app.db, "ustanova", &[]).await, app.register().await);
    let izbor = choice(&register, json!({ "mere": [{ "mera": "brojUnosa" }] }));
    lekar.get("/api/simple-report-registers").await.assert_status(403);
    lekar.get(&format!("/api/simple-report-forms/{}", register.form)).await.assert_status(403);
    asked(&lekar, &report, &izbor).await.assert_status(403);
    lekar.post(&format!("/api/reports/{}/simple-definitions", report.id), json!({ "izbor": izbor, "osnova": 0 })).await.assert_status(403);
    let designer = app.worker("dizajner", &[Right::ReportSetup], app.ustanova).await;
    let registers = designer.get("/api/simple-report-registers").await.json();
    let mine = registers.as_array().unwrap().iter().find(|known| known["id"] == register.id).expect("the register");
    assert_eq!(mine["formulari"], json!([{ "id": register.form, "naziv": "Pregled" }]));
    let form = designer.get(&format!("/api/simple-report-forms/{}", register.form)).await.json();
    let names: Vec<&str> = form["polja"].as_array().unwrap().iter().map(|field| field["naziv"].as_str().unwrap()).collect();
    assert_eq!(names, ["izbor", "broj", "tekst", "skup", "datum", "zbir", "skriveno"]);
    save(&designer, &report, &izbor, 0).await;
}
