//! `docs/redcap.md` as its reader follows it: the dictionary as it was downloaded, then the raw data of several instruments on a line.

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::Case;
use crate::support::TestApp;

const DICTIONARY: &str = include_str!("../exchange/demographics.csv");
/// As "CSV / raw data" with combined check boxes gives it, with the patients' own columns that the site's list of people adds.
const DATA: &str = "record_id,ime,prezime,jmbg,lbo,poseta,sex,telefon,tezina,trudnoca,dob,demographics_complete,complications,opis,outcome_complete\n\
    1,Ana,Đurić,0101990715000,12345678901,2024-05-06,2,011/1234567,72.5,1,01-01-1990,2,\"1,3\",\"Krvarila, pa stala\",2\n\
    2,Bojan,Žikić,0202980710000,12345678902,2024-05-07,1,021/123456,80,,02-02-1980,2,2,,1\n";

#[tokio::test]
async fn a_dictionary_that_excel_has_saved_is_read_as_it_was() {
    let app = TestApp::new().await;
    let mila = app.worker("mila", &[Right::Registers], app.ustanova).await;
    let report = async |bytes: &[u8]| {
        let sent = json!({ "imeFajla": "rečnik.csv", "sadrzaj": BASE64_STANDARD.encode(bytes), "registarID": null, "naziv": "Studija", "sifra": "studija" });
        let mut report = mila.post("/api/definition-checks", sent).await.assert_status(200).json();
        report.as_object_mut().unwrap().remove("otisak");
        report
    };
    let plain = report(DICTIONARY.as_bytes()).await;
    assert_eq!(plain["greske"], json!([]), "{plain}");
    let excel = format!("sep=,\r\n{DICTIONARY},,,,,,,,,,,,,,,,,\r\n");
    for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] {
        let bytes = |unit: u16| if mark[0] == 0xFF { unit.to_le_bytes() } else { unit.to_be_bytes() };
        let wide: Vec<u8> = mark.into_iter().chain(excel.encode_utf16().flat_map(bytes)).collect();
        assert_eq!(report(&wide).await, plain);
    }
    assert_eq!(report(excel.as_bytes()).await, plain);
}

#[tokio::test]
async fn a_redcap_project_is_carried_over_as_the_page_says() {
    let app = TestApp::new().await;
    let mila = app.worker("mila", &[Right::Registers], app.ustanova).await;
    let sent = json!({ "imeFajla": "rečnik.csv", "sadrzaj": BASE64_STANDARD.encode(DICTIONARY), "registarID": null, "naziv": "Studija", "sifra": "studija" });
    let report = mila.post("/api/definition-checks", sent.clone()).await.assert_status(200).json();
    let mut confirmed = sent;
    confirmed["otisak"] = report["otisak"].clone();
    let stored = mila.post("/api/definition-imports", confirmed).await.assert_status(201).json();

    let worker = app.worker("uvoznica", &[Right::DataImport], app.ustanova).await;
    let case = Case { register: stored["registarID"].as_i64().unwrap(), worker, app };
    let upload = case.send(&case.worker, DATA, case.app.ustanova).await.assert_status(201).json();
    let path = format!("/api/data-imports/{}", upload["id"]);
    let mut mapping = case.worker.get(&format!("{path}/mapping")).await.json()["mapiranje"].clone();
    let forms: Vec<&str> = mapping["entries"].as_array().unwrap().iter().map(|entry| entry["form"].as_str().unwrap()).collect();
    assert_eq!(forms, ["demographics", "outcome"], "both instruments of a line: {mapping}");

    // What is left to be said, in the order of the page.
    mapping["patient"]["key"] = json!("record_id");
    mapping["patient"]["fields"].as_object_mut().unwrap().remove("polTrenutni");
    mapping["file"]["items"] = json!(",");
    mapping["file"]["dates"] = json!(["YYYY-MM-DD", "DD-MM-YYYY"]);
    for entry in mapping["entries"].as_array_mut().unwrap() {
        (entry["key"], entry["date"]) = (json!("record_id"), json!("poseta"));
    }
    mapping["entries"][0]["fields"]["sex"] = json!({ "column": "sex", "numbers": true });
    mapping["entries"][1]["fields"]["complications"] = json!({ "column": "complications", "numbers": true });
    let changed = case.worker.put(&format!("{path}/mapping"), json!({ "mapiranje": mapping, "izvor": "redcap" })).await.json();
    assert_eq!(changed["nedostaci"], json!([]), "{changed}");

    let checked = case.check(&path).await;
    assert_eq!((&checked["status"], &checked["ishod"]["gresaka"]), (&json!("checked"), &json!(0)), "{checked}");
    assert_eq!(case.confirm(&path).await["status"], "done");
    assert_eq!(case.rows().await, (2, 4, 6, 0), "two patients, two entries of each; each key remembered");
    let values: Vec<(String, String, String)> = sqlx::query_as(
        "select p.ime, f.sifra,
                coalesce((select string_agg(i.naziv, ', ' order by i.num_vrednost) from enum_item i
                           where jsonb_typeof(e.vrednosti -> f.id::text) = 'array' and e.vrednosti -> f.id::text @> to_jsonb(i.id)),
                         e.vrednosti ->> f.id::text)
           from entry e join patient p on p.id = e.pacijent_id join form_field f on f.tip_skupa_atributa_id = e.tsa_id and e.vrednosti ? f.id::text
          order by p.ime, f.sifra",
    )
    .fetch_all(&case.app.db.owner)
    .await
    .unwrap();
    let told: Vec<String> = values.iter().map(|(ime, code, value)| format!("{ime} {code} {value}")).collect();
    for wanted in [
        "Ana complications Krvarenje, Druga",
        "Ana opis Krvarila, pa stala",
        "Ana sex Ženski",
        "Ana tezina 72.5",
        "Bojan complications Infekcija",
        "Bojan dob 1980-02-02",
        "Bojan sex Muški",
    ] {
        assert!(told.iter().any(|line| line == wanted), "{wanted} is missing in {told:#?}");
    }

    // The same file once more brings nothing.
    let again = case.send(&case.worker, DATA, case.app.ustanova).await.assert_status(201).json();
    let again = format!("/api/data-imports/{}", again["id"]);
    case.worker.put(&format!("{again}/mapping"), json!({ "mapiranje": mapping, "izvor": "redcap" })).await.assert_status(200);
    let checked: Value = case.check(&again).await;
    assert_eq!((&checked["ishod"]["novihPacijenata"], &checked["ishod"]["novihUnosa"]), (&json!(0), &json!(0)), "{checked}");
}
