//! What reports read of planned visits.

use std::time::Duration;

use domain::report_sql::{Binds, Scope, Value as Cell};

use super::Case;

async fn rows(case: &Case, ustanova_id: Option<i64>, sql: &str) -> Vec<Vec<Cell>> {
    let radnik_id = case.app.db.clinician().await;
    let scope = Scope { run: None, radnik_id, ustanova_id };
    let found = case.app.state.report_db.small(scope, sql, &Binds::new(), Duration::from_secs(20), 1_000).await;
    found.unwrap_or_else(|error| panic!("{sql}: {error}")).rows
}

#[tokio::test]
async fn a_report_says_of_a_visit_what_the_page_says() {
    let case = Case::new().await;
    let patient = case.patient(1).await;
    // Inclusion such that the second visit is late today.
    let included: String = sqlx::query_scalar("select (today() - 95 - 20)::text").fetch_one(&case.app.db.owner).await.unwrap();
    let today: String = sqlx::query_scalar("select today()::text").fetch_one(&case.app.db.owner).await.unwrap();
    case.entry(patient, &included).await;
    let page = case.states(patient, &today).await;
    let told = rows(&case, Some(case.app.ustanova), "select sifra, stanje from report.poseta order by cilj").await;
    let text = |cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        other => panic!("{other:?} is no text"),
    };
    let told: Vec<(String, String)> = told.iter().map(|row| (text(&row[0]), text(&row[1]))).collect();
    assert_eq!(told, page.iter().map(|(sifra, _, stanje)| (sifra.clone(), stanje.clone())).collect::<Vec<_>>());
    assert_eq!(page[1].2, "kasni", "{page:?}");
    // Another institution has none of it.
    assert!(rows(&case, Some(case.app.druga_ustanova), "select id from report.poseta").await.is_empty());
}

/// One patient of another institution is no row of what is counted over all of them.
#[tokio::test]
async fn few_patients_of_others_are_not_told_by_their_visits() {
    let case = Case::new().await;
    let theirs = case.app.patient(&case.register, "Mara", "Marić", case.app.druga_ustanova, 5).await;
    case.app.entry(&case.register, theirs, case.app.druga_ustanova, "2025-01-31", serde_json::json!({ "broj": 1 })).await;
    for number in 10..17 {
        let patient = case.patient(number).await;
        case.entry(patient, "2025-01-31").await;
    }
    let by_institution = "select v.ustanova_id, count(*), array_agg(distinct v.pacijent_id) as grupa_pacijenata
                            from report.poseta v where v.stanje = 'propustena' group by v.ustanova_id";
    let told = rows(&case, None, by_institution).await;
    assert!(told.iter().all(|row| row[0] != Cell::Int(case.app.druga_ustanova)), "{told:?}");
}
