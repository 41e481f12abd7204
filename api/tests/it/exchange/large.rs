//! A register of the size of a national one for a rare disease: brought in by a file, and opened.

use std::{fmt::Write, time::Instant};

use serde_json::json;

use super::Case;

const FORMS: usize = 7;
const SECTIONS: usize = 40;
const FIELDS: usize = 200;
const SETS: usize = 48;
const CALCULATED: usize = 7;

/// As many forms, sections, fields, sets and calculated fields as that of familial hypercholesterolaemia.
fn definition() -> String {
    let mut text = "[register]\nsifra = \"fh\"\nnaziv = \"Porodična hiperholesterolemija\"\n".to_owned();
    for (name, kind) in [("Segment", "tab"), ("Broj", "brojni"), ("Tekst", "tekstualni"), ("Da/Ne", "izborni"), ("Datum", "datumski")] {
        writeln!(text, "[[attributeTypes]]\nnaziv = \"{name}\"\ntipVrednosti = \"{kind}\"").unwrap();
    }
    for set in 0..SETS {
        writeln!(
            text,
            "[[attributeTypes]]\nnaziv = \"Skup {set}\"\ntipVrednosti = \"skupovni\"\nstavke = [{{ naziv = \"Ne\", numVrednost = 0 }}, {{ naziv = \"Da\", numVrednost = 1 }}, {{ naziv = \"Nepoznato\", numVrednost = 9 }}]"
        )
        .unwrap();
    }
    let (mut field, mut section) = (0, 0);
    for form in 0..FORMS {
        writeln!(text, "[[forms]]\nsifraVeza = \"f{form}\"\nnaziv = \"Formular {form}\"").unwrap();
        while section < SECTIONS * (form + 1) / FORMS {
            writeln!(text, "[[forms.polja]]\nsifra = \"s{section}\"\nnaziv = \"Odeljak {section}\"\ntipAtributa = \"Segment\"").unwrap();
            section += 1;
            while field < FIELDS * section / SECTIONS {
                let kind = if field % 4 == 0 && field / 4 < SETS {
                    format!("Skup {}", field / 4)
                } else {
                    ["Broj", "Tekst", "Datum", "Da/Ne"][field % 4].to_owned()
                };
                writeln!(
                    text,
                    "[[forms.polja]]\nsifra = \"p{field}\"\nnaziv = \"Polje {field}\"\ntipAtributa = \"{kind}\"\nnadredjeni = \"s{}\"",
                    section - 1
                )
                .unwrap();
                field += 1;
            }
        }
        if form < CALCULATED {
            writeln!(text, "[[forms.polja]]\nsifra = \"r{form}\"\nnaziv = \"Skor {form}\"\ntipAtributa = \"Broj\"\nnadredjeni = \"s{}\"\nformulaZaRacunanje = \"1 + {form}\"", section - 1).unwrap();
        }
    }
    text
}

#[tokio::test]
async fn a_register_of_seven_forms_is_brought_in_within_a_minute_and_opened() {
    let case = Case::new().await;
    let text = definition();
    let started = Instant::now();
    let sent = Case::sent("fh.toml", text.as_bytes(), None);
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
