//! The numbers of shipped reports that lead to a search: over the demo, in a hospital that knows all its patients, each is as many as the search
//! finds, of one's own hospital and of all; other hospitals' lead nowhere.

use std::{collections::BTreeMap, time::Duration};

use accounts::rights::Right;
use domain::{
    report_screen::ScreenSearch,
    report_sql::{Bind, Scope, Value as Cell, session_binds},
    testing,
};
use interchange::{demo, import::progress::Progress};
use serde_json::{Value, json};

use crate::support::{TestApp, Worker, institution};

/// Columns of numbers that lead to a search, by report; `unosi` says that entries are counted.
const LEADING: [(&str, &[&str]); 3] = [
    ("indikatori-infarkt", &["bolnica", "trideset", "umrli_30", "iskljuceni"]),
    ("indikatori-reumatoidni-artritis", &["pregledi", "upisani", "iskljuceni_6", "iskljuceni_12"]),
    ("ishod-po-polu-i-dobi", &["pacijenti", "umrli_u_pracenju"]),
];

struct Delivered {
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Delivered {
    fn cell(&self, row: &[Cell], name: &str) -> Cell {
        self.columns.iter().position(|column| column == name).map_or(Cell::Null, |place| row[place].clone())
    }
}

async fn delivered(app: &TestApp, worker: &Worker, name: &str, own: Option<i64>, values: [(&str, Option<&str>); 4]) -> Delivered {
    let path = format!("{}/../templates/reports/{name}.sql", env!("CARGO_MANIFEST_DIR"));
    let upit = std::fs::read_to_string(path).unwrap();
    let mut binds = session_binds(worker.id, app.ustanova, None);
    for (name, value) in values {
        let bind = match name {
            "ustanove" => Bind::List(value.map(|value| vec![value.to_owned()])),
            _ => Bind::Text(value.map(str::to_owned)),
        };
        binds.insert(name.to_owned(), bind);
    }
    let scope = Scope { run: None, radnik_id: worker.id, ustanova_id: own };
    let found = app.state.report_db.small(scope, &upit, &binds, Duration::from_secs(60), 1_000).await;
    let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
    Delivered { columns: found.columns, rows: found.rows }
}

/// Patients that it finds, or their entries where those are counted: all of one form.
async fn found(app: &TestApp, worker: &Worker, search: &Value) -> usize {
    let body = json!({ "registarID": search["registarID"], "pol": search["pol"].as_bool().map_or(-1, i16::from), "opsegUslova": "istiUnos",
                       "unosUslova": search["unos"], "redPretrage": search.get("uslovi").cloned().unwrap_or(json!([])), "sviRezultati": true });
    let answer = worker.post("/api/search", body).await.assert_status(200).json();
    let patients: Vec<i64> = answer["unosi"].as_array().unwrap().iter().filter_map(|row| row["pacijentID"].as_i64()).collect();
    if search["unosi"] != json!(true) {
        return patients.len();
    }
    let field = search["uslovi"][0]["poljeID"].as_i64().map(|id| id.to_string());
    let unos = &search["unos"];
    let entries: i64 = sqlx::query_scalar(
        "select count(*) from entry where aktivan and tsa_id = $1 and pacijent_id = any ($2) and ($3::text is null or vrednosti ? $3)
            and datum_unosa >= coalesce($4::text::date, '-infinity') and datum_unosa <= coalesce($5::text::date, 'infinity') and (not $6 or ustanova_id = $7)",
    )
    .bind(unos["tipUnosaID"].as_i64())
    .bind(&patients)
    .bind(field)
    .bind(unos["od"].as_str())
    .bind(unos["do"].as_str())
    .bind(unos["svoj"] == json!(true))
    .bind(app.ustanova)
    .fetch_one(&app.db.owner)
    .await
    .unwrap();
    entries as usize
}

#[tokio::test]
async fn each_number_of_a_shipped_report_that_leads_to_a_search_is_as_many_as_it_finds() {
    let db = testing::database().await;
    demo::load(&db.owner, jiff::civil::date(2026, 6, 1), &mut Progress::Silent).await.unwrap();
    let ustanova: i64 = sqlx::query_scalar("select ustanova_id from entry where aktivan group by 1 order by count(*) desc limit 1")
        .fetch_one(&db.owner)
        .await
        .unwrap();
    let other = institution(&db, "Klinika bez pacijenata").await;
    let app = TestApp::on(db, tempfile::tempdir().unwrap(), None, ustanova, other);
    let worker = app.worker("citateljka", &[Right::Reports], ustanova).await;
    // As if it had taken each of the others over, so that it knows them all.
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update patient set ustanova_id = $1").bind(ustanova).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let mut compared: BTreeMap<String, usize> = BTreeMap::new();
    let periods = [[None, None], [Some("2020-01-01"), Some("2023-06-30")]];
    for (name, leading) in LEADING {
        for own in [None, Some(ustanova)] {
            for [from, until] in periods {
                let values = [("od", from), ("do", until), ("ustanove", None), ("tipInfarkta", None)];
                let made = delivered(&app, &worker, name, own, values).await;
                for row in &made.rows {
                    let is_others = made.cell(row, "moja") == Cell::Bool(false);
                    for column in made.columns.iter().filter_map(|column| column.strip_prefix("pretraga ")) {
                        assert!(leading.contains(&column), "{name}: {column}");
                        let Some(text) = made.cell(row, &format!("pretraga {column}")).into_text() else {
                            assert!(is_others, "{name}: {column} leads nowhere");
                            continue;
                        };
                        assert!(!is_others, "{name}: {column} of another hospital leads to {text}");
                        assert!(ScreenSearch::read(&text).is_some(), "the screen reads it not: {text}");
                        // Zero leads nowhere, whatever its search would say.
                        let number = match made.cell(row, column) {
                            Cell::Int(number) if number > 0 => number as usize,
                            _ => continue,
                        };
                        assert_eq!(found(&app, &worker, &serde_json::from_str(&text).unwrap()).await, number, "{name}: {column} by {text}");
                        *compared.entry(column.to_owned()).or_default() += 1;
                    }
                }
            }
        }
    }
    for (name, leading) in LEADING {
        // The demo has nobody whom the half-year leaves out.
        for column in leading.iter().filter(|column| **column != "iskljuceni_6") {
            assert!(compared.get(*column).is_some_and(|times| *times > 0), "{name}: {column} was never compared: {compared:?}");
        }
    }
}
