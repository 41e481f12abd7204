//! The search of a register: what it finds, in what order, and whose identity it keeps back (A 2.5).

use serde_json::{Value, json};

use crate::support::{Anonymous, TestApp, TestRegister};

async fn found(caller: &Anonymous, register: &TestRegister, criteria: Value) -> Vec<i64> {
    let mut body = json!({ "registarID": register.id });
    body.as_object_mut().unwrap().extend(criteria.as_object().unwrap().clone());
    let answer = caller.post("/api/search", body).await.json();
    answer["unosi"].as_array().unwrap().iter().filter_map(|row| row["pacijentID"].as_i64()).collect()
}

fn row(register: &TestRegister, link: Option<&str>, code: &str, operator: &str, value: impl ToString) -> Value {
    json!({ "veza": link, "poljeID": register.fields[code], "operator": operator, "vrednost": value.to_string() })
}

#[tokio::test]
async fn names_match_without_diacritics_in_cyrillic_and_in_either_order() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let djordje = app.patient(&register, "Đorđe", "Šćepanović", app.ustanova, 1).await;
    app.patient(&register, "Petar", "Petrović", app.ustanova, 2).await;
    for criteria in [
        json!({ "ime": "djordje" }),
        json!({ "prezime": "scepanovic" }),
        json!({ "ime": "Ђорђе", "prezime": "Шћепановић" }),
        json!({ "ime": "Šćepanović", "prezime": "Đorđe" }),
        json!({ "prezime": "đorđe šćep" }),
    ] {
        assert_eq!(found(&lekar, &register, criteria.clone()).await, [djordje], "{criteria}");
    }
    assert_eq!(found(&lekar, &register, json!({ "ime": "%" })).await, Vec::<i64>::new(), "a wildcard is a letter");
}

#[tokio::test]
async fn fixed_fields_narrow_by_birth_year_sex_and_number_prefix() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let (man, woman) = (app.patient(&register, "A", "A", app.ustanova, 1).await, app.patient(&register, "B", "B", app.ustanova, 2).await);
    assert_eq!(found(&lekar, &register, json!({ "pol": 0 })).await, [woman]);
    assert_eq!(found(&lekar, &register, json!({ "pol": 1 })).await, [man]);
    assert_eq!(found(&lekar, &register, json!({ "pol": -1 })).await.len(), 2);
    assert_eq!(found(&lekar, &register, json!({ "godinaOd": 1952 })).await, [woman]);
    assert_eq!(found(&lekar, &register, json!({ "godinaDo": 1951 })).await, [man]);
    assert_eq!(found(&lekar, &register, json!({ "jmbg": "0000000000002" })).await, [woman]);
    assert_eq!(found(&lekar, &register, json!({ "lbo": "00000000001" })).await, [man]);
    for (asked, field, message) in [
        (json!({ "godinaOd": 1990, "godinaDo": 1980 }), "godinaDo", "Godina rođenja „do” ne sme biti pre godine „od”."),
        (json!({ "godinaOd": 99 }), "godinaOd", "Godina rođenja „od” mora biti između 1800. i 2100."),
        (json!({ "godinaDo": 19_500_000_000_i64 }), "godinaDo", "Godina rođenja „do” mora biti između 1800. i 2100."),
        (json!({ "jmbg": "12/34" }), "jmbg", "JMBG u pretrazi sme da sadrži samo cifre, najviše 13."),
        (json!({ "lbo": "A1" }), "lbo", "LBO u pretrazi sme da sadrži samo cifre, najviše 11."),
    ] {
        let mut body = asked;
        body["registarID"] = json!(register.id);
        lekar.post("/api/search", body).await.assert_error(422, Some(field), message);
    }
}

/// Every operator of every type, against an oracle written in the plainest way over all patients.
#[tokio::test]
async fn criteria_find_exactly_what_a_plain_scan_finds() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let (first, second) = (register.items["prva"], register.items["druga"]);
    let mut patients = Vec::new();
    for n in 0..40_i64 {
        let patient = app.patient(&register, "Ime", &format!("Prezime{n}"), app.ustanova, n + 1).await;
        for visit in 0..(n % 3) {
            let mut values = json!({ "broj": (n * 7 + visit * 3) % 20, "izbor": (n + visit) % 2 == 0 });
            if n % 4 != 0 {
                values["tekst"] = json!(["Žuta mrlja", "crna tačka", "bela"][(n / 3 % 3) as usize]);
                values["skup"] = json!(if n % 5 == 0 { vec![first, second] } else { vec![if n % 2 == 0 { first } else { second }] });
                values["datum"] = json!(format!("2020-01-{:02}", n % 28 + 1));
            }
            app.entry(&register, patient, app.ustanova, &format!("2024-{:02}-01", n % 12 + 1), values.clone()).await;
            patients.push((patient, values));
        }
    }
    let holds = |test: &dyn Fn(&Value) -> bool| {
        let mut hits: Vec<i64> = patients.iter().filter(|(_, values)| test(values)).map(|(patient, _)| *patient).collect();
        hits.sort_unstable();
        hits.dedup();
        hits
    };
    let sorted = |mut hits: Vec<i64>| {
        hits.sort_unstable();
        hits
    };
    let number = |values: &Value| values["broj"].as_i64();
    type Case<'a> = (&'a str, &'a str, String, Box<dyn Fn(&Value) -> bool>);
    let cases: Vec<Case> = vec![
        ("broj", ">", "10".into(), Box::new(move |v| number(v).is_some_and(|n| n > 10))),
        ("broj", "<=", "3".into(), Box::new(move |v| number(v).is_some_and(|n| n <= 3))),
        ("broj", "!=", "5".into(), Box::new(move |v| number(v).is_some_and(|n| n != 5))),
        ("broj", "=", "5".into(), Box::new(move |v| number(v) == Some(5))),
        ("izbor", "izabrano", "1".into(), Box::new(|v| v["izbor"] == true)),
        ("tekst", "sadrzi", "MRLJA".into(), Box::new(|v| v["tekst"] == "Žuta mrlja")),
        ("tekst", "neSadrzi", "tacka".into(), Box::new(|v| v["tekst"].is_string() && v["tekst"] != "crna tačka")),
        ("tekst", "pocinje", "zut".into(), Box::new(|v| v["tekst"] == "Žuta mrlja")),
        ("tekst", "zavrsava", "tačka".into(), Box::new(|v| v["tekst"] == "crna tačka")),
        ("tekst", "=", "BELA".into(), Box::new(|v| v["tekst"] == "bela")),
        ("tekst", "!=", "bela".into(), Box::new(|v| v["tekst"].is_string() && v["tekst"] != "bela")),
        ("skup", "izabrano", first.to_string(), Box::new(move |v| v["skup"].as_array().is_some_and(|s| s.contains(&json!(first))))),
        ("datum", ">=", "2020-01-15".into(), Box::new(|v| v["datum"].as_str().is_some_and(|d| d >= "2020-01-15"))),
    ];
    for (code, operator, value, test) in &cases {
        let rows = json!({ "redPretrage": [row(&register, None, code, operator, value)], "brojRezultatePretrage": 1000 });
        let expected = holds(test);
        assert!(!expected.is_empty(), "{code} {operator} {value} finds nobody: the case proves nothing");
        assert_eq!(sorted(found(&lekar, &register, rows).await), expected, "{code} {operator} {value}");
        let all = json!({ "redPretrage": [row(&register, None, code, operator, value)], "sviRezultati": true });
        assert_eq!(sorted(found(&lekar, &register, all).await), expected, "all: {code} {operator} {value}");
    }
    // A patient's rows combine over entries; AND binds before OR.
    let rows = json!({ "redPretrage": [
        row(&register, None, "broj", ">", 10), row(&register, Some("i"), "izbor", "izabrano", 1), row(&register, Some("ili"), "tekst", "=", "bela")
    ]});
    let (big, chosen, white) = (holds(&cases[0].3), holds(&cases[4].3), holds(&cases[9].3));
    let mut expected: Vec<i64> = big.into_iter().filter(|p| chosen.contains(p)).chain(white).collect();
    expected.sort_unstable();
    expected.dedup();
    assert_eq!(sorted(found(&lekar, &register, rows).await), expected);
}

#[tokio::test]
async fn results_come_newest_entry_first_and_say_when_there_are_more() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let mut patients = Vec::new();
    for n in 0..55 {
        let patient = app.patient(&register, "Ime", "Prezime", app.ustanova, n + 1).await;
        if n > 0 {
            app.entry(&register, patient, app.ustanova, &format!("20{:02}-01-01", n % 25), json!({ "broj": n })).await;
        }
        patients.push(patient);
    }
    let answer = lekar.post("/api/search", json!({ "registarID": register.id, "brojRezultatePretrage": 50 })).await.json();
    let dates: Vec<&str> = answer["unosi"].as_array().unwrap().iter().map(|row| row["poslednjiUnosDatum"].as_str().unwrap()).collect();
    assert_eq!(dates.len(), 50);
    assert_eq!(answer["skraceno"], true);
    let years: Vec<&str> = dates.iter().map(|date| &date[6..10]).collect();
    assert!(years.is_sorted_by(|a, b| a >= b), "{years:?}");
    let all = lekar.post("/api/search", json!({ "registarID": register.id, "sviRezultati": true })).await.json();
    assert_eq!((all["unosi"].as_array().unwrap().len(), &all["skraceno"]), (55, &json!(false)));
    assert_eq!(all["unosi"][54]["pacijentID"], patients[0], "without an entry last");
    lekar.post("/api/search", json!({ "registarID": register.id, "brojRezultatePretrage": 7 })).await.assert_error(
        422,
        Some("brojRezultatePretrage"),
        "Broj rezultata može biti 50, 100, 200, 1000 ili svi.",
    );
}

#[tokio::test]
async fn a_patient_of_another_institution_comes_without_identity() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'"]).await;
    let foreign = app.patient(&register, "Tajna", "Osoba", app.druga_ustanova, 7).await;
    app.entry(&register, foreign, app.druga_ustanova, "2024-01-01", json!({ "broj": 5 })).await;
    let answer = lekar.post("/api/search", json!({ "registarID": register.id })).await;
    let row = &answer.json()["unosi"][0];
    assert_eq!(row["blurPodataka"], true);
    for field in ["pacijentID", "imePrezime", "jmbg", "lbo", "identifikacioniBroj", "prviUnosID", "poslednjiUnosID"] {
        assert_eq!(row[field], Value::Null, "{field}");
    }
    assert_eq!(row["poslednjiUnos"], "Pregled");
    assert!(!answer.text().contains("Osoba") && !answer.text().contains("0000000000007"));
    // Naming a person must not tell that a blurred row is that person.
    for criteria in [json!({ "prezime": "Osoba" }), json!({ "jmbg": "0000000000007" }), json!({ "lbo": "00000000007" })] {
        let mut body = json!({ "registarID": register.id });
        body.as_object_mut().unwrap().extend(criteria.as_object().unwrap().clone());
        assert_eq!(lekar.post("/api/search", body).await.json()["unosi"], json!([]), "{criteria}");
    }
    for path in ["", "/archive", "/views"] {
        lekar.get(&format!("/api/patients/{foreign}{path}")).await.assert_status(404);
    }
    lekar.get(&format!("/api/patients/{foreign}/entries?registarID={}", register.id)).await.assert_status(404);
    // An entry of one's own makes the patient known.
    app.entry(&register, foreign, app.ustanova, "2024-02-01", json!({ "broj": 6 })).await;
    assert_eq!(found(&lekar, &register, json!({ "prezime": "Osoba" })).await, [foreign]);
}

#[tokio::test]
async fn a_half_filled_row_is_refused_by_name() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let rows = json!({ "registarID": register.id, "redPretrage": [{ "poljeID": register.fields["broj"] }] });
    lekar.post("/api/search", rows).await.assert_error(422, Some("redPretrage"), "Unesite preostale parametre pretrage.");
}

#[tokio::test]
async fn a_number_that_may_be_two_is_refused_with_both_readings_and_found_by_either_once_it_is_one() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let one = app.patient(&register, "A", "A", app.ustanova, 1).await;
    app.entry(&register, one, app.ustanova, "2024-02-01", json!({ "broj": 2108 })).await;
    let other = app.patient(&register, "B", "B", app.ustanova, 2).await;
    app.entry(&register, other, app.ustanova, "2024-02-01", json!({ "broj": 2.108 })).await;
    for (text, readings) in [("2.108", "2108 ili 2,108"), ("25.500", "25500 ili 25,500"), (" -1.000", "-1000 ili -1,000")] {
        for operator in ["=", ">", "!="] {
            let body = json!({ "registarID": register.id, "redPretrage": [row(&register, None, "broj", operator, text)] });
            let message = format!(
                "„Vrednost”: „{}” može da znači {readings}. Unesite broj bez tačke za hiljade, sa zarezom za decimale.",
                text.trim()
            );
            lekar.post("/api/search", body).await.assert_error(422, Some("redPretrage"), &message);
        }
    }
    for (text, patient) in [("2108", one), ("2.108,0", one), ("2,108", other)] {
        let rows = json!({ "redPretrage": [row(&register, None, "broj", "=", text)] });
        assert_eq!(found(&lekar, &register, rows).await, [patient], "{text}");
    }
}
