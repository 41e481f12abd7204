//! The statements that a call sends to the database, as sqlx tells of each.

use std::{cell::RefCell, fmt, sync::Once};

use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    filter::filter_fn,
    layer::{Context, Layer, SubscriberExt},
    registry::Registry,
};

thread_local! {
    /// What this thread has sent since it listens.
    static SENT: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// One for all threads of the process: one that came and went with a test would be asked for by others in between.
struct Recorder;

impl<S: Subscriber> Layer<S> for Recorder {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        SENT.with_borrow_mut(|sent| {
            let Some(sent) = sent else { return };
            let mut text = Text::default();
            event.record(&mut text);
            sent.push(text.0);
        });
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
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let recorder = Recorder.with_filter(filter_fn(|told| told.target() == "sqlx::query"));
        tracing::subscriber::set_global_default(Registry::default().with(recorder)).expect("no other listens in these tests");
    });
    SENT.set(Some(Vec::new()));
    let answer = call.await;
    (answer, SENT.take().unwrap_or_default())
}
