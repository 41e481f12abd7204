//! A file that comes again over entries that are signed or locked.

use serde_json::json;

use super::{ANA, BOJAN, Case};

#[tokio::test]
async fn a_row_that_changes_nothing_of_a_signed_or_locked_entry_is_no_fault_and_the_signature_holds() {
    let case = Case::new().await;
    let bring = async |rows: &[&str]| {
        let path = case.upload(rows).await;
        let mut mapping = case.worker.get(&format!("{path}/mapping")).await.json();
        mapping["mapiranje"]["entries"][0]["existing"] = json!("update");
        let body = json!({ "mapiranje": mapping["mapiranje"], "izvor": mapping["izvor"] });
        case.worker.put(&format!("{path}/mapping"), body).await.assert_status(200);
        let checked = case.check(&path).await;
        (path, checked)
    };
    let (path, _) = bring(&[ANA, BOJAN]).await;
    assert_eq!(case.confirm(&path).await["status"], "done");
    case.app
        .lay_out(&[
            "insert into entry_state (unos_id, stanje, radnja, znacenje, form_version_id, otisak)
             select id, 'potpisan', 'potpis', 'autor', form_version_id, entry_fingerprint(entry) from entry",
            "insert into entry_state (unos_id, stanje, radnja, razlog) select max(id), 'zakljucan', 'zakljucavanje', 'Kraj kvartala' from entry",
        ])
        .await;
    let states = async || {
        case.text("select string_agg(state_of_entry(id) || ' ' || verzija || ' ' || (signature_of_entry(id) is not null), ', ' order by id) from entry").await
    };
    let before = states().await;
    let (path, checked) = bring(&[ANA, BOJAN]).await;
    assert_eq!((&checked["ishod"]["gresaka"], &checked["ishod"]["poznatihUnosa"]), (&json!(0), &json!(2)), "{checked}");
    assert_eq!(case.confirm(&path).await["status"], "done");
    assert_eq!(states().await, before);

    for (row, told) in [(ANA.replace("72,5", "73"), "potpisan"), (BOJAN.replace("80,0", "81"), "zaključan")] {
        let (_, checked) = bring(&[&row]).await;
        assert_eq!(checked["ishod"]["gresaka"], 1, "{checked}");
        assert!(checked.to_string().contains(&format!("postojeći unos je {told}")), "{checked}");
    }
    assert_eq!(states().await, before);
}
