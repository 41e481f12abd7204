//! Writing what is signed or locked.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, TestRegister, Worker};

pub const PASSWORD: &str = "zeleni vagon peva";

/// An entry of 2024-02-01 and a worker who holds the three rights.
pub struct Case {
    pub app: TestApp,
    register: TestRegister,
    pub patient: i64,
    entry: i64,
    pub doctor: Worker,
}

impl Case {
    pub async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let rights = [Right::EntryFinishing, Right::EntrySigning, Right::EntryLocking];
        let doctor = app.worker("doktorka", &rights, app.ustanova).await;
        app.set_password(&doctor, PASSWORD).await;
        let mut case = Self { app, register, patient, entry: 0, doctor };
        let saved = case.save(None, "2024-02-01", 5, json!({})).await.assert_status(200).json();
        case.entry = saved["snimljenUnosID"].as_i64().expect("an entry");
        case
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/api/entries/{}/{rest}", self.entry)
    }

    pub async fn state(&self) -> Value {
        self.doctor.get(&self.path("states")).await.assert_status(200).json()
    }

    pub async fn deed(&self, deed: &str, mut body: Value, status: u16) {
        body["verzija"] = self.state().await["verzija"].clone();
        self.doctor.post(&self.path(deed), body).await.assert_status(status);
    }

    pub async fn sign(&self) {
        self.deed("sign", json!({ "znacenje": "autor", "lozinka": PASSWORD }), 204).await;
    }

    async fn save(&self, entry: Option<i64>, day: &str, number: i64, more: Value) -> Answer {
        let mut body = json!({
            "unosID": entry, "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient,
            "radnikOdgovoran": self.doctor.id, "vrednosti": { self.register.field("broj"): number }, "datumUnosa": day,
        });
        if entry.is_some() {
            body["verzija"] = self.state().await["verzija"].clone();
        }
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        self.doctor.post("/api/entry-values", body).await
    }

    async fn change(&self, day: &str, number: i64, more: Value) -> Answer {
        self.save(Some(self.entry), day, number, more).await
    }

    pub async fn lock_period(&self, day: &str) -> i64 {
        let body = json!({ "registarID": self.register.id, "doDana": day, "razlog": "Kraj kvartala" });
        self.doctor.post("/api/period-locks", body).await.assert_status(201).json()["id"].as_i64().expect("a lock")
    }
}

fn told(answer: Answer) -> String {
    answer.refusal(409)["message"].as_str().expect("a message").to_owned()
}

#[tokio::test]
async fn a_save_ends_a_signature_only_when_it_says_so() {
    let case = Case::new().await;
    case.deed("finish", json!({}), 204).await;
    case.sign().await;
    assert!(told(case.change("2024-02-01", 6, json!({})).await).contains("potpis prestaje da važi"));
    assert_eq!(case.state().await["stanje"], "potpisan");
    // Nothing changes: nothing ends.
    case.change("2024-02-01", 5, json!({})).await.assert_status(200);
    assert_eq!(case.state().await["stanje"], "potpisan");
    assert!(told(case.doctor.post("/api/delete-entry", json!({ "id": case.entry })).await).contains("potpisan"));
    case.change("2024-02-01", 6, json!({ "potvrdjenKrajPotpisa": true })).await.assert_status(200);
    let after = case.state().await;
    assert_eq!((&after["stanje"], &after["istorija"][0]["radnja"]), (&json!("uRadu"), &json!("izmena")));
    assert_eq!((&after["istorija"][1]["vazi"], &after["istorija"][1]["otisakOdgovara"]), (&json!(false), &json!(false)));
}

#[tokio::test]
async fn a_locked_entry_is_neither_saved_nor_redated_nor_deleted() {
    let case = Case::new().await;
    case.deed("lock", json!({ "razlog": "Kraj kvartala" }), 204).await;
    for answer in [
        case.change("2024-02-01", 6, json!({})).await,
        case.change("2024-02-02", 5, json!({})).await,
        case.change("2024-02-01", 6, json!({ "potvrdjenKrajPotpisa": true })).await,
        case.doctor.post("/api/delete-entry", json!({ "id": case.entry })).await,
    ] {
        let message = told(answer);
        assert!(message.contains("Test Doktorka") || message.contains("Doktorka"), "{message}");
        assert!(message.contains("Kraj kvartala") && message.contains("Otključava radnik"), "{message}");
    }
    case.deed("unlock", json!({ "razlog": "Ispravka" }), 204).await;
    case.change("2024-02-01", 6, json!({})).await.assert_status(200);
}

#[tokio::test]
async fn a_locked_period_takes_no_new_entry_and_lets_none_out_or_in() {
    let case = Case::new().await;
    let lock = case.lock_period("2024-03-31").await;
    assert_eq!(case.state().await["zakljucano"]["vrsta"], "period");
    told(case.save(None, "2024-03-31", 5, json!({})).await);
    told(case.change("2024-02-01", 6, json!({})).await);
    told(case.change("2024-04-01", 5, json!({})).await);
    told(case.doctor.post("/api/delete-entry", json!({ "id": case.entry })).await);
    let later = case.save(None, "2024-04-01", 5, json!({})).await.assert_status(200).json();
    told(case.save(later["snimljenUnosID"].as_i64(), "2024-03-31", 5, json!({ "verzija": later["verzija"] })).await);
    let unlock = format!("/api/period-locks/{lock}/unlock");
    case.doctor.post(&unlock, json!({})).await.assert_status(422);
    case.doctor.post(&unlock, json!({ "razlog": "Ispravka" })).await.assert_status(204);
    case.doctor.post(&unlock, json!({ "razlog": "Ispravka" })).await.assert_status(409);
    case.change("2024-02-01", 6, json!({})).await.assert_status(200);
}

#[tokio::test]
async fn a_lock_of_another_institution_holds_nothing_here() {
    let case = Case::new().await;
    let elsewhere = case.app.worker("drugde", &[Right::EntryLocking], case.app.druga_ustanova).await;
    let body = json!({ "registarID": case.register.id, "doDana": "2024-03-31", "razlog": "Kraj kvartala" });
    let lock = elsewhere.post("/api/period-locks", body).await.assert_status(201).json()["id"].clone();
    case.change("2024-02-01", 6, json!({})).await.assert_status(200);
    case.doctor.post(&format!("/api/period-locks/{lock}/unlock"), json!({ "razlog": "Tuđe" })).await.assert_status(404);
    assert_eq!(case.doctor.get("/api/period-locks").await.json()["total"], 0);
}
