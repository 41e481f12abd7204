//! What operators see of the running system, and what they do about it: the queue, runs under way and failed, mail, schedules, processes.
//! Nothing of a run's parameters or results is here.

mod actions;
mod figures;
mod metrics;
mod screen;

pub use metrics::{measure, serve as serve_metrics};

use platform::routes::Routes;

pub fn routes() -> Routes {
    Routes::new().merge(screen::routes()).merge(actions::routes())
}
