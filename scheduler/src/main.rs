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
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        () = service.work() => {}
    }
    tracing::info!("scheduler stops");
    service.leave().await;
    Ok(())
}
