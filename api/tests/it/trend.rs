//! A patient's course on the patient's page: the lines of the register's charts, with bounds and with the names of what was chosen.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::TestApp;

const CHART: &str = "
    with kind as (insert into attribute_type (naziv, tip_vrednosti_atributa) values ('Grafik', 12) returning id)
    insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, grafik)
    select f.id, kind.id, 'Tok', 90, 'tok', $$[{\"oznaka\": \"Broj\", \"sifra\": \"broj\", \"boja\": \"#c0392b\"},
        {\"oznaka\": \"Terapija\", \"sifra\": \"skup\", \"boja\": \"#2980b9\"}, {\"oznaka\": \"Čega nema\", \"sifra\": \"nema\", \"boja\": \"#000000\"}]$$
      from form f, kind";

/// In an address.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

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
    // Both are drawn for a wide screen and for a narrow one, over the same days and from one place on.
    let drawn = |line: usize, narrow: usize| course["linije"][line]["crtezi"][narrow].clone();
    let told = |drawing: &Value| drawing["mesta"].as_array().unwrap().iter().map(|spot| spot["tekst"].clone()).collect::<Vec<_>>();
    for (narrow, width) in [(0, 760.0), (1, 340.0)] {
        let (number, names) = (drawn(0, narrow), drawn(1, narrow));
        assert_eq!((&number["sirina"], &names["sirina"]), (&json!(width), &json!(width)));
        assert_eq!(told(&number), ["Broj, 05.03.2025.: 99", "Broj, 05.03.2026.: 12,5"]);
        assert_eq!(told(&names), ["Terapija, 05.03.2026.: druga, prva"]);
        let begins = |drawing: &Value| {
            let word = drawing["oblici"].as_array().unwrap().iter().find(|shape| shape["tekst"] == "05.03.2025.").unwrap().clone();
            word["x"].as_f64().unwrap()
        };
        assert!((begins(&number) - begins(&names)).abs() < 0.2, "{number} {names}");
    }
    assert_eq!(
        course["podaci"],
        json!([
            { "naziv": "Pregled", "date": "2025-03-05", "vrednosti": { "broj": 99 }, "zastareli": {} },
            { "naziv": "Pregled", "date": "2026-03-05", "vrednosti": { "broj": 12.5, "skup": "druga, prva" }, "zastareli": {} },
        ])
    );
}

#[tokio::test]
async fn the_course_marks_what_does_not_compare_and_names_items_as_they_were_called() {
    let app = TestApp::new().await;
    let (lekar, designer) = (app.lekar().await, app.worker("urednik", &[Right::Registers], app.ustanova).await);
    let register = app.register().await;
    app.lay_out(&[CHART]).await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let course = async || lekar.get(&format!("/api/patients/{patient}/trend?registarID={}", register.id)).await.assert_status(200).json();
    let values = |broj: i32| json!({ "broj": broj, "skup": [register.items["prva"]] });
    app.entry(&register, patient, app.ustanova, "2025-03-05", values(72_000)).await;

    let kind: i64 = sqlx::query_scalar("select tip_atributa_id from form_field where id = $1")
        .bind(register.fields["broj"])
        .fetch_one(&app.db.owner)
        .await
        .unwrap();
    let unit = json!({ "jedinica": "kg", "potvrdjenoRezultata": 1 });
    designer.patch(&format!("/api/attribute-types/{kind}"), unit).await.assert_status(200);
    designer.patch(&format!("/api/enum-items/{}", register.items["prva"]), json!({ "naziv": "početna" })).await.assert_status(200);
    app.entry(&register, patient, app.ustanova, "2026-03-05", values(74)).await;

    let course = course().await;
    assert_eq!(
        course["podaci"],
        json!([
            { "naziv": "Pregled", "date": "2025-03-05", "vrednosti": { "broj": 72_000, "skup": "prva" },
              "zastareli": { "broj": { "razlog": "jedinica", "jedinica": null } } },
            { "naziv": "Pregled", "date": "2026-03-05", "vrednosti": { "broj": 74, "skup": "početna" }, "zastareli": {} },
        ])
    );
    let chart = lekar.get(&format!("/api/patients/{patient}/chart?registarID={}&sifre=broj", register.id)).await.json();
    assert_eq!(chart["podaci"][0]["zastareli"]["broj"]["razlog"], "jedinica");
    assert_eq!(chart["crtezi"], json!([]), "nobody asked for a line");

    // 72,000 of another unit would be no place on the axis of 74.
    let line = r##"[{"oznaka":"Masa","sifra":"broj","boja":"#c0392b"}]"##;
    let asked = |lines: &str| format!("/api/patients/{patient}/chart?registarID={}&sifre=broj&linije={}", register.id, encoded(lines));
    let chart = lekar.get(&asked(line)).await.assert_status(200).json();
    let sizes: Vec<_> = chart["crtezi"].as_array().unwrap().iter().map(|drawing| (&drawing["sirina"], &drawing["visina"])).collect();
    assert_eq!(sizes, [(&json!(800.0), &json!(400.0)), (&json!(340.0), &json!(300.0))]);
    assert_eq!(chart["crtezi"][0]["mesta"].as_array().unwrap().len(), 1);
    assert_eq!(chart["crtezi"][0]["mesta"][0]["tekst"], "Masa, 05.03.2026.: 74");
    assert!(chart["crtezi"][0]["oblici"].as_array().unwrap().iter().any(|shape| shape["linija"] == "#c0392b"));
    for odd in ["[", "{}", r#"[{"oznaka":"Masa"}]"#, &format!("[{}]", vec![line.trim_matches(['[', ']']); 51].join(","))] {
        let refused = lekar.get(&asked(odd)).await;
        assert_eq!(refused.status, 422);
        assert!(refused.text().contains("Linije grafika"), "{}", refused.text());
    }
}
