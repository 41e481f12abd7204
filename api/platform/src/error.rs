//! What a call can end in besides success: one enum, its status, and its Serbian text.

use std::borrow::Cow;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{
    entry::form::FormError,
    refusal::Refusal,
    text::{ENTRIES, number_of},
};
use serde::Serialize;
use sqlx::{
    error::DatabaseError,
    postgres::{PgDatabaseError, PgSeverity},
};
use utoipa::ToSchema;

use crate::{constraints, last_change::Change};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// When it is worth asking again who was busy.
const BUSY_SECONDS: i64 = 2;

/// PostgreSQL's code for a statement, or a sign-in, that was ended for its time.
const QUERY_CANCELED: &str = "57014";
const TOO_MANY_CONNECTIONS: &str = "53300";
const ADMIN_SHUTDOWN: &str = "57P01";
const CRASH_SHUTDOWN: &str = "57P02";
const CANNOT_CONNECT_NOW: &str = "57P03";
/// A standby's answer to whoever writes: the primary is elsewhere, or will be.
const READ_ONLY: &str = "25006";
/// The class of what happens to connections: poolers and proxies have no other words.
const CONNECTION_FAILURES: &str = "08";

pub const WRONG_CODE: &str = "Kod nije ispravan, ili je već iskorišćen.";
pub const BAD_BODY: &str = "Poslati podaci nisu ispravni.";
pub const BAD_QUERY: &str = "Parametri poziva nisu ispravni.";

pub type Text = Cow<'static, str>;

#[derive(Debug)]
pub enum Error {
    /// 401: no session, or it has ended; the client asks for the password in place.
    SessionExpired,
    /// 401: the sign-in itself failed, whichever of the two was wrong.
    WrongCredentials,
    /// 401: the password was right; a code of the second step is asked for.
    CodeNeeded,
    /// 401: the code of the second step was wrong.
    WrongCode,
    /// 401: a link to a wall that shows nothing, whatever is the reason.
    WallClosed,
    /// 403
    Forbidden,
    /// 403, in words that say what is missing.
    Refused(Text),
    /// 404
    NotFound,
    /// 404, as if there were no such patient: the worker's institution does not know the one with this id. The log keeps the attempt.
    HiddenPatient(i64),
    /// 404, in words that say what to do.
    Missing(Text),
    /// 405
    MethodNotAllowed,
    /// 409: someone else was faster, or the thing exists.
    Conflict { field: Option<Text>, message: Text },
    /// 409: somebody has changed the record since it was loaded.
    Stale(Option<Change>),
    /// 409: others would be left without what is deleted; the places, each a sentence's part that names what and how many.
    InUse(Vec<String>),
    /// 409: the change makes stored results stale, and whoever asks for it has not said so.
    Differs(Impact),
    /// 409: schedules end with what is taken away, and whoever asks for it has not said so.
    Ends(Ending),
    /// 410: was there, is no more.
    Gone(Text),
    /// 413
    TooLarge,
    /// 422: the named field, or the whole, does not hold what it must.
    Invalid { field: Option<Text>, message: Text },
    /// 422: all that is wrong with a form, in its order; the first one is the message.
    Faults(Vec<Fault>),
    /// 422: possible, and so odd that a person must say that it is meant: the request is sent again with these in `potvrde`.
    Unconfirmed(Vec<Confirmation>),
    /// 428: a dangerous change, and the password was not given once more; the same again after that is done.
    PasswordNeeded(Text),
    /// 429
    TooManyAttempts { seconds: i64 },
    /// 429: a quota is used up.
    TooMany(Text),
    /// 503: the call took longer than any call may.
    TimedOut,
    /// 503: everything that could do it is busy, or the database is out of reach; the same again in a moment may well succeed.
    Busy,
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
    /// Where what was to be deleted is used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mesta: Vec<String>,
    /// What a change would make of stored results; sent again with `potvrdjenoRezultata`, it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uticaj: Option<Impact>,
    /// What would end with what is taken away; sent again with its `zakazivanja` as `potvrdjenoZakazivanja`, it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zavrsava: Option<Ending>,
    /// Who has changed the record since it was loaded, and when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub izmena: Option<Change>,
    /// Where several fields are wrong: each of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub greske: Vec<Fault>,
    /// What a person must confirm before this is saved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub potvrde: Vec<Confirmation>,
    /// Whether the password is asked for; the same request after `/api/session/confirm` is done.
    #[serde(rename = "potvrdaLozinkom", skip_serializing_if = "std::ops::Not::not")]
    pub potvrda_lozinkom: bool,
}

/// A field and what is wrong with it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FieldFault)]
pub struct Fault {
    #[schema(value_type = String)]
    pub field: Text,
    #[schema(value_type = String)]
    pub message: Text,
}

/// Something odd that a person confirms by sending its name in `potvrde`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Confirmation {
    #[schema(value_type = String)]
    pub oznaka: Text,
    /// What is odd, as a sentence.
    #[schema(value_type = String)]
    pub tekst: Text,
}

/// How much of what is stored a change makes stale.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct Impact {
    /// Entries of the forms that the change touches.
    pub unosa: i64,
    /// Stored values that differ, or were stored in another unit: what a confirmation must name.
    pub rezultata: i64,
    /// How many of them were stored in another unit, which only the sentence tells apart.
    #[serde(skip)]
    pub u_drugoj_jedinici: i64,
    /// There were too many to look at them all: at least so many.
    pub najmanje: bool,
    /// Of a change that concerns several forms: which of them it touches, and how much.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub formulari: Vec<FormImpact>,
}

/// What of an impact is one form's.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FormImpact {
    pub id: i64,
    pub naziv: String,
    /// The name of its register.
    pub registar: String,
    pub unosa: i64,
    pub rezultata: i64,
}

impl Impact {
    pub fn message(&self) -> String {
        let results = ["snimljeni rezultat se razlikuje", "snimljena rezultata se razlikuju", "snimljenih rezultata se razlikuje"];
        let units = ["vrednost je u ranijoj jedinici", "vrednosti su u ranijoj jedinici", "vrednosti je u ranijoj jedinici"];
        let mut parts = vec![number_of(self.unosa, ENTRIES)];
        let differing = self.rezultata - self.u_drugoj_jedinici;
        if differing > 0 || self.najmanje || self.u_drugoj_jedinici == 0 {
            let least = if self.najmanje { "najmanje " } else { "" };
            parts.push(format!("{least}{}", number_of(differing, results)));
        }
        if self.u_drugoj_jedinici > 0 {
            parts.push(number_of(self.u_drugoj_jedinici, units));
        }
        format!("Izmena menja značenje snimljenog: {}. Potvrdite izmenu.", parts.join(", "))
    }
}

/// Schedules that end with their report.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Ending {
    pub zakazivanja: i64,
    /// Whose they are.
    pub radnika: i64,
}

impl Ending {
    pub fn message(self) -> String {
        format!(
            "Time se završava: {} ({} radnika). Vlasnici dobijaju obaveštenje. Ponovno prikazivanje ili vraćanje izveštaja ne vraća zakazivanja. \
             Potvrdite.",
            number_of(self.zakazivanja, ["zakazano generisanje", "zakazana generisanja", "zakazanih generisanja"]),
            self.radnika
        )
    }
}

impl Error {
    pub fn invalid(field: impl Into<Text>, message: impl Into<Text>) -> Self {
        Self::Invalid { field: Some(field.into()), message: message.into() }
    }

    /// The request as a whole cannot be understood.
    pub fn malformed(message: impl Into<Text>) -> Self {
        Self::Invalid { field: None, message: message.into() }
    }

    pub fn refused(message: impl Into<Text>) -> Self {
        Self::Refused(message.into())
    }

    pub fn conflict(message: impl Into<Text>) -> Self {
        Self::Conflict { field: None, message: message.into() }
    }

    pub fn missing(message: impl Into<Text>) -> Self {
        Self::Missing(message.into())
    }

    pub fn gone(message: impl Into<Text>) -> Self {
        Self::Gone(message.into())
    }

    pub fn too_many(message: impl Into<Text>) -> Self {
        Self::TooMany(message.into())
    }

    /// The call was not wrong, so it is no error for somebody to look into; the log tells operators how the database was missed.
    fn out_of_reach(cause: &sqlx::Error) -> Self {
        tracing::warn!(%cause, "the database is out of reach");
        Self::Busy
    }

    pub fn status(&self) -> StatusCode {
        match self {
            Self::SessionExpired | Self::WrongCredentials | Self::CodeNeeded | Self::WrongCode | Self::WallClosed => {
                StatusCode::UNAUTHORIZED
            }
            Self::Forbidden | Self::Refused(_) => StatusCode::FORBIDDEN,
            Self::NotFound | Self::HiddenPatient(_) | Self::Missing(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict { .. } | Self::Stale(_) | Self::InUse(_) | Self::Differs(_) | Self::Ends(_) => StatusCode::CONFLICT,
            Self::Gone(_) => StatusCode::GONE,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Invalid { .. } | Self::Faults(_) | Self::Unconfirmed(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::PasswordNeeded(_) => StatusCode::PRECONDITION_REQUIRED,
            Self::TooManyAttempts { .. } | Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::TimedOut | Self::Busy | Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    pub fn body(&self) -> ErrorBody {
        let (message, field) = match self {
            Self::SessionExpired => ("Prijava je istekla. Prijavite se ponovo.".into(), None),
            Self::WrongCredentials => ("Neispravno korisničko ime i/ili lozinka.".into(), None),
            Self::CodeNeeded => ("Unesite kod iz aplikacije na telefonu.".into(), Some("kod".into())),
            Self::WrongCode => (WRONG_CODE.into(), Some("kod".into())),
            Self::WallClosed => ("Ova veza ne prikazuje tablu. Novu daje ko u ustanovi ima pravo „Prikazi na zidu”.".into(), None),
            Self::Forbidden => ("Nemate pravo na ovu radnju.".into(), None),
            Self::NotFound | Self::HiddenPatient(_) => ("Traženi podatak ne postoji.".into(), None),
            Self::MethodNotAllowed => ("Ovaj poziv nije podržan.".into(), None),
            Self::Conflict { field, message } | Self::Invalid { field, message } => (message.clone(), field.clone()),
            Self::Stale(_) => ("Podatak je u međuvremenu izmenjen. Učitajte ga ponovo.".into(), None),
            Self::InUse(places) => (format!("Ne može se obrisati jer se koristi: {}.", places.join("; ")).into(), None),
            Self::Differs(impact) => (impact.message().into(), None),
            Self::Ends(ending) => (ending.message().into(), None),
            Self::Faults(faults) => match faults.first() {
                Some(first) => (first.message.clone(), Some(first.field.clone())),
                None => (BAD_BODY.into(), None),
            },
            Self::Unconfirmed(asked) => (asked.iter().map(|one| &*one.tekst).collect::<Vec<_>>().join(" ").into(), None),
            Self::Refused(message)
            | Self::Missing(message)
            | Self::Gone(message)
            | Self::PasswordNeeded(message)
            | Self::TooMany(message)
            | Self::Unavailable(message) => (message.clone(), None),
            Self::TooLarge => ("Poslati podaci su preveliki.".into(), None),
            Self::TooManyAttempts { seconds } => (format!("Previše neuspešnih prijava. Pokušajte ponovo za {seconds} s.").into(), None),
            Self::TimedOut => ("Server nije odgovorio na vreme. Pokušajte ponovo.".into(), None),
            Self::Busy => ("Server je trenutno zauzet. Pokušajte ponovo za koji trenutak.".into(), None),
            Self::Internal(_) => ("Došlo je do greške na serveru.".into(), None),
        };
        let uticaj = if let Self::Differs(impact) = self { Some(impact.clone()) } else { None };
        let potvrda_lozinkom = matches!(self, Self::PasswordNeeded(_));
        let zavrsava = if let Self::Ends(ending) = self { Some(*ending) } else { None };
        let izmena = if let Self::Stale(change) = self { change.clone() } else { None };
        let mesta = if let Self::InUse(places) = self { places.clone() } else { Vec::new() };
        let (greske, potvrde) = match self {
            Self::Faults(faults) if faults.len() > 1 => (faults.clone(), Vec::new()),
            Self::Unconfirmed(asked) => (Vec::new(), asked.clone()),
            _ => (Vec::new(), Vec::new()),
        };
        ErrorBody {
            message: message.into_owned(),
            field: field.map(Cow::into_owned),
            mesta,
            uticaj,
            zavrsava,
            izmena,
            greske,
            potvrde,
            potvrda_lozinkom,
        }
    }
}

/// Told to the log by an answer that says nothing of it.
#[derive(Debug, Clone, Copy)]
pub struct HiddenPatient(pub i64);

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        if let Self::Internal(cause) = &self {
            // Display, never Debug: PostgreSQL's detail quotes the values of the row.
            tracing::error!(cause = format!("{cause:#}"), "the call failed");
        }
        let mut response = (self.status(), axum::Json(self.body())).into_response();
        let retry_after = match self {
            Self::TooManyAttempts { seconds } => Some(seconds),
            Self::Busy => Some(BUSY_SECONDS),
            _ => None,
        };
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Self::HiddenPatient(id) = self {
            response.extensions_mut().insert(HiddenPatient(id));
        }
        response
    }
}

/// Whether nobody could sign in to the database in time, or it went away: it starts or stops, has no connection left, or had no time to ask
/// for the password.
fn is_out_of_reach(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) => true,
        // A proxy with nobody behind it closes where PostgreSQL says whether it encrypts.
        sqlx::Error::Protocol(said) => said.contains("SSLRequest: 0x00"),
        sqlx::Error::Database(said) => said.try_downcast_ref::<PgDatabaseError>().is_some_and(|said| match said.code() {
            TOO_MANY_CONNECTIONS | ADMIN_SHUTDOWN | CRASH_SHUTDOWN | CANNOT_CONNECT_NOW | READ_ONLY => true,
            code if code.starts_with(CONNECTION_FAILURES) => true,
            // A statement that is ended for its time leaves its connection open; only signing in ends with it.
            QUERY_CANCELED => said.severity() == PgSeverity::Fatal,
            _ => false,
        }),
        _ => false,
    }
}

/// A rule of the database that the request broke becomes its message; anything else is ours to answer for.
impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if is_out_of_reach(&error) {
            return Self::out_of_reach(&error);
        }
        let refusal = error.as_database_error();
        if refusal.and_then(DatabaseError::code).is_some_and(|code| code == QUERY_CANCELED) {
            return Self::TimedOut;
        }
        match refusal.and_then(constraints::explain) {
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

impl From<Refusal> for Error {
    fn from(Refusal { property, message }: Refusal) -> Self {
        Self::invalid(property, message)
    }
}

/// Ends in the first of them, where there is any.
pub fn refuse_first(refusals: impl IntoIterator<Item = Refusal>) -> Result<()> {
    refusals.into_iter().next().map_or(Ok(()), |refusal| Err(refusal.into()))
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Internal(error.into())
    }
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        match error.chain().find_map(|cause| cause.downcast_ref::<sqlx::Error>()).filter(|cause| is_out_of_reach(cause)) {
            Some(cause) => Self::out_of_reach(cause),
            None => Self::Internal(error),
        }
    }
}
