//! Rules of a form: an error refuses a save, on the server too; a warning does not. What was published later holds nobody to it who has
//! changed nothing, and an entry keeps the rules of its version.

use accounts::rights::Right;
use domain::{
    entry::{
        form::EntryForm,
        recompute::{Reason, Verdict, weigh},
        stale::EnteredUnits,
        values::from_json,
    },
    formula::FormulaSurroundings,
};
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    doctor: Worker,
    designer: Worker,
    patient: i64,
    entry: i64,
}

fn rule(id: i64, uslov: &str, poruka: &str, vrsta: &str, polje: Option<&str>) -> Value {
    json!({ "id": id, "uslov": uslov, "poruka": poruka, "vrsta": vrsta, "polje": polje })
}

impl Case {
    /// broj 95, zbir 96; saved by version 1, which has no rules.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let doctor = app.worker("doktor", &[Right::Reports], app.ustanova).await;
        let designer = app.worker("urednik", &[Right::Registers], app.ustanova).await;
        app.lay_out(&[
            "update form_field set formula_za_racunanje = '$(broj) + 1' where sifra = 'zbir'",
            "update form_field set formula_za_prikaz = '$(izbor) = 1' where sifra = 'skriveno'",
        ])
        .await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let entry = app.entry(&register, patient, app.ustanova, "2024-05-01", json!({ "broj": 95, "zbir": 96 })).await;
        Self { app, register, doctor, designer, patient, entry }
    }

    fn path(&self, more: &str) -> String {
        format!("/api/forms/{}/draft{more}", self.register.form)
    }

    /// The draft with these rules, and `fields` of its fields by code; what was said of it.
    async fn save_draft(&self, rules: Value, fields: Value) -> Value {
        let draft = match self.designer.get(&self.path("")).await.json()["nacrt"].clone() {
            Value::Null => self.designer.post(&self.path(""), json!({})).await.assert_status(201).json(),
            draft => draft,
        };
        let mut document = draft["dokument"].clone();
        document["pravila"] = rules;
        for (code, properties) in fields.as_object().expect("properties by code") {
            let field = document["polja"].as_array_mut().unwrap().iter_mut().find(|field| field["sifra"] == **code).expect("a field");
            for (name, value) in properties.as_object().expect("properties") {
                field[name] = value.clone();
            }
        }
        let body = json!({ "verzija": draft["verzija"], "dokument": document });
        self.designer.put(&self.path(""), body).await.assert_status(200).json()
    }

    async fn publish(&self, saved: &Value) -> Answer {
        self.designer.post(&self.path("/publish"), json!({ "verzija": saved["verzija"] })).await
    }

    async fn published(&self, rules: Value, fields: Value) {
        let saved = self.save_draft(rules, fields).await;
        assert_eq!(saved["greske"], json!([]));
        self.publish(&saved).await.assert_status(200);
    }

    async fn shown(&self, newest: bool) -> Value {
        let path = format!("/api/entry-display?haID={}&najnoviji={newest}", self.entry);
        self.doctor.get(&path).await.assert_status(200).json()
    }

    /// A new entry, or a correction of the one that is there as `shown` has it, with these values by code.
    async fn save(&self, shown: Option<&Value>, date: &str, values: Value) -> Answer {
        let values: serde_json::Map<String, Value> =
            values.as_object().unwrap().iter().map(|(code, value)| (self.register.field(code), value.clone())).collect();
        let of = shown.cloned().unwrap_or_default();
        let body = json!({
            "unosID": of["tsa"]["unosID"], "verzija": of["tsa"]["verzija"], "obrazac": of["obrazac"]["otisak"],
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient,
            "vrednosti": values, "datumUnosa": date, "radnikOdgovoran": self.doctor.id,
        });
        self.doctor.post("/api/entry-values", body).await
    }
}

fn told(answer: Answer) -> (Value, Value) {
    let answer = answer.refusal(422);
    (answer["field"].clone(), answer["message"].clone())
}

#[tokio::test]
async fn an_error_refuses_a_save_with_its_own_words_and_a_warning_does_not() {
    let case = Case::new().await;
    let rules = json!([
        rule(-1, "$(zbir) > 91", "Broj je prevelik.", "greska", Some("broj")),
        rule(-2, "$(broj) < 10 && $(tekst) == \"nizak\"", "Proverite nalaz.", "greska", None),
        rule(-3, "$(broj) > 50", "Neuobičajeno visok broj.", "upozorenje", Some("broj")),
    ]);
    case.published(rules, json!({})).await;
    let broj = case.register.field("broj");
    let refused = case.save(None, "2024-06-01", json!({ "broj": 93 })).await;
    assert_eq!(told(refused), (json!(broj), json!("broj: Broj je prevelik.")), "by way of a result");
    let refused = case.save(None, "2024-06-01", json!({ "broj": 5, "tekst": "nizak" })).await;
    assert_eq!(told(refused), (json!("pravila"), json!("Proverite nalaz.")));
    let entries: i64 = sqlx::query_scalar("select count(*) from entry").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(entries, 1, "nothing was saved");
    case.save(None, "2024-06-01", json!({ "broj": 5 })).await.assert_status(200);
    case.save(None, "2024-06-02", json!({ "broj": 60 })).await.assert_status(200);
    let path = format!("/api/entry-display?tsaID={}&pacijentID={}", case.register.form, case.patient);
    let fresh = case.doctor.get(&path).await.json();
    let ids: Vec<_> =
        fresh["pravila"].as_array().unwrap().iter().map(|rule| (rule["id"].clone(), rule["formula"]["deps"].clone())).collect();
    assert_eq!(ids[0], (json!(1), json!(["zbir"])), "what is new has got its number");
}

#[tokio::test]
async fn an_old_entry_keeps_the_rules_of_its_version_and_over_to_a_newer_one_only_changes_are_held() {
    let case = Case::new().await;
    let rules = json!([rule(-1, "$(broj) > 90 || datumPregleda > \"2024-05-20\"", "Ne može.", "greska", Some("broj"))]);
    case.published(rules, json!({})).await;
    let old = case.shown(false).await;
    assert_eq!((&old["pravila"], &old["obrazac"]["novija"]), (&json!([]), &json!(2)));
    case.save(Some(&old), "2024-05-01", json!({ "broj": 96 })).await.assert_status(200);

    let taken = case.shown(true).await;
    assert_eq!(taken["pravila"][0]["poruka"], "Ne može.");
    let refused = case.save(Some(&taken), "2024-05-01", json!({ "broj": 97 })).await;
    assert_eq!(told(refused).1, "broj: Ne može.");
    let refused = case.save(Some(&taken), "2024-05-21", json!({ "broj": 96 })).await;
    assert_eq!(told(refused).1, "broj: Ne može.", "the rule asks for the day");
    case.save(Some(&taken), "2024-05-01", json!({ "broj": 96, "tekst": "nešto drugo" })).await.assert_status(200);
    let path = format!("/api/entries/{}/newer-form", case.entry);
    assert_eq!(case.doctor.get(&path).await.json()["razlike"]["pravila"], json!([]), "it is of the newest version now");
}

#[tokio::test]
async fn a_rule_about_a_result_holds_whoever_changes_what_the_result_is_made_of() {
    let case = Case::new().await;
    case.published(json!([rule(-1, "$(zbir) > 91", "Broj je prevelik.", "greska", Some("broj"))]), json!({})).await;
    let taken = case.shown(true).await;
    let refused = case.save(Some(&taken), "2024-05-01", json!({ "broj": 97 })).await;
    assert_eq!(told(refused).1, "broj: Broj je prevelik.");
    case.save(Some(&taken), "2024-05-01", json!({ "broj": 95, "tekst": "nešto drugo" })).await.assert_status(200);
}

#[tokio::test]
async fn where_its_condition_holds_a_field_that_shows_is_required() {
    let case = Case::new().await;
    let asked = json!({ "tekst": { "obavezanAko": "$(broj) > 50" }, "skriveno": { "obavezanAko": "$(broj) > 50" } });
    case.published(json!([]), asked).await;
    let refused = case.save(None, "2024-06-01", json!({ "broj": 60 })).await;
    assert_eq!(told(refused), (json!(case.register.field("tekst")), json!("Niste uneli stavku sa nazivom: tekst.")));
    case.save(None, "2024-06-01", json!({ "broj": 60, "tekst": "a" })).await.assert_status(200);
    let refused = case.save(None, "2024-06-02", json!({ "broj": 60, "tekst": "a", "izbor": true })).await;
    assert_eq!(told(refused).1, "Niste uneli stavku sa nazivom: skriveno.", "now it shows");
    case.save(None, "2024-06-02", json!({ "broj": 50 })).await.assert_status(200);
    let old = case.shown(false).await;
    case.save(Some(&old), "2024-05-01", json!({ "broj": 96 })).await.assert_status(200);
    let taken = case.shown(true).await;
    let refused = case.save(Some(&taken), "2024-05-01", json!({ "broj": 96 })).await;
    assert_eq!(told(refused).1, "Niste uneli stavku sa nazivom: tekst.");
    let path = format!("/api/entries/{}/newer-form", case.entry);
    let change = case.doctor.get(&path).await.json()["razlike"]["izmenjena"][0]["promene"].clone();
    assert_eq!(change, json!([{ "sta": "obaveznoAko", "staro": null, "novo": "$(broj) > 50", "samoPravopis": false }]));
}

#[tokio::test]
async fn a_draft_says_what_is_wrong_with_a_rule_and_is_not_published_with_it() {
    let case = Case::new().await;
    let rules = json!([rule(-1, "$(nema) > 1", "", "greska", Some("nestalo")), rule(-2, "$(broj) >", "Poruka.", "upozorenje", None),]);
    let saved = case.save_draft(rules, json!({ "izbor": { "obavezanAko": "1" }, "zbir": { "obavezanAko": "$(broj)" } })).await;
    let faults: Vec<_> = saved["greske"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| (fault["gde"].clone(), fault["id"].clone(), fault["svojstvo"].clone()))
        .collect();
    let (izbor, zbir) = (json!(case.register.fields["izbor"]), json!(case.register.fields["zbir"]));
    for expected in [
        (json!("pravilo"), json!(-1), json!("uslov")),
        (json!("pravilo"), json!(-1), json!("poruka")),
        (json!("pravilo"), json!(-1), json!("polje")),
        (json!("pravilo"), json!(-2), json!("uslov")),
        (json!("polje"), izbor, json!("obavezanAko")),
        (json!("polje"), zbir, json!("obavezanAko")),
    ] {
        assert!(faults.contains(&expected), "{expected:?} in {faults:?}");
    }
    case.publish(&saved).await.assert_status(422);
    case.doctor.put(&case.path(""), json!({ "verzija": saved["verzija"], "dokument": {} })).await.assert_status(403);
}

#[tokio::test]
async fn versions_tell_their_rules_apart_and_an_older_one_brings_its_rules_back() {
    let case = Case::new().await;
    case.published(json!([rule(-1, "$(broj) > 99", "Prvo.", "greska", None)]), json!({})).await;
    let changed = json!([rule(1, "$(broj) > 98", "Prvo.", "greska", None), rule(-1, "$(broj) > 97", "Drugo.", "upozorenje", Some("broj"))]);
    let saved = case.save_draft(changed, json!({})).await;
    let changes = case.designer.get(&case.path("/changes")).await.assert_status(200).json();
    assert_eq!(
        changes["razlike"]["pravila"],
        json!([
            { "staro": "greška ako je $(broj) > 99: Prvo.", "novo": "greška ako je $(broj) > 98: Prvo." },
            { "staro": null, "novo": "upozorenje ako je $(broj) > 97: Drugo. (uz polje broj)" },
        ])
    );
    assert_eq!(changes["moje"][0], json!({ "gde": "pravilo", "naziv": "Prvo.", "vrsta": "izmenjeno", "svojstva": ["uslov"] }));
    case.publish(&saved).await.assert_status(200);
    let draft = case.designer.post(&case.path(""), json!({ "verzija": 2 })).await.assert_status(201).json();
    assert_eq!(draft["dokument"]["pravila"], json!([rule(1, "$(broj) > 99", "Prvo.", "greska", None)]));
}

#[tokio::test]
async fn what_a_rule_reads_keeps_its_code_and_its_items() {
    let case = Case::new().await;
    let rules = json!([rule(-1, "$(broj) > 90 && $(skup) == \"prva\"", "Ne može.", "greska", Some("tekst"))]);
    case.published(rules, json!({ "datum": { "obavezanAko": "selected($(skup), 2)" } })).await;
    let field = |code: &str| format!("/api/form-fields/{}", case.register.fields[code]);
    let refused = case.designer.patch(&field("broj"), json!({ "sifra": "drugi" })).await;
    assert_eq!(told(refused).0, "sifra");
    let refused = case.designer.delete(&field("tekst")).await.refusal(409);
    assert_eq!(refused["message"], "Polje se ne može obrisati: koristi ga pravilo „Ne može.”.");
    for (item, body, property) in [("prva", json!({ "naziv": "treća" }), "naziv"), ("druga", json!({ "numVrednost": 5 }), "numVrednost")] {
        let refused = case.designer.patch(&format!("/api/enum-items/{}", case.register.items[item]), body).await;
        assert_eq!(told(refused).0, property);
    }
}

#[tokio::test]
async fn a_recomputation_leaves_an_entry_that_would_break_a_new_rule() {
    let case = Case::new().await;
    let fields = json!({ "zbir": { "formulaZaRacunanje": "$(broj) + 2" } });
    let saved = case.save_draft(json!([rule(-1, "$(broj) > 90", "Ne može.", "greska", Some("broj"))]), fields).await;
    let body = json!({ "verzija": saved["verzija"], "potvrdjenoRezultata": 1, "preracunaj": true });
    let published = case.designer.post(&case.path("/publish"), body).await.assert_status(200).json();
    assert!(published["preracunavanje"].is_i64());
    let (kept, newest): (i64, i64) = sqlx::query_as("select e.form_version_id, (select max(id) from form_version) from entry e")
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    let mut db = case.app.db.owner.acquire().await.unwrap();
    let (kept, newest) = (EntryForm::of_version(&mut db, kept).await.unwrap(), EntryForm::of_version(&mut db, newest).await.unwrap());
    let stored: Value = sqlx::query_scalar("select vrednosti from entry").fetch_one(&mut *db).await.unwrap();
    let verdict = weigh(&kept, &newest, &from_json(&stored), &FormulaSurroundings::default(), &EnteredUnits::new());
    assert_eq!(verdict, Verdict::Left { reason: Reason::Pravilo, field: Some(case.register.fields["broj"]) });
}
