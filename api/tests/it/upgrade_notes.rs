//! What an upgrade has changed: told to those who can see to it, until they did or put it away.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::{
    reports::Report,
    support::{TestApp, Worker},
};

async fn notes(worker: &Worker) -> Vec<(String, String)> {
    let answer = worker.get("/api/upgrade-notes").await.json();
    let text = |note: &Value, name: &str| note[name].as_str().expect("a text").to_owned();
    answer["data"].as_array().expect("notes").iter().map(|note| (text(note, "vrsta"), text(note, "naziv"))).collect()
}

fn named(notes: &[(&str, &str)]) -> Vec<(String, String)> {
    notes.iter().map(|(vrsta, naziv)| ((*vrsta).to_owned(), (*naziv).to_owned())).collect()
}

/// A live report of one institution with this query.
async fn published(app: &TestApp, admin: &Worker, naziv: &str, upit: &str) -> Report {
    let report = Report::with(&app.db, "ustanova", &[]).await;
    admin.patch(&format!("/api/reports/{}", report.id), json!({ "naziv": naziv })).await.assert_status(200);
    let texts = json!({ "upit": upit, "sablon": "{{#report}}{{col \"x\"}}{{/report}}", "osnova": 0 });
    let path = format!("/api/reports/{}/definitions", report.id);
    assert_eq!(admin.post(&path, texts).await.json()["provera"]["greske"], json!([]), "{upit}");
    admin.post(&format!("{path}/1/publish"), json!({ "objavljena": 0 })).await.assert_status(204);
    report
}

#[tokio::test]
async fn schedules_of_who_opens_no_patient_are_told_until_her_role_opens_them_or_somebody_puts_them_away() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let owner = app.worker("zakazala", &[Right::Reports], app.ustanova).await;
    let colleague = app.worker("otvara", &[Right::Reports], app.ustanova).await;
    let far = app.worker("daleko", &[Right::Roles], app.druga_ustanova).await;
    let naming = published(&app, &admin, "Spisak", "select ime_prezime as x, id as pacijent_id from pacijent").await;
    let born = published(&app, &admin, "Dan rođenja", "select min(datum_rodjenja) as x from pacijent").await;
    let counting = published(&app, &admin, "Broj", "select count(*) as x from pacijent").await;
    for report in [&naming, &born, &counting] {
        for worker in [&owner, &colleague] {
            worker.post("/api/report-queue", report.weekly(worker)).await.assert_status(202);
        }
    }
    assert_eq!(notes(&admin).await, []);
    app.lay_out(&["update role set pacijenti = 'ne' where ime = 'Uloga radnika zakazala'"]).await;
    let both = named(&[("zakazivanje", "Dan rođenja, Test Zakazala"), ("zakazivanje", "Spisak, Test Zakazala")]);
    assert_eq!(notes(&admin).await, both);
    assert_eq!(notes(&far).await, [], "nothing of whom she does not administer");
    owner.get("/api/upgrade-notes").await.assert_status(403);

    let id = admin.get("/api/upgrade-notes").await.json()["data"][0]["id"].clone();
    let key = json!({ "vrsta": "zakazivanje", "id": id });
    far.post("/api/upgrade-notes-dismiss", key.clone()).await.assert_status(404);
    admin.post("/api/upgrade-notes-dismiss", key).await.assert_status(204);
    assert_eq!(notes(&admin).await, both[1..]);
    assert_eq!(app.log("upgrade_note").await.last().expect("a row").radnik_id, Some(admin.id));
    app.lay_out(&["update role set pacijenti = 'uvid' where ime = 'Uloga radnika zakazala'"]).await;
    assert_eq!(notes(&admin).await, []);
}

#[tokio::test]
async fn what_migrations_decided_of_roles_and_accounts_is_told_until_somebody_has_changed_it() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    for name in ["lekar", "lekar2", "sestra"] {
        app.worker(name, &[], app.ustanova).await;
    }
    app.worker("upravnik", &[Right::Institutions], app.ustanova).await;
    app.worker("radnici", &[Right::Workers], app.ustanova).await;
    app.lay_out(&[
        "update worker set password_hash = 'x' where username in ('admin', 'lekar', 'lekar2')",
        "update worker set demo_nalog = true where username = 'lekar2'",
    ])
    .await;
    // As a migration notes it, with the version that it left.
    app.lay_out(&["insert into upgrade_note (vrsta, red_id, zatecena_verzija)
         select 'uloga', id, verzija from role where ime in ('Uloga radnika lekar', 'Uloga radnika sestra')
         union all select 'ustanove', id, verzija from role where ime = 'Uloga radnika upravnik'
         union all select 'demo', id, verzija from worker where username in ('admin', 'lekar', 'lekar2')"])
        .await;
    let seen_to = sqlx::query_scalar("select id from role where ime = 'Uloga radnika sestra'");
    let seen_to: i64 = seen_to.fetch_one(&app.db.owner).await.unwrap();
    admin.patch(&format!("/api/roles/{seen_to}"), json!({ "opis": "Proverena" })).await.assert_status(200);

    let told = named(&[("uloga", "Uloga radnika lekar"), ("ustanove", "Uloga radnika upravnik"), ("demo", "admin"), ("demo", "lekar")]);
    assert_eq!(notes(&admin).await, told);
    let workers = app.worker("drugi", &[Right::Workers], app.ustanova).await;
    assert_eq!(notes(&workers).await, told[2..], "who gives no rights is told of accounts");
    let role = admin.get("/api/upgrade-notes").await.json()["data"][0].clone();
    assert_eq!(role["opis"], "Otvara pacijente za izmenu.");
    let dismissed = json!({ "vrsta": "uloga", "id": role["id"] });
    workers.post("/api/upgrade-notes-dismiss", dismissed.clone()).await.assert_status(403);
    admin.patch(&format!("/api/roles/{}", role["id"]), json!({ "opis": "Proverena" })).await.assert_status(200);
    assert_eq!(notes(&admin).await, told[1..]);
    for note in admin.get("/api/upgrade-notes").await.json()["data"].as_array().unwrap() {
        let key = json!({ "vrsta": note["vrsta"], "id": note["id"] });
        admin.post("/api/upgrade-notes-dismiss", key.clone()).await.assert_status(204);
        admin.post("/api/upgrade-notes-dismiss", key).await.assert_status(404);
    }
    assert_eq!(notes(&admin).await, []);
}

#[tokio::test]
async fn reports_over_all_institutions_that_are_refused_are_told_by_name_until_they_are_mended_or_put_away() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let scheduling = app.worker("zakazala", &[Right::Reports], app.ustanova).await;
    let refused = published(&app, &admin, "Po godini rođenja", "select godina_rodjenja as x from pacijent").await;
    let grouped = "select count(*) as x, array_agg(distinct id) as grupa_pacijenata from pacijent";
    published(&app, &admin, "Broj svih", grouped).await;
    published(&app, &admin, "Ustanove", "select naziv as x from ustanova").await;
    scheduling.post("/api/report-queue", refused.weekly(&scheduling)).await.assert_status(202);
    assert_eq!(notes(&admin).await, []);
    // As they were before the rule: over all institutions, and live.
    app.lay_out(&["update report set obim = 'sve' where naziv in ('Po godini rođenja', 'Broj svih', 'Ustanove')"]).await;
    assert_eq!(notes(&admin).await, named(&[("izvestaj", "Po godini rođenja")]));
    let roles = app.worker("uloge", &[Right::Roles], app.ustanova).await;
    assert_eq!(notes(&roles).await, [], "who sets no report up cannot mend it");
    let told = admin.get("/api/upgrade-notes").await.json()["data"][0].clone();
    let said = told["opis"].as_str().unwrap();
    assert!(said.contains("array_agg(distinct u.pacijent_id) as grupa_pacijenata") && said.contains("Zakazan je (1 raspored)"), "{said}");

    app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'"]).await;
    assert_eq!(notes(&admin).await, [], "nothing is refused where groups of one are told");
    app.lay_out(&["update parameter set vrednost = '5' where naziv = 'najmanjaTudjaGrupa'"]).await;
    let key = json!({ "vrsta": "izvestaj", "id": told["id"] });
    roles.post("/api/upgrade-notes-dismiss", key.clone()).await.assert_status(403);
    admin.post("/api/upgrade-notes-dismiss", key.clone()).await.assert_status(204);
    assert_eq!(notes(&admin).await, []);
    admin.post("/api/upgrade-notes-dismiss", key).await.assert_status(404);
    admin.post("/api/upgrade-notes-dismiss", json!({ "vrsta": "izvestaj", "id": 1_099_511_627_776_i64 })).await.assert_status(404);
}
