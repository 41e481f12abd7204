//! A patient's course on the patient's page: the lines of the register's charts, with bounds and with the names of what was chosen.

use serde_json::{Value, json};

use crate::support::TestApp;

const CHART: &str = "
    with kind as (insert into attribute_type (naziv, tip_vrednosti_atributa) values ('Grafik', 12) returning id)
    insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, grafik)
    select f.id, kind.id, 'Tok', 90, 'tok', $$[{\"oznaka\": \"Broj\", \"sifra\": \"broj\", \"boja\": \"#c0392b\"},
        {\"oznaka\": \"Terapija\", \"sifra\": \"skup\", \"boja\": \"#2980b9\"}, {\"oznaka\": \"Čega nema\", \"sifra\": \"nema\", \"boja\": \"#000000\"}]$$
      from form f, kind";

#[tokio::test]
async fn the_course_holds_what_the_charts_follow_with_bounds_and_names() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    app.lay_out(&[
        CHART,
        "update form_field set donja_referentna_brojna_vrednost = 2, gornja_referentna_brojna_vrednost = 20 where sifra = 'broj'",
    ])
    .await;
    let items = json!([register.items["druga"], register.items["prva"]]);
    app.entry(&register, patient, app.ustanova, "2026-03-05", json!({ "broj": 12.5, "skup": items })).await;
    app.entry(&register, patient, app.ustanova, "2025-03-05", json!({ "broj": 99, "tekst": "ne prati se" })).await;

    let course = lekar.get(&format!("/api/patients/{patient}/trend?registarID={}", register.id)).await.json();
    let codes: Vec<&Value> = course["linije"].as_array().unwrap().iter().map(|line| &line["sifra"]).collect();
    assert_eq!(codes, ["broj", "skup"], "a line that names no field is left out");
    assert_eq!(course["linije"][0]["donjaReferentnaBrojnaVrednost"], json!(2.0));
    assert_eq!(course["linije"][0]["gornjaReferentnaBrojnaVrednost"], json!(20.0));
    assert_eq!(course["linije"][1]["tvaNumVrednost"], json!(4));
    assert_eq!(
        course["podaci"],
        json!([
            { "naziv": "Pregled", "date": "2025-03-05", "vrednosti": { "broj": 99 } },
            { "naziv": "Pregled", "date": "2026-03-05", "vrednosti": { "broj": 12.5, "skup": "druga, prva" } },
        ])
    );
}
