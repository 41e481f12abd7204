//! How an engine is told of a job over a whole form or register.

use platform::state::AppState;

/// Wakes an engine; one that is not told finds the row by itself.
pub fn announce(state: &AppState, id: i64, queue: &'static str) {
    let state = state.clone();
    tokio::spawn(async move {
        if let Err(error) = state.dispatcher.push(id, queue).await {
            tracing::warn!(job = id, queue, cause = %error, "no engine was told of a job; the poll will find it");
        }
    });
}
