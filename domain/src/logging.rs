//! Logs go to standard error as single lines, coloured on a terminal only, or as JSON where `LOG_FORMAT` says so. They carry ids,
//! never names, JMBG, LBO, e-mail or bodies.

use std::io::IsTerminal;

use anyhow::bail;
use tracing_subscriber::{EnvFilter, Layer, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::{environment, traces::Traces};

/// What is told where `RUST_LOG` does not say.
const ORDINARY: &str = "info,sqlx=warn";

/// Begins to log and, where a collector is named, to trace. What is given back sends the last spans when it is dropped.
pub fn init(program: &'static str) -> anyhow::Result<Option<Traces>> {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(ORDINARY));
    // Codes of colours would stand in the files of whoever collects the logs.
    let coloured = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty());
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(coloured);
    let lines = match environment::optional("LOG_FORMAT", "text").as_str() {
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
