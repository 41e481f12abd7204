//! Printing an entry: who may ask, who gets the file, and what happens when nobody is there to make it.

use domain::process::{HeartbeatReport, Kind, Process};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::support::{TestApp, TestRegister, Worker};

const PDF: &[u8] = b"%PDF-1.7 \xc5\xa1";

struct Case {
    app: TestApp,
    register: TestRegister,
    unos: i64,
}

impl Case {
    /// An entry of the first institution's patient, and an engine that says that it lives.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let patient = app.patient(&register, "Đorđe", "Šćepanović", app.ustanova, 7).await;
        let unos = app.entry(&register, patient, app.ustanova, "2026-03-05", json!({ "broj": 5 })).await;
        Process::new(Kind::ReportEngine, Uuid::now_v7()).heartbeat(&app.db.app, &HeartbeatReport::default()).await.unwrap();
        Self { app, register, unos }
    }

    fn request(&self) -> Value {
        json!({ "unosID": self.unos })
    }

    async fn print(&self, worker: &Worker) -> Uuid {
        let answer = worker.post("/api/entry-prints", self.request()).await;
        answer.assert_status(202);
        answer.json()["stampaID"].as_str().unwrap().parse().unwrap()
    }

    /// Writes what an engine would.
    async fn succeed(&self, run: Uuid) {
        let path = format!("{run}.pdf");
        std::fs::write(self.app.artifact_dir().join(&path), PDF).unwrap();
        sqlx::query("insert into report_artifact (run_id, format, path, bytes, sha256, rows) values ($1, 'PDF', $2, $3, $4, 1)")
            .bind(run)
            .bind(path)
            .bind(PDF.len() as i64)
            .bind(Sha256::digest(PDF).to_vec())
            .execute(&self.app.db.owner)
            .await
            .unwrap();
        self.set(run, "status = 'succeeded', finished_at = now(), expires_at = now() + interval '1 day'").await;
    }

    async fn set(&self, run: Uuid, what: &str) {
        let sql = format!("update report_run set {what} where id = $1");
        sqlx::query(sqlx::AssertSqlSafe(sql)).bind(run).execute(&self.app.db.owner).await.unwrap();
    }

    async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&self.app.db.owner).await.unwrap()
    }

    async fn deeds(&self) -> Vec<String> {
        self.app.log("entry").await.into_iter().map(|row| row.akcija).filter(|deed| deed.contains("štamp")).collect()
    }
}

#[tokio::test]
async fn a_print_is_asked_for_followed_and_fetched_by_its_worker_alone() {
    let case = Case::new().await;
    let (lekar, sestra) = (case.app.lekar().await, case.app.sestra().await);
    let run = case.print(&lekar).await;
    let (path, file) = (format!("/api/entry-prints/{run}"), format!("/api/entry-prints/{run}/file"));
    assert_eq!(lekar.get(&path).await.json(), json!({ "status": "queued", "greska": null }));
    lekar.get(&file).await.assert_status(404);
    assert_eq!(case.deeds().await, ["pregled za štampu"], "a print is a disclosure");

    case.succeed(run).await;
    assert_eq!(lekar.get(&path).await.json()["status"], "succeeded");
    let answer = lekar.get(&file).await;
    answer.assert_status(200);
    assert_eq!(answer.bytes, PDF);
    assert_eq!((answer.header("content-type"), answer.header("cache-control")), (Some("application/pdf"), Some("private, no-store")));
    let name = answer.header("content-disposition").unwrap();
    assert!(name.contains("filename=\"pregled-scepanovic-djordje-2026-03-05.pdf\""), "{name}");
    assert_eq!(case.deeds().await, ["pregled za štampu", "preuzimanje štampe"]);

    // The nurse of the same institution may print the entry herself, and has no part in the doctor's print.
    for path in [&path, &file] {
        sestra.get(path).await.assert_status(404);
    }
    sestra.post(&format!("{path}/cancel"), json!({})).await.assert_status(404);
    case.print(&sestra).await;
}

#[tokio::test]
async fn a_print_is_no_report() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let run = case.print(&lekar).await;
    case.succeed(run).await;
    assert_eq!(lekar.get("/api/report-runs").await.json(), json!({ "data": [], "total": 0 }));
    for path in [format!("/api/report-runs/{run}"), format!("/api/report-runs/{run}/download?format=PDF")] {
        lekar.get(&path).await.assert_status(404);
    }
    lekar.delete(&format!("/api/report-runs/{run}")).await.assert_status(404);
    lekar.post(&format!("/api/report-runs/{run}/cancel"), json!({})).await.assert_status(404);
    lekar.post(&format!("/api/report-runs/{run}/again"), json!({ "posalji": false })).await.assert_status(404);
    let today = jiff::Zoned::now().date();
    let (od, kraj) = (today.saturating_sub(jiff::ToSpan::days(10)), today.saturating_add(jiff::ToSpan::days(10)));
    let calendar = lekar.get(&format!("/api/report-calendar?od={od}&do={kraj}")).await.json();
    assert_eq!(calendar["dogadjaji"], json!([]));
}

#[tokio::test]
async fn another_institution_prints_nothing_and_leaves_no_run() {
    let case = Case::new().await;
    let other = case.app.worker("drugi", &[accounts::rights::Right::Reports], case.app.druga_ustanova).await;
    let answer = other.post("/api/entry-prints", case.request()).await;
    answer.assert_status(404);
    assert_eq!(case.count("select count(*) from report_run").await, 0);
    assert_eq!(case.deeds().await, Vec::<String>::new());
    other.post("/api/entry-prints", json!({ "unosID": 999_999 })).await.assert_status(404);

    // Whoever loses the patient between the click and the file loses the file too.
    let lekar = case.app.lekar().await;
    let run = case.print(&lekar).await;
    case.succeed(run).await;
    let other_patient = case.app.patient(&case.register, "Ana", "Anić", case.app.druga_ustanova, 8).await;
    let mut tx = domain::db::begin(&case.app.db.owner, 1).await.unwrap();
    sqlx::query("update entry set pacijent_id = $2 where id = $1").bind(case.unos).bind(other_patient).execute(&mut *tx).await.unwrap();
    sqlx::query("update entry set ustanova_id = $2 where id = $1")
        .bind(case.unos)
        .bind(case.app.druga_ustanova)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let answer = lekar.get(&format!("/api/entry-prints/{run}/file")).await;
    answer.assert_status(404);
}

#[tokio::test]
async fn the_same_key_makes_one_print_and_never_another_entrys() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let mut request = case.request();
    request["kljuc"] = json!("018f3b1e-0000-7000-8000-000000000001");
    let first = lekar.post("/api/entry-prints", request.clone()).await.json();
    assert_eq!(lekar.post("/api/entry-prints", request.clone()).await.json(), first);
    assert_eq!((case.count("select count(*) from report_run").await, case.deeds().await.len()), (1, 1));
    let patient = case.app.patient(&case.register, "Ana", "Anić", case.app.ustanova, 8).await;
    request["unosID"] = json!(case.app.entry(&case.register, patient, case.app.ustanova, "2026-03-05", json!({ "broj": 1 })).await);
    lekar.post("/api/entry-prints", request).await.assert_status(409);
}

#[tokio::test]
async fn without_an_engine_it_says_so_at_once() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    sqlx::query("update process set seen_at = now() - interval '31 seconds'").execute(&case.app.db.owner).await.unwrap();
    let answer = lekar.post("/api/entry-prints", case.request()).await;
    answer.assert_error(503, None, "Štampa trenutno nije dostupna. Pokušajte ponovo za nekoliko minuta.");
    assert_eq!((case.count("select count(*) from report_run").await, case.deeds().await.len()), (0, 0));
}

#[tokio::test]
async fn a_print_nobody_waits_for_is_cancelled_and_a_failed_one_says_why() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let run = case.print(&lekar).await;
    let path = format!("/api/entry-prints/{run}");
    lekar.post(&format!("{path}/cancel"), json!({})).await.assert_status(204);
    assert_eq!(lekar.get(&path).await.json()["status"], "cancelled");
    lekar.post(&format!("{path}/cancel"), json!({})).await.assert_status(409);

    let failed = case.print(&lekar).await;
    case.set(failed, "status = 'failed', error_code = 'gone', error_text = 'Unos je u međuvremenu obrisan.', finished_at = now()").await;
    let state = lekar.get(&format!("/api/entry-prints/{failed}")).await.json();
    assert_eq!(state, json!({ "status": "failed", "greska": "Unos je u međuvremenu obrisan." }));

    let expired = case.print(&lekar).await;
    case.succeed(expired).await;
    case.set(expired, "expires_at = now()").await;
    lekar.get(&format!("/api/entry-prints/{expired}/file")).await.assert_error(410, None, "Dokument je istekao. Odštampajte unos ponovo.");
}
