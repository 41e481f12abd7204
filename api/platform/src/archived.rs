//! Which rows of the log and of histories lie in files that the archive has made of them (`archive`): whoever shows rows says from which
//! day on they are all there.

use domain::parameters::{HISTORY_YEARS, LEAST_LOOK_YEARS, LOG_YEARS, LOOK_YEARS, Parameters};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

/// What lies together in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Of the log, looks alone, and the patients of them.
    Uvidi,
    /// The log and the patients of its rows.
    Dnevnik,
    /// Earlier values of entries and earlier states of patients.
    Istorija,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Uvidi, Self::Dnevnik, Self::Istorija];

    pub fn name(self) -> &'static str {
        match self {
            Self::Uvidi => "uvidi",
            Self::Dnevnik => "dnevnik",
            Self::Istorija => "istorija",
        }
    }

    /// For how many years it stays; 0: always.
    pub fn kept_years(self, parameters: &Parameters) -> i32 {
        match self {
            // A row of the table that says less than the law is not believed.
            Self::Uvidi => match parameters.number(&LOOK_YEARS) {
                0 => 0,
                years => years.max(parameters.number(&LEAST_LOOK_YEARS)),
            },
            Self::Dnevnik => parameters.number(&LOG_YEARS),
            Self::Istorija => parameters.number(&HISTORY_YEARS),
        }
    }

    pub fn tables(self) -> [&'static str; 2] {
        match self {
            Self::Uvidi | Self::Dnevnik => ["audit_log", "audit_log_patient"],
            Self::Istorija => ["value_history", "patient_history"],
        }
    }
}

/// Before which day rows of this kind lie in files only.
pub async fn archived_before(db: &mut PgConnection, kind: Kind) -> sqlx::Result<Option<Date>> {
    let day = sqlx::query_scalar!("select archived_before($1)", kind.name()).fetch_one(db).await?;
    Ok(day.map(|day| day.to_jiff()))
}
