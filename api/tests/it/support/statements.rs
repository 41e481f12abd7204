//! The statements that a call sends to the database, as sqlx tells of each.

use std::{
    fmt,
    sync::{Arc, Mutex},
};

use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    layer::{Context, Layer, SubscriberExt},
    registry::Registry,
};

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<String>>>);

impl<S: Subscriber> Layer<S> for Recorder {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() == "sqlx::query" {
            let mut text = Text::default();
            event.record(&mut text);
            self.0.lock().expect("no test panics while it listens").push(text.0);
        }
    }
}

/// A short statement is told whole, of a long one the beginning and then all of it.
#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "summary" && self.0.is_empty() || field.name() == "db.statement" && !value.is_empty() {
            self.0 = value.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

/// What the call answers, and the statements that it sent, in their order. Of a test that has one thread.
pub async fn of<T>(call: impl Future<Output = T>) -> (T, Vec<String>) {
    let recorder = Recorder::default();
    let listening = tracing::subscriber::set_default(Registry::default().with(recorder.clone()));
    let answer = call.await;
    drop(listening);
    let sent = recorder.0.lock().expect("no test panics while it listens").clone();
    (answer, sent)
}
