//! The logo of an institution: kept as paper shows it, changed by those who change the institution, read by everybody.

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::support::TestApp;

/// One pixel, which lets through what is behind it.
pub const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const ANOTHER: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==";

#[tokio::test]
async fn a_logo_is_set_replaced_and_taken_away_and_everybody_sees_it() {
    let app = TestApp::new().await;
    let (admin, sestra) = (app.admin().await, app.sestra().await);
    let path = format!("/api/institutions/{}/logo", app.ustanova);
    assert_eq!(sestra.get(&path).await.json(), json!({ "logo": null }));
    for sent in [PICTURE, ANOTHER] {
        let kept = admin.put(&path, json!({ "logo": sent })).await.json();
        let png = BASE64_STANDARD.decode(kept["logo"].as_str().expect("a picture")).expect("base64");
        assert!(png.starts_with(b"\x89PNG"), "whatever was sent, PNG is kept");
        assert_eq!(sestra.get(&path).await.json(), kept);
    }
    assert_eq!(admin.get("/api/institutions").await.json()["data"][0]["logo"], Value::Null, "lists carry no pictures");
    admin.delete(&path).await.assert_status(204);
    assert_eq!(sestra.get(&path).await.json(), json!({ "logo": null }));
    admin.delete(&path).await.assert_status(204);
    app.anonymous().get(&path).await.assert_status(401);

    let log = app.log("institution_logo").await;
    let deeds: Vec<&str> = log.iter().map(|line| line.akcija.as_str()).collect();
    assert_eq!(deeds, ["kreiranje", "izmena", "brisanje"]);
    assert!(log.iter().all(|line| line.radnik_id == Some(admin.id) && line.red_id == Some(app.ustanova.to_string())));
    let written: i64 =
        sqlx::query_scalar("select count(*) from audit_log where klasa = 'institution_logo' and polja::text like '%89504e47%'")
            .fetch_one(&app.db.owner)
            .await
            .expect("a count");
    assert_eq!(written, 0, "the picture is not in the log");
}

#[tokio::test]
async fn what_is_no_picture_or_too_large_is_refused_and_the_logo_stays() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let path = format!("/api/institutions/{}/logo", app.ustanova);
    let kept = admin.put(&path, json!({ "logo": PICTURE })).await.json();
    let drawing = BASE64_STANDARD.encode("<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let large = BASE64_STANDARD.encode([BASE64_STANDARD.decode(PICTURE).expect("base64"), vec![0; 1_000_000]].concat());
    for (sent, message) in [
        (json!(drawing), "Dozvoljene su samo slike."),
        (json!("data:image/svg+xml;base64,PHN2Zy8+"), "Dozvoljene su samo slike."),
        (json!(&PICTURE[..40]), "Dozvoljene su samo slike."),
        (json!(large), "Slika je veća od 1.000.000 bajtova."),
        (Value::Null, "Niste izabrali sliku."),
    ] {
        admin.put(&path, json!({ "logo": sent })).await.assert_error(422, Some("logo"), message);
    }
    assert_eq!(admin.get(&path).await.json(), kept);
}

#[tokio::test]
async fn only_who_administers_the_institution_sets_its_logo() {
    let app = TestApp::new().await;
    let of_other = app.worker("druga", &[Right::Institutions], app.druga_ustanova).await;
    let path = format!("/api/institutions/{}/logo", app.ustanova);
    let refused = of_other.put(&path, json!({ "logo": PICTURE })).await;
    refused.assert_error(403, None, "Ne administrirate ovu ustanovu. Menja je njen administrator, ili administrator svih ustanova.");
    let own = format!("/api/institutions/{}/logo", app.druga_ustanova);
    of_other.put(&own, json!({ "logo": PICTURE })).await.assert_status(200);
    assert_eq!(app.admin().await.get(&path).await.json(), json!({ "logo": null }));
}

#[tokio::test]
async fn an_institution_that_is_deleted_or_not_there_gets_no_logo() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    admin.delete(&format!("/api/institutions/{}", app.druga_ustanova)).await.assert_status(204);
    let deleted = format!("/api/institutions/{}/logo", app.druga_ustanova);
    admin.put(&deleted, json!({ "logo": PICTURE })).await.assert_status(404);
    admin.delete(&deleted).await.assert_status(404);
    admin.get("/api/institutions/999999/logo").await.assert_status(404);
    admin.put("/api/institutions/999999/logo", json!({ "logo": PICTURE })).await.assert_status(404);
}
