//! The reports that come with the product, on a hospital without patients: each must run, in every format, and say so. And what a
//! designer starts from, on the demo's.

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

/// A report that is made of these two texts, as a designer publishes them.
async fn published(world: &World, naziv: &str, upit: &str, sablon: &str) -> i64 {
    let mut tx = domain::db::begin(&world.db.owner, world.radnik).await.unwrap();
    let id: i64 = sqlx::query_scalar(
        "insert into report (naziv, numericka_vrednost, jasper_fajl, prikazuje_se, tip_id) values ($1, 1, 'bez-fajla', true, (select min(id) from report_type))
         returning id",
    )
    .bind(naziv)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    let version = "with version as (insert into report_definition (izvestaj_id, broj, upit, sablon, radnik_id) values ($1, 1, $2, $3, $4) returning id)
                   update report set definicija_id = (select id from version) where id = $1";
    sqlx::query(version).bind(id).bind(upit).bind(sablon).bind(world.radnik).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    id
}

#[tokio::test]
async fn every_start_of_a_new_report_runs_in_every_format_and_has_rows() {
    let world = World::of_the_demo().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates/start");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".hbs").map(str::to_owned))
        .collect();
    names.sort();
    assert_eq!(names, ["1-lista", "2-grupe", "3-meseci", "4-karton"]);
    let _engine = world.engine(&[]);
    let mut asked = Vec::new();
    for name in &names {
        let read = |extension: &str| std::fs::read_to_string(folder.join(format!("{name}.{extension}"))).expect("both files of a start");
        let mut run = world.new_run(published(&world, name, &read("sql"), &read("hbs")).await);
        run.formati = ["PDF", "XLSX", "CSV"].map(str::to_owned).to_vec();
        asked.push((name, world.ask(run).await));
    }
    for (name, run) in asked {
        let ended = world.end(run).await;
        assert_eq!((ended.status.as_str(), ended.error_text.as_deref()), ("succeeded", None), "{name}: {ended:?}");
        assert!(ended.rows_done.is_some_and(|rows| rows > 0), "{name}: {ended:?}");
        let files = world.files(run).await;
        let formats: Vec<&str> = files.iter().map(|(format, _)| format.as_str()).collect();
        assert_eq!(formats, ["CSV", "PDF", "XLSX"], "{name}");
        let csv = String::from_utf8_lossy(&files[0].1);
        assert!(csv.lines().count() > 1, "{name}: {csv}");
        assert!(files[1].1.starts_with(b"%PDF-") && files[2].1.starts_with(b"PK"), "{name}");
    }
}
