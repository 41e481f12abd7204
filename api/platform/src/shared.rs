//! What many ask at one time is found out once.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::Mutex;

/// The answer to one question, and when it was begun to be found.
pub struct Shared<T>(Arc<Mutex<Option<(Instant, T)>>>);

impl<T: Clone> Shared<T> {
    /// Finds the answer, or waits for somebody else who does: it is never older than `since`. One is begun to be found `pace` after
    /// the other at the earliest, and all who come meanwhile share it.
    pub async fn get<F: Future<Output = T>>(&self, since: Instant, pace: Duration, find: impl FnOnce() -> F) -> T {
        let mut last = self.0.lock().await;
        if let Some((begun, found)) = &*last {
            if *begun >= since {
                return found.clone();
            }
            tokio::time::sleep_until((*begun + pace).into()).await;
        }
        let begun = Instant::now();
        let found = find().await;
        *last = Some((begun, found.clone()));
        found
    }
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for Shared<T> {
    /// The same answer.
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::future::join_all;

    use super::*;

    #[tokio::test]
    async fn a_crowd_has_it_found_out_for_one_and_for_all_who_came_meanwhile() {
        let (shared, found) = (Shared::default(), AtomicUsize::new(0));
        let ask = |pace| {
            shared.get(Instant::now(), pace, || async {
                tokio::task::yield_now().await;
                found.fetch_add(1, Ordering::SeqCst) + 1
            })
        };
        let start = Instant::now();
        let answers = join_all((0..50).map(|_| ask(Duration::ZERO))).await;
        assert_eq!((answers[0], answers[49]), (1, 1), "who asked before it was begun to be found has the same");
        assert_eq!(ask(Duration::ZERO).await, 2, "no answer is older than the question");
        let pace = Duration::from_millis(50);
        assert_eq!(join_all((0..50).map(|_| ask(pace))).await, [3; 50]);
        assert!(start.elapsed() >= pace);
        assert_eq!(shared.get(start, pace, || async { 9 }).await, 3, "what is new enough is not found anew");
    }
}
