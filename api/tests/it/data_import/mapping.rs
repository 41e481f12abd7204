//! The mapping of a file: proposed from its header, changed with the first rows in view, saved under a name, the command's own file.

use interchange::import::mapping::Mapping;
use serde_json::{Value, json};

use super::{ANA, BOJAN, Case, HEADER};

async fn mapping(case: &Case, path: &str) -> Value {
    case.worker.get(&format!("{path}/mapping")).await.json()
}

async fn change(case: &Case, path: &str, mapping: &Value) -> Value {
    case.worker.put(&format!("{path}/mapping"), json!({ "mapiranje": mapping, "izvor": "stari sistem" })).await.json()
}

#[tokio::test]
async fn columns_are_known_by_codes_names_and_usual_names_however_they_are_written() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, BOJAN]).await;
    let proposed = mapping(&case, &path).await;
    let entry = json!({
        "form": "pregled", "key": ["JMBG", "Datum pregleda"], "existing": "keep", "hidden": "refuse", "date": "Datum pregleda",
        "fields": { "puls": "Puls", "pusi": "Puši", "koliko": "Koliko puši", "nalaz": "Nalaz" },
    });
    assert_eq!(proposed["mapiranje"]["entries"], json!([entry]));
    let patient = json!({ "ime": "Ime", "prezime": "Prezime", "jmbg": "JMBG", "lbo": "LBO", "kontaktTelefon": "Telefon" });
    assert_eq!(proposed["mapiranje"]["patient"]["fields"], patient);
    assert_eq!(proposed["mapiranje"]["file"]["decimal"], ",", "as the numbers of the file are written");
    assert_eq!(proposed["mapiranje"]["patient"]["institution"], json!({ "constant": "Klinika A" }));
    assert_eq!(proposed["kolone"][9], json!({ "naziv": "Nalaz", "primeri": ["Uredan", "secerna bolest"] }));
    let fields: Vec<&str> =
        proposed["formulari"][0]["polja"].as_array().unwrap().iter().map(|field| field["sifra"].as_str().unwrap()).collect();
    assert!(fields.contains(&"puls") && !fields.contains(&"dvaPulsa"), "what is calculated is not filled: {fields:?}");
}

#[tokio::test]
async fn the_first_rows_are_shown_as_they_will_be_read() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, &BOJAN.replace("07.05.2024.", "31.02.2024.")]).await;
    let shown = mapping(&case, &path).await["pregled"].clone();
    assert_eq!(shown["nedostaci"], json!([]));
    let place = |name: &str| shown["kolone"].as_array().unwrap().iter().position(|column| column == name).unwrap();
    let cell = |row: usize, name: &str| shown["redovi"][row]["celije"][place(name)].clone();
    assert_eq!(cell(0, "Puls"), json!({ "tekst": "72,5", "greska": null }));
    assert_eq!(cell(1, "Nalaz"), json!({ "tekst": "Šećerna bolest", "greska": null }));
    assert_eq!(cell(0, "Puši")["tekst"], "Da");
    assert!(cell(1, "Pregled: datum")["greska"].as_str().unwrap().starts_with("„31.02.2024.” nije datum"));
}

#[tokio::test]
async fn what_a_mapping_lacks_is_told_as_it_is_changed() {
    let case = Case::new().await;
    let path = case.upload(&[ANA]).await;
    let mut changed = mapping(&case, &path).await["mapiranje"].clone();
    changed["entries"][0]["date"] = json!("");
    changed["patient"]["fields"].as_object_mut().unwrap().remove("prezime");
    let shown = change(&case, &path, &changed).await;
    assert_eq!(shown["nedostaci"], json!(["kolona nije izabrana", "obavezno polje „prezime” nije mapirano"]));
    changed["file"]["dates"] = json!(["DD.MM"]);
    let wrong = case.worker.put(&format!("{path}/mapping"), json!({ "mapiranje": changed, "izvor": "x" })).await;
    assert!(wrong.refusal(422)["message"].as_str().unwrap().contains("format datuma „DD.MM”"), "{}", wrong.text());
}

#[tokio::test]
async fn items_are_read_by_their_numbers_where_the_column_has_numbers() {
    let case = Case::new().await;
    let path = case.upload(&[&ANA.replace("Uredan", "0"), &BOJAN.replace("secerna bolest", "1")]).await;
    let proposed = mapping(&case, &path).await;
    assert_eq!(proposed["mapiranje"]["entries"][0]["fields"]["nalaz"], json!({ "column": "Nalaz", "numbers": true }));
    case.check(&path).await;
    assert_eq!(case.confirm(&path).await["status"], "done");
    let named = "select string_agg(i.naziv, ' ' order by e.id) from entry e join form_field f on f.sifra = 'nalaz'
                   join enum_item i on i.id = (e.vrednosti -> f.id::text ->> 0)::bigint";
    assert_eq!(case.text(named).await.as_deref(), Some("Uredan Šećerna bolest"));
}

#[tokio::test]
async fn a_column_of_another_unit_is_shown_in_both() {
    let case = Case::new().await;
    let units = "update attribute_type set jedinica = 'bpm', druge_jedinice = '[{\"jedinica\": \"Hz\", \"cinilac\": 60, \"pomeraj\": 0}]'
                  where naziv = 'Puls'";
    let mut tx = domain::db::begin(&case.app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query(units).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let path = case.upload(&[&ANA.replace("72,5", "1,25")]).await;
    let proposed = mapping(&case, &path).await;
    let of = |code: &str| {
        let mut fields = proposed["formulari"][0]["polja"].as_array().unwrap().iter();
        fields.find(|field| field["sifra"] == code).unwrap()["jedinice"].clone()
    };
    assert_eq!((of("puls"), of("nalaz")), (json!(["bpm", "Hz"]), json!([])));
    let mut changed = proposed["mapiranje"].clone();
    changed["entries"][0]["fields"]["puls"] = json!({ "column": "Puls", "unit": "Hz" });
    let shown = change(&case, &path, &changed).await;
    let place = shown["kolone"].as_array().unwrap().iter().position(|column| column == "Puls").unwrap();
    assert_eq!(shown["redovi"][0]["celije"][place], json!({ "tekst": "75 bpm (1,25 Hz)", "greska": null }));
    let checked = case.check(&path).await;
    assert_eq!(checked["ishod"]["upozorenja"][0]["poruka"], "brojevi su u Hz i upisuju se u bpm", "{checked}");
    case.confirm(&path).await;
    let typed = case.text("select uneto_u -> (select id from form_field where sifra = 'puls')::text ->> 'broj' from entry").await;
    assert_eq!(typed.as_deref(), Some("1.25"));
}

#[tokio::test]
async fn a_saved_mapping_is_chosen_again_for_a_file_with_its_columns() {
    let case = Case::new().await;
    let path = case.upload(&[ANA]).await;
    let mut changed = mapping(&case, &path).await["mapiranje"].clone();
    changed["file"]["blank"] = json!(["NA"]);
    change(&case, &path, &changed).await;
    case.worker.post(&format!("{path}/saved-mapping"), json!({ "naziv": " " })).await.assert_status(422);
    let saved = case.worker.post(&format!("{path}/saved-mapping"), json!({ "naziv": "Laboratorija" })).await.json();
    assert_eq!((saved[0]["naziv"].as_str(), saved[0]["izvor"].as_str()), (Some("Laboratorija"), Some("stari sistem")));

    let next = case.upload(&[BOJAN]).await;
    assert_eq!(mapping(&case, &next).await["mapiranje"]["file"]["blank"], json!(["NA"]));
    let other = case.send(&case.worker, "ime;jmbg\nAna;1\n", case.app.ustanova).await.json();
    let other = mapping(&case, &format!("/api/data-imports/{}", other["id"])).await;
    assert_eq!(other["mapiranje"]["file"]["blank"], json!([]), "a file without its columns is mapped anew");

    case.worker.delete(&format!("/api/import-mappings/{}", saved[0]["id"])).await.assert_status(204);
    assert_eq!(mapping(&case, &next).await["sacuvana"], json!([]));
}

#[tokio::test]
async fn the_mapping_is_had_as_the_file_of_the_command() {
    let case = Case::new().await;
    let path = case.upload(&[ANA]).await;
    let text = case.worker.get(&format!("{path}/mapping-file")).await.text();
    let read = Mapping::parse(&text).unwrap_or_else(|error| panic!("{error:#}\n{text}"));
    assert_eq!(serde_json::to_value(&read).unwrap(), mapping(&case, &path).await["mapiranje"], "{text}");
}

#[tokio::test]
async fn windows_1250_and_commas_are_recognised() {
    let case = Case::new().await;
    let row = ANA.replace("72,5", "72.5").replace(';', ",");
    let (bytes, _, lossy) = encoding_rs::WINDOWS_1250.encode(&row);
    assert!(!lossy);
    let file = [encoding_rs::WINDOWS_1250.encode(&HEADER.replace(';', ",")).0.into_owned(), bytes.into_owned()].concat();
    let id = case.send(&case.worker, file, case.app.ustanova).await.json()["id"].clone();
    let shown = mapping(&case, &format!("/api/data-imports/{id}")).await["pregled"].clone();
    assert!(shown.to_string().contains("Đurić"), "{shown}");
}
