//! Statistical reports (A 2.12): choosing, generating, scheduling, following, fetching.

mod access;
mod again;
mod attention;
mod calendar;
mod cancel;
mod days;
pub mod defaults;
pub(crate) mod definition;
mod download;
pub mod ending;
pub mod fault;
mod options;
mod parameters;
mod pausing;
pub(crate) mod queue;
mod readers;
mod recipients;
mod runs;
mod schedules;
mod scheduling;
pub mod screen;
pub mod socket;
mod suggestions;
pub(crate) mod timing;
pub mod trail;
mod tree;
pub(crate) mod values;

pub use ending::end_left_behind;
pub use trail::PATIENTS;

use platform::routes::Routes;

/// Every route asks for right 1 or 7, and shows a worker only the worker's own runs and schedules; a run and its files are opened by
/// its recipients too.
pub fn routes() -> Routes {
    Routes::new()
        .merge(tree::routes())
        .merge(parameters::routes())
        .merge(options::routes())
        .merge(days::routes())
        .merge(queue::routes())
        .merge(schedules::routes())
        .merge(pausing::routes())
        .merge(again::routes())
        .merge(suggestions::routes())
        .merge(readers::routes())
        .merge(runs::routes())
        .merge(attention::routes())
        .merge(cancel::routes())
        .merge(download::routes())
        .merge(screen::routes())
        .merge(calendar::routes())
}
