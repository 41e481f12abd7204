//! How many bytes of the database what people do every day takes: docs/running.md says so to operators, who buy disks by it.

use std::{fs, path::Path};

use serde_json::json;

use crate::support::TestApp;

/// So often each deed is done: what a page of eight kilobytes more or less means is then below a tenth.
const TIMES: usize = 400;
/// How many patients a search finds.
const FOUND: i64 = 20;

async fn bytes(app: &TestApp) -> i64 {
    // What is dead is used again, and is no growth.
    sqlx::raw_sql("vacuum").execute(&app.db.owner).await.unwrap();
    let sql = "select sum(pg_total_relation_size(oid))::bigint from pg_class where relkind in ('r', 'm') and relnamespace = 'public'::regnamespace";
    sqlx::query_scalar(sql).fetch_one(&app.db.owner).await.unwrap()
}

/// Bytes of one deed, of many.
async fn of_one(app: &TestApp, mut deed: impl AsyncFnMut(usize)) -> i64 {
    deed(0).await;
    let before = bytes(app).await;
    for time in 1..=TIMES {
        deed(time).await;
    }
    (bytes(app).await - before) / i64::try_from(TIMES).unwrap()
}

/// What the page says of a deed.
fn told(deed: &str) -> i64 {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/running.md")).unwrap();
    let row =
        page.lines().find(|line| line.starts_with(&format!("| {deed} |"))).unwrap_or_else(|| panic!("docs/running.md says of: {deed}"));
    row.split('|').nth(2).unwrap().trim().replace(',', "").parse().expect("a number of bytes")
}

#[tokio::test]
async fn a_save_a_search_and_a_patient_who_is_opened_take_what_the_documents_say() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let mut patients = Vec::new();
    for number in 1..=FOUND {
        patients.push(app.patient(&register, "Ana", "Anić", app.ustanova, number).await);
    }
    let lekar = app.lekar().await;
    let values = |number: usize| {
        json!({ register.field("broj"): number % 100, register.field("tekst"): "kontrola za tri meseca", register.field("izbor"): true,
                register.field("skup"): [register.items["druga"]], register.field("datum"): "2026-03-05" })
    };
    let measured = [
        (
            "a patient is opened",
            of_one(&app, async |time| {
                lekar.get(&format!("/api/patients/{}", patients[time % patients.len()])).await.assert_status(200);
            })
            .await,
        ),
        (
            "a search that finds twenty",
            of_one(&app, async |_| {
                let asked = json!({ "registarID": register.id, "brojRezultatePretrage": 50 });
                lekar.post("/api/search", asked).await.assert_status(200);
            })
            .await,
        ),
        (
            "a new entry of five values",
            of_one(&app, async |time| {
                let asked = json!({ "tsaID": register.form, "registarID": register.id, "pacijentID": patients[time % patients.len()],
                                "vrednosti": values(time), "radnikOdgovoran": lekar.id, "datumUnosa": "2026-03-05" });
                lekar.post("/api/entry-values", asked).await.assert_status(200);
            })
            .await,
        ),
    ];
    println!("{measured:?}");
    for (deed, bytes) in measured {
        let told = told(deed);
        assert!((told / 2..=told * 3 / 2).contains(&bytes), "{deed}: {bytes} bytes, the page says {told}");
    }
}
