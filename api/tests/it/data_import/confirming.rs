//! What is confirmed is the check that was looked at: what is found otherwise is a new check, and nothing is stored.

use serde_json::{Value, json};

use super::{ANA, BOJAN, Case};

const ANA_IS_THERE: &str = "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
    select 'Ana', 'Đurić', '1990-01-01', '0101990715000', '12345678901', false, '011/1234567', id from institution where naziv = 'Klinika A'";

/// Checks a file, lets something happen, confirms: the new check, with what was said of the change.
async fn changed_by(happens: &'static str) -> (Case, String, Value, String) {
    let case = Case::new().await;
    let path = case.upload(&[ANA, BOJAN]).await;
    assert_eq!(case.check(&path).await["ishod"]["novihPacijenata"], 2);
    case.app.lay_out(&[happens]).await;
    let before = case.rows().await;
    let found = case.confirm(&path).await;
    assert_eq!((&found["status"], &found["prekid"]), (&json!("checked"), &json!("promenjeno")), "{found}");
    assert_eq!(case.rows().await, before, "nothing is written");
    let said = found["prekidPoruka"].as_str().unwrap().to_owned();
    assert!(said.starts_with("Od provere se promenilo: ") && said.contains("Ništa nije upisano."), "{said}");
    (case, path, found, said)
}

#[tokio::test]
async fn a_patient_who_was_registered_meanwhile_makes_it_a_new_check() {
    let (case, path, found, said) = changed_by(ANA_IS_THERE).await;
    assert!(said.contains("ono što bi bilo upisano") && !said.contains("podešavanja"), "{said}");
    let counts = (&found["ishod"]["novihPacijenata"], &found["ishod"]["poznatihPacijenata"]);
    assert_eq!(counts, (&json!(1), &json!(1)), "the new check says what would be written now: {found}");
    let done = case.confirm(&path).await;
    assert_eq!((&done["status"], &done["prekid"]), (&json!("done"), &Value::Null), "{done}");
    assert_eq!(case.rows().await.0, 2);
    assert_eq!(
        case.app.log("data_import").await.iter().map(|row| row.akcija.as_str()).collect::<Vec<_>>(),
        ["provera", "odbijen uvoz", "uvoz"]
    );
}

#[tokio::test]
async fn a_form_that_was_published_meanwhile_makes_it_a_new_check() {
    let (case, path, _, said) = changed_by("update form_field set napomena = 'Meri se u mirovanju.' where sifra = 'puls'").await;
    assert!(said.contains("podešavanja registra, formulara ili stavki") && !said.contains("ono što bi"), "{said}");
    assert_eq!(case.confirm(&path).await["status"], "done");
}

#[tokio::test]
async fn an_option_that_was_renamed_meanwhile_makes_it_a_new_check() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, BOJAN]).await;
    assert_eq!(case.check(&path).await["ishod"]["gresaka"], 0);
    // The file names it as it was called.
    case.app.lay_out(&["update enum_item set naziv = 'Bez promena' where naziv = 'Uredan'"]).await;
    let found = case.confirm(&path).await;
    assert_eq!(
        (&found["status"], &found["prekid"], &found["ishod"]["gresaka"]),
        (&json!("checked"), &json!("promenjeno"), &json!(1)),
        "{found}"
    );
    assert_eq!(found["prekidPoruka"], "Od provere se nešto promenilo, pa fajl sada ima grešaka. Ništa nije upisano.");
    assert_eq!(case.rows().await, (0, 0, 0, 1));
    let unready = "Uvesti se može samo fajl koji je proveren i nema grešaka.";
    case.worker.post(&format!("{path}/confirm"), json!({})).await.assert_error(409, None, unready);
}

#[tokio::test]
async fn an_older_check_and_none_at_all_confirm_nothing() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, BOJAN]).await;
    case.check(&path).await;
    let looked_at = case.shown(&path).await;
    // Another window has the register otherwise, and checks again.
    case.app.lay_out(&[ANA_IS_THERE]).await;
    case.check(&path).await;
    let other = "To nije poslednja provera ovog uvoza. Pogledajte nalaz poslednje, pa potvrdite.";
    for sent in [looked_at, json!({})] {
        case.worker.post(&format!("{path}/confirm"), sent).await.assert_error(409, None, other);
    }
    assert_eq!(case.rows().await.1, 0);
    assert_eq!(case.confirm(&path).await["status"], "done");
}
