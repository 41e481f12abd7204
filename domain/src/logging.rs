//! Logs go to standard error as single lines, coloured on a terminal only, or as JSON where `LOG_FORMAT` says so. They carry ids,
//! never names, JMBG, LBO, e-mail or bodies. The id of a call goes with all that comes of it, from the browser to the engine: `zahtev`.

use std::io::IsTerminal;

use anyhow::bail;
use tracing_subscriber::{EnvFilter, Layer, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::{config, traces::Traces};

/// What is told where `RUST_LOG` does not say.
const ORDINARY: &str = "info,sqlx=warn";

tokio::task_local! {
    static REQUEST: String;
}

/// Begins to log and, where a collector is named, to trace. What is given back sends the last spans when it is dropped.
pub fn init(program: &'static str) -> anyhow::Result<Option<Traces>> {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(ORDINARY));
    // Codes of colours would stand in the files of whoever collects the logs.
    let coloured = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty());
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(coloured);
    let lines = match config::optional("LOG_FORMAT", "text").as_str() {
        "text" => lines.boxed(),
        "json" => lines.json().flatten_event(true).with_current_span(false).with_span_list(true).boxed(),
        _ => bail!("LOG_FORMAT is neither text nor json"),
    };
    let traces = Traces::start(program)?;
    // How much is logged does not decide what is traced.
    let spans =
        traces.as_ref().map(|traces| tracing_opentelemetry::layer().with_tracer(traces.tracer()).with_filter(EnvFilter::new(ORDINARY)));
    tracing_subscriber::registry().with(lines.with_filter(filter)).with(spans).init();
    Ok(traces)
}

/// Whether this may be the id of a call: what is sent as one is believed only then, since logs and rows carry it.
pub fn is_request_id(text: &str) -> bool {
    (8..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// What is done within belongs to this call.
pub async fn within_request<F: Future>(id: String, doing: F) -> F::Output {
    REQUEST.scope(id, doing).await
}

/// The call to which belongs what is being done.
pub fn request_id() -> Option<String> {
    REQUEST.try_with(Clone::clone).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_has_one_id_and_strange_ones_are_not_believed() {
        assert_eq!(request_id(), None);
        assert_eq!(within_request("zahtev-1".to_owned(), async { request_id() }).await.as_deref(), Some("zahtev-1"));
        assert!(is_request_id("0190f3a2-7c1e-7000-8000-000000000000"));
        let too_long = "a".repeat(65);
        for strange in ["", "kratak", "Pera Perić", "a b c d e f g", "x\"y\"z\"x\"y", too_long.as_str()] {
            assert!(!is_request_id(strange), "{strange}");
        }
    }
}
