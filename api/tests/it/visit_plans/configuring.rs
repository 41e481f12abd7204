//! Plans as administrators make them: checked, looked at, published, carried in files.

use serde_json::{Value, json};

use super::{Case, visit};

async fn refused(case: &Case, stavke: Value) -> Vec<String> {
    let body = json!({ "sifra": "X", "naziv": "Drugi", "stavke": stavke });
    let answer = case.admin.post(&format!("/api/registers/{}/visit-plans", case.register.id), body).await;
    let told = answer.refusal(422);
    // One alone is the refusal itself.
    let faults = told["greske"].as_array().filter(|faults| !faults.is_empty()).cloned().unwrap_or_else(|| vec![told.clone()]);
    faults.iter().map(|fault| fault["field"].as_str().expect("a field").to_owned()).collect()
}

#[tokio::test]
async fn what_is_wrong_is_told_by_the_visit_and_its_field() {
    let case = Case::new().await;
    let with = |name: &str, value: Value| {
        let mut visit = visit("A", 1);
        visit[name] = value;
        visit
    };
    assert_eq!(refused(&case, json!([])).await, ["stavke"]);
    assert_eq!(refused(&case, json!([with("prozorPre", json!(181))])).await, ["stavke.0.prozorPre"]);
    assert_eq!(refused(&case, json!([with("sidro", json!("datum"))])).await, ["stavke.0.sidroPoljeID"]);
    let mut number = with("sidro", json!("datum"));
    number["sidroPoljeID"] = json!(case.register.fields["broj"]);
    assert_eq!(refused(&case, json!([number])).await, ["stavke.0.sidroPoljeID"]);
    assert_eq!(refused(&case, json!([with("formulari", json!([999_999]))])).await, ["stavke.0.formulari"]);
    let mut asked = with("uslov", json!("$(nema) > 1"));
    asked["uslovFormID"] = json!(case.register.form);
    assert_eq!(refused(&case, json!([asked])).await, ["stavke.0.uslov"]);
    let both = json!([with("prozorPre", json!(181)), with("formulari", json!([999_999]))]);
    assert_eq!(refused(&case, both).await[..2], ["stavke.0.prozorPre", "stavke.1.sifra"]);
}

#[tokio::test]
async fn a_preview_is_what_a_patient_gets() {
    let case = Case::new().await;
    let stavke = json!([visit("M0", 0), visit("M3", 3), visit("M6", 6)]);
    let body = json!({ "registarID": case.register.id, "stavke": stavke, "ukljucenje": "2025-01-31", "dan": "2025-05-15" });
    let preview = case.admin.post("/api/visit-plan-previews", body).await.assert_status(200).json();
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    // The entry itself is the first visit, which the preview knows nothing of.
    let page = case.page(patient, "2025-05-15").await;
    for name in ["sifra", "cilj", "prozorOd", "prozorDo", "cekaDo"] {
        for at in 0..3 {
            assert_eq!(preview["data"][at][name], page["posete"][at][name], "{name} of {at}");
        }
    }
    assert_eq!(preview["data"][1]["stanje"], page["posete"][1]["stanje"]);
}

#[tokio::test]
async fn versions_are_kept_and_one_who_has_not_seen_the_last_is_told() {
    let case = Case::new().await;
    let (list, path) = (format!("/api/registers/{}/visit-plans", case.register.id), format!("/api/visit-plans/{}/versions", case.plan));
    let verzija = case.admin.get(&list).await.json()["data"][0]["verzija"].clone();
    let next = json!({ "stavke": [visit("M0", 0)], "napomena": "Kraće", "verzija": verzija });
    case.admin.post(&path, next.clone()).await.assert_status(201);
    assert_eq!(case.admin.post(&path, next).await.status, 409);
    let plan = case.admin.get(&list).await.json()["data"][0].clone();
    assert_eq!(plan["verzije"].as_array().unwrap().len(), 2);
    assert_eq!(plan["verzije"][0]["napomena"], "Kraće");
    assert_eq!(case.admin.get(&format!("{path}/1")).await.assert_status(200).json()["total"], 3);
    let same = json!({ "stavke": [visit("M0", 0)], "verzija": plan["verzija"] });
    assert_eq!(case.admin.post(&path, same).await.status, 422);
}

#[tokio::test]
async fn a_file_carries_the_plans_of_its_register() {
    let case = Case::new().await;
    let file = case.admin.get(&format!("/api/registers/{}/definition", case.register.id)).await.assert_status(200).text();
    assert!(file.contains("[[planovi]]") && file.contains("[[planovi.posete]]"), "{file}");
    let copy =
        case.admin.post(&format!("/api/registers/{}/copies", case.register.id), json!({ "naziv": "Kopija", "sifra": "kopija" })).await;
    let copied = copy.assert_status(201).json()["id"].clone();
    let plans = case.admin.get(&format!("/api/registers/{copied}/visit-plans")).await.assert_status(200).json();
    let was = case.admin.get(&format!("/api/registers/{}/visit-plans", case.register.id)).await.json();
    assert_eq!((&plans["data"][0]["stavke"], &plans["data"][0]["podrazumevani"]), (&was["data"][0]["stavke"], &json!(true)));
}
