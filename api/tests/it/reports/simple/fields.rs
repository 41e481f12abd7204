//! A field that a chosen report reads, by its id and in whichever way, stays on its form.

use accounts::rights::Right;
use serde_json::{Value, json};

use super::{choice, condition, of, save};
use crate::{
    deleting::refused,
    reports::Report,
    support::{TestApp, TestRegister, Worker},
};

/// Fields in the order of their form, and the one report that reads each.
const READERS: [(&str, &str); 4] = [("tekst", "Spisak"), ("skup", "Po skupu"), ("datum", "Tog dana"), ("zbir", "Prosek")];

/// Four live reports, each of which reads a field in its own way, and one that is not live and reads `skriveno`.
async fn read() -> (TestApp, Worker, TestRegister) {
    let app = TestApp::new().await;
    let admin = app.worker("admin", &Right::ALL, app.ustanova).await;
    let register = app.register().await;
    let count = json!([{ "mera": "brojUnosa" }]);
    let field = |code: &str| register.fields[code];
    let choices = [
        json!({ "prikaz": "lista", "kolone": [{ "kolona": "polje", "poljeID": field("tekst") }] }),
        json!({ "mere": count, "grupe": [{ "po": "polje", "poljeID": field("skup") }] }),
        json!({ "mere": count, "filteri": [condition(&register, None, "datum", "=", "2026-01-01")] }),
        json!({ "mere": [of(&register, "zbir", "srednjaVrednost")] }),
    ];
    for ((_, naziv), izbor) in READERS.iter().zip(choices) {
        let report = saved(&app, &admin, naziv, &choice(&register, izbor)).await;
        admin.post(&format!("/api/reports/{}/definitions/1/publish", report.id), json!({ "objavljena": 0 })).await.assert_status(204);
    }
    saved(&app, &admin, "Još nije objavljen", &choice(&register, json!({ "mere": [of(&register, "skriveno", "popunjeno")] }))).await;
    (app, admin, register)
}

async fn saved(app: &TestApp, admin: &Worker, naziv: &str, izbor: &Value) -> Report {
    let report = Report::with(&app.db, "ustanova", &[]).await;
    admin.patch(&format!("/api/reports/{}", report.id), json!({ "naziv": naziv })).await.assert_status(200);
    assert_eq!(save(admin, &report, izbor, 0).await["provera"]["greske"], json!([]), "{naziv}");
    report
}

#[tokio::test]
async fn a_draft_without_a_field_that_a_chosen_report_reads_is_not_published() {
    let (_app, admin, register) = read().await;
    let draft = format!("/api/forms/{}/draft", register.form);
    let without = async |codes: &[&str]| {
        let mut begun = admin.post(&draft, json!({})).await.assert_status(201).json();
        begun["dokument"]["polja"].as_array_mut().unwrap().retain(|field| codes.iter().all(|code| field["sifra"] != *code));
        let saved = admin.put(&draft, json!({ "verzija": begun["verzija"], "dokument": begun["dokument"] })).await.json();
        admin.post(&format!("{draft}/publish"), json!({ "verzija": saved["verzija"] })).await
    };
    let refused = without(&["tekst", "skup", "datum", "zbir", "skriveno"]).await.refusal(422);
    let told: Vec<&str> = refused["greske"].as_array().unwrap().iter().map(|fault| fault["message"].as_str().unwrap()).collect();
    let wanted = READERS.map(|(code, naziv)| {
        format!(
            "{code}: Polje „{code}” se ne može ukloniti: čita ga izveštaj „{naziv}”. Vratite ga; umesto uklanjanja može da se ne prikazuje."
        )
    });
    assert_eq!(told, wanted);
    admin.delete(&draft).await.assert_status(204);
    without(&["skriveno"]).await.assert_status(200);
}

#[tokio::test]
async fn a_field_that_a_chosen_report_reads_is_not_deleted() {
    let (app, admin, register) = read().await;
    for (code, naziv) in READERS {
        let path = format!("/api/form-fields/{}", register.fields[code]);
        assert_eq!(refused(&app, &path).await, [format!("čita ga izveštaj „{naziv}”")], "{code}");
    }
    admin.delete(&format!("/api/form-fields/{}", register.fields["skriveno"])).await.assert_status(204);
}
