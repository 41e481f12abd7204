//! Rights over the whole API: what a worker without any may call is in the table of `clinical_rights.rs`, and nothing else. A new
//! route is refused to that worker, or gets a row there.

use serde_json::json;

use crate::{clinical_rights, routes, support::TestApp};

/// Open to a worker for the own record only: here they are called with another's.
const OWN_ONLY: &[(&str, &str)] = &[("GET", "/api/workers/{id}"), ("PATCH", "/api/workers/{id}"), ("POST", "/api/worker-password-change")];

#[tokio::test]
async fn a_worker_without_rights_is_refused_everything_but_the_clinical_table() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    let other = app.lekar().await;
    let mut table = clinical_rights::routes();
    for (method, path) in routes::operations() {
        let operation = (method.as_str(), path.as_str());
        if table.remove(format!("{method} {path}").as_str()) && !OWN_ONLY.contains(&operation) {
            continue;
        }
        let target = path.split('/').map(|part| if part.starts_with('{') { other.id.to_string() } else { part.to_owned() });
        let target = target.collect::<Vec<_>>().join("/");
        let body = if OWN_ONLY.contains(&operation) { json!({ "radnikID": other.id }) } else { json!({}) };
        let answer = sestra.call(&method, &target, Some(body)).await;
        assert_eq!(answer.status, 403, "{method} {path} is open, and has no row in the clinical table: {}", answer.text());
    }
    assert!(table.is_empty(), "rows of no route: {table:?}");
}
