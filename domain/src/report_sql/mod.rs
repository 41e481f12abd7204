//! SQL that reports and parameter types bring: named binds, the report role, the scope of the asking worker, limits.
//!
//! The text is trusted as far as the report role goes and no further. Values never become text: each `:name` is a
//! parameter of the extended protocol, typed `text` or `text[]`; those of an initial value are `bigint` and `date`. The statement runs through a cursor in a read-only
//! transaction of the report role, on views that show what `report_scope` says of the connection's own backend.

mod author;
mod calls;
mod copies;
mod groups;
mod naming;
mod notice;
mod parameter_kind;
mod replica;
mod session;
mod small;
mod statement;
mod value;

use std::collections::BTreeMap;

use jiff::civil::Date;
use sqlx::postgres::{PgDatabaseError, PgErrorPosition};
use uuid::Uuid;

pub use groups::GROUP_COLUMN;
pub use naming::{NamedPatients, PatientOf};
pub use notice::{Notice, leaves_years_untold};
pub use parameter_kind::ParameterKind;
pub use session::{PlannedStatement, ReportDb, ResultColumn, Session};
pub use small::{OPTIONS_TIMEOUT, Small};
pub use statement::{Fault, Place, Statement};
pub use value::{READABLE, Readable, Value, is_readable};

/// The column by which a report's query names the patient of each row, printed or not: the record of looks reads it.
pub const PATIENT_COLUMN: &str = "pacijent_id";

/// What whoever asks for a report is told of [`ReportSqlError::NoIdentity`].
pub const NO_IDENTITY: &str = "čita imena ili druge podatke o ličnosti pacijenata, a vaše uloge ne otvaraju pacijente.";

/// What whoever asks for a report is told of [`ReportSqlError::Ungrouped`].
pub const UNGROUPED: &str = "čita pacijente svih ustanova, a ne kaže koje pacijente drži koji red.";
/// How it is mended.
pub const HOW_TO_GROUP: &str = "Izveštaj nad svim ustanovama prikazuje samo grupe sa dovoljno pacijenata. Dodajte kolonu koja se ne štampa: \
                                array_agg(distinct u.pacijent_id) as grupa_pacijenata. Jednostavan izveštaj je dobija kada se ponovo snimi i objavi.";

/// Whose data a connection may see. Whether it names patients is asked of the worker's roles when it is opened.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    pub run: Option<Uuid>,
    pub radnik_id: i64,
    /// `None`: every institution and nobody's identity, for reports whose `obim` is "sve".
    pub ustanova_id: Option<i64>,
}

/// The value of a bind; `None` is null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bind {
    Text(Option<String>),
    List(Option<Vec<String>>),
    /// An id, so that it is compared with one.
    Int(Option<i64>),
    Date(Option<Date>),
}

/// Values by the names that the SQL uses, without the colon.
pub type Binds = BTreeMap<String, Bind>;

/// Names whose values are the server's: no parameter may be called so, since what is typed for it would go nowhere.
pub const OF_THE_SESSION: [&str; 3] = ["radnikID", "ustanovaID", "registarID"];

/// The binds that every statement may use: who asks, from where.
pub fn session_binds(worker: i64, institution: i64, register: Option<i64>) -> Binds {
    let values = [Some(worker), Some(institution), register];
    OF_THE_SESSION.into_iter().zip(values).map(|(name, id)| (name.to_owned(), Bind::Text(id.map(|id| id.to_string())))).collect()
}

/// What can go wrong with a report's SQL. The texts are for the log, so none of them quotes a value; none is for a user.
#[derive(Debug, thiserror::Error)]
pub enum ReportSqlError {
    #[error("the statement does not scan: {0}")]
    Scan(#[from] Fault),
    #[error("no value for the bind {0}")]
    MissingBind(String),
    /// The statement ran out of time, or its caller stopped it.
    #[error("the statement was stopped")]
    Stopped,
    /// Somebody else cancelled the statement on the server before its time was over: a database administrator.
    #[error("the statement was cancelled on the server")]
    Interrupted,
    /// The role may not do this, or the statement is not a plain query.
    #[error("refused ({}): {}", .0.code, .0.message)]
    Refused(ServerMessage),
    /// The statement reads who a patient is, and the worker's roles open no patient.
    #[error("refused for lack of identity ({}): {}", .0.code, .0.message)]
    NoIdentity(ServerMessage),
    /// The statement is wrong, or wrong for these values.
    #[error("query ({}): {}", .0.code, .0.message)]
    Query(ServerMessage),
    /// Over all institutions the statement reads patients and does not say whose data a row holds.
    #[error("a row over all institutions does not say whose data it holds")]
    Ungrouped,
    /// It says so of a cell that is not there.
    #[error("there is no column {0} that its patients could guard")]
    UnknownCell(String),
    #[error("more rows over all institutions than can be judged together")]
    TooManyGroups,
    #[error("column {column} has the unsupported type {kind}")]
    UnsupportedType { column: String, kind: String },
    #[error("column {column} holds a value that does not fit: {detail}")]
    Unreadable { column: String, detail: String },
    /// The database went away or is overloaded: worth trying again.
    #[error("database: {0}")]
    Passing(#[source] sqlx::Error),
}

/// Instead of a message of the server's that is about data.
const UNTOLD: &str = "its text may quote a value";

/// What the server said of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerMessage {
    pub code: String,
    /// Never quotes a value.
    pub message: String,
    pub hint: Option<String>,
    /// Where in the statement's source.
    pub place: Option<Place>,
}

impl ServerMessage {
    /// Whether the message is about the statement, and not about data, which it would quote. A value that is read as a name or as an
    /// expression while the statement runs is told by the same codes (`to_tsquery`, a cast to `regclass`), but without a place in it, or
    /// with a place in a text of the data.
    fn is_of_statement(fault: &PgDatabaseError) -> bool {
        let parsed = || match fault.position() {
            Some(PgErrorPosition::Original(_)) => true,
            Some(PgErrorPosition::Internal { .. }) => false,
            // A type's name is read from data as well (a cast to `regtype`).
            None => fault.file().is_some_and(|file| (file.starts_with("parse_") && file != "parse_type.c") || file == "analyze.c"),
        };
        match (fault.code(), fault.code().get(..2)) {
            ("42501", _) => fault.message().starts_with("permission denied for ") || parsed(),
            (_, Some("25")) => true,
            (_, Some("42" | "0A")) => parsed(),
            _ => false,
        }
    }

    /// As the server says of what it cannot hold while it plans.
    fn of_copies() -> Self {
        Self { code: "54001".to_owned(), message: UNTOLD.to_owned(), hint: None, place: None }
    }

    fn of_function(name: &str) -> Self {
        Self { code: "42501".to_owned(), message: format!("permission denied for function {name}"), hint: None, place: None }
    }

    /// A refusal at the one relation of which the roles without names read some columns only.
    fn is_of_identity(&self) -> bool {
        self.code == "42501" && self.message.ends_with("pacijent")
    }

    /// For whoever wrote the statement: what is wrong with it, with the server's own words, or what is wrong with the data without quoting it.
    pub fn for_author(&self) -> String {
        if self.message != UNTOLD {
            return author::told(&self.code, &self.message);
        }
        let what = match self.code.as_str() {
            "22012" => "deljenje nulom",
            "22P02" | "22007" | "22008" => "vrednost u podacima ne može da se pretvori u traženi tip",
            "22003" => "broj u podacima je van opsega svog tipa",
            "21000" => "podupit je vratio više od jednog reda",
            "53400" => "upit traži previše prostora na serveru",
            "53200" => "upit traži previše memorije na serveru",
            "54001" => {
                "podupiti se umnožavaju: isti izraz bi se računao više hiljada puta; podupit koji se više puta koristi napišite kao with … as materialized"
            }
            "54000" => "tekst koji upit pravi je predugačak: repeat, lpad i rpad prave do 10.000 slova",
            "42501" | "25006" => "upit izveštaja samo čita poglede",
            "0A000" => "upit traži nešto što baza ili izveštaji ne podržavaju",
            _ => "upit nije uspeo zbog vrednosti u podacima",
        };
        format!("{what} ({})", self.code)
    }

    /// What helps whoever wrote the statement.
    pub fn hint_for_author(&self) -> Option<String> {
        author::hint(&self.code, &self.message, self.hint.as_deref())
    }
}

impl ReportSqlError {
    fn at(self, place: Option<Place>) -> Self {
        match self {
            Self::Refused(said) => Self::Refused(ServerMessage { place, ..said }),
            Self::Query(said) => Self::Query(ServerMessage { place, ..said }),
            other => other,
        }
    }

    /// Of a write of ours around a report's statement: a server that takes none has become a standby, or is none any more, and the report has
    /// done nothing that could be refused.
    fn of_own_write(error: sqlx::Error) -> Self {
        let is_read_only = error.as_database_error().and_then(|fault| fault.code()).is_some_and(|code| code == "25006");
        if is_read_only { Self::Passing(error) } else { error.into() }
    }

    fn for_lack_of_identity(self) -> Self {
        match self {
            Self::Refused(said) if said.is_of_identity() => Self::NoIdentity(said),
            other => other,
        }
    }
}

impl From<sqlx::Error> for ReportSqlError {
    fn from(error: sqlx::Error) -> Self {
        let sqlx::Error::Database(fault) = &error else { return Self::Passing(error) };
        let code = fault.code().unwrap_or_default().into_owned();
        // What is wrong with a statement is told in its words; what is wrong with data, by quoting the data.
        let told = fault.try_downcast_ref::<PgDatabaseError>().filter(|fault| ServerMessage::is_of_statement(fault));
        let message = told.map_or(UNTOLD, PgDatabaseError::message).to_owned();
        let hint = told.and_then(PgDatabaseError::hint).map(str::to_owned);
        let said = || ServerMessage { code: code.clone(), message: message.clone(), hint: hint.clone(), place: None };
        match (code.as_str(), code.get(..2).unwrap_or_default()) {
            ("57014", _) => Self::Interrupted,
            ("42501" | "42601" | "25006" | "0A000", _) => Self::Refused(said()),
            // Too much in temporary files, or more memory than a process of the server has: the statement's own doing.
            ("53400" | "53200", _) => Self::Query(said()),
            // Connection, serialisation, lack of resources, shutdown: not the statement's fault.
            (_, "08" | "40" | "53" | "57" | "58" | "55") => Self::Passing(error),
            _ => Self::Query(said()),
        }
    }
}

/// Removes scopes whose backend is gone; their owner died before it could. Processes of another server are not known here: what is left
/// of them goes after a day, longer than any statement runs.
pub async fn sweep_scopes(app: &sqlx::PgPool) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "delete from report_scope s
          where case when s.server_od = pg_postmaster_start_time()
                     then s.created_at < clock_timestamp() - interval '1 minute'
                          and not exists (select from pg_stat_activity a where a.pid = s.pid)
                     else s.created_at < clock_timestamp() - interval '1 day' end"
    )
    .execute(app)
    .await?;
    Ok(done.rows_affected())
}
