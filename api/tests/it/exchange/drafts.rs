//! A form's file that becomes a draft of the form, which stays live as it is.

use serde_json::json;

use super::{CARDIOLOGY, Case};

#[tokio::test]
async fn a_file_of_one_form_becomes_a_draft_and_is_published_as_one() {
    let case = Case::new().await;
    let (register, forms) = case.bring(&Case::sent("a.toml", CARDIOLOGY.as_bytes(), None)).await;
    let before = case.register_file(register).await;
    let form = case.form_file(forms[0]).await;
    let changed = form
        .replace("naziv = \"Puls\"", "naziv = \"Puls u miru\"")
        .replace(
            "{ naziv = \"Non-Q\", numVrednost = 0 }",
            "{ naziv = \"Non-Q\", numVrednost = 5 },\n    { naziv = \"Drugi\", numVrednost = 7 }",
        )
        .replace("opis = \"Stanje na prijemu, komplikacije u toku lečenja i ishod\"", "opis = \"Iz fajla\"");
    let added = "\n[[forms.polja]]\nsifra = \"novi\"\nnaziv = \"Novi panel\"\ntipAtributa = \"Sasvim nov\"\n\n[[forms.polja]]\nsifra = \"u_novom\"\nnaziv = \"U novom\"\ntipAtributa = \"Srčana frekvencija\"\nnadredjeni = \"novi\"\n\n[[forms.pravila]]\nuslov = \"$(puls) > 290\"\nporuka = \"Previše.\"\nvrsta = \"greska\"\n";
    let changed = format!("[[attributeTypes]]\nnaziv = \"Sasvim nov\"\ntipVrednosti = \"panel\"\n\n{changed}{added}");
    let mut sent = Case::sent("obrazac.toml", changed.as_bytes(), Some(register));
    let report = case.check(&sent).await;
    assert_eq!((&report["greske"], &report["formularNacrta"]), (&json!([]), &json!(forms[0])), "{report}");
    case.mila.post("/api/definition-drafts", sent.clone()).await.assert_status(409);
    sent["otisak"] = report["otisak"].clone();
    let made = case.mila.post("/api/definition-drafts", sent.clone()).await.assert_status(201).json();
    assert_eq!(made, json!({ "formular": forms[0] }));
    assert_eq!(case.register_file(register).await, before, "nothing is live");

    let path = format!("/api/forms/{}/draft", forms[0]);
    let draft = case.mila.get(&path).await.json()["nacrt"].clone();
    assert_eq!((&draft["greske"], &draft["izmenjeno"]), (&json!([]), &json!(false)), "{draft}");
    assert_eq!(draft["napomene"], json!(["Iz fajla u nacrt ne ulazi: „opis”. To se menja u podacima formulara."]));
    let named =
        |list: &str, name: &str| draft["dokument"][list].as_array().unwrap().iter().find(|one| one["naziv"] == name).cloned().unwrap();
    let (panel, inside) = (named("polja", "Novi panel"), named("polja", "U novom"));
    assert!(panel["id"].as_i64().unwrap() < 0 && inside["nadredjeniAtributUTipuSkupaID"] == panel["id"], "{panel} {inside}");
    assert_eq!(named("tipovi", "Sasvim nov")["id"], panel["tipAtributaID"]);
    assert!(named("stavke", "Drugi")["id"].as_i64().unwrap() < 0);
    case.mila.post("/api/definition-drafts", sent.clone()).await.assert_error(409, None, "Već imate nacrt ovog formulara.");

    case.mila.post(&format!("{path}/publish"), json!({ "verzija": draft["verzija"] })).await.assert_status(200);
    let published = case.form_file(forms[0]).await;
    for part in ["naziv = \"Puls u miru\"", "naziv = \"Drugi\", numVrednost = 7", "nadredjeni = \"novi\"", "uslov = \"$(puls) > 290\""] {
        assert!(published.contains(part), "{part}\n{published}");
    }
    assert!(!published.contains("Iz fajla"));
}

#[tokio::test]
async fn what_is_more_than_one_form_of_the_register_becomes_no_draft() {
    let case = Case::new().await;
    let (register, forms) = case.bring(&Case::sent("a.toml", CARDIOLOGY.as_bytes(), None)).await;
    let form = case.form_file(forms[0]).await;
    let other = form.replace("sifraVeza = \"hospitalizacija\"", "sifraVeza = \"druga\"");
    for file in [CARDIOLOGY.replace("\"Puls\"", "\"Puls u miru\""), other] {
        let mut sent = Case::sent("a.toml", file.as_bytes(), Some(register));
        let report = case.check(&sent).await;
        assert_eq!((&report["greske"], &report["formularNacrta"]), (&json!([]), &json!(null)), "{report}");
        sent["otisak"] = report["otisak"].clone();
        let message = "Nacrt se pravi od fajla jednog formulara, koji izabrani registar već ima.";
        case.mila.post("/api/definition-drafts", sent).await.assert_error(422, Some("imeFajla"), message);
    }
    let mut same = Case::sent("a.toml", form.as_bytes(), Some(register));
    same["otisak"] = case.check(&same).await["otisak"].clone();
    case.mila.post("/api/definition-drafts", same).await.assert_error(409, None, "Fajl ne menja ništa u formularu.");
    assert_eq!(case.number("select count(*) from form_draft").await, 0);
}
