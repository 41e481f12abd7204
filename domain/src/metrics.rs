//! Figures of a process for Prometheus, on an address of their own that the public site does not reach.

use std::{
    net::SocketAddr,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use anyhow::Context;
use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::{
    environment,
    process::{Kind, PoolUse},
};

const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// How long a reader may take.
const PATIENCE: Duration = Duration::from_secs(10);

type Labels = Vec<(String, String)>;

/// The figures of one moment. Labels name kinds and parts of the product, never people or what they wrote.
pub struct Figures(Registry);

impl Figures {
    /// What every process tells: what it is, and how busy its pools are.
    pub fn of(kind: Kind, pools: &[PoolUse], redis_ok: bool) -> Self {
        let mut figures = Self(Registry::with_prefix("regix"));
        figures.gauge("build", "What runs here; always 1", [([("kind", kind.name()), ("version", env!("CARGO_PKG_VERSION"))], 1.0)]);
        figures.gauge("redis_up", "Whether Redis answers", [([], f64::from(u8::from(redis_ok)))]);
        figures.gauge(
            "pool_busy",
            "Connections in use",
            pools.iter().map(|pool| ([("pool", pool.naziv.as_str())], f64::from(pool.zauzeto))),
        );
        figures.gauge(
            "pool_most",
            "Connections that the pool may open",
            pools.iter().map(|pool| ([("pool", pool.naziv.as_str())], f64::from(pool.najvise))),
        );
        figures
    }

    /// How far the server that this process reads reports from is behind, where that is a replica.
    pub fn replica_lag(&mut self, seconds: f64) {
        self.gauge("report_replica_lag_seconds", "Since the last change that the replica for reports has replayed", [([], seconds)]);
    }

    /// How often something took how long, since the process began.
    pub fn durations(&mut self, name: &str, help: &str, durations: &Durations) {
        self.0.register(name, help, durations.0.clone());
    }

    /// As Prometheus reads them.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // A text takes whatever is written to it.
        let _ = encode(&mut text, &self.0);
        text
    }

    pub fn gauge<'a, const N: usize>(&mut self, name: &str, help: &str, values: impl IntoIterator<Item = ([(&'a str, &'a str); N], f64)>) {
        let family = Family::<Labels, Gauge<f64, AtomicU64>>::default();
        for (labels, value) in values {
            family.get_or_create(&owned(labels)).set(value);
        }
        self.0.register(name, help, family);
    }

    /// What only grows while the process lives.
    pub fn counter<'a, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        values: impl IntoIterator<Item = ([(&'a str, &'a str); N], u64)>,
    ) {
        let family = Family::<Labels, Counter>::default();
        for (labels, value) in values {
            family.get_or_create(&owned(labels)).inc_by(value);
        }
        self.0.register(name, help, family);
    }
}

/// Seconds that separate what is quick, what is felt, and what nobody waits for.
const SECONDS: [f64; 9] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// How long things took, counted by their labels.
#[derive(Clone)]
pub struct Durations(Family<Labels, Histogram, fn() -> Histogram>);

impl Default for Durations {
    fn default() -> Self {
        Self(Family::new_with_constructor(|| Histogram::new(SECONDS)))
    }
}

impl Durations {
    pub fn observe<const N: usize>(&self, labels: [(&str, &str); N], took: Duration) {
        self.0.get_or_create(&owned(labels)).observe(took.as_secs_f64());
    }
}

fn owned<const N: usize>(labels: [(&str, &str); N]) -> Labels {
    labels.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// The address of `METRICS_BIND`; `None`, where it is not set: nothing is shown.
pub fn address() -> anyhow::Result<Option<SocketAddr>> {
    let address = environment::optional("METRICS_BIND", "");
    if address.is_empty() { Ok(None) } else { Ok(Some(address.parse().context("METRICS_BIND is no address with a port")?)) }
}

/// Serves `GET /metrics` for ever, where the environment names an address. Each time `measure` gives the figures as they are then.
pub async fn serve<F, R>(measure: F) -> anyhow::Result<()>
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Future<Output = Figures> + Send,
{
    let Some(address) = address()? else { return Ok(()) };
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    tracing::info!(%address, "metrics are served");
    let measure = Arc::new(measure);
    tokio::spawn(async move {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let measure = measure.clone();
                    tokio::spawn(async move {
                        // Whoever asked and went away is no fault.
                        let _ = tokio::time::timeout(PATIENCE, answer(stream, measure.as_ref())).await;
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a reader of the metrics was not let in");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        }
    });
    Ok(())
}

async fn answer<R: Future<Output = Figures>>(mut stream: TcpStream, measure: &impl Fn() -> R) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut piece = [0; 1024];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < 16 * 1024 {
        match stream.read(&mut piece).await? {
            0 => return Ok(()),
            read => request.extend_from_slice(&piece[..read]),
        }
    }
    let (status, body) =
        if request.starts_with(b"GET /metrics ") { ("200 OK", measure().await.text()) } else { ("404 Not Found", String::new()) };
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {CONTENT_TYPE}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}
