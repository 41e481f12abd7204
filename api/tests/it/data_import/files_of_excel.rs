//! What a table's program writes into a CSV stops no file, neither by screen nor by the command: UTF-16, a line of the delimiter, blank
//! lines of delimiters, columns without a name, a day with its midnight.

use super::{ANA, BOJAN, Case, HEADER};
use crate::import_data::{database_of, import};

/// The two rows as Excel may give them.
fn written() -> String {
    let day = |row: &str| row.replace("06.05.2024.", "2024-05-06 00:00:00").replace("07.05.2024.", "7.5.2024");
    let rows = [HEADER, &day(ANA), ";;;;;;;;;\n", "\n", &day(BOJAN), ";;;;;;;;;\n"];
    let wide: String = rows.iter().map(|row| if row.trim().is_empty() { (*row).to_owned() } else { row.replace('\n', ";\n") }).collect();
    format!("sep=;\n{wide}").replace('\n', "\r\n")
}

fn utf16(text: &str, mark: [u8; 2], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
}

fn files() -> [(&'static str, Vec<u8>); 4] {
    let text = written();
    [
        ("UTF-8", text.clone().into_bytes()),
        ("Windows-1250", encoding_rs::WINDOWS_1250.encode(&text).0.into_owned()),
        ("UTF-16 LE", utf16(&text, [0xFF, 0xFE], u16::to_le_bytes)),
        ("UTF-16 BE", utf16(&text, [0xFE, 0xFF], u16::to_be_bytes)),
    ]
}

const STORED: &str = "select string_agg(p.ime || ' ' || p.prezime || ' ' || e.datum_unosa, ', ' order by p.ime) from entry e join patient p on p.id = e.pacijent_id";
const RIGHT: &str = "Ana Đurić 2024-05-06, Bojan Žikić 2024-05-07";

#[tokio::test]
async fn a_file_of_excel_is_brought_in_by_screen() {
    for (name, file) in files() {
        let case = Case::new().await;
        let sent = case.send(&case.worker, &file, case.app.ustanova).await.assert_status(201).json();
        let path = format!("/api/data-imports/{}", sent["id"]);
        let mapping = case.worker.get(&format!("{path}/mapping")).await.json();
        assert_eq!(mapping["kolone"].as_array().unwrap().len(), 10, "{name}: {mapping}");
        let known = if name.starts_with("UTF-16") { "utf-16" } else { &name.to_lowercase() };
        assert_eq!((&mapping["prepoznato"]["kodiranje"], &mapping["prepoznato"]["razdelnik"]), (&known.into(), &";".into()), "{name}");
        let checked = case.check(&path).await;
        assert_eq!(checked["ishod"]["gresaka"], 0, "{name}: {checked}");
        assert_eq!(case.confirm(&path).await["status"], "done");
        assert_eq!(case.text(STORED).await.as_deref(), Some(RIGHT), "{name}");
    }
}

#[tokio::test]
async fn a_file_of_excel_is_brought_in_by_the_command() {
    let mapping = r#"
        [file]
        decimal = ","
        [patient]
        key = "JMBG"
        institution = { constant = "Bolnica" }
        [patient.fields]
        ime = "Ime"
        prezime = "Prezime"
        jmbg = "JMBG"
        lbo = "LBO"
        kontaktTelefon = "Telefon"
        [[entries]]
        form = "pregled"
        key = ["JMBG", "Datum pregleda"]
        date = "Datum pregleda"
        [entries.fields]
        puls = "Puls"
        pusi = "Puši"
        koliko = "Koliko puši"
        nalaz = "Nalaz""#;
    for (name, file) in files() {
        let db = database_of(crate::import_register::DEFINITION).await;
        let outcome = import(&db, mapping, &file).await.unwrap_or_else(|faults| panic!("{name}: {faults:#?}"));
        assert_eq!((outcome.rows, outcome.without_entry), (2, 0), "{name}");
        let stored: Option<String> = sqlx::query_scalar(STORED).fetch_one(&db.owner).await.unwrap();
        assert_eq!(stored.as_deref(), Some(RIGHT), "{name}");
    }
}

#[tokio::test]
async fn rows_are_numbered_as_the_spreadsheet_shows_them() {
    let case = Case::new().await;
    let wrong = BOJAN.replace("80,0", "brzo");
    let path = case.upload(&[ANA, ";;;;;;;;;\n", "\n", &wrong]).await;
    let found = case.check(&path).await;
    assert_eq!(found["ishod"]["greske"][0]["redovi"], serde_json::json!([5]), "{found}");
}
