//! What a planned visit is on a day, as the database's `visit_state` says it.

use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
pub enum VisitState {
    Buduca,
    Otvorena,
    Kasni,
    Propustena,
    Ispunjena,
    /// An entry is linked to it that lies outside of its window.
    VanProzora,
    Otkazana,
}
