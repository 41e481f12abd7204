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
        "vrsta = \"skok\"",
        "tezina = \"greska\"",
        "razlika = 2.5",
        "dana = 365",
        "gornjaGranica = 20",
        "poruka = \"Proverite jedinicu.\"",
        "formula = \"$(ldl) > 10 and $(pusac)\"",
        "vrsta = \"istiDan\"",
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

#[tokio::test]
async fn a_file_changes_rules_of_quality_and_what_it_gets_wrong_is_refused_by_the_rules_name() {
    let case = Case::new().await;
    let (register, _) = case.bring(&Case::sent("a.toml", REGISTER.as_bytes(), None)).await;
    let first = case.register_file(register).await;
    let runs = async || case.number("select count(*) from quality_run where status = 'queued'").await;
    assert_eq!((case.number("select count(*) from quality_rule").await, runs().await), (4, 1), "what came is looked at");

    // One is changed and keeps its row, one is not named and stays.
    let changed = first
        .replace("razlika = 2.5", "razlika = 3")
        .replace("[[pravilaKvaliteta]]\nnaziv = \"Dva unosa istog dana\"\nvrsta = \"istiDan\"\n", "");
    let sent = Case::sent("b.toml", changed.as_bytes(), Some(register));
    let report = case.check(&sent).await;
    assert_eq!(report["greske"], json!([]));
    assert_eq!(report["ostaje"], json!(["pravilo kvaliteta „Dva unosa istog dana”"]));
    let change = json!([{ "vrsta": "izmenjeno", "gde": "praviloKvaliteta", "u": null, "naziv": "LDL skače", "sifra": null,
        "svojstva": [{ "svojstvo": "razlika", "od": "2.5", "na": "3" }] }]);
    assert_eq!(report["izmene"], change);
    case.bring(&sent).await;
    assert_eq!(case.number("select count(*) from quality_rule where verzija = 2 and razlika = 3").await, 1);

    for (wrong, told) in [
        ("polje = \"ldl\"\nrazlika", "polje = \"hdl\"\nrazlika"),
        ("naziv = \"LDL skače\"\nformular = \"pregled\"", "naziv = \"LDL skače\"\nformular = \"kontrola\""),
        ("vrsta = \"skok\"", "vrsta = \"skokovi\""),
        ("tezina = \"greska\"", "tezina = \"strašno\""),
        ("dana = 365", "dana = 365\nboja = \"crvena\""),
        ("razlika = 2.5\n", ""),
        ("polje = \"ldl\"\nrazlika", "polje = \"razlog\"\nrazlika"),
    ]
    .into_iter()
    .zip([
        "pravilo kvaliteta „LDL skače”: formular „pregled” nema polje sa šifrom „hdl”",
        "pravilo kvaliteta „LDL skače”: registar nema formular sa šifrom „kontrola”",
        "pravilaKvaliteta.LDL skače: vrsta „skokovi” ne postoji; može biti obavezno, relevantno",
        "pravilaKvaliteta.LDL skače: težina „strašno” ne postoji; može biti greska, upozorenje",
        "pravilaKvaliteta.LDL skače: nepoznato svojstvo „boja”",
        "pravilo kvaliteta „LDL skače”: Unesite najveću dozvoljenu promenu.",
        "pravilo kvaliteta „LDL skače”: Ovo pravilo traži brojno polje.",
    ])
    .map(|((was, now), told)| (REGISTER.replacen(was, now, 1), told))
    {
        let report = case.check(&Case::sent("c.toml", wrong.as_bytes(), Some(register))).await;
        let greske = super::told(&report, "greske").join("; ");
        assert!(greske.contains(told), "{told} in {greske}");
    }

    // Who configures registers and makes no rules brings in none, and copies none.
    let ana = case.app.worker("ana", &[accounts::rights::Right::Registers], case.app.ustanova).await;
    let check = async |text: &str| {
        let sent = Case::sent("d.toml", text.as_bytes(), Some(register));
        super::told(&ana.post("/api/definition-checks", sent).await.assert_status(200).json(), "greske")
    };
    assert_eq!(check(&case.register_file(register).await).await, Vec::<String>::new(), "rules as they are change nothing");
    let refused = "pravilaKvaliteta: Fajl menja pravila kvaliteta, a to može ko ima pravo „Pravila kvaliteta”. Izostavite ih iz fajla.";
    assert_eq!(check(&first).await, [refused]);
    let copies = async |worker: &crate::support::Worker, code: &str| -> i64 {
        let names = json!({ "naziv": format!("Kopija {code}"), "sifra": code });
        let id = worker.post(&format!("/api/registers/{register}/copies"), names).await.assert_status(201).json()["id"].as_i64().unwrap();
        let counted = "select count(*) from quality_rule where registar_id = $1 and form_id is distinct from (select min(id) from form)";
        sqlx::query_scalar(counted).bind(id).fetch_one(&case.app.db.owner).await.unwrap()
    };
    assert_eq!((copies(&ana, "a").await, copies(&case.mila, "b").await), (0, 4));
}
