//! Why runs fail, for machines: the codes of `report_run.error_code` where its status is `failed`.

use serde::Serialize;
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// Engines died of it, one after another.
    Poison,
    Timeout,
    Query,
    QueryRefused,
    NoIdentity,
    /// A report over all institutions that does not say whose data a row holds.
    Ungrouped,
    BadValue,
    TooLarge,
    TooManyRows,
    /// An export without identity of fewer people than may leave.
    TooSmall,
    /// An export without identity that would tell days.
    ByDay,
    Template,
    Format,
    Render,
    Storage,
    Database,
    Unauthorised,
    /// By whoever administers the database.
    Interrupted,
    ReportInactive,
    /// What was to be printed or exported was deleted meanwhile.
    Gone,
    /// It was open when the installation was restored from a backup.
    Restored,
    Internal,
}

impl FailureCode {
    pub const ALL: [Self; 22] = [
        Self::Poison,
        Self::Timeout,
        Self::Query,
        Self::QueryRefused,
        Self::NoIdentity,
        Self::Ungrouped,
        Self::BadValue,
        Self::TooLarge,
        Self::TooManyRows,
        Self::TooSmall,
        Self::ByDay,
        Self::Template,
        Self::Format,
        Self::Render,
        Self::Storage,
        Self::Database,
        Self::Unauthorised,
        Self::Interrupted,
        Self::ReportInactive,
        Self::Gone,
        Self::Restored,
        Self::Internal,
    ];

    /// As the database and the API write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Poison => "poison",
            Self::Timeout => "timeout",
            Self::Query => "query",
            Self::QueryRefused => "query_refused",
            Self::NoIdentity => "no_identity",
            Self::Ungrouped => "ungrouped",
            Self::BadValue => "bad_value",
            Self::TooLarge => "too_large",
            Self::TooManyRows => "too_many_rows",
            Self::TooSmall => "too_small",
            Self::ByDay => "by_day",
            Self::Template => "template",
            Self::Format => "format",
            Self::Render => "render",
            Self::Storage => "storage",
            Self::Database => "database",
            Self::Unauthorised => "unauthorised",
            Self::Interrupted => "interrupted",
            Self::ReportInactive => "report_inactive",
            Self::Gone => "gone",
            Self::Restored => "restored",
            Self::Internal => "internal",
        }
    }

    /// `None`: a newer engine wrote it, which knows more causes.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_written_by_the_database_and_by_json_alike_and_is_read_back() {
        for code in FailureCode::ALL {
            assert_eq!(serde_json::to_value(code).expect("a name"), code.name());
            assert_eq!(FailureCode::from_name(code.name()), Some(code));
        }
        assert_eq!(FailureCode::from_name("of_tomorrow"), None);
    }
}
