//! FHIR Questionnaires: option by option, condition by condition, each thing read or told; and the same form back from our own.

use serde_json::{Value, json};

use super::{Case, told};

const EVERY: &str = include_str!("questionnaire.toml");
const EXTENSION: &str = "http://hl7.org/fhir/StructureDefinition";

fn sent(questionnaire: &Value, register: Option<i64>) -> Value {
    let mut sent = Case::sent("upitnik.json", questionnaire.to_string().as_bytes(), register);
    (sent["naziv"], sent["sifra"]) = (json!("Upitnik"), json!("upitnik"));
    sent
}

fn of(items: Value) -> Value {
    json!({ "resourceType": "Questionnaire", "status": "draft", "name": "Upitnik", "title": "Upitnik", "item": items })
}

fn extension(name: &str, value: Value) -> Value {
    let mut extension = value;
    extension["url"] = json!(format!("{EXTENSION}/{name}"));
    extension
}

async fn brought(case: &Case, questionnaire: &Value) -> (Value, String) {
    let sent = sent(questionnaire, None);
    let report = case.check(&sent).await;
    let (_, forms) = case.bring(&sent).await;
    (report, case.form_file(forms[0]).await)
}

/// The lines of the file that say something of a field.
fn field<'f>(file: &'f str, code: &str) -> &'f str {
    let begin = file.find(&format!("[[forms.polja]]\nsifra = \"{code}\"")).unwrap_or_else(|| panic!("no {code} in\n{file}"));
    let rest = &file[begin + 1..];
    rest.split("\n[[").next().unwrap()
}

/// The names of the items of a field's type, in their order.
fn items(file: &str, code: &str) -> Vec<String> {
    let type_name = field(file, code).lines().find_map(|line| line.strip_prefix("tipAtributa = ")).unwrap();
    let of_type = file.split("[[attributeTypes]]").find(|part| part.contains(&format!("\nnaziv = {type_name}\n"))).unwrap();
    of_type
        .lines()
        .filter_map(|line| line.split("naziv = \"").nth(1).filter(|_| line.contains('{')))
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn options_of_value_sets_stand_once_and_what_is_not_there_is_told() {
    let concept = |code: &str| json!({ "system": "http://x", "code": code, "display": code.to_uppercase() });
    let set = |id: &str, compose: Value, expansion: Value| {
        let mut set = json!({ "resourceType": "ValueSet", "id": id, "title": format!("Skup {id}"), "status": "active" });
        if !compose.is_null() {
            set["compose"] = compose;
        }
        if !expansion.is_null() {
            set["expansion"] = expansion;
        }
        set
    };
    let listed = |codes: &[&str]| json!({ "include": [{ "system": "http://x", "concept": codes.iter().map(|code| json!({ "code": code, "display": code.to_uppercase() })).collect::<Vec<_>>() }] });
    let expanded =
        |codes: &[&str]| json!({ "timestamp": "2026-01-01", "contains": codes.iter().map(|code| concept(code)).collect::<Vec<_>>() });
    let mut part = expanded(&["a"]);
    part["total"] = json!(3);
    let filtered = json!({ "include": [{ "system": "http://x", "concept": [{ "code": "a" }] }, { "system": "http://y", "filter": [{ "property": "p", "op": "=", "value": "v" }] }] });
    let mut without = listed(&["a", "b", "z"]);
    without["exclude"] = json!([{ "system": "http://x", "concept": [{ "code": "z" }] }]);
    let nested = json!({ "contains": [{ "abstract": true, "code": "n", "display": "Naslov", "contains": [concept("a"), { "system": "http://x", "code": "b", "contains": [concept("c")] }] }] });
    let mut questionnaire = of(json!(
        ["oba", "deo", "ceo", "filter", "bez", "naslov"]
            .map(|id| json!({ "linkId": id, "type": "choice", "text": id, "answerValueSet": format!("#{id}") }))
    ));
    questionnaire["contained"] = json!([
        set("oba", listed(&["a", "b"]), expanded(&["a", "b"])),
        set("deo", Value::Null, part.clone()),
        set("ceo", listed(&["a", "b", "c"]), part),
        set("filter", filtered, Value::Null),
        set("bez", without, Value::Null),
        set("naslov", Value::Null, nested),
        set("nicije", listed(&["a"]), Value::Null),
    ]);
    let case = Case::new().await;
    let (report, file) = brought(&case, &questionnaire).await;
    for (code, expected) in [("oba", "A B"), ("deo", "A"), ("ceo", "A B C"), ("filter", "a"), ("bez", "A B"), ("naslov", "A b C")] {
        assert_eq!(items(&file, code).join(" "), expected, "{code}\n{file}");
    }
    // A type is called as its value set; two of the same options are one.
    assert!(
        field(&file, "oba").contains("tipAtributa = \"Skup oba\"") && field(&file, "bez").contains("tipAtributa = \"Skup oba\""),
        "{file}"
    );
    let lost = told(&report, "nemapirano");
    for wanted in [
        "deo”: u fajlu je samo deo skupa: opcija je 1, a treba 3",
        "filter”: deo skupa vrednosti nema opcije u samom fajlu",
        "(ValueSet „nicije”): skup vrednosti se ne prenosi: nijedno pitanje ga ne koristi",
        "sistem šifara se ne prenosi",
    ] {
        assert!(lost.iter().any(|note| note.contains(wanted)), "{wanted}: {lost:#?}");
    }
    assert!(!lost.iter().any(|note| note.contains("(„ceo")), "{lost:#?}");
    assert!(told(&report, "upozorenja").iter().any(|note| note.contains("naslov među opcijama")), "{report}");
}

#[tokio::test]
async fn what_nobody_read_is_told_at_its_place() {
    let cases = [
        (json!({ "type": "string", "maxLength": 5 }), "maxLength"),
        (json!({ "type": "string", "modifierExtension": [{ "url": "urn:x", "valueBoolean": true }] }), "modifierExtension"),
        (json!({ "type": "string", "initial": [{ "valueString": "a" }, { "valueString": "b" }] }), "početna vrednost"),
        (json!({ "type": "string", "readOnly": true }), "samo za čitanje"),
        (json!({ "type": "string", "repeats": true }), "više odgovora"),
        (json!({ "type": "group", "required": true, "item": [{ "linkId": "u_grupi", "type": "string" }] }), "obavezna grupa"),
        (
            json!({ "type": "string", "extension": [extension("regex", json!({ "valueString": "[A-Z]" }))] }),
            "oblik odgovora nije prenet (regex)",
        ),
        (json!({ "type": "string", "extension": [extension("questionnaire-hidden", json!({ "valueBoolean": true }))] }), "skriveno"),
        (
            json!({ "type": "integer", "extension": [extension("questionnaire-sliderStepValue", json!({ "valueInteger": 5 }))] }),
            "korak klizača",
        ),
        (
            json!({ "type": "integer", "extension": [extension("questionnaire-itemControl", json!({ "valueCodeableConcept": { "coding": [{ "code": "slider" }] } }))] }),
            "prikaz se ne prenosi: slider",
        ),
        (
            json!({ "type": "date", "extension": [extension("minValue", json!({ "_valueDate": { "extension": [] }, "valueDate": "2020" }))] }),
            "granica nije preneta (minValue)",
        ),
        (
            json!({ "type": "quantity", "extension": [
                extension("minValue", json!({ "valueQuantity": { "value": 1, "unit": "kg" } })),
                extension("questionnaire-unit", json!({ "valueCoding": { "code": "m" } })),
            ] }),
            "granica nije preneta (minValue)",
        ),
        (
            json!({ "type": "string", "extension": [{ "url": "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-enableWhenExpression", "valueExpression": { "expression": "true" } }] }),
            "enableWhenExpression",
        ),
        (
            json!({ "type": "choice", "repeats": true, "answerOption": [{ "valueString": "a", "initialSelected": true }, { "valueString": "b", "initialSelected": true }] }),
            "početna vrednost",
        ),
        (json!({ "type": "choice", "answerOption": [{ "valueTime": "10:00:00" }, { "valueString": "b" }] }), "opcija te vrste"),
        (
            json!({ "type": "choice", "answerOption": [{ "valueCoding": { "code": "a", "userSelected": true } }, { "valueString": "b" }] }),
            "„userSelected”",
        ),
        (json!({ "type": "display", "text": "Naslov", "item": [], "newThing": { "a": 1 } }), "„newThing”"),
    ];
    let case = Case::new().await;
    for (at, (mut item, wanted)) in cases.into_iter().enumerate() {
        item["linkId"] = json!(format!("p{at}"));
        let other = json!({ "linkId": "drugo", "type": "string" });
        let report = case.check(&sent(&of(json!([item, other])), None)).await;
        assert_eq!(report["greske"], json!([]), "{item}");
        let lost = told(&report, "nemapirano");
        let lost: Vec<&String> = lost.iter().filter(|note| !note.contains("podaci o izdanju")).collect();
        let places = lost.iter().filter(|note| note.contains(wanted) && note.contains(&format!("(linkId „p{at}”)"))).count();
        assert!(places >= 1, "{wanted}: {lost:#?}");
    }
}

#[tokio::test]
async fn bounds_first_values_and_options_are_carried() {
    let questionnaire = of(json!([
        { "linkId": "dan", "type": "date", "text": "Dan", "initial": [{ "valueDate": "2020-01-01" }],
          "extension": [extension("minValue", json!({ "valueDate": "2000-01-01" })), extension("maxValue", json!({ "valueDate": "2030-12-31" }))] },
        { "linkId": "masa", "type": "quantity", "text": "Masa", "initial": [{ "valueQuantity": { "value": 70, "unit": "kg" } }],
          "extension": [
              extension("minValue", json!({ "valueQuantity": { "value": 500, "unit": "g" } })),
              extension("maxValue", json!({ "valueQuantity": { "value": 300, "unit": "kg", "code": "kg" } })),
              extension("questionnaire-unit", json!({ "valueCoding": { "code": "kg", "system": "http://unitsofmeasure.org" } })),
              extension("questionnaire-unitOption", json!({ "valueCoding": { "code": "g" } })),
          ] },
        { "linkId": "simptomi", "type": "choice", "repeats": true, "text": "Simptomi", "answerOption": [
            { "valueCoding": { "code": "k", "display": "Kašalj" } },
            { "valueCoding": { "code": "t", "display": "Temperatura" }, "initialSelected": true },
            { "valueCoding": { "code": "n", "display": "Ništa od toga" },
              "extension": [extension("questionnaire-optionExclusive", json!({ "valueBoolean": true }))] } ] },
        { "linkId": "stepen", "type": "integer", "text": "Stepen", "answerOption": [{ "valueInteger": 1 }, { "valueInteger": 2 }] },
        { "linkId": "rec", "type": "string", "prefix": "4.", "text": "Reč", "answerOption": [
            { "valueString": "da", "extension": [extension("questionnaire-optionPrefix", json!({ "valueString": "a)" }))] }, { "valueString": "ne" } ] },
        { "linkId": "kad", "type": "choice", "text": "Kad", "answerOption": [{ "valueDate": "2024-05-01" }, { "valueDate": "2024-06-01" }] },
        { "linkId": "posle", "type": "string", "text": "Posle",
          "enableWhen": [{ "question": "kad", "operator": ">", "answerDate": "2024-05-15" }] },
    ]));
    let case = Case::new().await;
    let (report, file) = brought(&case, &questionnaire).await;
    for (code, wanted) in [
        ("dan", "inicijalnaStringVrednost = \"2020-01-01\""),
        ("masa", "inicijalnaBrojnaVrednost = 70"),
        ("simptomi", "inicijalnaEnumStavka = \"Temperatura\""),
        ("rec", "naziv = \"4. Reč\""),
        ("posle", "formulaZaPrikaz = \"selected($(kad), \\\"2024-06-01\\\")\""),
    ] {
        assert!(field(&file, code).contains(wanted), "{wanted}\n{file}");
    }
    for wanted in [
        "uslov = \"$(dan) < \\\"2000-01-01\\\"\"",
        "poruka = \"Datum ne može biti posle 31.12.2030.\"",
        "uslov = \"selected($(simptomi), \\\"Ništa od toga\\\") and anyof($(simptomi), \\\"Kašalj\\\", \\\"Temperatura\\\")\"",
        "donjaGranicaBrojneVrednosti = 0.5",
        "gornjaGranicaBrojneVrednosti = 300",
        "jedinica = \"kg\"",
        "cinilac = 0.001, jedinica = \"g\"",
    ] {
        assert!(file.contains(wanted), "{wanted}\n{file}");
    }
    assert_eq!(items(&file, "rec"), ["a) da", "ne"]);
    assert_eq!(items(&file, "stepen"), ["1", "2"]);
    let lost: Vec<String> = told(&report, "nemapirano").into_iter().filter(|note| !note.contains("podaci o izdanju")).collect();
    assert_eq!(lost, Vec::<String>::new());
}

#[tokio::test]
async fn a_condition_holds_for_the_answers_for_which_it_held_there() {
    let when = |question: &str, operator: &str, answer: Value| {
        let mut when = answer;
        (when["question"], when["operator"]) = (json!(question), json!(operator));
        when
    };
    let integer = |number: i64| json!({ "answerInteger": number });
    let coding = |code: &str| json!({ "answerCoding": { "system": "http://x", "code": code } });
    let yes = |yes: bool| json!({ "answerBoolean": yes });
    let cases: Vec<(Value, &str, Result<&str, &str>)> = vec![
        (json!([when("n", "!=", integer(5))]), "all", Ok("(isblank($(n)) or $(n) != 5)")),
        (json!([when("n", "=", integer(5)), when("b", "!=", yes(true))]), "all", Ok("$(n) == 5 and !selected($(b), true)")),
        (json!([when("b", "!=", yes(false)), when("n", ">=", integer(10))]), "any", Ok("(isblank($(b)) or $(b) == 1) or $(n) >= 10")),
        (json!([when("b", "=", yes(false))]), "all", Ok("$(b) == 0")),
        (json!([when("m", "!=", coding("a"))]), "all", Ok("!selected($(m), \\\"a\\\")")),
        (json!([when("m", "=", json!({ "answerCoding": { "display": "Bez šifre" } }))]), "all", Ok("selected($(m), \\\"Bez šifre\\\")")),
        (json!([when("q", ">", json!({ "answerQuantity": { "value": 5, "code": "g" } }))]), "all", Ok("$(q) > 0.005")),
        (json!([when("q", ">", json!({ "answerQuantity": { "value": 5, "code": "m" } }))]), "all", Err("jedinica uslova je „m”")),
        (json!([when("m", "=", coding("nema"))]), "all", Err("nema opciju „nema”")),
        (json!([when("nema", "=", integer(1))]), "all", Err("nema stavke „nema”")),
        (json!([when("t", "exists", yes(false))]), "all", Ok("isblank($(t))")),
        (json!([when("t", "!=", json!({ "answerString": "x" }))]), "all", Ok("(isblank($(t)) or $(t) != \\\"x\\\")")),
    ];
    let mut items = vec![
        json!({ "linkId": "n", "type": "integer" }),
        json!({ "linkId": "b", "type": "boolean" }),
        json!({ "linkId": "t", "type": "string" }),
        json!({ "linkId": "q", "type": "quantity", "extension": [extension("questionnaire-unit", json!({ "valueCoding": { "code": "kg" } }))] }),
        json!({ "linkId": "m", "type": "choice", "repeats": true, "answerOption": [
            { "valueCoding": { "system": "http://x", "code": "a", "display": "Alfa" } }, { "valueCoding": { "display": "Bez šifre" } } ] }),
        json!({ "linkId": "pitanje", "type": "string", "enableWhen": [when("n", ">", integer(3))], "item": [
            { "linkId": "potpitanje", "type": "string", "enableBehavior": "any",
              "enableWhen": [when("b", "=", yes(true)), when("t", "exists", yes(true))] } ] }),
        json!({ "linkId": "naslov", "type": "display", "text": "Naslov", "enableWhen": [when("n", ">", integer(3))] }),
    ];
    for (at, (when, behavior, _)) in cases.iter().enumerate() {
        items.push(json!({ "linkId": format!("u{at}"), "type": "string", "enableWhen": when, "enableBehavior": behavior }));
    }
    let case = Case::new().await;
    let (report, file) = brought(&case, &of(json!(items))).await;
    let lost = told(&report, "nemapirano");
    for (at, (when, _, expected)) in cases.into_iter().enumerate() {
        let own = field(&file, &format!("u{at}"));
        match expected {
            Ok(formula) => assert!(own.contains(&format!("formulaZaPrikaz = \"{formula}\"")), "{when}\n{own}"),
            Err(why) => {
                assert!(!own.contains("formulaZaPrikaz"), "{own}");
                assert!(lost.iter().any(|note| note.contains(&format!("(linkId „u{at}”)")) && note.contains(why)), "{why}: {lost:#?}");
            }
        }
    }
    let inner = "formulaZaPrikaz = \"$(n) > 3 and (selected($(b), true) or !isblank($(t)))\"";
    assert!(field(&file, "potpitanje").contains(inner), "a question in a question is hidden with it\n{file}");
    assert!(field(&file, "naslov").contains("formulaZaPrikaz = \"$(n) > 3\""), "{file}");
}

#[tokio::test]
async fn a_group_and_several_conditions_say_what_they_are() {
    let when = json!([{ "question": "n", "operator": ">", "answerInteger": 1 }, { "question": "n", "operator": "<", "answerInteger": 9 }]);
    let questionnaire = of(json!([
        { "linkId": "6e2c0a52-4a3e-4f1d-9d11-0b7f2f6f7a10", "type": "group", "item": [
            { "linkId": "n", "type": "integer", "text": "Broj" },
            { "linkId": "u", "type": "string", "text": "Uz broj", "enableWhen": when } ] }
    ]));
    let case = Case::new().await;
    let (report, file) = brought(&case, &questionnaire).await;
    assert!(
        field(&file, "f_6e2c0a52_4a3e_4f1d_9d11_0b7f2f6f7a10").contains("naziv = \"Upitnik\""),
        "a tab is not called by its number\n{file}"
    );
    assert!(told(&report, "upozorenja").iter().any(|note| note.contains("enableBehavior nije naveden")), "{report}");
}

async fn exported(case: &Case, form: i64) -> Value {
    case.mila.get(&format!("/api/forms/{form}/definition?oblik=fhir")).await.assert_status(200).json()
}

fn find<'v>(items: &'v Value, link: &str) -> Option<&'v Value> {
    items.as_array()?.iter().find_map(|item| if item["linkId"] == link { Some(item) } else { find(&item["item"], link) })
}

#[tokio::test]
async fn a_form_goes_out_and_comes_back_as_it_was() {
    let case = Case::new().await;
    let (register, forms) = case.bring(&Case::sent("a.toml", EVERY.as_bytes(), None)).await;
    let first = case.form_file(forms[0]).await;
    let out = exported(&case, forms[0]).await;
    let report = case.check(&sent(&out, Some(register))).await;
    assert_eq!(
        (&report["greske"], &report["izmene"], &report["nemapirano"], &report["ostaje"]),
        (&json!([]), &json!([]), &json!([]), &json!([])),
        "{out:#}"
    );
    assert_eq!(report["upozorenja"], json!([]), "each enableWhen means what its formula means");
    // Into an empty house.
    let other = Case::new().await;
    let (_, back) = other.bring(&sent(&out, None)).await;
    assert_eq!(other.form_file(back[0]).await, first);
    assert_eq!(exported(&other, back[0]).await["item"], out["item"]);
}

#[tokio::test]
async fn a_questionnaire_says_conditions_only_as_they_are_meant() {
    let case = Case::new().await;
    let (_, forms) = case.bring(&Case::sent("a.toml", EVERY.as_bytes(), None)).await;
    let out = exported(&case, forms[0]).await;
    let item = |link: &str| find(&out["item"], link).unwrap_or_else(|| panic!("no {link}"));
    let coding = |system: Option<&str>, code: &str, display: &str| match system {
        Some(system) => json!({ "system": system, "code": code, "display": display }),
        None => json!({ "code": code, "display": display }),
    };
    let desno = coding(Some("urn:regix:stavka"), "desno", "Desno");
    let levo = coding(Some("urn:regix:stavka"), "levo", "Levo");
    for (link, behavior, when) in [
        (
            "u_broj",
            Some("all"),
            json!([{ "question": "broj", "operator": "exists", "answerBoolean": true }, { "question": "broj", "operator": "!=", "answerInteger": 0 }]),
        ),
        (
            "u_nije_pet",
            Some("all"),
            json!([{ "question": "broj", "operator": "exists", "answerBoolean": true }, { "question": "broj", "operator": "!=", "answerInteger": 5 }]),
        ),
        ("u_sem_pet", None, json!([{ "question": "broj", "operator": "!=", "answerInteger": 5 }])),
        ("u_ne", None, json!([{ "question": "pusac", "operator": "=", "answerBoolean": false }])),
        (
            "u_tezina",
            Some("any"),
            json!([{ "question": "strana", "operator": "=", "answerCoding": levo }, { "question": "strana", "operator": "=", "answerCoding": desno }]),
        ),
        ("u_drugi", None, json!([{ "question": "strana", "operator": "=", "answerCoding": desno }])),
        ("u_veca", Some("any"), json!([{ "question": "strana", "operator": "=", "answerCoding": coding(None, "o", "Oba") }])),
        ("naslov_uz", None, json!([{ "question": "broj", "operator": ">", "answerInteger": 3 }])),
    ] {
        let own = item(link);
        let behavior = behavior.filter(|_| when.as_array().unwrap().len() > 1);
        assert_eq!((&own["enableWhen"], own["enableBehavior"].as_str()), (&when, behavior), "{link}");
    }
    for link in ["u_zbir", "u_ili", "naslov_reci"] {
        assert!(item(link)["enableWhen"].is_null(), "{link}");
        let words = find(&out["item"], &format!("{link}_uslov")).unwrap_or_else(|| panic!("{link} has no words"));
        assert!(words["text"].as_str().unwrap().contains("se prikazuje kada je tačno: "), "{words}");
    }
    let options = item("strana")["answerOption"].as_array().unwrap();
    let codes: Vec<&str> = options.iter().map(|option| option["valueCoding"]["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["levo", "desno", "o"], "one that is not chosen any more is not offered");
    let weights = |at: usize| -> Vec<f64> {
        options[at]["extension"].as_array().into_iter().flatten().filter_map(|one| one["valueDecimal"].as_f64()).collect()
    };
    assert_eq!(weights(0), [1.0, 1.0], "by its name in R4 and in R5");
    let reference = item("broj")["extension"].to_string();
    assert!(
        reference.contains("urn:regix:donjaReferentnaBrojnaVrednost") && reference.contains("urn:regix:gornjaReferentnaBrojnaVrednost")
    );
    assert!(find(&out["item"], "broj_referentne").unwrap()["text"] == "Referentne vrednosti: od 2 do 8");
    let url = out["url"].as_str().unwrap();
    assert!(url.starts_with("urn:uuid:") && exported(&case, forms[0]).await["url"] == url, "{url}");
    assert_eq!(out["version"], "1");
}

#[tokio::test]
async fn a_condition_that_was_changed_elsewhere_is_taken_over_and_told() {
    let case = Case::new().await;
    let (register, forms) = case.bring(&Case::sent("a.toml", EVERY.as_bytes(), None)).await;
    let mut out = exported(&case, forms[0]).await;
    fn change(items: &mut Value) {
        for item in items.as_array_mut().into_iter().flatten() {
            if item["linkId"] == "u_sem_pet" {
                item["enableWhen"][0]["answerInteger"] = json!(6);
            }
            change(&mut item["item"]);
        }
    }
    change(&mut out["item"]);
    let sent = sent(&out, Some(register));
    let report = case.check(&sent).await;
    let warned = told(&report, "upozorenja");
    assert!(warned.len() == 1 && warned[0].contains("važi enableWhen"), "{warned:?}");
    case.bring(&sent).await;
    assert!(field(&case.form_file(forms[0]).await, "u_sem_pet").contains("formulaZaPrikaz = \"(isblank($(broj)) or $(broj) != 6)\""));
}

#[tokio::test]
async fn a_weight_is_the_files_and_only_where_it_says_one() {
    let weight = |name: &str, weight: f64| json!([{ "url": format!("{EXTENSION}/{name}"), "valueDecimal": weight }]);
    let questionnaire = json!({
        "resourceType": "Questionnaire", "status": "draft", "name": "Tezine", "title": "Težine",
        "contained": [{ "resourceType": "ValueSet", "id": "skup", "title": "Skala", "status": "active",
            "compose": { "include": [{ "system": "http://x", "concept": [
                { "code": "a", "display": "Malo", "extension": weight("ordinalValue", 1.5) }, { "code": "b", "display": "Mnogo" } ] }] },
            "expansion": { "contains": [{ "system": "http://x", "code": "a", "display": "Malo" },
                { "system": "http://x", "code": "b", "display": "Mnogo", "extension": weight("itemWeight", 3.0) }] } }],
        "item": [
            { "linkId": "oci", "type": "choice", "text": "Oči", "answerOption": [
                { "extension": weight("itemWeight", 0.0), "valueCoding": { "code": "no", "display": "Nema" } },
                { "extension": weight("itemWeight", 4.0), "valueCoding": { "code": "sp", "display": "Spontano" } },
                { "valueCoding": { "code": "xx", "display": "Drugo", "extension": weight("ordinalValue", 9.0) } } ] },
            { "linkId": "deo", "type": "choice", "text": "Deo", "answerOption": [
                { "extension": weight("ordinalValue", 0.0), "valueCoding": { "code": "1", "display": "Nikad" } },
                { "extension": weight("ordinalValue", 4.0), "valueCoding": { "code": "2", "display": "Stalno" } },
                { "valueCoding": { "code": "3", "display": "Odbio" } } ] },
            { "linkId": "broj", "type": "choice", "text": "Broj", "answerOption": [{ "valueInteger": 7 }, { "valueInteger": 8 }] },
            { "linkId": "skala", "type": "choice", "text": "Skala", "answerValueSet": "#skup" }
        ]
    });
    let case = Case::new().await;
    let sent = sent(&questionnaire, None);
    let (register, forms) = case.bring(&sent).await;
    let weighed = "select string_agg(i.naziv || ' ' || coalesce(trim_scale(i.num_vrednost)::text, '-'), ', ' order by t.naziv, i.redosled)
                     from enum_item i join attribute_type t on t.id = i.tip_atributa_id where i.aktivan";
    let weights = || async { sqlx::query_scalar::<_, String>(weighed).fetch_one(&case.app.db.owner).await.unwrap() };
    let expected = "7 -, 8 -, Nema 0, Spontano 4, Drugo 9, Nikad 0, Stalno 4, Odbio -, Malo 1.5, Mnogo 3";
    assert_eq!(weights().await, expected);
    // And they come back from our own file.
    let out = exported(&case, forms[0]).await;
    let report = case.check(&super::questionnaires::sent(&out, Some(register))).await;
    assert_eq!((&report["izmene"], &report["nemapirano"]), (&json!([]), &json!([])), "{out:#}");
}

#[tokio::test]
async fn a_deleted_field_stays_behind_and_a_deleted_form_is_not_there() {
    let item = |link: &str| json!({ "linkId": link, "text": format!("Pitanje {link}"), "type": "string" });
    let case = Case::new().await;
    let (_, forms) = case.bring(&sent(&of(json!([item("ostaje"), item("odlazi")])), None)).await;
    case.app.lay_out(&["update form_field set aktivan = false where naziv = 'Pitanje odlazi'"]).await;
    let (fhir, file) = (exported(&case, forms[0]).await.to_string(), case.form_file(forms[0]).await);
    for text in [&fhir, &file] {
        assert!(text.contains("Pitanje ostaje") && !text.contains("Pitanje odlazi"), "{text}");
    }
    case.app.lay_out(&["update form set aktivan = false"]).await;
    case.mila.get(&format!("/api/forms/{}/definition?oblik=fhir", forms[0])).await.assert_status(404);
}
