//! What reports read of states.

use std::time::Duration;

use domain::report_sql::{Binds, Scope, Value as Cell};
use serde_json::json;

use super::writing::Case;

async fn told(case: &Case) -> Vec<Cell> {
    let scope = Scope { run: None, radnik_id: case.app.db.clinician().await, ustanova_id: Some(case.app.ustanova) };
    let sql = "select stanje, case when potpisan then 'da' else 'ne' end as potpis from report.unos order by id";
    let found = case.app.state.report_db.small(scope, sql, &Binds::new(), Duration::from_secs(20), 10).await;
    found.unwrap_or_else(|error| panic!("{sql}: {error}")).rows.remove(0)
}

#[tokio::test]
async fn a_report_says_of_an_entry_the_state_that_its_page_says() {
    let case = Case::new().await;
    let row = |state: &str, signed: &str| vec![Cell::Text(state.to_owned()), Cell::Text(signed.to_owned())];
    assert_eq!(told(&case).await, row("uRadu", "ne"));
    case.deed("finish", json!({}), 204).await;
    assert_eq!(told(&case).await, row("zavrsen", "ne"));
    case.sign().await;
    assert_eq!(told(&case).await, row("potpisan", "da"));
    case.lock_period("2024-03-31").await;
    assert_eq!(told(&case).await, row("zakljucan", "da"));
    assert_eq!(case.state().await["stanje"], "zakljucan");
}
