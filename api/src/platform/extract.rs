//! Body, path and query of a call; what does not fit is answered with the API's own error, never with axum's text.

use axum::{
    extract::{
        FromRequest, FromRequestParts,
        rejection::{JsonRejection, PathRejection, QueryRejection},
    },
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::error::{BAD_BODY, BAD_QUERY, Error};

#[derive(FromRequest)]
#[from_request(via(axum::Json), rejection(Error))]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Error))]
pub struct Path<T>(pub T);

#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Error))]
pub struct Query<T>(pub T);

impl From<JsonRejection> for Error {
    fn from(rejection: JsonRejection) -> Self {
        match rejection {
            JsonRejection::BytesRejection(_) if rejection.status() == 413 => Self::TooLarge,
            // Why not is not logged: the reason quotes what was sent.
            _ => Self::malformed(BAD_BODY),
        }
    }
}

/// A path that names nothing: `/api/workers/abc` is as absent as `/api/workers/0`.
impl From<PathRejection> for Error {
    fn from(_: PathRejection) -> Self {
        Self::NotFound
    }
}

impl From<QueryRejection> for Error {
    fn from(_: QueryRejection) -> Self {
        Self::malformed(BAD_QUERY)
    }
}
