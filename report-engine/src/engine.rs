//! One engine process: what its runs share, how many run at once, and how it stops.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use domain::{
    jobs::{Dispatcher, Queue},
    process::{Kind, PoolUse, Process, Pulse},
    report_sql::ReportDb,
    runs::Lease,
};
use sqlx::PgPool;
use tokio::{
    sync::{Notify, OwnedSemaphorePermit, Semaphore, futures::Notified},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    mail::{self, Mailer},
    run::{self, Running, Why},
    settings::Settings,
    store::Store,
    template::Templates,
};

pub struct Engine {
    pub settings: Settings,
    /// Signs in as the application.
    pub app: PgPool,
    /// Connections of the report role.
    pub reports: ReportDb,
    pub dispatcher: Dispatcher,
    pub templates: Templates,
    pub store: Store,
    pub mailer: Mailer,
    pub running: Running,
    pub slots: Slots,
    /// Fires when the engine is asked to stop: nothing new is taken.
    pub stopping: CancellationToken,
    pub process: Process,
    worked: AtomicBool,
}

impl Engine {
    pub async fn start(settings: Settings) -> anyhow::Result<Arc<Self>> {
        let connections = u32::try_from(settings.concurrency + settings.mail.concurrency)? + 6;
        let app = domain::db::pool(&settings.common.database_url, "report-engine", connections).await?;
        let report_connections = u32::try_from(settings.concurrency)?;
        Ok(Arc::new(Self {
            reports: ReportDb::new(app.clone(), &settings.common.report_database_url, report_connections)?,
            dispatcher: Dispatcher::connect(&settings.common.redis_url)?,
            templates: Templates::new(settings.common.template_dir.join("reports")),
            store: Store::open(settings.common.artifact_dir.clone())?,
            mailer: Mailer::new(&settings)?,
            running: Running::default(),
            slots: Slots::new(settings.concurrency, settings.mail.concurrency),
            stopping: CancellationToken::new(),
            process: Process::new(Kind::ReportEngine, Uuid::now_v7()),
            worked: AtomicBool::new(false),
            app,
            settings,
        }))
    }

    /// Executes a claimed run in a task of its own: a worker that Redis fails may be dropped, its runs go on.
    pub fn spawn_run(self: &Arc<Self>, lease: Lease, slot: Slot) -> JoinHandle<()> {
        let engine = self.clone();
        tokio::spawn(async move {
            engine.worked.store(true, Ordering::Relaxed);
            run::execute(&engine, lease).await;
            drop(slot);
        })
    }

    /// Sends a claimed delivery in a task of its own.
    pub fn spawn_delivery(self: &Arc<Self>, claimed: mail::Claimed, slot: Slot) -> JoinHandle<()> {
        let engine = self.clone();
        tokio::spawn(async move {
            engine.worked.store(true, Ordering::Relaxed);
            mail::deliver(&engine, claimed).await;
            drop(slot);
        })
    }

    /// Says that the engine lives.
    pub async fn beat(&self) {
        let pulse = Pulse {
            redis_ok: Some(self.dispatcher.ping().await),
            pools: vec![PoolUse::of("regix_app", &self.app), self.reports.pool_use("regix_report")],
            worked: self.worked.swap(false, Ordering::Relaxed),
        };
        if let Err(error) = self.process.beat(&self.app, &pulse).await {
            tracing::warn!(%error, "the engine could not say that it lives");
        }
    }

    /// Lets what runs finish, then gives back what did not; called after `stopping` has fired.
    pub async fn drain(&self) {
        if tokio::time::timeout(self.settings.shutdown, self.slots.all_free()).await.is_err() {
            tracing::warn!("runs are given back to the queue: the time to finish them is over");
            self.running.stop_all(Why::Shutdown);
            if tokio::time::timeout(self.settings.shutdown, self.slots.all_free()).await.is_err() {
                tracing::error!("runs did not stop; their leases will lapse");
            }
        }
        if let Err(error) = self.process.leave(&self.app).await {
            tracing::warn!(%error, "the engine could not say that it is gone");
        }
    }
}

/// How much an engine does at once. What people wait for may use every slot, schedules leave one free for it.
pub struct Slots {
    runs: u32,
    mails: u32,
    all: Arc<Semaphore>,
    scheduled: Arc<Semaphore>,
    mail: Arc<Semaphore>,
    freed: Arc<Notify>,
}

/// The right to execute one run or to send one message; freed when dropped.
pub struct Slot {
    permits: Option<(OwnedSemaphorePermit, Option<OwnedSemaphorePermit>)>,
    freed: Arc<Notify>,
}

impl Slot {
    /// Gives back a slot for which there was nothing to do: nobody who waits for work to end is woken.
    pub fn unused(mut self) {
        self.permits = None;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if self.permits.take().is_some() {
            self.freed.notify_waiters();
        }
    }
}

impl Slots {
    fn new(runs: usize, mail: usize) -> Self {
        let count = |slots: usize| u32::try_from(slots).expect("an engine has few slots");
        Self {
            runs: count(runs),
            mails: count(mail),
            all: Arc::new(Semaphore::new(runs)),
            scheduled: Arc::new(Semaphore::new(runs.saturating_sub(1).max(1))),
            mail: Arc::new(Semaphore::new(mail)),
            freed: Arc::new(Notify::new()),
        }
    }

    /// Waits for a slot.
    pub async fn of(&self, queue: Queue) -> Slot {
        let scheduled = match queue {
            Queue::Interactive => None,
            Queue::Scheduled => Some(take(&self.scheduled).await),
        };
        self.slot(take(&self.all).await, scheduled)
    }

    /// A slot, if one is free.
    pub fn try_of(&self, queue: Queue) -> Option<Slot> {
        let scheduled = match queue {
            Queue::Interactive => None,
            Queue::Scheduled => Some(self.scheduled.clone().try_acquire_owned().ok()?),
        };
        Some(self.slot(self.all.clone().try_acquire_owned().ok()?, scheduled))
    }

    pub async fn mail(&self) -> Slot {
        self.slot(take(&self.mail).await, None)
    }

    pub fn try_mail(&self) -> Option<Slot> {
        Some(self.slot(self.mail.clone().try_acquire_owned().ok()?, None))
    }

    /// Resolves when something that was being done has ended.
    pub fn freed(&self) -> Notified<'_> {
        self.freed.notified()
    }

    /// Waits until nothing is being done.
    async fn all_free(&self) {
        let runs = self.all.acquire_many(self.runs).await;
        let mails = self.mail.acquire_many(self.mails).await;
        drop((runs, mails));
    }

    fn slot(&self, permit: OwnedSemaphorePermit, second: Option<OwnedSemaphorePermit>) -> Slot {
        Slot { permits: Some((permit, second)), freed: self.freed.clone() }
    }
}

async fn take(semaphore: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    semaphore.clone().acquire_owned().await.expect("slots are never closed")
}
