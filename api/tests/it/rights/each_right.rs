//! Who is let through to each operation: nobody without rights beyond the clinical table, and each right alone as far as its row says.

use std::collections::BTreeMap;

use futures::future::join_all;
use serde_json::json;

use super::{
    callers::callers,
    table::{ASK_MORE, OF_OTHERS, rows},
};
use crate::{clinical_rights, routes, support::TestApp};

const NOTHING: i64 = 987_654_321;

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

#[test]
fn every_operation_has_one_row_and_every_row_an_operation() {
    let mut rows_of: BTreeMap<String, i32> = BTreeMap::new();
    for row in rows() {
        *rows_of.entry(row.operation()).or_default() += 1;
    }
    let operations: Vec<String> = routes::operations().into_iter().map(|(method, path)| format!("{method} {path}")).collect();
    let without: Vec<&String> = operations.iter().filter(|operation| rows_of.get(*operation) != Some(&1)).collect();
    assert!(without.is_empty(), "without a row of its own: {without:#?}");
    rows_of.retain(|row, _| !operations.contains(row));
    assert!(rows_of.is_empty(), "rows of no operation: {rows_of:?}");
}

/// Every operation, about what does not exist and with nothing in its body: who is refused is answered 403, everybody else not.
#[tokio::test]
#[ignore = "long: every call by every right"]
async fn each_right_alone_opens_what_the_table_says() {
    let app = TestApp::new().await;
    let engine = "insert into process (id, kind, version, seen_at) values ('engine', 'report-engine', '2.2.0', now() + interval '1 hour')";
    app.lay_out(&[engine]).await;
    let callers = callers(&app, app.ustanova, "sam").await;
    let mut wrong = Vec::new();
    for row in rows() {
        let (path, operation) = (row.path, row.operation());
        let number = if path.contains("-runs/")
            || path.contains("prints/")
            || path.contains("trials/")
            || path.contains("exports/")
            || path.contains("operations/")
        {
            "00000000-0000-7000-8000-000000000000".to_owned()
        } else {
            NOTHING.to_string()
        };
        let target = path.split('/').map(|part| if part.starts_with('{') { number.clone() } else { part.to_owned() });
        let target = target.collect::<Vec<_>>().join("/");
        let body = match OF_OTHERS.contains(&operation.as_str()) {
            true => json!({ "radnikID": NOTHING, "isAdmin": true }),
            false => json!({}),
        };
        let calls = callers.iter().map(|caller| caller.worker.call(row.method, &target, Some(body.clone())));
        for (caller, answer) in callers.iter().zip(join_all(calls).await) {
            let admitted = row.rule.admits(caller);
            let fits = match answer.status {
                403 => !admitted || ASK_MORE.contains(&operation.as_str()),
                500.. => false,
                _ => admitted,
            };
            if !fits {
                wrong.push(format!("{operation} by {:?} with {:?}: {} {}", caller.right, caller.patients, answer.status, answer.text()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
