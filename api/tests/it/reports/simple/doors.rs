//! A chosen indicator at its other doors: what the server makes of it stands beside the tests of engines, which mail and show it.

use serde_json::json;

use super::{super::Report, asked, choice, condition};
use crate::support::TestApp;

/// With `RENEW_GOLDEN=1` they are written anew.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../report-engine/tests/golden/izabran-indikator");

#[tokio::test]
async fn engines_are_tested_with_the_indicator_that_the_server_makes_of_its_choice() {
    let app = TestApp::new().await;
    // Numbers that stand for nothing else in a query.
    app.lay_out(&[
        "select setval(pg_get_serial_sequence('register', 'id'), 710000)",
        "select setval(pg_get_serial_sequence('form', 'id'), 720000)",
        "select setval(pg_get_serial_sequence('form_field', 'id'), 730000)",
    ])
    .await;
    let (admin, register) = (app.admin().await, app.register().await);
    let report = Report::with(&app.db, "sve", &[]).await;
    let brojilac = json!([condition(&register, None, "broj", "<", "5")]);
    let indikator = json!({ "brojilac": brojilac, "broji": "pacijente", "vreme": "godina", "smer": "vise", "cilj": 60 });
    let izbor = choice(&register, json!({ "samoMojaUstanova": false, "prikaz": "indikator", "indikator": indikator }));
    let made = asked(&admin, &report, &izbor).await.assert_status(200).json();
    assert_eq!(made["provera"]["greske"], json!([]), "{made}");
    for (text, file) in [("upit", "upit.sql"), ("sablon", "sablon.hbs")] {
        let mut told = made[text].as_str().unwrap().to_owned();
        let names = [("{polje}", register.fields["broj"]), ("{formular}", register.form), ("{registar}", register.id)];
        for (name, id) in names {
            told = told.replace(&id.to_string(), name);
        }
        let path = format!("{FOLDER}/{file}");
        if std::env::var_os("RENEW_GOLDEN").is_some() {
            std::fs::write(&path, &told).expect("the folder is there");
        }
        assert_eq!(told, std::fs::read_to_string(&path).expect("a file of the golden folder"), "{file}");
    }
}
