//! What an operation costs: pages touched and log written, as `pg_stat_statements` counts them for every statement with its
//! triggers and functions (the numbers of EXPLAIN (ANALYZE, BUFFERS)), and the median of a few repetitions.

use std::time::{Duration, Instant};

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
    /// None: of a part of a call.
    pub median: Option<Duration>,
}

/// Times one operation, then counts its pages and those of its statements like `part`. Counted are three repetitions, and the
/// middle one is taken: now and then a save empties the pending list of a text index for many before it.
pub async fn cost<T, F: Future<Output = anyhow::Result<T>>>(
    owner: &PgPool,
    repetitions: usize,
    part: &str,
    mut operation: impl FnMut() -> F,
) -> anyhow::Result<(T, Cost, Pages)> {
    operation().await?; // Warms caches and connections.
    let mut times = Vec::with_capacity(repetitions);
    for _ in 0..repetitions {
        let started = Instant::now();
        operation().await?;
        times.push(started.elapsed());
        if times.iter().sum::<Duration>() > Duration::from_secs(20) {
            break;
        }
    }
    times.sort_unstable();
    let mut counts = Vec::new();
    for _ in 0..3 {
        sqlx::query("select pg_stat_statements_reset()").execute(owner).await?;
        let result = operation().await?;
        counts.push((result, counted(owner, "%").await?, counted(owner, part).await?));
    }
    counts.sort_by_key(|(_, pages, _)| pages.buffers);
    let (result, pages, part) = counts.swap_remove(1);
    Ok((result, Cost { pages, median: Some(times[times.len() / 2]) }, part))
}

/// What statements like this have cost since the last reset.
async fn counted(owner: &PgPool, pattern: &str) -> anyhow::Result<Pages> {
    let (buffers, wal, statements) = sqlx::query_as(
        "select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::bigint, coalesce(sum(wal_bytes), 0)::bigint,
                coalesce(sum(calls), 0)::bigint
           from pg_stat_statements
          where dbid = (select oid from pg_database where datname = current_database()) and query like $1
            and userid in ('regix_app'::regrole, 'regix_report'::regrole)",
    )
    .bind(pattern)
    .fetch_one(owner)
    .await?;
    Ok(Pages { buffers, wal, statements })
}

/// The median of a patient's fetch by primary key: the measure of this machine at this moment.
pub async fn floor(app: &PgPool, patients: u64) -> anyhow::Result<Duration> {
    let mut times = Vec::with_capacity(300);
    for turn in 0..300_u64 {
        let id = i64::try_from(1 + crate::chance::throw(90, turn) % patients)?;
        let started = Instant::now();
        sqlx::query("select id, ime, prezime, jmbg, lbo, datum_rodjenja::text from patient where id = $1").bind(id).fetch_one(app).await?;
        times.push(started.elapsed());
    }
    times.sort_unstable();
    Ok(times[times.len() / 2])
}
