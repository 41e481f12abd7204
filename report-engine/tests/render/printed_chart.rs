//! The chart of an entry on its print: lines and words of the one model, through the writer of documents.
use std::collections::HashMap;

use domain::entry::chart::ChartPoint;
use domain::register::ChartLine;
use report_engine::render::chart::of_entry;
use report_engine::render::entry::{EntryDocument, EntryPart, print_entry};

use crate::support::pdf_text;

fn point(day: &str, values: serde_json::Value) -> ChartPoint {
    let date = day.parse().expect("a day");
    ChartPoint { date, vrednosti: values, naziv: String::new(), zastareli: HashMap::new(), form_version_id: 1 }
}

fn line(oznaka: &str, sifra: &str, boja: &str) -> ChartLine {
    ChartLine { oznaka: oznaka.to_owned(), sifra: sifra.to_owned(), boja: boja.to_owned() }
}

fn printed(lines: &[ChartLine], points: &[ChartPoint], name: &str) -> String {
    let chart = of_entry(Some("Tok bolesti".to_owned()), lines, points).expect("a chart");
    let document = EntryDocument {
        ustanova: "Institut za reumatologiju".to_owned(),
        registar: "Reumatologija".to_owned(),
        obrazac: "Kontrolni pregled".to_owned(),
        podaci: Vec::new(),
        parts: vec![EntryPart::Chart(Box::new(chart))],
        naslov: "Kontrolni pregled".to_owned(),
        radnik: "Živana Đorđević".to_owned(),
        generisano: jiff::civil::date(2026, 3, 5).at(7, 4, 0, 0),
        marks: Vec::new(),
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("unos.pdf");
    print_entry(&document, &path, 1_000_000).unwrap_or_else(|error| panic!("{}", error.message()));
    if let Some(folder) = std::env::var_os("CHART_PICTURES") {
        std::fs::copy(&path, std::path::Path::new(&folder).join(name)).expect("a folder to look into");
    }
    pdf_text(&path)
}

#[test]
fn uneven_visits_are_printed_with_the_names_of_all_lines_and_their_first_and_last_day() {
    let scores = |das: f64, haq: f64| serde_json::json!({ "das": das, "haq": haq });
    let points = [
        point("2024-10-04", scores(5.8, 1.9)),
        point("2024-10-06", scores(5.6, 1.8)),
        point("2025-02-06", scores(3.2, 0.9)),
        point("2026-07-06", scores(2.4, 0.5)),
    ];
    let lines = [line("DAS28", "das", "#2563eb"), line("HAQ", "haq", "#d97706")];
    let shown = printed(&lines, &points, "unos.pdf");
    for wanted in ["Tok bolesti", "DAS28", "HAQ", "04.10.2024.", "06.07.2026."] {
        assert!(shown.contains(wanted), "{wanted} in {shown}");
    }
    assert!(!shown.contains("06.10.2024."), "two days apart have no room for both words: {shown}");
}

#[test]
fn a_single_line_of_one_visit_has_its_name_too() {
    let shown = printed(&[line("CDAI", "cdai", "")], &[point("2026-01-05", serde_json::json!({ "cdai": 0.4 }))], "jedan.pdf");
    assert!(shown.contains("CDAI") && shown.contains("05.01.2026."), "{shown}");
}
