//! Places of each kind: so many at one time for a worker, an address or whatever the kinds are told apart by. Who comes when they are
//! taken is told so, or waits in memory, and takes nothing from other kinds.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub struct Places<K: Eq + Hash> {
    most: usize,
    kinds: Arc<Mutex<HashMap<K, Kind>>>,
}

/// A kind is there as long as somebody has or wants a place of it.
struct Kind {
    free: Arc<Semaphore>,
    people: usize,
}

/// A place that is taken; dropped, it is the next one's.
pub struct Place<K: Eq + Hash> {
    _permit: OwnedSemaphorePermit,
    _visit: Visit<K>,
}

impl<K: Eq + Hash + Clone> Places<K> {
    pub fn new(most: usize) -> Self {
        Self { most, kinds: Arc::default() }
    }

    /// A place, where there is one now.
    pub fn now(&self, kind: K) -> Option<Place<K>> {
        let (free, visit) = self.enter(kind);
        Some(Place { _permit: free.try_acquire_owned().ok()?, _visit: visit })
    }

    /// A place as soon as there is one; who came first is first.
    pub async fn turn(&self, kind: K) -> Place<K> {
        let (free, visit) = self.enter(kind);
        Place { _permit: free.acquire_owned().await.expect("no kind is ever closed"), _visit: visit }
    }

    fn enter(&self, kind: K) -> (Arc<Semaphore>, Visit<K>) {
        let mut kinds = lock(&self.kinds);
        let new = || Kind { free: Arc::new(Semaphore::new(self.most)), people: 0 };
        let found = kinds.entry(kind.clone()).or_insert_with(new);
        found.people += 1;
        (found.free.clone(), Visit { kinds: self.kinds.clone(), kind })
    }
}

impl<K: Eq + Hash> Clone for Places<K> {
    /// The same places.
    fn clone(&self) -> Self {
        Self { most: self.most, kinds: self.kinds.clone() }
    }
}

/// Somebody who has or wants a place.
struct Visit<K: Eq + Hash> {
    kinds: Arc<Mutex<HashMap<K, Kind>>>,
    kind: K,
}

impl<K: Eq + Hash> Drop for Visit<K> {
    fn drop(&mut self) {
        let mut kinds = lock(&self.kinds);
        if let Some(kind) = kinds.get_mut(&self.kind) {
            kind.people -= 1;
            if kind.people == 0 {
                kinds.remove(&self.kind);
            }
        }
    }
}

fn lock<K>(kinds: &Mutex<HashMap<K, Kind>>) -> MutexGuard<'_, HashMap<K, Kind>> {
    kinds.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures::poll;

    use super::*;

    #[tokio::test]
    async fn a_kind_that_is_full_holds_up_its_own_only_and_nothing_is_kept_of_those_who_left() {
        let places = Places::new(2);
        let taken = [places.now(1), places.now(1)];
        assert!(taken.iter().all(Option::is_some) && places.now(1).is_none() && places.now(2).is_some());
        let (mut next, mut gone) = (Box::pin(places.turn(1)), Box::pin(places.turn(1)));
        assert!(poll!(next.as_mut()).is_pending() && poll!(gone.as_mut()).is_pending());
        drop((taken, gone));
        assert!(poll!(next.as_mut()).is_ready());
        assert!(lock(&places.kinds).is_empty(), "who gives up waiting leaves, too");
    }
}
