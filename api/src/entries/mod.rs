//! Entries: a form filled for a patient on a date. Shown, saved, deleted, listed, and their history.

mod count;
mod display;
mod draft;
mod history;
mod list;
mod merge;
mod print;
mod remove;
mod replay;
mod save;
pub mod values;

pub use domain::entry::form;
use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(display::routes())
        .merge(save::routes())
        .merge(remove::routes())
        .merge(list::routes())
        .merge(history::routes())
        .merge(draft::routes())
        .merge(count::routes())
        .merge(print::routes())
}
