//! Findings in entries that are signed or locked: a look finds in them and changes nothing of them, and a value is confirmed as it stands.

use super::*;

const SIGNED: [&str; 2] = [
    "insert into entry_state (unos_id, stanje, radnja) select id, 'zavrsen', 'zavrsavanje' from entry",
    "insert into entry_state (unos_id, stanje, radnja, znacenje) select id, 'potpisan', 'potpis', 'autor' from entry",
];
const LOCKED: [&str; 1] =
    ["insert into entry_state (unos_id, stanje, radnja, razlog) select id, 'zakljucan', 'zakljucavanje', 'Kraj kvartala' from entry"];
const PERIOD: [&str; 1] = [
    "insert into period_lock (registar_id, ustanova_id, do_dana, razlog) select distinct registar_id, ustanova_id, '2025-12-31'::date, 'Kraj godine' from entry",
];

#[tokio::test]
async fn a_run_finds_in_what_is_signed_or_locked_and_what_is_right_is_confirmed_there() {
    for (state, steps) in
        [("potpisan", vec![&SIGNED[..]]), ("zakljucan", vec![&SIGNED[..], &LOCKED[..]]), ("potpisan", vec![&SIGNED[..], &PERIOD[..]])]
    {
        let case = Case::new().await;
        let entry = case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
        for step in &steps {
            case.app.lay_out(step).await;
        }
        let before = row(&case).await;
        case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50 })).await;
        case.run().await;
        let found = case.findings(entry).await;
        assert_eq!(found.len(), 1, "{state}");
        let id = &found[0]["id"];
        case.doctor.post(&format!("/api/findings/{id}/confirm"), json!({ "napomena": "Ponovljeno merenje" })).await.assert_status(204);
        case.run().await;
        assert_eq!(case.findings(entry).await[0]["potvrda"]["napomena"], "Ponovljeno merenje", "{state}");
        case.doctor.post(&format!("/api/findings/{id}/unconfirm"), json!({})).await.assert_status(204);
        assert_eq!(row(&case).await, before, "nothing of the entry is another");
        assert_eq!(before.0, state);
        assert!(before.2, "the signature holds");
    }
}

/// The entry's state, its version, and whether a signature of it holds.
async fn row(case: &Case) -> (String, i32, bool) {
    sqlx::query_as("select state_of_entry(id), verzija, signature_of_entry(id) is not null from entry")
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap()
}
