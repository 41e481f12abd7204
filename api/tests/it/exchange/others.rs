//! Files that others made (`others/SOURCES.md`): each has beside it the report of what does not map.

use std::{fmt::Write, fs, path::Path};

use serde_json::{Value, json};

use super::{Case, told};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/exchange/others");

/// Of what stands in the file.
const MOST_SHOWN: usize = 80;

/// As the report that stands beside a file has it.
fn written(report: &Value) -> String {
    let mut out = String::new();
    for (list, heading) in [("greske", "Greške"), ("nemapirano", "Ne prenosi se"), ("upozorenja", "Upozorenja")] {
        let notes = told(report, list);
        writeln!(out, "{heading} ({}):", notes.len()).unwrap();
        for (note, of) in notes.iter().zip(report[list].as_array().unwrap()) {
            let stands: String = of["izvorno"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
            let stands: String = stands.chars().take(MOST_SHOWN).collect();
            writeln!(out, "  {note}{}", if stands.is_empty() { stands } else { format!(" [{stands}]") }).unwrap();
        }
    }
    out
}

#[tokio::test]
async fn xlsforms_of_others_come_in_with_the_report_that_stands_beside_them() {
    all_of(".xlsx", 3).await;
}

#[tokio::test]
async fn dictionaries_of_others_come_in_with_the_report_that_stands_beside_them() {
    all_of(".csv", 4).await;
}

#[tokio::test]
async fn questionnaires_of_others_come_in_with_the_report_that_stands_beside_them() {
    all_of(".json", 7).await;
}

async fn all_of(ending: &str, count: usize) {
    let mut names: Vec<String> = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(ending));
    names.sort();
    assert_eq!(names.len(), count, "{names:?}");
    for name in names {
        let case = Case::new().await;
        let bytes = fs::read(Path::new(FOLDER).join(&name)).unwrap();
        let mut sent = Case::sent(&name, &bytes, None);
        (sent["naziv"], sent["sifra"]) = (json!("Tuđi"), json!("tudji"));
        let report = case.check(&sent).await;
        let beside = Path::new(FOLDER).join(format!("{name}.izvestaj.txt"));
        if std::env::var_os("REGENERATE").is_some() {
            fs::write(&beside, written(&report)).unwrap();
        }
        assert_eq!(written(&report), fs::read_to_string(&beside).unwrap(), "{name}");
        assert_eq!(report["greske"], json!([]), "{name}");
        let (register, forms) = case.bring(&sent).await;
        let first = case.register_file(register).await;
        let again = Case::sent("nazad.toml", first.as_bytes(), Some(register));
        let report = case.check(&again).await;
        assert_eq!((&report["greske"], &report["izmene"], &report["ostaje"]), (&json!([]), &json!([]), &json!([])), "{name}");
        case.bring(&again).await;
        assert_eq!(case.register_file(register).await, first, "{name}");
        // The file itself is known again.
        let repeated = case.check(&Case::sent(&name, &bytes, Some(register))).await;
        assert_eq!((&repeated["greske"], &repeated["izmene"], &repeated["ostaje"]), (&json!([]), &json!([]), &json!([])), "{name}");
        if name.ends_with(".json") {
            let out = case.mila.get(&format!("/api/forms/{}/definition?oblik=fhir", forms[0])).await.assert_status(200).text();
            let back = case.check(&Case::sent("nazad.json", out.as_bytes(), Some(register))).await;
            assert_eq!((&back["greske"], &back["nemapirano"], &back["ostaje"]), (&json!([]), &json!([]), &json!([])), "{name}");
        }
    }
}
