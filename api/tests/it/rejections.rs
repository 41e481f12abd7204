//! Whatever call it is: what does not fit is refused by the name of its field or parameter, and nothing that was sent is told.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::support::{Answer, TestApp, Worker};

/// A value that fits nothing, and must not come back.
const SECRET: &str = "Tajnović";

/// What says that something is wrong, and not what.
const NAMELESS: [&str; 2] = ["Poslati podaci nisu ispravni.", "Parametri poziva nisu ispravni."];

/// The described operations with a method, their path with a number or a UUID for what it names, and their description.
fn operations(document: &Value) -> Vec<(String, String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let each = paths.iter().flat_map(|(path, item)| {
        item.as_object()
            .expect("operations")
            .iter()
            .map(move |(method, described)| (method.to_uppercase(), path_of(path, described), described))
    });
    // Signing in counts its failures, and the socket is no call.
    each.filter(|(_, path, _)| path != "/api/login" && path != "/api/izvestajiWebSocket").collect()
}

fn is_of(schema: &Value, kind: &str) -> bool {
    schema["type"] == kind || schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(|one| one == kind))
}

/// Whether any text is taken.
fn is_text(schema: &Value) -> bool {
    is_of(schema, "string") && schema["format"] != "date"
}

fn path_of(path: &str, described: &Value) -> String {
    let parameters = || described["parameters"].as_array().into_iter().flatten();
    let is_uuid = |name: &str| parameters().any(|one| one["name"] == name && one["schema"]["format"] == "uuid");
    let part = |part: &str| match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
        Some(name) if is_uuid(name) => Uuid::nil().to_string(),
        Some(_) => "1".to_owned(),
        None => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Properties of a body, those of the structures in it too.
fn properties(document: &Value, schema: &Value) -> Map<String, Value> {
    if let Some(reference) = schema["$ref"].as_str() {
        return properties(document, document.pointer(&reference[1..]).expect("resolves"));
    }
    let mut found = schema["properties"].as_object().cloned().unwrap_or_default();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        found.extend(properties(document, part));
    }
    found
}

/// The field that a refusal names, of one that tells nothing of what was sent.
fn named(answer: &Answer, call: &str) -> Option<String> {
    assert!(!answer.text().contains(SECRET), "{call}: {}", answer.text());
    assert_ne!(answer.status, 500, "{call}: {}", answer.text());
    if answer.status != 422 {
        return None;
    }
    let told = answer.refusal(422);
    assert!(!NAMELESS.contains(&told["message"].as_str().unwrap_or_default()), "{call}: {told}");
    told["field"].as_str().map(str::to_owned)
}

async fn query(admin: &Worker, method: &str, path: &str, described: &Value) -> usize {
    let parameters: Vec<&Value> = described["parameters"].as_array().into_iter().flatten().filter(|one| one["in"] == "query").collect();
    let mut found = 0;
    for wrong in parameters.iter().filter(|one| !is_text(&one["schema"])) {
        let others = parameters.iter().filter(|one| one["required"] == true && one["name"] != wrong["name"]);
        let others: String = others
            .map(|one| format!("&{}={}", one["name"].as_str().unwrap(), if one["schema"]["format"] == "date" { "2026-01-01" } else { "1" }))
            .collect();
        let name = wrong["name"].as_str().unwrap();
        let call = format!("{method} {path}?{name}={}{others}", "Tajnovi%C4%87");
        let body = described["requestBody"].is_object().then(|| json!({}));
        let answer = admin.call(method, call.split_once(' ').unwrap().1, body).await;
        assert_eq!(named(&answer, &call).as_deref(), Some(name), "{call}: {} {}", answer.status, answer.text());
        found += 1;
    }
    found
}

async fn body(admin: &Worker, document: &Value, method: &str, path: &str, described: &Value) -> usize {
    let mut found = 0;
    let schema = &described["requestBody"]["content"]["application/json"]["schema"];
    for (name, property) in properties(document, schema) {
        let wrong = if is_of(&property, "string") { json!({ SECRET: true }) } else { json!(SECRET) };
        let call = format!("{method} {path} {name}");
        let answer = admin.call(method, path, Some(json!({ name.as_str(): wrong }))).await;
        found += usize::from(named(&answer, &call).is_some());
    }
    found
}

#[tokio::test]
async fn every_call_names_the_parameter_or_field_that_does_not_fit_and_quotes_nothing() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let document: Value = serde_json::to_value(api::openapi()).expect("plain data");
    let (mut parameters, mut fields) = (0, 0);
    for (method, path, described) in operations(&document) {
        parameters += query(&admin, &method, &path, described).await;
        fields += body(&admin, &document, &method, &path, described).await;
    }
    assert!(parameters > 100 && fields > 300, "{parameters} parameters and {fields} fields were looked at");
}

#[tokio::test]
async fn a_call_without_what_it_needs_is_told_what_that_is() {
    let app = TestApp::new().await;
    let doctor = app.worker("doktor", &[], app.ustanova).await;
    doctor.get("/api/entry-count?thaID=1").await.assert_error(422, Some("pacijentID"), "Nedostaje parametar „pacijentID”.");
    let twice = "/api/entry-count?thaID=1&thaID=2&pacijentID=1";
    doctor.get(twice).await.assert_error(422, Some("thaID"), "Parametar „thaID” je naveden dvaput.");
    let wrong = "/api/entry-count?thaID=1&pacijentID=1&datumUnosa=1-11-26";
    doctor.get(wrong).await.assert_error(422, Some("datumUnosa"), "Parametar „datumUnosa” nije ispravan.");
    let upload = doctor.upload("/api/patients", "nije JSON").await;
    upload.assert_error(422, None, "Podaci se šalju kao JSON (Content-Type: application/json).");
}
