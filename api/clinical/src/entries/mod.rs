//! Entries: a form filled for a patient on a date. Shown, saved, deleted, listed, and their history.

pub mod count;
pub mod dates;
mod display;
mod draft;
mod existing;
pub(crate) mod files;
pub mod form_version;
mod history;
pub mod initial;
mod layout;
mod list;
mod locks;
mod merge;
mod previous;
mod print;
mod redate;
mod remove;
mod replay;
mod save;
mod signature;
mod stale;
mod summary;
mod told_status;
mod trend;
pub mod values;
mod visit;
mod words;

use axum::middleware;
use domain::entry::form;
use platform::routes::Routes;

use crate::patients::require_patients;

const NO_ENTRY: &str = "Nedostaje unos, ili formular i pacijent.";

pub fn routes() -> Routes {
    Routes::new()
        .merge(display::routes())
        .merge(previous::routes())
        .merge(save::routes())
        .merge(remove::routes())
        .merge(list::routes())
        .merge(history::routes())
        .merge(form_version::routes())
        .merge(draft::routes())
        .merge(files::routes())
        .merge(count::routes())
        .merge(print::routes())
        .merge(trend::routes())
        .merge(stale::routes())
        .merge(summary::routes())
        .merge(visit::routes())
        .route_layer(middleware::from_fn(require_patients))
}
