//! Traces by OTLP over HTTP, where `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector; `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER` and
//! `OTEL_RESOURCE_ATTRIBUTES` are the standard's. A call and whatever comes of it in other programs are one trace: its id is the call's.

use anyhow::Context;
use opentelemetry::trace::{SpanId, TraceContextExt, TraceId, TracerProvider};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{IdGenerator, RandomIdGenerator, SdkTracer, SdkTracerProvider},
};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use uuid::Uuid;

use crate::{environment, request_id};

/// Sends what has ended to the collector, now and then, by a thread of its own; the rest when it is dropped.
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// None where no collector is named.
    pub fn start(program: &'static str) -> anyhow::Result<Option<Self>> {
        let collector = environment::optional("OTEL_EXPORTER_OTLP_ENDPOINT", "");
        if collector.is_empty() {
            return Ok(None);
        }
        let address = format!("{}/v1/traces", collector.trim_end_matches('/'));
        let exporter = SpanExporter::builder().with_http().with_endpoint(address).build().context("OTEL_EXPORTER_OTLP_ENDPOINT")?;
        let version = opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource = Resource::builder().with_service_name(format!("regix-{program}")).with_attribute(version).build();
        let provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).with_id_generator(OfCall::default()).build();
        Ok(Some(Self(provider)))
    }

    pub fn tracer(&self) -> SdkTracer {
        self.0.tracer("regix")
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown() {
            tracing::warn!(%error, "the last spans did not reach the collector");
        }
    }
}

/// Names a span for those who look at traces; lines of the log do not carry it.
pub fn name(span: &Span, name: String, attributes: impl IntoIterator<Item = (&'static str, String)>) {
    span.context().span().update_name(name);
    for (key, value) in attributes {
        span.set_attribute(key, value);
    }
}

/// A trace begins within a call, or by itself: then its id is drawn.
#[derive(Debug, Default)]
struct OfCall(RandomIdGenerator);

impl IdGenerator for OfCall {
    fn new_trace_id(&self) -> TraceId {
        let call = request_id::current().and_then(|id| Uuid::parse_str(&id).ok());
        call.map_or_else(|| self.0.new_trace_id(), |id| TraceId::from_bytes(id.into_bytes()))
    }

    fn new_span_id(&self) -> SpanId {
        self.0.new_span_id()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_comes_of_a_call_is_in_its_trace_and_anything_else_in_one_of_its_own() {
        let ids = OfCall::default();
        let call = "0190f3a2-7c1e-7000-8000-000000000001";
        let within = async |id: &str| request_id::within(id.to_owned(), async { ids.new_trace_id() }).await.to_string();
        assert_eq!(within(call).await, call.replace('-', ""));
        assert_ne!(within("proksi-42").await, within("proksi-42").await, "what is no number of a trace is not made one");
        assert_ne!(ids.new_trace_id(), ids.new_trace_id());
    }
}
