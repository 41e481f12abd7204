//! The phases of a search. First a few hundred patients in result order are probed: a common criterion is answered there at a cost
//! that does not grow, and a rare one shows itself. Then the least of what would do is taken: more of the order, the smallest
//! set, or all sets. Whatever is taken, the rows and their order are the same. An order that the searcher chose begins with the sets: nobody
//! is first in it before all are compared.

use std::collections::HashMap;

use domain::register::PatientStatus;
use platform::error::{Error, Result};
use sqlx::{FromRow, PgConnection, PgPool};

use super::{
    compile::{Search, Source, Takings},
    matches::{self, PatientMatches},
    similar,
};

/// Patients that are probed before anything is counted.
const FIRST: i64 = 500;
/// So many are probed without counting anything, where that promises to be enough.
const NEAR: i64 = 5_000;
/// A set that is counted this far is no driver, and no more patients than this are probed in order.
const MOST_DRIVEN: i64 = 20_000;
/// One moment for all statements of a search: a patient who is saved meanwhile neither moves between two windows nor comes twice.
pub const BEGIN: &str = "begin isolation level repeatable read read only; set local statement_timeout = '5s'; set local jit = off; \
                         set local max_parallel_workers_per_gather = 0";
/// The same with plans that are kept: windows and look-ups have the same one whatever their values are, and making it anew takes as long as
/// many a search.
const BEGIN_KEEPING_PLANS: &str = "begin isolation level repeatable read read only; set local statement_timeout = '5s'; set local jit = off; \
     set local max_parallel_workers_per_gather = 0; set local plan_cache_mode = force_generic_plan";
/// Of sets, a plan kept from other values cost seventy times as much in the measurements.
pub const PLAN_ANEW: &str = "set local plan_cache_mode = force_custom_plan";

#[derive(Debug, FromRow)]
pub struct Hit {
    pub pacijent_id: i64,
    pub ime: String,
    pub prezime: String,
    pub jmbg: String,
    pub lbo: String,
    pub broj_kartona: Option<String>,
    pub prvi_unos_id: Option<i64>,
    pub prvi_unos: Option<String>,
    pub prvi_unos_datum: Option<jiff_sqlx::Date>,
    pub poslednji_unos_id: Option<i64>,
    pub poslednji_unos: Option<String>,
    pub poslednji_unos_datum: Option<jiff_sqlx::Date>,
    /// None where the searcher reads own entries only, and it is no death.
    pub status: Option<PatientStatus>,
    pub status_dan: Option<jiff_sqlx::Date>,
    pub poznat: bool,
}

impl Hit {
    /// Whether the searcher may know who it is.
    pub fn is_known(&self, search: &Search) -> bool {
        let Takings { known, hidden, .. } = &search.takings;
        !search.blur || (self.poznat || known.contains(&self.pacijent_id)) && !hidden.contains(&self.pacijent_id)
    }
}

impl Hit {
    pub fn without_entries(self) -> Self {
        let death = self.status == Some(PatientStatus::Preminuo);
        Self {
            status: self.status.filter(|_| death),
            status_dan: self.status_dan.filter(|_| death),
            prvi_unos_id: None,
            prvi_unos: None,
            prvi_unos_datum: None,
            poslednji_unos_id: None,
            poslednji_unos: None,
            poslednji_unos_datum: None,
            ..self
        }
    }
}

/// What a search found.
pub struct SearchResult {
    /// In result order; then those of a similar name.
    pub hits: Vec<Hit>,
    /// How many are not of a similar name.
    pub exact: usize,
    /// Of each patient whom the searcher may know.
    pub matches: HashMap<i64, PatientMatches>,
    /// More patients match than were wanted.
    pub more: bool,
    /// Fewer than so many whom the searcher may not know match, and are left out.
    pub fewer_than: Option<usize>,
}

/// At most `limit` hits.
pub async fn find(db: &PgPool, search: &Search, limit: i64) -> Result<SearchResult> {
    let mut tx = db.begin_with(BEGIN_KEEPING_PLANS).await?;
    let mut hits = phases(&mut tx, search, limit + 1 + search.spare()).await.map_err(explain)?;
    let fewer_than = search.fewer_than(&hits);
    if fewer_than.is_some() {
        hits.retain(|hit| hit.is_known(search));
    }
    let more = hits.len() as i64 > limit;
    hits.truncate(limit as usize);
    let found: Vec<i64> = hits.iter().map(|hit| hit.pacijent_id).collect();
    let similar = similar(&mut tx, search, &found).await?;
    let exact = hits.len();
    hits.extend(similar.into_iter().take(limit as usize - exact));
    let matches = matches_of(&mut tx, search, &hits).await?;
    tx.commit().await?;
    Ok(SearchResult { hits, exact, matches, more, fewer_than })
}

/// Patients of a similar name beside those who were found, where these are few.
pub async fn similar(db: &mut PgConnection, search: &Search, found: &[i64]) -> Result<Vec<Hit>> {
    if found.len() >= similar::FEW || search.fixed.names_few() || (search.fixed.ime.is_empty() && search.fixed.prezime.is_empty()) {
        return Ok(Vec::new());
    }
    sqlx::query(PLAN_ANEW).execute(&mut *db).await?;
    let Some(wider) = similar::widened(db, search).await.map_err(explain)? else { return Ok(Vec::new()) };
    let wanted = (found.len() + similar::MOST) as i64;
    let mut hits = phases(db, &wider, wanted).await.map_err(explain)?;
    hits.retain(|hit| !found.contains(&hit.pacijent_id) && similar::has_one_error(&search.fixed, hit));
    Ok(hits)
}

/// The matches of those hits whom the searcher may know.
pub async fn matches_of(db: &mut PgConnection, search: &Search, hits: &[Hit]) -> Result<HashMap<i64, PatientMatches>> {
    let known: Vec<i64> = hits.iter().filter(|hit| hit.is_known(search)).map(|hit| hit.pacijent_id).collect();
    matches::of(db, search, &known).await.map_err(explain)
}

/// The source for everything that matches, however much.
pub fn whole(search: &Search) -> Source {
    match (&search.own_entry, search.groups.is_empty()) {
        (Some(_), true) => Source::OwnEntries,
        (None, true) => Source::All,
        (_, false) => Source::Sets,
    }
}

async fn phases(db: &mut PgConnection, search: &Search, wanted: i64) -> sqlx::Result<Vec<Hit>> {
    if search.fixed.names_few() {
        if !search.fixed.names_one() {
            sqlx::query(PLAN_ANEW).execute(&mut *db).await?;
        }
        return hits(db, search, &Source::Fixed, wanted).await;
    }
    if search.chosen_order().is_some() {
        // Who is first is known when all who match are.
        sqlx::query(PLAN_ANEW).execute(&mut *db).await?;
        let (source, _) = driver(db, search).await?;
        return hits(db, search, &source, wanted).await;
    }
    let mut walk = Walk { wanted, seen: 0, found: Vec::new() };
    walk.on(db, search, FIRST).await?;
    if walk.promised() <= NEAR {
        walk.on(db, search, NEAR).await?;
    }
    if walk.is_done() {
        return Ok(walk.found);
    }
    sqlx::query(PLAN_ANEW).execute(&mut *db).await?;
    let (source, driven) = driver(db, search).await?;
    while !walk.is_done() && walk.seen < walk.promised().min(MOST_DRIVEN) && walk.promised() < driven {
        walk.on(db, search, walk.promised()).await?;
    }
    if walk.is_done() { Ok(walk.found) } else { hits(db, search, &source, wanted).await }
}

/// Patients probed in result order, so far.
struct Walk {
    wanted: i64,
    seen: i64,
    found: Vec<Hit>,
}

impl Walk {
    fn is_done(&self) -> bool {
        self.found.len() as i64 == self.wanted
    }

    /// How many patients will hold all wanted hits, where those seen hold so many; a fifth more, for chance. In hundreds: a width is
    /// part of its statement, and statements are kept.
    fn promised(&self) -> i64 {
        let found = (self.found.len() as i64).max(1);
        self.seen.saturating_mul(self.wanted) / found * 6 / 5 / 100 * 100
    }

    /// Probes further, up to so many patients in all.
    async fn on(&mut self, db: &mut PgConnection, search: &Search, width: i64) -> sqlx::Result<()> {
        let missing = self.wanted - self.found.len() as i64;
        if missing > 0 && width > self.seen {
            let window = Source::Window { from: self.seen, width: width - self.seen };
            self.found.extend(hits(db, search, &window, missing).await?);
            self.seen = width;
        }
        Ok(())
    }
}

async fn hits(db: &mut PgConnection, search: &Search, source: &Source, limit: i64) -> sqlx::Result<Vec<Hit>> {
    search.select(source, limit).build_query_as().fetch_all(db).await
}

/// The cheapest source that holds every answer, and how many patients it brings: one small set a group, those whom the fixed fields
/// find, those whom the institution knows or has such entries of, or the exact sets.
async fn driver(db: &mut PgConnection, search: &Search) -> sqlx::Result<(Source, i64)> {
    let mut best = (whole(search), MOST_DRIVEN);
    if search.fixed.is_selective() {
        let n = counted(db, search.count_fixed(best.1)).await?;
        best = fewer(best, (Source::Fixed, n));
    }
    if search.only_known() {
        let n = counted(db, search.count_known(best.1)).await?;
        best = fewer(best, (Source::Known, n));
    }
    if let Some(criteria) = &search.own_entry {
        let n = counted(db, search.count_own_entries(criteria, best.1)).await?;
        best = fewer(best, (Source::OwnEntries, n));
    }
    if !search.groups.is_empty() {
        let mut drivers = Vec::with_capacity(search.groups.len());
        let mut driven = 0;
        for group in &search.groups {
            let (test, n) = smallest(db, search, group, best.1).await?;
            drivers.push(test);
            driven += n;
            if driven >= best.1 {
                return Ok(best);
            }
        }
        best = fewer(best, (Source::Drivers(drivers), driven));
    }
    Ok(best)
}

fn fewer(one: (Source, i64), other: (Source, i64)) -> (Source, i64) {
    if other.1 < one.1 { other } else { one }
}

/// The test of a group that finds the fewest, counted no further than `most`. Dear counts are spared where cheap ones found few.
async fn smallest(db: &mut PgConnection, search: &Search, group: &[super::criteria::Test], most: i64) -> sqlx::Result<(usize, i64)> {
    let mut best = (0, most);
    for dearness in 0..=3 {
        for (index, test) in group.iter().enumerate().filter(|(_, test)| test.dearness() == dearness) {
            let n = counted(db, search.count(test, best.1)).await?;
            if n < best.1 {
                best = (index, n);
            }
        }
        if best.1 < most {
            break;
        }
    }
    Ok(best)
}

async fn counted(db: &mut PgConnection, mut query: sqlx::QueryBuilder<sqlx::Postgres>) -> sqlx::Result<i64> {
    query.build_query_scalar().fetch_one(db).await
}

/// A statement that was stopped for its time is the searcher's to narrow.
pub fn explain(error: sqlx::Error) -> Error {
    match error.into() {
        Error::TimedOut => Error::malformed("Pretraga je trajala predugo. Suzite uslove pretrage."),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patients_without_a_hit_promise_a_long_walk() {
        assert_eq!(Walk { wanted: 201, seen: 500, found: Vec::new() }.promised(), 120_600);
    }
}
