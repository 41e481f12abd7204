//! A call and what comes of it, as a collector of traces receives them from the real programs.

use std::sync::{Arc, Mutex};

use axum::{Router, body::Bytes, extract::State, routing::post};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value as Told},
};
use prost::Message;
use serde_json::json;
use uuid::Uuid;

use super::{Report, eventually, place::Place};

/// Takes what programs send by OTLP over HTTP, as it is.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Bytes>>>);

/// A span as it was sent.
struct SentSpan {
    program: String,
    name: String,
    trace: String,
    attributes: Vec<KeyValue>,
}

impl Collector {
    async fn start() -> (Self, String) {
        let collector = Self::default();
        let routes = Router::new().route("/v1/traces", post(take)).with_state(collector.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        (collector, address)
    }

    fn spans(&self) -> Vec<SentSpan> {
        let mut spans = Vec::new();
        for body in self.0.lock().unwrap().iter() {
            for part in ExportTraceServiceRequest::decode(body.clone()).expect("what the standard says").resource_spans {
                let program = told(&part.resource.unwrap().attributes, "service.name").expect("a program names itself");
                for span in part.scope_spans.into_iter().flat_map(|scope| scope.spans) {
                    let trace = hex::encode(&span.trace_id);
                    spans.push(SentSpan { program: program.clone(), name: span.name, trace, attributes: span.attributes });
                }
            }
        }
        spans
    }

    /// Whether these words were sent in anything.
    fn holds(&self, words: &str) -> bool {
        self.0.lock().unwrap().iter().any(|body| body.windows(words.len()).any(|part| part == words.as_bytes()))
    }
}

async fn take(State(collector): State<Collector>, body: Bytes) {
    collector.0.lock().unwrap().push(body);
}

fn told(attributes: &[KeyValue], key: &str) -> Option<String> {
    let value = attributes.iter().find(|attribute| attribute.key == key)?.value.clone()?.value?;
    Some(match value {
        Told::StringValue(text) => text,
        Told::IntValue(number) => number.to_string(),
        other => format!("{other:?}"),
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_and_the_run_that_comes_of_it_are_one_trace_that_names_nobody() {
    let place = Place::new().await;
    let (collector, collects) = Collector::start().await;
    let told_where = [("OTEL_EXPORTER_OTLP_ENDPOINT", collects.as_str()), ("OTEL_BSP_SCHEDULE_DELAY", "100")];
    let (_api, address) = place.api_with(&told_where).await;
    let _engine = place.start("report-engine", &[], &told_where);
    let worker = place.app.lekar().await;
    let report = Report::plain(&place.app.db).await;
    let call = Uuid::now_v7();
    let asked = reqwest::Client::new()
        .post(format!("{address}/api/report-queue"))
        .header("authorization", format!("Regix {}", worker.token))
        .header("x-request-id", call.to_string())
        .json(&report.request(&worker, json!({})));
    let answer: serde_json::Value = asked.send().await.unwrap().json().await.unwrap();
    let run = answer["izvestajID"].as_str().expect("the run is taken").to_owned();

    let trace = call.simple().to_string();
    let ours = || collector.spans().into_iter().filter(|span| span.trace == trace).collect::<Vec<_>>();
    let wanted = [("regix-api", "POST /api/report-queue"), ("regix-report-engine", "run"), ("regix-report-engine", "produce")];
    let spans = eventually("all parts of the trace come", async || {
        let spans = ours();
        let has = |(program, name): &(&str, &str)| spans.iter().any(|span| span.program == *program && span.name == *name);
        wanted.iter().all(has).then_some(spans)
    })
    .await;
    let of = |name: &str| &spans.iter().find(|span| span.name == name).unwrap().attributes;
    assert_eq!(told(of("run"), "run").as_deref(), Some(run.as_str()));
    for name in ["run", "POST /api/report-queue"] {
        assert_eq!(told(of(name), "radnik"), Some(worker.id.to_string()), "{name}");
        assert_eq!(told(of(name), "zahtev"), Some(call.to_string()), "{name}");
    }
    // Of its many calls the api sends paths with their places, and nothing of who or what was looked for.
    reqwest::Client::new()
        .get(format!("{address}/api/patients/4711?filter=Anić"))
        .header("authorization", format!("Regix {}", worker.token))
        .send()
        .await
        .unwrap();
    eventually("the next call comes", async || collector.spans().iter().any(|span| span.name == "GET /api/patients/{id}").then_some(()))
        .await;
    for nobody in ["Anić", "Ani%C4%87", worker.token.as_str()] {
        assert!(!collector.holds(nobody), "{nobody}");
    }
}
