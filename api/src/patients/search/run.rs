//! Two phases of a search. First a window of patients in result order is probed: a common criterion is answered there at a cost that
//! does not grow. Where the window holds too few, the smallest set drives. Both give the same rows in the same order.

use sqlx::{FromRow, PgConnection, PgPool};

use super::compile::{Search, Source};
use crate::error::{Error, Result};

/// Windows that are probed before sets are counted.
const WINDOWS: [i64; 2] = [500, 5_000];
/// A set that is counted this far is no driver.
const MOST_DRIVEN: i64 = 20_000;
const TIMEOUT: &str = "set local statement_timeout = '5s'";
/// "All" is asked for by a person who knows it takes long.
const TIMEOUT_ALL: &str = "set local statement_timeout = '60s'";

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
    pub poznat: bool,
}

/// At most `limit` hits in result order, and whether there are more.
pub async fn find(db: &PgPool, search: &Search, limit: i64, all: bool) -> Result<(Vec<Hit>, bool)> {
    let mut tx = db.begin().await?;
    sqlx::query(if all { TIMEOUT_ALL } else { TIMEOUT }).execute(&mut *tx).await?;
    // A plan cached for other values cost seventy times as much in the measurements.
    sqlx::query("set local plan_cache_mode = force_custom_plan").execute(&mut *tx).await?;
    sqlx::query("set local jit = off").execute(&mut *tx).await?;
    let found = phases(&mut tx, search, limit, all).await.map_err(explain)?;
    tx.commit().await?;
    Ok(found)
}

async fn phases(db: &mut PgConnection, search: &Search, limit: i64, all: bool) -> sqlx::Result<(Vec<Hit>, bool)> {
    if all {
        let source = if search.groups.is_empty() { Source::All } else { Source::Sets };
        return hits(db, search, &source, limit).await;
    }
    for width in WINDOWS {
        let (found, more) = hits(db, search, &Source::Window(width), limit).await?;
        if more || register_size(db, search.register, width).await? <= width {
            return Ok((found, more));
        }
    }
    let source = driver(db, search).await?;
    hits(db, search, &source, limit).await
}

async fn hits(db: &mut PgConnection, search: &Search, source: &Source, limit: i64) -> sqlx::Result<(Vec<Hit>, bool)> {
    let mut query = search.select(source, Some(limit + 1));
    let mut found: Vec<Hit> = query.build_query_as().persistent(false).fetch_all(db).await?;
    let more = found.len() as i64 > limit;
    found.truncate(limit as usize);
    Ok((found, more))
}

/// Patients of the register, counted just past `width`.
async fn register_size(db: &mut PgConnection, register: i64, width: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "n!" from (select from patient_register where registar_id = $1 limit $2) q"#,
        register,
        width + 1
    )
    .fetch_one(db)
    .await
}

/// The cheapest source that holds every answer: one small set a group, or the fixed fields, or the exact sets.
async fn driver(db: &mut PgConnection, search: &Search) -> sqlx::Result<Source> {
    let mut drivers = Vec::with_capacity(search.groups.len());
    let mut driven = if search.groups.is_empty() { MOST_DRIVEN } else { 0 };
    for group in &search.groups {
        let mut best: Option<(usize, i64)> = None;
        // Text is counted only where nothing else is small: a trigram bitmap is built whole.
        for text in [false, true] {
            if best.is_some_and(|(_, n)| n < MOST_DRIVEN) {
                break;
            }
            for (index, test) in group.iter().enumerate().filter(|(_, test)| test.is_text() == text) {
                let n = counted(db, search.count(test, MOST_DRIVEN)).await?;
                if best.is_none_or(|(_, least)| n < least) {
                    best = Some((index, n));
                }
            }
        }
        let (index, n) = best.expect("a group has a test");
        drivers.push(index);
        driven += n;
    }
    let named = if search.fixed.is_selective() { counted(db, search.count_fixed(MOST_DRIVEN)).await? } else { MOST_DRIVEN };
    Ok(if named < MOST_DRIVEN && named <= driven {
        Source::Fixed
    } else if driven < MOST_DRIVEN {
        Source::Drivers(drivers)
    } else if search.groups.is_empty() {
        Source::All
    } else {
        Source::Sets
    })
}

async fn counted(db: &mut PgConnection, mut query: sqlx::QueryBuilder<sqlx::Postgres>) -> sqlx::Result<i64> {
    query.build_query_scalar().persistent(false).fetch_one(db).await
}

/// A statement that was stopped for its time is the searcher's to narrow.
fn explain(error: sqlx::Error) -> Error {
    match error.as_database_error().and_then(|cause| cause.code()) {
        Some(code) if code == "57014" => Error::malformed("Pretraga je trajala predugo. Suzite uslove pretrage."),
        _ => error.into(),
    }
}
