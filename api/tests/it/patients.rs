//! Registering, changing and deleting patients, their history, and who may see them (A 2.6, 2.10, 5).

use serde_json::{Value, json};

use crate::support::TestApp;

fn person() -> Value {
    json!({
        "ime": "Živana", "prezime": "Đukić", "datumRodjenja": "1970-01-01", "jmbg": "0101970715003", "lbo": "12345678901",
        "polTrenutni": false, "kontaktTelefon": "011/1234567",
    })
}

fn with(field: &str, value: Value) -> Value {
    let mut person = person();
    person[field] = value;
    person
}

#[tokio::test]
async fn each_missing_or_wrong_field_is_named_and_nothing_is_saved() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    for (field, value, message) in [
        ("ime", json!(" "), "Niste uneli ime."),
        ("prezime", Value::Null, "Niste uneli prezime."),
        ("datumRodjenja", Value::Null, "Niste uneli datum rođenja."),
        ("jmbg", json!(""), "Niste uneli JMBG."),
        ("jmbg", json!("0101970715007"), "JMBG nije ispravan."),
        ("lbo", json!("123"), "LBO mora imati 11 cifara."),
        ("polTrenutni", Value::Null, "Niste izabrali pol."),
        ("kontaktTelefon", json!(""), "Niste uneli kontakt telefon."),
        ("kontaktTelefon", json!("011 123456"), "Kontakt telefon nije u formatu XXX/XXXXXXYY."),
        ("mobilniTelefon", json!("064/1"), "Mobilni telefon nije u formatu XXX/XXXXXXYY."),
        ("email", json!("nije"), "E-mail adresa nije ispravna."),
    ] {
        lekar.post("/api/patients", with(field, value)).await.assert_error(422, Some(field), message);
    }
    let saved: i64 = sqlx::query_scalar("select count(*) from patient").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(saved, 0);
}

#[tokio::test]
async fn a_registered_patient_is_read_changed_and_keeps_its_history() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let id = lekar.post("/api/patients", person()).await.assert_status(201).json()["id"].as_i64().unwrap();
    let path = format!("/api/patients/{id}");
    let before = lekar.get(&path).await.json();
    assert_eq!((&before["prezime"], &before["verzija"], &before["pravoIzmene"]), (&json!("Đukić"), &json!(1), &json!(true)));
    let after = lekar.patch(&path, json!({ "prezime": "Đukić-Babić", "verzija": 1 })).await.json();
    assert_eq!((&after["prezime"], &after["ime"], &after["verzija"]), (&json!("Đukić-Babić"), &json!("Živana"), &json!(2)));
    lekar.patch(&path, json!({ "ime": "Ana", "verzija": 1 })).await.assert_status(409);
    let archive = lekar.get(&format!("{path}/archive")).await.json();
    let surnames: Vec<&Value> = archive["data"].as_array().unwrap().iter().map(|row| &row["prezime"]).collect();
    assert_eq!(surnames, ["Đukić-Babić", "Đukić"]);
    assert_eq!(archive["data"][0]["vremePrestankaVazenja"], Value::Null);
    let views = lekar.get(&format!("{path}/views")).await.json();
    assert_eq!(views["data"].as_array().unwrap().len(), 2, "the page and its history were looked at: {views}");
}

#[tokio::test]
async fn a_birth_date_that_the_jmbg_contradicts_is_said_and_saved() {
    let app = TestApp::new().await;
    let answer = app.lekar().await.post("/api/patients", with("datumRodjenja", json!("1971-01-01"))).await;
    assert_eq!(answer.assert_status(201).json()["upozorenja"], json!(["Datum rođenja se ne slaže sa JMBG."]));
}

#[tokio::test]
async fn one_jmbg_is_one_active_patient() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let id = lekar.post("/api/patients", person()).await.json()["id"].as_i64().unwrap();
    lekar.post("/api/patients", person()).await.assert_error(409, Some("jmbg"), "Pacijent sa tim JMBG već postoji.");
    lekar.patch(&format!("/api/patients/{id}"), json!({ "aktivan": false })).await.assert_status(200);
    lekar.get(&format!("/api/patients/{id}")).await.assert_status(404);
    lekar.post("/api/patients", person()).await.assert_status(201);
}

#[tokio::test]
async fn likely_duplicates_are_shown_and_of_other_institutions_only_the_same_jmbg_is_counted() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let id = lekar.post("/api/patients", person()).await.json()["id"].as_i64().unwrap();
    let other = app.worker("drugi", &[], app.druga_ustanova).await;
    let likeness = json!({ "ime": "Zivana", "prezime": "Djukić", "datumRodjenja": "1970-01-01", "jmbg": "", "lbo": "12345678901" });
    let mine = lekar.post("/api/patients/duplicates", likeness.clone()).await.json();
    assert_eq!((&mine["data"][0]["pacijentID"], &mine["data"][0]["razlog"]), (&json!(id), &json!("lbo")));
    let nothing = json!({ "data": [], "uDrugimUstanovama": 0 });
    assert_eq!(other.post("/api/patients/duplicates", likeness).await.json(), nothing, "a likeness would tell who is a patient elsewhere");
    let one = json!({ "data": [], "uDrugimUstanovama": 1 });
    assert_eq!(other.post("/api/patients/duplicates", json!({ "jmbg": "0101970715003" })).await.json(), one);
    let tried: Vec<_> = app.log("patient").await.into_iter().filter(|line| line.akcija == "provera JMBG").collect();
    assert_eq!(tried.iter().map(|line| line.radnik_id).collect::<Vec<_>>(), [Some(other.id)]);
    other.post("/api/patients", person()).await.assert_error(409, Some("jmbg"), "Pacijent sa tim JMBG već postoji.");
}

#[tokio::test]
async fn deleting_asks_for_a_right_and_registering_for_a_role() {
    let app = TestApp::new().await;
    let (lekar, sestra) = (app.lekar().await, app.sestra().await);
    let id = lekar.post("/api/patients", person()).await.json()["id"].as_i64().unwrap();
    let read = sestra.get(&format!("/api/patients/{id}")).await.json();
    assert_eq!((&read["pravoIzmene"], &read["pravoBrisanja"]), (&json!(true), &json!(false)));
    sestra.patch(&format!("/api/patients/{id}"), json!({ "aktivan": false })).await.assert_status(403);
    sestra.patch(&format!("/api/patients/{id}"), json!({ "adresa": "Nova 1" })).await.assert_status(200);
}
