//! Listening to a channel of the database on a connection of its own, for the life of the process.

use std::time::Duration;

use sqlx::postgres::PgListener;

use crate::db;

const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// What a listener is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    Payload(String),
    /// The connection is there again after it was lost: what was announced meanwhile is lost.
    Gap,
}

/// Hands on what is announced on `channel`; a lost connection is opened again. `application_name` shows in
/// `pg_stat_activity`.
pub async fn forever<F: Future<Output = ()>>(
    database_url: &str,
    application_name: &str,
    channel: &str,
    mut handle: impl FnMut(Notice) -> F,
) {
    let mut pause = SHORTEST_PAUSE;
    let mut heard_before = false;
    loop {
        match open(database_url, application_name, channel).await {
            Ok(mut listener) => {
                if heard_before {
                    handle(Notice::Gap).await;
                }
                heard_before = true;
                pause = SHORTEST_PAUSE;
                while let Ok(Some(notification)) = listener.try_recv().await {
                    handle(Notice::Payload(notification.payload().to_owned())).await;
                }
                tracing::warn!(channel, "the listening connection was lost");
            }
            Err(error) => tracing::warn!(channel, cause = %error, "the channel cannot be listened to"),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

async fn open(database_url: &str, application_name: &str, channel: &str) -> sqlx::Result<PgListener> {
    let mut listener = PgListener::connect_with(&db::pool(database_url, application_name, 1).await?).await?;
    listener.listen(channel).await?;
    Ok(listener)
}
