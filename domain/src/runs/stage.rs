//! How far a run is that is being made.

use serde::Serialize;
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
#[schema(as = RunStage)]
pub enum Stage {
    Query,
    Render,
    Store,
}

impl Stage {
    /// The value of `report_run.stage`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Render => "render",
            Self::Store => "store",
        }
    }
}
