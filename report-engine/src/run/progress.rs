//! How far a run is, written about once a second for those who watch it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicU64, Ordering},
    },
    time::Duration,
};

use domain::runs::{self, Lease, Stage};
use sqlx::PgPool;

const EVERY: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Counters {
    stage: AtomicU8,
    rows: AtomicU64,
}

/// Counts in memory; a task of its own writes what changed, and ends with this.
pub struct Progress {
    counters: Arc<Counters>,
    writer: tokio::task::AbortHandle,
}

/// The counter of rows, for the thread that renders.
#[derive(Clone)]
pub struct RowCounter(Arc<Counters>);

impl RowCounter {
    pub fn add(&self, rows: u64) {
        self.0.rows.fetch_add(rows, Ordering::Relaxed);
    }
}

impl Progress {
    pub fn start(app: PgPool, lease: Lease) -> Self {
        let counters = Arc::new(Counters::default());
        let writer = tokio::spawn(write(app, lease, counters.clone())).abort_handle();
        Self { counters, writer }
    }

    pub fn stage(&self, stage: Stage) {
        self.counters.stage.store(stage as u8, Ordering::Relaxed);
    }

    pub fn row_counter(&self) -> RowCounter {
        RowCounter(self.counters.clone())
    }

    pub fn rows(&self) -> u64 {
        self.counters.rows.load(Ordering::Relaxed)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.writer.abort();
    }
}

async fn write(app: PgPool, lease: Lease, counters: Arc<Counters>) {
    let mut written = (Stage::Query as u8, 0);
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let now = (counters.stage.load(Ordering::Relaxed), counters.rows.load(Ordering::Relaxed));
        if now == written {
            continue;
        }
        // Only a hint for the screen: what fails now is written a second later.
        if runs::progress(&app, lease, stage(now.0).name(), Some(i64::try_from(now.1).unwrap_or(i64::MAX))).await.is_ok() {
            written = now;
        }
    }
}

fn stage(number: u8) -> Stage {
    match number {
        0 => Stage::Query,
        1 => Stage::Render,
        _ => Stage::Store,
    }
}
