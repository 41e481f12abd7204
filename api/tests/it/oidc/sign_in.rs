//! The way of a sign-in: to the provider and back, in one browser, once; and who is let in.

use accounts::rights::Right;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{Browser, Provider, Told, deeds, site, token, with_token};
use crate::support::{Anonymous, TestApp};

const GONE: &str = "Ova prijava je istekla ili je već iskorišćena. Počnite je ponovo.";

fn failed(why: &str, page: &str) -> Told {
    [("greska", why), ("povratak", page)].map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// What there is when nobody knows where the browser comes from.
fn lost() -> Told {
    [("greska".to_owned(), "istekla".to_owned())].into()
}

async fn sessions(app: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from session").fetch_one(&app.db.owner).await.expect("a number")
}

#[tokio::test]
async fn a_worker_signs_in_and_the_page_that_was_asked_for_is_kept() {
    let provider = Provider::start();
    let (app, router, ana) = site(&provider).await;
    let mut browser = Browser::new(&router);
    let address = browser.begin("povratak=/pacijenti/7?kartica=unosi%23kraj").await;
    for part in ["response_type=code", "code_challenge_method=S256", "scope=openid+profile+email", "nonce=", "state="] {
        assert!(address.contains(part), "{address}");
    }
    let back = browser.provider.sign_in(&address, "ana").await;
    let told = browser.come_back(&back).await;
    assert_eq!(told.keys().collect::<Vec<_>>(), ["kod", "povratak"]);
    assert_eq!(told["povratak"], "/pacijenti/7?kartica=unosi#kraj");

    let answer = browser.exchange(&told, json!({})).await.json();
    let record = &answer["ulogovaniRadnik"];
    assert_eq!((&record["id"], &record["username"], &record["spoljna"]), (&json!(ana), &json!("ana"), &json!(true)));
    assert_eq!((&record["prava"], &record["obaveza"]), (&json!([1]), &Value::Null));
    let session = with_token(&router, record["token"].as_str().expect("a token"));
    let same = session.get("/api/session").await.json();
    assert!(same.as_object().expect("a record").iter().all(|(name, value)| record[name] == *value), "{same}");
    session.get("/api/registers").await.assert_status(200);
    assert_eq!(deeds(&app).await, [(Some(ana), "prijava spoljnim nalogom".to_owned())]);

    session.post("/api/logout", json!({})).await.assert_status(204);
    session.get("/api/session").await.assert_status(401);
}

#[tokio::test]
async fn the_button_is_there_with_a_provider_only() {
    let provider = Provider::start();
    let (app, ..) = site(&provider).await;
    assert_eq!(app.anonymous().get("/api/application").await.json()["spoljnaPrijava"], Value::Null);
    app.anonymous().get("/api/oidc/login").await.assert_status(404);
    for (more, label) in [(&[][..], "Prijava preko bolnice"), (&[("OIDC_LABEL", "KCS nalog")], "KCS nalog")] {
        let router = app.beside(provider.settings_with("regix", more));
        assert_eq!(Anonymous::new(router).get("/api/application").await.json()["spoljnaPrijava"], label);
    }
}

#[tokio::test]
async fn who_is_no_active_worker_with_a_role_is_refused_alike_and_stands_in_the_log() {
    let provider = Provider::start();
    let (app, router, ana) = site(&provider).await;
    let gone = app.worker("obrisana", &[Right::Reports], app.ustanova).await.id;
    let bare = app.worker("bezuloge", &[Right::Reports], app.ustanova).await.id;
    app.lay_out(&[
        "update worker set aktivan = false where username = 'obrisana'",
        "delete from worker_role where radnik_id = (select id from worker where username = 'bezuloge')",
        "update role set aktivan = false where ime = 'Uloga radnika ana'",
        "update worker set aktivan = true where username = 'sistem'",
        "delete from session",
    ])
    .await;
    for account in ["niko", "obrisana", "bezuloge", "ana", "sistem"] {
        let told = Browser::new(&router).through_provider("povratak=/registri/1", account).await;
        assert_eq!(told, failed("odbijena", "/registri/1"), "{account}");
    }
    let failure = "neuspešna prijava spoljnim nalogom".to_owned();
    let of = [None, Some(gone), Some(bare), Some(ana), None].map(|worker| (worker, failure.clone()));
    assert_eq!(deeds(&app).await, of);
    assert_eq!(sessions(&app).await, 0);
    let workers: i64 = sqlx::query_scalar("select count(*) from worker").fetch_one(&app.db.owner).await.expect("a number");
    assert_eq!(workers, 4, "nobody was made");
}

#[tokio::test]
async fn what_has_happened_to_the_worker_between_return_and_exchange_counts() {
    let provider = Provider::start();
    let (app, router, _) = site(&provider).await;
    let mut browser = Browser::new(&router);
    let told = browser.through_provider("povratak=/", "ana").await;
    app.lay_out(&["update role set aktivan = false where ime = 'Uloga radnika ana'"]).await;
    let refusal = "Vaš nalog nije povezan sa radnikom koji može da se prijavi. Obratite se administratoru.";
    browser.exchange(&told, json!({})).await.assert_error(403, None, refusal);
    app.lay_out(&["update role set aktivan = true", "update worker set aktivan = false where username = 'ana'"]).await;
    browser.exchange(&told, json!({})).await.assert_error(403, None, refusal);
    assert_eq!(sessions(&app).await, 0);
}

#[tokio::test]
async fn a_state_that_is_made_up_used_or_another_browsers_ends_nothing() {
    let provider = Provider::start();
    let (app, router, _) = site(&provider).await;
    let mut browser = Browser::new(&router);
    let address = browser.begin("povratak=/").await;
    let back = browser.provider.sign_in(&address, "ana").await;

    let mut stranger = Browser::new(&router);
    assert_eq!(stranger.come_back(&back).await, lost(), "without the cookie");
    stranger.begin("povratak=/").await;
    assert_eq!(stranger.come_back(&back).await, lost(), "with the cookie of another sign-in");
    let other = back.replace("state=", "state=x");
    assert_eq!(browser.come_back(&other).await, lost(), "another state");
    assert_eq!(browser.come_back("https://regix.test/api/oidc/callback").await, lost(), "nothing at all");

    assert!(browser.come_back(&back).await.contains_key("kod"), "its own browser");
    assert_eq!(browser.come_back(&back).await, lost(), "once more");
    assert_eq!(sessions(&app).await, 0);
}

#[tokio::test]
async fn a_code_is_good_once_in_its_own_browser_and_not_for_long() {
    let provider = Provider::start();
    let (app, router, _) = site(&provider).await;
    let mut browser = Browser::new(&router);
    let told = browser.through_provider("povratak=/", "ana").await;
    Browser::new(&router).exchange(&told, json!({})).await.assert_error(410, None, GONE);
    let mut other = Browser::new(&router);
    other.through_provider("povratak=/", "ana").await;
    other.exchange(&told, json!({})).await.assert_error(410, None, GONE);

    browser.exchange(&told, json!({})).await.assert_status(200);
    browser.exchange(&told, json!({})).await.assert_error(410, None, GONE);
    let nothing = browser.exchange(&Told::new(), json!({})).await;
    nothing.assert_error(422, Some("spoljniKod"), "Vrednost polja „spoljniKod” nije ispravna.");

    let told = browser.through_provider("povratak=/", "ana").await;
    app.advance(SignedDuration::from_secs(121));
    browser.exchange(&told, json!({})).await.assert_error(410, None, GONE);
    assert_eq!(sessions(&app).await, 1);
}

#[tokio::test]
async fn one_code_sent_twice_at_once_opens_one_session() {
    let provider = Provider::start();
    let (app, router, _) = site(&provider).await;
    let mut browser = Browser::new(&router);
    let told = browser.through_provider("povratak=/", "ana").await;
    let mut twin = Browser { router: router.clone(), cookies: browser.cookies.clone(), provider: Default::default() };
    let both = futures::future::join(browser.exchange(&told, json!({})), twin.exchange(&told, json!({}))).await;
    let mut statuses = [both.0.status, both.1.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 410]);
    assert_eq!(sessions(&app).await, 1);
}

#[tokio::test]
async fn a_sign_in_that_was_left_lying_is_over_and_swept() {
    let provider = Provider::start();
    let (app, router, _) = site(&provider).await;
    let mut browser = Browser::new(&router);
    let address = browser.begin("povratak=/").await;
    let back = browser.provider.sign_in(&address, "ana").await;
    app.advance(SignedDuration::from_mins(10));
    assert_eq!(browser.come_back(&back).await, lost());
    browser.begin("povratak=/").await;
    let left: i64 = sqlx::query_scalar("select count(*) from external_sign_in").fetch_one(&app.db.owner).await.expect("a number");
    assert_eq!(left, 1, "the newest one");
}

#[tokio::test]
async fn the_database_holds_nothing_that_ends_a_sign_in() {
    let provider = Provider::start();
    let (app, router, _) = site(&provider).await;
    let mut browser = Browser::new(&router);
    browser.begin("povratak=/").await;
    let told = browser.through_provider("povratak=/", "ana").await;
    let rows: String = sqlx::query_scalar(
        "select string_agg(r, ' ') from (select to_jsonb(s)::text from external_sign_in s union all
                                         select to_jsonb(c)::text from external_sign_in_code c) all_rows (r)",
    )
    .fetch_one(&app.db.owner)
    .await
    .expect("rows");
    assert_eq!(browser.cookies.len(), 2);
    for secret in browser.cookies.values().chain([&told["kod"]]) {
        assert!(!rows.contains(secret.as_str()) && !rows.contains(&hex::encode(secret)), "{rows}");
    }
}

#[tokio::test]
async fn only_a_page_of_the_own_site_is_returned_to() {
    let provider = Provider::start();
    let (_app, router, _) = site(&provider).await;
    let caller = Anonymous::new(router);
    for page in ["https://drugi.rs", "//drugi.rs", "/%5Cdrugi.rs", "/%09/drugi.rs", "javascript:alert(1)", "/api/logout", ""] {
        let answer = caller.get(&format!("/api/oidc/login?povratak={page}")).await;
        answer.assert_error(422, Some("povratak"), "Posle prijave se otvara samo stranica ovog sajta.");
    }
    let answer = caller.get("/api/oidc/login?oznaka=%3Cb%3E").await;
    answer.assert_error(422, Some("oznaka"), "Oznaka prozora nije ispravna.");
}

#[tokio::test]
async fn a_sign_in_that_one_api_has_begun_ends_at_another() {
    let provider = Provider::start();
    let (app, first, _) = site(&provider).await;
    let (second, third) = (app.beside(provider.settings("regix")), app.beside(provider.settings("regix")));
    let mut browser = Browser::new(&first);
    let address = browser.begin("povratak=/").await;
    let back = browser.provider.sign_in(&address, "ana").await;
    browser.router = second;
    let told = browser.come_back(&back).await;
    browser.router = third;
    let opened = token(&browser.exchange(&told, json!({})).await);
    with_token(&first, &opened).get("/api/session").await.assert_status(200);
}

#[tokio::test]
async fn a_provider_that_is_away_is_said_so_and_the_password_still_signs_in() {
    let mut provider = Provider::start();
    let (app, router, ana) = site(&provider).await;
    app.lay_out(&["select set_config('app.worker', '1', true)"]).await;
    let hash = accounts::passwords::hash("zeleni vagon peva".to_owned()).await.expect("a hash");
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
    let set = sqlx::query("update worker set password_hash = $2 where id = $1").bind(ana).bind(hash);
    set.execute(&mut *tx).await.expect("the password");
    tx.commit().await.expect("committed");

    let mut browser = Browser::new(&router);
    let address = browser.begin("povratak=/").await;
    let back = browser.provider.sign_in(&address, "ana").await;
    provider.stop();
    let told = browser.come_back(&back).await;
    assert_eq!(told, failed("nedostupna", "/"), "between the two");
    let answer = browser.call("GET", "/api/oidc/login?povratak=/registri/3&oznaka=prozor-1", None, None).await;
    let told = super::told(answer.header("location").expect("a location"));
    assert_eq!((told["greska"].as_str(), told["povratak"].as_str(), told["oznaka"].as_str()), ("nedostupna", "/registri/3", "prozor-1"));
    assert!(browser.cookies.is_empty(), "{:?}", browser.cookies.keys());

    let local = Anonymous::new(router).post("/api/login", json!({ "username": "ana", "password": "zeleni vagon peva" })).await;
    assert_eq!(local.json()["ulogovaniRadnik"]["spoljna"], false);
}

#[tokio::test]
async fn who_goes_back_at_the_provider_is_told_so() {
    let provider = Provider::start();
    let (app, router, _) = site(&provider).await;
    let mut browser = Browser::new(&router);
    let address = browser.begin("povratak=/registri/1").await;
    let back = browser.provider.cancel(&address).await;
    assert_eq!(browser.come_back(&back).await, failed("odustanak", "/registri/1"));
    assert_eq!(deeds(&app).await, []);
}

#[tokio::test]
async fn who_is_signed_in_at_the_provider_is_let_through_until_the_screen_would_have_locked() {
    let provider = Provider::start();
    let (app, router, ana) = site(&provider).await;
    let mut browser = Browser::new(&router);
    browser.sign_in("ana").await;
    browser.sign_in("ana").await;
    assert_eq!(browser.provider.asked, 1, "the provider knows her");

    // For the provider no time has passed: it lets her through.
    app.advance(SignedDuration::from_mins(16));
    let told = browser.through_provider("povratak=/", "ana").await;
    assert_eq!(told, failed("stara", "/"));
    assert_eq!(browser.provider.asked, 1);
    assert_eq!(deeds(&app).await.last(), Some(&(Some(ana), "neuspešna prijava spoljnim nalogom".to_owned())));

    app.lay_out(&["update parameter set vrednost = '0' where naziv = 'zakljucavanjeMinuta'"]).await;
    let told = browser.through_provider("povratak=/", "ana").await;
    assert!(told.contains_key("kod"), "a screen that never locks asks for nothing: {told:?}");
}
