//! The list and the page agree on every day of a year, in two institutions.

use std::collections::BTreeSet;

use jiff::{ToSpan, civil::date};
use serde_json::Value;

use super::Case;
use crate::support::Worker;

/// Ids of all pages of a list.
async fn listed(worker: &Worker, vrsta: &str, day: &str) -> BTreeSet<i64> {
    let mut ids = BTreeSet::new();
    let mut after = String::new();
    loop {
        let page = worker.get(&format!("/api/planned-visits?vrsta={vrsta}&dan={day}{after}")).await.assert_status(200).json();
        for visit in page["data"].as_array().unwrap() {
            assert_eq!(visit["stanje"], if vrsta == "kasni" { "kasni" } else { "otvorena" }, "{visit}");
            assert!(ids.insert(visit["id"].as_i64().unwrap()), "{visit} twice");
        }
        let Some(next) = page["sledece"].as_object() else {
            assert_eq!(page["ukupno"], ids.len(), "{page}");
            return ids;
        };
        after = format!("&posleDan={}&posleID={}", next["dan"].as_str().unwrap(), next["id"]);
    }
}

fn in_state(page: &Value, state: &str) -> Vec<i64> {
    page["posete"].as_array().unwrap().iter().filter(|visit| visit["stanje"] == state).map(|visit| visit["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn the_list_and_the_page_agree_on_every_day_of_a_year() {
    let case = Case::new().await;
    let app = &case.app;
    let other = app.worker("druga", &[], app.druga_ustanova).await;
    let mut ours = Vec::new();
    for (number, days) in [
        (1, &["2025-01-31"][..]),
        (2, &["2025-01-31", "2025-05-01"]),
        (3, &["2025-02-28", "2025-06-20"]),
        (4, &["2024-11-30"]),
        (5, &["2025-01-15", "2025-04-15", "2025-07-15"]),
    ] {
        let patient = case.patient(number).await;
        for day in days {
            case.entry(patient, day).await;
        }
        ours.push(patient);
    }
    let theirs = app.patient(&case.register, "Mara", "Marić", app.druga_ustanova, 6).await;
    app.entry(&case.register, theirs, app.druga_ustanova, "2025-03-31", serde_json::json!({ "broj": 1 })).await;
    let cancelled = case.visit_id(ours[0], "M3").await;
    case.lekar
        .post(&format!("/api/planned-visits/{cancelled}/cancel"), serde_json::json!({ "razlog": "Na putu" }))
        .await
        .assert_status(204);

    let mut day = date(2025, 1, 1);
    let mut seen = 0;
    while day < date(2026, 1, 1) {
        let text = day.to_string();
        let mut pages = Vec::new();
        for patient in &ours {
            pages.push(case.page(*patient, &text).await);
        }
        let page_of_other = case.page_of(&other, theirs, &text).await;
        for (vrsta, state) in [("kasni", "kasni"), ("otvorene", "otvorena")] {
            let of_pages: BTreeSet<i64> = pages.iter().flat_map(|page| in_state(page, state)).collect();
            assert_eq!(listed(&case.lekar, vrsta, &text).await, of_pages, "{vrsta} on {text}");
            seen += of_pages.len();
            let of_page: BTreeSet<i64> = in_state(&page_of_other, state).into_iter().collect();
            assert_eq!(listed(&other, vrsta, &text).await, of_page, "{vrsta} of the other on {text}");
        }
        day = day.checked_add(1.day()).unwrap();
    }
    assert!(seen > 250, "{seen} visits were awaited over the year");
}

#[tokio::test]
async fn pages_go_on_where_the_last_one_ended() {
    let case = Case::new().await;
    for number in 1..=120 {
        let patient = case.patient(number).await;
        case.entry(patient, if number % 2 == 0 { "2025-01-31" } else { "2025-01-30" }).await;
    }
    assert_eq!(listed(&case.lekar, "otvorene", "2025-04-28").await.len(), 120);
    assert_eq!(listed(&case.lekar, "kasni", "2025-05-20").await.len(), 120);
    let calendar = case.lekar.get("/api/planned-visit-calendar?od=2025-04-01&do=2025-04-30").await.assert_status(200).json();
    let days: Vec<(String, i64)> = calendar["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|day| (day["dan"].as_str().unwrap().to_owned(), day["broj"].as_i64().unwrap()))
        .collect();
    // 30 January and three months, and 31 January and three months, are the same day.
    assert_eq!(days, [("2025-04-30".to_owned(), 120)]);
    assert_eq!(listed_on(&case.lekar, "2025-04-30").await, 120);
}

async fn listed_on(worker: &Worker, day: &str) -> i64 {
    worker.get(&format!("/api/planned-visits?vrsta=danas&dan={day}")).await.assert_status(200).json()["ukupno"].as_i64().unwrap()
}

#[tokio::test]
async fn who_may_not_be_called_is_listed_without_a_number_at_the_second_hospital_too() {
    let case = Case::new().await;
    let patients = [case.patient(1).await, case.patient(2).await];
    // Late today: what was missed before moves to nobody.
    let day: String = sqlx::query_scalar("select (today() - 109)::text").fetch_one(&case.app.db.owner).await.unwrap();
    for patient in patients {
        case.entry(patient, &day).await;
        // Whose plan it is hangs on who keeps her and has an entry of hers.
        case.app.entry(&case.register, patient, case.app.druga_ustanova, &day, serde_json::json!({ "broj": 1 })).await;
    }
    let phones_of = async |worker: &Worker| {
        let page = worker.get("/api/planned-visits?vrsta=kasni").await.assert_status(200).json();
        let mut rows: Vec<(i64, bool, bool)> = (page["data"].as_array().unwrap().iter())
            .map(|row| (row["pacijentID"].as_i64().unwrap(), row["smeKontakt"] == true, row["telefon"].is_string()))
            .collect();
        rows.sort_unstable();
        rows
    };
    let phones = async || phones_of(&case.lekar).await;
    let [one, two] = patients;
    assert_eq!(phones().await, [(one, true, true), (two, true, true)], "nothing was said, and the register does not ask");
    let says = async |patient: i64, dat: bool| {
        let body = serde_json::json!({ "registarID": case.register.id, "svrha": "kontakt", "dat": dat, "dan": "2025-02-01" });
        let doctor = case.app.worker("doktorka", &[accounts::rights::Right::Consents], case.app.ustanova).await;
        doctor.post(&format!("/api/patients/{patient}/consents"), body).await.assert_status(201);
    };
    says(one, false).await;
    assert_eq!(phones().await, [(one, false, false), (two, true, true)]);
    // The second hospital takes her over, with what she said to the first.
    let app = &case.app;
    let other = app.worker("druga", &[accounts::rights::Right::Transfer], app.druga_ustanova).await;
    let keeper = app.worker("nudi", &[accounts::rights::Right::Transfer], app.ustanova).await;
    assert!(phones_of(&other).await.is_empty());
    for patient in patients {
        let offer = serde_json::json!({ "pacijentID": patient, "ustanovaID": app.druga_ustanova, "razlog": "Preselila se u drugi grad" });
        let offered = keeper.post("/api/patient-transfers", offer).await.assert_status(200).json()["id"].clone();
        other.post(&format!("/api/patient-transfers/{offered}/accept"), serde_json::json!({})).await.assert_status(204);
    }
    assert_eq!((phones().await, phones_of(&other).await), (vec![], vec![(one, false, false), (two, true, true)]));
    case.app.lay_out(&["update register set pristanak_kontakt = true"]).await;
    assert_eq!(phones_of(&other).await, [(one, false, false), (two, false, false)], "the register asks, and she was not asked");
}
