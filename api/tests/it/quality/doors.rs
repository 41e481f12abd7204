//! A finding and a question at every door of the institution that holds the entry, and at none of another: the patient's page, the entry, its
//! history, lists, figures and what reports read; through a merge and its undoing, until an erasure.

use std::time::Duration;

use domain::{
    process::{HeartbeatReport, Kind, Process},
    report_sql::{Binds, Scope, Value as Cell},
};
use uuid::Uuid;

use super::*;

const DOORS: [&str; 10] = [
    "page: findings",
    "page: questions",
    "entry: findings",
    "entry: questions",
    "history: findings",
    "list: findings",
    "list: questions",
    "figures: findings",
    "report: findings",
    "report: questions",
];

/// How many findings and questions each door tells a worker of the patient.
async fn told(case: &Case, worker: &Worker, ustanova: i64, patient: i64, entry: i64) -> Vec<i64> {
    let register = case.register.id;
    let get = async |path: String| worker.get(&path).await.assert_status(200).json();
    let many = |list: &Value| list.as_array().unwrap().len() as i64;
    let tree = get(format!("/api/patients/{patient}/entries?registarID={register}")).await;
    let of_page = |what: &str| {
        let forms = tree["data"].as_array().unwrap().iter();
        forms.flat_map(|form| form["unosi"].as_array().unwrap()).map(|entry| entry[what].as_i64().unwrap()).sum::<i64>()
    };
    let figures = get(format!("/api/data-quality?registarID={register}")).await;
    let report = async |view: &str| {
        let scope = Scope { run: None, radnik_id: worker.id, ustanova_id: Some(ustanova) };
        let sql = format!("select count(*) from report.{view} v where v.pacijent_id = {patient}");
        let rows = case.app.state.report_db.small(scope, &sql, &Binds::new(), Duration::from_secs(20), 10).await.unwrap().rows;
        let Cell::Int(count) = rows[0][0] else { panic!("{rows:?}") };
        count
    };
    vec![
        of_page("nalaza"),
        of_page("upita"),
        many(&get(format!("/api/entries/{entry}/findings")).await["nalazi"]),
        many(&get(format!("/api/entries/{entry}/questions")).await["upiti"]),
        many(&get(format!("/api/entries/{entry}/finding-history")).await["data"]),
        many(&get(format!("/api/findings?pacijentID={patient}")).await["data"]),
        many(&get(format!("/api/questions?spisak=ustanova&pacijentID={patient}")).await["data"]),
        figures["ukupno"]["nalaza"].as_i64().unwrap(),
        report("nalaz").await,
        report("upit").await,
    ]
}

#[tokio::test]
async fn every_door_of_the_institution_tells_of_both_and_no_door_of_another() {
    let case = Case::new().await;
    case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50 })).await;
    let entry = case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
    let finding = case.findings(entry).await[0]["id"].clone();
    let asked = json!({ "poljeID": case.register.fields["broj"], "tekst": "Da li je 60 tačno?", "nalazID": finding });
    case.doctor.post(&format!("/api/entries/{entry}/questions"), asked).await.assert_status(201);
    // Another institution knows her, by an entry of its own.
    let stranger = case.app.worker("stranac", &[Right::Questions], case.app.druga_ustanova).await;
    case.app.entry(&case.register, case.patient, case.app.druga_ustanova, "2025-03-01", json!({ "broj": 7 })).await;
    case.settle_due().await;
    let (ours, theirs) = (case.app.ustanova, case.app.druga_ustanova);
    let expect = async |worker: &Worker, ustanova: i64, patient: i64, wanted: i64, when: &str| {
        let found = told(&case, worker, ustanova, patient, entry).await;
        assert_eq!(found.len(), DOORS.len());
        for (door, count) in DOORS.iter().zip(found) {
            assert_eq!(count, wanted, "{door}, {when}");
        }
    };
    expect(&case.doctor, ours, case.patient, 1, "of the institution that holds the entry").await;
    expect(&stranger, theirs, case.patient, 0, "of another").await;

    let keeper = case.app.worker("cuvar", &[Right::Merging], ours).await;
    let other = case.app.patient(&case.register, "Ana", "Anić", ours, 2).await;
    let merge = json!({ "pobednikID": other, "gubitnikID": case.patient, "odGubitnika": [], "razlog": "Ista osoba, dva kartona" });
    let merged = keeper.post("/api/patient-merges", merge).await.assert_status(201).json()["spajanjeID"].clone();
    case.settle_due().await;
    expect(&case.doctor, ours, other, 1, "merged").await;
    expect(&stranger, theirs, other, 0, "merged, of another").await;
    keeper.post(&format!("/api/patient-merges/{merged}/unmerge"), json!({})).await.assert_status(204);
    case.settle_due().await;
    expect(&case.doctor, ours, case.patient, 1, "two again").await;

    // Nobody knows any more who it is: what people typed is gone, and nothing is found any more.
    case.doctor.post(&format!("/api/findings/{finding}/confirm"), json!({ "napomena": "Ana Anić potvrdila" })).await.assert_status(204);
    Process::new(Kind::ReportEngine, Uuid::now_v7()).heartbeat(&case.app.db.app, &HeartbeatReport::default()).await.unwrap();
    case.app.lay_out(&["update patient set broj_kartona = 'K-17'"]).await;
    let request = json!({ "razlog": "Zahtev po zakonu, broj 17", "potvrda": "K-17" });
    // Another institution knows her: only whoever is over all of them may.
    case.app.admin().await.post(&format!("/api/patients/{}/anonymisation", case.patient), request).await.assert_status(204);
    case.settle_due().await;
    let left: (i64, i64, i64) = sqlx::query_as(
        "select (select count(*) from quality_finding where kraj is null and pacijent_id = $1), (select count(*) from quality_finding where napomena like '%Anić%'),
                (select count(*) from question_message where tekst like '%60%')",
    )
    .bind(case.patient)
    .fetch_one(&case.app.db.owner)
    .await
    .unwrap();
    assert_eq!(left, (0, 0, 0));
}

#[tokio::test]
async fn a_question_comes_of_a_rule_where_it_is_of_what_that_finds_still() {
    let case = Case::new().await;
    case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50 })).await;
    let entry = case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
    let finding = case.findings(entry).await[0]["id"].clone();
    let path = format!("/api/entries/{entry}/questions");
    let of = |field: Option<i64>, finding: &Value| json!({ "poljeID": field, "tekst": "Da li je 60 tačno?", "nalazID": finding });
    let field = Some(case.register.fields["broj"]);
    case.doctor.post(&path, of(field, &finding)).await.assert_status(201);
    case.doctor.post(&path, of(field, &Value::Null)).await.assert_status(201);
    let asked = case.doctor.get(&path).await.json();
    assert_eq!((&asked["upiti"][0]["poreklo"], &asked["upiti"][1]["poreklo"]), (&json!("pravilo"), &json!("kolega")));
    // Not of another field, of no other entry's finding, and of none that has ended.
    let other = case.saved(None, "2025-03-01", json!({ "broj": 10 })).await;
    case.doctor.post(&path, of(None, &finding)).await.assert_status(409);
    case.doctor.post(&format!("/api/entries/{other}/questions"), of(field, &finding)).await.assert_status(409);
    case.saved(Some(entry), "2025-02-01", json!({ "broj": 40 })).await;
    case.doctor.post(&path, of(field, &finding)).await.assert_status(409);
}

#[tokio::test]
async fn the_history_of_an_entry_tells_what_was_found_and_how_it_ended() {
    let case = Case::new().await;
    case.rule_of_number(json!({ "vrsta": "granice", "gornjaGranica": 50, "naziv": "Previše" })).await;
    let entry = case.saved(None, "2025-02-01", json!({ "broj": 60 })).await;
    case.saved(Some(entry), "2025-02-01", json!({ "broj": 40 })).await;
    case.saved(Some(entry), "2025-02-01", json!({ "broj": 70 })).await;
    case.app.lay_out(&["update entry set aktivan = false"]).await;
    let path = format!("/api/entries/{entry}/finding-history");
    let told = case.doctor.get(&path).await.assert_status(200).json();
    let ends: Vec<(&Value, &Value)> = told["data"].as_array().unwrap().iter().map(|one| (&one["pravilo"], &one["razlogKraja"])).collect();
    assert_eq!(ends, [(&json!("Previše"), &json!("unos")), (&json!("Previše"), &json!("vrednost"))], "a deleted entry's stays readable");
    let stranger = case.app.worker("stranac", &[Right::Questions], case.app.druga_ustanova).await;
    stranger.get(&path).await.assert_status(404);
}

#[tokio::test]
async fn each_number_of_entries_has_its_list() {
    let case = Case::new().await;
    for (day, values) in
        [("2025-02-01", json!({ "broj": 60 })), ("2025-02-20", json!({ "broj": 5, "tekst": "a" })), ("2025-03-01", json!({ "broj": 6 }))]
    {
        case.saved(None, day, values).await;
    }
    case.app
        .lay_out(&[
            "update entry set datum_kreiranja = datum_unosa + interval '3 days' where extract(month from datum_unosa) = 2",
            "update entry set popunjeni_relevantni = datum_unosa = '2025-02-01'",
        ])
        .await;
    case.app.entry(&case.register, case.patient, case.app.druga_ustanova, "2025-02-02", json!({ "broj": 7 })).await;
    let register = case.register.id;
    let listed = async |query: &str| {
        let page = case.doctor.get(&format!("/api/data-quality/entries?registarID={register}{query}")).await.assert_status(200).json();
        page["data"].as_array().unwrap().len() as i64
    };
    let count = async |of: &str, query: &str| {
        case.doctor.get(&format!("/api/data-quality?registarID={register}{query}")).await.assert_status(200).json()["ukupno"][of]
            .as_i64()
            .unwrap()
    };
    for period in ["", "&od=2025-02-01&do=2025-02-28", "&od=2025-03-01"] {
        assert_eq!(listed(period).await, count("unosa", period).await, "{period}");
        for (of, choice) in [("potpunih", "potpun"), ("uSedamDana", "uSedamDana")] {
            let (yes, no) = (listed(&format!("{period}&{choice}=true")).await, listed(&format!("{period}&{choice}=false")).await);
            assert_eq!((yes, yes + no), (count(of, period).await, count("unosa", period).await), "{of} {period}");
        }
    }
    assert_eq!(listed("").await, 3, "none of another institution");
    let (form, text) = (case.register.form, case.register.fields["tekst"]);
    assert_eq!((listed(&format!("&tsaID={form}&praznoPoljeID={text}")).await, listed("&radnikID=1").await), (2, 0));
}
