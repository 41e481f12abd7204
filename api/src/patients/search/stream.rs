//! All results of a search: read through a cursor, piece by piece, and sent when they are whole. Neither the database's client nor
//! this process ever holds more than a piece, and the connection is given back before the client reads.

use std::collections::HashMap;

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use sqlx::{PgConnection, PgPool};

use super::{
    SearchRow,
    compile::Search,
    run::{self, BEGIN, Hit, PLAN_ANEW, explain},
    similar::FEW,
};
use crate::{
    error::{Error, Result},
    long_answers::{LongAnswers, Spool},
};

/// "All" is asked for by a person who knows it takes long; within the call's own limit, so that the refusal says why.
const TIMEOUT: &str = "set local statement_timeout = '25s'";
const CURSOR: &str = "svi";
const FETCH: &str = "fetch 2000 from svi";

/// Rows whose matches are looked up; nobody reads on so far, and each costs as much as finding it.
const MOST_WITH_MATCHES: usize = 20_000;

/// The answer as `SearchAnswer` has it. What fails on the way is an error of the call.
pub async fn all(db: &PgPool, answers: &LongAnswers, worker: i64, search: Search, limit: i64) -> Result<Response> {
    let place = answers.place(worker)?;
    let turn = answers.turn().await?;
    let mut spool = Spool::default();
    let mut tx = db.begin_with(BEGIN).await?;
    sqlx::query(TIMEOUT).execute(&mut *tx).await?;
    sqlx::query(PLAN_ANEW).execute(&mut *tx).await?;
    // The plan is for all rows, not for the first ones.
    sqlx::query("set local cursor_tuple_fraction = 1").execute(&mut *tx).await?;
    let mut declare = search.declare(CURSOR, &run::whole(&search), limit + 1);
    declare.build().persistent(false).execute(&mut *tx).await.map_err(explain)?;
    fill(&mut tx, &mut spool, &search, limit as usize).await?;
    tx.commit().await?;
    drop(turn);
    let body = spool.send(place).await.map_err(no_room)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

async fn fetch(tx: &mut PgConnection) -> Result<Vec<Hit>> {
    sqlx::query_as(FETCH).fetch_all(tx).await.map_err(explain)
}

async fn fill(tx: &mut PgConnection, spool: &mut Spool, search: &Search, limit: usize) -> Result<()> {
    let mut rows = Rows { spool, search, sent: 0, found: Vec::new() };
    rows.spool.write(b"{\"unosi\":[").await.map_err(no_room)?;
    let mut more = false;
    loop {
        let mut hits = fetch(tx).await?;
        if hits.is_empty() {
            break;
        }
        more = rows.sent + hits.len() > limit;
        hits.truncate(limit - rows.sent);
        rows.write(tx, hits, false).await?;
        if more {
            break;
        }
    }
    let similar = run::similar(tx, search, &rows.found).await?;
    rows.write(tx, similar, true).await?;
    rows.spool.write(format!("],\"skraceno\":{more}}}").as_bytes()).await.map_err(no_room)
}

/// The answer's rows while they are written.
struct Rows<'a> {
    spool: &'a mut Spool,
    search: &'a Search,
    sent: usize,
    /// Who was sent, as long as they are few.
    found: Vec<i64>,
}

impl Rows<'_> {
    async fn write(&mut self, db: &mut PgConnection, hits: Vec<Hit>, similar: bool) -> Result<()> {
        let mut matches = if self.sent < MOST_WITH_MATCHES { run::matches_of(db, self.search, &hits).await? } else { HashMap::new() };
        let mut piece = Vec::new();
        for hit in hits {
            if self.sent > 0 {
                piece.push(b',');
            }
            if self.sent < FEW {
                self.found.push(hit.pacijent_id);
            }
            let own = matches.remove(&hit.pacijent_id).unwrap_or_default();
            let row = SearchRow::of(hit, self.search.blur, similar, own);
            serde_json::to_writer(&mut piece, &row).expect("a row of texts and numbers is JSON");
            self.sent += 1;
        }
        self.spool.write(&piece).await.map_err(no_room)
    }
}

fn no_room(error: std::io::Error) -> Error {
    tracing::error!(%error, "a long answer could not be kept until it is sent");
    Error::Unavailable("Na serveru nema mesta za sve rezultate. Izaberite manji broj rezultata.".into())
}
