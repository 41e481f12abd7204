//! A day in a form that says what becomes of the patient: recorded with the save, corrected and taken back with it, at the import too; and it
//! speaks against nobody who said it on the patient's page.

use accounts::rights::Right;
use domain::db as database;
use serde_json::{Value, json};

use crate::{
    import_data::{self, ANA, MAPPING},
    import_register::DEFINITION,
    support::{Answer, TestApp, TestRegister, Worker},
};

/// A register whose date says when the patient died, and a doctor who may say so.
struct Case {
    app: TestApp,
    register: TestRegister,
    patient: i64,
    doctor: Worker,
}

impl Case {
    async fn new(status: &str) -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let designer = app.worker("urednik", &[Right::Registers], app.ustanova).await;
        let path = format!("/api/form-fields/{}", register.fields["datum"]);
        let mut field = designer.get(&path).await.json();
        field["postavljaStatus"] = json!(status);
        designer.put(&path, field).await.assert_status(200);
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let doctor = app.worker("doktorka", &[Right::PatientStatus], app.ustanova).await;
        Self { app, register, patient, doctor }
    }

    fn entry(&self, day: &str, said: Value) -> Value {
        json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient, "radnikOdgovoran": self.doctor.id,
            "vrednosti": { self.register.field("broj"): 5, self.register.field("datum"): said }, "datumUnosa": day,
        })
    }

    async fn save(&self, day: &str, said: Value) -> Answer {
        self.doctor.post("/api/entry-values", self.entry(day, said)).await
    }

    /// Saves the entry again, as it is now but for the day that it says.
    async fn again(&self, entry: i64, day: &str, said: Value) -> Answer {
        self.again_by(&self.doctor, entry, day, said).await
    }

    async fn again_by(&self, worker: &Worker, entry: i64, day: &str, said: Value) -> Answer {
        let verzija: i32 =
            sqlx::query_scalar("select verzija from entry where id = $1").bind(entry).fetch_one(&self.app.db.owner).await.unwrap();
        let mut body = self.entry(day, said);
        (body["unosID"], body["verzija"], body["radnikOdgovoran"]) = (json!(entry), json!(verzija), json!(self.doctor.id));
        worker.post("/api/entry-values", body).await
    }

    /// What holds in the register, by the patient's page.
    async fn holds(&self) -> (Value, Value) {
        let patient = self.doctor.get(&format!("/api/patients/{}", self.patient)).await.json();
        (patient["registri"][0]["status"].clone(), patient["registri"][0]["statusDan"].clone())
    }

    async fn history(&self) -> Vec<Value> {
        let told = self.doctor.get(&format!("/api/patients/{}/statuses", self.patient)).await.json();
        told["istorija"].as_array().expect("rows").clone()
    }

    fn field(&self) -> String {
        self.register.field("datum")
    }
}

fn id_of(answer: &Answer) -> i64 {
    answer.assert_status(200).json()["snimljenUnosID"].as_i64().expect("an entry")
}

#[tokio::test]
async fn a_day_in_a_form_is_a_death_with_its_history_and_goes_when_it_is_taken_out() {
    let case = Case::new("preminuo").await;
    let entry = id_of(&case.save("2024-05-01", json!("2024-06-01")).await);
    assert_eq!(case.holds().await, (json!("preminuo"), json!("2024-06-01")));
    let told = case.history().await;
    assert_eq!((&told[0]["izvor"], &told[0]["napomena"]), (&json!("ustanova"), &json!("Iz formulara „Pregled”, polje „datum”.")));
    // No entry is written after it, and saving the same again says nothing new.
    assert_eq!(case.save("2024-07-01", Value::Null).await.refusal(422)["field"], "datumUnosa");
    id_of(&case.again(entry, "2024-05-01", json!("2024-06-01")).await);
    assert_eq!(case.history().await.len(), 1);

    id_of(&case.again(entry, "2024-05-01", json!("2024-06-03")).await);
    assert_eq!((case.holds().await, case.history().await.len()), ((json!("preminuo"), json!("2024-06-03")), 2));
    id_of(&case.again(entry, "2024-05-01", Value::Null).await);
    assert_eq!(case.holds().await, (json!("aktivan"), Value::Null));

    // It goes with its entry, and comes back with it.
    id_of(&case.again(entry, "2024-05-01", json!("2024-06-02")).await);
    case.doctor.post("/api/delete-entry", json!({ "id": entry })).await.assert_status(204);
    assert_eq!(case.holds().await, (json!("aktivan"), Value::Null));
    case.doctor.post("/api/restore-entry", json!({ "id": entry })).await.assert_status(204);
    assert_eq!(case.holds().await, (json!("preminuo"), json!("2024-06-02")));
}

#[tokio::test]
async fn a_form_speaks_against_no_entry_no_person_and_nobodys_right() {
    let case = Case::new("preminuo").await;
    let later = id_of(&case.save("2024-08-01", Value::Null).await);
    let before_entries = case.save("2024-05-01", json!("2024-06-01")).await.refusal(422);
    assert_eq!(before_entries["field"], case.field());
    assert!(before_entries["message"].as_str().unwrap().contains("01.08.2024."), "{before_entries}");
    assert_eq!(case.history().await.len(), 0);
    for (day, word) in [("1800-01-01", "18"), ("2100-01-01", "budućnosti")] {
        let refused = case.save("2024-05-01", json!(day)).await.refusal(422);
        assert_eq!(refused["field"], case.field(), "{word}: {refused}");
    }
    case.doctor.post("/api/delete-entry", json!({ "id": later })).await.assert_status(204);

    // Whoever may not record a status saves what says none, and leaves the day as it is.
    let nurse = case.app.worker("sestra", &[], case.app.ustanova).await;
    let entry = id_of(&case.save("2024-05-01", json!("2024-06-01")).await);
    id_of(&case.again_by(&nurse, entry, "2024-05-02", json!("2024-06-01")).await);
    for said in [json!("2024-06-02"), Value::Null] {
        let refused = case.again_by(&nurse, entry, "2024-05-02", said).await.refusal(422);
        assert_eq!(refused["field"], case.field(), "{refused}");
    }

    // What a person corrects on the page stands: the form neither changes it nor takes it back.
    let row = case.history().await[0]["id"].clone();
    let corrected = json!({ "status": "preminuo", "dan": "2024-06-05", "izvor": "potvrda", "ispravljaID": row, "napomena": "Po potvrdi" });
    case.doctor.post(&format!("/api/patients/{}/statuses", case.patient), corrected).await.assert_status(201);
    let refused = case.again(entry, "2024-05-02", json!("2024-06-03")).await.refusal(422);
    assert!(refused["message"].as_str().unwrap().contains("smrt je već zabeležena (05.06.2024.)"), "{refused}");
    id_of(&case.again(entry, "2024-05-02", json!("2024-06-05")).await);
    id_of(&case.again(entry, "2024-05-02", Value::Null).await);
    assert_eq!(case.holds().await, (json!("preminuo"), json!("2024-06-05")));
}

#[tokio::test]
async fn only_a_date_that_people_enter_sets_a_status() {
    let case = Case::new("izgubljen").await;
    id_of(&case.save("2024-05-01", json!("2024-06-01")).await);
    assert_eq!(case.holds().await, (json!("izgubljen"), json!("2024-06-01")));
    // In the register whose form it is, and the patient may come again.
    case.save("2024-07-01", Value::Null).await.assert_status(200);
    let designer = case.app.worker("drugi", &[Right::Registers], case.app.ustanova).await;
    let path = format!("/api/form-fields/{}", case.register.fields["broj"]);
    let mut number = designer.get(&path).await.json();
    number["postavljaStatus"] = json!("izgubljen");
    let refused = designer.put(&path, number).await.refusal(422);
    assert_eq!(refused["field"], "postavljaStatus");
}

#[tokio::test]
async fn a_file_says_what_its_forms_say() {
    let definition =
        DEFINITION.replace("tipAtributa = \"Datum\", nadredjeni", "tipAtributa = \"Datum\", postavljaStatus = \"preminuo\", nadredjeni");
    let db = import_data::database_of(&definition).await;
    for _ in 0..2 {
        import_data::import(&db, MAPPING, import_data::file(&[ANA])).await.unwrap();
    }
    let recorded: Vec<(String, String, String, bool)> =
        sqlx::query_as("select status, dan::text, izvor, unos_id is not null from patient_status").fetch_all(&db.owner).await.unwrap();
    assert_eq!(recorded, [("preminuo".to_owned(), "2024-06-01".to_owned(), "uvoz".to_owned(), true)]);
    let early = import_data::database_of(&definition).await;
    let refused = import_data::import(&early, MAPPING, import_data::file(&[&ANA.replace("01.06.2024.", "01.05.2024.")])).await.unwrap_err();
    assert!(refused.len() == 1 && refused[0].contains("smrt je pre pregleda od 06.05.2024."), "{refused:?}");
}

#[tokio::test]
async fn a_file_that_changes_an_entry_corrects_what_its_field_told() {
    let of = |status: &str| {
        DEFINITION
            .replace("tipAtributa = \"Datum\", nadredjeni", &format!("tipAtributa = \"Datum\", postavljaStatus = \"{status}\", nadredjeni"))
    };
    let updating = MAPPING.replace("date = \"datum\"", "date = \"datum\"\nexisting = \"update\"");
    let saying = |day: &str| ANA.replace("01.06.2024.", day);
    for status in ["preminuo", "izgubljen"] {
        let db = import_data::database_of(&of(status)).await;
        let bring = async |mapping: &str, day: &str| import_data::import(&db, mapping, import_data::file(&[&saying(day)])).await;
        let rows = async || -> Vec<(String, Option<i64>, bool, bool)> {
            let sql = "select dan::text, ispravlja_id, ponisten, id in (select id from status_in_force) from patient_status order by id";
            sqlx::query_as(sql).fetch_all(&db.owner).await.unwrap()
        };
        bring(MAPPING, "01.06.2024.").await.unwrap();
        // What is kept is kept.
        bring(MAPPING, "03.06.2024.").await.unwrap();
        assert_eq!(rows().await.len(), 1, "{status}");
        bring(&updating, "03.06.2024.").await.unwrap();
        bring(&updating, "03.06.2024.").await.unwrap();
        let told = rows().await;
        assert_eq!(
            (told.len(), told[1].0.as_str(), told[1].1.is_some(), told[0].3, told[1].3),
            (2, "2024-06-03", true, false, true),
            "{status}: {told:?}"
        );
        // Taken out of the file, it never was; put in again, it is told anew.
        bring(&updating, "").await.unwrap();
        let told = rows().await;
        assert!(told.len() == 3 && told[2].2 && told.iter().all(|row| !row.3), "{status}: {told:?}");
        bring(&updating, "05.06.2024.").await.unwrap();
        // What a person corrects stands, whether the file says the same again or takes it out.
        let corrected = "insert into patient_status (pacijent_id, registar_id, status, dan, izvor, napomena, ispravlja_id, ustanova_id)
                         select pacijent_id, registar_id, status, '2024-06-07', 'potvrda', 'Po potvrdi', id, ustanova_id from status_in_force";
        let mut tx = database::begin(&db.owner, database::SYSTEM_WORKER).await.unwrap();
        sqlx::query(corrected).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        bring(&updating, "05.06.2024.").await.unwrap();
        let told = rows().await;
        assert_eq!(told.iter().filter(|row| row.3).map(|row| row.0.as_str()).collect::<Vec<_>>(), ["2024-06-07"], "{status}: {told:?}");
        if status == "preminuo" {
            let refused = bring(&updating, "06.06.2024.").await.unwrap_err();
            assert!(refused.len() == 1 && refused[0].contains("u bazi je zabeležena smrt 07.06.2024."), "{refused:?}");
        }
        bring(&updating, "").await.unwrap();
        assert_eq!(rows().await.iter().filter(|row| row.3).count(), 1, "{status}");
    }
}
