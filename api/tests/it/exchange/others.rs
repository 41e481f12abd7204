//! Files that others made (`others/SOURCES.md`): each has beside it the report of what does not map.

use std::{fmt::Write, fs, path::Path};

use serde_json::{Value, json};

use super::{Case, told};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/exchange/others");

/// As the report that stands beside a file has it.
fn written(report: &Value) -> String {
    let mut out = String::new();
    for (list, heading) in [("greske", "Greške"), ("nemapirano", "Ne prenosi se"), ("upozorenja", "Upozorenja")] {
        let notes = told(report, list);
        writeln!(out, "{heading} ({}):", notes.len()).unwrap();
        notes.iter().for_each(|note| writeln!(out, "  {note}").unwrap());
    }
    out
}

#[tokio::test]
async fn files_of_others_come_in_with_the_report_that_stands_beside_them() {
    let mut names: Vec<String> = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| [".xlsx", ".csv", ".json"].iter().any(|ending| name.ends_with(ending)));
    names.sort();
    assert!(names.len() >= 9, "{names:?}");
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
