//! `api serve`: the process around the routes.

use std::{net::SocketAddr, time::Duration};

use anyhow::Context;
use domain::{
    config::{self, Config},
    process::Pulse,
};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    time::MissedTickBehavior,
};
use tokio_util::sync::CancellationToken;

use crate::{app, maintenance, state::AppState};

const BEAT: Duration = Duration::from_secs(5);

/// How long calls under way may take to end once the process was asked to stop.
const GRACE: Duration = Duration::from_secs(20);

pub async fn run() -> anyhow::Result<()> {
    let state = AppState::connect(Config::from_env()?).await.context("the API cannot reach its database")?;
    let address = format!("{}:{}", config::optional("BIND", "127.0.0.1"), config::number("PORT", 8080_u16)?);
    let listener = TcpListener::bind(&address).await.with_context(|| format!("cannot listen on {address}"))?;
    tracing::info!(address, "serving");

    let stop = CancellationToken::new();
    let beating = tokio::spawn(beat(state.clone()));
    let attending = tokio::spawn(maintenance::attend(state.clone()));
    let serving = axum::serve(listener, app(state.clone()).into_make_service_with_connect_info::<SocketAddr>())
        .with_graceful_shutdown(stop.clone().cancelled_owned())
        .into_future();
    tokio::pin!(serving);
    tokio::select! {
        ended = &mut serving => ended?,
        asked = stop_signal()? => {
            tracing::info!(signal = asked, "stopping");
            stop.cancel();
            if tokio::time::timeout(GRACE, serving).await.is_err() {
                tracing::warn!("some calls did not end in time");
            }
        }
    }

    beating.abort();
    attending.abort();
    if let Err(error) = state.process.leave(&state.db).await {
        tracing::warn!(%error, "the process could not sign off");
    }
    tracing::info!("stopped");
    Ok(())
}

/// Says every few seconds that this process lives, and how busy its pools are.
async fn beat(state: AppState) {
    let mut ticks = tokio::time::interval(BEAT);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let pulse = Pulse { redis_ok: Some(state.dispatcher.ping().await), pools: state.pools(), worked: false };
        if let Err(error) = state.process.beat(&state.db, &pulse).await {
            tracing::warn!(%error, "the heartbeat could not be written");
        }
    }
}

/// Resolves when the process is asked to stop, to what asked.
fn stop_signal() -> anyhow::Result<impl Future<Output = &'static str>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => "SIGTERM",
            _ = interrupt.recv() => "SIGINT",
        }
    })
}
