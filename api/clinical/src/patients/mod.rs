//! Patients: their records, who may see them, their history, and the search of a register.

mod access;
mod agreement;
mod anonymisation;
mod archive;
mod birth_date;
pub mod confirmations;
mod deleted;
mod duplicates;
mod head;
mod lookup;
pub mod merged;
mod merging;
pub mod number_checks;
pub mod pairs;
mod record;
mod saved_search;
pub mod search;
mod search_count;
pub mod status;
pub mod taking;
mod transfer;
pub mod validation;
mod worklist;

use axum::middleware;
use platform::routes::Routes;

pub use access::{CLOSED, PatientAccess, require, require_patients};
pub use head::PatientHead;
pub use record::PatientInput;

pub fn routes() -> Routes {
    Routes::new()
        .merge(record::routes())
        .merge(anonymisation::routes())
        .merge(archive::routes())
        .merge(duplicates::routes())
        .merge(deleted::routes())
        .merge(search::routes())
        .merge(status::routes())
        .merge(taking::routes())
        .merge(lookup::routes())
        .merge(saved_search::routes())
        .merge(search_count::routes())
        .merge(worklist::routes())
        .merge(merging::routes())
        .merge(pairs::routes())
        .merge(transfer::routes())
        .route_layer(middleware::from_fn(require_patients))
}
