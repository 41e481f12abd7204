//! Proving once more who one is, at the provider: for dangerous changes, for the own account, and before a page that waits.

use accounts::rights::Right;
use axum::Router;
use serde_json::json;

use super::{AtProvider, Browser, Provider, deeds, site, with_token};
use crate::support::{Anonymous, Answer, TestApp};

const AGAIN: &str = "povratak=/&ponovo=true";
const SOMEBODY_ELSE: &str = "Kod pružaoca prijave ste prijavljeni kao neko drugi.";

/// An administrator who signs in at the provider and has no password.
struct Stage {
    app: TestApp,
    router: Router,
    browser: Browser,
    token: String,
}

impl Stage {
    async fn new(provider: &Provider) -> Self {
        let (app, router, _) = site(provider).await;
        app.worker("glavna", &Right::ALL, app.ustanova).await;
        let mut browser = Browser::new(&router);
        let token = browser.sign_in("glavna").await;
        Self { app, router, browser, token }
    }

    fn session(&self) -> Anonymous {
        with_token(&self.router, &self.token)
    }

    async fn dangerous(&self, name: &str) -> Answer {
        self.session().post("/api/roles", json!({ "ime": name, "pacijenti": "uvid" })).await
    }

    async fn confirm(&mut self, code: Option<&String>) -> Answer {
        let body = json!({ "spoljniKod": code });
        self.browser.call("POST", "/api/session/confirm", Some(&self.token), Some(body)).await
    }
}

#[tokio::test]
async fn a_dangerous_change_is_confirmed_by_a_new_sign_in_at_the_provider() {
    let provider = Provider::start();
    let mut stage = Stage::new(&provider).await;
    let asked = stage.dangerous("Nova").await;
    asked.assert_status(428);
    assert!(asked.text().contains("Uloga otvara pacijente: čitanje. Potvrdite izmenu ponovnom prijavom."), "{}", asked.text());

    let told = stage.browser.through_provider(AGAIN, "glavna").await;
    assert_eq!(stage.browser.provider.asked, 2, "the provider asks for the password, though it knows her");
    stage.confirm(told.get("kod")).await.assert_status(204);
    stage.dangerous("Nova").await.assert_status(201);
    assert_eq!(deeds(&stage.app).await.pop().map(|(_, deed)| deed), Some("potvrda spoljnim nalogom".to_owned()));

    stage.confirm(told.get("kod")).await.assert_status(410);
    stage.app.advance(jiff::SignedDuration::from_secs(301));
    stage.dangerous("Još jedna").await.assert_status(428);
}

#[tokio::test]
async fn only_a_new_sign_in_of_the_same_worker_in_the_same_browser_confirms() {
    let provider = Provider::start();
    let mut stage = Stage::new(&provider).await;
    let told = stage.browser.through_provider("povratak=/", "glavna").await;
    let refused = stage.confirm(told.get("kod")).await;
    refused.assert_error(403, None, "Za potvrdu se ponovo prijavite kod pružaoca prijave.");

    stage.browser.provider = AtProvider::default();
    let told = stage.browser.through_provider(AGAIN, "ana").await;
    stage.confirm(told.get("kod")).await.assert_error(403, None, SOMEBODY_ELSE);
    assert_eq!(deeds(&stage.app).await.pop().map(|(_, deed)| deed), Some("neuspešna potvrda spoljnim nalogom".to_owned()));

    let mut elsewhere = Browser::new(&stage.router);
    let told = elsewhere.through_provider(AGAIN, "glavna").await;
    stage.confirm(told.get("kod")).await.assert_status(410);
    stage.confirm(Some(&"izmišljen".to_owned())).await.assert_status(410);
    stage.dangerous("Nova").await.assert_status(428);
}

#[tokio::test]
async fn a_provider_that_has_asked_nobody_anew_confirms_nothing() {
    let provider = Provider::start();
    let (app, ..) = site(&provider).await;
    for client in ["regix-stale", "regix-timeless"] {
        let mut browser = Browser::new(&app.beside(provider.settings(client)));
        let told = browser.through_provider(AGAIN, "ana").await;
        assert_eq!(told.get("greska").map(String::as_str), Some("stara"), "{client}");
        // Whoever signs in for the first time is let in.
        let told = browser.through_provider("povratak=/", "ana").await;
        assert!(told.contains_key("kod"), "{client}: {told:?}");
    }
}

#[tokio::test]
async fn the_own_account_is_seen_to_after_a_new_sign_in_where_there_is_no_password() {
    let provider = Provider::start();
    let mut stage = Stage::new(&provider).await;
    for path in ["/api/second-factor", "/api/second-factor/off", "/api/second-factor/recovery-codes"] {
        stage.session().post(path, json!({})).await.assert_status(428);
        let typed = stage.session().post(path, json!({ "lozinka": "nagađanje" })).await;
        typed.assert_error(422, Some("lozinka"), "Lozinka nije ispravna.");
    }
    let told = stage.browser.through_provider(AGAIN, "glavna").await;
    stage.confirm(told.get("kod")).await.assert_status(204);
    stage.session().post("/api/second-factor", json!({})).await.assert_status(200);
}

#[tokio::test]
async fn who_must_set_up_a_second_step_first_can_confirm_for_it() {
    let provider = Provider::start();
    let mut stage = Stage::new(&provider).await;
    stage.app.lay_out(&["update role set drugi_faktor = true"]).await;
    stage.session().post("/api/second-factor", json!({})).await.assert_status(428);
    let told = stage.browser.through_provider(AGAIN, "glavna").await;
    stage.confirm(told.get("kod")).await.assert_status(204);
    stage.session().post("/api/second-factor", json!({})).await.assert_status(200);
}

#[tokio::test]
async fn a_page_that_waits_for_its_worker_is_opened_by_nobody_else() {
    let provider = Provider::start();
    let (app, router, ana) = site(&provider).await;
    let jelena = app.worker("jelena", &[Right::Reports], app.ustanova).await.id;
    let mut browser = Browser::new(&router);
    let told = browser.through_provider("povratak=/&ponovo=true&oznaka=prozor-1", "jelena").await;
    assert_eq!(told["oznaka"], "prozor-1");
    browser.exchange(&told, json!({ "radnikID": ana })).await.assert_error(403, None, SOMEBODY_ELSE);
    browser.exchange(&told, json!({ "radnikID": jelena })).await.assert_status(200);
}
