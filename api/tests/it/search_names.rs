//! Names as people type them: without diacritics, with đ in any spelling, in either script, and with a typing error.

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::support::{Anonymous, TestApp, TestRegister};

/// Who is found, and whether by a similar name.
async fn found(caller: &Anonymous, register: &TestRegister, criteria: Value) -> Vec<(i64, bool)> {
    let mut body = json!({ "registarID": register.id });
    body.as_object_mut().unwrap().extend(criteria.as_object().unwrap().clone());
    let answer = caller.post("/api/search", body).await.json();
    answer["unosi"].as_array().unwrap().iter().map(|row| (row["pacijentID"].as_i64().unwrap(), row["slicno"].as_bool().unwrap())).collect()
}

#[tokio::test]
async fn dj_is_found_in_any_spelling_and_script() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let mut patients = Vec::new();
    for (number, prezime) in (1..).zip(["Đorđević", "Djordjević", "Dordevic", "Ђорђевић"]) {
        patients.push((app.patient(&register, "Ana", prezime, app.ustanova, number).await, false));
    }
    app.patient(&register, "Ana", "Dragović", app.ustanova, 9).await;
    for typed in ["dordevic", "djordjevic", "đorđević", "ЂОРЂЕВИЋ", "Đordev", "rđev"] {
        assert_eq!(found(&lekar, &register, json!({ "prezime": typed })).await, patients, "{typed}");
        assert_eq!(found(&lekar, &register, json!({ "ime": typed, "prezime": "ana" })).await, patients, "{typed} the other way round");
    }
}

#[tokio::test]
async fn one_typing_error_is_forgiven_after_the_exact_ones_and_is_marked() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let petrovic = app.patient(&register, "Marko", "Petrović", app.ustanova, 1).await;
    let exact = app.patient(&register, "Marko", "Petrovc", app.ustanova, 2).await;
    let darko = app.patient(&register, "Darko", "Petrović", app.ustanova, 3).await;
    let hidden = app.patient(&register, "Marko", "Petrović", app.druga_ustanova, 4).await;
    app.patient(&register, "Marko", "Jovanović", app.ustanova, 5).await;
    let similar = |ids: &[i64]| ids.iter().map(|id| (*id, true)).collect::<Vec<_>>();
    assert_eq!(found(&lekar, &register, json!({ "prezime": "petrovc" })).await, [(exact, false), (petrovic, true), (darko, true)]);
    for typed in ["petorvic", "petrrovic", "ptrovic", "pertovic", "betrović", "petrovix", "петровц", "petroviić"] {
        let mut expected = similar(&[petrovic, darko]);
        if typed == "петровц" {
            expected.insert(0, (exact, false));
        }
        assert_eq!(found(&lekar, &register, json!({ "prezime": typed })).await, expected, "{typed}");
    }
    assert_eq!(found(&lekar, &register, json!({ "prezime": "ptrovci" })).await, [], "two errors");
    // One error in all: Darko is one from Marko, and Petrović one from Petroviž.
    assert_eq!(found(&lekar, &register, json!({ "ime": "marko", "prezime": "petroviz" })).await, similar(&[petrovic]));
    assert_eq!(found(&lekar, &register, json!({ "ime": "marko petrovik" })).await, similar(&[petrovic]));
    let all = lekar.post("/api/search", json!({ "registarID": register.id, "prezime": "petrovc", "sviRezultati": true })).await.json();
    let all: Vec<(Value, Value)> =
        all["unosi"].as_array().unwrap().iter().map(|row| (row["pacijentID"].clone(), row["slicno"].clone())).collect();
    assert_eq!(all, [(json!(exact), json!(false)), (json!(petrovic), json!(true)), (json!(darko), json!(true))]);
    assert!(!all.iter().any(|(id, _)| *id == json!(hidden)));
    // A name that is corrected is found by the new one at once.
    app.lay_out(&["update patient set prezime = 'Žikić' where prezime = 'Petrovc'"]).await;
    assert_eq!(found(&lekar, &register, json!({ "prezime": "zikoć" })).await, similar(&[exact]));
}

#[tokio::test]
async fn many_of_the_very_name_leave_out_the_similar_ones() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    for number in 0..20 {
        app.patient(&register, "Ana", "Marković", app.ustanova, number + 1).await;
    }
    app.patient(&register, "Ana", "Markovič-Darković", app.ustanova, 30).await;
    app.patient(&register, "Ana", "Darković", app.ustanova, 31).await;
    let hits = found(&lekar, &register, json!({ "prezime": "markovic" })).await;
    assert_eq!((hits.len(), hits.iter().any(|(_, similar)| *similar)), (21, false));
}

/// Random errors in random names, wherever they fall.
#[tokio::test]
async fn whatever_single_letter_is_wrong_the_name_is_found() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let names = ["Stojanović", "Đurić", "Живковић", "Kovač", "Ljubičić", "Njegovan", "Mihajlović", "Šćepanović"];
    let mut patients = Vec::new();
    for (number, name) in (1..).zip(names) {
        patients.push(app.patient(&register, "Ana", name, app.ustanova, number).await);
    }
    let mut rng = StdRng::seed_from_u64(3);
    for _ in 0..150 {
        let which = rng.random_range(0..names.len());
        let mut letters: Vec<char> = domain::fold::fold_name(names[which]).chars().collect();
        let at = rng.random_range(0..letters.len());
        match rng.random_range(0..4) {
            0 => letters[at] = 'q',
            1 => letters.insert(at, 'q'),
            2 if letters.len() > 4 => drop(letters.remove(at)),
            _ if at + 1 < letters.len() => letters.swap(at, at + 1),
            _ => letters.push('q'),
        }
        let typed: String = letters.into_iter().collect();
        let hits = found(&lekar, &register, json!({ "prezime": typed })).await;
        assert!(hits.iter().any(|(id, _)| *id == patients[which]), "{typed} does not find {}", names[which]);
    }
}
