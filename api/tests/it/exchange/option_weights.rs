//! An option weighs what its source says, and one that it does not weigh has no weight: at each door the same.

use std::collections::BTreeMap;

use accounts::rights::Right;
use serde_json::{Value, json};

use super::{Case, foreign::workbook, told};
use crate::support::{TestRegister, Worker};

/// Two lists alike, one option of them without a number; a sum, a size, and a question that is asked after that option.
const DICTIONARY: &str = "\
Variable / Field Name,Form Name,Section Header,Field Type,Field Label,\"Choices, Calculations, OR Slider Labels\",Field Note,Text Validation Type OR Show Slider Number,Text Validation Min,Text Validation Max,Identifier?,Branching Logic (Show field only if...),Required Field?\n\
sifra_osobe,umor,,text,Osoba,,,,,,,,\n\
jutro,umor,,radio,Umor ujutru,\"0, Nema | 1, Blag | 2, Umeren | 3, Jak | NP, Ne procenjuje\",,,,,,,\n\
vece,umor,,radio,Umor uveče,\"0, Nema | 1, Blag | 2, Umeren | 3, Jak | NP, Ne procenjuje\",,,,,,,\n\
zbir,umor,,calc,Zbir,[jutro]+[vece],,,,,,,\n\
razlog,umor,,text,Razlog,,,,,,,[jutro] = 'NP',\n";

/// Name, code and weight of the items of a field's type, in their order.
type Weighed = Vec<(String, Option<String>, Option<String>)>;

impl Case {
    async fn items(&self, field: &str) -> Weighed {
        sqlx::query_as(
            "select i.naziv, i.sifra_veza, trim_scale(i.num_vrednost)::text from enum_item i
              where i.aktivan and i.tip_atributa_id = (select tip_atributa_id from form_field where sifra = $1 and aktivan)
              order by i.redosled, i.id",
        )
        .bind(field)
        .fetch_all(&self.app.db.owner)
        .await
        .unwrap()
    }
}

fn weighed<const N: usize>(items: [(&str, &str, Option<&str>); N]) -> Weighed {
    items.into_iter().map(|(name, code, weight)| (name.to_owned(), Some(code.to_owned()), weight.map(str::to_owned))).collect()
}

/// A form that was brought in, with a patient and a doctor.
struct Brought {
    case: Case,
    doctor: Worker,
    register: TestRegister,
    patient: i64,
}

impl Brought {
    async fn dictionary() -> Self {
        let case = Case::new().await;
        let mut sent = Case::sent("umor.csv", DICTIONARY.as_bytes(), None);
        (sent["naziv"], sent["sifra"]) = (json!("Umor"), json!("umor"));
        let (id, forms) = case.bring(&sent).await;
        let register = TestRegister { id, form: forms[0], fields: BTreeMap::new(), items: BTreeMap::new() };
        let doctor = case.app.worker("lekar", &[Right::Reports], case.app.ustanova).await;
        let patient = case.app.patient(&register, "Ana", "Anić", case.app.ustanova, 1).await;
        Self { case, doctor, register, patient }
    }

    async fn field(&self, code: &str) -> String {
        let id: i64 = sqlx::query_scalar("select id from form_field where sifra = $1 and aktivan")
            .bind(code)
            .fetch_one(&self.case.app.db.owner)
            .await
            .unwrap();
        id.to_string()
    }

    async fn item(&self, code: &str) -> i64 {
        sqlx::query_scalar("select id from enum_item where sifra_veza = $1 and aktivan")
            .bind(code)
            .fetch_one(&self.case.app.db.owner)
            .await
            .unwrap()
    }

    /// Saves a new entry with these items of the two questions.
    async fn save(&self, date: &str, jutro: &str, vece: &str) -> Value {
        let (jutro, vece) = ([self.item(jutro).await], [self.item(vece).await]);
        let values = json!({ (self.field("jutro").await): jutro, (self.field("vece").await): vece });
        let request = json!({ "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient,
                              "vrednosti": values, "radnikOdgovoran": self.doctor.id, "datumUnosa": date });
        self.doctor.post("/api/entry-values", request).await.assert_status(200).json()
    }
}

#[tokio::test]
async fn an_option_without_a_weight_changes_no_other_at_any_door() {
    let brought = Brought::dictionary().await;
    let case = &brought.case;

    // Stored.
    let right = weighed([
        ("Nema", "0", Some("0")),
        ("Blag", "1", Some("1")),
        ("Umeren", "2", Some("2")),
        ("Jak", "3", Some("3")),
        ("Ne procenjuje", "NP", None),
    ]);
    assert_eq!([case.items("jutro").await, case.items("vece").await], [right.clone(), right.clone()]);

    // Saved, and what formulas make of it.
    let zbir = brought.field("zbir").await;
    let both = brought.save("2026-03-01", "2", "3").await;
    assert_eq!(both["vrednosti"][&zbir], 5);
    let one = brought.save("2026-03-02", "NP", "3").await;
    assert_eq!(one["vrednosti"][&zbir], Value::Null);

    // Shown: the version knows the code that a condition names, and no weight where there is none.
    let entry = one["snimljenUnosID"].to_string();
    let shown = brought.doctor.get(&format!("/api/entry-display?haID={entry}")).await.assert_status(200).json();
    let field = |code: &str| shown["autsiArray"].as_array().unwrap().iter().find(|field| field["sifra"] == code).unwrap().clone();
    let last = |code: &str| field(code)["enumStavkeSve"][4].clone();
    assert_eq!((&last("jutro")["numVrednost"], &last("jutro")["sifra"]), (&Value::Null, &json!("NP")), "{shown}");
    assert_eq!(field("jutro")["enumStavkeSve"][2]["numVrednost"], 2.0);
    assert_eq!(field("razlog")["formulaZaPrikaz"]["expr"]["args"][1], json!({ "t": "code", "v": "NP" }));

    // The history and the printed words.
    let history = format!("/api/entries/{entry}/archive?nizAutsID={}", brought.field("jutro").await);
    assert_eq!(brought.doctor.get(&history).await.json()["data"][0]["nabrojivaVrednost"], "Ne procenjuje");

    // Report queries.
    let told: Vec<(String, Option<String>, Option<String>)> = sqlx::query_as(
        "select s.naziv, s.sifra, trim_scale(s.num_vrednost)::text from report.stavka s join report.polje p using (tip_atributa_id)
          where p.sifra = 'jutro' order by s.redosled, s.id",
    )
    .fetch_all(&case.app.db.owner)
    .await
    .unwrap();
    assert_eq!(told, right);

    // The search.
    case.app.lay_out(&["update form_field set pretrazuje_se = true where sifra = 'jutro'"]).await;
    let criterion = json!({ "poljeID": brought.field("jutro").await.parse::<i64>().unwrap(), "operator": "izabrano",
                            "vrednost": brought.item("NP").await.to_string() });
    let found = brought.doctor.post("/api/search", json!({ "registarID": brought.register.id, "redPretrage": [criterion] })).await.json();
    assert_eq!(found["unosi"].as_array().unwrap().len(), 1, "{found}");
}

#[tokio::test]
async fn what_has_no_weight_goes_out_and_in_again_without_one() {
    let brought = Brought::dictionary().await;
    let case = &brought.case;
    let own = case.register_file(brought.register.id).await;
    for part in [
        "{ sifraVeza = \"2\", naziv = \"Umeren\", numVrednost = 2 }",
        "{ sifraVeza = \"NP\", naziv = \"Ne procenjuje\" }",
        "formulaZaPrikaz = \"selected($(jutro), \\\"NP\\\")\"",
    ] {
        assert!(own.contains(part), "{part}\n{own}");
    }
    let again = case.check(&Case::sent("umor.toml", own.as_bytes(), Some(brought.register.id))).await;
    assert_eq!((&again["greske"], &again["izmene"], &again["ostaje"]), (&json!([]), &json!([]), &json!([])));
    let dictionary = case.check(&Case::sent("umor.csv", DICTIONARY.as_bytes(), Some(brought.register.id))).await;
    assert_eq!((&dictionary["greske"], &dictionary["izmene"]), (&json!([]), &json!([])));
    let lacking = told(&dictionary, "upozorenja").into_iter().filter(|note| note.contains("nema težinu")).collect::<Vec<_>>();
    assert!(lacking.len() == 2 && lacking[0].contains("„Ne procenjuje” polja „jutro”"), "{dictionary}");

    let out = case.mila.get(&format!("/api/forms/{}/definition?oblik=fhir", brought.register.form)).await.assert_status(200).json();
    let question = out["item"].as_array().unwrap().iter().find(|item| item["linkId"] == "jutro").unwrap();
    assert_eq!(question["answerOption"][3]["extension"][0]["valueDecimal"], 3.0);
    assert_eq!(question["answerOption"][4], json!({ "valueCoding": { "code": "NP", "display": "Ne procenjuje" } }));
    let back = case.check(&Case::sent("umor.json", out.to_string().as_bytes(), Some(brought.register.id))).await;
    assert!(!back["izmene"].to_string().contains("numVrednost"), "{back}");
}

#[tokio::test]
async fn options_of_an_xlsform_weigh_their_own_codes() {
    let case = Case::new().await;
    let file = workbook(&[
        (
            "survey",
            &[
                &["type", "name", "label", "relevant", "calculate"],
                &["select_one ucestalost", "kasalj", "Kašalj", "", ""],
                &["select_one uzrast", "uzrast", "Uzrast", "", ""],
                &["calculate", "poeni", "Poeni", "", "${kasalj} * 2"],
                &["text", "zasto", "Zašto", "${kasalj} = 'odbija' or ${uzrast} = '18_24'", ""],
            ],
        ),
        (
            "choices",
            &[
                &["list_name", "name", "label"],
                &["ucestalost", "0", "Nikad"],
                &["ucestalost", "5", "Često"],
                &["ucestalost", "odbija", "Odbija da kaže"],
                &["uzrast", "18_24", "18 do 24"],
                &["uzrast", "25_64", "25 do 64"],
            ],
        ),
    ]);
    let mut sent = Case::sent("kasalj.xlsx", &file, None);
    (sent["naziv"], sent["sifra"]) = (json!("Kašalj"), json!("kasalj"));
    let (register, _) = case.bring(&sent).await;
    let own = weighed([("Nikad", "0", Some("0")), ("Često", "5", Some("5")), ("Odbija da kaže", "odbija", None)]);
    assert_eq!(case.items("kasalj").await, own);
    assert_eq!(case.items("uzrast").await, weighed([("18 do 24", "18_24", None), ("25 do 64", "25_64", None)]), "a range is no number");
    let out = case.register_file(register).await;
    for part in ["selected($(kasalj), \\\"odbija\\\") or selected($(uzrast), \\\"18_24\\\")", "$!(kasalj) * 2"] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[tokio::test]
async fn options_of_a_questionnaire_weigh_what_their_extensions_say() {
    const ORDINAL: &str = "http://hl7.org/fhir/StructureDefinition/ordinalValue";
    const WEIGHT: &str = "http://hl7.org/fhir/StructureDefinition/itemWeight";
    let weighs = |url: &str, weight: f64| json!([{ "url": url, "valueDecimal": weight }]);
    let questionnaire = json!({
        "resourceType": "Questionnaire", "status": "draft", "name": "oci", "title": "Oči",
        "contained": [{ "resourceType": "ValueSet", "id": "reakcija", "compose": { "include": [{ "concept": [
            { "extension": weighs(ORDINAL, 4.0), "code": "7", "display": "Spontano" },
            { "extension": weighs(WEIGHT, 1.0), "code": "8", "display": "Ne otvara" },
            { "code": "9", "display": "Ne može se ispitati" }] }] } }],
        "item": [
            { "linkId": "oko", "type": "choice", "text": "Oko", "answerOption": [
                { "extension": weighs(WEIGHT, 0.0), "valueCoding": { "code": "ne", "display": "Ništa" } },
                { "extension": weighs(WEIGHT, 9.0), "valueCoding": { "code": "dr", "display": "Drugo" } },
                { "valueCoding": { "extension": weighs(ORDINAL, 4.5), "code": "sp", "display": "Spontano" } },
                { "valueCoding": { "code": "3", "display": "Ne zna" } }] },
            { "linkId": "skup", "type": "choice", "text": "Skup", "answerValueSet": "#reakcija" }
        ]
    });
    let case = Case::new().await;
    let mut sent = Case::sent("oci.json", questionnaire.to_string().as_bytes(), None);
    (sent["naziv"], sent["sifra"]) = (json!("Oči"), json!("oci"));
    case.bring(&sent).await;
    let own = weighed([("Ništa", "ne", Some("0")), ("Drugo", "dr", Some("9")), ("Spontano", "sp", Some("4.5")), ("Ne zna", "3", None)]);
    assert_eq!(case.items("oko").await, own, "a code is no weight");
    let own = weighed([("Spontano", "7", Some("4")), ("Ne otvara", "8", Some("1")), ("Ne može se ispitati", "9", None)]);
    assert_eq!(case.items("skup").await, own);
}

#[tokio::test]
async fn a_code_that_a_formula_names_is_kept_and_the_item_may_be_called_otherwise() {
    let brought = Brought::dictionary().await;
    let (case, item) = (&brought.case, brought.item("NP").await);
    let first = brought.save("2026-03-01", "NP", "3").await;
    let path = format!("/api/enum-items/{item}");
    let message = "Šifra se ne može promeniti: „NP” stoji u formuli polja „Razlog” (formular „Umor”).";
    case.mila.patch(&path, json!({ "sifraVeza": "nk" })).await.assert_error(422, Some("sifraVeza"), message);
    let renamed = case.mila.patch(&path, json!({ "naziv": "Nije procenjeno", "potvrdjenoRezultata": 0 })).await;
    renamed.assert_status(200);
    // By the older version, and by the newer one.
    let razlog = brought.field("razlog").await;
    let mut again = json!({ "tsaID": brought.register.form, "registarID": brought.register.id, "pacijentID": brought.patient,
        "unosID": first["snimljenUnosID"], "verzija": first["verzija"], "radnikOdgovoran": brought.doctor.id, "datumUnosa": "2026-03-01" });
    again["vrednosti"] = json!({ (brought.field("jutro").await): [item], (razlog.clone()): "ne želi" });
    assert_eq!(brought.doctor.post("/api/entry-values", again.clone()).await.assert_status(200).json()["vrednosti"][&razlog], "ne želi");
    (again["unosID"], again["verzija"], again["datumUnosa"]) = (Value::Null, Value::Null, json!("2026-03-05"));
    assert_eq!(brought.doctor.post("/api/entry-values", again).await.assert_status(200).json()["vrednosti"][&razlog], "ne želi");
}

#[tokio::test]
async fn codes_of_items_belong_to_a_description_only_where_a_formula_names_one() {
    let case = Case::new().await;
    let register = case.app.register().await;
    let described = async || -> (String, Value) {
        sqlx::query_as("select form_fingerprint(o.opis), jsonb_path_query_array(o.opis, '$.stavke.*[*].sifra ? (@ != null)') from form_description($1) o (opis)")
            .bind(register.form)
            .fetch_one(&case.app.db.owner)
            .await
            .unwrap()
    };
    let before = described().await;
    assert_eq!(before.1, json!([]));
    let item = format!("/api/enum-items/{}", register.items["druga"]);
    case.mila.patch(&item, json!({ "sifraVeza": "D", "potvrdjenoRezultata": 0 })).await.assert_status(200);
    assert_eq!(described().await, before, "its versions stay the same");
    let field = format!("/api/form-fields/{}", register.field("zbir"));
    let by_code = json!({ "formulaZaRacunanje": "$(broj) + selected($(skup), 'D')", "potvrdjenoRezultata": 0 });
    case.mila.patch(&field, by_code).await.assert_status(200);
    assert_eq!(described().await.1, json!(["D"]));
    case.mila.patch(&item, json!({ "sifraVeza": null })).await.assert_status(422);
}

#[tokio::test]
async fn that_an_item_has_no_weight_is_said_and_a_forgotten_number_is_refused() {
    let case = Case::new().await;
    let register = case.app.register().await;
    let kind = case.mila.get(&format!("/api/enum-items/{}", register.items["prva"])).await.json()["tipAtributaID"].clone();
    let item = |more: Value| {
        let mut body = json!({ "tipAtributaID": kind, "naziv": "nepoznato", "potvrdjenoRezultata": 0 });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let missing = "Niste uneli numeričku vrednost.";
    let both = "Stavka bez težine nema numeričku vrednost.";
    case.mila.post("/api/enum-items", item(json!({}))).await.assert_error(422, Some("numVrednost"), missing);
    case.mila.post("/api/enum-items", item(json!({ "numVrednost": 3, "bezTezine": true }))).await.assert_error(
        422,
        Some("numVrednost"),
        both,
    );
    let stored = case.mila.post("/api/enum-items", item(json!({ "bezTezine": true }))).await.assert_status(201).json();
    assert_eq!((&stored["numVrednost"], &stored["bezTezine"]), (&Value::Null, &json!(true)));
    let path = format!("/api/enum-items/{}", stored["id"]);
    case.mila.patch(&path, json!({ "bezTezine": false, "potvrdjenoRezultata": 0 })).await.assert_error(422, Some("numVrednost"), missing);
    let given = case.mila.patch(&path, json!({ "bezTezine": false, "numVrednost": 0, "potvrdjenoRezultata": 0 })).await;
    assert_eq!(given.assert_status(200).json()["numVrednost"], 0.0);
    let taken = case.mila.patch(&path, json!({ "bezTezine": true, "numVrednost": null, "potvrdjenoRezultata": 0 })).await;
    assert_eq!(taken.assert_status(200).json()["bezTezine"], true);
    // A draft is refused alike, and published without a weight.
    let drafts = format!("/api/forms/{}/draft", register.form);
    let mut draft = case.mila.post(&drafts, json!({})).await.assert_status(201).json();
    let at = draft["dokument"]["stavke"].as_array().unwrap().iter().position(|item| item["naziv"] == "nepoznato").unwrap();
    assert_eq!(draft["dokument"]["stavke"][at]["bezTezine"], true, "{draft}");
    draft["dokument"]["stavke"][at]["naziv"] = json!("ne zna se");
    let body = json!({ "verzija": draft["verzija"], "dokument": draft["dokument"] });
    let saved = case.mila.put(&drafts, body).await.assert_status(200).json();
    let publish = json!({ "verzija": saved["verzija"], "potvrdjenoRezultata": 0 });
    case.mila.post(&format!("{drafts}/publish"), publish).await.assert_status(200);
    let now = case.mila.get(&path).await.json();
    assert_eq!((&now["naziv"], &now["numVrednost"]), (&json!("ne zna se"), &Value::Null));
}
