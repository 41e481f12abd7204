//! The tree and the parameters tab, and who may see any of it.

use serde_json::json;

use super::{DATE, Field, HIDDEN, NUMBER, Report, SET, TEXT};
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
        json!({ "id": report.id, "naziv": "Izveštaj o đacima", "opis": "Za probu", "prilogUMejlu": false, "registarID": null, "traziRegistar": false, "tabla": false })
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

const DAYS: &str = "Podrazumevana vrednost datuma mora biti datum (na primer 2026-01-31) ili jedna od reči: danas, juce, pre-7-dana, \
                    pre-30-dana, pre-12-meseci, pocetak-nedelje, kraj-nedelje, pocetak-prosle-nedelje, kraj-prosle-nedelje, \
                    pocetak-meseca, kraj-meseca, pocetak-proslog-meseca, kraj-proslog-meseca, pocetak-kvartala, kraj-kvartala, \
                    pocetak-proslog-kvartala, kraj-proslog-kvartala, pocetak-godine, kraj-godine, pocetak-prosle-godine, kraj-prosle-godine.";

#[tokio::test]
async fn a_default_is_what_a_worker_could_send_for_a_parameter_of_its_type() {
    let app = TestApp::new().await;
    let fields = [
        Field::new(DATE, "od", "Od datuma"),
        Field::new(NUMBER, "prag", "Prag"),
        Field::new(TEXT, "opis", "Opis"),
        Field::new(HIDDEN, "tajna", "Skriveni"),
    ];
    let report = Report::with(&app.db, "sve", &fields).await;
    let admin = app.admin().await;
    let number = "Podrazumevana vrednost numeričkog parametra mora biti broj.";
    for (name, good, bad) in [
        (
            "od",
            vec!["2026-01-31", "pocetak-proslog-meseca"],
            vec![("sutra", DAYS), ("31.01.2026.", DAYS), ("2026-02-30", DAYS), ("Danas", DAYS)],
        ),
        ("prag", vec!["3,5", "12"], vec![("mnogo", number), ("danas", number)]),
        ("opis", vec!["danas"], vec![("a\u{7}b", "Podrazumevana vrednost tekstualnog parametra sadrži nedozvoljene znakove.")]),
        ("tajna", vec!["sutra"], vec![]),
    ] {
        let path = format!("/api/report-parameters/{}", report.parameter_id(&app.db, name).await);
        for podrazumevano in &good {
            let saved = admin.patch(&path, json!({ "podrazumevano": podrazumevano })).await;
            saved.assert_status(200);
            assert_eq!(saved.json()["podrazumevano"], *podrazumevano);
        }
        for (podrazumevano, message) in bad {
            admin.patch(&path, json!({ "podrazumevano": podrazumevano })).await.assert_error(422, Some("podrazumevano"), message);
        }
        assert_eq!(admin.get(&path).await.json()["podrazumevano"], *good.last().unwrap(), "what was refused is not kept");
    }
    let tip = admin.get(&format!("/api/report-parameters/{}", report.parameter_id(&app.db, "od").await)).await.json()["tipID"].clone();
    let new = json!({ "izvestajID": report.id, "naziv": "Do", "tipID": tip, "requestNaziv": "do", "prikazniRedosled": 9, "podrazumevano": "sutra" });
    admin.post("/api/report-parameters", new).await.assert_error(422, Some("podrazumevano"), DAYS);
}

#[tokio::test]
async fn a_parameter_is_not_called_as_what_the_server_fills_in() {
    let app = TestApp::new().await;
    let report = Report::with(&app.db, "sve", &[Field::new(TEXT, "opis", "Opis")]).await;
    let admin = app.admin().await;
    let path = format!("/api/report-parameters/{}", report.parameter_id(&app.db, "opis").await);
    let new = admin.get(&path).await.json();
    for name in ["radnikID", "ustanovaID", "registarID"] {
        let message = format!(
            "Vrednost „{name}” uvek popunjava server, pa se parametar ne može tako zvati. U upitu je :{name} dostupan i bez parametra."
        );
        admin.patch(&path, json!({ "requestNaziv": name })).await.assert_error(422, Some("requestNaziv"), &message);
        let another =
            json!({ "izvestajID": report.id, "naziv": "Drugi", "tipID": new["tipID"], "requestNaziv": name, "prikazniRedosled": 9 });
        admin.post("/api/report-parameters", another).await.assert_error(422, Some("requestNaziv"), &message);
    }
    admin.patch(&path, json!({ "requestNaziv": "radnik" })).await.assert_status(200);
}

#[tokio::test]
async fn a_type_is_not_changed_to_one_that_the_defaults_do_not_fit_nor_a_parameter_to_another_type() {
    let app = TestApp::new().await;
    let fields = [Field::new(TEXT, "opis", "Opis").default("sutra"), Field::new(DATE, "od", "Od datuma")];
    let report = Report::with(&app.db, "sve", &fields).await;
    let admin = app.admin().await;
    let parameter = format!("/api/report-parameters/{}", report.parameter_id(&app.db, "opis").await);
    let date = admin.get(&format!("/api/report-parameters/{}", report.parameter_id(&app.db, "od").await)).await.json()["tipID"].clone();
    let tip = admin.get(&parameter).await.json()["tipID"].clone();
    let path = format!("/api/report-parameter-types/{tip}");
    let message = format!("Prvo izmenite podrazumevanu vrednost parametra „Opis (Izveštaj o đacima)”. {DAYS}");
    admin.patch(&path, json!({ "tipRecnika": 2 })).await.assert_error(422, Some("tipRecnika"), &message);
    assert_eq!(admin.get(&path).await.json()["tipRecnika"], 1);
    admin.patch(&parameter, json!({ "tipID": date })).await.assert_error(422, Some("podrazumevano"), DAYS);

    // One that is deleted holds nothing up, and does not come back to a type that it does not fit.
    admin.delete(&parameter).await.assert_status(204);
    admin.patch(&path, json!({ "tipRecnika": 2 })).await.assert_status(200);
    admin.patch(&parameter, json!({ "aktivan": true })).await.assert_error(422, Some("podrazumevano"), DAYS);
    admin.patch(&path, json!({ "tipRecnika": 1 })).await.assert_status(200);
    admin.patch(&parameter, json!({ "aktivan": true })).await.assert_status(200);
    admin.patch(&parameter, json!({ "podrazumevano": "danas" })).await.assert_status(200);
    admin.patch(&path, json!({ "tipRecnika": 2 })).await.assert_status(200);
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
