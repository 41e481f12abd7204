//! `api serve`: the process around the routes.

use std::net::SocketAddr;

use anyhow::Context;
use domain::config::{self, Config};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

use crate::{app, state::AppState};

pub async fn run() -> anyhow::Result<()> {
    let state = AppState::connect(Config::from_env()?).await.context("the API cannot reach its database")?;
    let address = format!("{}:{}", config::optional("BIND", "127.0.0.1"), config::number("PORT", 8080_u16)?);
    let listener = TcpListener::bind(&address).await.with_context(|| format!("cannot listen on {address}"))?;
    tracing::info!(address, "serving");
    axum::serve(listener, app(state).into_make_service_with_connect_info::<SocketAddr>()).with_graceful_shutdown(stop_signal()?).await?;
    tracing::info!("stopped");
    Ok(())
}

/// Ends when the process is asked to stop; calls under way are then answered.
fn stop_signal() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
    })
}
