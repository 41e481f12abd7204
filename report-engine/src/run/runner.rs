//! What runs work with.

use std::sync::Arc;

use domain::{jobs::Queue, report_sql::ReportDb};
use sqlx::PgPool;

use crate::{
    jobs::{Gate, Held, ServedQueue, Slots},
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
    pub held: Held,
    /// The engine's name, under which it holds runs.
    pub owner: String,
    /// The version of things that the engine knows: runs that need a newer one are left to others.
    pub knows: i32,
    pub lease_seconds: f64,
    pub queues: [ServedQueue; 2],
}

/// The queues of an engine that executes so many runs at once. What people wait for may use every slot, schedules leave one free for it.
/// A slot that a schedule may use is first offered to whose turn it is of both; where none is left, to what people wait for.
pub fn queues(concurrency: usize) -> [ServedQueue; 2] {
    let (all, scheduled) = (Gate::new(concurrency), Gate::new(concurrency.saturating_sub(1).max(1)));
    let served = |queue: Queue, gates: &[&Gate]| ServedQueue { name: queue.name(), column: queue.column(), slots: Slots::through(gates) };
    [served(Queue::Scheduled, &[&scheduled, &all]), served(Queue::Interactive, &[&all])]
}
