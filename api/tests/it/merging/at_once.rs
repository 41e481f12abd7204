//! What happens at one time: of two merges one is done, and an entry that is saved meanwhile is the patient's who is left.

use domain::db;
use serde_json::json;

use super::Twice;

#[tokio::test]
async fn of_two_merges_at_once_one_is_done() {
    let twice = Twice::here().await;
    let there = twice.body(&[]);
    let mut back = there.clone();
    back["pobednikID"] = json!(twice.gone.id);
    back["gubitnikID"] = json!(twice.left.id);
    for _ in 0..5 {
        let (one, other) =
            tokio::join!(twice.worker.post("/api/patient-merges", there.clone()), twice.worker.post("/api/patient-merges", back.clone()));
        assert_eq!([one.status, other.status].iter().filter(|status| **status == 201).count(), 1, "{} {}", one.text(), other.text());
        assert_eq!(twice.number("select count(*) from patient where spojen_u_id is not null").await, 1);
        assert_eq!(twice.number("select count(*) from entry e join patient p on p.id = e.pacijent_id where p.aktivan").await, 2);
        let merge = twice.number("select max(id) from patient_merge").await;
        twice.worker.post(&format!("/api/patient-merges/{merge}/unmerge"), json!({})).await.assert_status(204);
    }
}

#[tokio::test]
async fn an_entry_that_is_saved_of_the_record_that_goes_is_written_of_the_one_that_is_left() {
    let twice = Twice::here().await;
    let mut tx = db::begin(&twice.app.state.db, twice.worker.id).await.unwrap();
    sqlx::query("select merge_patients($1, $2, '{}', 'Ista osoba, dva kartona')")
        .bind(twice.left.id)
        .bind(twice.gone.id)
        .execute(&mut *tx)
        .await
        .unwrap();
    let body = json!({
        "tsaID": twice.register.form, "registarID": twice.register.id, "pacijentID": twice.gone.id,
        "vrednosti": { twice.register.field("broj"): 5 }, "radnikOdgovoran": twice.worker.id, "datumUnosa": "2026-01-05",
    });
    let changed = json!({
        "tsaID": twice.register.form, "registarID": twice.register.id, "pacijentID": twice.gone.id, "unosID": twice.gone.entry, "verzija": 1,
        "vrednosti": { twice.register.field("broj"): 6 }, "radnikOdgovoran": twice.worker.id, "datumUnosa": "2024-08-11",
    });
    // Both wait for the merge, and find what it has moved.
    let (new, old, ()) =
        tokio::join!(twice.worker.post("/api/entry-values", body), twice.worker.post("/api/entry-values", changed), async {
            twice.until_waiting(1).await;
            tx.commit().await.unwrap();
        });
    let entry = new.assert_status(200).json()["snimljenUnosID"].as_i64().unwrap();
    assert_eq!(twice.patient_of(entry).await, twice.left.id);
    old.assert_status(200);
    assert_eq!(twice.number(&format!("select verzija::bigint from entry where id = {}", twice.gone.entry)).await, 2);
    assert_eq!(twice.number(&format!("select broj_unosa::bigint from patient_register where pacijent_id = {}", twice.left.id)).await, 3);
}

#[tokio::test]
async fn the_number_of_a_record_that_goes_is_not_registered_meanwhile() {
    let twice = Twice::here().await;
    let mut tx = db::begin(&twice.app.state.db, twice.worker.id).await.unwrap();
    sqlx::query("select merge_patients($1, $2, '{}', 'Ista osoba, dva kartona')")
        .bind(twice.left.id)
        .bind(twice.gone.id)
        .execute(&mut *tx)
        .await
        .unwrap();
    let mut body = twice.gone.record.clone();
    body["ime"] = json!("Sasvim");
    body["prezime"] = json!("Drugačije");
    body["lbo"] = json!("12312312312");
    body["potvrde"] = json!(["jmbgNeslaganje", "slicanPacijent"]);
    let (registered, ()) = tokio::join!(twice.worker.post("/api/patients", body), async {
        twice.until_waiting(1).await;
        tx.commit().await.unwrap();
    });
    registered.assert_status(409);
}
