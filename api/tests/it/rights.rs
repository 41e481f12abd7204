//! Rights over the whole API: what a worker without any may call, and nothing else.

use serde_json::{Value, json};

use crate::support::TestApp;

/// What every signed-in worker may call, whatever rights are held. Adding a line opens a route to all workers.
const EVERYONE: &[(&str, &str)] = &[
    ("GET", "/api/application"),
    ("GET", "/api/application-rights"),
    ("GET", "/api/health"),
    ("GET", "/api/institutions"),
    ("GET", "/api/institutions/{id}"),
    // Opened by a ticket, which only a worker who may use reports is given.
    ("GET", "/api/izvestajiWebSocket"),
    ("GET", "/api/parameter/izvestaji"),
    ("GET", "/api/parameter/pacijent"),
    ("GET", "/api/parameter/registri"),
    ("GET", "/api/parameters/by-name/{naziv}"),
    ("GET", "/api/registers"),
    ("GET", "/api/registers/{id}"),
    ("GET", "/api/session"),
    ("GET", "/api/sponsors"),
    ("GET", "/api/sponsors/{id}"),
    ("GET", "/api/warning"),
    ("POST", "/api/login"),
    ("POST", "/api/logout"),
];

/// Open to a worker for the own record only: here they are called with another's.
const OWN_ONLY: &[(&str, &str)] = &[("GET", "/api/workers/{id}"), ("PATCH", "/api/workers/{id}"), ("POST", "/api/worker-password-change")];

/// Closed by what the worker's institution knows of the patient, not by rights: the tests of patients, entries and search
/// look at that.
const BY_PATIENT: &[&str] =
    &["/api/patients", "/api/search", "/api/registers/{id}/search-setup", "/api/entries", "/api/entry-", "/api/delete-entry"];

#[tokio::test]
async fn a_worker_without_rights_is_refused_everything_but_what_is_everyones() {
    let app = TestApp::new().await;
    let sestra = app.sestra().await;
    let other = app.lekar().await;
    let document: Value = serde_json::to_value(api::openapi()).expect("plain data");
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("operations").keys() {
            let method = method.to_uppercase();
            let operation = (method.as_str(), path.as_str());
            if EVERYONE.contains(&operation) || BY_PATIENT.iter().any(|prefix| path.starts_with(prefix)) {
                continue;
            }
            let target = path.split('/').map(|part| if part.starts_with('{') { other.id.to_string() } else { part.to_owned() });
            let target = target.collect::<Vec<_>>().join("/");
            let body = if OWN_ONLY.contains(&operation) { json!({ "radnikID": other.id }) } else { json!({}) };
            let answer = sestra.call(&method, &target, Some(body)).await;
            assert_eq!(answer.status, 403, "{method} {path}: {}", answer.text());
        }
    }
}
