//! Speaking with the provider: where the browser is sent, and what the token says that its code is exchanged for. Its description and its
//! keys are read anew each time, which is seldom enough: a changed key is known at once, and a provider that is away is noticed before
//! the browser goes there.

use std::time::Duration;

use anyhow::Context;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use futures::future::BoxFuture;
use jiff::{SignedDuration, Timestamp};
use openidconnect::{
    AccessToken, AdditionalClaims, AsyncHttpClient, AuthType, AuthorizationCode, CsrfToken, DiscoveryError, EndpointMaybeSet,
    EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, OAuth2TokenResponse, PkceCodeChallenge, RedirectUrl, RequestTokenError, Scope,
    SubjectIdentifier, TokenResponse, UserInfoClaims, UserInfoError,
    core::{
        CoreAuthPrompt, CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreGenderClaim, CoreIdToken, CoreIdTokenClaims,
        CoreJwsSigningAlgorithm, CoreProviderMetadata,
    },
    url::Url,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{browser::Browser, settings::Settings};

/// So long the provider may take for an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// So far its clock may be from ours.
const SKEW: SignedDuration = SignedDuration::from_secs(30);
/// Signatures of a key that the provider alone has: neither none, nor one that whoever knows the client's secret could make.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

#[derive(Clone)]
pub struct Provider {
    settings: Settings,
    redirect: RedirectUrl,
    http: Http,
}

/// Why the provider let nobody in. The text is for the log and names nobody.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("the provider of sign-ins does not answer: {0:#}")]
    Away(anyhow::Error),
    #[error("what the provider of sign-ins says is not believed: {0:#}")]
    Wrong(anyhow::Error),
}

/// Whom the provider has let in.
#[derive(Debug)]
pub struct Identity {
    pub izdavalac: String,
    pub subjekat: String,
    /// The worker's user name, where it tells one.
    pub username: Option<String>,
    /// When she proved to it who she is, where it tells.
    pub authenticated_at: Option<Timestamp>,
    /// It has asked for a second step.
    pub second_step: bool,
}

impl Identity {
    /// Whether she has proved it since then.
    pub fn is_fresher_than(&self, since: Timestamp) -> bool {
        self.authenticated_at.is_some_and(|at| at + SKEW >= since)
    }
}

impl Provider {
    pub fn new(settings: Settings, public_url: &str) -> anyhow::Result<Self> {
        let redirect = RedirectUrl::new(format!("{public_url}/api/oidc/callback")).context("PUBLIC_URL is no address")?;
        let mut http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(PATIENCE);
        if let Some(pem) = &settings.authorities {
            http = http.tls_certs_only(reqwest::Certificate::from_pem_bundle(pem).context("OIDC_ISSUER: sslrootcert")?);
        }
        Ok(Self { settings, redirect, http: Http(http.build()?) })
    }

    pub fn label(&self) -> &str {
        &self.settings.label
    }

    pub fn issuer(&self) -> &str {
        self.settings.issuer.as_str()
    }

    /// Where the browser signs in; it comes back with `state`. `again`: whoever is signed in there proves anew who she is; else who has
    /// done so within `max_age` is let through.
    pub async fn address(&self, state: String, browser: &Browser, again: bool, max_age: Option<Duration>) -> Result<Url, Failure> {
        let client = self.client(self.describe().await?).set_redirect_uri(self.redirect.clone());
        let nonce = browser.nonce();
        let mut request = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, || CsrfToken::new(state), || nonce)
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&browser.verifier()))
            .add_scopes(["profile", "email"].map(|scope| Scope::new(scope.to_owned())));
        if again {
            request = request.add_prompt(CoreAuthPrompt::Login).set_max_age(Duration::ZERO);
        } else if let Some(max_age) = max_age {
            request = request.set_max_age(max_age);
        }
        Ok(request.url().0)
    }

    /// Whom the code of a callback stands for.
    pub async fn identity(&self, code: String, browser: &Browser, now: Timestamp) -> Result<Identity, Failure> {
        let client = self.client(self.describe().await?).set_redirect_uri(self.redirect.clone());
        let exchange = client.exchange_code(AuthorizationCode::new(code)).map_err(wrong)?.set_pkce_verifier(browser.verifier());
        let answer = exchange.request_async(&self.http).await.map_err(|error| match error {
            RequestTokenError::Request(error) => away(error),
            other => wrong(other),
        })?;
        let token = answer.id_token().context("there is no ID token").map_err(Failure::Wrong)?;
        let verifier = client.id_token_verifier().set_allowed_algs(ALGORITHMS).set_time_fn(move || std::time::SystemTime::from(now).into());
        let claims = token.claims(&verifier, &browser.nonce()).map_err(wrong)?;
        let mut told = payload(token)?;
        if !told.contains_key(&self.settings.claim) {
            told = self.user_info(&client, answer.access_token().clone(), claims.subject().clone()).await?;
        }
        Ok(Identity {
            izdavalac: claims.issuer().to_string(),
            subjekat: claims.subject().to_string(),
            username: username(&told, &self.settings.claim),
            authenticated_at: claims.auth_time().and_then(|at| Timestamp::from_second(at.timestamp()).ok()),
            second_step: self.is_second_step(claims),
        })
    }

    async fn describe(&self) -> Result<CoreProviderMetadata, Failure> {
        CoreProviderMetadata::discover_async(self.settings.issuer.clone(), &self.http).await.map_err(|error| match error {
            DiscoveryError::Request(error) => away(error),
            DiscoveryError::Response(status, ..) if status.is_server_error() => Failure::Away(anyhow::anyhow!("it answers {status}")),
            other => wrong(other),
        })
    }

    fn client(&self, described: CoreProviderMetadata) -> Client {
        let takes = |method| described.token_endpoint_auth_methods_supported().is_some_and(|methods| methods.contains(&method));
        let in_body = takes(CoreClientAuthMethod::ClientSecretPost) && !takes(CoreClientAuthMethod::ClientSecretBasic);
        let (id, secret) = (self.settings.client_id.clone(), self.settings.client_secret.clone());
        let client = CoreClient::from_provider_metadata(described, id, Some(secret));
        if in_body { client.set_auth_type(AuthType::RequestBody) } else { client }
    }

    /// What the provider tells about her apart from the token.
    async fn user_info(&self, client: &Client, token: AccessToken, subject: SubjectIdentifier) -> Result<Map<String, Value>, Failure> {
        let Ok(request) = client.user_info(token, Some(subject)) else { return Ok(Map::new()) };
        let claims: UserInfoClaims<AllClaims, CoreGenderClaim> = request.request_async(&self.http).await.map_err(|error| match error {
            UserInfoError::Request(error) => away(error),
            other => wrong(other),
        })?;
        match serde_json::to_value(&claims).map_err(wrong)? {
            Value::Object(claims) => Ok(claims),
            _ => Ok(Map::new()),
        }
    }

    fn is_second_step(&self, claims: &CoreIdTokenClaims) -> bool {
        let by_acr = claims.auth_context_ref().is_some_and(|acr| self.settings.mfa_acr.iter().any(|known| known == acr.as_str()));
        by_acr || claims.auth_method_refs().is_some_and(|methods| methods.iter().any(|method| method.as_str() == "mfa"))
    }
}

/// The crate is given our client of HTTP.
#[derive(Clone)]
struct Http(reqwest::Client);

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = reqwest::Error;
    type Future = BoxFuture<'c, Result<HttpResponse, reqwest::Error>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let answer = self.0.execute(request.try_into()?).await?;
            let (status, headers) = (answer.status(), answer.headers().clone());
            let mut response = HttpResponse::new(answer.bytes().await?.to_vec());
            (*response.status_mut(), *response.headers_mut()) = (status, headers);
            Ok(response)
        })
    }
}

type Client = CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

/// Whatever the provider tells: the worker's name may be any of it.
#[derive(Debug, Deserialize, Serialize)]
#[serde(transparent)]
struct AllClaims(Map<String, Value>);

impl AdditionalClaims for AllClaims {}

fn away(error: reqwest::Error) -> Failure {
    Failure::Away(error.into())
}

fn wrong(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::Wrong(error.into())
}

/// All claims of a token that has been verified.
fn payload(token: &CoreIdToken) -> Result<Map<String, Value>, Failure> {
    let text = token.to_string();
    let part = text.split('.').nth(1).unwrap_or_default();
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(part).map_err(wrong)?;
    serde_json::from_slice(&bytes).map_err(wrong)
}

/// Anybody may write somebody else's address into an account: one that the provider has not verified names nobody.
fn username(told: &Map<String, Value>, claim: &str) -> Option<String> {
    let name = told.get(claim)?.as_str()?.trim();
    let unproven = claim == "email" && told.get("email_verified") != Some(&Value::Bool(true));
    (!name.is_empty() && !unproven).then(|| name.to_owned())
}
