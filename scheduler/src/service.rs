//! A running scheduler: each duty at its own pace, until the process ends.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use domain::{
    db,
    jobs::Dispatcher,
    maintenance::{self, Request},
    metrics::{self, Figures},
    process::{self, HeartbeatReport, Kind, PoolUse, Process},
    runs,
    standing::{Ground, Watch},
};
use sqlx::PgPool;
use tokio::time::MissedTickBehavior;
use uuid::Uuid;

use crate::{dispatch, fire, following, plans, quality, questions, retention, settings::Settings};

const HEARTBEAT: Duration = Duration::from_secs(5);
/// How soon a plan that was published reaches patients, and a condition is asked again.
const PLANS: Duration = Duration::from_secs(15);

/// What the maintenance screen calls the scheduler's pool.
const POOL: &str = "regix_app";

pub struct Service {
    pub process: Process,
    settings: Settings,
    ground: Ground,
    watch: Watch,
    db: PgPool,
    dispatcher: Dispatcher,
    /// Whether schedules were looked at since the last heartbeat.
    ticked: AtomicBool,
    counts: ProcessCounts,
}

/// What this process has done since it began.
#[derive(Default)]
struct ProcessCounts {
    ticks: AtomicU64,
    failed_ticks: AtomicU64,
    fired: AtomicU64,
    missed: AtomicU64,
    refused: AtomicU64,
}

impl Service {
    /// Waits for the database; Redis may come later.
    pub async fn start(settings: Settings) -> anyhow::Result<Arc<Self>> {
        metrics::address()?;
        let ground = Ground {
            database_url: settings.database_url.clone(),
            report_database_url: None,
            redis_url: settings.redis_url.clone(),
            artifacts: settings.artifacts.clone(),
            template_dir: None,
            smtp_url: None,
        };
        ground.stand().await?;
        let process = Process::new(Kind::Scheduler, Uuid::now_v7());
        let service = Arc::new(Self {
            db: db::pool(&settings.database_url, &process.id, 4).await?,
            dispatcher: Dispatcher::connect(&settings.redis_url)?,
            process,
            settings,
            ground,
            watch: Watch::default(),
            ticked: AtomicBool::new(false),
            counts: ProcessCounts::default(),
        });
        let measured = service.clone();
        metrics::serve(move || {
            let service = measured.clone();
            async move { service.figures().await }
        })
        .await?;
        Ok(service)
    }

    /// Works for ever. Dropping it is safe at any point: an unfinished fire rolls back and is found again.
    pub async fn work(&self) {
        tokio::join!(
            every(HEARTBEAT, || self.heartbeat()),
            every(self.settings.tick, || self.tick()),
            every(self.settings.sweep, || runs::sweep(&self.db)),
            every(self.settings.clearing, || self.clear()),
            every(PLANS, || self.advance_plans()),
            maintenance::attend(&self.settings.database_url, &self.process.id, |request| self.maintain(request)),
        );
    }

    /// Returns, with why, once the ground has become one that nobody should work on.
    pub async fn until_forbidden(&self) -> String {
        self.watch.until_forbidden(&self.ground, self.settings.standing).await
    }

    /// Takes the process off the list, so that health reports do not count this process as silent.
    pub async fn leave(&self) {
        if let Err(error) = self.process.leave(&self.db).await {
            tracing::warn!(cause = %error, "the end of the scheduler could not be written");
        }
    }

    async fn heartbeat(&self) {
        let said = HeartbeatReport {
            redis_ok: Some(self.dispatcher.ping().await),
            pools: vec![PoolUse::of(POOL, &self.db)],
            worked: self.ticked.swap(false, Ordering::Relaxed),
            ..HeartbeatReport::default()
        };
        if let Err(error) = self.process.heartbeat(&self.db, &said).await {
            tracing::warn!(cause = %error, "the heartbeat of the scheduler could not be written");
        }
    }

    /// What this scheduler tells Prometheus of itself.
    async fn figures(&self) -> Figures {
        let mut figures = Figures::of(Kind::Scheduler, &[PoolUse::of(POOL, &self.db)], self.dispatcher.ping().await);
        self.watch.measure(&mut figures);
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let ticks = [([("outcome", "done")], read(&self.counts.ticks)), ([("outcome", "failed")], read(&self.counts.failed_ticks))];
        figures.counter("scheduler_looks", "Looks at due schedules", ticks);
        let fires = [
            ([("outcome", "fired")], read(&self.counts.fired)),
            ([("outcome", "missed")], read(&self.counts.missed)),
            ([("outcome", "refused")], read(&self.counts.refused)),
        ];
        figures.counter("scheduler_fires", "Moments of schedules by what became of them", fires);
        figures
    }

    /// The moment is the database's: the clocks of several schedulers need not agree.
    async fn tick(&self) {
        if self.watch.forbids() {
            return;
        }
        let now = sqlx::query_scalar!(r#"select clock_timestamp() as "now!: jiff_sqlx::Timestamp""#).fetch_one(&self.db).await;
        let done = match now {
            Ok(now) => fire::tick(&self.db, now.to_jiff()).await,
            Err(error) => Err(error),
        };
        match done {
            Ok(done) => {
                self.ticked.store(true, Ordering::Relaxed);
                add(&self.counts.ticks, 1);
                add(&self.counts.fired, done.fired);
                add(&self.counts.missed, done.missed);
                add(&self.counts.refused, done.refused);
                if done.missed > 0 || done.refused > 0 {
                    tracing::warn!(fired = done.fired, missed = done.missed, refused = done.refused, "not every fire became a run");
                } else if done.fired > 0 {
                    tracing::info!(fired = done.fired, "schedules fired");
                }
            }
            Err(error) => {
                add(&self.counts.failed_ticks, 1);
                tracing::error!(cause = %error, "due schedules could not be handled");
            }
        }
        if let Err(error) = dispatch::announce(&self.db, &self.dispatcher).await {
            tracing::warn!(cause = %error, "queued runs could not be announced");
        }
    }

    async fn clear(&self) {
        match retention::expire(&self.db, &self.settings.artifacts).await {
            Ok(0) => {}
            Ok(files) => tracing::info!(files, "expired files were removed"),
            Err(error) => tracing::warn!(cause = %error, "expired files were not removed"),
        }
        match retention::purge(&self.db).await {
            Ok(0) => {}
            Ok(runs) => tracing::info!(runs, "old runs were forgotten"),
            Err(error) => tracing::warn!(cause = %error, "old runs were not forgotten"),
        }
        match retention::forget_drafts(&self.db).await {
            Ok(0) => {}
            Ok(drafts) => tracing::info!(drafts, "old drafts were forgotten"),
            Err(error) => tracing::warn!(cause = %error, "old drafts were not forgotten"),
        }
        match retention::forget_imports(&self.db).await {
            Ok(0) => {}
            Ok(files) => tracing::info!(files, "files of old imports were deleted"),
            Err(error) => tracing::warn!(cause = %error, "files of old imports were not deleted"),
        }
        match retention::remove_entry_files(&self.db, &self.settings.artifacts).await {
            Ok(0) => {}
            Ok(files) => tracing::info!(files, "files that no entry names were removed"),
            Err(error) => tracing::warn!(cause = %error, "files that no entry names were not removed"),
        }
        match retention::find_pairs_at_night(&self.db).await {
            Ok(0) => {}
            Ok(patients) => tracing::info!(patients, "patients were looked at for likely pairs"),
            Err(error) => tracing::warn!(cause = %error, "likely pairs were not looked for"),
        }
        match retention::order_quality_runs(&self.db).await {
            Ok(0) => {}
            Ok(registers) => tracing::info!(registers, "registers are looked at by their quality rules"),
            Err(error) => tracing::warn!(cause = %error, "runs of quality rules were not ordered"),
        }
        if let Err(error) = retention::refresh_arrived(&self.db).await {
            tracing::warn!(cause = %error, "entries whose day has come were not counted as last ones");
        }
        if let Err(error) = retention::lay_partitions(&self.db).await {
            tracing::error!(cause = %error, "the partitions of coming months were not made");
        }
    }

    async fn advance_plans(&self) {
        if self.watch.forbids() {
            return;
        }
        match plans::advance(&self.db).await {
            Ok(0) => {}
            Ok(patients) => tracing::info!(patients, "visit plans of patients were brought up to date"),
            Err(error) => tracing::warn!(cause = %error, "visit plans were not brought up to date"),
        }
        match following::follow(&self.db).await {
            Ok(0) => {}
            Ok(patients) => tracing::info!(patients, "results of patients followed entries of other forms"),
            Err(error) => tracing::warn!(cause = %error, "results did not follow entries of other forms"),
        }
        match quality::settle(&self.db).await {
            Ok(0) => {}
            Ok(patients) => tracing::info!(patients, "patients of whom something was written were looked at by quality rules"),
            Err(error) => tracing::warn!(cause = %error, "patients of whom something was written were not looked at by quality rules"),
        }
        match plans::write_digests(&self.db).await {
            Ok(0) => {}
            Ok(letters) => tracing::info!(letters, "weekly letters about visits were written"),
            Err(error) => tracing::warn!(cause = %error, "weekly letters about visits were not written"),
        }
        match questions::write_letters(&self.db).await {
            Ok(0) => {}
            Ok(letters) => tracing::info!(letters, "letters about questions were written"),
            Err(error) => tracing::warn!(cause = %error, "letters about questions were not written"),
        }
    }

    async fn maintain(&self, request: Request) {
        if let Request::Konekcija(target) = request
            && maintenance::names_pool(&target, &self.process.id, POOL)
        {
            let closed = process::close_idle(&self.db).await;
            tracing::info!(closed, "idle connections were closed");
        }
    }
}

fn add(count: &AtomicU64, more: usize) {
    count.fetch_add(more as u64, Ordering::Relaxed);
}

async fn every<F: Future<Output = ()>>(period: Duration, duty: impl Fn() -> F) {
    let mut times = tokio::time::interval(period);
    times.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        times.tick().await;
        duty().await;
    }
}
