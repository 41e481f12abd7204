//! The web application beside the API: its page, its files, and what stays the API's.

use std::fs;

use crate::support::TestApp;

async fn app_with_web() -> (TestApp, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("assets")).expect("a folder");
    fs::write(folder.path().join("index.html"), "<!doctype html><title>Regix</title>").expect("a page");
    fs::write(folder.path().join("assets/app-1a2b.js"), "console.log(1)").expect("a script");
    (TestApp::with_web(Some(folder.path().to_owned())).await, folder)
}

#[tokio::test]
async fn the_browsers_own_addresses_get_the_page() {
    let (app, _folder) = app_with_web().await;
    for path in ["/", "/registri/3", "/admin/radnici"] {
        let answer = app.anonymous().get(path).await;
        answer.assert_status(200);
        assert!(answer.text().contains("<title>Regix</title>"), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-cache"), "{path}");
        assert!(
            answer.header("content-security-policy").is_some_and(|policy| policy.contains("script-src 'self'; style-src 'self';")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn what_begins_with_a_point_is_not_served() {
    let (app, folder) = app_with_web().await;
    fs::write(folder.path().join(".made-of"), "tajna").expect("a file");
    for path in ["/.made-of", "/%2emade-of", "/%2Emade-of", "/assets/../.made-of", "/.git/config", "/registri/.tajna"] {
        app.anonymous().get(path).await.assert_status(404);
    }
}

#[tokio::test]
async fn files_with_a_hash_in_their_name_are_kept_and_absent_ones_are_404() {
    let (app, _folder) = app_with_web().await;
    let script = app.anonymous().get("/assets/app-1a2b.js").await;
    script.assert_status(200);
    assert_eq!(script.header("cache-control"), Some("public, max-age=31536000, immutable"));
    app.anonymous().get("/assets/app-old.js").await.assert_error(404, None, "Traženi podatak ne postoji.");
    app.anonymous().get("/../Cargo.toml").await.assert_status(404);
}

#[tokio::test]
async fn under_api_nothing_but_the_api_answers() {
    let (app, _folder) = app_with_web().await;
    app.anonymous().get("/api/nepoznato").await.assert_error(404, None, "Traženi podatak ne postoji.");
    app.anonymous().get("/api/session").await.assert_status(401);
}

#[tokio::test]
async fn a_body_beyond_any_use_is_refused() {
    let app = TestApp::new().await;
    let huge = serde_json::json!({ "username": "a".repeat(5 << 20), "password": "x" });
    app.anonymous().post("/api/login", huge).await.assert_error(413, None, "Poslati podaci su preveliki.");
}
