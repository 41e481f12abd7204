//! The sockets that are open: how many of whom, and whether their sessions live.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use crate::{
    places::{Place, Places},
    shared::Shared,
};

/// Sockets of one worker: a browser has one for each tab.
const OF_A_WORKER: usize = 20;

/// The sockets that are open, and what is known of their sessions.
#[derive(Clone)]
pub struct Sockets {
    open: Places<i64>,
    sessions: Arc<Mutex<Sessions>>,
}

/// By hash: whether it lives, as long as it has sockets.
type Sessions = HashMap<Vec<u8>, Weak<Shared<bool>>>;

impl Default for Sockets {
    fn default() -> Self {
        Self { open: Places::new(OF_A_WORKER), sessions: Arc::default() }
    }
}

impl Sockets {
    /// A place for one more socket of the worker; none where there are too many.
    pub fn place(&self, worker: i64) -> Option<Place<i64>> {
        self.open.now(worker)
    }

    /// Whether the session lives, found out once for all its sockets.
    pub fn session(&self, hash: &[u8]) -> Arc<Shared<bool>> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = sessions.get(hash).and_then(Weak::upgrade) {
            return known;
        }
        sessions.retain(|_, left| left.strong_count() > 0);
        let new = Arc::new(Shared::default());
        sessions.insert(hash.to_owned(), Arc::downgrade(&new));
        new
    }
}
