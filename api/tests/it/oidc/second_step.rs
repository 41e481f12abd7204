//! The second step and the duties of an account, where the provider has let its worker in.

use jiff::SignedDuration;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use super::{Browser, Provider, deeds, site, with_token};
use crate::support::{Anonymous, TestApp};

/// Turns the own second step on in a session that is confirmed: its secret.
async fn turn_on(app: &TestApp, session: &Anonymous) -> Value {
    app.lay_out(&["update session set potvrdjeno_at = 'infinity'"]).await;
    let secret = session.post("/api/second-factor", json!({})).await.json()["tajna"].clone();
    session.post("/api/second-factor/confirm", json!({ "kod": code(app, &secret) })).await.assert_status(200);
    secret
}

fn code(app: &TestApp, secret: &Value) -> String {
    let secret = Secret::try_from_base32(secret.as_str().expect("a secret")).expect("base 32");
    let totp = Builder::new().with_secret(secret).build().expect("six digits of thirty seconds");
    totp.generate(app.state.clock.now().as_second().unsigned_abs()).to_string()
}

#[tokio::test]
async fn the_own_second_step_is_asked_unless_the_provider_has_taken_one() {
    let provider = Provider::start();
    let (app, router, ana) = site(&provider).await;
    let first = Browser::new(&router).sign_in("ana").await;
    let secret = turn_on(&app, &with_token(&router, &first)).await;

    let mut browser = Browser::new(&router);
    let told = browser.through_provider("povratak=/", "ana").await;
    for none in [json!({}), json!({ "kod": "  " })] {
        browser.exchange(&told, none).await.assert_error(401, Some("kod"), "Unesite kod iz aplikacije na telefonu.");
    }
    let wrong = browser.exchange(&told, json!({ "kod": "000000" })).await;
    wrong.assert_error(401, Some("kod"), "Kod nije ispravan, ili je već iskorišćen.");
    assert_eq!(deeds(&app).await.last(), Some(&(Some(ana), "neuspešna prijava spoljnim nalogom".to_owned())));
    app.advance(SignedDuration::from_secs(30));
    browser.exchange(&told, json!({ "kod": code(&app, &secret) })).await.assert_status(200);

    Browser::new(&router).sign_in("ana+mfa").await;
}

#[tokio::test]
async fn guessing_the_own_second_step_is_slowed_as_with_a_password() {
    let provider = Provider::start();
    let (app, router, _) = site(&provider).await;
    let first = Browser::new(&router).sign_in("ana").await;
    turn_on(&app, &with_token(&router, &first)).await;
    let mut browser = Browser::new(&router);
    let told = browser.through_provider("povratak=/", "ana").await;
    for _ in 0..5 {
        browser.exchange(&told, json!({ "kod": "111111" })).await.assert_status(401);
    }
    browser.exchange(&told, json!({ "kod": "111111" })).await.assert_status(429);
}

#[tokio::test]
async fn a_role_that_asks_for_two_steps_is_content_with_those_of_the_provider() {
    let provider = Provider::start();
    let (app, router, _) = site(&provider).await;
    app.lay_out(&["update role set drugi_faktor = true"]).await;
    let alone = Browser::new(&router).sign_in("ana").await;
    let session = with_token(&router, &alone);
    assert_eq!(session.get("/api/session").await.json()["obaveza"], "drugiFaktor");
    session.get("/api/registers").await.assert_status(403);

    let both = Browser::new(&router).sign_in("ana+mfa").await;
    let session = with_token(&router, &both);
    assert_eq!(session.get("/api/session").await.json()["obaveza"], Value::Null);
    session.get("/api/registers").await.assert_status(200);

    // What a provider calls a second step in `acr` is named by the settings.
    let router = app.beside(provider.settings_with("regix-acr", &[("OIDC_MFA_ACR", "zlatna srebrna")]));
    let token = Browser::new(&router).sign_in("ana").await;
    with_token(&router, &token).get("/api/registers").await.assert_status(200);
    let router = app.beside(provider.settings_with("regix-acr", &[("OIDC_MFA_ACR", "zlatna")]));
    let token = Browser::new(&router).sign_in("ana").await;
    with_token(&router, &token).get("/api/registers").await.assert_status(403);
}

#[tokio::test]
async fn a_password_that_somebody_else_gave_is_no_matter_where_none_was_given() {
    let provider = Provider::start();
    let (app, router, _) = site(&provider).await;
    app.lay_out(&["update worker set mora_promeniti_lozinku = true where username = 'ana'"]).await;
    let token = Browser::new(&router).sign_in("ana").await;
    let session = with_token(&router, &token);
    assert_eq!(session.get("/api/session").await.json()["obaveza"], Value::Null);
    session.get("/api/registers").await.assert_status(200);
}
