//! What keeps a patient's visits: entries that are them, days that move, a death, versions of the plan.

use accounts::rights::Right;
use serde_json::json;

use super::{Case, told, visit};

#[tokio::test]
async fn the_first_entry_gives_the_plan_and_each_later_one_is_the_nearest_open_visit() {
    let case = Case::new().await;
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    let begun = [("M0", "2025-01-31", "ispunjena"), ("M3", "2025-04-30", "buduca"), ("M6", "2025-07-31", "buduca")];
    assert_eq!(case.states(patient, "2025-02-01").await, told(&begun));
    // Between windows: beside the plan.
    case.entry(patient, "2025-03-20").await;
    assert_eq!(case.states(patient, "2025-04-16").await, told(&[begun[0], ("M3", "2025-04-30", "otvorena"), begun[2]]));
    assert_eq!(case.states(patient, "2025-05-15").await[1].2, "kasni");
    assert_eq!(case.states(patient, "2025-06-13").await[1].2, "kasni");
    assert_eq!(case.states(patient, "2025-06-14").await[1].2, "propustena");
    // Later than the window, and still waited for.
    let late = case.entry(patient, "2025-06-13").await;
    assert_eq!(case.states(patient, "2025-06-14").await[1].2, "vanProzora");
    // The entry's day is corrected: it is the visit in its window, or none.
    case.run("update entry set datum_unosa = '2025-04-16' where pacijent_id = $1 and datum_unosa = '2025-06-13'", patient).await;
    assert_eq!(case.states(patient, "2025-06-14").await[1].2, "ispunjena");
    case.run("update entry set datum_unosa = '2025-06-20' where pacijent_id = $1 and datum_unosa = '2025-04-16'", patient).await;
    assert_eq!(case.states(patient, "2025-06-14").await[1].2, "propustena");
    let page = case.page(patient, "2025-06-14").await;
    assert!(page["posete"].as_array().unwrap().iter().all(|visit| visit["unosID"] != json!(late)), "{page}");
}

#[tokio::test]
async fn forms_of_one_day_are_one_visit() {
    let case = Case::new().await;
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    case.entry(patient, "2025-04-30").await;
    case.entry(patient, "2025-04-30").await;
    let done: i64 =
        sqlx::query_scalar("select count(*) from planned_visit where unos_id is not null").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(done, 2);
}

#[tokio::test]
async fn a_visit_that_is_counted_from_the_one_before_it_follows_when_that_was() {
    let after = |sifra: &str, months: i32| {
        let mut visit = visit(sifra, months);
        visit["sidro"] = json!("prethodna");
        visit
    };
    let case = Case::with(json!([visit("M0", 0), after("K1", 3), after("K2", 6)])).await;
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    assert_eq!(
        case.states(patient, "2025-02-01").await,
        told(&[("M0", "2025-01-31", "ispunjena"), ("K1", "2025-04-30", "buduca"), ("K2", "2025-10-30", "buduca")])
    );
    case.entry(patient, "2025-05-10").await;
    assert_eq!(
        case.states(patient, "2025-05-11").await,
        told(&[("M0", "2025-01-31", "ispunjena"), ("K1", "2025-04-30", "ispunjena"), ("K2", "2025-11-10", "buduca")])
    );
    let page = case.page(patient, "2025-05-11").await;
    assert_eq!(page["posete"][2]["pomeranja"][0]["cilj"], "2025-10-30");
}

#[tokio::test]
async fn a_moved_inclusion_redates_what_is_open_and_tells_what_it_was() {
    let case = Case::new().await;
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    case.entry(patient, "2025-04-30").await;
    let page = case.page(patient, "2025-05-01").await;
    let path = format!("/api/patients/{patient}/visit-plan");
    let moved =
        json!({ "registarID": case.register.id, "planID": case.plan, "ukljucenje": "2025-02-28", "verzija": page["plan"]["verzija"] });
    case.lekar.put(&path, moved.clone()).await.assert_status(204);
    assert_eq!(
        case.states(patient, "2025-05-01").await,
        told(&[("M0", "2025-01-31", "ispunjena"), ("M3", "2025-04-30", "ispunjena"), ("M6", "2025-08-28", "buduca")])
    );
    assert_eq!(case.page(patient, "2025-05-01").await["posete"][2]["pomeranja"][0]["cilj"], "2025-07-31");
    // Somebody else has moved it meanwhile.
    assert_eq!(case.lekar.put(&path, moved).await.status, 409);
    let page = case.page(patient, "2025-05-01").await;
    assert_eq!(page["plan"]["ukljucenjeRucno"], true);
    let back = json!({ "registarID": case.register.id, "planID": case.plan, "verzija": page["plan"]["verzija"] });
    case.lekar.put(&path, back).await.assert_status(204);
    assert_eq!(case.states(patient, "2025-05-01").await[2].1, "2025-07-31");
}

#[tokio::test]
async fn who_died_or_was_lost_has_no_open_visits_and_who_came_back_has() {
    let case = Case::new().await;
    for (number, registar, status) in
        [(1, "null::bigint", "preminuo"), (2, "registar_id", "izgubljen"), (3, "registar_id", "povukaoSaglasnost")]
    {
        let patient = case.patient(number).await;
        case.entry(patient, "2025-01-31").await;
        let mut tx = domain::db::begin(&case.app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        let row = format!(
            "insert into patient_status (pacijent_id, registar_id, status, dan, izvor, ustanova_id)
             select pacijent_id, {registar}, '{status}', '2025-07-20', 'ustanova', ustanova_id from patient_plan where pacijent_id = $1"
        );
        sqlx::query(sqlx::AssertSqlSafe(row)).bind(patient).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        // What was missed before stays missed; what would be awaited is not.
        assert_eq!(
            case.states(patient, "2025-07-25").await,
            told(&[("M0", "2025-01-31", "ispunjena"), ("M3", "2025-04-30", "propustena"), ("M6", "2025-07-31", "otkazana")]),
            "{status}"
        );
        for list in ["kasni", "otvorene"] {
            let awaited = case.lekar.get(&format!("/api/planned-visits?vrsta={list}&dan=2025-07-25")).await.assert_status(200).json();
            assert_eq!(awaited["data"], json!([]), "{status}");
        }
    }
    let deleted = case.patient(9).await;
    case.entry(deleted, "2025-01-31").await;
    let awaited = async || case.lekar.get("/api/planned-visits?vrsta=otvorene&dan=2025-04-30").await.json()["ukupno"].clone();
    assert_eq!(awaited().await, 1);
    case.run("update patient set aktivan = false where id = $1", deleted).await;
    assert_eq!(awaited().await, 0);
    case.run("update patient set aktivan = true where id = $1", deleted).await;
    assert_eq!(awaited().await, 1);
}

#[tokio::test]
async fn a_published_version_reaches_patients_and_leaves_what_is_done() {
    let case = Case::new().await;
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    let plans = case.admin.get(&format!("/api/registers/{}/visit-plans", case.register.id)).await.assert_status(200).json();
    let path = format!("/api/visit-plans/{}/versions", case.plan);
    let next = json!({ "stavke": [visit("M0", 0), visit("M4", 4), visit("M6", 6)], "verzija": plans["data"][0]["verzija"] });
    assert_eq!(case.admin.post(&path, next).await.assert_status(201).json()["broj"], 2);
    // Nothing until the scheduler has come by.
    assert_eq!(case.states(patient, "2025-02-01").await[1].0, "M3");
    let advanced: i32 = {
        let mut tx = domain::db::begin(&case.app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        let done = sqlx::query_scalar("select advance_visit_plans(100)").fetch_one(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        done
    };
    assert!(advanced > 0);
    assert_eq!(
        case.states(patient, "2025-02-01").await,
        told(&[("M0", "2025-01-31", "ispunjena"), ("M4", "2025-05-31", "buduca"), ("M6", "2025-07-31", "buduca")])
    );
}

#[tokio::test]
async fn patients_who_were_there_before_get_the_plan_and_their_entries_are_visits() {
    let case = Case::new().await;
    let register = &case.register;
    case.run("update visit_plan set podrazumevani = false where registar_id > $1", 0).await;
    let patient = case.patient(1).await;
    case.entry(patient, "2025-01-31").await;
    case.entry(patient, "2025-05-01").await;
    assert_eq!(case.page(patient, "2025-05-02").await["plan"], json!(null));
    let plans = case.admin.get(&format!("/api/registers/{}/visit-plans", register.id)).await.json();
    let chosen = json!({ "naziv": "Praćenje", "podrazumevani": true, "verzija": plans["data"][0]["verzija"] });
    case.admin.put(&format!("/api/visit-plans/{}", case.plan), chosen).await.assert_status(204);
    case.run("select advance_visit_plans(100) where $1 >= 0", 0).await;
    assert_eq!(
        case.states(patient, "2025-05-02").await,
        told(&[("M0", "2025-01-31", "ispunjena"), ("M3", "2025-04-30", "ispunjena"), ("M6", "2025-07-31", "buduca")])
    );
}

#[tokio::test]
async fn a_condition_decides_by_the_last_entry_of_its_form() {
    let case = Case::new().await;
    let plans = case.admin.get(&format!("/api/registers/{}/visit-plans", case.register.id)).await.json();
    let mut asked = visit("VISOK", 1);
    asked["uslov"] = json!("$(broj) > 50");
    asked["uslovFormID"] = json!(case.register.form);
    let path = format!("/api/visit-plans/{}/versions", case.plan);
    let next = json!({ "stavke": [visit("M0", 0), asked], "verzija": plans["data"][0]["verzija"] });
    case.admin.post(&path, next).await.assert_status(201);
    let patient = case.patient(1).await;
    let settle = async || {
        let mut tx = domain::db::begin(&case.app.db.app, domain::db::SYSTEM_WORKER).await.unwrap();
        domain::entry::plan_condition::settle(&mut tx, 10).await.unwrap();
        tx.commit().await.unwrap();
    };
    case.app.entry(&case.register, patient, case.app.ustanova, "2025-01-31", json!({ "broj": 60 })).await;
    settle().await;
    assert_eq!(case.states(patient, "2025-02-01").await.len(), 2);
    case.app.entry(&case.register, patient, case.app.ustanova, "2025-02-05", json!({ "broj": 40 })).await;
    settle().await;
    assert_eq!(case.states(patient, "2025-02-06").await.len(), 1);
}

#[tokio::test]
async fn a_condition_knows_the_entry_before_and_its_fields_stay() {
    let case = Case::new().await;
    let plans = case.admin.get(&format!("/api/registers/{}/visit-plans", case.register.id)).await.json();
    let mut asked = visit("RASTE", 1);
    asked["uslov"] = json!("$(broj) > prethodno($(broj))");
    asked["uslovFormID"] = json!(case.register.form);
    let path = format!("/api/visit-plans/{}/versions", case.plan);
    let next = json!({ "stavke": [visit("M0", 0), asked], "verzija": plans["data"][0]["verzija"] });
    case.admin.post(&path, next).await.assert_status(201);
    // The field that the condition names neither goes nor gets another code.
    let designer = case.app.worker("urednik", &[Right::Registers], case.app.ustanova).await;
    case.app.lay_out(&["update form_field set formula_za_racunanje_ast = null where sifra = 'zbir'"]).await;
    let field = format!("/api/form-fields/{}", case.register.fields["broj"]);
    let mut renamed = designer.get(&field).await.json();
    renamed["sifra"] = json!("broj2");
    for refused in [designer.put(&field, renamed).await.refusal(409), designer.delete(&field).await.refusal(409)] {
        assert!(refused["message"].as_str().unwrap().contains("Uslov posete „Kontrola RASTE”"), "{refused}");
    }

    let patient = case.patient(1).await;
    for (day, number, visits) in [("2025-01-31", 40, 1), ("2025-02-05", 60, 2), ("2025-02-10", 50, 1)] {
        case.app.entry(&case.register, patient, case.app.ustanova, day, json!({ "broj": number })).await;
        let mut tx = domain::db::begin(&case.app.db.app, domain::db::SYSTEM_WORKER).await.unwrap();
        domain::entry::plan_condition::settle(&mut tx, 10).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(case.states(patient, day).await.len(), visits, "{day}");
    }
}

#[tokio::test]
async fn a_merge_brings_the_plan_with_the_entries_and_its_undoing_gives_both_theirs() {
    let case = Case::new().await;
    let (left, gone) = (case.patient(1).await, case.patient(2).await);
    case.entry(gone, "2025-01-31").await;
    case.entry(gone, "2025-04-30").await;
    let worker = case.app.worker("spaja", &[Right::Merging], case.app.ustanova).await;
    let merged = async || {
        let body = json!({ "pobednikID": left, "gubitnikID": gone, "odGubitnika": [], "razlog": "Ista osoba, upisana dva puta",
                           "potvrde": ["jmbgNeslaganje"] });
        worker.post("/api/patient-merges", body).await.assert_status(201).json()["spajanjeID"].as_i64().expect("a merge")
    };
    let undo = async |merge: i64| {
        worker.post(&format!("/api/patient-merges/{merge}/unmerge"), json!({})).await.assert_status(204);
    };
    let as_one = told(&[("M0", "2025-01-31", "ispunjena"), ("M3", "2025-04-30", "ispunjena"), ("M6", "2025-07-31", "buduca")]);
    // The one who is left had none: the plan goes over, and comes back.
    let merge = merged().await;
    assert_eq!(case.states(left, "2025-05-01").await, as_one);
    undo(merge).await;
    assert_eq!(case.states(gone, "2025-05-01").await, as_one);
    assert_eq!(case.page(left, "2025-05-01").await["plan"], json!(null));
    // Both have one: hers takes the entries of both, counted from the earlier one.
    case.entry(left, "2025-07-30").await;
    let alone = told(&[("M0", "2025-07-30", "ispunjena"), ("M3", "2025-10-30", "buduca"), ("M6", "2026-01-30", "buduca")]);
    assert_eq!(case.states(left, "2025-08-01").await, alone);
    let merge = merged().await;
    let states = case.states(left, "2025-08-01").await;
    assert!(states.iter().all(|(_, _, state)| state != "kasni" && state != "propustena"), "{states:?}");
    let counted: i64 = sqlx::query_scalar("select count(*) from planned_visit v join patient_plan p on p.id = v.patient_plan_id where p.pacijent_id = $1 and v.unos_id is not null")
        .bind(gone)
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    assert_eq!(counted, 0);
    undo(merge).await;
    assert_eq!(case.states(left, "2025-08-01").await, alone);
    assert_eq!(case.states(gone, "2025-05-01").await, as_one);
}
