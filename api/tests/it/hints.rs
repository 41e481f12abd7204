//! What helps whoever fills an entry in: the previous value beside a field.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    designer: Worker,
    lekar: Worker,
    patient: i64,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let designer = app.worker("urednik", &[Right::Registers], app.ustanova).await;
        let lekar = app.worker("lekar", &[Right::Reports], app.ustanova).await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        Self { app, register, designer, lekar, patient }
    }

    async fn change(&self, code: &str, change: Value) {
        self.designer.patch(&format!("/api/form-fields/{}", self.register.field(code)), change).await.assert_status(200);
    }

    async fn type_of(&self, code: &str) -> String {
        let field = self.designer.get(&format!("/api/form-fields/{}", self.register.field(code))).await.json();
        format!("/api/attribute-types/{}", field["tipAtributaID"])
    }

    async fn entry(&self, date: &str, values: Value) -> i64 {
        self.app.entry(&self.register, self.patient, self.app.ustanova, date, values).await
    }

    /// The hints of a new entry of that day.
    async fn on(&self, day: &str) -> Value {
        let path = format!("/api/entry-display?tsaID={}&pacijentID={}&datumUnosa={day}", self.register.form, self.patient);
        self.lekar.get(&path).await.json()["prethodne"].clone()
    }
}

#[tokio::test]
async fn the_last_value_before_the_day_is_told_in_the_words_and_the_unit_of_its_entry() {
    let case = Case::new().await;
    let kind = case.type_of("broj").await;
    case.designer.patch(&kind, json!({ "jedinica": "mmol/L" })).await.assert_status(200);
    let older = case.entry("2025-12-31", json!({ "broj": 8.4, "zbir": 9.4, "skup": [case.register.items["prva"]] })).await;
    let newer = case.entry("2026-02-20", json!({ "tekst": "bez broja" })).await;
    let of = |code: &str, text: &str, number: Value| json!({ "polje": case.register.fields[code], "datum": "2025-12-31", "tekst": text, "broj": number, "drugaJedinica": false });
    let told = [of("broj", "8,4 mmol/L", json!(8.4)), of("skup", "prva", Value::Null), of("zbir", "9,4", json!(9.4))];
    let text = case.register.fields["tekst"];
    // By field; the text of another entry is not what this is about.
    let sorted = |told: Value| {
        let mut told = told.as_array().expect("a list").clone();
        told.retain(|one| one["polje"] != json!(text));
        told.sort_by_key(|one| one["polje"].as_i64());
        told
    };
    assert_eq!(sorted(case.on("2026-03-02").await), told);
    assert_eq!(case.on("2025-12-31").await, json!([]), "an entry of the same day is no previous one");
    let shown = case.lekar.get(&format!("/api/entry-display?haID={newer}&najnoviji=true")).await.json();
    assert_eq!(sorted(shown["prethodne"].clone()), told);
    let moved = |day: &str| format!("/api/entry-previous?haID={newer}&najnoviji=true&datumUnosa={day}");
    assert_eq!(sorted(case.lekar.get(&moved("2026-01-01")).await.json()["prethodne"].clone()), told);
    assert_eq!(case.lekar.get(&moved("2025-12-30")).await.json()["prethodne"], json!([]), "its own day moved before the other's");

    // What was stored stays in its unit and words, whatever the form is called now.
    let item = format!("/api/enum-items/{}", case.register.items["prva"]);
    case.designer.patch(&item, json!({ "naziv": "Prva po redu" })).await.assert_status(200);
    case.designer.patch(&kind, json!({ "jedinica": "mg/dL", "potvrdjenoRezultata": 1 })).await.assert_status(200);
    let now = sorted(case.on("2026-03-02").await);
    assert_eq!(
        now[0],
        json!({ "polje": case.register.fields["broj"], "datum": "2025-12-31", "tekst": "8,4 mmol/L", "broj": null, "drugaJedinica": true })
    );
    assert_eq!(now[1]["tekst"], "prva");

    // A deleted entry is not counted, and a field that is not shown tells nothing.
    case.change("skup", json!({ "prikazujeSe": false })).await;
    assert_eq!(sorted(case.on("2026-03-02").await).len(), 2);
    let keeper = case.app.worker("brise", &Right::ALL, case.app.ustanova).await;
    keeper.post("/api/delete-entry", json!({ "id": older })).await.assert_status(204);
    assert_eq!(sorted(case.on("2026-03-02").await), Vec::<Value>::new());
}

#[tokio::test]
async fn only_a_field_with_a_value_of_its_own_tells_a_previous_one() {
    let case = Case::new().await;
    let panel = case.designer.post("/api/attribute-types", json!({ "naziv": "Panel", "tipVrednostiAtributa": 8 })).await.json();
    let body = json!({ "tipAtributaID": panel["id"], "naziv": "Sekcija", "redosled": 100, "tipSkupaAtributaID": case.register.form,
                       "ponavljaSe": true });
    let mut asking = body.clone();
    asking["prikaziPrethodnu"] = json!(true);
    case.designer.post("/api/form-fields", asking).await.assert_error(
        422,
        Some("prikaziPrethodnu"),
        "Prethodnu vrednost pokazuje samo polje koje ima vrednost, a nije polje sa fajlovima.",
    );
    let section = case.designer.post("/api/form-fields", body).await.json()["id"].clone();
    let column = json!({ "tipAtributaID": case.type_of("tekst").await.rsplit('/').next().unwrap().parse::<i64>().unwrap(), "naziv": "Lek",
                         "redosled": 101, "tipSkupaAtributaID": case.register.form, "nadredjeniAtributUTipuSkupaID": section,
                         "prikaziPrethodnu": true });
    case.designer.post("/api/form-fields", column).await.assert_error(
        422,
        Some("prikaziPrethodnu"),
        "Polje u sekciji koja se ponavlja ne pokazuje prethodnu vrednost: redovi dva unosa nisu isti redovi.",
    );
}

#[tokio::test]
async fn a_change_of_a_field_is_weighed_through_all_that_follows_from_it() {
    let case = Case::new().await;
    // broj → zbir → dupli, of which only the first reads the field that is changed.
    let number =
        case.designer.post("/api/attribute-types", json!({ "naziv": "Račun", "tipVrednostiAtributa": 2 })).await.json()["id"].clone();
    let add = async |code: &str, more: Value| {
        let mut body =
            json!({ "tipAtributaID": number, "naziv": code, "sifra": code, "redosled": 100, "tipSkupaAtributaID": case.register.form });
        crate::reports::merge(&mut body, more);
        case.designer.post("/api/form-fields", body).await.json()["id"].as_i64().expect("an id")
    };
    let cinilac = add("cinilac", json!({ "formulaZaRacunanje": "2" })).await;
    let prvi = add("prvi", json!({ "formulaZaRacunanje": "$(broj) * $(cinilac)" })).await;
    let drugi = add("drugi", json!({ "formulaZaRacunanje": "$(prvi) + 1" })).await;
    let values = json!({ (case.register.field("broj")): 5, });
    let body = json!({ "tsaID": case.register.form, "registarID": case.register.id, "pacijentID": case.patient, "vrednosti": values,
                       "radnikOdgovoran": case.lekar.id, "datumUnosa": "2026-01-05" });
    let saved = case.lekar.post("/api/entry-values", body).await.json();
    assert_eq!(saved["vrednosti"][drugi.to_string()], json!(11));

    let path = format!("/api/form-fields/{cinilac}");
    let told = case.designer.patch(&path, json!({ "formulaZaRacunanje": "3" })).await;
    told.assert_status(409);
    assert!(told.text().contains("1 unos, 3 snimljena rezultata"), "its own result and both that follow: {}", told.text());
    case.designer.patch(&path, json!({ "formulaZaRacunanje": "3", "potvrdjenoRezultata": 3 })).await.assert_status(200);
    let marked: Vec<i64> =
        sqlx::query_scalar("select polje_id from stale_result order by polje_id").fetch_all(&case.app.db.owner).await.unwrap();
    assert_eq!(marked, [cinilac, prvi, drugi]);
    // A circle by way of another field, a code that others read, and what they read.
    case.designer.patch(&path, json!({ "formulaZaRacunanje": "$(drugi)" })).await.assert_error(
        422,
        Some("formulaZaRacunanje"),
        "Formule se vrte u krug: cinilac → drugi → prvi → cinilac. (mesto 1)",
    );
    case.designer.patch(&path, json!({ "sifra": "drugacije" })).await.assert_error(
        422,
        Some("sifra"),
        "Šifru koristi formula polja „prvi”.",
    );
    assert_eq!(case.designer.delete(&path).await.status, 409);
    // What is only said of it needs no confirmation.
    case.designer.patch(&path, json!({ "napomena": "bez posledica" })).await.assert_status(200);
}

/// Cholesterol-like: 1 to 20 mmol/L with two decimals, typed in mg/dL too.
async fn in_two_units(case: &Case) -> String {
    let kind = case.type_of("broj").await;
    let units = json!([{ "jedinica": "mg/dL", "cinilac": 0.02586, "pomeraj": 0 }]);
    let change = json!({ "jedinica": "mmol/L", "drugeJedinice": units, "decimaleBrojneVrednosti": 2, "donjaGranicaBrojneVrednosti": 1,
                         "gornjaGranicaBrojneVrednosti": 20 });
    case.designer.patch(&kind, change).await.assert_status(200);
    kind
}

fn request(case: &Case, values: Value, typed: Value) -> Value {
    json!({ "tsaID": case.register.form, "registarID": case.register.id, "pacijentID": case.patient, "vrednosti": values, "unetoU": typed,
            "radnikOdgovoran": case.lekar.id, "datumUnosa": "2026-01-05" })
}

#[tokio::test]
async fn a_number_typed_in_another_unit_is_stored_in_the_own_one_and_remembered_as_typed() {
    let case = Case::new().await;
    in_two_units(&case).await;
    let broj = case.register.field("broj");
    let typed = json!({ (&broj): { "broj": 130, "jedinica": "mg/dL" } });
    let refused = case.lekar.post("/api/entry-values", request(&case, json!({ (&broj): 3.4 }), typed.clone())).await;
    refused.assert_error(422, Some(&broj), "Stavka sa nazivom: broj: 130 mg/dL je 3,36 mmol/L.");
    let strange = json!({ (&broj): { "broj": 130, "jedinica": "g/L" } });
    let refused = case.lekar.post("/api/entry-values", request(&case, json!({ (&broj): 3.36 }), strange)).await;
    refused.assert_error(422, Some(&broj), "Stavka sa nazivom: broj nema jedinicu g/L.");
    let outside = case.lekar.post("/api/entry-values", request(&case, json!({ (&broj): 130 }), json!({}))).await;
    let message = "Stavka sa nazivom: broj nije u opsegu (1) - (20). Ako je 130 u mg/dL, to je 3,36 mmol/L.";
    outside.assert_error(422, Some(&broj), message);

    let saved = case.lekar.post("/api/entry-values", request(&case, json!({ (&broj): 3.36 }), typed.clone())).await.json();
    assert_eq!(saved["vrednosti"][&broj], json!(3.36));
    let entry = saved["snimljenUnosID"].clone();
    let shown = async || case.lekar.get(&format!("/api/entry-display?haID={entry}")).await.json();
    assert_eq!(shown().await["unetoU"], typed);

    // Another text keeps what was typed; another number takes it into the history.
    let mut again = request(&case, json!({ (&broj): 3.36, (case.register.field("tekst")): "a" }), json!({}));
    crate::reports::merge(&mut again, json!({ "unosID": entry, "verzija": saved["verzija"] }));
    let saved = case.lekar.post("/api/entry-values", again).await.json();
    assert_eq!(shown().await["unetoU"], typed);
    let mut other = request(&case, json!({ (&broj): 4, (case.register.field("tekst")): "a" }), json!({}));
    crate::reports::merge(&mut other, json!({ "unosID": entry, "verzija": saved["verzija"] }));
    case.lekar.post("/api/entry-values", other).await.assert_status(200);
    assert_eq!(shown().await["unetoU"], json!({}));
    let history = case.lekar.get(&format!("/api/entries/{entry}/archive?nizAutsID={broj}")).await.json();
    let told: Vec<_> = history["data"].as_array().unwrap().iter().map(|row| (&row["brojnaVrednost"], &row["uneto"])).collect();
    assert_eq!(told, [(&json!(4.0), &Value::Null), (&json!(3.36), &json!("130 mg/dL"))]);
    assert_eq!(history["promene"][0]["staro"]["uneto"], "130 mg/dL");
}

#[tokio::test]
async fn other_units_are_part_of_the_version_and_change_nothing_stored() {
    let case = Case::new().await;
    let kind = in_two_units(&case).await;
    let number = |factor: f64| json!({ "drugeJedinice": [{ "jedinica": "mg/dL", "cinilac": factor, "pomeraj": 0 }] });
    for (change, message) in [
        (json!({ "jedinica": null }), "Druge jedinice ima samo tip koji ima svoju jedinicu."),
        (number(0.0), "Činilac jedinice „mg/dL” mora biti broj različit od nule, a pomeraj broj."),
    ] {
        case.designer.patch(&kind, change).await.assert_error(422, Some("drugeJedinice"), message);
    }
    let text = case.type_of("tekst").await;
    let change = json!({ "jedinica": "g", "drugeJedinice": [{ "jedinica": "mg", "cinilac": 0.001, "pomeraj": 0 }] });
    case.designer.patch(&text, change).await.assert_error(422, Some("drugeJedinice"), "Druge jedinice ima samo brojni tip.");

    let broj = case.register.field("broj");
    let typed = json!({ (&broj): { "broj": 130, "jedinica": "mg/dL" } });
    let saved = case.lekar.post("/api/entry-values", request(&case, json!({ (&broj): 3.36 }), typed.clone())).await.json();
    case.designer.patch(&kind, number(0.03)).await.assert_status(200);
    let entry = &saved["snimljenUnosID"];
    let shown = case.lekar.get(&format!("/api/entry-display?haID={entry}")).await.json();
    assert_eq!((&shown["vrednosti"][&broj], &shown["unetoU"]), (&json!(3.36), &typed), "it is read by its own version");
    assert_eq!(shown["autsiArray"][1]["tipAtributa"]["drugeJedinice"][0]["cinilac"], 0.02586);
    let newer = case.lekar.get(&format!("/api/entries/{entry}/newer-form")).await.json();
    let said = newer["razlike"]["izmenjena"][0]["promene"].clone();
    assert_eq!(
        said,
        json!([{ "sta": "drugeJedinice", "staro": "mg/dL × 0,02586", "novo": "mg/dL × 0,03", "samoPravopis": false }]),
        "{newer}"
    );
}
