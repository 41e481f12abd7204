//! All results of a search: read through a cursor, piece by piece, and sent when they are whole. Neither the database's client nor
//! this process ever holds more than a piece, and the connection is given back before the client reads.

use std::collections::HashMap;

use accounts::auth::Actor;
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use platform::{
    error::{Error, Result},
    long_answers::Spool,
    state::AppState,
};
use sqlx::PgConnection;

use super::{
    SearchRow,
    compile::Search,
    criteria::SearchRequest,
    run::{self, BEGIN, Hit, PLAN_ANEW, explain},
    similar::FEW,
    trace::{self, ShownResults},
};

/// "All" is asked for by a person who knows it takes long; within the call's own limit, so that the refusal says why.
const TIMEOUT: &str = "set local statement_timeout = '25s'";
const CURSOR: &str = "svi";
const FETCH: &str = "fetch 2000 from svi";

/// Rows whose matches are looked up; nobody reads on so far, and each costs as much as finding it.
const MOST_WITH_MATCHES: usize = 20_000;

/// The answer as `SearchAnswer` has it. What fails on the way is an error of the call.
pub async fn all(state: &AppState, actor: &Actor, request: &SearchRequest, search: Search, limit: i64) -> Result<Response> {
    let place = state.long_answers.place(&state.db, actor.radnik_id, state.clock.now()).await?;
    let turn = state.long_answers.turn().await?;
    let mut tx = state.db.begin_with(BEGIN).await?;
    sqlx::query(TIMEOUT).execute(&mut *tx).await?;
    sqlx::query(PLAN_ANEW).execute(&mut *tx).await?;
    // The plan is for all rows, not for the first ones.
    sqlx::query("set local cursor_tuple_fraction = 1").execute(&mut *tx).await?;
    let mut declare = search.declare(CURSOR, &run::whole(&search), limit + 1 + search.spare());
    declare.build().persistent(false).execute(&mut *tx).await.map_err(explain)?;
    let (mut spool, shown) = fill(&mut tx, &search, limit as usize).await?;
    tx.commit().await?;
    state.long_answers.count(&state.db, actor.radnik_id, state.clock.now(), shown.pacijenti.len() + shown.hidden).await?;
    let zapis = trace::record(&state.db, actor, request, &shown).await?;
    spool.write(format!(",\"zapis\":{zapis}}}").as_bytes()).await.map_err(no_room)?;
    drop(turn);
    let body = spool.send(place).await.map_err(no_room)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

async fn fetch(tx: &mut PgConnection) -> Result<Vec<Hit>> {
    sqlx::query_as(FETCH).fetch_all(tx).await.map_err(explain)
}

/// Writes what is found, up to the number under which the log will have it. Until enough are found whom the searcher may not know,
/// those whom she may are written on their own as well: as long as the others are few, these are the answer.
async fn fill(tx: &mut PgConnection, search: &Search, limit: usize) -> Result<(Spool, ShownResults)> {
    let mut all = Rows::begin(limit).await?;
    let mut known = if search.reaches_others() { Some(Rows::begin(limit).await?) } else { None };
    let mut others = 0;
    let mut found = Vec::new();
    while !all.more || known.as_ref().is_some_and(|known| !known.more) {
        let hits = fetch(tx).await?;
        if hits.is_empty() {
            break;
        }
        found.extend(hits.iter().map(|hit| hit.pacijent_id).take(FEW - found.len().min(FEW)));
        let mut matches = if all.sent < MOST_WITH_MATCHES { run::matches_of(tx, search, &hits).await? } else { HashMap::new() };
        for hit in hits {
            let is_known = hit.is_known(search);
            let own = matches.remove(&hit.pacijent_id).unwrap_or_default();
            let row = SearchRow::of(hit, search, false, own);
            all.add(&row);
            match &mut known {
                Some(known) if is_known => known.add(&row),
                Some(_) => others += 1,
                None => {}
            }
            if others >= search.least_group {
                known = None;
            }
        }
        all.keep().await?;
        if let Some(known) = &mut known {
            known.keep().await?;
        }
    }
    if let Some(known) = known {
        return known.end(Some(search.least_group)).await;
    }
    let similar = run::similar(tx, search, &found).await?;
    let mut matches = run::matches_of(tx, search, &similar).await?;
    for hit in similar {
        let own = matches.remove(&hit.pacijent_id).unwrap_or_default();
        all.add(&SearchRow::of(hit, search, true, own));
    }
    all.end(None).await
}

/// An answer's rows while they are written.
struct Rows {
    spool: Spool,
    piece: Vec<u8>,
    sent: usize,
    limit: usize,
    /// There are more than may be sent.
    more: bool,
    shown: ShownResults,
}

impl Rows {
    async fn begin(limit: usize) -> Result<Self> {
        let mut spool = Spool::default();
        spool.write(b"{\"unosi\":[").await.map_err(no_room)?;
        Ok(Self { spool, piece: Vec::new(), sent: 0, limit, more: false, shown: ShownResults::default() })
    }

    fn add(&mut self, row: &SearchRow) {
        if self.sent == self.limit {
            self.more = true;
            return;
        }
        if self.sent > 0 {
            self.piece.push(b',');
        }
        serde_json::to_writer(&mut self.piece, row).expect("a row of texts and numbers is JSON");
        self.shown.add(row);
        self.sent += 1;
    }

    async fn keep(&mut self) -> Result<()> {
        self.spool.write(&self.piece).await.map_err(no_room)?;
        self.piece.clear();
        Ok(())
    }

    async fn end(mut self, fewer_than: Option<usize>) -> Result<(Spool, ShownResults)> {
        let fewer_than = fewer_than.map_or_else(|| "null".to_owned(), |bound| bound.to_string());
        self.piece.extend(format!("],\"skraceno\":{},\"manjeOdTudjih\":{fewer_than}", self.more).into_bytes());
        self.keep().await?;
        Ok((self.spool, ShownResults { more: self.more, ..self.shown }))
    }
}

fn no_room(error: std::io::Error) -> Error {
    tracing::error!(%error, "a long answer could not be kept until it is sent");
    Error::Unavailable("Na serveru nema mesta za sve rezultate. Izaberite manji broj rezultata.".into())
}
