//! Visit plans: how windows are dated, which entry is which visit, who is late on a day, and who may see and change it.

mod arithmetic;
mod configuring;
mod days;
mod deeds;
mod keeping;
mod reporting;
mod taken_over;

use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister, Worker};

/// A register with a plan that patients get by themselves, and a doctor.
pub struct Case {
    pub app: TestApp,
    pub register: TestRegister,
    pub admin: Worker,
    pub lekar: Worker,
    pub plan: i64,
}

/// A visit of a plan, counted in months from the inclusion.
pub fn visit(sifra: &str, months: i32) -> Value {
    json!({ "sifra": sifra, "naziv": format!("Kontrola {sifra}"), "pomeraj": months, "prozorPre": 14, "prozorPosle": 14, "cekaDana": 30 })
}

impl Case {
    /// 0, 3 and 6 months.
    pub async fn new() -> Self {
        Self::with(json!([visit("M0", 0), visit("M3", 3), visit("M6", 6)])).await
    }

    pub async fn with(stavke: Value) -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let (admin, lekar) = (app.admin().await.0, app.lekar().await.0);
        let path = format!("/api/registers/{}/visit-plans", register.id);
        let made = admin.post(&path, json!({ "sifra": "P", "naziv": "Praćenje", "podrazumevani": true, "stavke": stavke })).await;
        let plan = made.assert_status(201).json()["id"].as_i64().expect("a plan");
        Self { app, register, admin, lekar, plan }
    }

    pub async fn patient(&self, number: i64) -> i64 {
        self.app.patient(&self.register, "Ana", "Anić", self.app.ustanova, number).await
    }

    pub async fn entry(&self, patient: i64, day: &str) -> i64 {
        self.app.entry(&self.register, patient, self.app.ustanova, day, json!({ "broj": 5 })).await
    }

    /// The patient's visits as the doctor's page shows them on a day.
    pub async fn page(&self, patient: i64, day: &str) -> Value {
        self.page_of(&self.lekar, patient, day).await
    }

    pub async fn page_of(&self, worker: &Worker, patient: i64, day: &str) -> Value {
        let path = format!("/api/patients/{patient}/visit-plan?registarID={}&dan={day}", self.register.id);
        worker.get(&path).await.assert_status(200).json()
    }

    /// Code, target and state of each visit on a day.
    pub async fn states(&self, patient: i64, day: &str) -> Vec<(String, String, String)> {
        let page = self.page(patient, day).await;
        let text = |visit: &Value, name: &str| visit[name].as_str().unwrap_or_default().to_owned();
        let visits = page["posete"].as_array().expect("visits").iter();
        visits.map(|visit| (text(visit, "sifra"), text(visit, "cilj"), text(visit, "stanje"))).collect()
    }

    /// The id of a visit by its code.
    pub async fn visit_id(&self, patient: i64, sifra: &str) -> i64 {
        sqlx::query_scalar(
            "select v.id from planned_visit v join patient_plan p on p.id = v.patient_plan_id where p.pacijent_id = $1 and v.sifra = $2",
        )
        .bind(patient)
        .bind(sifra)
        .fetch_one(&self.app.db.owner)
        .await
        .expect("a visit")
    }

    pub async fn run(&self, statement: &'static str, patient: i64) {
        let mut tx = domain::db::begin(&self.app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        sqlx::query(statement).bind(patient).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
        tx.commit().await.unwrap();
    }
}

/// What `states` gives, written shortly.
pub fn told(visits: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    visits.iter().map(|(sifra, cilj, stanje)| ((*sifra).to_owned(), (*cilj).to_owned(), (*stanje).to_owned())).collect()
}
