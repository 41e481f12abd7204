//! `api serve`: the process around the routes.

use std::{
    net::{SocketAddr, TcpListener},
    time::Duration,
};

use anyhow::Context;
use axum_server::Handle;
use domain::{
    config::Config,
    environment,
    process::HeartbeatReport,
    standing::{self, Ground},
};
use platform::{
    connections::{self, HEAD_TIMEOUT},
    state::AppState,
};
use tokio::{
    signal::unix::{SignalKind, signal},
    time::MissedTickBehavior,
};

use crate::{app, maintenance, operations};

const HEARTBEAT: Duration = Duration::from_secs(5);

/// How long calls under way may take to end once the process was asked to stop.
const GRACE: Duration = Duration::from_secs(20);

pub async fn run() -> anyhow::Result<()> {
    let address = format!("{}:{}", environment::optional("BIND", "127.0.0.1"), environment::within("PORT", 8080_u16, 1, u16::MAX)?);
    domain::metrics::address()?;
    let asked_every = standing::period()?;
    let state = AppState::connect(Config::from_env()?).await?;
    let listener = TcpListener::bind(&address).with_context(|| format!("cannot listen on {address}"))?;
    tracing::info!(address, "serving");

    operations::serve_metrics(state.clone()).await?;
    let handle = Handle::new();
    let beating = tokio::spawn(heartbeat(state.clone()));
    let attending = tokio::spawn(maintenance::attend(state.clone()));
    let watching = tokio::spawn(watch(state.clone(), asked_every));
    let routes = app(state.clone()).into_make_service_with_connect_info::<SocketAddr>();
    let serving = connections::server(listener, HEAD_TIMEOUT, handle.clone())?.serve(routes);
    tokio::pin!(serving);
    tokio::select! {
        ended = &mut serving => ended?,
        asked = stop_signal()? => {
            tracing::info!(signal = asked, "stopping");
            handle.graceful_shutdown(Some(GRACE));
            serving.await?;
            let left = handle.connection_count();
            if left > 0 {
                tracing::warn!(left, "some calls did not end in time");
            }
        }
    }

    beating.abort();
    attending.abort();
    watching.abort();
    if let Err(error) = state.process.leave(&state.vitals.db).await {
        tracing::warn!(%error, "the process could not sign off");
    }
    tracing::info!("stopped");
    Ok(())
}

/// Says every few seconds that this process lives, and how busy its pools are.
async fn heartbeat(state: AppState) {
    let mut ticks = tokio::time::interval(HEARTBEAT);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let said = HeartbeatReport {
            redis_ok: Some(state.dispatcher.ping().await),
            pools: state.pools(),
            store: state.config.artifacts.look(false).await,
            replica_lag: state.report_db.lag().await,
            ..HeartbeatReport::default()
        };
        if let Err(error) = state.process.heartbeat(&state.vitals.db, &said).await {
            tracing::warn!(%error, "the heartbeat could not be written");
        }
    }
}

/// Asks again what the process stands on. On wrong ground it is not ready, and stays, so that whoever asks is told why.
async fn watch(state: AppState, period: Duration) {
    let ground = Ground::of(&state.config, None);
    loop {
        state.vitals.watch.until_forbidden(&ground, period).await;
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
