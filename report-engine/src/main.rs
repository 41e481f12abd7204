//! The report engine: executes report runs and mails their results. Any number of these may run beside each other.

use report_engine::{engine::Engine, settings::Settings};
use tokio::signal::unix::{SignalKind, signal};

fn main() -> anyhow::Result<()> {
    let _traces = domain::logging::init("report-engine")?;
    let settings = Settings::from_env()?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(settings))
}

async fn serve(settings: Settings) -> anyhow::Result<()> {
    let concurrency = settings.concurrency;
    let engine = Engine::start(settings).await?;
    tracing::info!(engine = engine.process.id, concurrency, "report engine started");

    let work = tokio::spawn(engine.clone().work());

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let broken = tokio::select! {
        _ = terminate.recv() => None,
        _ = interrupt.recv() => None,
        // The work does not end by itself; an engine in which a part of it broke down is better started again whole.
        _ = work => Some("a part of the report engine ended".to_owned()),
        why = engine.until_forbidden() => Some(why),
    };
    tracing::info!("report engine stops");
    engine.stop().await;
    match broken {
        Some(why) => anyhow::bail!(why),
        None => Ok(()),
    }
}
