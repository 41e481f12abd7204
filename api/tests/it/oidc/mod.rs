//! Signing in by an OpenID Provider: a real one, which the tests start (.config/oidc).

mod again;
mod authority;
mod links;
mod provider;
mod second_step;
mod sign_in;
mod tokens;

use std::collections::BTreeMap;

use axum::{
    Router,
    body::Body,
    http::{Request, header},
};
use serde_json::{Value, json};
use tower::ServiceExt;

use self::provider::{AtProvider, Provider};
use crate::support::{Anonymous, Answer, PUBLIC_URL, TestApp};

/// A browser at the site and at the provider, with its cookies of both.
struct Browser {
    router: Router,
    cookies: BTreeMap<String, String>,
    provider: AtProvider,
}

/// What a sign-in has ended in, as the site's page is told it.
type Told = BTreeMap<String, String>;

impl Browser {
    fn new(router: &Router) -> Self {
        Self { router: router.clone(), cookies: BTreeMap::new(), provider: AtProvider::default() }
    }

    async fn call(&mut self, method: &str, path: &str, token: Option<&str>, body: Option<Value>) -> Answer {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut request = Request::builder().method(method).uri(path).header(header::COOKIE, cookies.join("; "));
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Regix {token}"));
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let request = request.header(header::CONTENT_TYPE, "application/json").body(body).expect("a request");
        let answer = Answer::read(self.router.clone().oneshot(request).await.expect("an answer")).await;
        for cookie in answer.headers.get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().expect("a cookie");
            let (name, rest) = cookie.split_once('=').expect("name=value");
            let (value, attributes) = rest.split_once(';').expect("attributes");
            assert!(attributes.contains("HttpOnly; SameSite=Lax; Secure"), "{cookie}");
            match attributes.contains("Max-Age=0;") {
                true => self.cookies.remove(name),
                false => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
        answer
    }

    /// Asks the site for the provider's address.
    async fn begin(&mut self, query: &str) -> String {
        let answer = self.call("GET", &format!("/api/oidc/login?{query}"), None, None).await;
        answer.assert_status(303);
        answer.header("location").expect("a location").to_owned()
    }

    /// Goes back to the site with what the provider has answered.
    async fn come_back(&mut self, address: &str) -> Told {
        let path = address.strip_prefix(PUBLIC_URL).expect("an address of the site");
        let answer = self.call("GET", path, None, None).await;
        answer.assert_status(303);
        told(answer.header("location").expect("a location"))
    }

    /// The whole way, as the account that is typed at the provider.
    async fn through_provider(&mut self, query: &str, account: &str) -> Told {
        let address = self.begin(query).await;
        let back = self.provider.sign_in(&address, account).await;
        self.come_back(&back).await
    }

    async fn exchange(&mut self, told: &Told, more: Value) -> Answer {
        let mut body = json!({ "spoljniKod": told.get("kod") });
        body.as_object_mut().expect("a record").extend(more.as_object().expect("a record").clone());
        self.call("POST", "/api/oidc/sign-in", None, Some(body)).await
    }

    /// Signs in and returns the token.
    async fn sign_in(&mut self, account: &str) -> String {
        let told = self.through_provider("povratak=/", account).await;
        token(&self.exchange(&told, json!({})).await)
    }
}

/// What stands after the `#` of the site's page.
fn told(location: &str) -> Told {
    let fragment = location.strip_prefix("/spoljna-prijava#").unwrap_or_else(|| panic!("another page: {location}"));
    reqwest::Url::parse(&format!("http://a/?{fragment}")).expect("pairs").query_pairs().into_owned().collect()
}

#[track_caller]
fn token(answer: &Answer) -> String {
    answer.json()["ulogovaniRadnik"]["token"].as_str().expect("a token").to_owned()
}

/// A site without a password for `ana`, who has reports, and the api that signs in at the provider.
async fn site(provider: &Provider) -> (TestApp, Router, i64) {
    let app = TestApp::new().await;
    let ana = app.worker("ana", &[accounts::rights::Right::Reports], app.ustanova).await.id;
    app.lay_out(&["delete from session"]).await;
    let router = app.beside(provider.settings("regix"));
    (app, router, ana)
}

fn with_token(router: &Router, token: &str) -> Anonymous {
    Anonymous::new(router.clone()).with_token(token)
}

/// What the log says of sign-ins, oldest first.
async fn deeds(app: &TestApp) -> Vec<(Option<i64>, String)> {
    app.log("session").await.into_iter().map(|line| (line.radnik_id, line.akcija)).collect()
}
