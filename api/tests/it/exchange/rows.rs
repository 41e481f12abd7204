//! What repeats in other systems, and what must hold there: sections and rules here.

use serde_json::{Value, json};

use super::{Case, foreign::workbook, told};

async fn read(case: &Case, name: &str, bytes: &[u8]) -> (Value, String, i64) {
    let mut sent = Case::sent(name, bytes, None);
    (sent["naziv"], sent["sifra"]) = (json!("Tuđi"), json!("tudji"));
    let report = case.check(&sent).await;
    let (_, forms) = case.bring(&sent).await;
    (report, case.form_file(forms[0]).await, forms[0])
}

#[tokio::test]
async fn an_xlsform_brings_its_repeats_constraints_and_conditions() {
    let case = Case::new().await;
    let survey: &[&[&str]] = &[
        &["type", "name", "label", "required", "relevant", "constraint", "constraint message", "repeat_count", "calculation", "default"],
        &["begin group", "g", "Osnovno", "", "", "", "", "", "", ""],
        &["integer", "sis", "Sistolni", "", "", "", "", "", "", ""],
        &["integer", "dia", "Dijastolni", "${sis} > 0", "", ". < ${sis}", "Dijastolni mora biti manji.", "", "", ""],
        &["integer", "puls", "Puls", "true()", "", ". > 20 and . < 300", "Između 20 i 300", "", "", ""],
        &["text", "jmbg", "JMBG", "no", "", "regex(., '^[0-9]{13}$')", "", "", "", ""],
        &["date", "dan", "Dan", "", "", ". <= today()", "", "", "", ""],
        &["end group", "", "", "", "", "", "", "", "", ""],
        &["begin repeat", "lek", "Lekovi", "", "${puls} > 100", "", "", "5", "", ""],
        &["note", "n", "Samo glavni", "", "", "", "", "", "", ""],
        &["text", "naziv", "Naziv", "yes", "", "", "", "", "", ""],
        &["begin group", "doze", "Doze", "", "${puls} > 1", "", "", "", "", ""],
        &["decimal", "doza", "Doza", "", "${puls} > 1", ". >= 0", "", "", "", "7"],
        &["end group", "", "", "", "", "", "", "", "", ""],
        &["calculate", "dvostruko", "", "", "", "", "", "", "${doza} * 2", ""],
        &["calculate", "mesto", "", "", "", "", "", "", "position(..)", ""],
        &["begin repeat", "termini", "Termini", "", "", "", "", "", "", ""],
        &["date", "termin", "Termin", "", "", "", "", "", "", ""],
        &["end repeat", "", "", "", "", "", "", "", "", ""],
        &["end repeat", "", "", "", "", "", "", "", "", ""],
        &["calculate", "ukupno", "", "", "", "", "", "", "${doza} + 1", ""],
        &["calculate", "zbir", "", "", "", "", "", "", "sum(${doza})", ""],
        &["calculate", "koliko", "", "", "", "", "", "", "count(${lek})", ""],
    ];
    let (report, file, _) = read(&case, "a.xlsx", &workbook(&[("survey", survey)])).await;
    for part in [
        "obavezanAko = \"$(sis) > 0\"",
        "polje = \"dia\"\nporuka = \"Dijastolni mora biti manji.\"\nuslov = \"!isblank($(dia)) and !(!isblank($(sis)) and $(dia) < $(sis))\"\nvrsta = \"greska\"",
        "uslov = \"!isblank($(dan)) and !($(dan) <= today())\"",
        "poruka = \"Vrednost polja „Dan” nije dozvoljena.\"",
        "najviseRedova = 5\nponavljaSe = true",
        "formulaZaPrikaz = \"$(puls) > 100\"",
        "donjaGranicaBrojneVrednosti = 21",
        "formulaZaRacunanje = \"$(doza) * 2\"",
        "formulaZaPrikaz = \"$(puls) > 1 and $(puls) > 1\"",
        "formulaZaRacunanje = \"redniBrojReda\"",
        "formulaZaRacunanje = \"if(brojRedova($(doza)) == 0, 0, sum($(doza)))\"",
        "formulaZaRacunanje = \"brojRedova($(lek))\"",
    ] {
        assert!(file.contains(part), "{part}\n{file}");
    }
    assert_eq!(file.matches("nadredjeni = \"lek\"").count(), 4, "{file}");
    assert_eq!(
        told(&report, "nemapirano"),
        [
            "survey, red 5, kolona „constraint_message”: poruka uz granice se ne prenosi: granice imaju svoju",
            "survey, red 10: napomena u ponavljanju se ne prenosi: sekcija ima samo kolone",
            "survey, red 13, kolona „default”: početna vrednost nije preneta",
            "survey, red 17, kolona „type”: ponavljanje u ponavljanju se ne prenosi, ni ono što je u njemu",
            "survey, red 18: u ponavljanju koje se ne prenosi",
            "survey, red 6, kolona „constraint”: ograničenje nije preneto (nema funkcije „regex”); ne proverava se",
            "survey, red 21, kolona „calculation”: računanje nije preneto („doza” stoji u sekciji koja se ponavlja); polje se unosi ručno",
        ]
    );
    case.mila.post("/api/definition-checks", Case::sent("a.xls", b"x", None)).await.assert_status(422);
}

#[tokio::test]
async fn groups_that_repeat_go_in_and_out_of_fhir_as_sections() {
    let case = Case::new().await;
    let row = |link: &str, kind: &str| json!({ "linkId": link, "type": kind, "text": link });
    let questionnaire = json!({ "resourceType": "Questionnaire", "name": "lekovi", "title": "Lekovi", "item": [
        { "linkId": "lek", "type": "group", "text": "Lek", "repeats": true,
          "extension": [{ "url": "http://hl7.org/fhir/StructureDefinition/questionnaire-maxOccurs", "valueInteger": 8 }],
          "item": [row("naziv", "string"), row("nap", "display"),
                   { "linkId": "unutra", "type": "group", "text": "Unutra", "item": [row("doza", "decimal")] },
                   { "linkId": "opet", "type": "group", "text": "Opet", "repeats": true, "item": [row("dan", "date")] }] },
        { "linkId": "tel", "type": "string", "text": "Telefoni", "repeats": true },
        { "linkId": "masa", "type": "decimal", "text": "Masa",
          "extension": [{ "url": "http://hl7.org/fhir/StructureDefinition/questionnaire-unit", "valueCoding": { "code": "kg" } }] },
        { "linkId": "teska", "type": "string", "text": "Teška",
          "enableWhen": [{ "question": "masa", "operator": ">", "answerQuantity": { "value": 100, "code": "kg" } }] } ] });
    let (report, file, form) = read(&case, "a.json", questionnaire.to_string().as_bytes()).await;
    assert!(file.contains("najviseRedova = 8\nponavljaSe = true") && file.contains("formulaZaPrikaz = \"$(masa) > 100\""), "{file}");
    assert_eq!(file.matches("nadredjeni = \"lek\"").count(), 2, "{file}");
    assert_eq!(
        told(&report, "nemapirano"),
        [
            "item[0] (linkId „lek”)[1] (linkId „nap”): napomena u ponavljanju se ne prenosi: sekcija ima samo kolone",
            "item[0] (linkId „lek”)[3] (linkId „opet”): ponavljanje u ponavljanju se ne prenosi, ni ono što je u njemu",
            "item[1] (linkId „tel”): više odgovora na jedno pitanje se ne prenosi: ovde je jedan",
        ]
    );
    let out = case.mila.get(&format!("/api/forms/{form}/definition?oblik=fhir")).await;
    let section = &out.json()["item"][0];
    assert_eq!((&section["repeats"], &section["extension"][0]["valueInteger"]), (&json!(true), &json!(8)), "{section}");
    let register = case.number("select id from register").await;
    let back = case.check(&Case::sent("b.json", out.text().as_bytes(), Some(register))).await;
    assert_eq!((&back["izmene"], &back["nemapirano"], &back["ostaje"]), (&json!([]), &json!([]), &json!([])));
}

#[tokio::test]
async fn a_dictionary_whose_first_column_is_named_otherwise_is_read_by_its_places() {
    let case = Case::new().await;
    let dictionary = super::foreign::DICTIONARY.replace("\"Variable / Field Name\"", "1");
    let mut sent = Case::sent("a.csv", dictionary.as_bytes(), None);
    (sent["naziv"], sent["sifra"]) = (json!("Tuđi"), json!("tudji"));
    assert_eq!(told(&case.check(&sent).await, "nemapirano"), ["red 4, kolona „Identifier?”: oznaka ličnog podatka se ne prenosi"]);
    let nothing = super::foreign::DICTIONARY.replace("\"Variable / Field Name\",", "");
    let report = case.check(&Case::sent("a.csv", nothing.as_bytes(), None)).await;
    assert!(told(&report, "greske")[0].contains("Nema kolone „variable / field name”"), "{report}");
}
