//! Fetching the files of a result.

use serde_json::json;

use super::{DATE, Field, Report, log_of, succeed};
use crate::support::TestApp;

const CSV: &[u8] = "pol;broj\nženski;12\n".as_bytes();

#[tokio::test]
async fn a_result_is_served_whole_under_a_readable_name() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let run = report.run(&lekar).await;
    succeed(&app, run, CSV).await;
    let answer = lekar.get(&format!("/api/report-runs/{run}/download?format=csv")).await;
    answer.assert_status(200);
    assert_eq!(answer.bytes, CSV);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(answer.header("content-length"), Some(CSV.len().to_string().as_str()));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    let name = answer.header("content-disposition").unwrap();
    assert!(name.starts_with("attachment; filename=\"izvestaj-o-djacima-20"), "{name}");
    assert!(name.contains("filename*=UTF-8''izvestaj-o-djacima-20") && name.ends_with(".csv"), "every browser takes the same name: {name}");
    let log = log_of(&app, "report_run").await;
    assert_eq!(log[1], ("preuzimanje".to_owned(), "Izveštaj o đacima, CSV".to_owned(), json!([])));
}

#[tokio::test]
async fn the_file_of_a_period_is_named_by_it() {
    let app = TestApp::new().await;
    let report = Report::with(&app.db, "sve", &[Field::new(DATE, "od", "Od"), Field::new(DATE, "do", "Do")]).await;
    let lekar = app.lekar().await;
    let mut request = report.request(&lekar, json!({ "od": "2026-10-01", "do": "2026-10-31" }));
    request["formati"] = json!(["CSV"]);
    let answer = lekar.post("/api/report-queue", request).await;
    answer.assert_status(202);
    let run = answer.json()["izvestajID"].as_str().unwrap().parse().unwrap();
    succeed(&app, run, CSV).await;
    let answer = lekar.get(&format!("/api/report-runs/{run}/download?format=CSV")).await;
    answer.assert_status(200);
    let name = answer.header("content-disposition").unwrap();
    assert!(name.starts_with("attachment; filename=\"izvestaj-o-djacima-2026-10.csv\""), "{name}");
}

#[tokio::test]
async fn a_file_is_named_as_the_installation_words_it() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let run = report.run(&lekar).await;
    succeed(&app, run, CSV).await;
    for (wording, name) in [
        ("{ustanova}_{izvestaj}", "klinika-a_izvestaj-o-djacima.csv"),
        ("../Čuvaj: {vrsta}\"; x", "cuvaj-izvestaj-x.csv"),
        ("Šta god", "sta-god.csv"),
    ] {
        admin.post("/api/parameters", json!({ "naziv": "izvestajImeFajla", "vrednost": wording })).await.assert_status(201);
        let answer = lekar.get(&format!("/api/report-runs/{run}/download?format=CSV")).await;
        answer.assert_status(200);
        let header = answer.header("content-disposition").unwrap();
        assert_eq!(header, format!("attachment; filename=\"{name}\"; filename*=UTF-8''{name}"));
    }
}

#[tokio::test]
async fn what_is_not_there_is_404_and_what_has_expired_is_410() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let run = report.run(&lekar).await;
    let path = format!("/api/report-runs/{run}/download?format=CSV");
    lekar.get(&path).await.assert_status(404);
    succeed(&app, run, CSV).await;
    lekar.get(&path.replace("CSV", "PDF")).await.assert_status(404);
    lekar.get(&path.replace("CSV", "EXE")).await.assert_status(404);
    admin.get(&path).await.assert_status(404);
    app.anonymous().get(&path).await.assert_status(401);

    let gone = "Izveštaj je istekao i više nije dostupan.";
    std::fs::remove_file(app.artifact_dir().join(format!("{run}.csv"))).unwrap();
    lekar.get(&path).await.assert_error(410, None, gone);
    sqlx::query("update report_run set expires_at = now() where id = $1").bind(run).execute(&app.db.owner).await.unwrap();
    lekar.get(&path).await.assert_error(410, None, gone);
    // The clean-up takes the rows of files as well.
    sqlx::query("delete from report_artifact where run_id = $1").bind(run).execute(&app.db.owner).await.unwrap();
    lekar.get(&path).await.assert_error(410, None, gone);
    assert_eq!(log_of(&app, "report_run").await.len(), 1, "nothing was fetched");
}

#[tokio::test]
async fn a_file_that_changed_on_disk_is_not_served() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let run = report.run(&lekar).await;
    succeed(&app, run, CSV).await;
    std::fs::write(app.artifact_dir().join(format!("{run}.csv")), "pol;broj\nženski;99\n").unwrap();
    let answer = lekar.get(&format!("/api/report-runs/{run}/download?format=CSV")).await;
    answer.assert_error(500, None, "Došlo je do greške na serveru.");
}
