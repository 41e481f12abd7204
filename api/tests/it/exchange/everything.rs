//! What forms got after the first versions of the file – other units, previous values, sections that repeat, files, rules, conditions of what is
//! required – goes through every way out and in.

use serde_json::{Value, json};

use super::{Case, told};

const REGISTER: &str = include_str!("everything.toml");

#[tokio::test]
async fn a_register_of_every_kind_of_property_goes_out_and_in_and_out_as_the_same_bytes() {
    let case = Case::new().await;
    let (register, forms) = case.bring(&Case::sent("a.toml", REGISTER.as_bytes(), None)).await;
    let first = case.register_file(register).await;
    for kept in [
        "cinilac = 0.02586",
        "jedinica = \"mg/dL\"",
        "prikaziPrethodnu = true",
        "ponavljaSe = true",
        "najviseRedova = 5",
        "najviseFajlova = 3",
        "vrsteFajlova",
        "obavezanAko = \"$(ldl) > 4\"",
        "napomenaDizajnera = \"Dogovoreno 3. marta\"",
        "oznakaIzvoza = \"identitet\"",
        "vrsta = \"upozorenje\"",
        "polje = \"ldl\"",
        "poruka = \"Pušač uzima lekove: proverite doze.\"",
        "podrazumevani = true",
        "sidro = \"prethodna\"",
        "uslovFormular = \"pregled\"",
        "ponavljaDoMeseci = 60",
    ] {
        assert!(first.contains(kept), "{kept} is missing in\n{first}");
    }
    let again = Case::sent("b.toml", first.as_bytes(), Some(register));
    let report = case.check(&again).await;
    assert_eq!((&report["izmene"], &report["ostaje"], &report["greske"]), (&json!([]), &json!([]), &json!([])));
    case.bring(&again).await;
    assert_eq!(case.register_file(register).await, first);

    // Into an empty house.
    let other = Case::new().await;
    let (elsewhere, _) = other.bring(&Case::sent("c.toml", first.as_bytes(), None)).await;
    assert_eq!(other.register_file(elsewhere).await, first);

    // A copy of the form has it all.
    let names = json!({ "naziv": "Kopija", "sifra": "kopija" });
    let copied = case.mila.post(&format!("/api/forms/{}/copies", forms[0]), names).await.assert_status(201).json();
    let copy = case.form_file(copied["id"].as_i64().unwrap()).await;
    for kept in ["prikaziPrethodnu = true", "ponavljaSe = true", "obavezanAko = \"$(ldl) > 4\"", "vrsta = \"upozorenje\""] {
        assert!(copy.contains(kept), "{kept} is missing in\n{copy}");
    }
}

#[tokio::test]
async fn a_questionnaire_says_all_of_it_in_its_own_terms_or_in_words() {
    let case = Case::new().await;
    let (_, forms) = case.bring(&Case::sent("a.toml", REGISTER.as_bytes(), None)).await;
    let out = case.mila.get(&format!("/api/forms/{}/definition?oblik=fhir", forms[0])).await;
    out.assert_status(200);
    let form: Value = out.json();
    let item = |link: &str| form["item"].as_array().unwrap().iter().find(|item| item["linkId"] == link).unwrap();
    let words = |link: &str| -> Vec<String> {
        let within = item(link)["item"].as_array().cloned().unwrap_or_default();
        within.iter().filter(|one| one["type"] == "display").filter_map(|one| one["text"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(words("ldl"), ["Uz polje se vidi prethodna vrednost", "Greška kada je tačno: $(ldl) > 15 – Proverite LDL."]);
    assert_eq!(words("razlog"), ["Obavezno kada je tačno: $(ldl) > 4"]);
    assert_eq!(
        words("pusac"),
        ["Upozorenje kada je tačno: $(pusac) and brojRedova($(lekovi)) > 0 – Pušač uzima lekove: proverite doze."],
        "a rule above the form stands with the first field that it reads"
    );
    let units = item("ldl")["extension"].to_string();
    assert!(units.contains("mg/dL") && units.contains("0.02586"), "{units}");

    // It comes back as it went, but for what stands in words.
    let mut sent = Case::sent("b.json", out.text().as_bytes(), None);
    (sent["naziv"], sent["sifra"]) = (json!("Nazad"), json!("nazad"));
    let report = case.check(&sent).await;
    assert_eq!(told(&report, "nemapirano"), Vec::<String>::new());
    let (_, back) = case.bring(&sent).await;
    let back = case.form_file(back[0]).await;
    for kept in ["cinilac = 0.02586", "pomeraj = 0.5", "jedinica = \"mg/dL\"", "ponavljaSe = true", "najviseFajlova = 3"] {
        assert!(back.contains(kept), "{kept} is missing in\n{back}");
    }
}
