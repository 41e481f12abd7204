//! The report engine: executes report runs and mails their results. Any number of these may run beside each other.

use report_engine::{engine::Engine, housekeeping, listener, run, settings::Settings};
use tokio::signal::unix::{SignalKind, signal};

fn main() -> anyhow::Result<()> {
    domain::logging::init();
    let settings = Settings::from_env()?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(settings))
}

async fn serve(settings: Settings) -> anyhow::Result<()> {
    let engine = Engine::start(settings).await?;
    run::start_beats(&engine.settings, engine.running.clone())?;
    engine.beat().await;
    tracing::info!(engine = engine.process.id, concurrency = engine.settings.concurrency, "report engine started");

    let mut parts = tokio::task::JoinSet::new();
    parts.spawn(listener::listen(engine.clone()));
    parts.spawn(housekeeping::keep(engine.clone()));

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let broken = tokio::select! {
        _ = terminate.recv() => None,
        _ = interrupt.recv() => None,
        // No part ends by itself; an engine that has lost one is better started again whole.
        part = parts.join_next() => part,
    };
    tracing::info!("report engine stops");
    engine.stopping.cancel();
    engine.drain().await;
    match broken {
        Some(_) => anyhow::bail!("a part of the report engine ended"),
        None => Ok(()),
    }
}
