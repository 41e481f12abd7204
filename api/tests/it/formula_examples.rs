//! Examples kept with a formula: a draft tells of those that do not come out and is not published with them; the screens of single
//! fields, a change of an item and a file are refused with them; they come along with copies and files.

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    designer: Worker,
}

impl Case {
    /// zbir is broj and one more, and the number of the chosen item where one is.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let designer = app.worker("urednik", &[Right::Registers], app.ustanova).await;
        app.lay_out(&["update form_field set opcioni = true"]).await;
        let case = Self { app, register, designer };
        let formula = "$(broj) + if(isblank($(skup)), 1, $!(skup))";
        case.put("zbir", json!({ "formulaZaRacunanje": formula })).await.assert_status(200);
        case
    }

    async fn field(&self, code: &str) -> Value {
        self.designer.get(&format!("/api/form-fields/{}", self.register.fields[code])).await.assert_status(200).json()
    }

    async fn put(&self, code: &str, more: Value) -> crate::support::Answer {
        let mut body = self.field(code).await;
        crate::reports::merge(&mut body, more);
        self.designer.put(&format!("/api/form-fields/{}", self.register.fields[code]), body).await
    }

    fn path(&self, more: &str) -> String {
        format!("/api/forms/{}/draft{more}", self.register.form)
    }

    /// The draft with these examples of zbir; what was said of it.
    async fn save_draft(&self, primeri: Value) -> Value {
        let draft = match self.designer.get(&self.path("")).await.json()["nacrt"].clone() {
            Value::Null => self.designer.post(&self.path(""), json!({})).await.assert_status(201).json(),
            draft => draft,
        };
        let mut document = draft["dokument"].clone();
        let zbir = document["polja"].as_array_mut().unwrap().iter_mut().find(|field| field["sifra"] == "zbir").expect("a field");
        zbir["primeri"] = primeri;
        self.designer.put(&self.path(""), json!({ "verzija": draft["verzija"], "dokument": document })).await.assert_status(200).json()
    }
}

fn told(saved: &Value) -> Vec<String> {
    let faults = saved["greske"].as_array().unwrap().iter();
    faults.map(|fault| format!("{} {}", fault["svojstvo"].as_str().unwrap(), fault["poruka"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn a_draft_is_published_only_when_each_example_comes_out() {
    let case = Case::new().await;
    let right = json!({ "naziv": "Iz rada", "ulazi": { "broj": 4.996, "skup": ["druga"] }, "rezultat": 6.9958 });
    let wrong = json!([
        right,
        { "ulazi": { "broj": 5 }, "rezultat": 7 },
        { "naziv": "Prazan", "ulazi": {}, "rezultat": 1 },
        { "ulazi": { "nema": 1 }, "rezultat": 1 },
        { "ulazi": { "broj": "pet" }, "rezultat": 1 },
        { "ulazi": { "broj": 1, "skup": 7 }, "rezultat": 1 },
    ]);
    let saved = case.save_draft(wrong).await;
    assert_eq!(
        told(&saved),
        [
            "primeri Primer 2: očekuje se 7, a formula daje 6 (razlika −1).",
            "primeri Primer „Prazan”: očekuje se 1, a formula daje prazno.",
            "primeri Primer 4: nema polja sa šifrom „nema”.",
            "primeri Primer 5: vrednost polja „broj” nije broj.",
            "primeri Primer 6: polje „skup” nema stavku sa brojem 7.",
        ]
    );
    let publish = |saved: &Value| json!({ "verzija": saved["verzija"] });
    case.designer.post(&case.path("/publish"), publish(&saved)).await.assert_status(422);
    let saved = case.save_draft(json!([right, { "ulazi": { "skup": 1 }, "rezultat": null }])).await;
    assert_eq!(told(&saved), [""; 0]);
    case.designer.post(&case.path("/publish"), publish(&saved)).await.assert_status(200);
    let kept = json!([right, { "ulazi": { "skup": 1 } }]);
    assert_eq!(case.field("zbir").await["primeri"], kept);
    let logged: i64 = sqlx::query_scalar("select count(*) from audit_log where polja::text like '%Iz rada%'")
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    assert_eq!(logged, 1, "the history of the field has them");
    // A draft of the first version has today's examples: they are the administration's own.
    let draft = case.designer.post(&case.path(""), json!({ "verzija": 1 })).await.assert_status(201).json();
    let zbir = draft["dokument"]["polja"].as_array().unwrap().iter().find(|field| field["sifra"] == "zbir").unwrap().clone();
    assert_eq!(zbir["primeri"], kept);
}

#[tokio::test]
async fn whatever_changes_the_form_is_refused_while_an_example_does_not_come_out() {
    let case = Case::new().await;
    let primeri = json!([{ "naziv": "Iz rada", "ulazi": { "broj": 5, "skup": "druga" }, "rezultat": 7 }]);
    let refused = case.put("zbir", json!({ "primeri": [{ "ulazi": { "broj": 5 }, "rezultat": 5 }] })).await;
    refused.assert_error(422, Some("primeri"), "Primer 1: očekuje se 5, a formula daje 6 (razlika 1).");
    case.put("zbir", json!({ "primeri": primeri })).await.assert_status(200);
    assert_eq!(case.field("zbir").await["primeri"], primeri);
    let refused = case.put("zbir", json!({ "formulaZaRacunanje": "$(broj) * 2 + $!(skup)" })).await;
    refused.assert_error(422, Some("primeri"), "Primer „Iz rada”: očekuje se 7, a formula daje 12 (razlika 5).");
    let refused = case.put("broj", json!({ "primeri": primeri })).await;
    refused.assert_error(422, Some("primeri"), "Primeri stoje samo uz formulu za računanje.");
    let path = format!("/api/enum-items/{}", case.register.items["druga"]);
    let mut item = case.designer.get(&path).await.json();
    item["numVrednost"] = json!(3);
    let refused = case.designer.put(&path, item.clone()).await;
    refused.assert_error(409, None, "Polje „zbir”: Primer „Iz rada”: očekuje se 7, a formula daje 8 (razlika 1).");
    item["numVrednost"] = json!(2);
    item["naziv"] = json!("treća");
    let refused = case.designer.put(&path, item.clone()).await;
    refused.assert_error(409, None, "Polje „zbir”: Primer „Iz rada”: polje „skup” nema stavku „druga”.");
    item["naziv"] = json!("druga");
    item["opis"] = json!("Opis");
    case.designer.put(&path, item).await.assert_status(200);
    let unknown = case.put("zbir", json!({ "primeri": [{ "ulaz": {} }] })).await;
    unknown.assert_status(422);
}

#[tokio::test]
async fn examples_come_along_with_files_and_copies() {
    let case = Case::new().await;
    let formula = "if(pacijent.pol == \"M\", 2, 1) * age(pacijent.datumRodjenja, datumPregleda) + prethodno($(broj)) + $(broj)";
    let primeri = json!([{
        "naziv": "Sve \"okolnosti\"", "ulazi": { "broj": 0.5 }, "prethodno": { "broj": 3 }, "rezultat": 83.5,
        "okolnosti": { "datumPregleda": "2026-03-01", "datumRodjenja": "1986-02-28", "pol": true, "prethodniDatum": "2025-01-01" },
    }]);
    case.put("zbir", json!({ "formulaZaRacunanje": formula, "primeri": primeri })).await.assert_status(200);
    let file = |text: &str| json!({ "imeFajla": "a.toml", "sadrzaj": BASE64_STANDARD.encode(text), "registarID": case.register.id });
    let first = case.designer.get(&format!("/api/registers/{}/definition", case.register.id)).await.assert_status(200).text();
    assert!(first.contains("primeri = ["), "{first}");
    let report = case.designer.post("/api/definition-checks", file(&first)).await.assert_status(200).json();
    assert_eq!((&report["izmene"], &report["greske"]), (&json!([]), &json!([])), "{first}");
    let report = case.designer.post("/api/definition-checks", file(&first.replace("83.5", "84"))).await.assert_status(200).json();
    let fault = format!("{}: {}", report["greske"][0]["mesto"].as_str().unwrap(), report["greske"][0]["poruka"].as_str().unwrap());
    assert!(fault.ends_with(".zbir.primeri: Primer „Sve \"okolnosti\"”: očekuje se 84, a formula daje 83,5 (razlika −0,5)."), "{fault}");
    let copy =
        case.designer.post(&format!("/api/registers/{}/copies", case.register.id), json!({ "naziv": "Kopija", "sifra": "kopija" })).await;
    copy.assert_status(201);
    let copies: Vec<Value> = sqlx::query_scalar("select primeri from form_field where sifra = 'zbir' and aktivan order by id")
        .fetch_all(&case.app.db.owner)
        .await
        .unwrap();
    assert_eq!(copies, [primeri.clone(), primeri]);
}

/// It was described as an object, which no result is.
#[test]
fn the_description_of_calls_says_of_a_result_that_it_may_be_of_any_kind() {
    let document = serde_json::to_value(api::openapi()).expect("plain data");
    let result = &document["components"]["schemas"]["FormulaExample"]["properties"]["rezultat"];
    assert!(result.is_object(), "it is described");
    for narrower in ["type", "$ref", "enum", "oneOf", "anyOf", "allOf"] {
        assert!(result.get(narrower).is_none(), "a number, a text, yes or no, or nothing: {result}");
    }
}
