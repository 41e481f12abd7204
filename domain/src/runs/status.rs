//! What has become of a run.

use std::fmt;

use serde::Serialize;
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum RunStatus {
    Queued,
    Running,
    Succeeded,
    Failed,
    Cancelled,
    /// A fire found the previous run of its schedule still open.
    SkippedOverlap,
    /// The schedule's owner is inactive or has lost the right or the institution.
    SkippedUnauthorised,
    /// A fire that found its schedule failing again and again, and paused it.
    SkippedPaused,
    /// No fire: its schedule ended because its report was deleted or hidden.
    SkippedEnded,
    /// A fire that fell into downtime and is not caught up.
    Missed,
}

impl RunStatus {
    /// As the database and the API write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::SkippedOverlap => "skipped_overlap",
            Self::SkippedUnauthorised => "skipped_unauthorised",
            Self::SkippedPaused => "skipped_paused",
            Self::SkippedEnded => "skipped_ended",
            Self::Missed => "missed",
        }
    }

    /// Whether it may still make a report.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

impl fmt::Display for RunStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
