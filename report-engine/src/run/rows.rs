//! The rows of a query on their way to who writes them down.

use tokio::sync::mpsc;

use super::progress::RowCounter;
use crate::{failpoint, jobs::Stopper};

/// Rows as they come in batches, counted as they go. The channel closes when the query is through, when it failed and when it was
/// stopped; a run that is to stop gets `cancelled` instead of its next batch.
pub struct Rows<T, E> {
    batches: mpsc::Receiver<Vec<T>>,
    current: std::vec::IntoIter<T>,
    counter: RowCounter,
    stopper: Stopper,
    cancelled: fn() -> E,
}

impl<T, E> Rows<T, E> {
    pub fn new(batches: mpsc::Receiver<Vec<T>>, counter: RowCounter, stopper: Stopper, cancelled: fn() -> E) -> Self {
        Self { batches, current: Vec::new().into_iter(), counter, stopper, cancelled }
    }
}

impl<T, E> Iterator for Rows<T, E> {
    type Item = Result<T, E>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.current.next() {
                return Some(Ok(row));
            }
            let batch = self.batches.blocking_recv();
            if self.stopper.token().is_cancelled() {
                return Some(Err((self.cancelled)()));
            }
            let batch = batch?;
            self.counter.add(batch.len() as u64);
            self.current = batch.into_iter();
            failpoint::reached("render");
        }
    }
}
