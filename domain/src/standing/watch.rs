//! The list asked again while a program runs.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use super::{Finding, Ground, State};
use crate::{environment, metrics::Figures};

/// Between two looks of a running program.
pub fn period() -> anyhow::Result<Duration> {
    Ok(Duration::from_secs(environment::within("STANDING_SECONDS", 30, 1, 600)?))
}

/// What was found last; the same for all copies.
#[derive(Clone, Default)]
pub struct Watch(Arc<Mutex<Vec<Finding>>>);

impl Watch {
    pub fn findings(&self) -> Vec<Finding> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether nobody should begin anything here, as it was found last.
    pub fn forbids(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().any(Finding::forbids)
    }

    /// Asks every `period`, and tells the log what has changed. Returns, with why, once nobody should work on this ground: seen twice, so that
    /// nothing passing ends a program.
    pub async fn until_forbidden(&self, ground: &Ground, period: Duration) -> String {
        let mut doubted = false;
        loop {
            tokio::time::sleep(period).await;
            let findings = ground.ask().await;
            let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), findings.clone());
            for finding in &findings {
                let known = before.iter().any(|old| old.precondition == finding.precondition && old.holds() == finding.holds());
                match (finding.holds(), known) {
                    (_, true) => {}
                    (false, false) => tracing::error!("{finding}"),
                    (true, false) if before.is_empty() || finding.state == State::Unasked => {}
                    (true, false) => tracing::info!("{finding}"),
                }
            }
            let forbidding: Vec<String> = findings.iter().filter(|finding| finding.forbids()).map(Finding::to_string).collect();
            if doubted && !forbidding.is_empty() {
                return forbidding.join("\n");
            }
            doubted = !forbidding.is_empty();
        }
    }

    pub fn measure(&self, figures: &mut Figures) {
        let findings = self.findings();
        let held = findings.iter().map(|finding| ([("precondition", finding.precondition.code())], f64::from(u8::from(finding.holds()))));
        figures.gauge("standing", "Whether what the program stands on is as it must be", held);
    }
}
