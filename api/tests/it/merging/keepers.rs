//! Who agrees: two keepers do, or a worker who reaches every institution.

use accounts::rights::Right;
use serde_json::{Value, json};

use super::{Twice, WHY};

async fn proposed(twice: &Twice) -> i64 {
    let answer = twice.merge(&["adresa"]).await.assert_status(201).json();
    assert_eq!(answer["spajanjeID"], Value::Null);
    answer["predlogID"].as_i64().expect("a proposal")
}

#[tokio::test]
async fn the_keeper_of_the_other_record_agrees_and_knows_the_patient_afterwards() {
    let twice = Twice::elsewhere().await;
    let other = twice.app.worker("druga", &[Right::Merging], twice.app.druga_ustanova).await;
    // Without the proposal the other one's patient is not theirs to see.
    let preview = format!("/api/patient-merges/preview?pacijentID={}&drugi={}", twice.left.id, twice.gone.id);
    other.get(&preview).await.assert_status(404);
    let id = proposed(&twice).await;
    twice.merge(&[]).await.assert_status(409);
    assert_eq!(other.get("/api/patient-transfers/waiting").await.json(), json!({ "spajanja": 1, "premestanja": 0 }));
    let listed = other.get("/api/patient-merge-proposals").await.json();
    assert_eq!((&listed["data"][0]["primljen"], &listed["data"][0]["razlog"]), (&json!(true), &json!(WHY)));
    assert_eq!(twice.worker.get("/api/patient-merge-proposals").await.json()["data"][0]["primljen"], json!(false));
    other.get(&format!("{preview}&predlogID={id}")).await.assert_status(200);
    // Who asks does not answer.
    twice.worker.post(&format!("/api/patient-merge-proposals/{id}/accept"), json!({})).await.assert_status(404);
    let merge = other.post(&format!("/api/patient-merge-proposals/{id}/accept"), json!({})).await.json()["spajanjeID"].as_i64().unwrap();
    other.post(&format!("/api/patient-merge-proposals/{id}/accept"), json!({})).await.assert_status(409);
    let record = other.get(&format!("/api/patients/{}", twice.left.id)).await.json();
    assert_eq!(record["adresa"], twice.gone.record["adresa"]);
    // Either of the two undoes it.
    other.post(&format!("/api/patient-merges/{merge}/unmerge"), json!({})).await.assert_status(204);
    other.get(&format!("/api/patients/{}", twice.left.id)).await.assert_status(404);
    other.get(&format!("/api/patients/{}", twice.gone.id)).await.assert_status(200);
}

#[tokio::test]
async fn a_proposal_is_declined_with_a_reason_and_may_be_withdrawn() {
    let twice = Twice::elsewhere().await;
    let other = twice.app.worker("druga", &[Right::Merging], twice.app.druga_ustanova).await;
    let id = proposed(&twice).await;
    other.post(&format!("/api/patient-merge-proposals/{id}/decline"), json!({ "razlog": "ne" })).await.assert_status(422);
    other.post(&format!("/api/patient-merge-proposals/{id}/decline"), json!({ "razlog": "To su dve sestre" })).await.assert_status(204);
    let told = twice.worker.get("/api/patient-merge-proposals").await.json();
    assert_eq!((&told["data"][0]["status"], &told["data"][0]["razlogOdgovora"]), (&json!("odbijen"), &json!("To su dve sestre")));
    let id = proposed(&twice).await;
    other.post(&format!("/api/patient-merge-proposals/{id}/withdraw"), json!({})).await.assert_status(404);
    twice.worker.post(&format!("/api/patient-merge-proposals/{id}/withdraw"), json!({})).await.assert_status(204);
    other.post(&format!("/api/patient-merge-proposals/{id}/accept"), json!({})).await.assert_status(409);
    assert_eq!(twice.number("select count(*) from patient_merge").await, 0);
}

#[tokio::test]
async fn who_reaches_every_institution_merges_alone_and_a_third_institution_does_not() {
    let twice = Twice::elsewhere().await;
    let third = twice
        .number("insert into institution (naziv, sifra) select 'Treća', 'T3' where set_config('app.worker', '1', false) = '1' returning id")
        .await;
    let stranger = twice.app.worker("treci", &[Right::Merging], third).await;
    stranger.post("/api/patient-merges", twice.body(&[])).await.assert_status(404);
    for patient in [twice.left.id, twice.gone.id] {
        twice.taken(patient, third).await;
    }
    stranger.post("/api/patient-merges", twice.body(&[])).await.assert_status(403);
    let everywhere = twice.app.admin().await;
    assert!(everywhere.post("/api/patient-merges", twice.body(&[])).await.assert_status(201).json()["spajanjeID"].is_i64());
    // The third one took both, and has the one who is left.
    stranger.get(&format!("/api/patients/{}", twice.left.id)).await.assert_status(200);
    let merge = twice.number("select max(id) from patient_merge").await;
    stranger.post(&format!("/api/patient-merges/{merge}/unmerge"), json!({})).await.assert_status(404);
}
