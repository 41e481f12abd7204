//! A patient who was taken over stands on the lists of whoever took her over, from the day on which it did.

use std::time::Duration;

use accounts::rights::Right;
use domain::report_sql::{Binds, Scope};
use serde_json::{Value, json};

use super::Case;
use crate::support::Worker;

/// Both hospitals, each with somebody who may transfer patients.
struct Two {
    case: Case,
    first: Worker,
    second: Worker,
}

/// What one institution has of the patients it awaits, at each door.
#[derive(Clone, Debug, PartialEq)]
struct Awaited {
    moj_dan: Value,
    kasni: Value,
    kalendar: i64,
    izvestaj: usize,
    pismo: Option<i32>,
}

impl Two {
    async fn new() -> Self {
        let case = Case::new().await;
        let app = &case.app;
        let (first, second) =
            (app.worker("prva", &[Right::Transfer], app.ustanova).await, app.worker("druga", &[Right::Transfer], app.druga_ustanova).await);
        case.run("update worker set email = username || '@kcs.rs' where username in ('prva', 'druga') and $1 > 0", 1).await;
        let wanted = "insert into worker_start (radnik_id, pocetna, nedeljni_pregled)
                      select id, 'pacijenti', true from worker where username in ('prva', 'druga') and $1 > 0";
        case.run(wanted, 1).await;
        Self { case, first, second }
    }

    /// A day by its distance from today.
    async fn day(&self, days: i32) -> String {
        sqlx::query_scalar("select (today() + $1)::text").bind(days).fetch_one(&self.case.app.db.owner).await.unwrap()
    }

    async fn transfer(&self, patient: i64, from: &Worker, to: &Worker, institution: i64) {
        let offer = json!({ "pacijentID": patient, "ustanovaID": institution, "razlog": "Preselila se u drugi grad" });
        let offered = from.post("/api/patient-transfers", offer).await.assert_status(200).json()["id"].clone();
        to.post(&format!("/api/patient-transfers/{offered}/accept"), json!({})).await.assert_status(204);
    }

    /// The same at each door: what is late today, and what the plan has around today.
    async fn awaited(&self, worker: &Worker, institution: i64) -> Awaited {
        let list =
            async |kind: &str| worker.get(&format!("/api/planned-visits?vrsta={kind}")).await.assert_status(200).json()["ukupno"].clone();
        let (from, until) = (self.day(-20).await, self.day(79).await);
        let days = worker.get(&format!("/api/planned-visit-calendar?od={from}&do={until}")).await.assert_status(200).json();
        let scope = Scope { run: None, radnik_id: self.case.app.db.clinician().await, ustanova_id: Some(institution) };
        let late = format!("select v.id from report.poseta v where v.stanje in ('kasni', 'propustena') and v.ustanova_id = {institution}");
        let report = self.case.app.state.report_db.small(scope, &late, &Binds::new(), Duration::from_secs(20), 1_000).await;
        Awaited {
            moj_dan: worker.get("/api/my-day").await.assert_status(200).json()["ustanove"]["kasni"].clone(),
            kasni: list("kasni").await,
            kalendar: days["data"].as_array().unwrap().iter().map(|day| day["broj"].as_i64().unwrap()).sum(),
            izvestaj: report.unwrap().rows.len(),
            pismo: self.letter(institution).await,
        }
    }

    /// How many are late by the letter of this week, written anew; none before it is time for letters.
    async fn letter(&self, institution: i64) -> Option<i32> {
        let mut tx = domain::db::begin(&self.case.app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        for statement in
            ["delete from report_delivery where pregled_id is not null", "delete from visit_digest", "select write_visit_digests()"]
        {
            sqlx::query(statement).execute(&mut *tx).await.unwrap();
        }
        let found = sqlx::query_scalar("select kasni from visit_digest where ustanova_id = $1").bind(institution);
        let found = found.fetch_optional(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        found
    }

    /// Of the first hospital and of the second, how many are late and how many the calendar has.
    async fn both(&self) -> [(i64, i64); 2] {
        let app = &self.case.app;
        let mut told = Vec::new();
        for (worker, institution) in [(&self.first, app.ustanova), (&self.second, app.druga_ustanova)] {
            let here = self.awaited(worker, institution).await;
            let late = here.kasni.as_i64().unwrap();
            let letter = here.pismo.map(|_| i32::try_from(late).unwrap());
            let alike = Awaited { moj_dan: json!(late), izvestaj: usize::try_from(late).unwrap(), pismo: letter, ..here.clone() };
            assert_eq!(here, alike, "each door says the same");
            told.push((late, here.kalendar));
        }
        [told[0], told[1]]
    }
}

#[tokio::test]
async fn whoever_took_a_patient_over_awaits_her_before_its_first_entry_at_every_door() {
    let two = Two::new().await;
    let (case, app) = (&two.case, &two.case.app);
    let patient = case.patient(1).await;
    case.entry(patient, &two.day(-109).await).await;
    assert_eq!(two.both().await, [(1, 2), (0, 0)]);
    two.transfer(patient, &two.first, &two.second, app.druga_ustanova).await;
    assert_eq!(two.both().await, [(0, 0), (1, 2)]);
    let page = case.page_of(&two.second, patient, &two.day(0).await).await;
    assert_eq!((&page["posete"][1]["sifra"], &page["posete"][1]["stanje"]), (&json!("M3"), &json!("kasni")), "{page}");

    // Given back, the first hospital awaits her again.
    two.transfer(patient, &two.second, &two.first, app.ustanova).await;
    assert_eq!(two.both().await, [(1, 2), (0, 0)]);
    two.transfer(patient, &two.first, &two.second, app.druga_ustanova).await;
    assert_eq!(two.both().await, [(0, 0), (1, 2)]);

    // An old visit that the first hospital types in later takes nobody back; one after the transfer does, until the keeper has seen her.
    case.entry(patient, &two.day(-120).await).await;
    assert_eq!(two.both().await.map(|(late, _)| late), [0, 1]);
    case.run("update patient_transfer set odgovoreno_at = odgovoreno_at - interval '3 days' where pacijent_id = $1", patient).await;
    case.entry(patient, &two.day(-1).await).await;
    assert_eq!(two.both().await, [(0, 1), (0, 0)]);
    app.entry(&case.register, patient, app.druga_ustanova, &two.day(0).await, json!({ "broj": 1 })).await;
    assert_eq!(two.both().await, [(0, 0), (0, 1)]);
}

#[tokio::test]
async fn whoever_merely_registered_a_patient_awaits_her_not() {
    let two = Two::new().await;
    let (case, app) = (&two.case, &two.case.app);
    let patient = app.patient(&case.register, "Mara", "Marić", app.druga_ustanova, 2).await;
    case.entry(patient, &two.day(-109).await).await;
    assert_eq!(two.both().await, [(1, 2), (0, 0)]);
}
