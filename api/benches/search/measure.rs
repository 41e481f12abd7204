//! What an operation costs: pages touched and log written, as `pg_stat_statements` counts them for every statement with its
//! triggers and functions (the numbers of EXPLAIN (ANALYZE, BUFFERS)), and the median of a few repetitions.

use std::time::{Duration, Instant};

use anyhow::Context;
use sqlx::PgPool;

#[derive(Clone, Copy, Debug, Default)]
pub struct Pages {
    pub buffers: i64,
    /// Bytes.
    pub wal: i64,
    pub statements: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub pages: Pages,
    pub median: Duration,
    /// What a fetch by primary key took in the same moments.
    pub floor: Duration,
}

/// The measure of the machine: a patient fetched by primary key.
#[derive(Clone, Debug)]
pub struct Floor {
    app: PgPool,
    patients: u64,
}

/// Fetches after each repetition of an operation.
const FETCHES: u64 = 7;
/// The pool's connections take turns, and each prepares its statements; after a few uses it keeps their plans.
pub const WARMING: usize = 12;
/// Repetitions whose pages are counted.
pub const COUNTED: usize = 5;

/// Times one operation in turns with fetches by primary key, then counts its pages and those of its statements like `part`, whose time
/// is the server's, with their triggers. Of what is counted the middle is taken: now and then a save empties the pending list of a text
/// index for many before it, or splits pages of an index.
pub async fn cost<T, F: Future<Output = anyhow::Result<T>>>(
    owner: &PgPool,
    floor: &Floor,
    repetitions: usize,
    part: &str,
    mut operation: impl FnMut() -> F,
) -> anyhow::Result<(T, Cost, Cost)> {
    // Warms caches and connections.
    for _ in 0..WARMING {
        operation().await?;
    }
    let (mut times, mut fetches) = (Vec::with_capacity(repetitions), Vec::new());
    for turn in 0..repetitions {
        let started = Instant::now();
        operation().await?;
        times.push(started.elapsed());
        floor.fetch(turn as u64, &mut fetches).await?;
        if times.iter().sum::<Duration>() > Duration::from_secs(20) {
            break;
        }
    }
    let (mut wholes, mut parts, mut at_server, mut result) = (Vec::new(), Vec::new(), Vec::new(), None);
    for _ in 0..COUNTED {
        sqlx::query("select pg_stat_statements_reset()").execute(owner).await?;
        result = Some(operation().await?);
        wholes.push(counted(owner, "%").await?.0);
        let (pages, time) = counted(owner, part).await?;
        parts.push(pages);
        at_server.push(time);
    }
    let floor = middle(&fetches);
    let whole = Cost { pages: Pages::middle(&wholes), median: middle(&times), floor };
    let part = Cost { pages: Pages::middle(&parts), median: middle(&at_server), floor };
    Ok((result.context("counted at least once")?, whole, part))
}

impl Pages {
    /// The middle of each count on its own: a save that splits a page of an index writes more log, another reads more.
    fn middle(all: &[Self]) -> Self {
        let of = |count: fn(&Self) -> i64| middle(&all.iter().map(count).collect::<Vec<_>>());
        Self { buffers: of(|pages| pages.buffers), wal: of(|pages| pages.wal), statements: of(|pages| pages.statements) }
    }
}

fn middle<T: Ord + Copy>(all: &[T]) -> T {
    let mut all = all.to_vec();
    all.sort_unstable();
    all[all.len() / 2]
}

/// What statements like this have cost since the last reset.
async fn counted(owner: &PgPool, pattern: &str) -> anyhow::Result<(Pages, Duration)> {
    let (buffers, wal, statements, ms): (i64, i64, i64, f64) = sqlx::query_as(
        "select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::bigint, coalesce(sum(wal_bytes), 0)::bigint,
                coalesce(sum(calls), 0)::bigint, coalesce(sum(total_exec_time), 0)
           from pg_stat_statements
          where dbid = (select oid from pg_database where datname = current_database()) and query like $1
            and userid in ('regix_app'::regrole, 'regix_report'::regrole)",
    )
    .bind(pattern)
    .fetch_one(owner)
    .await?;
    Ok((Pages { buffers, wal, statements }, Duration::from_secs_f64(ms / 1e3)))
}

impl Floor {
    pub fn new(app: &PgPool, patients: u64) -> Self {
        Self { app: app.clone(), patients }
    }

    async fn fetch(&self, turn: u64, times: &mut Vec<Duration>) -> anyhow::Result<()> {
        for n in 0..FETCHES {
            let id = i64::try_from(1 + crate::chance::throw(90, turn * FETCHES + n) % self.patients)?;
            let started = Instant::now();
            sqlx::query("select id, ime, prezime, jmbg, lbo, datum_rodjenja::text from patient where id = $1")
                .bind(id)
                .fetch_one(&self.app)
                .await?;
            times.push(started.elapsed());
        }
        Ok(())
    }

    /// The median time of a statement that does nothing: its way to the server and back.
    pub async fn trip(&self) -> anyhow::Result<Duration> {
        let mut times = Vec::with_capacity(300);
        for _ in 0..300 {
            let started = Instant::now();
            sqlx::query("select 1").fetch_one(&self.app).await?;
            times.push(started.elapsed());
        }
        times.sort_unstable();
        Ok(times[150])
    }
}
