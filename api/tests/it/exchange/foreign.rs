//! Forms of other systems: XLSForm, REDCap, FHIR.

use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use super::{Case, told};

/// A workbook of these sheets.
pub fn workbook(sheets: &[(&str, &[&[&str]])]) -> Vec<u8> {
    let mut book = Workbook::new();
    for (name, rows) in sheets {
        let sheet = book.add_worksheet();
        sheet.set_name(*name).unwrap();
        for (row, cells) in rows.iter().enumerate() {
            for (column, text) in cells.iter().enumerate() {
                sheet.write_string(row as u32, column as u16, *text).unwrap();
            }
        }
    }
    book.save_to_buffer().unwrap()
}

/// In the shape of the XLSForm specification's own examples: groups, both kinds of choices, a calculation, relevance, a repeat.
fn xlsform() -> Vec<u8> {
    workbook(&[
        (
            "survey",
            &[
                &["type", "name", "label::English (en)", "label::Srpski (sr)", "hint", "required", "relevant", "constraint", "calculation"],
                &["begin group", "demo", "Demographics", "Osnovno", "", "", "", "", ""],
                &["integer", "age", "Age", "Starost", "u godinama", "yes", "", ". >= 0 and . <= 120", ""],
                &["select_one yes_no", "smoker", "Smoker", "Pušač", "", "", "", "", ""],
                &["select_multiple symptom", "symptoms", "Symptoms", "Simptomi", "", "", "${age} >= 18 and ${smoker} = 'yes'", "", ""],
                &["decimal", "weight", "Weight", "Masa", "", "", "", ". >= 0", ""],
                &["decimal", "height", "Height", "Visina", "", "", "", ". > 0", ""],
                &["calculate", "bmi", "BMI", "BMI", "", "", "", "", "round(${weight} div (${height} * ${height}), 1)"],
                &["calculate", "cough_days", "", "", "", "", "", "", "pulldata('a', 'b', 'c', ${age})"],
                &["end group", "", "", "", "", "", "", "", ""],
                &["begin repeat", "child", "Child", "Dete", "", "", "", "", ""],
                &["text", "child_name", "Name", "Ime", "", "", "", "", ""],
                &["end repeat", "", "", "", "", "", "", "", ""],
                &["geopoint", "place", "Place", "Mesto", "", "", "", "", ""],
                &["text", "other-note", "Note", "Napomena", "", "", "selected(${symptoms}, 'cough')", "", ""],
            ],
        ),
        (
            "choices",
            &[
                &["list_name", "name", "label::English (en)", "label::Srpski (sr)"],
                &["yes_no", "yes", "Yes", "Da"],
                &["yes_no", "no", "No", "Ne"],
                &["symptom", "cough", "Cough", "Kašalj"],
                &["symptom", "fever", "Fever", "Temperatura"],
            ],
        ),
        ("settings", &[&["form_title", "form_id"], &["Prijem", "prijem"]]),
    ])
}

#[tokio::test]
async fn an_xlsform_becomes_a_form_and_tells_what_it_cannot_have() {
    let case = Case::new().await;
    let mut sent = Case::sent("prijem.xlsx", &xlsform(), None);
    let nameless = case.check(&sent).await;
    assert_eq!(
        told(&nameless, "greske"),
        ["register.sifra: Unesite šifru novog registra.", "register.naziv: Unesite naziv novog registra."]
    );
    (sent["naziv"], sent["sifra"]) = (json!("Anketa"), json!("anketa"));
    let report = case.check(&sent).await;
    assert_eq!(
        told(&report, "nemapirano"),
        [
            "survey, red 14, kolona „type”: vrsta „geopoint” se ne prenosi",
            "survey, red 2, kolona „label::english (en)”: drugi jezik se ne prenosi (prvi put ovde)",
            "choices, red 2, kolona „label::english (en)”: drugi jezik se ne prenosi (prvi put ovde)",
            "survey, red 9, kolona „calculation”: računanje nije preneto (nema funkcije „pulldata”); polje se unosi ručno",
        ]
    );
    let (_, forms) = case.bring(&sent).await;
    let file = case.form_file(forms[0]).await;
    for part in [
        "sifraVeza = \"prijem\"",
        "naziv = \"Starost\"",
        "napomena = \"u godinama\"",
        "gornjaGranicaBrojneVrednosti = 120",
        "formulaZaPrikaz = \"$(age) >= 18 and selected($(smoker), true)\"",
        "formulaZaRacunanje = \"round($(weight) / ($(height) * $(height)), 1)\"",
        "napomenaDizajnera = \"Nije preneto (računanje): pulldata('a', 'b', 'c', ${age})\"",
        "formulaZaPrikaz = \"selected($(symptoms), \\\"cough\\\")\"",
        "sifra = \"other_note\"",
        "{ sifraVeza = \"cough\", naziv = \"Kašalj\" }",
        "multiselect = true",
        "uslov = \"!isblank($(height)) and !($(height) > 0)\"",
        "nadredjeni = \"child\"",
    ] {
        assert!(file.contains(part), "{part}\n{file}");
    }
}

#[tokio::test]
async fn a_workbook_that_is_none_or_unpacks_to_too_much_is_refused() {
    use std::io::Write;
    let case = Case::new().await;
    let mut bomb = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    bomb.start_file("xl/worksheets/sheet1.xml", zip::write::SimpleFileOptions::default()).unwrap();
    for _ in 0..80 {
        bomb.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let bomb = bomb.finish().unwrap().into_inner();
    assert!(bomb.len() < 1 << 20);
    let mut far = Workbook::new();
    let sheet = far.add_worksheet();
    sheet.set_name("survey").unwrap();
    sheet.write_string(0, 0, "type").unwrap();
    sheet.write_string(1_048_575, 16_383, "x").unwrap();
    let far = far.save_to_buffer().unwrap();
    let other = workbook(&[("List1", &[&["a"]])]);
    for (bytes, why) in [
        (&bomb, "raspakuje u previše"),
        (&far, "List je prevelik"),
        (&b"PK\x03\x04 nothing".to_vec(), "nije ispravan .xlsx"),
        (&other, "Nema lista „survey”"),
    ] {
        let report = case.check(&Case::sent("a.xlsx", bytes, None)).await;
        let faults = told(&report, "greske");
        assert!(faults.len() == 1 && faults[0].contains(why), "{why}: {faults:?}");
    }
}

pub const DICTIONARY: &str = include_str!("demographics.csv");
const SCORE: &str = include_str!("score.csv");

#[tokio::test]
async fn redcap_dictionaries_become_forms() {
    let case = Case::new().await;
    let mut sent = Case::sent("demographics.csv", DICTIONARY.as_bytes(), None);
    (sent["naziv"], sent["sifra"]) = (json!("REDCap"), json!("redcap"));
    let report = case.check(&sent).await;
    assert_eq!(told(&report, "nemapirano"), ["red 4, kolona „Identifier?”: oznaka ličnog podatka se ne prenosi"]);
    let (register, forms) = case.bring(&sent).await;
    assert_eq!(forms.len(), 2, "one an instrument");
    let first = case.register_file(register).await;
    for part in [
        "jedinica = \"kg\"",
        "tipVrednosti = \"fajl\"",
        "formulaZaPrikaz = \"selected($(sex), \\\"2\\\")\"",
        "formulaZaPrikaz = \"selected($(complications), \\\"3\\\")\"",
        "opcioni = false",
        "formulaZaRacunanje = \"abs(days_between($(dob), today())) / 365.2425\"",
    ] {
        assert!(first.contains(part), "{part}\n{first}");
    }
    let again = Case::sent("demographics.csv", DICTIONARY.as_bytes(), Some(register));
    assert_eq!(case.check(&again).await["izmene"], json!([]), "the dictionary is known again");
    // A second one goes into the same register beside them.
    let (same, added) = case.bring(&Case::sent("score.csv", SCORE.as_bytes(), Some(register))).await;
    assert_eq!((same, added.len()), (register, 1));
    let score = case.form_file(added[0]).await;
    assert!(score.contains("formulaZaRacunanje = \"$!(q1) + $!(q2)\""), "{score}");
    assert!(case.register_file(register).await.starts_with("[register]\nsifra = \"redcap\""));
}

/// In the shape of LOINC's PHQ-9: groups in groups, options with ordinals, and what is asked only after an answer.
fn phq() -> Value {
    let options = json!([
        { "extension": [{ "url": "http://hl7.org/fhir/StructureDefinition/ordinalValue", "valueDecimal": 0 }], "valueCoding": { "code": "LA6568-5", "display": "Nimalo" } },
        { "extension": [{ "url": "http://hl7.org/fhir/StructureDefinition/ordinalValue", "valueDecimal": 1 }], "valueCoding": { "code": "LA6569-3", "display": "Više dana" } }
    ]);
    json!({
        "resourceType": "Questionnaire", "status": "draft", "name": "PHQ2", "title": "PHQ-2",
        "item": [{
            "linkId": "g", "type": "group", "text": "Pitanja", "item": [
                { "linkId": "44250-9", "type": "choice", "text": "Malo interesovanja", "required": true, "code": [{ "code": "44250-9" }], "answerOption": options },
                { "linkId": "u", "type": "group", "text": "Unutra", "item": [
                    { "linkId": "trajanje", "type": "integer", "text": "Koliko dana",
                      "extension": [{ "url": "http://hl7.org/fhir/StructureDefinition/minValue", "valueInteger": 1 },
                                    { "url": "http://hl7.org/fhir/StructureDefinition/questionnaire-unit", "valueCoding": { "display": "dana" } }],
                      "enableWhen": [{ "question": "44250-9", "operator": "=", "answerCoding": { "code": "LA6569-3" } }] },
                    { "linkId": "lek", "type": "boolean", "text": "Uzima lek" },
                    { "linkId": "doza", "type": "decimal", "text": "Doza", "enableBehavior": "any",
                      "enableWhen": [{ "question": "lek", "operator": "=", "answerBoolean": true }, { "question": "trajanje", "operator": ">", "answerInteger": 14 }] },
                    { "linkId": "slika", "type": "attachment", "text": "Slika", "repeats": true, "required": true,
                      "extension": [{ "url": "http://hl7.org/fhir/StructureDefinition/mimeType", "valueCode": "image/png" },
                                    { "url": "http://hl7.org/fhir/StructureDefinition/mimeType", "valueCode": "application/pdf" },
                                    { "url": "http://hl7.org/fhir/StructureDefinition/maxSize", "valueDecimal": 4.5 },
                                    { "url": "http://hl7.org/fhir/StructureDefinition/questionnaire-maxOccurs", "valueInteger": 3 }] },
                    { "linkId": "potpis", "type": "url", "text": "Adresa" },
                    { "linkId": "ukupno", "type": "decimal", "text": "Zbir", "extension": [
                        { "url": "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression",
                          "valueExpression": { "language": "text/fhirpath", "expression": "%a + %b" } }] }
                ] }
            ]
        }]
    })
}

#[tokio::test]
async fn a_questionnaire_goes_in_and_out_and_in_as_the_same_form() {
    let case = Case::new().await;
    let mut sent = Case::sent("phq.json", phq().to_string().as_bytes(), None);
    (sent["naziv"], sent["sifra"]) = (json!("Upitnici"), json!("upitnici"));
    let report = case.check(&sent).await;
    let lost = told(&report, "nemapirano");
    assert!(lost.len() == 2 && lost[0].contains("„url”") && lost[1].contains("calculatedExpression"), "{lost:?}");
    let (register, forms) = case.bring(&sent).await;
    let first = case.form_file(forms[0]).await;
    for part in [
        "sifra = \"f_44250_9\"",
        "formulaZaPrikaz = \"selected($(f_44250_9), \\\"LA6569-3\\\")\"",
        "formulaZaPrikaz = \"selected($(lek), true) or $(trajanje) > 14\"",
        "jedinica = \"dana\"",
        "vrsteFajlova = [\"pdf\", \"png\"]",
        "najviseFajlova = 3",
        "najviseMegabajta = 5",
    ] {
        assert!(first.contains(part), "{part}\n{first}");
    }
    let book = case.mila.get(&format!("/api/forms/{}/definition?oblik=xlsx", forms[0])).await;
    assert!(book.assert_status(200).bytes.starts_with(b"PK"), "a workbook");
    assert_eq!(book.header("content-type"), Some("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"));
    for paper in ["pdf", "sifarnik"] {
        let page = case.mila.get(&format!("/api/forms/{}/definition?oblik={paper}", forms[0])).await;
        assert!(page.assert_status(200).bytes.starts_with(b"%PDF-"), "{paper}");
        assert_eq!(page.header("content-type"), Some("application/pdf"), "{paper}");
    }
    let out = case.mila.get(&format!("/api/forms/{}/definition?oblik=fhir", forms[0])).await;
    let written = out.json();
    assert_eq!(written["item"][0]["item"][0]["answerOption"][1]["extension"][0]["valueDecimal"].as_f64(), Some(1.0));
    assert_eq!(written["item"][0]["item"][1]["item"][2]["enableBehavior"], "any");
    let back = Case::sent("b.json", out.text().as_bytes(), Some(register));
    let report = case.check(&back).await;
    assert_eq!((&report["izmene"], &report["nemapirano"], &report["ostaje"]), (&json!([]), &json!([]), &json!([])), "nothing is lost");
}

#[tokio::test]
async fn what_a_questionnaire_cannot_say_of_a_form_is_said_in_words() {
    let case = Case::new().await;
    let (_, forms) = case.bring(&Case::sent("a.toml", super::whole(super::RHEUMATOLOGY).as_bytes(), None)).await;
    let out = case.mila.get(&format!("/api/forms/{}/definition?oblik=fhir", forms[0])).await.assert_status(200).text();
    assert!(out.contains("Računa se: "), "{out}");
    let mut sent = Case::sent("b.json", out.as_bytes(), None);
    (sent["naziv"], sent["sifra"]) = (json!("Nazad"), json!("nazad"));
    let report = case.check(&sent).await;
    assert_eq!(report["greske"], json!([]));
    assert!(told(&report, "nemapirano").iter().all(|note| note.ends_with("polje samo za čitanje ovde se unosi")), "{report}");
    let wrong = case.check(&Case::sent("b.json", br#"{"resourceType":"Patient"}"#, None)).await;
    assert_eq!(told(&wrong, "greske"), ["resourceType: Fajl nije FHIR Questionnaire."]);
    let value_set = json!({ "resourceType": "Questionnaire", "name": "v", "contained": [{ "resourceType": "ValueSet", "id": "pol",
        "compose": { "include": [{ "concept": [{ "code": "m", "display": "Muški" }, { "code": "z", "display": "Ženski" }] }] } }],
        "item": [{ "linkId": "pol", "type": "choice", "text": "Pol", "answerValueSet": "#pol" },
                 { "linkId": "dete", "type": "group", "repeats": true, "text": "Dete" }] });
    let mut sent = Case::sent("v.json", value_set.to_string().as_bytes(), None);
    (sent["naziv"], sent["sifra"]) = (json!("V"), json!("v"));
    let report = case.check(&sent).await;
    assert!(report["izmene"].as_array().unwrap().iter().any(|change| change["naziv"] == "Ženski"), "{report}");
    assert!(told(&report, "nemapirano")[0].contains("nema nijednu kolonu"), "{report}");
}
