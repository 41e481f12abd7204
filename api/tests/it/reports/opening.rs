//! Who opens a report by its link: the one who asked, a recipient with the right and the institution, and nobody else.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Field, Report, TEXT, log_of, merge, succeed};
use crate::support::{TestApp, Worker};

use accounts::rights::Right;

const CSV: &[u8] = b"pol;broj\n";
const NOT_YOURS: &str = "Na ovoj adresi nema izveštaja koji je poslat vama. Izveštaj otvara onaj ko ga je tražio i onaj na čiju je e-mail adresu \
                         poslat, ako je ta adresa upisana u njegov nalog. Proverite kojim ste nalogom prijavljeni i adresu u svom profilu, \
                         pa se obratite onome ko vam je vezu poslao.";

/// A finished run that the worker had mailed to `primalac@kcs.rs`.
async fn mailed(app: &TestApp, report: &Report, worker: &Worker) -> Uuid {
    let mut request = report.request(worker, json!({}));
    merge(&mut request, json!({ "emails": ["Primalac@kcs.rs", "drugi@kcs.rs"] }));
    let run = worker.post("/api/report-queue", request).await.json()["izvestajID"].as_str().unwrap().parse().unwrap();
    succeed(app, run, CSV).await;
    run
}

/// The one whom the mail reaches.
async fn recipient(app: &TestApp, prava: &[Right], ustanova: i64) -> Worker {
    let worker = app.worker("primalac", prava, ustanova).await;
    app.lay_out(&["update worker set email = ' primalac@KCS.rs' where username = 'primalac'"]).await;
    worker
}

async fn refused(worker: &Worker, run: Uuid, status: u16, message: &str) {
    let parts = ["", "/download?format=CSV", "/screen", "/screen/lines?blok=0&od=0&broj=10", "/screen/chart?blok=1"];
    for path in parts.map(|part| format!("/api/report-runs/{run}{part}")) {
        worker.get(&path).await.assert_error(status, None, message);
    }
}

#[tokio::test]
async fn a_recipient_opens_that_run_and_only_that_one() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let primalac = recipient(&app, &[Right::Reports], app.ustanova).await;
    let run = mailed(&app, &report, &lekar).await;
    let other = report.run(&lekar).await;
    succeed(&app, other, CSV).await;
    sqlx::query("insert into report_delivery (run_id, address, message_id, status) values ($1, 'drugi@kcs.rs', 'x', 'sent')")
        .bind(run)
        .execute(&app.db.owner)
        .await
        .unwrap();

    let shown = primalac.get(&format!("/api/report-runs/{run}")).await.json();
    assert_eq!((&shown["moj"], &shown["trazio"], &shown["ustanova"]), (&json!(false), &json!("Lekar Test"), &json!("Klinika A")));
    assert_eq!(shown["formats"], json!([{ "nazivKratki": "CSV", "bytes": CSV.len() }]));
    assert_eq!((&shown["isporuke"], &shown["preuzimanja"]), (&json!([]), &json!([])), "who else got it is the requester's to know");
    let file = primalac.get(&format!("/api/report-runs/{run}/download?format=CSV")).await;
    file.assert_status(200);
    assert_eq!(file.bytes, CSV);

    refused(&primalac, other, 404, NOT_YOURS).await;
    assert_eq!(primalac.get("/api/report-runs").await.json()["total"], 0, "it is not among her own");
    primalac.delete(&format!("/api/report-runs/{run}")).await.assert_status(404);
    primalac.post(&format!("/api/report-runs/{run}/cancel"), json!({})).await.assert_status(404);

    let deeds: Vec<String> = log_of(&app, "report_run").await.into_iter().map(|(deed, ..)| deed).collect();
    assert_eq!(deeds, ["kreiranje", "kreiranje", "preuzimanje"]);
    let own = lekar.get(&format!("/api/report-runs/{run}")).await.json();
    assert_eq!((&own["moj"], &own["preuzimanja"][0]["radnik"]), (&json!(true), &json!("Primalac Test")), "the requester sees who took it");
}

#[tokio::test]
async fn an_outsider_is_told_the_same_of_a_run_that_exists_and_of_one_that_does_not() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let admin = app.admin().await;
    let run = mailed(&app, &report, &lekar).await;
    refused(&admin, run, 404, NOT_YOURS).await;
    refused(&admin, Uuid::now_v7(), 404, NOT_YOURS).await;
    let without_right = "Za otvaranje izveštaja potrebno je pravo „Izveštaji”, koje nemate. Obratite se administratoru svoje ustanove.";
    let sestra = app.sestra().await;
    refused(&sestra, run, 403, without_right).await;
    refused(&sestra, Uuid::now_v7(), 403, without_right).await;
    app.anonymous().get(&format!("/api/report-runs/{run}")).await.assert_status(401);
}

#[tokio::test]
async fn a_recipient_without_the_right_or_the_institution_is_told_which_one_is_missing() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let run = mailed(&app, &report, &lekar).await;
    let primalac = recipient(&app, &[Right::Reports], app.druga_ustanova).await;
    let elsewhere = "Izveštaj „Izveštaj o đacima” je ustanove „Klinika A”, a vi niste njen radnik. Obratite se administratoru te ustanove \
                     ili onome ko je izveštaj tražio: Lekar Test.";
    refused(&primalac, run, 403, elsewhere).await;
    app.join(&primalac, app.ustanova).await;
    primalac.get(&format!("/api/report-runs/{run}")).await.assert_status(200);

    // Rights are those of the moment.
    app.lay_out(&["delete from role_right where uloga_id = (select id from role where ime = 'Uloga radnika primalac')"]).await;
    primalac.get(&format!("/api/report-runs/{run}/download?format=CSV")).await.assert_status(403);
    assert!(log_of(&app, "report_run").await.iter().all(|(deed, ..)| deed != "preuzimanje"));
}

#[tokio::test]
async fn what_has_expired_or_was_deleted_sends_the_recipient_to_who_asked() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let primalac = recipient(&app, &[Right::Reports], app.ustanova).await;
    let run = mailed(&app, &report, &lekar).await;
    sqlx::query("update report_run set expires_at = '2026-03-01T10:00:00Z' where id = $1").bind(run).execute(&app.db.owner).await.unwrap();
    let gone = "Izveštaj „Izveštaj o đacima” je istekao 01.03.2026. Novi zatražite od onoga ko ga je tražio: Lekar Test.";
    refused(&primalac, run, 410, gone).await;
    lekar.delete(&format!("/api/report-runs/{run}")).await.assert_status(204);
    let deleted = "Izveštaj „Izveštaj o đacima” je obrisan. Novi zatražite od onoga ko ga je tražio: Lekar Test.";
    refused(&primalac, run, 410, deleted).await;
    // What is not made yet has no link, so there is nothing to open.
    let queued: Value = {
        let mut request = report.request(&lekar, json!({}));
        merge(&mut request, json!({ "emails": ["primalac@kcs.rs"] }));
        lekar.post("/api/report-queue", request).await.json()
    };
    refused(&primalac, queued["izvestajID"].as_str().unwrap().parse().unwrap(), 404, NOT_YOURS).await;
}

#[tokio::test]
async fn a_doctor_who_moved_away_leaves_the_old_hospitals_reports_behind() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let run = report.run(&lekar).await;
    succeed(&app, run, CSV).await;
    let path = format!("/api/report-runs/{run}/download?format=CSV");
    lekar.get(&path).await.assert_status(200);
    // Another institution is chosen, and she still belongs to the first one as well.
    app.join(&lekar, app.druga_ustanova).await;
    app.lay_out(&["update worker set ustanova_id = (select id from institution where naziv = 'Klinika B') where username = 'lekar'"]).await;
    lekar.get(&path).await.assert_status(200);
    app.lay_out(&["delete from worker_institution where ustanova_id = (select id from institution where naziv = 'Klinika A')"]).await;
    let message = "Izveštaj „Izveštaj o đacima” je ustanove „Klinika A”, a vi niste njen radnik. Obratite se administratoru te ustanove.";
    refused(&lekar, run, 403, message).await;
    let listed = lekar.get("/api/report-runs").await.json();
    let row = &listed["data"][0];
    assert_eq!((&row["formats"], &row["parametri"]), (&json!([]), &json!([])));
    assert_eq!(row["nedostupno"], "Niste više radnik ustanove „Klinika A”, pa njene izveštaje ne možete da preuzmete.");
    lekar.delete(&format!("/api/report-runs/{run}")).await.assert_status(204);
}

#[tokio::test]
async fn a_doctor_who_moved_away_reads_no_patient_in_the_schedules_that_she_left() {
    let app = TestApp::new().await;
    let report = Report::with(&app.db, "ustanova", &[Field::new(TEXT, "ko", "Ko")]).await;
    let lekar = app.lekar().await;
    let mut weekly = report.weekly(&lekar);
    weekly["parametri"] = json!({ "ko": "Petrović Ana" });
    let schedule = lekar.post("/api/report-queue", weekly).await.assert_status(202).json()["zakazivanjeID"].clone();
    let paths = [
        "/api/report-schedules".to_owned(),
        format!("/api/report-schedules/{schedule}"),
        "/api/report-calendar?od=2026-01-01&do=2026-01-31".to_owned(),
    ];
    assert!(lekar.get(&paths[1]).await.text().contains("Petrović"));
    app.lay_out(&[
        "update worker set ustanova_id = (select id from institution where naziv = 'Klinika B') where username = 'lekar'",
        "delete from worker_institution where ustanova_id = (select id from institution where naziv = 'Klinika A')",
    ])
    .await;
    for path in &paths {
        let text = lekar.get(path).await.text();
        assert!(!text.contains("Petrović"), "{path}: {text}");
    }
    let left = lekar.get(&paths[1]).await.assert_status(200).json();
    assert_eq!((&left["parametri"], &left["parametriOpis"], &left["ustanova"]), (&json!({}), &json!([]), &json!("Klinika A")));
    lekar.delete(&paths[1]).await.assert_status(204);
}
