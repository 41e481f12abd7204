//! The scheduler's process.

use scheduler::{service::Service, settings::Settings};
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let _traces = domain::logging::init("scheduler")?;
    let service = Service::start(Settings::from_env()?).await?;
    tracing::info!(scheduler = service.process.id, "scheduler started");

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let broken = tokio::select! {
        _ = terminate.recv() => None,
        _ = interrupt.recv() => None,
        () = service.work() => None,
        why = service.until_forbidden() => Some(why),
    };
    tracing::info!("scheduler stops");
    service.leave().await;
    broken.map_or(Ok(()), |why| Err(anyhow::anyhow!(why)))
}
