//! The reports that come with the product, on a hospital without patients: each must run, in every format, and say so.

use std::path::Path;

use domain::report_sql::ParameterKind;
use serde_json::json;

use crate::world::{Parameter, Report, World};

#[tokio::test]
async fn every_shipped_report_runs_in_every_format_where_there_is_no_data() {
    let world = World::new().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates/reports");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".hbs").map(str::to_owned))
        .collect();
    names.sort();
    assert!(names.len() >= 5, "{names:?}");
    let _engine = world.engine(&[]);
    let mut asked = Vec::new();
    for name in &names {
        let read = |extension: &str| std::fs::read_to_string(folder.join(format!("{name}.{extension}"))).expect("both files of a report");
        let report = world.report(name, Report { template: &read("hbs"), sql: &read("sql"), ..Report::default() }).await;
        for (request, multi) in
            [("od", false), ("do", false), ("ustanove", true), ("tipInfarkta", false), ("registar", false), ("pacijent", false)]
        {
            world.parameter(report, Parameter { kind: ParameterKind::Text, request, upit: None, multi, fixed: None, logged: false }).await;
        }
        let mut run = world.new_run(report);
        run.parametri = json!({ "od": "2026-01-01", "do": "2026-12-31", "registar": "1", "pacijent": "1" });
        run.formati = ["PDF", "XLSX", "CSV"].map(str::to_owned).to_vec();
        asked.push((name, world.ask(run).await));
    }
    for (name, run) in asked {
        let ended = world.end(run).await;
        assert_eq!((ended.status.as_str(), ended.error_text.as_deref()), ("succeeded", None), "{name}: {ended:?}");
        let files = world.files(run).await;
        let formats: Vec<&str> = files.iter().map(|(format, _)| format.as_str()).collect();
        assert_eq!(formats, ["CSV", "PDF", "XLSX"], "{name}");
        assert!(files[1].1.starts_with(b"%PDF-"), "{name}");
        assert!(files[2].1.starts_with(b"PK"), "{name}");
    }
}
