//! Statistical reports (A 2.12): choosing, generating, scheduling, following, fetching.

mod calendar;
mod cancel;
mod definition;
mod download;
mod filename;
mod options;
mod parameters;
mod queue;
mod recipients;
mod runs;
mod schedules;
mod scheduling;
mod timing;
mod trail;
mod tree;
mod values;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub use download::ResultFile;
pub use filename::PDF;
pub use queue::{announce, lock_worker, refuse_flood};

/// Every route asks for right 1 or 7, and shows a worker only the worker's own runs and schedules.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(tree::routes())
        .merge(parameters::routes())
        .merge(options::routes())
        .merge(queue::routes())
        .merge(schedules::routes())
        .merge(runs::routes())
        .merge(cancel::routes())
        .merge(download::routes())
        .merge(calendar::routes())
}
