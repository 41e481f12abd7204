//! Patients: their records, who may see them, their history, and the search of a register.

mod access;
mod archive;
mod duplicates;
mod record;
pub mod search;
pub mod validation;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub use access::{Access, deed_on_patient, look_at_patient};
pub use record::PatientInput;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().merge(record::routes()).merge(archive::routes()).merge(duplicates::routes()).merge(search::routes())
}
