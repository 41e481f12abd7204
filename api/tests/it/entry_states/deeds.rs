//! The deeds themselves: finishing, signing, locking and the ways back.

use accounts::rights::Right;
use serde_json::json;

use super::writing::Case;

#[tokio::test]
async fn an_entry_is_finished_signed_locked_and_is_again_what_it_was() {
    let case = Case::new().await;
    assert_eq!(case.state().await["stanje"], "uRadu");
    case.deed("sign", json!({ "znacenje": "autor" }), 409).await;
    case.deed("finish", json!({}), 204).await;
    case.deed("finish", json!({}), 409).await;
    assert_eq!(case.state().await["stanje"], "zavrsen");
    case.sign().await;
    let signed = case.state().await;
    let row = &signed["istorija"][0];
    assert_eq!(
        (&signed["stanje"], &row["znacenje"], &row["vazi"], &row["otisakOdgovara"]),
        (&json!("potpisan"), &json!("autor"), &json!(true), &json!(true))
    );
    assert_eq!(row["otisak"].as_str().map(str::len), Some(64));
    case.deed("lock", json!({}), 422).await;
    case.deed("lock", json!({ "razlog": "Kraj kvartala" }), 204).await;
    assert_eq!(case.state().await["stanje"], "zakljucan");
    case.deed("reopen", json!({ "razlog": "Greška u broju" }), 409).await;
    case.deed("unlock", json!({ "razlog": "Ispravka" }), 204).await;
    let again = case.state().await;
    assert_eq!((&again["stanje"], &again["istorija"][2]["vazi"]), (&json!("potpisan"), &json!(true)));
    case.deed("reopen", json!({ "razlog": "Greška u broju" }), 204).await;
    let open = case.state().await;
    assert_eq!((&open["stanje"], &open["istorija"][3]["vazi"]), (&json!("uRadu"), &json!(false)));
}

#[tokio::test]
async fn a_signature_asks_for_the_workers_own_password_and_a_meaning() {
    let case = Case::new().await;
    case.deed("finish", json!({}), 204).await;
    for body in [json!({ "znacenje": "autor" }), json!({ "znacenje": "autor", "lozinka": "nije ta" }), json!({ "znacenje": "drugo" })] {
        case.deed("sign", body, 422).await;
    }
    assert_eq!(case.state().await["stanje"], "zavrsen");
}

#[tokio::test]
async fn each_deed_needs_its_right() {
    let case = Case::new().await;
    let other = case.app.worker("bez_prava", &[Right::Reports], case.app.ustanova).await;
    for deed in ["finish", "sign", "reopen", "lock", "unlock"] {
        other.post(&case.path(deed), json!({ "verzija": 1, "razlog": "Bez prava" })).await.assert_status(403);
    }
    other.post("/api/period-locks", json!({})).await.assert_status(403);
}

#[tokio::test]
async fn the_log_tells_who_changed_the_state_of_whose_entry() {
    let case = Case::new().await;
    case.deed("finish", json!({}), 204).await;
    case.sign().await;
    let told: Vec<(i64, String)> = sqlx::query_as(
        "select radnik_id, (polja -> 0 ->> 'stara') || ' ' || (polja -> 0 ->> 'nova') from audit_log
          where klasa = 'entry' and akcija = 'promena stanja' and pacijent_id = $1 order by id",
    )
    .bind(case.patient)
    .fetch_all(&case.app.db.owner)
    .await
    .expect("the log");
    assert_eq!(told, [(case.doctor.id, "uRadu zavrsen".to_owned()), (case.doctor.id, "zavrsen potpisan".to_owned())]);
    assert_eq!(case.app.log("period_lock").await.len(), 0);
    case.lock_period("2024-03-31").await;
    assert_eq!(case.app.log("period_lock").await.len(), 1);
}

#[tokio::test]
async fn an_entry_that_a_save_would_refuse_is_not_finished() {
    let case = Case::new().await;
    case.app.lay_out(&["update form_field set opcioni = false where sifra = 'tekst'"]).await;
    // By the version that it keeps it still may be.
    case.deed("finish", json!({}), 204).await;
    case.deed("reopen", json!({ "razlog": "Nije gotovo" }), 204).await;
    case.app.lay_out(&["update entry set vrednosti = '{}'"]).await;
    case.deed("finish", json!({}), 422).await;
}
