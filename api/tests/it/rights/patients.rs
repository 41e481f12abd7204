//! What is about one patient, by what the caller's role opens and by whether her institution knows the patient.

use accounts::rights::Patients;
use serde_json::json;

use super::callers::callers;
use crate::support::TestApp;

/// What is about one patient: whoever's role opens patients as far as is asked, in an institution that knows the patient.
#[tokio::test]
#[ignore = "long: every call by a table of people"]
async fn patients_open_by_the_role_and_to_the_institution_that_knows_them() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let person = app.person(&register, app.ustanova, 1).await;
    let (own, other) = (callers(&app, app.ustanova, "kod").await, callers(&app, app.druga_ustanova, "drugde").await);
    let (id, entry, form, field, register) = (person.id, person.entry, register.form, register.field("broj"), register.id);
    let calls = [
        ("GET", format!("/api/patients/{id}"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/archive"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/views"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/entries?registarID={register}"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/latest-entries?registarID={register}"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/summary?registarID={register}"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/visits?registarID={register}"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/chart?sifre=broj&registarID={register}"), Patients::Uvid, false),
        ("GET", format!("/api/patients/{id}/trend?registarID={register}"), Patients::Uvid, false),
        ("GET", format!("/api/entry-display?haID={entry}"), Patients::Uvid, false),
        ("GET", format!("/api/entry-previous?haID={entry}&datumUnosa=2026-01-01"), Patients::Uvid, false),
        ("GET", format!("/api/entries/{entry}/view"), Patients::Uvid, false),
        ("GET", format!("/api/entries/{entry}/items"), Patients::Uvid, false),
        ("GET", format!("/api/entries/{entry}/newer-form"), Patients::Uvid, false),
        ("GET", format!("/api/entries/{entry}/archive?nizAutsID={field}"), Patients::Uvid, false),
        ("GET", format!("/api/entry-count?pacijentID={id}&thaID={form}"), Patients::Uvid, false),
        ("GET", format!("/api/entry-display?tsaID={form}&pacijentID={id}"), Patients::Izmena, false),
        ("PATCH", format!("/api/patients/{id}"), Patients::Izmena, false),
        ("GET", format!("/api/patients/{id}/deleted-entries"), Patients::Izmena, true),
    ];
    let mut wrong = Vec::new();
    for (method, path, needed, with_right) in &calls {
        for (caller, knows) in own.iter().map(|caller| (caller, true)).chain(other.iter().map(|caller| (caller, false))) {
            let expected = match () {
                () if caller.patients == Patients::Ne => 403,
                () if !knows => 404,
                () if caller.patients < *needed || *with_right && caller.right.is_none() => 403,
                () => 200,
            };
            let answer = caller.worker.call(method, path, (*method != "GET").then(|| json!({}))).await;
            if answer.status != expected {
                wrong.push(format!(
                    "{method} {path} by {:?} with {:?}, known {knows}: {} for {expected}",
                    caller.right, caller.patients, answer.status
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
