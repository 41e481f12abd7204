//! Whether a pooler in between hands one session's statements to several connections of the server. Temporary settings, prepared statements,
//! cursors, advisory locks and `listen` are of a connection: handed about they reach others, or nobody.

use sqlx::{Connection, Executor, PgConnection, Row};

use super::{State, within};
use crate::db;

/// So often it is looked whether a session changes its connection. A pooler with idle connections in turn needs two; one whose others are busy
/// may give the same one back some times.
const LOOKS: usize = 12;

/// Two sessions ask who serves them, one within a transaction. Where sessions are connections the answers stay, and differ.
pub async fn ask(url: &str, first: &mut PgConnection) -> State {
    let looked = within(async {
        let mut second = PgConnection::connect_with(&db::options(url)?.application_name("regix-podloga")).await?;
        let shared = shared(first, &mut second).await?;
        second.close().await?;
        Ok(shared)
    });
    match looked.await {
        Ok(true) => State::Wrong("a pooler hands the statements of one session to several connections".to_owned()),
        Ok(false) => State::Good("none, or one that pools by session".to_owned()),
        Err(State::Away(said)) => State::Away(format!("a second session: {said}")),
        Err(State::Wrong(said)) => State::Wrong(format!("a second session within a transaction: {said}")),
        Err(state) => state,
    }
}

async fn shared(first: &mut PgConnection, second: &mut PgConnection) -> sqlx::Result<bool> {
    let at_first = served_by(first).await?;
    let mut of_second = None;
    for _ in 0..LOOKS {
        second.execute(sqlx::raw_sql("begin")).await?;
        let (now_second, now_first) = (served_by(second).await?, served_by(first).await?);
        second.execute(sqlx::raw_sql("commit")).await?;
        let moved = of_second.replace(now_second).is_some_and(|before| before != now_second);
        if moved || now_first != at_first || now_second == at_first {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The server's process that serves the session now. By the simple protocol: nothing of it stays in the pooler.
async fn served_by(connection: &mut PgConnection) -> sqlx::Result<i32> {
    connection.fetch_one(sqlx::raw_sql("select pg_backend_pid()")).await?.try_get(0)
}
