//! Two who begin one visit: the second is told who began it, and joins that entry with all that was typed.

use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister, Worker};

const DAY: &str = "2026-03-05";
const TAKEN: &str = "Za taj dan već postoji unos.";

struct Case {
    app: TestApp,
    register: TestRegister,
    patient: i64,
}

impl Case {
    /// A form with so many entries a day, and in all.
    async fn with_limits(a_day: Option<i32>, in_all: Option<i32>) -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        sqlx::query("update form set maksimalan_broj_instanci_po_kontaktu = $2, maksimalan_broj_instanci_po_pacijentu = $3 where id = $1")
            .bind(register.form)
            .bind(a_day)
            .bind(in_all)
            .execute(&mut *tx)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        Self { app, register, patient }
    }

    fn values(&self, by_code: &Value) -> Value {
        let values = by_code.as_object().unwrap().iter().map(|(code, value)| (self.register.field(code), value.clone()));
        values.collect::<serde_json::Map<_, _>>().into()
    }

    /// A new entry as the screen sends it.
    fn begun(&self, doctor: i64, day: &str, by_code: Value) -> Value {
        json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient,
            "vrednosti": self.values(&by_code), "radnikOdgovoran": doctor, "datumUnosa": day,
        })
    }

    async fn counted(&self, asker: &Worker, day: &str) -> Value {
        let path = format!("/api/entry-count?pacijentID={}&thaID={}&datumUnosa={day}", self.patient, self.register.form);
        asker.get(&path).await.json()
    }

    async fn name_of(&self, worker: i64) -> String {
        let name = sqlx::query_scalar("select prezime || ' ' || ime from worker where id = $1").bind(worker);
        name.fetch_one(&self.app.db.owner).await.unwrap()
    }
}

#[tokio::test]
async fn the_second_is_told_who_began_the_visit_and_joins_it_with_all_that_was_typed() {
    let case = Case::with_limits(Some(1), None).await;
    let first = case.app.lekar().await;
    let second = case.app.worker("drugi", &[], case.app.ustanova).await;
    let typed = json!({ "broj": 5, "tekst": "prvi" });
    let made = first.post("/api/entry-values", case.begun(first.id, DAY, typed)).await.assert_status(200).json();

    let mine = case.begun(first.id, DAY, json!({ "broj": 7, "skup": [case.register.items["prva"]] }));
    let refused = second.post("/api/entry-values", mine.clone()).await;
    refused.assert_refusal(422, Some("datumUnosa"), "Za taj dan već postoji unos. Otvorite ga.");
    let begun = &refused.refusal(422)["postojeci"][0];
    assert_eq!(begun["unosID"], made["snimljenUnosID"]);
    assert_eq!((&begun["kreirao"], &begun["datumUnosa"]), (&json!(case.name_of(first.id).await), &json!(DAY)));
    assert!(begun["datumKreiranja"].is_string());
    assert_eq!(begun["pravoIzmene"], json!(true));
    let counted = case.counted(&second, DAY).await;
    assert_eq!((&counted["isValid"], &counted["postojeci"]), (&json!(false), &refused.refusal(422)["postojeci"]));

    // Joining: what the second typed stands against nothing, for the two began from the same blank form.
    let mut join = mine;
    join["unosID"] = begun["unosID"].clone();
    join["osnovaDatumUnosa"] = json!(DAY);
    join["osnovaRadnikOdgovoran"] = json!(first.id);
    let clash = second.post("/api/entry-values", join.clone()).await.refusal(409);
    let field = case.register.field("broj");
    assert_eq!(clash["sukobi"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&clash["sukobi"][0]["polje"], &clash["sukobi"][0]["moje"], &clash["sukobi"][0]["njihovo"]),
        (&json!(field), &json!(7), &json!(5))
    );
    join["osnova"] = clash["vrednosti"].clone();
    join["verzija"] = clash["verzija"].clone();
    let mut joined = clash["spojeno"].as_object().unwrap().clone();
    joined.retain(|name, _| name.parse::<i64>().is_ok());
    joined.insert(field, json!(7));
    join["vrednosti"] = joined.into();
    let saved = second.post("/api/entry-values", join).await.assert_status(200).json();
    assert_eq!(saved["snimljenUnosID"], made["snimljenUnosID"]);
    let kept = case.values(&json!({ "broj": 7, "tekst": "prvi", "skup": [case.register.items["prva"]] }));
    for (field, value) in kept.as_object().unwrap() {
        assert_eq!(&saved["vrednosti"][field], value);
    }
}

#[tokio::test]
async fn an_only_entry_of_the_patient_is_joined_on_its_own_day_alone() {
    let case = Case::with_limits(None, Some(1)).await;
    let lekar = case.app.lekar().await;
    let request = |day: &str| case.begun(lekar.id, day, json!({ "broj": 1 }));
    let made = lekar.post("/api/entry-values", request(DAY)).await.assert_status(200).json();
    let message = "Nije moguće kreirati unos jer premašuje maksimalan broj mogućih kreiranih po pacijentu 1";
    for (day, existing) in [(DAY, 1), ("2026-03-06", 0)] {
        let refused = lekar.post("/api/entry-values", request(day)).await;
        refused.assert_refusal(422, Some("tsaID"), message);
        let body = refused.refusal(422);
        let found = body["postojeci"].as_array().unwrap();
        assert_eq!(found.len(), existing, "{day}");
        assert!(found.iter().all(|one| one["unosID"] == made["snimljenUnosID"]));
    }
}

#[tokio::test]
async fn who_may_only_read_the_entry_is_told_so_and_who_may_not_open_it_gets_no_number_of_it() {
    let case = Case::with_limits(Some(1), None).await;
    let own = case.app.entry(&case.register, case.patient, case.app.druga_ustanova, DAY, json!({ "broj": 1 })).await;
    let lekar = case.app.lekar().await;
    let request = case.begun(lekar.id, DAY, json!({ "broj": 1 }));
    let read = lekar.post("/api/entry-values", request.clone()).await.refusal(422);
    assert_eq!((&read["postojeci"][0]["unosID"], &read["postojeci"][0]["pravoIzmene"]), (&json!(own), &json!(false)));

    // An institution that took the patient over reads its own entries only.
    let taker = case.app.worker("preuzima", &[], case.app.druga_ustanova).await;
    let person = case.app.person(&case.register, case.app.ustanova, 7).await;
    case.app.entry(&case.register, person.id, case.app.ustanova, DAY, json!({ "broj": 1 })).await;
    let mut taking = json!({ "razlog": "Upućen na dalje lečenje", "registarID": case.register.id });
    for name in ["ime", "prezime", "datumRodjenja", "jmbg", "lbo"] {
        taking[name] = person.record[name].clone();
    }
    taker.post("/api/patient-takings", taking).await.assert_status(200);
    let taken = Case { patient: person.id, ..case };
    let hidden = taker.post("/api/entry-values", taken.begun(taker.id, DAY, json!({ "broj": 1 }))).await;
    hidden.assert_refusal(422, Some("datumUnosa"), TAKEN);
    assert_eq!(hidden.refusal(422)["postojeci"], json!([]));
    assert_eq!(taken.counted(&taker, DAY).await["postojeci"], json!([]));
}

#[tokio::test]
async fn a_day_with_room_for_two_names_both_once_it_is_full() {
    let case = Case::with_limits(Some(2), None).await;
    let lekar = case.app.lekar().await;
    let request = case.begun(lekar.id, DAY, json!({ "broj": 1 }));
    for _ in 0..2 {
        lekar.post("/api/entry-values", request.clone()).await.assert_status(200);
    }
    let refused = lekar.post("/api/entry-values", request).await.refusal(422);
    assert_eq!(refused["message"], json!("Za taj dan već postoji onoliko unosa koliko ih najviše može biti (2). Otvorite jedan od njih."));
    assert_eq!(refused["postojeci"].as_array().map(Vec::len), Some(2));
}
