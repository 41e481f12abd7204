//! The day of an examination: between the birth and today, whoever sets it; and what "poslednji" means.

use domain::{db, time};
use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date};
use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    patient: i64,
    lekar: Worker,
}

impl Case {
    /// The patient was born on the first day of 1951.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let lekar = app.lekar().await.0;
        Self { app, register, patient, lekar }
    }

    fn request(&self, date: &str) -> Value {
        json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient, "radnikOdgovoran": self.lekar.id,
            "vrednosti": { self.register.field("broj"): 5 }, "datumUnosa": date,
        })
    }

    async fn count(&self, date: &str) -> Value {
        let query = format!("pacijentID={}&thaID={}&datumUnosa={date}", self.patient, self.register.form);
        self.lekar.get(&format!("/api/entry-count?{query}")).await.json()
    }

    /// An entry from before the rule.
    async fn old_entry(&self, date: &str, number: i64) -> i64 {
        let mut tx = db::begin(&self.app.db.owner, db::SYSTEM_WORKER).await.unwrap();
        sqlx::query("alter table entry disable trigger entry_dates").execute(&mut *tx).await.unwrap();
        let id = sqlx::query_scalar(
            "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, vrednosti)
             values ($1, $2, $3, $4::date, $5, jsonb_build_object($6::text, $7::bigint)) returning id",
        )
        .bind(self.patient)
        .bind(self.register.id)
        .bind(self.register.form)
        .bind(date)
        .bind(self.app.ustanova)
        .bind(self.register.field("broj"))
        .bind(number)
        .fetch_one(&mut *tx)
        .await
        .unwrap();
        sqlx::query("alter table entry enable trigger entry_dates").execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    async fn last_entry(&self) -> Option<i64> {
        sqlx::query_scalar("select poslednji_unos_id from patient_register where pacijent_id = $1")
            .bind(self.patient)
            .fetch_one(&self.app.db.owner)
            .await
            .unwrap()
    }
}

fn today() -> Date {
    Timestamp::now().to_zoned(time::zone()).date()
}

#[tokio::test]
async fn an_examination_in_the_future_or_before_the_birth_is_refused() {
    let case = Case::new().await;
    let tomorrow = (today() + 1.day()).to_string();
    let future = format!("Datum pregleda ne može biti u budućnosti (danas je {}).", time::date_text(today()));
    let unborn = "Datum pregleda ne može biti pre rođenja pacijenta (01.01.1951.).";
    for (date, message) in [(tomorrow.as_str(), future.as_str()), ("2030-01-01", &future), ("1950-12-31", unborn)] {
        case.lekar.post("/api/entry-values", case.request(date)).await.assert_error(422, Some("datumUnosa"), message);
        let told = case.count(date).await;
        assert_eq!((&told["isValid"], &told["poruka"]), (&json!(false), &json!(message)), "told before the form is filled");
    }
    case.lekar.post("/api/entry-values", case.request("1951-01-01")).await.assert_status(200);
    let saved = case.lekar.post("/api/entry-values", case.request(&today().to_string())).await.json();
    let mut moved = case.request(&tomorrow);
    moved["unosID"] = saved["snimljenUnosID"].clone();
    moved["verzija"] = saved["verzija"].clone();
    case.lekar.post("/api/entry-values", moved).await.assert_error(422, Some("datumUnosa"), &future);
}

#[tokio::test]
async fn what_the_server_takes_for_today_the_database_looks_at_again() {
    let mut case = Case::new().await;
    // A day later by the server's clock; the database's own has not moved.
    case.app.advance(SignedDuration::from_hours(24));
    case.lekar = case.app.sestra().await.0;
    let tomorrow = (today() + 1.day()).to_string();
    assert_eq!(case.count(&tomorrow).await["isValid"], json!(true));
    let refused = case.lekar.post("/api/entry-values", case.request(&tomorrow)).await;
    refused.assert_error(422, Some("datumUnosa"), "Datum pregleda ne može biti u budućnosti.");
}

#[tokio::test]
async fn a_birth_date_stays_before_the_first_examination() {
    let case = Case::new().await;
    case.lekar.post("/api/entry-values", case.request("2020-05-17")).await.assert_status(200);
    let path = format!("/api/patients/{}", case.patient);
    let later = |date: &str| json!({ "datumRodjenja": date, "jmbg": "0101970710001", "lbo": "12345678901", "potvrde": ["jmbgNeslaganje"] });
    case.lekar.patch(&path, later("2020-05-18")).await.assert_error(
        422,
        Some("datumRodjenja"),
        "Datum rođenja ne može biti posle pregleda od 17.05.2020.",
    );
    case.lekar.patch(&path, later("2020-05-17")).await.assert_status(200);
    let mut tx = db::begin(&case.app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    let past_the_api = sqlx::query("update patient set datum_rodjenja = '2020-05-18'").execute(&mut *tx).await.unwrap_err();
    assert_eq!(past_the_api.as_database_error().and_then(|error| error.constraint()), Some("patient_datum_rodjenja_to_entries"));
}

#[tokio::test]
async fn an_entry_of_a_day_to_come_is_nobodys_last_one_and_may_be_corrected() {
    let case = Case::new().await;
    let ahead = (today() + 40.days()).to_string();
    let future = case.old_entry(&ahead, 99).await;
    assert_eq!(case.last_entry().await, None);
    let now = case.old_entry("2026-01-10", 7).await;
    assert_eq!(case.last_entry().await, Some(now));
    let path = |call: &str| format!("/api/patients/{}/{call}registarID={}", case.patient, case.register.id);
    let latest = case.lekar.get(&path("latest-entries?")).await.json();
    assert_eq!(latest["data"][0]["snimljenUnosID"], json!(now));
    let chart = case.lekar.get(&path("chart?sifre=broj&")).await.json();
    assert_eq!(chart["podaci"].as_array().unwrap().len(), 1);
    // Its values may be corrected as long as its day stays; it may be moved to a real day.
    let shown = case.lekar.get(&format!("/api/entry-display?haID={future}")).await.json();
    let mut request = case.request(&ahead);
    request["unosID"] = json!(future);
    request["verzija"] = shown["tsa"]["verzija"].clone();
    request["vrednosti"][case.register.field("broj")] = json!(8);
    let corrected = case.lekar.post("/api/entry-values", request.clone()).await.json();
    assert_eq!(case.last_entry().await, Some(now));
    request["verzija"] = corrected["verzija"].clone();
    request["datumUnosa"] = json!("2026-02-01");
    case.lekar.post("/api/entry-values", request).await.assert_status(200);
    assert_eq!(case.last_entry().await, Some(future));
}

#[tokio::test]
async fn an_entry_whose_day_has_come_becomes_the_last_one() {
    let case = Case::new().await;
    case.old_entry("2026-01-10", 7).await;
    let ahead = case.old_entry(&(today() + 1.day()).to_string(), 8).await;
    // A day passes: the entry was made the day before.
    let mut tx = db::begin(&case.app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("alter table entry disable trigger all").execute(&mut *tx).await.unwrap();
    sqlx::query("update entry set datum_unosa = datum_unosa - 1, datum_kreiranja = datum_kreiranja - interval '1 day'")
        .execute(&mut *tx)
        .await
        .unwrap();
    sqlx::query("alter table entry enable trigger all").execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_ne!(case.last_entry().await, Some(ahead));
    let arrived: i64 = sqlx::query_scalar("select refresh_arrived_entries()").fetch_one(&case.app.db.app).await.unwrap();
    assert_eq!((arrived, case.last_entry().await), (1, Some(ahead)));
    let again: i64 = sqlx::query_scalar("select refresh_arrived_entries()").fetch_one(&case.app.db.app).await.unwrap();
    assert_eq!(again, 0);
}
