//! Statistics in runs: the shipped report on the demo's study says what its textbook says, and no stranger's row comes into one.

use serde_json::json;

use crate::world::{Report, World};

/// The texts of a run's files: the CSV, the cells of the workbook, the pages.
async fn shown(world: &World, report: i64) -> [String; 3] {
    let mut run = world.new_run(report);
    run.formati = ["PDF", "XLSX", "CSV"].map(str::to_owned).to_vec();
    run.parametri = json!({ "od": "1990-01-01", "do": "2100-01-01" });
    let run = world.ask(run).await;
    let ended = world.end(run).await;
    assert_eq!((ended.status.as_str(), ended.error_text.as_deref()), ("succeeded", None), "{ended:?}");
    let folder = tempfile::tempdir().unwrap();
    let mut texts = [const { String::new() }; 3];
    for (format, content) in world.files(run).await {
        let path = folder.path().join(format!("statistika.{}", format.to_lowercase()));
        std::fs::write(&path, &content).unwrap();
        match format.as_str() {
            "CSV" => texts[0] = String::from_utf8(content).unwrap(),
            "XLSX" => texts[1] = cells(&path),
            _ => texts[2] = pages(&path),
        }
    }
    texts
}

fn cells(path: &std::path::Path) -> String {
    use calamine::Reader;
    let mut workbook: calamine::Xlsx<_> = calamine::open_workbook(path).unwrap();
    let sheets: Vec<_> = workbook.worksheets();
    sheets
        .iter()
        .flat_map(|(_, sheet)| sheet.used_cells().map(|(_, _, cell)| cell.to_string().replace('.', ",")).collect::<Vec<_>>())
        .collect::<Vec<_>>()
        .join("\n")
}

fn pages(path: &std::path::Path) -> String {
    let tool = std::env::var("PDFTOTEXT").unwrap_or_else(|_| "pdftotext".to_owned());
    let output = std::process::Command::new(&tool).arg("-layout").arg(path).arg("-").output().expect("pdftotext runs");
    String::from_utf8(output.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn the_shipped_statistics_of_the_study_are_those_of_its_textbook() {
    let world = World::of_the_demo().await;
    // One hospital keeps the whole study, as Worcester did.
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    let moved = "update patient set ustanova_id = $1 where ustanova_id <> $1
                    and id in (select pacijent_id from patient_register p join register r on r.id = p.registar_id where r.sifra = 'kardiologija')";
    sqlx::query(moved).bind(world.ustanova).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let _engine = world.engine(&[]);
    let report = world.count("select id from report where jasper_fajl = 'infarkt-statistika'").await;
    for text in shown(&world, report).await {
        let text = text.replace('−', "-");
        // Hosmer, Lemeshow and May, table 4.14: the Cox model with sex, age and their product.
        for wanted in ["2,3285", "-0,03043", "300)", "200)", "Breslow"] {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
        assert!(!text.contains("nije računato") && !text.contains("Ne računa se"), "{text}");
    }
    let report = world.count("select id from report where jasper_fajl = 'reumatoidni-artritis-statistika'").await;
    for text in shown(&world, report).await {
        for wanted in ["upareni", "DeLong", "Tabela 1 po terapiji", "HAQ-DI,"] {
            assert!(text.to_lowercase().contains(&wanted.to_lowercase()), "{wanted}: {text}");
        }
    }
}

#[tokio::test]
async fn statistics_over_all_institutions_hold_no_stranger() {
    let world = World::new().await;
    let elsewhere = world.elsewhere().await;
    world.born(world.ustanova, 1950, 0..10).await;
    world.born(elsewhere, 1960, 0..7).await;
    let _engine = world.engine(&[]);
    let source = r#"{{#report}}{{tableOne vars="godina"}}{{/report}}"#;
    let one = "select p.godina_rodjenja as godina, array[p.id] as grupa_pacijenata from report.pacijent p";
    let report = world.report("po-jedan", Report { template: source, sql: one, obim: "sve", ..Report::default() }).await;
    for text in shown(&world, report).await {
        assert!(text.contains("Nema podataka za zadate uslove") && !text.contains("1960") && !text.contains("1.960"), "{text}");
    }
    // Of groups, those that may be shown are counted, and no other.
    world.born(elsewhere, 1970, 0..3).await;
    let groups = "select p.godina_rodjenja as godina, count(*) as n, array_agg(p.id) as grupa_pacijenata from report.pacijent p group by 1";
    let source = r#"{{#report}}{{#tableOne vars="godina:category" count="n"}}{{variable "godina" label="Godina"}}{{/tableOne}}{{/report}}"#;
    let report = world.report("po-grupama", Report { template: source, sql: groups, obim: "sve", ..Report::default() }).await;
    for text in shown(&world, report).await {
        assert!(text.contains("7 (100") && text.contains("1960") && !text.contains("1950") && !text.contains("1970"), "{text}");
    }
    let all = "select p.godina_rodjenja as godina from report.pacijent p";
    let report = world.report("bez-grupa", Report { template: source, sql: all, obim: "sve", ..Report::default() }).await;
    let run = world.ask(world.new_run(report)).await;
    assert_eq!(world.end(run).await.error_code.as_deref(), Some("ungrouped"));
}
