//! How much a draft of an entry may hold, whose it is, and of which entries there are drafts.

use serde_json::{Value, json};

use crate::support::TestApp;

#[tokio::test]
async fn a_draft_too_large_to_be_kept_is_refused_and_leaves_the_one_before() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let lekar = app.lekar().await;
    let keep = async |key: &str, letters: usize| {
        let draft = json!({ "pacijentID": patient, "sadrzaj": "x".repeat(letters) });
        lekar.put(&format!("/api/entry-drafts/{key}"), draft).await
    };
    let refused = "Poslati podaci su preveliki.";
    let key = format!("novi-{patient}-{}.prozor", register.form);
    // Two quotation marks around the letters.
    keep(&key, 999_998).await.assert_status(204);
    keep(&key, 999_999).await.assert_error(413, None, refused);
    let longest = format!("{:-<100}", format!("novi-{patient}-{}.", register.form));
    keep(&longest, 1).await.assert_status(204);
    keep(&format!("{longest}-"), 1).await.assert_error(413, None, refused);

    let kept = lekar.get(&format!("/api/entry-drafts?kljuc=novi-{patient}-{}", register.form)).await.json();
    let keys: Vec<&Value> = kept["data"].as_array().unwrap().iter().map(|draft| &draft["kljuc"]).collect();
    assert_eq!(keys, [&json!(longest), &json!(key)]);
    assert_eq!(kept["data"][1]["sadrzaj"].as_str().map(str::len), Some(999_998));
}

#[tokio::test]
async fn a_worker_has_five_hundred_drafts_and_the_next_is_refused_in_words_while_each_of_these_is_kept() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let (lekar, sestra) = (app.lekar().await, app.sestra().await);
    let key = |number: i64| format!("novi-{patient}-{}.{number}", register.form);
    let draft = json!({ "pacijentID": patient, "sadrzaj": "x" });
    lekar.put(&format!("/api/entry-drafts/{}", key(1)), draft.clone()).await.assert_status(204);
    sqlx::query(
        "insert into entry_draft (radnik_id, kljuc, pacijent_id, sadrzaj)
         select radnik_id, 'novi-' || pacijent_id || '-' || $1::bigint || '.' || n, pacijent_id, sadrzaj from entry_draft, generate_series(2, 500) n",
    )
    .bind(register.form)
    .execute(&app.db.owner)
    .await
    .unwrap();
    let message = "Imate 500 nesnimljenih unosa, a više se ne čuva. Snimite ih ili odbacite, pa će se čuvati i ovaj.";
    lekar.put(&format!("/api/entry-drafts/{}", key(501)), draft.clone()).await.assert_error(429, None, message);
    lekar.put(&format!("/api/entry-drafts/{}", key(500)), draft.clone()).await.assert_status(204);
    sestra.put(&format!("/api/entry-drafts/{}", key(501)), draft.clone()).await.assert_status(204);
    lekar.delete(&format!("/api/entry-drafts/{}", key(7))).await.assert_status(204);
    lekar.put(&format!("/api/entry-drafts/{}", key(501)), draft).await.assert_status(204);
}

#[tokio::test]
async fn no_draft_is_kept_of_an_entry_that_another_institution_holds() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let own = app.entry(&register, patient, app.ustanova, "2025-03-01", json!({})).await;
    let other = app.entry(&register, patient, app.druga_ustanova, "2025-03-02", json!({})).await;
    let lekar = app.lekar().await;
    for (entry, status) in [(own, 204), (other, 403)] {
        let draft = json!({ "pacijentID": patient, "sadrzaj": "x" });
        lekar.put(&format!("/api/entry-drafts/unos-{entry}.prozor"), draft).await.assert_status(status);
    }
}

#[tokio::test]
async fn a_workers_drafts_of_a_patient_are_told_whatever_entry_they_are_of_and_nobody_elses() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let another = app.patient(&register, "Iva", "Ivić", app.ustanova, 2).await;
    let entry = app.entry(&register, patient, app.ustanova, "2025-03-01", json!({})).await;
    let (lekar, sestra) = (app.lekar().await, app.sestra().await);
    let new = |patient: i64| format!("novi-{patient}-{}.prozor", register.form);
    let of_entry = format!("unos-{entry}.prozor");
    for (worker, patient, key) in [
        (&lekar.0, patient, new(patient)),
        (&lekar.0, patient, of_entry.clone()),
        (&lekar.0, another, new(another)),
        (&sestra.0, patient, new(patient)),
    ] {
        let draft = json!({ "pacijentID": patient, "sadrzaj": { "datumUnosa": "2025-03-04" } });
        worker.put(&format!("/api/entry-drafts/{key}"), draft).await.assert_status(204);
    }
    let told = lekar.get(&format!("/api/entry-drafts?pacijentID={patient}")).await.json();
    let keys: Vec<&Value> = told["data"].as_array().unwrap().iter().map(|draft| &draft["kljuc"]).collect();
    assert_eq!(keys, [&json!(of_entry), &json!(new(patient))]);
    lekar.get("/api/entry-drafts").await.assert_error(422, None, "Nedostaje unos, ili formular i pacijent.");
}

#[tokio::test]
async fn a_draft_is_its_workers_alone_and_ends_with_its_own_save() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let (lekar, sestra) = (app.lekar().await, app.sestra().await);
    let of_entry = format!("novi-{}-{}", patient, register.form);
    let asked = format!("/api/entry-drafts?kljuc={of_entry}");
    for (window, broj) in [("prvi", 3), ("drugi", 4)] {
        let draft = json!({ "pacijentID": patient, "sadrzaj": { "broj": broj } });
        lekar.put(&format!("/api/entry-drafts/{of_entry}.{window}"), draft).await.assert_status(204);
    }
    let kept = lekar.get(&asked).await.json();
    assert_eq!((&kept["total"], &kept["data"][0]["sadrzaj"]), (&json!(2), &json!({ "broj": 4 })));
    assert_eq!(sestra.get(&asked).await.json()["total"], json!(0));
    assert_eq!(lekar.get(&format!("{asked}0")).await.json()["total"], json!(0), "another form's key");
    let request = json!({
        "tsaID": register.form, "registarID": register.id, "pacijentID": patient, "vrednosti": { (register.field("broj")): 3 },
        "radnikOdgovoran": lekar.id, "datumUnosa": "2026-03-05", "nacrti": [format!("{of_entry}.prvi")],
    });
    lekar.post("/api/entry-values", request).await.assert_status(200);
    let left = lekar.get(&asked).await.json();
    assert_eq!((&left["total"], &left["data"][0]["kljuc"]), (&json!(1), &json!(format!("{of_entry}.drugi"))));
    app.lay_out(&["update worker set ustanova_id = (select id from institution where naziv = 'Klinika B') where username = 'lekar'"]).await;
    assert_eq!(lekar.get(&asked).await.json(), json!({ "data": [], "total": 0 }), "of a patient whom the worker may not see any more");
}
