//! A register of the size of a national one for a rare disease: brought in by a file, and opened.

use std::time::Instant;

use serde_json::json;

use super::Case;

const FORMS: usize = 7;
const SECTIONS: usize = 40;
const FIELDS: usize = 200;
const SETS: usize = 48;
const CALCULATED: usize = 7;

/// As many forms, sections, fields, sets and calculated fields as that of familial hypercholesterolaemia. The browser test
/// `large-register.e2e.ts` brings in the same file by the screen.
const DEFINITION: &str = include_str!("fh.toml");

#[tokio::test]
async fn a_register_of_seven_forms_is_brought_in_within_a_minute_and_opened() {
    let case = Case::new().await;
    let started = Instant::now();
    let sent = Case::sent("fh.toml", DEFINITION.as_bytes(), None);
    let report = case.check(&sent).await;
    assert_eq!(report["greske"], json!([]));
    let (register, forms) = case.bring(&sent).await;
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    assert_eq!(forms.len(), FORMS);
    let count = |of: &'static str| {
        let case = &case;
        async move { case.number(of).await as usize }
    };
    assert_eq!(count("select count(*) from form_field where sifra like 'p%'").await, FIELDS);
    assert_eq!(count("select count(*) from form_field where sifra like 's%'").await, SECTIONS);
    assert_eq!(count("select count(*) from form_field where formula_za_racunanje is not null").await, CALCULATED);
    assert_eq!(count("select count(*) from attribute_type where tip_vrednosti_atributa = 4").await, SETS);
    let doctor = case.app.lekar().await;
    let mut scene = case.app.register().await;
    scene.id = register;
    let patient = case.app.patient(&scene, "Ana", "Anić", case.app.ustanova, 1).await;
    let shown = doctor.get(&format!("/api/entry-display?tsaID={}&pacijentID={patient}", forms[6])).await;
    shown.assert_status(200);
    assert!(shown.text().contains("Skor 6"));
    let first = case.register_file(register).await;
    case.bring(&Case::sent("again.toml", first.as_bytes(), Some(register))).await;
    assert_eq!(case.register_file(register).await, first);
}
