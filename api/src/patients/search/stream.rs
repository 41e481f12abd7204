//! All results of a search, sent while they are read: neither the database's client nor the answer ever holds more than a piece.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    http::header,
    response::{IntoResponse, Response},
};
use sqlx::{PgPool, Postgres, Transaction};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::{
    SearchRow,
    compile::Search,
    run::{self, BEGIN, Hit, PLAN_ANEW, explain},
};
use crate::error::Result;

/// "All" is asked for by a person who knows it takes long; within the call's own limit, so that the refusal says why.
const TIMEOUT: &str = "set local statement_timeout = '25s'";
const CURSOR: &str = "svi";
const FETCH: &str = "fetch 2000 from svi";
/// Pieces on their way to a client who reads slowly, and how long one may wait to be taken.
const PIECES: usize = 4;
const PATIENCE: Duration = Duration::from_secs(30);
/// The connection is kept no longer than this, however slowly the client reads.
const WHOLE: Duration = Duration::from_secs(300);

/// What the client reads: pieces, or the end of the connection where something went wrong on the way.
type Piece = std::result::Result<Bytes, Broken>;

#[derive(Debug, thiserror::Error)]
#[error("the search broke off")]
struct Broken;

/// The answer as `SearchAnswer` has it. What fails before the first row is an error of the call; what fails later breaks the
/// answer off, so that nobody takes a part for the whole.
pub async fn all(db: &PgPool, search: Search, limit: i64) -> Result<Response> {
    let mut tx = db.begin_with(BEGIN).await?;
    sqlx::query(TIMEOUT).execute(&mut *tx).await?;
    sqlx::query(PLAN_ANEW).execute(&mut *tx).await?;
    // The plan is for all rows, not for the first ones.
    sqlx::query("set local cursor_tuple_fraction = 1").execute(&mut *tx).await?;
    let mut declare = search.declare(CURSOR, &run::whole(&search), limit + 1);
    declare.build().persistent(false).execute(&mut *tx).await.map_err(explain)?;
    let first = fetch(&mut tx).await.map_err(explain)?;
    let (sender, receiver) = mpsc::channel(PIECES);
    tokio::spawn(tokio::time::timeout(WHOLE, send(tx, first, search.blur, limit as usize, sender)));
    Ok(([(header::CONTENT_TYPE, "application/json")], Body::from_stream(ReceiverStream::new(receiver))).into_response())
}

async fn fetch(tx: &mut Transaction<'static, Postgres>) -> sqlx::Result<Vec<Hit>> {
    sqlx::query_as(FETCH).fetch_all(&mut **tx).await
}

/// Sends piece after piece. A client who goes away, or who takes nothing for too long, ends the search and frees its connection.
async fn send(mut tx: Transaction<'static, Postgres>, first: Vec<Hit>, blur: bool, limit: usize, to: mpsc::Sender<Piece>) {
    let (mut hits, mut sent, mut more) = (first, 0, false);
    let mut piece = b"{\"unosi\":[".to_vec();
    loop {
        let last = hits.is_empty();
        for hit in hits {
            if sent == limit {
                more = true;
                break;
            }
            if sent > 0 {
                piece.push(b',');
            }
            serde_json::to_writer(&mut piece, &SearchRow::of(hit, blur)).expect("a row of texts and numbers is JSON");
            sent += 1;
        }
        if last || more {
            piece.extend_from_slice(format!("],\"skraceno\":{more}}}").as_bytes());
        }
        if to.send_timeout(Ok(Bytes::from(std::mem::take(&mut piece))), PATIENCE).await.is_err() || last || more {
            return;
        }
        hits = match fetch(&mut tx).await {
            Ok(hits) => hits,
            Err(error) => {
                tracing::error!(%error, "a search of all results broke off");
                let _ = to.send(Err(Broken)).await;
                return;
            }
        };
    }
}
