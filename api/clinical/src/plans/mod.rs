//! When patients are due: the plan of one, lists of those who are awaited, and what a worker begins the day with. What a visit is on a day
//! says the database (`visit_state`), here and everywhere else.

mod calendar;
mod deeds;
mod doctors;
mod lists;
mod my_day;
mod patient_plan;
mod start;

use axum::middleware;
use platform::routes::Routes;

use crate::patients::require_patients;

pub fn routes() -> Routes {
    Routes::new()
        .merge(patient_plan::routes())
        .merge(deeds::routes())
        .merge(lists::routes())
        .merge(doctors::routes())
        .merge(calendar::routes())
        .merge(my_day::routes())
        .route_layer(middleware::from_fn(require_patients))
}

/// The worker's own settings, whatever the roles open.
pub fn own_routes() -> Routes {
    start::routes()
}
