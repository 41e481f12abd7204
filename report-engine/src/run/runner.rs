//! What runs work with.

use std::sync::Arc;

use domain::{jobs::Queue, report_sql::ReportDb};
use sqlx::PgPool;

use crate::{
    jobs::{HeldJobs, ServedQueue, Slots},
    mail::Mail,
    store::Store,
    template::Templates,
};

pub struct Runner {
    /// Signs in as the application.
    pub app: PgPool,
    /// Connections of the report role.
    pub reports: ReportDb,
    pub templates: Arc<Templates>,
    pub store: Store,
    pub mail: Arc<Mail>,
    pub held: HeldJobs,
    /// The engine's name, under which it holds runs.
    pub owner: String,
    /// The version of things that the engine knows: runs that need a newer one are left to others.
    pub knows: i32,
    pub lease_seconds: f64,
    pub queues: [ServedQueue; 2],
}

/// The queues of an engine that executes so many runs at once. Each may use every slot: what the last one is for, the choice of a run knows.
pub fn queues(concurrency: usize) -> [ServedQueue; 2] {
    let slots = Slots::new(concurrency);
    [Queue::Scheduled, Queue::Interactive].map(|queue| ServedQueue { name: queue.name(), column: queue.column(), slots: slots.clone() })
}
