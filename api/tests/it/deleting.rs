//! What is in use is not deleted, and says where it is used; what was deleted comes back.

use accounts::rights::Right;
use domain::time::server_text;
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    reports::Report,
    support::{TestApp, TestRegister},
};

/// By a patch as by a deletion; gives the places where it is used.
pub async fn refused(app: &TestApp, path: &str) -> Vec<String> {
    let admin = app.another_session(&app.worker(&format!("brisac-{}", Uuid::now_v7()), &Right::ALL, app.ustanova).await).await;
    let by_patch = admin.patch(path, json!({ "aktivan": false })).await;
    by_patch.assert_status(409);
    let answer = admin.delete(path).await;
    answer.assert_status(409);
    assert_eq!(answer.bytes, by_patch.bytes, "both ways are the same");
    let body: Value = serde_json::from_slice(&answer.bytes).expect("a body");
    let places: Vec<String> =
        body["mesta"].as_array().expect("places").iter().map(|place| place.as_str().expect("a place").to_owned()).collect();
    assert_eq!(body["message"], format!("Ne može se obrisati jer se koristi: {}.", places.join("; ")));
    assert!(admin.get(path).await.json()["aktivan"].as_bool().expect("a flag"), "{path} stays");
    places
}

async fn filled(app: &TestApp) -> (TestRegister, i64, i64) {
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let values = json!({ "broj": 5, "zbir": 6, "skup": [register.items["prva"]], "tekst": "a" });
    let entry = app.entry(&register, patient, app.ustanova, "2024-05-01", values).await;
    (register, patient, entry)
}

#[tokio::test]
async fn what_holds_patients_and_entries_is_refused_with_how_many() {
    let app = TestApp::new().await;
    let (register, ..) = filled(&app).await;
    assert_eq!(refused(&app, &format!("/api/registers/{}", register.id)).await, ["registar ima 1 pacijent", "registar ima 1 unos"]);
    assert_eq!(refused(&app, &format!("/api/forms/{}", register.form)).await, ["formular „Pregled” ima 1 unos"]);
    let field = refused(&app, &format!("/api/form-fields/{}", register.field("tekst"))).await;
    assert_eq!(field, ["polje „tekst” formulara „Pregled” ima vrednost u 1 unosu"]);
    let item = refused(&app, &format!("/api/enum-items/{}", register.items["prva"])).await;
    assert_eq!(item, ["izabrana je u polju „skup (Pregled)” u 1 unosu"]);
    let set: i64 = sqlx::query_scalar("select tip_atributa_id from enum_item limit 1").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(refused(&app, &format!("/api/attribute-types/{set}")).await, ["tip je polja „skup (Pregled)”"]);
    let institution = refused(&app, &format!("/api/institutions/{}", app.ustanova)).await;
    assert_eq!(institution[1..], ["ustanova ima 1 pacijent", "ustanova ima 1 unos"]);

    // What nobody uses goes, and what is not to be used any more is hidden.
    let admin = app.admin().await;
    admin.delete(&format!("/api/enum-items/{}", register.items["druga"])).await.assert_status(204);
    admin.delete(&format!("/api/form-fields/{}", register.field("datum"))).await.assert_status(204);
    admin.patch(&format!("/api/forms/{}", register.form), json!({ "mozeSeInstancirati": false })).await.assert_status(200);
    admin.patch(&format!("/api/form-fields/{}", register.field("tekst")), json!({ "prikazujeSe": false })).await.assert_status(200);
}

#[tokio::test]
async fn what_is_in_the_bin_keeps_its_register_and_its_form() {
    let app = TestApp::new().await;
    let (register, patient, entry) = filled(&app).await;
    let doctor = app.lekar().await;
    doctor.post("/api/delete-entry", json!({ "id": entry })).await.assert_status(204);
    let (of_register, of_form) = (format!("/api/registers/{}", register.id), format!("/api/forms/{}", register.form));
    assert_eq!(refused(&app, &of_register).await, ["registar ima 1 pacijent", "registar ima 1 obrisan unos"]);
    assert_eq!(refused(&app, &of_form).await, ["formular „Pregled” ima 1 obrisan unos"]);
    doctor.patch(&format!("/api/patients/{patient}"), json!({ "aktivan": false })).await.assert_status(200);
    assert_eq!(refused(&app, &of_register).await, ["registar ima 1 obrisanog pacijenta", "registar ima 1 obrisan unos"]);

    doctor.patch(&format!("/api/patients/{patient}"), json!({ "aktivan": true })).await.assert_status(200);
    let listed = doctor.get(&format!("/api/patients/{patient}/deleted-entries")).await.json();
    assert_eq!((&listed["data"][0]["id"], &listed["data"][0]["registar"]), (&json!(entry), &json!("Probni registar")));
    doctor.post("/api/restore-entry", json!({ "id": entry })).await.assert_status(204);
    assert_eq!(refused(&app, &of_register).await, ["registar ima 1 pacijent", "registar ima 1 unos"]);
}

#[tokio::test]
async fn a_form_without_entries_that_a_chosen_report_reads_is_refused_by_its_name() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let report = Report::with(&app.db, "ustanova", &[]).await;
    let admin = app.admin().await;
    let izbor = json!({ "registarID": register.id, "tipUnosaID": register.form, "samoMojaUstanova": true, "prikaz": "grupe",
                        "grupe": [{ "po": "mesec" }], "mere": [{ "mera": "brojUnosa" }] });
    let path = format!("/api/reports/{}/simple-definitions", report.id);
    admin.post(&path, json!({ "izbor": izbor, "osnova": 0 })).await.assert_status(200);
    let form = format!("/api/forms/{}", register.form);
    let other = admin.post("/api/forms", json!({ "registarID": register.id, "naziv": "Kontrola" })).await.assert_status(201).json();
    admin.delete(&format!("/api/forms/{}", other["id"])).await.assert_status(204);
    admin.post(&format!("/api/reports/{}/definitions/1/publish", report.id), json!({ "objavljena": 0 })).await.assert_status(204);
    assert_eq!(refused(&app, &form).await, ["čita ga izveštaj „Izveštaj o đacima”"]);
    assert_eq!(refused(&app, &format!("/api/registers/{}", register.id)).await, ["čita ga izveštaj „Izveštaj o đacima”"]);
    admin.delete(&format!("/api/reports/{}", report.id)).await.assert_status(204);
    admin.delete(&form).await.assert_status(204);
}

#[tokio::test]
async fn an_item_that_is_not_to_be_chosen_stays_where_it_was_chosen() {
    let app = TestApp::new().await;
    let (register, patient, entry) = filled(&app).await;
    let admin = app.admin().await;
    let item = register.items["prva"];
    admin.patch(&format!("/api/enum-items/{item}"), json!({ "mozeSeIzabrati": false })).await.assert_status(200);
    let body = |unos: Option<i64>, doctor: i64| {
        json!({ "unosID": unos, "tsaID": register.form, "registarID": register.id, "pacijentID": patient, "datumUnosa": "2024-05-01",
                "radnikOdgovoran": doctor, "verzija": unos.map(|_| 1),
                "vrednosti": { register.field("broj"): 5, register.field("skup"): [item] } })
    };
    let refused = admin.post("/api/entry-values", body(None, admin.id)).await;
    let message = "Stavka sa nazivom: skup sadrži vrednost „prva”, koja se više ne koristi.";
    refused.assert_error(422, Some(&register.field("skup")), message);
    admin.post("/api/entry-values", body(Some(entry), admin.id)).await.assert_status(200);
}

#[tokio::test]
async fn what_reports_stand_on_is_refused_by_the_names_of_what_stands_on_it() {
    let app = TestApp::new().await;
    app.lay_out(&[
        "insert into register (id, naziv, sifra) values (700, 'Reumatologija', 'reumatologija')",
        "insert into form (id, registar_id, naziv) values (700, 700, 'Kontrola')",
        "insert into attribute_type (id, naziv, tip_vrednosti_atributa) values (700, 'Broj', 2)",
        "insert into form_field (id, tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra) values (700, 700, 700, 'DAS28', 1, 'das28se')",
        "insert into report_category (id, naziv, numericka_vrednost) values (700, 'Klinički', 1)",
        "insert into report_type (id, naziv, numericka_vrednost, kategorija_id) values (700, 'Ishodi', 1, 700)",
        "insert into report (id, naziv, numericka_vrednost, jasper_fajl, tip_id) values (700, 'Aktivnost', 1, 'aktivnost-bolesti-po-mesecima', 700)",
        "insert into report_parameter_type (id, naziv, tip_recnika) values (700, 'Datum', 2)",
        "insert into report_parameter (izvestaj_id, naziv, prikazni_redosled, request_naziv, tip_id) values (700, 'Od', 1, 'od', 700)",
    ])
    .await;
    assert_eq!(refused(&app, "/api/report-categories/700").await, ["kategorija je tipa izveštaja „Ishodi”"]);
    assert_eq!(refused(&app, "/api/report-types/700").await, ["tip je izveštaja „Aktivnost”"]);
    assert_eq!(refused(&app, "/api/report-parameter-types/700").await, ["tip je parametra „Od (Aktivnost)”"]);
    assert_eq!(refused(&app, "/api/registers/700").await, ["čita ga izveštaj „Aktivnost”"]);
    assert_eq!(refused(&app, "/api/form-fields/700").await, ["čita ga izveštaj „Aktivnost”"]);
}

#[tokio::test]
async fn what_comes_back_must_fit_and_give_no_right_that_the_worker_lacks() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let role = |name: &str| json!({ "ime": name });
    let first = admin.post("/api/roles", role("Sestra")).await.json()["id"].clone();
    admin.delete(&format!("/api/roles/{first}")).await.assert_status(204);
    admin.post("/api/roles", role("sestra")).await.assert_status(201);
    let taken = admin.patch(&format!("/api/roles/{first}"), json!({ "aktivan": true })).await;
    taken.assert_error(409, Some("ime"), "Uloga sa tim nazivom već postoji.");

    app.lay_out(&[
        "insert into role (id, ime, aktivan) values (700, 'Sve', false)",
        "insert into role_right select 700, id from application_right",
        "insert into register (id, naziv, aktivan) values (700, 'Stari', false)",
        "insert into form (id, registar_id, naziv, aktivan) values (700, 700, 'Stari', false)",
    ])
    .await;
    let keeper = app.worker("cuvar", &[Right::Roles, Right::Registers], app.ustanova).await;
    keeper.patch("/api/roles/700", json!({ "aktivan": true })).await.assert_status(403);
    admin.patch("/api/roles/700", json!({ "aktivan": true })).await.assert_status(200);
    keeper.patch("/api/forms/700", json!({ "aktivan": true })).await.assert_error(409, None, "Prvo vratite registar ovog formulara.");
    keeper.patch("/api/registers/700", json!({ "aktivan": true })).await.assert_status(200);
    keeper.patch("/api/forms/700", json!({ "aktivan": true })).await.assert_status(200);
}

#[tokio::test]
async fn a_deleted_patient_is_seen_and_brought_back_only_where_the_patient_is_known() {
    let app = TestApp::new().await;
    let (_, patient, entry) = filled(&app).await;
    let (doctor, nurse) = (app.lekar().await, app.sestra().await);
    let stranger = app.worker("stranac", &[Right::Reports], app.druga_ustanova).await;
    let path = format!("/api/patients/{patient}");
    let begun = server_text(Timestamp::now());
    doctor.patch(&path, json!({ "aktivan": false })).await.assert_status(200);
    let ended = server_text(Timestamp::now());

    let listed = doctor.get("/api/deleted-patients?filter=anic").await.json();
    assert_eq!(
        (&listed["total"], &listed["data"][0]["id"], &listed["data"][0]["obrisao"]),
        (&json!(1), &json!(patient), &json!("Test Lekar"))
    );
    let when = listed["data"][0]["vreme"].as_str().expect("a time");
    assert!((begun.as_str()..=ended.as_str()).contains(&when), "{when}, not from {begun} to {ended}");
    assert_eq!(stranger.get("/api/deleted-patients").await.json()["total"], 0);
    nurse.get("/api/deleted-patients").await.assert_status(403);
    stranger.patch(&path, json!({ "aktivan": true })).await.assert_status(404);
    nurse.patch(&path, json!({ "aktivan": true })).await.assert_status(403);
    doctor.get(&format!("{path}/deleted-entries")).await.assert_status(404);

    assert_eq!(doctor.patch(&path, json!({ "aktivan": true })).await.json()["aktivan"], true);
    assert_eq!(doctor.get("/api/deleted-patients").await.json()["total"], 0);
    doctor.get(&format!("/api/entry-display?haID={entry}")).await.assert_status(200);
}

#[tokio::test]
async fn a_deleted_entry_comes_back_with_its_values_where_there_is_room() {
    let app = TestApp::new().await;
    let (register, patient, entry) = filled(&app).await;
    let (doctor, nurse) = (app.lekar().await, app.sestra().await);
    let stranger = app.worker("stranac", &[Right::Reports], app.druga_ustanova).await;
    let begun = server_text(Timestamp::now());
    doctor.post("/api/delete-entry", json!({ "id": entry })).await.assert_status(204);
    let ended = server_text(Timestamp::now());
    let path = format!("/api/patients/{patient}/deleted-entries");
    let listed = doctor.get(&path).await.json();
    assert_eq!((&listed["data"][0]["id"], &listed["data"][0]["obrisao"]), (&json!(entry), &json!("Test Lekar")));
    let when = listed["data"][0]["vreme"].as_str().expect("a time");
    assert!((begun.as_str()..=ended.as_str()).contains(&when), "{when}, not from {begun} to {ended}");
    nurse.get(&path).await.assert_status(403);
    stranger.get(&path).await.assert_status(404);
    nurse.post("/api/restore-entry", json!({ "id": entry })).await.assert_status(403);
    stranger.post("/api/restore-entry", json!({ "id": entry })).await.assert_status(404);

    app.lay_out(&["update form set maksimalan_broj_instanci_po_pacijentu = 1"]).await;
    let another = app.entry(&register, patient, app.ustanova, "2024-06-01", json!({ "broj": 1 })).await;
    doctor.post("/api/restore-entry", json!({ "id": entry })).await.assert_status(409);
    doctor.post("/api/delete-entry", json!({ "id": another })).await.assert_status(204);
    doctor.post("/api/restore-entry", json!({ "id": entry })).await.assert_status(204);
    let shown = doctor.get(&format!("/api/entry-display?haID={entry}")).await.json();
    assert_eq!(shown["vrednosti"][register.field("broj")], 5);
    let found: i64 =
        sqlx::query_scalar("select count(*) from value_num where unos_id = $1").bind(entry).fetch_one(&app.db.owner).await.unwrap();
    assert!(found > 0, "it is searched again");
}
