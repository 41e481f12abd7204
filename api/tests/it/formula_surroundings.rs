//! Formulas that ask for the patient, the date of the examination and the previous entry; the items that formulas name.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    admin: Worker,
    lekar: Worker,
    patient: i64,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let admin = app.worker("urednik", &[Right::Registers], app.ustanova).await;
        let lekar = app.worker("lekar", &[Right::Reports], app.ustanova).await;
        // Born on 1 January 1951, a man.
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        Self { app, register, admin, lekar, patient }
    }

    /// A new calculated number; its id as a text.
    async fn calculated(&self, sifra: &str, formula: &str) -> String {
        let number =
            self.admin.post("/api/attribute-types", json!({ "naziv": format!("Tip {sifra}"), "tipVrednostiAtributa": 2 })).await.json();
        let field = json!({ "tipAtributaID": number["id"], "naziv": sifra, "sifra": sifra, "redosled": 100,
                            "tipSkupaAtributaID": self.register.form, "formulaZaRacunanje": formula });
        let answer = self.admin.post("/api/form-fields", field).await;
        answer.assert_status(201);
        answer.json()["id"].to_string()
    }

    fn request(&self, date: &str, broj: f64) -> Value {
        json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient,
            "vrednosti": { (self.register.field("broj")): broj }, "radnikOdgovoran": self.lekar.id, "datumUnosa": date,
        })
    }

    async fn save(&self, request: Value) -> Value {
        let answer = self.lekar.post("/api/entry-values", request).await;
        answer.assert_status(200);
        answer.json()
    }
}

#[tokio::test]
async fn the_previous_entry_is_the_newest_of_an_earlier_date_and_follows_the_date() {
    let case = Case::new().await;
    let change = case.calculated("promena", "$(broj) - prethodno($(broj))").await;
    let days = case.calculated("dana", "datumPregleda - prethodniDatum").await;
    let age = case.calculated("godine", "if(pacijent.pol == 'M', age(pacijent.datumRodjenja, datumPregleda), 0)").await;
    // Entered last, and of another institution: the date of the examination decides, whoever holds the entry.
    for (date, broj) in [("2026-02-20", 7), ("2025-12-31", 4), ("2026-02-20", 9), ("2026-04-01", 90)] {
        case.app.entry(&case.register, case.patient, case.app.druga_ustanova, date, json!({ "broj": broj })).await;
    }
    let saved = case.save(case.request("2026-03-02", 10.5)).await;
    let of = |saved: &Value| [&change, &days, &age].map(|id| saved["vrednosti"][id].clone());
    assert_eq!(of(&saved), [json!(1.5), json!(10), json!(75)]);

    // The entry itself is never its own previous one, though its date moves behind where it stood.
    let moved = |date: &str, saved: &Value| {
        let mut request = case.request(date, 10.5);
        request["unosID"] = saved["snimljenUnosID"].clone();
        request["verzija"] = saved["verzija"].clone();
        request
    };
    let saved = case.save(moved("2025-12-31", &saved)).await;
    assert_eq!(of(&saved), [Value::Null, Value::Null, json!(74)]);
    let saved = case.save(moved("2026-01-01", &saved)).await;
    assert_eq!(of(&saved), [json!(6.5), json!(1), json!(75)]);
}

#[tokio::test]
async fn the_first_the_least_and_the_greatest_are_of_earlier_days_whoever_holds_them() {
    let case = Case::new().await;
    let first = case.calculated("prva", "prvoRanije($(broj))").await;
    let least = case.calculated("najbolja", "najmanjeRanije($(broj))").await;
    let greatest = case.calculated("najgora", "najveceRanije($(broj))").await;
    for (date, ustanova, values) in [
        ("2025-01-10", case.app.ustanova, json!({})),
        ("2025-02-10", case.app.druga_ustanova, json!({ "broj": 6 })),
        ("2025-03-10", case.app.ustanova, json!({ "broj": 1 })),
        // Of two on one day the one made last.
        ("2025-03-10", case.app.ustanova, json!({ "broj": 2.5 })),
        ("2025-12-31", case.app.ustanova, json!({ "broj": 4 })),
        ("2026-04-01", case.app.ustanova, json!({ "broj": 90 })),
    ] {
        case.app.entry(&case.register, case.patient, ustanova, date, values).await;
    }
    let of = |saved: &Value| [&first, &least, &greatest].map(|id| saved["vrednosti"][id].clone());
    let saved = case.save(case.request("2026-03-02", 10.5)).await;
    assert_eq!(of(&saved), [json!(6), json!(2.5), json!(6)]);
    let mut request = case.request("2025-02-01", 10.5);
    request["unosID"] = saved["snimljenUnosID"].clone();
    request["verzija"] = saved["verzija"].clone();
    assert_eq!(of(&case.save(request).await), [Value::Null, Value::Null, Value::Null], "before all that hold a value");
}

#[tokio::test]
async fn the_screen_is_given_the_patient_and_what_formulas_ask_of_other_entries_and_no_more() {
    let case = Case::new().await;
    let path = format!("/api/entry-display?tsaID={}&pacijentID={}", case.register.form, case.patient);
    let entry = |date: &'static str, values: Value| case.app.entry(&case.register, case.patient, case.app.ustanova, date, values);
    let own = entry("2026-02-20", json!({ "broj": 7, "tekst": "ne zanima formule" })).await;
    entry("2025-12-31", json!({ "broj": 4 })).await;
    entry("2025-12-31", json!({ "broj": 5 })).await;
    assert_eq!(case.lekar.get(&path).await.json()["drugiUnosi"], json!([]), "no formula asks");

    case.calculated("promena", "$(broj) - prethodno($(broj))").await;
    let broj = case.register.field("broj");
    let shown = case.lekar.get(&path).await.json();
    let (older, newer) = (
        json!({ "datumUnosa": "2025-12-31", "vrednosti": { (&broj): 5 } }),
        json!({ "datumUnosa": "2026-02-20", "vrednosti": { (&broj): 7 } }),
    );
    assert_eq!(shown["drugiUnosi"], json!([older, newer]));
    assert_eq!((&shown["pacijent"]["datumRodjenja"], &shown["pacijent"]["polTrenutni"]), (&json!("1951-01-01"), &json!(true)));
    let shown = case.lekar.get(&format!("/api/entry-display?haID={own}&najnoviji=true")).await.json();
    assert_eq!(shown["drugiUnosi"], json!([older]), "an entry is not another one of its own");

    // Whose institution does not know the patient is told of no entry, and saves none.
    let other = case.app.worker("drugi", &[Right::Reports], case.app.druga_ustanova).await;
    other.get(&path).await.assert_status(404);
    let mut request = case.request("2026-03-02", 10.0);
    request["radnikOdgovoran"] = json!(other.id);
    other.post("/api/entry-values", request).await.assert_status(404);
}

#[tokio::test]
async fn an_item_that_a_formula_names_keeps_what_it_is_named_by() {
    let case = Case::new().await;
    let (first, second) = (case.register.items["prva"], case.register.items["druga"]);
    let item = |id: i64| format!("/api/enum-items/{id}");
    case.calculated("poImenu", "selected($(skup), 'prva') * 10").await;
    let by_number = case.calculated("poBroju", "anyof(prethodno($(skup)), 2) + 0").await;

    let place = |field: &str| format!("polja „{field}” (formular „Pregled”)");
    let renamed = format!("Naziv se ne može promeniti: „prva” stoji u formuli {}.", place("poImenu"));
    case.admin.patch(&item(first), json!({ "naziv": "Prva" })).await.assert_error(422, Some("naziv"), &renamed);
    let renumbered = format!("Broj se ne može promeniti: 2 stoji u formuli {}.", place("poBroju"));
    case.admin.patch(&item(second), json!({ "numVrednost": 3 })).await.assert_error(422, Some("numVrednost"), &renumbered);
    for (id, field) in [(first, "poImenu"), (second, "poBroju")] {
        let refused = format!("Stavka se ne može obrisati: stoji u formuli {}.", place(field));
        case.admin.delete(&item(id)).await.assert_error(409, None, &refused);
    }
    // What no formula names may change, and all may when the formula is gone.
    case.admin.patch(&item(first), json!({ "numVrednost": 11 })).await.assert_status(200);
    case.admin.patch(&item(second), json!({ "naziv": "Druga" })).await.assert_status(200);
    case.admin.delete(&format!("/api/form-fields/{by_number}")).await.assert_status(204);
    case.admin.patch(&item(second), json!({ "numVrednost": 3 })).await.assert_status(200);
    case.admin.delete(&item(second)).await.assert_status(204);
}

#[tokio::test]
async fn who_saves_a_formula_is_told_what_the_compiler_warns_of() {
    let case = Case::new().await;
    let path = format!("/api/form-fields/{}", case.register.field("zbir"));
    let change = json!({ "formulaZaRacunanje": "ln($(zbir2)) / $(broj) + $(tekst)", "formulaZaPrikaz": "null" });
    case.calculated("zbir2", "prethodno($(broj)) - 1").await;
    let mut draft = case.admin.get(&path).await.json();
    draft.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    let told = case.admin.post("/api/form-field-checks", draft).await.json();
    let saved = case.admin.patch(&path, change).await.json();
    let places = |told: &Value| {
        let warnings = told["upozorenja"].as_array().unwrap().iter();
        warnings.map(|one| (one["polje"].as_str().unwrap().to_owned(), one["mesto"].as_u64().unwrap())).collect::<Vec<_>>()
    };
    let formula = |name: &str, place| (name.to_owned(), place);
    let expected = [("formulaZaRacunanje", 1), ("formulaZaRacunanje", 14), ("formulaZaRacunanje", 26), ("formulaZaPrikaz", 1)];
    assert_eq!(places(&told), expected.map(|(name, place)| formula(name, place)));
    assert_eq!(places(&saved), places(&told));
    assert_eq!(saved["upozorenja"][2]["poruka"], "Tekst polja „tekst” koristi se kao broj: gde to nije, rezultat je prazan.");

    let stranger = case.app.worker("lekar3", &[Right::Reports], case.app.ustanova).await;
    stranger.post("/api/form-field-checks", json!({ "tipSkupaAtributaID": case.register.form })).await.assert_status(403);
    let refused = json!({ "id": case.register.fields["zbir"], "tipAtributaID": saved["tipAtributaID"], "sifra": "zbir", "formulaZaRacunanje": "selected($(skup), 'treća')" });
    let message = "Polje „skup” nema stavku „treća”. Stavke: prva (1), druga (2). (mesto 19)";
    case.admin.post("/api/form-field-checks", refused).await.assert_error(422, Some("formulaZaRacunanje"), message);
}
