//! The tree and the parameters tab, and who may see any of it.

use serde_json::json;

use super::{DATE, Field, HIDDEN, Report, SET};
use crate::support::{TestApp, keys};

#[tokio::test]
async fn the_tree_holds_shown_reports_only_and_no_empty_branch() {
    let app = TestApp::new().await;
    let (shown, hidden, deleted) = (Report::plain(&app.db).await, Report::plain(&app.db).await, Report::plain(&app.db).await);
    let mut tx = domain::db::begin(&app.db.owner, 1).await.unwrap();
    sqlx::query("update report set prikazuje_se = false where id = $1").bind(hidden.id).execute(&mut *tx).await.unwrap();
    sqlx::query("update report set aktivan = false where id = $1").bind(deleted.id).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();

    let lekar = app.lekar().await;
    let tree = lekar.get("/api/report-categories/tree").await.json();
    assert_eq!(tree["total"], 1);
    let branch = &tree["data"][0]["tipovi"][0];
    assert_eq!(branch["naziv"], "Pregledi");
    assert_eq!(branch["izvestaji"], json!([{ "id": shown.id, "naziv": "Izveštaj o đacima", "opis": "Za probu", "registarID": null }]));

    for absent in [hidden.id, deleted.id] {
        lekar.get(&format!("/api/reports/{absent}/parameters")).await.assert_status(404);
        let request = json!({ "siID": absent, "radnikID": lekar.id, "parametri": {} });
        lekar.post("/api/report-queue", request).await.assert_status(404);
    }
}

#[tokio::test]
async fn the_parameters_tab_gets_fields_in_order_formats_and_no_hidden_value() {
    let app = TestApp::new().await;
    let report = Report::with(
        &app.db,
        "sve",
        &[
            Field::new(DATE, "od", "Od datuma").default("2026-01-01"),
            Field::new(HIDDEN, "tajna", "Skriveni").default("42"),
            Field::new(SET, "ustanove", "Ustanove").query("select id, naziv from ustanova").multi().optional(),
        ],
    )
    .await;
    let lekar = app.lekar().await;
    let answer = lekar.get(&format!("/api/reports/{}/parameters", report.id)).await.json();
    assert_eq!(
        answer["izvestaj"],
        json!({ "id": report.id, "naziv": "Izveštaj o đacima", "opis": "Za probu", "prilogUMejlu": false, "registarID": null, "traziRegistar": false })
    );
    assert_eq!(answer["formati"][1], json!({ "naziv": "Excel tabela", "nazivKratki": "XLSX" }));
    let fields = answer["parametri"].as_array().unwrap();
    let names: Vec<&str> = fields.iter().map(|field| field["requestNaziv"].as_str().unwrap()).collect();
    assert_eq!(names, ["od", "tajna", "ustanove"]);
    assert_eq!(fields[0]["podrazumevano"], "2026-01-01");
    assert_eq!(fields[1]["podrazumevano"], json!(null), "a hidden value stays on the server");
    assert_eq!((fields[2]["multiSelect"].clone(), fields[2]["opcioni"].clone()), (json!(true), json!(true)));
    assert_eq!(fields[2]["tip"]["sqlNumVrednost"], 4);
    assert_eq!(keys(&fields[0]), ["id", "multiSelect", "naziv", "opcioni", "podrazumevano", "prikazniRedosled", "requestNaziv", "tip"]);
    assert!(!answer.to_string().contains("select"), "the query is nobody's business");
}

#[tokio::test]
async fn a_worker_without_the_right_gets_403_everywhere() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let run = report.run(&lekar).await;
    let sestra = app.sestra().await;
    let nothing = json!({});
    let calls = [
        ("GET", "/api/report-categories/tree".to_owned()),
        ("GET", format!("/api/reports/{}/parameters", report.id)),
        ("GET", "/api/report-parameters/1/options".to_owned()),
        ("POST", "/api/report-queue".to_owned()),
        ("POST", "/api/report-schedules/preview".to_owned()),
        ("GET", "/api/report-schedules".to_owned()),
        ("GET", "/api/report-schedules/1".to_owned()),
        ("DELETE", "/api/report-schedules/1".to_owned()),
        ("GET", "/api/report-runs".to_owned()),
        ("DELETE", format!("/api/report-runs/{run}")),
        ("POST", format!("/api/report-runs/{run}/cancel")),
        ("GET", "/api/report-calendar?od=2026-01-01&do=2026-01-31".to_owned()),
        ("POST", "/api/socket-tickets".to_owned()),
    ];
    for (method, path) in calls {
        let body = (method == "POST").then(|| nothing.clone());
        sestra.call(method, &path, body).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
    }
}
