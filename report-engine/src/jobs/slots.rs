//! How much an engine does at once.

use std::sync::Arc;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, futures::Notified};

/// So many at one time. A kind may go through several gates, and several kinds through one.
#[derive(Clone)]
pub struct Gate {
    most: u32,
    permits: Arc<Semaphore>,
}

impl Gate {
    pub fn new(most: usize) -> Self {
        Self { most: u32::try_from(most).expect("an engine has few slots"), permits: Arc::new(Semaphore::new(most)) }
    }
}

/// Tells those who wait that something that was being done has ended.
#[derive(Clone, Default)]
pub struct Freed(Arc<Notify>);

impl Freed {
    pub fn notified(&self) -> Notified<'_> {
        self.0.notified()
    }
}

/// The gates of one queue.
#[derive(Clone)]
pub struct Slots {
    gates: Vec<Gate>,
}

/// The right to do one job; freed when dropped.
pub struct Slot {
    permits: Vec<OwnedSemaphorePermit>,
    freed: Freed,
}

impl Slot {
    /// Gives back a slot for which there was nothing to do: nobody who waits for work to end is woken.
    pub fn unused(mut self) {
        self.permits.clear();
    }
}

impl Slot {
    /// Gives back all gates but the last, which others may be waiting for.
    pub fn keep_last(&mut self) {
        if let Some(last) = self.permits.pop() {
            self.permits.clear();
            self.permits.push(last);
            self.freed.0.notify_waiters();
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if !self.permits.is_empty() {
            self.permits.clear();
            self.freed.0.notify_waiters();
        }
    }
}

impl Slots {
    /// The narrowest gate first: whoever waits there holds nothing of the others.
    pub fn through(gates: &[&Gate]) -> Self {
        Self { gates: gates.iter().copied().cloned().collect() }
    }

    pub fn most(&self) -> usize {
        self.gates.iter().map(|gate| gate.most as usize).min().unwrap_or_default()
    }

    /// Waits for a slot.
    pub async fn one(&self, freed: &Freed) -> Slot {
        let mut permits = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            permits.push(gate.permits.clone().acquire_owned().await.expect("slots are never closed"));
        }
        Slot { permits, freed: freed.clone() }
    }

    /// A slot, if one is free.
    pub fn try_one(&self, freed: &Freed) -> Option<Slot> {
        let permits = self.gates.iter().map(|gate| gate.permits.clone().try_acquire_owned().ok()).collect::<Option<_>>()?;
        Some(Slot { permits, freed: freed.clone() })
    }

    /// Waits until nothing is being done.
    pub async fn all_free(&self) {
        for gate in &self.gates {
            drop(gate.permits.acquire_many(gate.most).await);
        }
    }
}
