//! A kind of job, and what all kinds of an engine work with.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use domain::{jobs::JobId, process::RestReason, standing::Watch};
use tokio::{
    sync::{RwLock, watch},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use super::slots::{Slot, SlotSignal, Slots};

/// A future of a trait that is used as an object.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A kind of job: rows of one table, each held by one engine at a time.
pub trait Kind: Send + Sync + 'static {
    type Id: JobId;
    /// A row that this engine holds.
    type Claimed: Send + 'static;

    /// What a row is called in the log.
    const NOUN: &'static str;
    /// Whether its jobs leave files: they rest while there is no room for them.
    const WRITES: bool = false;
    /// Whether a job may wait for another to end though a slot is free.
    const WAITS_FOR_OTHERS: bool = false;

    /// In the order in which they are looked at.
    fn queues(&self) -> &[ServedQueue];

    /// Takes a row, since Redis called about this one: it, or another of the queue whose turn it is.
    fn claim(&self, queue: &ServedQueue, id: Self::Id) -> impl Future<Output = sqlx::Result<Option<Self::Claimed>>> + Send;

    /// Takes the row of the queue whose turn it is.
    fn claim_next(&self, queue: &ServedQueue) -> impl Future<Output = sqlx::Result<Option<Self::Claimed>>> + Send;

    /// Does the job and writes how it ended. Never fails: what cannot be written is left to the lapse of the lease.
    fn execute(self: Arc<Self>, claimed: Self::Claimed) -> impl Future<Output = ()> + Send;

    /// Takes back what dead engines hold.
    fn sweep(&self) -> impl Future<Output = ()> + Send;
}

/// A queue that a kind is served from.
#[derive(Clone)]
pub struct ServedQueue {
    /// In Redis.
    pub name: &'static str,
    /// In the rows of the kind.
    pub column: &'static str,
    pub slots: Slots,
}

/// What all kinds of one engine share.
pub struct JobHost {
    /// The engine's name, under which it holds rows.
    pub owner: String,
    pub redis_url: String,
    /// Fires when the engine is asked to stop: nothing new is taken.
    pub stopping: CancellationToken,
    pub freed: SlotSignal,
    rest: watch::Sender<Option<RestReason>>,
    /// Held for reading by whoever takes a job, until it is taken: an engine that says that it takes nothing new has no such under way.
    taking: RwLock<()>,
    ground: Watch,
    worked: AtomicBool,
}

impl JobHost {
    pub fn new(owner: String, redis_url: String, ground: Watch) -> Self {
        Self {
            owner,
            redis_url,
            stopping: CancellationToken::new(),
            freed: SlotSignal::default(),
            rest: watch::Sender::new(None),
            taking: RwLock::new(()),
            ground,
            worked: AtomicBool::new(false),
        }
    }

    /// From now on nothing new is taken for this reason; `None`: everything is.
    pub async fn set_rest(&self, rest: Option<RestReason>) {
        if self.rest() == rest {
            return;
        }
        let _none = self.taking.write().await;
        self.rest.send_replace(rest);
        match rest {
            Some(rest) => tracing::warn!(reason = rest.name(), "the engine takes nothing new"),
            None => tracing::info!("the engine takes jobs again"),
        }
    }

    pub fn rest(&self) -> Option<RestReason> {
        *self.rest.borrow()
    }

    /// Whether a kind takes nothing new now; `writes`: its jobs leave files. On ground that has been seen to be wrong once nobody begins
    /// anything; seen twice, the engine ends.
    pub fn rests(&self, writes: bool) -> bool {
        self.ground.forbids() || rests(*self.rest.borrow(), writes)
    }

    /// Takes a job, unless the kind rests; `None`: it rests.
    pub async fn take<T>(&self, writes: bool, claim: impl Future<Output = T>) -> Option<T> {
        let _one = self.taking.read().await;
        if self.rests(writes) { None } else { Some(claim.await) }
    }

    /// Waits until a kind rests, or until it does not.
    pub async fn until_rest(&self, resting: bool, writes: bool) {
        // The sender lives as long as this.
        let _ = self.rest.subscribe().wait_for(|rest| rests(*rest, writes) == resting).await;
    }

    /// Whether anything was done since this was last asked.
    pub fn has_worked(&self) -> bool {
        self.worked.swap(false, Ordering::Relaxed)
    }

    /// Does a claimed job in a task of its own: a listener that Redis fails may be dropped, its jobs go on.
    pub fn start<K: Kind>(&self, kind: &Arc<K>, claimed: K::Claimed, slot: Slot) -> JoinHandle<()> {
        self.worked.store(true, Ordering::Relaxed);
        let kind = kind.clone();
        tokio::spawn(async move {
            kind.execute(claimed).await;
            drop(slot);
        })
    }
}

fn rests(rest: Option<RestReason>, writes: bool) -> bool {
    match rest {
        None => false,
        Some(RestReason::FullStore) => writes,
        Some(RestReason::Drained | RestReason::OtherStore | RestReason::NoStore) => true,
    }
}

/// A kind as the engine's list holds it, whatever its rows are.
pub trait Work: Send + Sync {
    fn queues(&self) -> &[ServedQueue];
    /// Whether its jobs leave files.
    fn writes(&self) -> bool;
    /// Listens to the queue in Redis until that fails or the engine stops.
    fn listen<'a>(self: Arc<Self>, host: &'a Arc<JobHost>, queue: &'a ServedQueue, name: String) -> Boxed<'a, Result<(), String>>;
    /// Starts what is due while there are slots; gives whether more may become due when something ends.
    fn take_due<'a>(self: Arc<Self>, host: &'a JobHost, queue: &'a ServedQueue) -> Boxed<'a, sqlx::Result<bool>>;
    fn sweep(&self) -> Boxed<'_, ()>;
}
