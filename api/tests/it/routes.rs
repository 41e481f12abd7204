//! What holds for every route: closed without a session, and described by the OpenAPI document.

use std::{collections::HashMap, fs, path::PathBuf};

use serde_json::Value;

use crate::{sources, support::TestApp};

/// What anyone may call. Adding a line here opens a route to the world.
const PUBLIC: &[(&str, &str)] = &[
    ("GET", "/api/health"),
    ("GET", "/api/health/live"),
    ("GET", "/api/health/ready"),
    ("GET", "/api/application"),
    ("POST", "/api/login"),
    ("GET", "/api/oidc/login"),
    ("GET", "/api/oidc/callback"),
    ("POST", "/api/oidc/sign-in"),
    ("GET", "/api/sponsors"),
];

/// What takes a token of its own, and no session: others are refused in its own words.
const OF_OTHER_TOKENS: &[(&str, &str)] = &[("POST", "/api/wall")];

/// Method and path of every operation, as the document names them.
pub fn operations() -> Vec<(String, String)> {
    let document: Value = serde_json::to_value(api::openapi()).expect("plain data");
    let paths = document["paths"].as_object().expect("paths");
    let mut operations = Vec::new();
    for (path, item) in paths {
        for method in item.as_object().expect("operations").keys() {
            operations.push((method.to_uppercase(), path.clone()));
        }
    }
    operations
}

/// `/api/workers/{id}` as `/api/workers/1`.
fn example(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "1" } else { part }).collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn every_route_is_closed_without_a_session_but_the_public_ones() {
    let app = TestApp::new().await;
    for (method, path) in operations() {
        let answer = app.anonymous().call(&method, &example(&path), None).await;
        let public = PUBLIC.contains(&(method.as_str(), path.as_str()));
        assert_eq!(answer.status != 401, public, "{method} {path} answers {}", answer.status);
    }
}

#[tokio::test]
async fn an_unknown_token_opens_nothing() {
    let app = TestApp::new().await;
    for (method, path) in operations() {
        let operation = (method.as_str(), path.as_str());
        if !PUBLIC.contains(&operation) && !OF_OTHER_TOKENS.contains(&operation) {
            let stranger = app.anonymous().with_token("not-a-token");
            stranger.call(&method, &example(&path), None).await.assert_error(401, None, "Prijava je istekla. Prijavite se ponovo.");
        }
    }
}

#[tokio::test]
async fn what_is_not_a_route_is_404_with_the_error_body() {
    let app = TestApp::new().await;
    app.anonymous().get("/api/nothing").await.assert_error(404, None, "Traženi podatak ne postoji.");
    app.anonymous().delete("/api/health").await.assert_error(405, None, "Ovaj poziv nije podržan.");
}

#[tokio::test]
async fn answers_carry_security_headers_and_an_id() {
    let app = TestApp::new().await;
    let answer = app.anonymous().get("/api/health").await;
    answer.assert_status(200);
    for header in ["content-security-policy", "x-content-type-options", "strict-transport-security", "x-request-id"] {
        assert!(answer.header(header).is_some(), "{header} is missing");
    }
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn the_document_is_served_and_every_reference_in_it_resolves() {
    let app = TestApp::new().await;
    let served = app.anonymous().get("/api/openapi.json").await.json();
    assert_eq!(served, serde_json::to_value(api::openapi()).expect("plain data"));
    let text = served.to_string();
    for reference in text.split("\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(served.pointer(reference).is_some(), "{reference} is not in the document");
    }
}

/// A list's rows are what the same collection answers for one that was made.
#[test]
fn every_list_in_the_document_has_rows_of_its_own_kind() {
    let document = serde_json::to_value(api::openapi()).expect("plain data");
    let schema = |path: &str, method: &str, status: &str| {
        let at = format!("/paths/{}/{method}/responses/{status}/content/application~1json/schema/$ref", path.replace('/', "~1"));
        document.pointer(&at).and_then(Value::as_str).map(|reference| reference[1..].to_owned())
    };
    let mut lists = 0;
    for path in document["paths"].as_object().expect("paths").keys() {
        let Some(page) = schema(path, "get", "200").filter(|name| name.contains("/Page")) else { continue };
        let Some(made) = schema(path, "post", "201") else { continue };
        let rows = document.pointer(&format!("{page}/properties/data/items")).expect("rows");
        let rows = rows["$ref"].as_str().map_or(Some(rows), |reference| document.pointer(&reference[1..]));
        assert_eq!(rows.expect("resolves")["properties"], document.pointer(&made).expect("resolves")["properties"], "{path}");
        lists += 1;
    }
    assert!(lists >= 14, "{lists} lists only");
}

/// The document takes the last of two types that share a name, in silence: the browser's types would then be wrong.
#[test]
fn no_two_types_share_a_name_in_the_document() {
    let mut owners: HashMap<String, PathBuf> = HashMap::new();
    let own = sources::crates().into_iter().filter(|folder| folder.split('/').next() == Some("api"));
    for file in own.flat_map(|folder| sources::of(&folder)) {
        for name in described(&fs::read_to_string(&file).expect("a source file")) {
            if let Some(other) = owners.insert(name.clone(), file.clone()) {
                panic!("{name} is described in {} and in {}", other.display(), file.display());
            }
        }
    }
    assert!(owners.len() > 50, "only {} types found", owners.len());
}

/// Names of the types that a file describes: those that derive it, and what `crud::fields!` makes; a name that a macro puts in is nobody's.
fn described(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices("#[derive(") {
        let (derives, rest) = text[at..].split_once(")]").expect("a derive ends");
        if !derives.contains("ToSchema") {
            continue;
        }
        let mut name = None;
        for line in rest
            .lines()
            .map(|line| ["pub ", "pub(crate) ", "pub(super) "].iter().fold(line.trim_start(), |line, seen| line.trim_start_matches(seen)))
        {
            if let Some((_, renamed)) = line.split_once("schema(as = ") {
                name = Some(renamed);
            }
            if let Some(own) = line.strip_prefix("struct ").or_else(|| line.strip_prefix("enum ")) {
                name = name.or(Some(own));
                break;
            }
        }
        names.push(name.expect("a type has a name"));
    }
    for line in text.lines().map(str::trim_start).filter(|line| line.starts_with("shown as ")) {
        names.extend(line.split(" as ").skip(1));
    }
    let word = |name: &str| name.chars().take_while(|c| c.is_alphanumeric()).collect::<String>();
    names.into_iter().map(word).filter(|name| !name.is_empty()).collect()
}
