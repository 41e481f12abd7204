//! Why a run did not end well, and what its reader is told: plain Serbian with advice, never an internal message.

use std::time::Duration;

use domain::{
    access::NoReports,
    artifacts::StoreError,
    exports::TellingDay,
    report_sql::{HOW_TO_GROUP, NO_IDENTITY, ReportSqlError, UNGROUPED},
    runs::{Failure, FailureCode},
    shown,
};
use serde_json::{Value as Json, json};
use tokio::task::JoinError;

use crate::{
    disk::is_full,
    export::Fault,
    jobs::StopReason,
    plan::{Format, TemplateError},
    render::{NO_ROOM, NOT_WRITTEN, RenderError},
    template::LoadError,
};

/// How a run stopped short of success.
#[derive(Debug)]
pub enum Stop {
    /// A person asked for it.
    Cancelled,
    /// Another engine may hold the run: nothing may be written.
    Lost,
    /// The engine goes down; the run goes back to the queue.
    Shutdown,
    /// A fault that may pass: the run is tried again later.
    Passing,
    /// The store of artifacts is out of reach; the run is tried again later.
    StoreAway,
    Failed(Failure),
}

impl Stop {
    /// The end of a run that was stopped from outside.
    pub fn because(self, why: StopReason) -> Self {
        match why {
            StopReason::Cancelled => Stop::Cancelled,
            StopReason::Lost => Stop::Lost,
            StopReason::Shutdown => Stop::Shutdown,
            StopReason::TimeLimit(limit) => Stop::Failed(too_long(limit)),
        }
    }

    /// A defect of ours: the message is for the log, where it has been written by the panic itself.
    pub fn panicked(error: &JoinError) -> Self {
        tracing::error!(panic = error.is_panic(), "a task of the run panicked");
        failure(FailureCode::Internal, "Došlo je do greške pri izradi izveštaja. Obratite se administratoru.").into()
    }
}

impl From<sqlx::Error> for Stop {
    fn from(error: sqlx::Error) -> Self {
        tracing::warn!(%error, "the database failed during a run");
        Stop::Passing
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        tracing::error!(%error, "a run could not be stored");
        failure(FailureCode::Storage, if is_full(&error) { NO_ROOM } else { NOT_WRITTEN }).into()
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Io(error) => error.into(),
            StoreError::Away(_) => {
                tracing::warn!(%error, "the files of a run could not be kept");
                Stop::StoreAway
            }
        }
    }
}

impl From<ReportSqlError> for Stop {
    fn from(error: ReportSqlError) -> Self {
        tracing::warn!(%error, "the query of a run failed");
        match error {
            ReportSqlError::Passing(_) => Stop::Passing,
            other => Stop::Failed(Failure { detail: told_to_author(&other), ..query(&other) }),
        }
    }
}

/// What whoever writes the report is told of a query that failed: the server's words and place, never a value of the data.
fn told_to_author(error: &ReportSqlError) -> Option<Json> {
    match error {
        ReportSqlError::Scan(fault) => {
            Some(json!({ "poruka": fault.in_serbian(), "mesto": fault.line().map(|red| json!({ "red": red, "kolona": 1 })) }))
        }
        ReportSqlError::Refused(said) | ReportSqlError::NoIdentity(said) | ReportSqlError::Query(said) => {
            Some(json!({ "poruka": said.for_author(), "savet": said.hint_for_author(), "mesto": said.place }))
        }
        ReportSqlError::Ungrouped => Some(json!({ "poruka": format!("Upit {UNGROUPED}"), "savet": HOW_TO_GROUP })),
        ReportSqlError::UnsupportedType { column, kind } => Some(json!({ "poruka": format!("Kolona „{column}” je tipa {kind}.") })),
        _ => None,
    }
}

/// The user's text of a failed query.
fn query(error: &ReportSqlError) -> Failure {
    match error {
        ReportSqlError::Scan(fault) => scan(*fault),
        ReportSqlError::MissingBind(name) => {
            failure(FailureCode::Query, format!("Upit izveštaja traži parametar „{name}”, koji izveštaj nema. Obratite se administratoru."))
        }
        ReportSqlError::Stopped => failure(FailureCode::Timeout, "Izveštaj se predugo izvršavao i prekinut je. Suzite period ili uslove."),
        ReportSqlError::Interrupted => failure(
            FailureCode::Interrupted,
            "Administrator baze podataka je prekinuo upit izveštaja. Pokrenite izveštaj ponovo ili mu se obratite.",
        ),
        ReportSqlError::Refused(_) => failure(FailureCode::QueryRefused, "Upit izveštaja nije dozvoljen. Obratite se administratoru."),
        ReportSqlError::NoIdentity(_) => {
            failure(FailureCode::NoIdentity, format!("Izveštaj {NO_IDENTITY} Obratite se administratoru radnika."))
        }
        ReportSqlError::Ungrouped => failure(FailureCode::Ungrouped, format!("Izveštaj {UNGROUPED} Obratite se administratoru.")),
        ReportSqlError::UnknownCell(name) => {
            failure(FailureCode::Query, format!("Upit izveštaja čuva kolonu „{name}”, koje nema. Obratite se administratoru."))
        }
        ReportSqlError::TooManyGroups => {
            failure(FailureCode::TooLarge, "Izveštaj nad svim ustanovama ima previše redova da bi bio zbirni. Suzite period ili uslove.")
        }
        // Text that is no date or no number for the query that took it.
        ReportSqlError::Query(said) if matches!(said.code.as_str(), "22007" | "22008" | "22P02" | "22003") => {
            failure(FailureCode::BadValue, "Vrednost nekog od parametara nije ispravan datum ili broj. Proverite parametre izveštaja.")
        }
        // The limit of temporary files of the report role.
        ReportSqlError::Query(said) if said.code == "53400" => {
            failure(FailureCode::TooLarge, "Upit izveštaja traži previše prostora na serveru. Suzite period ili uslove.")
        }
        ReportSqlError::Query(_) | ReportSqlError::Passing(_) => {
            failure(FailureCode::Query, "Upit izveštaja nije uspeo. Obratite se administratoru.")
        }
        ReportSqlError::UnsupportedType { column, .. } => {
            failure(FailureCode::Query, format!("Kolona „{column}” je vrste koju izveštaj ne ume da prikaže. Obratite se administratoru."))
        }
        ReportSqlError::Unreadable { column, .. } => failure(
            FailureCode::Query,
            format!("Kolona „{column}” sadrži vrednost koja ne može da se prikaže. Obratite se administratoru."),
        ),
    }
}

fn scan(fault: domain::report_sql::Fault) -> Failure {
    let place = fault.line().map(|line| format!(" (red {line})")).unwrap_or_default();
    failure(FailureCode::Query, format!("Upit izveštaja nije ispravno napisan{place}. Obratite se administratoru."))
}

pub fn template(error: &LoadError) -> Failure {
    match error {
        LoadError::Missing(file) => {
            tracing::error!(file, "a report has neither a live version nor a file");
            failure(
                FailureCode::Template,
                "Izveštaj nema objavljen upit i šablon, a ne postoji ni fajl sa njima. Obratite se administratoru.",
            )
        }
        LoadError::Template(error) => template_error(error),
        LoadError::Query(fault) => scan(*fault),
        LoadError::Io(error) => {
            tracing::error!(%error, "a template could not be read");
            failure(FailureCode::Template, "Šablon izveštaja ne može da se pročita. Obratite se administratoru.")
        }
    }
}

/// Names the place in the file: whoever maintains templates reads it on the screen.
pub fn template_error(error: &TemplateError) -> Failure {
    failure(FailureCode::Template, format!("Šablon izveštaja nije ispravan: {error}."))
}

pub fn no_picture(name: &str) -> Failure {
    failure(
        FailureCode::Template,
        format!("Šablon izveštaja traži sliku „{name}”, koje na serveru nema ili se ne može pročitati. Obratite se administratoru."),
    )
}

/// A failed rendering as a whole.
pub fn render(error: &RenderError) -> Stop {
    let (code, message) = (error.code(), error.message());
    match error {
        RenderError::Cancelled => Stop::Cancelled,
        RenderError::Source(_) => Stop::Passing,
        RenderError::Io(error) => {
            tracing::error!(%error, "a file of a run could not be written");
            failure(code, message).into()
        }
        _ => {
            tracing::warn!(code = error.code().name(), "rendering failed");
            failure(code, message).into()
        }
    }
}

/// Some formats were made, these were not.
pub fn some_formats(failed: &[(Format, RenderError)]) -> Failure {
    let told: Vec<String> = failed.iter().map(|(format, error)| format!("{format} nije napravljen: {}", error.message())).collect();
    let code = failed.first().map_or(FailureCode::Render, |(_, error)| error.code());
    failure(code, told.join(" "))
}

fn too_long(limit: Duration) -> Failure {
    failure(FailureCode::Timeout, format!("Izveštaj se izvršavao duže od {} s i prekinut je. Suzite period ili uslove.", limit.as_secs()))
}

pub fn export_too_small() -> Failure {
    failure(FailureCode::TooSmall, "U izvozu bez identiteta je premalo pacijenata. Proširite period ili ustanove.")
}

pub fn export_by_day(telling: TellingDay) -> Failure {
    failure(FailureCode::ByDay, telling.text())
}

pub fn empty_board() -> Failure {
    failure(FailureCode::Gone, "Na tabli nema nijednog izveštaja. Dodajte ga ili obrišite zakazivanje table.")
}

/// A defect of ours that no panic told of.
pub fn defect() -> Failure {
    failure(FailureCode::Internal, "Došlo je do greške pri izradi izveštaja. Obratite se administratoru.")
}

pub fn report_inactive() -> Failure {
    failure(FailureCode::ReportInactive, "Izveštaj više nije aktivan.")
}

pub fn unauthorised(lacking: NoReports) -> Failure {
    failure(FailureCode::Unauthorised, lacking.text())
}

pub fn unknown_format(name: &str) -> Failure {
    failure(FailureCode::Format, format!("Format „{name}” nije podržan."))
}

pub fn bad_value(parameter: &str) -> Failure {
    failure(FailureCode::BadValue, format!("Vrednost parametra „{parameter}” nije ispravna."))
}

pub fn given_up() -> Failure {
    failure(FailureCode::Database, "Baza podataka nije bila dostupna ni posle više pokušaja. Pokušajte ponovo kasnije.")
}

/// A failed rendering of an entry.
pub fn print(error: &RenderError) -> Stop {
    tracing::warn!(code = error.code().name(), "the print of an entry failed");
    match error {
        RenderError::TooLarge { .. } => failure(error.code(), "Unos je prevelik za štampu.").into(),
        RenderError::Io(cause) if is_full(cause) => failure(error.code(), NO_ROOM).into(),
        _ => print_defect().into(),
    }
}

/// A failed export.
pub fn export(fault: &Fault) -> Stop {
    if let Some(error) = fault.disk() {
        tracing::error!(%error, "an export could not be written");
        let told = match is_full(error) {
            true => "Na disku servera nema mesta za izvoz. Obratite se administratoru.",
            false => "Izvoz nije mogao da se upiše na disk servera. Obratite se administratoru.",
        };
        return failure(FailureCode::Storage, told).into();
    }
    match fault {
        Fault::Cancelled => Stop::Cancelled,
        Fault::TooManyRows(most) => failure(
            FailureCode::TooManyRows,
            format!("Izvoz ima više od {} redova, koliko je dozvoljeno. Suzite period ili ustanove.", shown::number(*most as f64)),
        )
        .into(),
        Fault::TooManyColumns(columns) => failure(
            FailureCode::TooLarge,
            format!(
                "Izvoz ima {} promenljivih, više nego što staje u Excel. Izaberite manje polja ili ne tražite XLSX.",
                shown::number(*columns as f64)
            ),
        )
        .into(),
        Fault::Io(_) | Fault::Csv(_) | Fault::Zip(_) | Fault::Xlsx(_) => {
            tracing::error!(cause = %fault, "an export could not be made");
            export_defect().into()
        }
    }
}

pub fn export_defect() -> Failure {
    failure(FailureCode::Render, "Izvoz nije mogao da se izradi. Obratite se administratoru.")
}

pub fn export_unauthorised() -> Failure {
    failure(FailureCode::Unauthorised, "Nemate više pravo na ovaj izvoz podataka ili ne pripadate nekoj od izabranih ustanova.")
}

pub fn export_gone() -> Failure {
    failure(FailureCode::Gone, "Formular je u međuvremenu obrisan.")
}

pub fn print_defect() -> Failure {
    failure(FailureCode::Render, "Dokument za štampu nije mogao da se izradi. Obratite se administratoru.")
}

pub fn print_unauthorised() -> Failure {
    failure(FailureCode::Unauthorised, "Nemate više pravo na podatke ovog pacijenta.")
}

pub fn print_gone() -> Failure {
    failure(FailureCode::Gone, "Unos je u međuvremenu obrisan.")
}

pub fn storage() -> Failure {
    failure(FailureCode::Storage, NOT_WRITTEN)
}

fn failure(code: FailureCode, text: impl Into<String>) -> Failure {
    Failure { code, text: text.into(), detail: None }
}
