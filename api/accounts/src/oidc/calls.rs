//! The three calls of a sign-in: the browser is sent to the provider, comes back from it, and exchanges what it comes back with.

use std::time::Duration;

use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::{AppendHeaders, IntoResponse, Redirect, Response},
};
use domain::{
    caller::{self, Caller},
    db,
    parameters::{self, LOCK_MINUTES},
};
use jiff::Timestamp;
use openidconnect::url::form_urlencoded;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    http::ClientAddress,
    identity_provider::{Browser, Failure, Identity, Provider},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{
    attempt::{self, Attempt},
    code::{self, Code},
    link::{self, Owner},
};
use crate::{
    audit::{self, SessionDeed},
    second_factor::{self, Verdict},
    sessions::Device,
    sign_in::{self, SignedIn},
    throttle,
};

/// The page of the browser that takes what a sign-in has ended in. It stands after the `#`, which no server and no log sees.
const LANDING: &str = "/spoljna-prijava";
const LONGEST_PATH: usize = 2_000;
const LONGEST_MARK: usize = 64;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(login)).routes(routes!(callback)).routes(routes!(sign_in))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Beginning {
    /// The page of this site to return to.
    #[serde(default = "front_page")]
    povratak: String,
    /// A name for the window that waits for the answer.
    oznaka: Option<String>,
    /// Whoever is signed in at the provider proves again who she is.
    #[serde(default)]
    ponovo: bool,
}

fn front_page() -> String {
    "/".to_owned()
}

/// Sends the browser to the provider.
#[utoipa::path(get, path = "/api/oidc/login", params(Beginning), responses((status = 303, description = "Adresa pružaoca prijave")))]
pub async fn login(State(state): State<AppState>, Query(beginning): Query<Beginning>) -> Result<Response> {
    let provider = super::provider(&state)?;
    let Beginning { povratak, oznaka, ponovo } = beginning;
    if !is_own_page(&povratak) {
        return Err(Error::invalid("povratak", "Posle prijave se otvara samo stranica ovog sajta."));
    }
    if oznaka.as_deref().is_some_and(|mark| !is_mark(mark)) {
        return Err(Error::invalid("oznaka", "Oznaka prozora nije ispravna."));
    }
    let attempt = Attempt { povratak, oznaka, ponovo, zapoceto: state.clock.now() };
    let browser = Browser::begin();
    let given_back = attempt::begin(&state.db, &browser, &attempt).await?;
    match provider.address(given_back, &browser, ponovo, longest_ago(&state).await?).await {
        Ok(address) => Ok(send_to(address.as_str(), browser.cookie(is_secure(&state)))),
        Err(failure) => Ok(landing(&state, &attempt, &browser, &told(&failure))),
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Return {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

/// Takes the browser back from the provider.
#[utoipa::path(get, path = "/api/oidc/callback", params(Return), responses((status = 303, description = "Stranica za prijavu")))]
pub async fn callback(State(state): State<AppState>, headers: HeaderMap, device: Device, Query(given): Query<Return>) -> Result<Response> {
    let provider = super::provider(&state)?;
    let now = state.clock.now();
    let begun = given.state.as_deref().unwrap_or_default();
    let Some((attempt, browser)) = attempt::end(&state.db, begun, Browser::all_of(&headers), now).await? else {
        return Ok(Redirect::to(&format!("{LANDING}#greska=istekla")).into_response());
    };
    let outcome = match given.error.as_deref() {
        Some("access_denied") => Outcome::Failed("odustanak"),
        Some("server_error" | "temporarily_unavailable") => Outcome::Failed("nedostupna"),
        Some(_) => Outcome::Failed("neispravna"),
        None => match whom(provider, &given, &browser, now).await {
            Ok(identity) => admit(&state, &attempt, &browser, &identity, &device, now).await?,
            Err(failure) => {
                if matches!(failure, Failure::Wrong(_)) {
                    refused(&state, None, &device).await?;
                }
                told(&failure)
            }
        },
    };
    Ok(landing(&state, &attempt, &browser, &outcome))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExternalSignIn {
    #[serde(default)]
    spoljni_kod: String,
    /// Of Regix' own second step, where the provider has asked for none.
    kod: Option<String>,
    /// Who must have signed in, where somebody's page waits for her.
    #[serde(rename = "radnikID")]
    radnik_id: Option<i64>,
}

/// Exchanges the code that the browser has come back with.
#[utoipa::path(post, path = "/api/oidc/sign-in", request_body = ExternalSignIn, responses((status = 200, body = SignedIn)))]
pub async fn sign_in(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    device: Device,
    Json(given): Json<ExternalSignIn>,
) -> Result<Json<SignedIn>> {
    super::provider(&state)?;
    let now = state.clock.now();
    let code = Code::find(&state.db, &given.spoljni_kod, &headers, now).await?;
    if let Some(expected) = given.radnik_id {
        code.require_of(expected)?;
    }
    let kod = given.kod.filter(|kod| !kod.trim().is_empty());
    let attempt = match &kod {
        Some(_) => Some(throttle::begin(&state.db, &username(&state, code.radnik_id).await?, address, now).await?),
        None => None,
    };
    caller::within(Caller { adresa: device.adresa.clone(), ustanova_id: None }, async {
        let mut tx = db::begin(&state.db, code.radnik_id).await?;
        match second_step(&mut tx, &code, kod.as_deref(), now).await? {
            Verdict::NotAsked | Verdict::Right => {}
            Verdict::Missing => return Err(Error::CodeNeeded),
            Verdict::Wrong => {
                if let Some(attempt) = attempt {
                    attempt.failed(&mut tx).await?;
                }
                audit::session(&mut tx, Some(code.radnik_id), SessionDeed::ExternalSignInFailed, &device).await?;
                tx.commit().await?;
                return Err(Error::WrongCode);
            }
        }
        code.use_up(&mut tx).await?;
        link::bind(&mut tx, &code, now).await?;
        if let Some(attempt) = attempt {
            attempt.succeeded(&mut tx).await?;
        }
        let signed_in = sign_in::open_external(&mut tx, code.radnik_id, code.drugi_korak, now, &device).await?;
        tx.commit().await?;
        Ok(Json(signed_in))
    })
    .await
}

/// Regix' own second step is not asked of who has taken one at the provider.
async fn second_step(tx: &mut PgConnection, code: &Code, given: Option<&str>, now: Timestamp) -> Result<Verdict> {
    if code.drugi_korak {
        return Ok(Verdict::NotAsked);
    }
    second_factor::judge(tx, code.radnik_id, given, now).await
}

async fn username(state: &AppState, worker: i64) -> sqlx::Result<String> {
    sqlx::query_scalar!("select username from worker where id = $1", worker).fetch_one(&state.db).await
}

/// What the browser is told of a sign-in at the provider.
enum Outcome {
    Code(String),
    /// By a word for which the browser has a sentence.
    Failed(&'static str),
}

async fn whom(provider: &Provider, given: &Return, browser: &Browser, now: Timestamp) -> Result<Identity, Failure> {
    if given.iss.as_deref().is_some_and(|iss| iss != provider.issuer()) {
        return Err(Failure::Wrong(anyhow::anyhow!("the answer is another provider's")));
    }
    let code = given.code.clone().ok_or_else(|| Failure::Wrong(anyhow::anyhow!("the answer holds no code")))?;
    provider.identity(code, browser, now).await
}

/// Gives a code to a worker who may sign in.
async fn admit(
    state: &AppState,
    attempt: &Attempt,
    browser: &Browser,
    identity: &Identity,
    device: &Device,
    now: Timestamp,
) -> Result<Outcome> {
    let owner = link::owner(&state.db, identity).await?;
    let fresh = match (attempt.ponovo, longest_ago(state).await?) {
        (true, _) => identity.is_fresher_than(attempt.zapoceto),
        // A provider that does not say when keeps a rule of its own.
        (false, Some(longest)) => identity.authenticated_at.is_none() || identity.is_fresher_than(attempt.zapoceto - longest),
        (false, None) => true,
    };
    match owner {
        Owner::Worker(worker) if fresh => {
            code::issue(&state.db, browser, worker, identity, attempt.ponovo, now).await.map(Outcome::Code).map_err(Error::from)
        }
        Owner::Worker(worker) => {
            refused(state, Some(worker), device).await?;
            Ok(Outcome::Failed("stara"))
        }
        Owner::Nobody(worker) => {
            refused(state, worker, device).await?;
            Ok(Outcome::Failed("odbijena"))
        }
    }
}

/// How long ago somebody may have proved to the provider who she is: a screen that has locked is not opened by a computer alone.
async fn longest_ago(state: &AppState) -> sqlx::Result<Option<Duration>> {
    let minutes = parameters::load(&state.db).await?.number(&LOCK_MINUTES);
    Ok((minutes > 0).then(|| Duration::from_secs(u64::from(minutes.unsigned_abs()) * 60)))
}

async fn refused(state: &AppState, worker: Option<i64>, device: &Device) -> sqlx::Result<()> {
    audit::session(&mut *state.db.acquire().await?, worker, SessionDeed::ExternalSignInFailed, device).await
}

fn told(failure: &Failure) -> Outcome {
    tracing::warn!(cause = format!("{failure:#}"), "a sign-in at the provider failed");
    Outcome::Failed(match failure {
        Failure::Away(_) => "nedostupna",
        Failure::Wrong(_) => "neispravna",
    })
}

/// Sends the browser to the page that takes the outcome. The cookie stays for the exchange of a code, and goes with a failure.
fn landing(state: &AppState, attempt: &Attempt, browser: &Browser, outcome: &Outcome) -> Response {
    let mut told = form_urlencoded::Serializer::new(String::new());
    told.append_pair("povratak", &attempt.povratak);
    if let Some(mark) = &attempt.oznaka {
        told.append_pair("oznaka", mark);
    }
    let secure = is_secure(state);
    let (name, value, cookie) = match outcome {
        Outcome::Code(code) => ("kod", code.as_str(), browser.cookie(secure)),
        Outcome::Failed(why) => ("greska", *why, browser.farewell(secure)),
    };
    let page = format!("{LANDING}#{}", told.append_pair(name, value).finish());
    send_to(&page, cookie)
}

fn send_to(address: &str, cookie: header::HeaderValue) -> Response {
    (AppendHeaders([(header::SET_COOKIE, cookie)]), Redirect::to(address)).into_response()
}

fn is_secure(state: &AppState) -> bool {
    state.config.public_url.starts_with("https://")
}

/// A path of this site, as browsers read it: they take a backslash for a slash, and leave out tabs and ends of lines.
fn is_own_page(path: &str) -> bool {
    let odd = |letter: char| letter == '\\' || letter.is_control();
    path.starts_with('/') && !path.starts_with("//") && !path.starts_with("/api/") && !path.contains(odd) && path.len() <= LONGEST_PATH
}

fn is_mark(mark: &str) -> bool {
    mark.len() <= LONGEST_MARK && mark.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
}

#[cfg(test)]
mod tests {
    use super::is_own_page;

    #[test]
    fn only_pages_of_this_site_are_returned_to() {
        for own in ["/", "/registri/3", "/pacijenti/1?kartica=unosi#kraj", "/apis"] {
            assert!(is_own_page(own), "{own}");
        }
        for other in [
            "",
            "registri",
            "//drugi.rs",
            "/\\drugi.rs",
            "/\t/drugi.rs",
            "\\\\drugi.rs",
            "https://drugi.rs",
            "javascript:alert(1)",
            "/api/logout",
        ] {
            assert!(!is_own_page(other), "{other}");
        }
        assert!(!is_own_page(&format!("/{}", "a".repeat(2_000))));
    }
}
