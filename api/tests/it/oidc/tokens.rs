//! What the provider's token must say: made for this site and this sign-in, by the provider's key, and not over.

use serde_json::json;

use super::{Browser, Provider, deeds, site};
use crate::support::{PUBLIC_URL, TestApp};

#[tokio::test]
async fn a_token_that_is_wrong_in_any_way_opens_nothing() {
    let provider = Provider::start();
    let (app, _, _) = site(&provider).await;
    for client in ["regix-nonce", "regix-audience", "regix-issuer", "regix-expired", "regix-key", "regix-unsigned"] {
        let mut browser = Browser::new(&app.beside(provider.settings(client)));
        let told = browser.through_provider("povratak=/registri/1", "ana").await;
        assert_eq!(told.get("greska").map(String::as_str), Some("neispravna"), "{client}: {told:?}");
        assert!(!told.contains_key("kod"), "{client}");
        assert_eq!(deeds(&app).await.pop(), Some((None, "neuspešna prijava spoljnim nalogom".to_owned())), "{client}");
    }
    let opened: i64 = sqlx::query_scalar("select (select count(*) from session) + (select count(*) from external_sign_in_code)")
        .fetch_one(&app.db.owner)
        .await
        .expect("a number");
    assert_eq!(opened, 0);
}

#[tokio::test]
async fn an_answer_of_another_provider_or_with_a_code_of_another_sign_in_opens_nothing() {
    let provider = Provider::start();
    let (_app, router, _) = site(&provider).await;
    let mut browser = Browser::new(&router);
    let address = browser.begin("povratak=/").await;
    let back = browser.provider.sign_in(&address, "ana").await;
    let told = browser.come_back(&back.replace("iss=http", "iss=https")).await;
    assert_eq!(told["greska"], "neispravna", "another issuer");

    // Somebody else's code, put into the own sign-in: it was asked for with another proof (PKCE).
    let mut other = Browser::new(&router);
    let theirs = other.begin("povratak=/").await;
    let code = pair(&other.provider.sign_in(&theirs, "ana").await, "code");
    for answer in [format!("code={code}"), "code=izmisljen".to_owned(), "error=invalid_scope".to_owned(), "greska=1".to_owned()] {
        let state = pair(&browser.begin("povratak=/").await, "state");
        let told = browser.come_back(&format!("{PUBLIC_URL}/api/oidc/callback?{answer}&state={state}")).await;
        assert_eq!(told["greska"], "neispravna", "{answer}");
    }
}

fn pair(address: &str, name: &str) -> String {
    let address = reqwest::Url::parse(address).expect("an address");
    address.query_pairs().find(|(known, _)| known == name).expect("a pair of that name").1.into_owned()
}

#[tokio::test]
async fn new_keys_of_the_provider_are_known_at_once() {
    let mut provider = Provider::start();
    let (_app, router, _) = site(&provider).await;
    Browser::new(&router).sign_in("ana").await;
    provider.change_keys();
    Browser::new(&router).sign_in("ana").await;
}

#[tokio::test]
async fn who_it_is_may_stand_at_the_userinfo_endpoint_and_in_another_claim() {
    let provider = Provider::start();
    let (app, ..) = site(&provider).await;
    let by_mail = |client| app.beside(provider.settings_with(client, &[("OIDC_CLAIM", "email")]));
    Browser::new(&app.beside(provider.settings("regix-userinfo"))).sign_in("ana").await;
    rename(&app, "ana", "neproveren@regix.test").await;
    app.lay_out(&["delete from external_account"]).await;
    for client in ["regix", "regix-userinfo"] {
        let told = Browser::new(&by_mail(client)).through_provider("povratak=/", "neproveren").await;
        assert_eq!(told["greska"], "odbijena", "an address that the provider has not verified");
    }
    rename(&app, "neproveren@regix.test", "Mira@regix.test").await;
    Browser::new(&by_mail("regix")).sign_in("mira").await;
    Browser::new(&by_mail("regix-userinfo")).sign_in("mira").await;
    let by_code = app.beside(provider.settings_with("regix", &[("OIDC_CLAIM", "sifra_radnika")]));
    let told = Browser::new(&by_code).through_provider("povratak=/", "ana").await;
    assert_eq!(told["greska"], "odbijena", "a claim that there is not");
}

async fn rename(app: &TestApp, from: &str, to: &str) {
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
    let renamed = sqlx::query("update worker set username = $2 where username = $1").bind(from).bind(to);
    assert_eq!(renamed.execute(&mut *tx).await.expect("renamed").rows_affected(), 1);
    tx.commit().await.expect("committed");
}

#[tokio::test]
async fn no_secret_of_a_sign_in_stands_in_an_address_of_the_site_before_the_mark() {
    let provider = Provider::start();
    let (_app, router, _) = site(&provider).await;
    let mut browser = Browser::new(&router);
    let address = browser.begin("povratak=/").await;
    let back = browser.provider.sign_in(&address, "ana").await;
    let answer = browser.call("GET", back.strip_prefix(PUBLIC_URL).expect("the site"), None, None).await;
    let location = answer.header("location").expect("a location").to_owned();
    assert!(location.starts_with("/spoljna-prijava#"), "{location}");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let token = super::token(&browser.exchange(&super::told(&location), json!({})).await);
    assert!(!location.contains(&token) && !address.contains(&token));
}
