//! What operators see of the running system, and what they do about it: the queue, runs under way and failed, mail, schedules, processes.
//! Nothing of a run's parameters or results is here.

mod actions;
mod figures;
mod metrics;
mod screen;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub use metrics::{measure, serve as serve_metrics};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().merge(screen::routes()).merge(actions::routes())
}
