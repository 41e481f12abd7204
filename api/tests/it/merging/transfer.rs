//! A patient gets another keeper, who agrees; entries stay whose they were.

use accounts::rights::Right;
use serde_json::json;

use super::Twice;

const BECAUSE: &str = "Preselila se u drugi grad";

#[tokio::test]
async fn the_keeper_offers_the_other_accepts_and_entries_stay() {
    let twice = Twice::here().await;
    let other = twice.app.worker("druga", &[Right::Transfer], twice.app.druga_ustanova).await;
    let body = json!({ "pacijentID": twice.left.id, "ustanovaID": twice.app.druga_ustanova, "razlog": BECAUSE });
    // Who is not the keeper offers nobody.
    other
        .post("/api/patient-transfers", json!({ "pacijentID": twice.left.id, "ustanovaID": twice.app.ustanova, "razlog": BECAUSE }))
        .await
        .assert_status(404);
    let offered = twice.worker.post("/api/patient-transfers", body.clone()).await.assert_status(200).json()["id"].as_i64().unwrap();
    twice.worker.post("/api/patient-transfers", body).await.assert_status(409);
    assert_eq!(other.get("/api/patient-transfers/waiting").await.json()["premestanja"], json!(1));
    // While it waits the two are not merged either.
    twice.merge(&[]).await.assert_status(409);
    other.get(&format!("/api/patients/{}", twice.left.id)).await.assert_status(404);
    twice.worker.post(&format!("/api/patient-transfers/{offered}/accept"), json!({})).await.assert_status(404);
    other.post(&format!("/api/patient-transfers/{offered}/accept"), json!({})).await.assert_status(204);
    other.post(&format!("/api/patient-transfers/{offered}/accept"), json!({})).await.assert_status(409);
    assert_eq!(twice.number(&format!("select ustanova_id from patient where id = {}", twice.left.id)).await, twice.app.druga_ustanova);
    assert_eq!(twice.number(&format!("select ustanova_id from entry where id = {}", twice.left.entry)).await, twice.app.ustanova);
    // The keeper reads all, and the one before it as long as it holds entries.
    for worker in [&other, &twice.worker] {
        assert_eq!(worker.get(&format!("/api/patients/{}", twice.left.id)).await.json()["registri"][0]["brojUnosa"], json!(1));
        assert_eq!(worker.get("/api/patient-transfers").await.json()["data"][0]["status"], json!("prihvacen"));
    }
    assert_eq!(twice.number("select count(*) from patient_history where (slog ->> 'ustanova_id') is not null").await, 3);
}

#[tokio::test]
async fn an_offer_is_declined_with_a_reason_or_withdrawn_and_the_keeper_stays() {
    let twice = Twice::here().await;
    let other = twice.app.worker("druga", &[Right::Transfer], twice.app.druga_ustanova).await;
    let body = json!({ "pacijentID": twice.left.id, "ustanovaID": twice.app.druga_ustanova, "razlog": BECAUSE });
    let id = twice.worker.post("/api/patient-transfers", body.clone()).await.json()["id"].as_i64().unwrap();
    other.post(&format!("/api/patient-transfers/{id}/decline"), json!({ "razlog": "Nema mesta u ambulanti" })).await.assert_status(204);
    assert_eq!(twice.worker.get("/api/patient-transfers").await.json()["data"][0]["razlogOdgovora"], json!("Nema mesta u ambulanti"));
    let id = twice.worker.post("/api/patient-transfers", body).await.json()["id"].as_i64().unwrap();
    twice.worker.post(&format!("/api/patient-transfers/{id}/withdraw"), json!({})).await.assert_status(204);
    other.post(&format!("/api/patient-transfers/{id}/accept"), json!({})).await.assert_status(409);
    assert_eq!(twice.number(&format!("select ustanova_id from patient where id = {}", twice.left.id)).await, twice.app.ustanova);
    let named = other.get("/api/patient-transfers/institutions").await.json();
    assert_eq!(named["data"][0]["naziv"], json!("Klinika A"));
}
