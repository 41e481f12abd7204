//! Reading a report on the screen: its contents, its lines and its charts, by the rights of its files.

use domain::report_screen::{ScreenBlock, ScreenContents, ScreenLine, ScreenStart};
use serde_json::json;
use uuid::Uuid;

use super::{Field, Report, TEXT, add_screen, log_of, merge, screen_of, succeed};
use crate::support::{TestApp, Worker};

async fn finished(app: &TestApp, worker: &Worker, rows: usize) -> Uuid {
    let report = Report::plain(&app.db).await;
    let run = report.run(worker).await;
    add_screen(app, run, &screen_of(rows)).await;
    succeed(app, run, b"pol;broj\n").await;
    run
}

#[tokio::test]
async fn lines_come_piece_by_piece_and_the_screen_is_no_file_to_take_away() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let run = finished(&app, &lekar, 1_000).await;
    let shown = lekar.get(&format!("/api/report-runs/{run}/screen")).await.assert_status(200).json();
    let contents = &shown["sadrzaj"];
    assert_eq!((&shown["potpun"], &shown["moj"], &shown["formati"]), (&json!(true), &json!(true), &json!(["CSV"])));
    assert_eq!((&contents["blokovi"][0]["linija"], &contents["blokovi"][1]["vrsta"]), (&json!(1001), &json!("grafikon")));
    assert_eq!(contents["blokovi"][0]["grupe"][0], json!({ "nivo": 0, "od": 0, "doLinije": 1001, "tekst": "Svi", "zbir": null }));

    let lines = |from: u64, count: u64| format!("/api/report-runs/{run}/screen/lines?blok=0&od={from}&broj={count}");
    let some = lekar.get(&lines(995, 100)).await.assert_status(200).json();
    assert_eq!((&some["od"], some["linije"].as_array().unwrap().len()), (&json!(995), 6));
    assert_eq!(some["linije"][5]["celije"], json!(["Đak 999", "999"]));
    assert_eq!(lekar.get(&lines(0, 5_000)).await.json()["linije"].as_array().unwrap().len(), 500, "nobody reads everything at once");
    assert_eq!(lekar.get(&format!("/api/report-runs/{run}/screen/chart?blok=1")).await.json()["naslov"], "Po polu");
    for path in ["lines?blok=1&od=0&broj=5", "lines?blok=7&od=0&broj=5", "chart?blok=0", "chart?blok=7"] {
        lekar.get(&format!("/api/report-runs/{run}/screen/{path}")).await.assert_status(404);
    }

    lekar.get(&format!("/api/report-runs/{run}/download?format=EKRAN")).await.assert_status(404);
    let row = lekar.get(&format!("/api/report-runs/{run}")).await.json();
    assert_eq!((&row["ekran"], row["formats"].as_array().unwrap().len()), (&json!(true), 1));
    let log = log_of(&app, "report_run").await;
    let looks: Vec<&str> = log.iter().filter(|(deed, ..)| deed == "preuzimanje").map(|(_, what, _)| what.as_str()).collect();
    assert_eq!(looks, ["Izveštaj o đacima, EKRAN"], "all pieces are one look");
}

#[tokio::test]
async fn another_institution_and_a_stranger_see_neither_lines_nor_contents() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let run = finished(&app, &lekar, 10).await;
    let stranger = app.worker("stranac", &[accounts::rights::Right::Reports], app.druga_ustanova).await;
    for part in ["screen", "screen/lines?blok=0&od=0&broj=10", "screen/chart?blok=1"] {
        let theirs = stranger.get(&format!("/api/report-runs/{run}/{part}")).await;
        let none = stranger.get(&format!("/api/report-runs/{}/{part}", Uuid::now_v7())).await;
        assert_eq!((theirs.status, theirs.text()), (404, none.text()), "{part}");
        app.anonymous().get(&format!("/api/report-runs/{run}/{part}")).await.assert_status(401);
    }
    app.lay_out(&["update report_run set expires_at = now()"]).await;
    for part in ["screen", "screen/lines?blok=0&od=0&broj=10", "screen/chart?blok=1"] {
        lekar.get(&format!("/api/report-runs/{run}/{part}")).await.assert_error(410, None, "Izveštaj je istekao i više nije dostupan.");
    }
}

#[tokio::test]
async fn a_run_under_way_shows_its_first_lines_to_who_asked_and_forgets_them_at_its_end() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let report = Report::with(&app.db, "ustanova", &[Field::new(TEXT, "rec", "Reč").optional()]).await;
    let mut request = report.request(&lekar, json!({ "rec": "đak" }));
    merge(&mut request, json!({ "formati": ["ekran", "PDF"] }));
    let run: Uuid =
        lekar.post("/api/report-queue", request).await.assert_status(202).json()["izvestajID"].as_str().unwrap().parse().unwrap();
    let (formats, needs): (Vec<String>, i32) =
        sqlx::query_as("select formati, needs from report_run where id = $1").bind(run).fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(
        (formats, needs),
        (vec!["PDF".to_owned(), "EKRAN".to_owned()], domain::runs::SCREENS),
        "an engine that does not know of it leaves it"
    );
    let path = format!("/api/report-runs/{run}/screen");
    let waiting = lekar.get(&path).await.assert_status(200).json();
    assert_eq!((&waiting["sadrzaj"], &waiting["potpun"]), (&json!(null), &json!(false)));
    assert_eq!(waiting["vrednosti"], json!({ "rec": "đak" }), "another run begins from what was asked for");

    let lease =
        domain::runs::claim(&app.db.app, run, "engine", domain::runs::KNOWN_VERSION, 60.0).await.unwrap().expect("it waits").lease();
    let line = |text: &str| ScreenLine { celije: vec![text.to_owned()], ..ScreenLine::default() };
    let start = ScreenStart {
        sadrzaj: ScreenContents { blokovi: vec![ScreenBlock { linija: 2, ..ScreenBlock::default() }], ..ScreenContents::default() },
        linije: vec![line("prvi"), line("drugi")],
    };
    assert!(domain::runs::keep_start(&app.db.app, lease, &start).await.unwrap());
    assert_eq!(lekar.get(&path).await.json()["sadrzaj"]["blokovi"][0]["linija"], 2);
    let lines = lekar.get(&format!("{path}/lines?blok=0&od=1&broj=10")).await.assert_status(200).json();
    assert_eq!(lines["linije"][0]["celije"], json!(["drugi"]));
    app.admin().await.get(&path).await.assert_status(404);

    domain::runs::requeue(&app.db.app, lease, 0.0).await.unwrap();
    let left: i64 =
        sqlx::query_scalar("select count(*) from report_run where ekran_pocetak is not null").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(left, 0);
    assert_eq!(lekar.get(&path).await.json()["sadrzaj"], json!(null));
}
