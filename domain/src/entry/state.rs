//! What somebody has made of an entry: the last row of `entry_state`, and a lock over its day (`migrations/functions/entry_state.sql`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
pub enum EntryState {
    URadu,
    Zavrsen,
    Potpisan,
    Zakljucan,
}

impl EntryState {
    /// As it is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::URadu => "uRadu",
            Self::Zavrsen => "zavrsen",
            Self::Potpisan => "potpisan",
            Self::Zakljucan => "zakljucan",
        }
    }

    /// As people read it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::URadu => "u radu",
            Self::Zavrsen => "završen",
            Self::Potpisan => "potpisan",
            Self::Zakljucan => "zaključan",
        }
    }
}
