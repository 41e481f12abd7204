//! How much an engine does at once.

use std::sync::Arc;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, futures::Notified};

/// Tells those who wait that something that was being done has ended.
#[derive(Clone, Default)]
pub struct SlotSignal(Arc<Notify>);

impl SlotSignal {
    pub fn notified(&self) -> Notified<'_> {
        self.0.notified()
    }
}

/// So many jobs at one time. Several queues may share them.
#[derive(Clone)]
pub struct Slots {
    most: u32,
    permits: Arc<Semaphore>,
}

/// The right to do one job; freed when dropped.
pub struct Slot {
    permit: Option<OwnedSemaphorePermit>,
    freed: SlotSignal,
}

impl Slot {
    /// Gives back a slot for which there was nothing to do: nobody who waits for work to end is woken.
    pub fn unused(mut self) {
        self.permit = None;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if self.permit.take().is_some() {
            self.freed.0.notify_waiters();
        }
    }
}

impl Slots {
    pub fn new(most: usize) -> Self {
        Self { most: u32::try_from(most).expect("an engine has few slots"), permits: Arc::new(Semaphore::new(most)) }
    }

    pub fn most(&self) -> usize {
        self.most as usize
    }

    /// Waits for a slot.
    pub async fn one(&self, freed: &SlotSignal) -> Slot {
        let permit = self.permits.clone().acquire_owned().await.expect("slots are never closed");
        Slot { permit: Some(permit), freed: freed.clone() }
    }

    /// A slot, if one is free.
    pub fn try_one(&self, freed: &SlotSignal) -> Option<Slot> {
        let permit = self.permits.clone().try_acquire_owned().ok()?;
        Some(Slot { permit: Some(permit), freed: freed.clone() })
    }

    /// Waits until nothing is being done.
    pub async fn all_free(&self) {
        drop(self.permits.acquire_many(self.most).await);
    }
}
