//! What people decide about visits, and who may.

use accounts::rights::Right;
use serde_json::json;

use super::{Case, told, visit};
use crate::support::Logged;

#[tokio::test]
async fn a_person_links_an_entry_otherwise_and_takes_it_from_the_plan() {
    let case = Case::new().await;
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    let between = case.entry(patient, "2025-06-20").await;
    let (m3, m6) = (case.visit_id(patient, "M3").await, case.visit_id(patient, "M6").await);
    let link = |visit: i64| format!("/api/planned-visits/{visit}/link");
    case.lekar.post(&link(m3), json!({ "unosID": between })).await.assert_status(204);
    assert_eq!(case.states(patient, "2025-06-21").await[1].2, "vanProzora");
    // An entry is one visit's.
    case.lekar.post(&link(m6), json!({ "unosID": between })).await.assert_status(204);
    assert_eq!(
        case.states(patient, "2025-06-21").await,
        told(&[("M0", "2025-01-31", "ispunjena"), ("M3", "2025-04-30", "propustena"), ("M6", "2025-07-31", "vanProzora")])
    );
    case.lekar.post(&format!("/api/planned-visits/{m6}/unlink"), json!({})).await.assert_status(204);
    assert_eq!(case.states(patient, "2025-06-21").await[2].2, "buduca");
    // Of somebody else's entry.
    let another = case.patient(2).await;
    let foreign = case.entry(another, "2025-01-31").await;
    case.lekar.post(&link(m6), json!({ "unosID": foreign })).await.assert_refusal(
        422,
        Some("unosID"),
        "Izaberite unos ovog pacijenta u registru.",
    );
    assert_eq!(case.app.log("planned_visit").await.iter().filter(|row| row.akcija == "izmena").count(), 4);
}

#[tokio::test]
async fn a_visit_is_called_off_with_a_reason_and_awaited_again() {
    let case = Case::new().await;
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    let visit = case.visit_id(patient, "M3").await;
    let (cancel, restore) = (format!("/api/planned-visits/{visit}/cancel"), format!("/api/planned-visits/{visit}/restore"));
    case.lekar.post(&cancel, json!({ "razlog": "  " })).await.assert_refusal(422, Some("razlog"), "Razlog ima od 3 do 500 znakova.");
    case.lekar.post(&cancel, json!({ "razlog": "Trudnoća" })).await.assert_status(204);
    let page = case.page(patient, "2025-04-30").await;
    assert_eq!((&page["posete"][1]["stanje"], &page["posete"][1]["razlog"]), (&json!("otkazana"), &json!("Trudnoća")));
    // An entry of its window is none then.
    case.entry(patient, "2025-04-30").await;
    assert_eq!(case.states(patient, "2025-05-01").await[1].2, "otkazana");
    case.lekar.post(&restore, json!({})).await.assert_status(204);
    assert_eq!(case.states(patient, "2025-05-01").await[1].2, "ispunjena");
    assert_eq!(case.lekar.post(&cancel, json!({ "razlog": "Kasno" })).await.status, 409);
    let log: Vec<Logged> = case.app.log("planned_visit").await;
    assert!(log.iter().any(|row| row.akcija == "izmena" && row.radnik_id == Some(case.lekar.id)), "{log:?}");
}

#[tokio::test]
async fn another_institution_sees_nothing_and_changes_nothing_until_it_knows_the_patient() {
    let case = Case::new().await;
    let app = &case.app;
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    let other = app.worker("drugi", &[], app.druga_ustanova).await;
    let page = format!("/api/patients/{patient}/visit-plan?registarID={}", case.register.id);
    other.get(&page).await.assert_status(404);
    let visit = case.visit_id(patient, "M3").await;
    let body = json!({ "registarID": case.register.id, "planID": case.plan, "verzija": 1, "unosID": 1, "razlog": "Nije naš" });
    for deed in ["link", "unlink", "cancel", "restore"] {
        let known = other.post(&format!("/api/planned-visits/{visit}/{deed}"), body.clone()).await;
        let none = other.post(&format!("/api/planned-visits/999999999/{deed}"), body.clone()).await;
        assert_eq!((known.status, known.text()), (404, none.text()), "{deed}");
    }
    assert_eq!(other.put(&format!("/api/patients/{patient}/visit-plan"), body).await.status, 404);
    for list in ["kasni", "otvorene", "danas"] {
        let path = format!("/api/planned-visits?vrsta={list}&dan=2025-04-30");
        assert_eq!(other.get(&path).await.assert_status(200).json()["ukupno"], 0, "{list}");
        // Nor by the name of a doctor of ours.
        assert_eq!(other.get(&format!("{path}&radnikID={}", case.lekar.id)).await.json()["ukupno"], 0, "{list}");
    }
    assert_eq!(other.get("/api/planned-visit-calendar?od=2025-04-01&do=2025-05-30").await.json()["data"], json!([]));
    // One entry of its own, and it knows her: the keeper goes on awaiting her, and what she did there counts.
    app.entry(&case.register, patient, app.druga_ustanova, "2025-04-30", json!({ "broj": 1 })).await;
    assert_eq!(case.page_of(&other, patient, "2025-05-01").await["posete"][1]["stanje"], "ispunjena");
    assert_eq!(other.get("/api/planned-visits?vrsta=otvorene&dan=2025-07-31").await.json()["ukupno"], 0);
    assert_eq!(case.lekar.get("/api/planned-visits?vrsta=otvorene&dan=2025-07-31").await.json()["ukupno"], 1);
}

#[tokio::test]
async fn the_second_hospital_sees_the_new_version_and_whoever_keeps_her_awaits_her() {
    let case = Case::new().await;
    let app = &case.app;
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    app.entry(&case.register, patient, app.druga_ustanova, "2025-04-30", json!({ "broj": 1 })).await;
    let other = app.worker("drugi", &[Right::Transfer], app.druga_ustanova).await;
    let read = |page: &serde_json::Value| -> Vec<(String, String)> {
        let text = |visit: &serde_json::Value, name: &str| visit[name].as_str().unwrap_or_default().to_owned();
        page["posete"].as_array().expect("visits").iter().map(|visit| (text(visit, "sifra"), text(visit, "stanje"))).collect()
    };
    let both = async |day: &str| {
        let (ours, theirs) = (read(&case.page(patient, day).await), read(&case.page_of(&other, patient, day).await));
        assert_eq!(ours, theirs, "{day}");
        theirs
    };
    let is = |sifra: &str, stanje: &str| (sifra.to_owned(), stanje.to_owned());
    assert_eq!(both("2025-07-31").await, [is("M0", "ispunjena"), is("M3", "ispunjena"), is("M6", "otvorena")]);

    // The register's plan changes: what the second hospital did stays done, and what is awaited is another visit for both.
    let stavke = json!([visit("M0", 0), visit("M3", 3), visit("M9", 9)]);
    let plans = case.admin.get(&format!("/api/registers/{}/visit-plans", case.register.id)).await.assert_status(200).json();
    let next = json!({ "stavke": stavke, "verzija": plans["data"][0]["verzija"] });
    case.admin.post(&format!("/api/visit-plans/{}/versions", case.plan), next).await.assert_status(201);
    case.run("select advance_visit_plans(100) where $1 > 0", patient).await;
    assert_eq!(both("2025-10-31").await, [is("M0", "ispunjena"), is("M3", "ispunjena"), is("M9", "otvorena")]);
    let awaited = async |worker: &crate::support::Worker| {
        worker.get("/api/planned-visits?vrsta=otvorene&dan=2025-10-31").await.assert_status(200).json()["ukupno"].clone()
    };
    assert_eq!((awaited(&case.lekar).await, awaited(&other).await), (json!(1), json!(0)));

    // An offer that waits, or was taken back, moves nobody; one that is accepted moves whoever is awaited to the new keeper's lists.
    let keeper = app.worker("nudi", &[Right::Transfer], app.ustanova).await;
    let offer = json!({ "pacijentID": patient, "ustanovaID": app.druga_ustanova, "razlog": "Preselila se u drugi grad" });
    let offered = keeper.post("/api/patient-transfers", offer.clone()).await.assert_status(200).json()["id"].clone();
    assert_eq!((awaited(&case.lekar).await, awaited(&other).await), (json!(1), json!(0)));
    keeper.post(&format!("/api/patient-transfers/{offered}/withdraw"), json!({})).await.assert_status(204);
    assert_eq!(other.get("/api/patient-transfers").await.json()["data"][0]["status"], "povucen");
    assert_eq!((awaited(&case.lekar).await, awaited(&other).await), (json!(1), json!(0)));
    let offered = keeper.post("/api/patient-transfers", offer).await.assert_status(200).json()["id"].clone();
    other.post(&format!("/api/patient-transfers/{offered}/accept"), json!({})).await.assert_status(204);
    assert_eq!((awaited(&case.lekar).await, awaited(&other).await), (json!(0), json!(1)));
    // The first hospital still reads the plan of the patient whose entries it holds.
    assert_eq!(both("2025-10-31").await.len(), 3);
}

#[tokio::test]
async fn who_only_reads_patients_changes_no_visit() {
    let case = Case::new().await;
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    let reader = case.app.worker("cita", &[], case.app.ustanova).await;
    case.run("update role set pacijenti = 'uvid' where ime = 'Uloga radnika cita' and $1 > 0", 1).await;
    assert_eq!(case.page_of(&reader, patient, "2025-04-30").await["izmena"], false);
    let visit = case.visit_id(patient, "M3").await;
    assert_eq!(reader.post(&format!("/api/planned-visits/{visit}/cancel"), json!({ "razlog": "Ne može" })).await.status, 403);
}

#[tokio::test]
async fn my_day_counts_what_its_lists_hold() {
    let case = Case::new().await;
    let patient = case.patient(1).await;
    let today: String = sqlx::query_scalar("select (today() - 95)::text").fetch_one(&case.app.db.owner).await.unwrap();
    case.entry(patient, &today).await;
    case.run("update entry set radnik_odgovoran_id = (select id from worker where username = 'lekar') where pacijent_id = $1", patient)
        .await;
    let day = case.lekar.get("/api/my-day").await.assert_status(200).json();
    for (of, doctor) in [("moje", format!("&radnikID={}", case.lekar.id)), ("ustanove", String::new())] {
        for (name, list) in [("danas", "danas"), ("otvorene", "otvorene"), ("kasni", "kasni")] {
            let listed = case.lekar.get(&format!("/api/planned-visits?vrsta={list}{doctor}")).await.json()["ukupno"].clone();
            assert_eq!(day[of][name], listed, "{of} {name}: {day}");
        }
    }
    assert_eq!(day["moje"]["otvorene"], 1, "{day}");
    let start = json!({ "pocetna": "mojDan", "nedeljniPregled": true, "javiUpite": false });
    assert_eq!(
        case.lekar.get("/api/worker-start").await.json(),
        json!({ "pocetna": "pacijenti", "nedeljniPregled": false, "javiUpite": true })
    );
    case.lekar.put("/api/worker-start", start.clone()).await.assert_status(204);
    assert_eq!(case.lekar.get("/api/worker-start").await.json(), start);
}

#[tokio::test]
async fn my_day_counts_likely_pairs_for_those_who_merge_patients() {
    let case = Case::new().await;
    let (one, other) = (case.patient(1).await, case.patient(2).await);
    let pair =
        "insert into patient_pair (prvi_id, drugi_id, razlog) select $1, p.id, 'ime' from patient p where p.id > $1 order by p.id limit 1";
    case.run(pair, one).await;
    let merging = case.app.worker("spaja", &[Right::Merging], case.app.ustanova).await;
    let elsewhere = case.app.worker("spaja drugde", &[Right::Merging], case.app.druga_ustanova).await;
    for (worker, count) in [(&merging, 1), (&elsewhere, 0), (&case.lekar, 0)] {
        assert_eq!(worker.get("/api/my-day").await.assert_status(200).json()["verovatniParovi"], count);
    }
    assert_eq!(merging.get("/api/patient-pairs").await.json()["total"], 1);
    let judged = json!({ "prviID": one, "drugiID": other, "nijeIsta": true });
    merging.post("/api/patient-pairs", judged).await.assert_status(204);
    assert_eq!(merging.get("/api/my-day").await.json()["verovatniParovi"], 0);
}
