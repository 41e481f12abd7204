//! Few patients of other institutions are no rows, and searches that reach them are counted.

use serde_json::{Value, json};

use crate::support::{Anonymous, Answer, TestApp, TestRegister};

/// What an answer says, but for the number under which the log has it.
fn said(answer: &Answer) -> Value {
    let mut said = answer.json();
    said.as_object_mut().expect("an answer").remove("zapis");
    said
}

/// A search by the number 7, on a page or of all results.
async fn sevens(caller: &Anonymous, register: &TestRegister, all: bool) -> Answer {
    by_number(caller, register, 7, json!({ "sviRezultati": all, "brojRezultatePretrage": 50 })).await
}

async fn by_number(caller: &Anonymous, register: &TestRegister, number: i64, rest: Value) -> Answer {
    let mut body = rest;
    body["registarID"] = json!(register.id);
    body["redPretrage"] = json!([{ "poljeID": register.fields["broj"], "operator": "=", "vrednost": number.to_string() }]);
    caller.post("/api/search", body).await
}

async fn patient(app: &TestApp, register: &TestRegister, ustanova: i64, number: i64, value: i64) -> i64 {
    let id = app.patient(register, "Ime", "Osoba", ustanova, number).await;
    app.entry(register, id, ustanova, "2024-01-01", json!({ "broj": value })).await;
    id
}

fn rows(answer: &Answer) -> Vec<Value> {
    answer.json()["unosi"].as_array().expect("rows").clone()
}

#[tokio::test]
async fn up_to_four_patients_of_others_leave_the_answer_as_it_is_without_them() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    // More of one's own than fit on a page: what is cut depends on them alone.
    for number in 1..=52 {
        patient(&app, &register, app.ustanova, number, 7).await;
    }
    for all in [false, true] {
        let alone = sevens(&lekar, &register, all).await;
        assert_eq!((rows(&alone).len(), &alone.json()["manjeOdTudjih"]), (if all { 52 } else { 50 }, &json!(5)));
    }
    let before = [said(&sevens(&lekar, &register, false).await), said(&sevens(&lekar, &register, true).await)];
    for number in 101..=104 {
        // Newest of all: they would stand first.
        let id = app.patient(&register, "Tuđa", "Osoba", app.druga_ustanova, number).await;
        app.entry(&register, id, app.druga_ustanova, "2025-01-01", json!({ "broj": 7 })).await;
        for (all, before) in [false, true].into_iter().zip(&before) {
            assert_eq!(said(&sevens(&lekar, &register, all).await), *before, "{number}");
        }
    }
    let fifth = app.patient(&register, "Tuđa", "Osoba", app.druga_ustanova, 105).await;
    app.entry(&register, fifth, app.druga_ustanova, "2025-01-01", json!({ "broj": 7 })).await;
    for all in [false, true] {
        let answer = sevens(&lekar, &register, all).await;
        let blurred = rows(&answer).iter().filter(|row| row["blurPodataka"] == true).count();
        assert_eq!((blurred, rows(&answer).len()), (5, if all { 57 } else { 50 }));
        assert_eq!((&answer.json()["manjeOdTudjih"], &answer.json()["skraceno"]), (&Value::Null, &json!(!all)));
    }
}

#[tokio::test]
async fn nobody_found_is_answered_like_four_and_a_search_by_name_says_nothing_of_others() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let nothing = json!({ "unosi": [], "skraceno": false, "manjeOdTudjih": 5 });
    for all in [false, true] {
        assert_eq!(said(&sevens(&lekar, &register, all).await), nothing);
    }
    for number in 1..=4 {
        patient(&app, &register, app.druga_ustanova, number, 7).await;
    }
    for all in [false, true] {
        assert_eq!(said(&sevens(&lekar, &register, all).await), nothing);
    }
    let named = lekar.post("/api/search", json!({ "registarID": register.id, "prezime": "Osoba" })).await;
    assert_eq!(said(&named), json!({ "unosi": [], "skraceno": false, "manjeOdTudjih": null }));
}

#[tokio::test]
async fn where_institutions_share_or_the_bound_is_one_a_single_row_is_a_row() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    patient(&app, &register, app.druga_ustanova, 1, 7).await;
    app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'"]).await;
    for blurred in [true, false] {
        if !blurred {
            app.lay_out(&[
                "update parameter set vrednost = '5' where naziv = 'najmanjaTudjaGrupa'",
                "update parameter set vrednost = 'false' where naziv = 'blurPodatakaIzmedjuUstanova'",
            ])
            .await;
        }
        for all in [false, true] {
            let answer = sevens(&lekar, &register, all).await;
            assert_eq!((rows(&answer).len(), &rows(&answer)[0]["blurPodataka"]), (1, &json!(blurred)));
            assert_eq!(answer.json()["manjeOdTudjih"], Value::Null);
        }
    }
}

#[tokio::test]
async fn searches_that_reach_others_are_limited_by_the_hour_and_the_worker() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let other = app.worker("druga", &[], app.ustanova).await;
    app.lay_out(&["update parameter set vrednost = '3' where naziv = 'najvisePretragaTudjihNaSat'"]).await;
    for number in 1..=3 {
        by_number(&lekar, &register, number, json!({})).await.assert_status(200);
    }
    // The same again, all of it, and a look without any criterion narrow nothing further.
    by_number(&lekar, &register, 2, json!({ "sviRezultati": true })).await.assert_status(200);
    lekar.post("/api/search", json!({ "registarID": register.id })).await.assert_status(200);
    let refused = by_number(&lekar, &register, 4, json!({})).await;
    assert_eq!(refused.status, 429);
    let message = refused.text();
    assert!(message.contains("U poslednjih sat vremena ste iskoristili") && message.contains("(3). Nova je moguća od "), "{message}");
    lekar.post("/api/search", json!({ "registarID": register.id, "godinaOd": 1950 })).await.assert_status(429);
    // Searches by name reach nobody else, and another worker has a count of her own.
    lekar.post("/api/search", json!({ "registarID": register.id, "prezime": "Osoba" })).await.assert_status(200);
    by_number(&other, &register, 4, json!({})).await.assert_status(200);
    app.lay_out(&["update search_of_others set vreme = vreme - interval '59 minutes'"]).await;
    by_number(&lekar, &register, 4, json!({})).await.assert_status(429);
    app.lay_out(&["update search_of_others set vreme = vreme - interval '1 minute'"]).await;
    by_number(&lekar, &register, 4, json!({})).await.assert_status(200);
}

#[tokio::test]
async fn both_bounds_are_numbers_within_limits() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    for (naziv, most) in [("najmanjaTudjaGrupa", "100"), ("najvisePretragaTudjihNaSat", "100.000")] {
        for vrednost in ["0", "pet", "100001"] {
            let refused = admin.post("/api/parameters", json!({ "naziv": naziv, "vrednost": vrednost })).await;
            refused.assert_error(422, Some("vrednost"), &format!("Unesite ceo broj od 1 do {most}."));
        }
        admin.post("/api/parameters", json!({ "naziv": naziv, "vrednost": "10" })).await.assert_status(201);
    }
}
