//! What a tile of a saved search counts: whom the search finds and the worker's institution knows, for whoever may use the search.

use serde_json::{Value, json};

use crate::support::TestApp;

#[tokio::test]
async fn a_saved_search_counts_whom_it_finds_and_no_strangers_and_only_for_who_may_use_it() {
    let app = TestApp::new().await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let register = app.register().await;
    for number in 0..30 {
        let home = if number < 20 { app.ustanova } else { app.druga_ustanova };
        let patient = app.patient(&register, "Ime", "Prezime", home, number).await;
        app.entry(&register, patient, home, "2026-01-10", json!({ "broj": number, "izbor": number % 2 == 0 })).await;
    }
    let rows = json!([{ "veza": "i", "tipUnosaID": null, "poljeID": register.fields["broj"], "operator": ">=", "vrednost": "12" }]);
    let upit = json!({ "godinaOd": null, "godinaDo": null, "pol": -1, "brojRezultata": 50, "opseg": "najnovijiUnos", "redovi": rows });
    let keep = async |naziv: &str, deljena: bool, upit: &Value| {
        let body = json!({ "registarID": register.id, "naziv": naziv, "deljena": deljena, "upit": upit });
        lekar.post("/api/saved-searches", body).await.json()["id"].as_i64().expect("an id")
    };
    let id = keep("Veliki", false, &upit).await;
    let counted = lekar.get(&format!("/api/saved-searches/{id}/count")).await;
    counted.assert_status(200);
    assert_eq!(counted.json(), json!({ "naziv": "Veliki", "broj": 8, "imaJos": false }));

    // The search itself shows as many whom the institution knows, and strangers beside them.
    let searched = json!({ "registarID": register.id, "opsegUslova": "najnovijiUnos", "redPretrage": rows, "sviRezultati": true });
    let found = lekar.post("/api/search", searched).await.json();
    let known = found["unosi"].as_array().expect("patients").iter().filter(|row| row["blurPodataka"] == false).count();
    assert_eq!((known, found["unosi"].as_array().map(Vec::len)), (8, Some(18)));

    // As the sentence of a number of a report has it.
    let mut framed = upit.clone();
    framed["opseg"] = json!("istiUnos");
    framed["unosUslova"] = json!({ "tipUnosaID": register.form, "od": "2026-02-01", "do": null, "svoj": true });
    let framed = keep("Od februara", false, &framed).await;
    assert_eq!(lekar.get(&format!("/api/saved-searches/{framed}/count")).await.json()["broj"], 0);

    admin.get(&format!("/api/saved-searches/{id}/count")).await.assert_status(404);
    let shared = keep("Deljena", true, &upit).await;
    assert_eq!(admin.get(&format!("/api/saved-searches/{shared}/count")).await.json()["broj"], 8);

    // What can be asked no more says so.
    app.lay_out(&["update form_field set pretrazuje_se = false where sifra = 'broj'"]).await;
    lekar.get(&format!("/api/saved-searches/{id}/count")).await.assert_status(422);
}
