//! A worker's own record: what it shows, what of it may be changed, and by whom.

use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn a_worker_reads_the_own_profile_and_no_other() {
    let app = TestApp::new().await;
    let (sestra, lekar, admin) = (app.sestra().await, app.lekar().await, app.admin().await);
    let path = format!("/api/workers/{}", sestra.id);
    let answer = sestra.get(&path).await;
    let profile = answer.json();
    assert_eq!(
        answer.keys(),
        [
            "adresa",
            "aktivan",
            "datumRodjenja",
            "email",
            "id",
            "ime",
            "imePrezime",
            "jmbg",
            "lbo",
            "pol",
            "prezime",
            "sifra",
            "spoljniNalogOd",
            "telefon",
            "theme",
            "username",
            "ustanovaID",
            "ustanovaNaziv",
            "verzija"
        ]
    );
    assert_eq!((&profile["username"], &profile["theme"]), (&json!("sestra"), &json!("regix")));
    lekar.get(&path).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
    admin.get(&path).await.assert_status(200);
    admin.get("/api/workers/1").await.assert_error(404, None, "Traženi podatak ne postoji.");
}

#[tokio::test]
async fn the_own_profile_takes_its_fields_and_ignores_the_administrators_ones() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    let path = format!("/api/workers/{}", sestra.id);
    let changed = sestra
        .patch(
            &path,
            json!({
                "ime": " Đurđa ", "prezime": "Žić", "datumRodjenja": "1980-03-30", "pol": false, "adresa": "Višegradska 26",
                "email": "djurdja@klinika.rs", "telefon": "011/1234567", "theme": "darkly", "username": "admin2", "jmbg": "0101990710006"
            }),
        )
        .await
        .json();
    assert_eq!(changed["imePrezime"], "Đurđa Žić");
    assert_eq!(changed["datumRodjenja"], "1980-03-30", "a date is a date, whatever the time zone");
    assert_eq!((&changed["pol"], &changed["theme"]), (&json!(false), &json!("darkly")));
    assert_eq!((&changed["username"], &changed["jmbg"]), (&json!("sestra"), &json!(null)), "not one's own to change");
    let cleared = sestra.patch(&path, json!({ "email": "", "datumRodjenja": null })).await.json();
    assert_eq!((&cleared["email"], &cleared["datumRodjenja"]), (&json!(null), &json!(null)));
    assert_eq!(cleared["adresa"], "Višegradska 26");
}

#[tokio::test]
async fn what_is_wrong_with_a_profile_is_said_by_field() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    let path = format!("/api/workers/{}", sestra.id);
    let tomorrow = app.state.today().tomorrow().expect("a tomorrow").to_string();
    let cases = [
        (json!({ "ime": " ", "prezime": "" }), "ime", "Niste uneli ime."),
        (json!({ "prezime": null }), "prezime", "Niste uneli prezime."),
        (json!({ "email": "bez-domena" }), "email", "E-mail adresa nije ispravna."),
        (json!({ "ime": "š".repeat(101) }), "ime", "Ime: najviše 100 znakova."),
        (json!({ "prezime": "š".repeat(101) }), "prezime", "Prezime: najviše 100 znakova."),
        (json!({ "adresa": "š".repeat(201) }), "adresa", "Adresa: najviše 200 znakova."),
        (json!({ "telefon": "1".repeat(51) }), "telefon", "Telefon: najviše 50 znakova."),
        (json!({ "email": format!("{}@klinika.rs", "a".repeat(244)) }), "email", "E-mail adresa nije ispravna."),
        (json!({ "theme": "crvena" }), "theme", "Nepoznata tema."),
        (json!({ "datumRodjenja": tomorrow }), "datumRodjenja", "Datum rođenja ne može biti u budućnosti."),
        (json!({ "datumRodjenja": "30.03.1980." }), "datumRodjenja", "Vrednost polja „datumRodjenja” nije ispravna."),
        (json!({ "pol": "žensko" }), "pol", "Vrednost polja „pol” nije ispravna."),
        (json!({ "ustanovaID": app.druga_ustanova }), "ustanovaID", "Ne pripadate izabranoj ustanovi."),
        (json!({ "ustanovaID": null }), "ustanovaID", "Ne pripadate izabranoj ustanovi."),
    ];
    for (patch, field, message) in cases {
        sestra.patch(&path, patch).await.assert_error(422, Some(field), message);
    }
    let longest = json!({ "ime": "š".repeat(100), "prezime": "š".repeat(100), "adresa": "š".repeat(200), "telefon": "1".repeat(50) });
    sestra.patch(&path, longest).await.assert_status(200);
}

#[tokio::test]
async fn a_worker_switches_among_the_own_institutions() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    app.join(&sestra, app.druga_ustanova).await;
    let mine = sestra.get(&format!("/api/institutions?radnik={}&aktivan=true", sestra.id)).await.json();
    assert_eq!(mine["total"], 2);

    let path = format!("/api/workers/{}", sestra.id);
    let changed = sestra.patch(&path, json!({ "ustanovaID": app.druga_ustanova })).await.json();
    assert_eq!(changed["ustanovaNaziv"], "Klinika B");
    let session = sestra.get("/api/session").await.json();
    assert_eq!((&session["ustanovaID"], &session["ustanovaNaziv"]), (&json!(app.druga_ustanova), &json!("Klinika B")));
}

#[tokio::test]
async fn only_administrators_see_whom_another_worker_belongs_to() {
    let app = TestApp::new().await;
    let (sestra, lekar, admin) = (app.sestra().await, app.lekar().await, app.admin().await);
    for path in [format!("/api/institutions?radnik={}", sestra.id), format!("/api/application-rights?radnik={}", sestra.id)] {
        lekar.get(&path).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
        admin.get(&path).await.assert_status(200);
        sestra.get(&path).await.assert_status(200);
    }
}

#[tokio::test]
async fn a_profile_that_changed_meanwhile_is_not_overwritten() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    let path = format!("/api/workers/{}", sestra.id);
    let loaded = sestra.get(&path).await.json();
    sestra.patch(&path, json!({ "telefon": "1", "verzija": loaded["verzija"] })).await.assert_status(200);
    let stale = sestra.patch(&path, json!({ "telefon": "2", "verzija": loaded["verzija"] })).await;
    assert_eq!(stale.refusal(409)["izmena"]["radnik"], "Test Sestra");
    assert_eq!(sestra.get(&path).await.json()["telefon"], "1");
}

#[tokio::test]
async fn administrators_do_not_delete_themselves() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    admin.delete(&format!("/api/workers/{}", admin.id)).await.assert_error(409, None, "Ne možete obrisati sopstveni nalog.");
    admin.get("/api/session").await.assert_status(200);
}
