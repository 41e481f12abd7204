//! One engine process: the kinds of jobs that it does, what it does beside them, and how it stops.

use std::{sync::Arc, time::Duration};

use domain::{
    jobs::Dispatcher,
    listen::{self, Notice},
    maintenance::{self, Request, names_pool},
    metrics::{self, Figures},
    process::{self, HeartbeatReport, Kind, PoolUse, Process, RestReason},
    report_sql::{self, ReportDb},
    standing::{Ground, Watch},
};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    jobs::{self, HeldJobs, JobHost, ServedQueue, StopReason, Work},
    mail::Mail,
    quality::QualityRuns,
    recompute::Recompute,
    run::{self, Runner},
    settings::Settings,
    store::Store,
    template::Templates,
};

const HEARTBEAT: Duration = Duration::from_secs(5);
const CLEANING: Duration = Duration::from_secs(3600);

/// The channel on which the database says that a run was cancelled.
const CANCELLED: &str = "regix_otkazi";

/// What the maintenance screen calls the application's pool.
const POOL: &str = "regix_app";

pub struct Engine {
    settings: Settings,
    /// Signs in as the application.
    app: PgPool,
    /// Connections of the report role.
    reports: ReportDb,
    dispatcher: Dispatcher,
    templates: Arc<Templates>,
    store: Store,
    held: HeldJobs,
    pub process: Process,
    host: Arc<JobHost>,
    kinds: Vec<Arc<dyn Work>>,
    mail: Arc<Mail>,
    ground: Ground,
    watch: Watch,
    /// One heartbeat at a time: what an earlier one read must not be believed after a later one's.
    beating: tokio::sync::Mutex<()>,
}

impl Engine {
    pub async fn start(settings: Settings) -> anyhow::Result<Arc<Self>> {
        // What is wrong in the settings is told before anybody is waited for.
        Mail::check(&settings)?;
        metrics::address()?;
        // The mail server it asks by signing in, every few minutes.
        let ground = Ground::of(&settings.common, None);
        ground.stand().await?;
        let connections = u32::try_from(settings.concurrency + settings.mail.concurrency)? + 8;
        let app = domain::db::pool(&settings.common.database_url, "report-engine", connections).await?;
        let reports = ReportDb::new(app.clone(), &settings.common.report_database_url, u32::try_from(settings.concurrency)?)?;
        let dispatcher = Dispatcher::connect(&settings.common.redis_url)?;
        let templates = Arc::new(Templates::new(settings.common.template_dir.join("reports")));
        let store = Store::open(settings.common.artifacts.clone(), app.clone())?;
        let process = Process::new(Kind::ReportEngine, Uuid::now_v7());
        let watch = Watch::default();
        let host = Arc::new(JobHost::new(process.id.clone(), settings.common.redis_url.clone(), watch.clone()));
        let held = HeldJobs::default();

        let mail = Arc::new(Mail::new(&settings, app.clone(), dispatcher.clone(), store.clone())?);
        let runner = Runner {
            app: app.clone(),
            reports: reports.clone(),
            templates: templates.clone(),
            store: store.clone(),
            mail: mail.clone(),
            held: held.clone(),
            owner: process.id.clone(),
            knows: settings.knows,
            lease_seconds: settings.lease.as_secs_f64(),
            queues: run::queues(settings.concurrency),
        };
        let recompute = Arc::new(Recompute::new(app.clone(), host.clone(), settings.lease.as_secs_f64()));
        let quality = Arc::new(QualityRuns::new(app.clone(), host.clone(), settings.lease.as_secs_f64()));
        let kinds: Vec<Arc<dyn Work>> = vec![Arc::new(runner), mail.clone(), recompute, quality];
        jobs::start_heartbeats(&settings, held.clone())?;
        let engine = Arc::new(Self {
            settings,
            app,
            reports,
            dispatcher,
            templates,
            store,
            held,
            process,
            host,
            kinds,
            mail,
            ground,
            watch,
            beating: tokio::sync::Mutex::default(),
        });
        engine.heartbeat().await;
        let measured = engine.clone();
        metrics::serve(move || {
            let engine = measured.clone();
            async move { engine.figures().await }
        })
        .await?;
        Ok(engine)
    }

    /// Does jobs, and what stands beside them, until the engine is asked to stop.
    pub async fn work(self: Arc<Self>) {
        tokio::join!(
            jobs::listen(self.host.clone(), self.kinds.clone()),
            jobs::poll(&self.host, &self.kinds, self.settings.poll),
            self.every(HEARTBEAT, || self.heartbeat()),
            self.every(self.settings.sweep, || self.sweep()),
            self.every(self.settings.sweep, || self.mail.look()),
            self.every(CLEANING, || self.clean()),
            self.hear_cancels(),
            self.hear_maintenance(),
        );
    }

    /// Returns, with why, once the ground has become one that nobody should work on.
    pub async fn until_forbidden(&self) -> String {
        self.watch.until_forbidden(&self.ground, self.settings.standing).await
    }

    /// Takes nothing new, lets what is being done finish, then gives back what did not.
    pub async fn stop(&self) {
        self.host.stopping.cancel();
        if tokio::time::timeout(self.settings.shutdown, self.all_free()).await.is_err() {
            tracing::warn!("jobs are given back to the queue: the time to finish them is over");
            self.held.stop_all(StopReason::Shutdown);
            if tokio::time::timeout(self.settings.shutdown, self.all_free()).await.is_err() {
                tracing::error!("jobs did not stop; their leases will lapse");
            }
        }
        if let Err(error) = self.process.leave(&self.app).await {
            tracing::warn!(%error, "the end of the engine could not be written");
        }
    }

    async fn all_free(&self) {
        for queue in self.queues() {
            queue.slots.all_free().await;
        }
    }

    fn queues(&self) -> Vec<ServedQueue> {
        self.kinds.iter().flat_map(|kind| kind.queues().to_vec()).collect()
    }

    async fn every<F: Future<Output = ()>>(&self, period: Duration, duty: impl Fn() -> F) {
        let mut ticks = tokio::time::interval(period);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => duty().await,
                () = self.host.stopping.cancelled() => return,
            }
        }
    }

    /// Says that the engine lives, and hears whether it is to rest.
    async fn heartbeat(&self) {
        let _alone = self.beating.lock().await;
        let said = HeartbeatReport {
            redis_ok: Some(self.dispatcher.ping().await),
            pools: self.pools(),
            worked: self.host.has_worked(),
            slots: Some(self.slots()),
            store: self.settings.common.artifacts.look(true).await,
            knows: Some(self.settings.knows),
            replica_lag: self.reports.lag().await,
        };
        match self.process.heartbeat(&self.app, &said).await {
            Ok(rest) => self.host.set_rest(rest).await,
            Err(error) => tracing::warn!(%error, "the heartbeat of the engine could not be written"),
        }
    }

    /// What this engine tells Prometheus of itself.
    async fn figures(&self) -> Figures {
        let mut figures = Figures::of(Kind::ReportEngine, &self.pools(), self.dispatcher.ping().await);
        self.watch.measure(&mut figures);
        let (slots, busy) = self.slots();
        figures.gauge("engine_slots", "Runs that it executes at one time", [([], f64::from(slots))]);
        figures.gauge("engine_busy", "Runs that it executes now", [([], f64::from(busy))]);
        let rest = self.host.rest();
        let rests = RestReason::ALL.map(|why| ([("reason", why.name())], f64::from(u8::from(rest == Some(why)))));
        figures.gauge("engine_rests", "Whether it takes nothing new, and why", rests);
        if let Some(lag) = self.reports.lag().await {
            figures.replica_lag(lag);
        }
        if let Some(free) = self.settings.common.artifacts.look(false).await.and_then(|store| store.free) {
            figures.gauge("store_free_bytes", "Room in the folder of artifacts", [([], free as f64)]);
        }
        figures
    }

    fn pools(&self) -> Vec<PoolUse> {
        vec![PoolUse::of(POOL, &self.app), self.reports.pool_use("regix_report")]
    }

    /// How many runs it may execute at one time, and executes now.
    fn slots(&self) -> (i32, i32) {
        let number = |count| i32::try_from(count).unwrap_or(i32::MAX);
        (number(self.settings.concurrency), number(self.held.leases().len()))
    }

    async fn sweep(&self) {
        jobs::sweep(&self.kinds).await;
        if let Err(error) = report_sql::sweep_scopes(&self.app).await {
            tracing::warn!(%error, "old report scopes were not swept");
        }
    }

    async fn clean(&self) {
        match self.store.sweep_orphans().await {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "files that no run names were removed"),
            Err(error) => tracing::warn!(%error, "files that no run names were not removed"),
        }
        let queues: Vec<_> = self.queues().iter().map(|queue| queue.name).collect();
        let trimmed = match jobs::connection(&self.settings.common.redis_url) {
            Ok(mut redis) => jobs::trim(&mut redis, queues).await.map_err(anyhow::Error::from),
            Err(error) => Err(error),
        };
        if let Err(error) = trimmed {
            tracing::warn!(%error, "finished tasks were not cleared from Redis");
        }
    }

    /// Hears of cancelled runs. One that was cancelled while the connection was lost is stopped by the next heartbeat of its lease.
    async fn hear_cancels(&self) {
        let stop = |heard| {
            if let Notice::Payload(run) = heard {
                self.held.stop(&format!("run {run}"), StopReason::Cancelled);
            }
            std::future::ready(())
        };
        self.until_stopping(listen::forever(&self.settings.common.database_url, "report-engine-otkazi", CANCELLED, stop)).await;
    }

    async fn hear_maintenance(&self) {
        let obey = |request| self.maintain(request);
        self.until_stopping(maintenance::attend(&self.settings.common.database_url, "report-engine-odrzavanje", obey)).await;
    }

    async fn maintain(&self, request: Request) {
        match request {
            Request::Jasper(name) => {
                self.templates.evict(&name);
                tracing::info!("compiled templates were dropped");
            }
            // Connections of the report role live for one run and are never idle.
            Request::Konekcija(target) if names_pool(&target, &self.process.id, POOL) => {
                let closed = process::close_idle(&self.app).await;
                tracing::info!(closed, "idle connections were closed");
            }
            Request::Praznjenje(engine) if engine == self.process.id => self.heartbeat().await,
            Request::Konekcija(_) | Request::Parametri(_) | Request::Praznjenje(_) => {}
        }
    }

    async fn until_stopping(&self, endless: impl Future<Output = ()>) {
        tokio::select! {
            () = endless => {}
            () = self.host.stopping.cancelled() => {}
        }
    }
}
