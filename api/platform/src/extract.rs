//! Body, path and query of a call; what does not fit is answered with the API's own error, never with axum's text.

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request, rejection::PathRejection},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    error::{BAD_BODY, Error},
    reading,
};

pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        if !is_json(request.headers()) {
            return Err(Error::malformed("Podaci se šalju kao JSON (Content-Type: application/json)."));
        }
        let sent = Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Error::TooLarge,
            // Why not is not logged: the reason quotes what was sent.
            _ => Error::malformed(BAD_BODY),
        })?;
        reading::body(&sent).map(Self)
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let sent = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (kind, _) = sent.split_once(';').unwrap_or((sent, ""));
    let kind = kind.trim().to_ascii_lowercase();
    kind == "application/json" || kind.starts_with("application/") && kind.ends_with("+json")
}

#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Error))]
pub struct Path<T>(pub T);

/// A path that names nothing: `/api/workers/abc` is as absent as `/api/workers/0`.
impl From<PathRejection> for Error {
    fn from(_: PathRejection) -> Self {
        Self::NotFound
    }
}

pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        reading::query(&parts.uri).map(Self)
    }
}
