//! A chosen report over all institutions shows groups of enough patients, measures of enough patients, and totals from which nothing is
//! to be taken.

use std::time::Duration;

use domain::report_sql::{Scope, Value as Cell, session_binds};
use serde_json::{Value, json};

use super::{super::Report, asked, choice, number, of, text};
use crate::support::{TestApp, TestRegister, Worker};

/// What a run over all institutions is given; whoever it asks for knows nobody.
async fn rows_of_all(app: &TestApp, admin: &Worker, report: &Report, izbor: &Value) -> Vec<Vec<Cell>> {
    let made = asked(admin, report, izbor).await.json();
    assert_eq!(made["provera"]["greske"], json!([]), "{made}");
    let scope = Scope { run: None, radnik_id: app.db.clinician().await, ustanova_id: None };
    let binds = session_binds(1, app.ustanova, None);
    let upit = made["upit"].as_str().unwrap();
    app.state
        .report_db
        .small(scope, upit, &binds, Duration::from_secs(20), 1_000)
        .await
        .unwrap_or_else(|error| panic!("{upit}: {error}"))
        .rows
}

async fn entries(app: &TestApp, register: &TestRegister, numbers: std::ops::Range<i64>, values: Value) {
    for number in numbers {
        let patient = app.patient(register, "Ime", "Prezime", app.druga_ustanova, number).await;
        app.entry(register, patient, app.druga_ustanova, "2026-01-10", values.clone()).await;
    }
}

#[tokio::test]
async fn small_groups_are_left_out_with_as_much_beside_them_as_hides_them() {
    let app = TestApp::new().await;
    let (admin, report, register) = (app.admin().await, Report::plain(&app.db).await, app.register().await);
    entries(&app, &register, 0..9, json!({ "broj": 1 })).await;
    entries(&app, &register, 9..15, json!({ "broj": 2 })).await;
    entries(&app, &register, 15..18, json!({ "broj": 3 })).await;
    let izbor =
        choice(&register, json!({ "grupe": [{ "po": "polje", "poljeID": register.fields["broj"] }], "mere": [{ "mera": "brojUnosa" }] }));
    let found = rows_of_all(&app, &admin, &report, &izbor).await;
    let told: Vec<(&str, Option<f64>, Option<f64>)> = found.iter().map(|row| (text(&row[0]), number(&row[1]), number(&row[2]))).collect();
    assert_eq!(told, [("1", Some(9.0), Some(18.0))], "the total lacks nine patients and not three");
    // One's own question, narrowed to the three.
    let narrow =
        json!({ "mere": [{ "mera": "brojUnosa" }], "filteri": [{ "poljeID": register.fields["broj"], "operator": "=", "vrednost": "3" }] });
    assert_eq!(rows_of_all(&app, &admin, &report, &choice(&register, narrow)).await, Vec::<Vec<Cell>>::new());
    let nobody =
        json!({ "mere": [{ "mera": "brojUnosa" }], "filteri": [{ "poljeID": register.fields["broj"], "operator": "=", "vrednost": "4" }] });
    assert_eq!(rows_of_all(&app, &admin, &report, &choice(&register, nobody)).await, Vec::<Vec<Cell>>::new(), "none is like three");
}

#[tokio::test]
async fn a_mean_of_one_patient_in_a_large_group_is_blank_and_so_is_a_share_that_tells_one_answer() {
    let app = TestApp::new().await;
    let (admin, report, register) = (app.admin().await, Report::plain(&app.db).await, app.register().await);
    entries(&app, &register, 0..8, json!({ "izbor": false })).await;
    entries(&app, &register, 8..9, json!({ "broj": 7, "izbor": true })).await;
    let mere = json!([{ "mera": "brojUnosa" }, of(&register, "broj", "srednjaVrednost"), of(&register, "izbor", "udeoDa")]);
    let found = rows_of_all(&app, &admin, &report, &choice(&register, json!({ "mere": mere }))).await;
    assert_eq!(found[0][..3].iter().map(number).collect::<Vec<_>>(), [Some(9.0), None, None]);
    entries(&app, &register, 20..25, json!({ "broj": 9, "izbor": true })).await;
    let found = rows_of_all(&app, &admin, &report, &choice(&register, json!({ "mere": mere }))).await;
    let told: Vec<Option<f64>> = found[0][..3].iter().map(number).collect();
    assert!(told[0] == Some(14.0) && told[1].is_some() && told[2].is_some(), "{told:?}");
}
