//! "Uvoz podataka": a file is sent, mapped, checked and brought in by screen, whole or not at all, by one worker for one institution.

mod attempts;
mod closed;
mod confirming;
mod consents;
mod faults;
mod files_of_excel;
mod mapping;
mod option_codes;
mod questions;
mod redcap;
mod walls;

use std::time::{Duration, Instant};

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::{
    import_register::{DEFINITION, store},
    support::{Answer, TestApp, Worker},
};

const HEADER: &str = "Ime;Prezime;JMBG;LBO;Telefon;Datum pregleda;Puls;Puši;Koliko puši;Nalaz\n";
const ANA: &str = "Ana;Đurić;0101990715000;12345678901;011/1234567;06.05.2024.;72,5;da;kutiju;Uredan\n";
const BOJAN: &str = "Bojan;Žikić;0202980710000;12345678902;021/123456;07.05.2024.;80,0;ne;;secerna bolest\n";

/// The longest that an attempt of such a file may take.
const LONGEST: Duration = Duration::from_secs(30);

struct Case {
    app: TestApp,
    register: i64,
    worker: Worker,
}

impl Case {
    async fn new() -> Self {
        Self::of(DEFINITION).await
    }

    async fn of(definition: &str) -> Self {
        let app = TestApp::new().await;
        let register = store(&app.db, definition, false).await.unwrap().register;
        let worker = app.worker("uvoznica", &[Right::DataImport], app.ustanova).await;
        Self { app, register, worker }
    }

    async fn send(&self, worker: &Worker, file: impl AsRef<[u8]>, ustanova: i64) -> Answer {
        let body = json!({
            "registarID": self.register, "ustanovaID": ustanova, "fajl": "stari sistem.csv", "sadrzaj": BASE64_STANDARD.encode(file),
        });
        worker.post("/api/data-imports", body).await
    }

    /// Sends a file of these rows; the import's path.
    async fn upload(&self, rows: &[&str]) -> String {
        let answer = self.send(&self.worker, format!("{HEADER}{}", rows.concat()), self.app.ustanova).await;
        answer.assert_status(201);
        format!("/api/data-imports/{}", answer.json()["id"])
    }

    /// The import once nothing of it is under way.
    async fn rest(&self, path: &str) -> Value {
        let begun = Instant::now();
        loop {
            let import = self.worker.get(path).await.json();
            if !matches!(import["status"].as_str(), Some("checking" | "importing")) {
                return import;
            }
            assert!(begun.elapsed() < LONGEST, "{import}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn check(&self, path: &str) -> Value {
        self.worker.post(&format!("{path}/check"), json!({})).await.assert_status(204);
        self.rest(path).await
    }

    async fn confirm(&self, path: &str) -> Value {
        let shown = self.shown(path).await;
        self.worker.post(&format!("{path}/confirm"), shown).await.assert_status(204);
        self.rest(path).await
    }

    /// What confirms the check that the import shows.
    async fn shown(&self, path: &str) -> Value {
        json!({ "otisak": self.worker.get(path).await.json()["otisak"] })
    }

    /// Patients, entries, remembered keys, and files that are kept.
    async fn rows(&self) -> (i64, i64, i64, i64) {
        sqlx::query_as(
            "select (select count(*) from patient), (select count(*) from entry), (select count(*) from import_record),
                    (select count(*) from data_import_file)",
        )
        .fetch_one(&self.app.db.owner)
        .await
        .unwrap()
    }

    async fn text(&self, query: &'static str) -> Option<String> {
        sqlx::query_scalar(query).fetch_one(&self.app.db.owner).await.unwrap()
    }
}

#[tokio::test]
async fn a_file_is_checked_and_brought_in_and_its_rows_are_the_workers_and_the_institutions() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, BOJAN]).await;
    let checked = case.check(&path).await;
    assert_eq!((&checked["status"], &checked["redova"]), (&json!("checked"), &json!(2)), "{checked}");
    let found = &checked["ishod"];
    assert_eq!((&found["novihPacijenata"], &found["novihUnosa"], &found["gresaka"]), (&json!(2), &json!(2), &json!(0)), "{found}");
    assert_eq!(case.rows().await, (0, 0, 0, 1), "a check writes nothing");

    let done = case.confirm(&path).await;
    assert_eq!(done["status"], "done", "{done}");
    assert_eq!(case.rows().await, (2, 2, 4, 0), "and the file is gone");
    let whose = case
        .text(
            "select string_agg(distinct p.ustanova_id || ' ' || e.ustanova_id || ' ' || e.radnik_kreirao_id, ',')
               from entry e join patient p on p.id = e.pacijent_id",
        )
        .await;
    assert_eq!(whose, Some(format!("{0} {0} {1}", case.app.ustanova, case.worker.id)));
    let values =
        "select string_agg((e.vrednosti ->> f.id::text), ' ' order by e.id) from entry e join form_field f on f.sifra = 'dvaPulsa'";
    assert_eq!(case.text(values).await.as_deref(), Some("145 160"), "formulas have run");
}

#[tokio::test]
async fn the_log_says_who_brought_in_how_much_and_names_nobody() {
    let case = Case::new().await;
    let path = case.upload(&[ANA]).await;
    case.check(&path).await;
    case.confirm(&path).await;
    let rows = case.app.log("data_import").await;
    let deeds: Vec<_> = rows.iter().map(|row| (row.radnik_id, row.akcija.as_str())).collect();
    assert_eq!(deeds, [(Some(case.worker.id), "provera"), (Some(case.worker.id), "uvoz")]);
    let told = case
        .text("select string_agg(coalesce(opis, '') || polja::text || ustanova_id, ' ') from audit_log where klasa = 'data_import'")
        .await;
    let told = told.unwrap();
    for part in ["SHA-256 fajla", "Novih pacijenata", "Klinika A", "Registar: Proba"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    for part in ["Ana", "0101990715000", "12345678901", "stari sistem"] {
        assert!(!told.contains(part), "{part}: {told}");
    }
}

#[tokio::test]
async fn what_was_brought_in_is_known_when_the_file_comes_again() {
    let case = Case::new().await;
    for expected in [("novihPacijenata", "novihUnosa"), ("poznatihPacijenata", "poznatihUnosa")] {
        let path = case.upload(&[ANA, BOJAN]).await;
        let found = case.check(&path).await["ishod"].clone();
        assert_eq!((&found[expected.0], &found[expected.1]), (&json!(2), &json!(2)), "{found}");
        assert_eq!(case.confirm(&path).await["status"], "done");
        assert_eq!(case.rows().await, (2, 2, 4, 0));
    }
}

#[tokio::test]
async fn leaving_deletes_the_file_and_ends_the_import() {
    let case = Case::new().await;
    let path = case.upload(&[ANA]).await;
    case.check(&path).await;
    case.worker.delete(&path).await.assert_status(204);
    assert_eq!((case.rows().await, case.worker.get(&path).await.json()["status"].clone()), ((0, 0, 0, 0), json!("left")));
    case.worker.post(&format!("{path}/confirm"), json!({})).await.assert_error(409, None, "Uvoz je završen.");
    case.worker.get(&format!("{path}/faulty-rows")).await.assert_error(410, None, "Fajl je obrisan. Pošaljite ga ponovo.");
}

#[tokio::test]
async fn a_file_that_nobody_touches_for_a_day_goes() {
    let case = Case::new().await;
    let (old, new) = (case.upload(&[ANA]).await, case.upload(&[BOJAN]).await);
    case.app
        .lay_out(&["update data_import set vreme_izmene = now() - interval '25 hours' where id = (select min(id) from data_import)"])
        .await;
    case.app.lay_out(&["select expire_data_imports()"]).await;
    let old = case.worker.get(&old).await.json();
    assert_eq!((&old["status"], &old["prekid"]), (&json!("left"), &json!("istekao")));
    assert_eq!((case.worker.get(&new).await.json()["status"].clone(), case.rows().await.3), (json!("open"), 1));
}
