//! What a call can end in besides success: one enum, its status, and its Serbian text.

use std::borrow::Cow;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::entry::form::FormError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::constraints;

pub type Result<T, E = Error> = std::result::Result<T, E>;

type Text = Cow<'static, str>;

#[derive(Debug)]
pub enum Error {
    /// 401: no session, or it has ended; the client asks for the password in place.
    SessionExpired,
    /// 401: the sign-in itself failed, whichever of the two was wrong.
    WrongCredentials,
    /// 403
    Forbidden,
    /// 404
    NotFound,
    /// 405
    MethodNotAllowed,
    /// 409: someone else was faster, or the thing exists.
    Conflict { field: Option<Text>, message: Text },
    /// 410: was there, is no more.
    Gone(Text),
    /// 413
    TooLarge,
    /// 422: the named field, or the whole, does not hold what it must.
    Invalid { field: Option<Text>, message: Text },
    /// 429
    TooManyAttempts { seconds: i64 },
    /// 429: a quota is used up.
    TooMany(Text),
    /// 503: the call took longer than any call may.
    TimedOut,
    /// 503: what would do the work is not there.
    Unavailable(Text),
    /// 500: logged here, never shown.
    Internal(anyhow::Error),
}

/// The body of every answer that is not a success.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// For people, in Serbian.
    pub message: String,
    /// The field of the request that the message is about.
    pub field: Option<String>,
}

impl Error {
    pub fn invalid(field: impl Into<Text>, message: impl Into<Text>) -> Self {
        Self::Invalid { field: Some(field.into()), message: message.into() }
    }

    /// The request as a whole cannot be understood.
    pub fn malformed(message: impl Into<Text>) -> Self {
        Self::Invalid { field: None, message: message.into() }
    }

    pub fn conflict(message: impl Into<Text>) -> Self {
        Self::Conflict { field: None, message: message.into() }
    }

    pub fn gone(message: impl Into<Text>) -> Self {
        Self::Gone(message.into())
    }

    pub fn too_many(message: impl Into<Text>) -> Self {
        Self::TooMany(message.into())
    }

    pub fn status(&self) -> StatusCode {
        match self {
            Self::SessionExpired | Self::WrongCredentials => StatusCode::UNAUTHORIZED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict { .. } => StatusCode::CONFLICT,
            Self::Gone(_) => StatusCode::GONE,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Invalid { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooManyAttempts { .. } | Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::TimedOut | Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn body(&self) -> ErrorBody {
        let (message, field) = match self {
            Self::SessionExpired => ("Prijava je istekla. Prijavite se ponovo.".into(), None),
            Self::WrongCredentials => ("Neispravno korisničko ime i/ili lozinka.".into(), None),
            Self::Forbidden => ("Nemate pravo na ovu radnju.".into(), None),
            Self::NotFound => ("Traženi podatak ne postoji.".into(), None),
            Self::MethodNotAllowed => ("Ovaj poziv nije podržan.".into(), None),
            Self::Conflict { field, message } | Self::Invalid { field, message } => (message.clone(), field.clone()),
            Self::Gone(message) | Self::TooMany(message) | Self::Unavailable(message) => (message.clone(), None),
            Self::TooLarge => ("Poslati podaci su preveliki.".into(), None),
            Self::TooManyAttempts { seconds } => (format!("Previše neuspešnih prijava. Pokušajte ponovo za {seconds} s.").into(), None),
            Self::TimedOut => ("Server nije odgovorio na vreme. Pokušajte ponovo.".into(), None),
            Self::Internal(_) => ("Došlo je do greške na serveru.".into(), None),
        };
        ErrorBody { message: message.into_owned(), field: field.map(Cow::into_owned) }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        if let Self::Internal(cause) = &self {
            // Display, never Debug: PostgreSQL's detail quotes the values of the row.
            tracing::error!(cause = format!("{cause:#}"), "the call failed");
        }
        let mut response = (self.status(), axum::Json(self.body())).into_response();
        if let Self::TooManyAttempts { seconds } = self {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// A rule of the database that the request broke becomes its message; anything else is ours to answer for.
impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match error.as_database_error().and_then(constraints::explain) {
            Some(explained) => explained,
            None => Self::Internal(error.into()),
        }
    }
}

impl From<FormError> for Error {
    fn from(error: FormError) -> Self {
        match error {
            FormError::Missing => Self::NotFound,
            FormError::Database(error) => error.into(),
            FormError::Formula { .. } => Self::Internal(error.into()),
        }
    }
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        Self::Internal(error)
    }
}
