//! A poll strategy that cannot fall asleep.
//!
//! The interval of apalis 1.0 registers no waker after it fires and may leave a worker asleep until its next heartbeat.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use apalis::prelude::{PollSnapshot, PollStrategy};
use tokio::time::{Instant, Sleep, sleep};

pub struct SureInterval {
    every: Duration,
    next: Pin<Box<Sleep>>,
}

impl SureInterval {
    pub fn new(every: Duration) -> Self {
        Self { every, next: Box::pin(sleep(every)) }
    }
}

impl PollStrategy for SureInterval {
    fn poll_drive(&mut self, cx: &mut Context<'_>, _: &PollSnapshot) -> Poll<Option<()>> {
        let mut fired = false;
        // The timer is polled again after it was set anew: that is what registers the waker for the next time.
        while self.next.as_mut().poll(cx).is_ready() {
            fired = true;
            self.next.as_mut().reset(Instant::now() + self.every);
        }
        if fired { Poll::Ready(Some(())) } else { Poll::Pending }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
        task::{Wake, Waker},
    };

    use super::*;

    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Wake for Counting {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[tokio::test]
    async fn a_waker_is_registered_again_after_each_firing() {
        let mut interval = SureInterval::new(Duration::from_millis(20));
        let wakes = Arc::new(Counting::default());
        let waker = Waker::from(wakes.clone());
        let mut cx = Context::from_waker(&waker);
        assert!(interval.poll_drive(&mut cx, &PollSnapshot::default()).is_pending());
        for round in 1..=3 {
            let woken = async {
                while wakes.0.load(Ordering::SeqCst) < round {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            };
            tokio::time::timeout(Duration::from_secs(10), woken).await.expect("the interval wakes its worker again");
            assert!(interval.poll_drive(&mut cx, &PollSnapshot::default()).is_ready());
        }
    }
}
