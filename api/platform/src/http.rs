//! What surrounds every call: request id, access log, security headers, limits, compression, and a net for panics.

use std::{
    any::Any,
    net::{IpAddr, SocketAddr},
    time::{Duration, Instant},
};

use axum::{
    Router,
    extract::{ConnectInfo, DefaultBodyLimit, FromRequestParts, MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, header, request::Parts},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use domain::{request_id, traces};
use tower_http::{catch_panic::CatchPanicLayer, compression::CompressionLayer};
use tracing::Instrument;
use uuid::Uuid;

use crate::{error::Error, state::AppState};

/// A picture of 1,000,000 bytes is 1.34 MB as base64; nothing else that is sent comes near.
const BODY_LIMIT: usize = 4 << 20;
/// No call may take longer: what does is a report, and reports run elsewhere.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// But for a file of an entry: ten megabytes take their time on a slow line.
const UPLOAD_TIME_LIMIT: Duration = Duration::from_secs(300);
const UPLOADS: &str = "/api/entry-files";

/// Scripts and styles come from files only; what the page's own scripts set by the object model is no inline style. Pictures are data
/// and blobs too.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; \
     base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

const SECURITY_HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Puts the layers around the router, the outermost last.
pub fn layers(router: Router<AppState>, state: &AppState) -> Router<AppState> {
    router
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(middleware::from_fn(time_limit))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(state.clone(), security_headers))
        .layer(middleware::from_fn_with_state(state.clone(), access_log))
}

/// Refuses a body that says it is longer than `most` bytes before any of it is read; one that does not say ends there while it is read.
pub async fn refuse_longer(State(most): State<usize>, request: Request, next: Next) -> Response {
    let says = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if says.is_some_and(|length| length > most) { Error::TooLarge.into_response() } else { next.run(request).await }
}

/// One line a call: no query string, no body, no name; the session adds its worker's id. The call keeps the id that the browser or the
/// proxy gave it, which goes on to what the call asks of the engines.
async fn access_log(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let given = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(|id| request_id::is_valid(id));
    let id = given.map_or_else(|| Uuid::now_v7().to_string(), str::to_owned);
    let mut response = request_id::within(id.clone(), answered(&state, &id, request, next)).await;
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

async fn answered(state: &AppState, id: &str, request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let route = request.extensions().get::<MatchedPath>().map_or_else(|| "*".to_owned(), |route| route.as_str().to_owned());
    let span = tracing::info_span!("call", zahtev = %id, radnik = tracing::field::Empty);
    let area = area(&route).to_owned();
    traces::name(&span, format!("{method} {route}"), [("http.request.method", method.to_string()), ("http.route", route)]);
    let started = Instant::now();
    let response = next.run(request).instrument(span.clone()).await;
    let deed = if method.is_safe() { "read" } else { "write" };
    let class = format!("{}xx", response.status().as_u16() / 100);
    state.vitals.answers.observe([("area", &area), ("deed", deed), ("class", &class)], started.elapsed());
    span.in_scope(|| {
        tracing::info!(%method, path, status = response.status().as_u16(), ms = started.elapsed().as_millis() as u64, "answered");
    });
    response
}

/// What part of the API a route belongs to: a word of the routes themselves, of which there are some dozens.
fn area(route: &str) -> &str {
    route.strip_prefix("/api/").map_or("web", |rest| rest.split('/').next().unwrap_or_default())
}

async fn security_headers(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let of_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in SECURITY_HEADERS {
        // A file that was attached to an entry has a stricter policy of its own.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if of_api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    if state.config.public_url.starts_with("https://") {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    response
}

async fn time_limit(request: Request, next: Next) -> Response {
    let limit = if request.uri().path() == UPLOADS { UPLOAD_TIME_LIMIT } else { TIME_LIMIT };
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Error::TimedOut.into_response(),
    }
}

/// The panic hook has logged where and why; the client learns only that the call failed.
fn panicked(_: Box<dyn Any + Send>) -> Response {
    Error::Internal(anyhow::anyhow!("a handler panicked")).into_response()
}

/// The address a call comes from; none where the server was not told (a call within a test).
pub struct ClientAddress(pub Option<IpAddr>);

impl FromRequestParts<AppState> for ClientAddress {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Self::Rejection> {
        let peer = ConnectInfo::<SocketAddr>::from_request_parts(parts, state).await.ok().map(|ConnectInfo(address)| address.ip());
        let hops =
            parts.headers.get_all("x-forwarded-for").iter().filter_map(|header| header.to_str().ok()).flat_map(|list| list.split(','));
        Ok(Self(peer.map(|peer| state.proxies.client(peer, hops))))
    }
}
