//! Clears what apalis-redis keeps of finished tasks: it never does so itself, and Redis would fill up.

use redis::{AsyncCommands, aio::ConnectionManager};

/// Finished tasks that are cleared at one time.
const BATCH: usize = 500;

/// Removes the remains of finished tasks from these queues; gives how many.
pub async fn trim(redis: &mut ConnectionManager, queues: impl IntoIterator<Item = &'static str>) -> redis::RedisResult<usize> {
    let mut trimmed = 0;
    for queue in queues {
        for ended in ["done", "dead"] {
            loop {
                // Popped first: should the rest fail, a task that is over leaves some bytes behind and nothing else.
                let ids: Vec<String> = redis::cmd("SPOP").arg(format!("{queue}:{ended}")).arg(BATCH).query_async(redis).await?;
                if ids.is_empty() {
                    break;
                }
                let meta: Vec<String> = ids.iter().map(|id| format!("{queue}:meta:{id}")).collect();
                redis.hdel::<_, _, ()>(format!("{queue}:data"), &ids).await?;
                redis.del::<_, ()>(meta).await?;
                trimmed += ids.len();
            }
        }
    }
    Ok(trimmed)
}
