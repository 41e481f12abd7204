//! Events of reports, for the sockets of this process: one connection listens to the database, and what it hears goes to all of them.

use std::{future::ready, time::Instant};

use domain::listen::{self, Notice};
use serde::Deserialize;
use tokio::sync::broadcast;

const CHANNEL: &str = "regix_izvestaji";
/// Events that a slow socket may lag behind before it is closed.
const BACKLOG: usize = 1_024;

/// Something of a worker's changed, as the database announces it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Event {
    pub radnik: i64,
    pub vrsta: String,
    pub id: String,
    pub seq: i64,
    /// When it was heard of.
    #[serde(skip, default = "Instant::now")]
    pub at: Instant,
}

#[derive(Clone, Debug)]
pub enum Signal {
    Event(Event),
    /// Events may have been missed.
    Gap,
}

/// Hands events to the sockets of this process.
#[derive(Clone)]
pub struct Hub(broadcast::Sender<Signal>);

impl Hub {
    /// Begins to listen on a connection of its own, and goes on for the life of the process.
    pub fn listen(database_url: &str) -> Self {
        let hub = Self(broadcast::channel(BACKLOG).0);
        tokio::spawn(hub.clone().follow(database_url.to_owned()));
        hub
    }

    /// Signals from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<Signal> {
        self.0.subscribe()
    }

    async fn follow(self, database_url: String) {
        listen::forever(&database_url, "regix-api-dogadjaji", CHANNEL, |heard| {
            match heard {
                Notice::Payload(payload) => self.announce(&payload),
                Notice::Gap => self.send(Signal::Gap),
            }
            ready(())
        })
        .await;
    }

    fn announce(&self, payload: &str) {
        match serde_json::from_str(payload) {
            Ok(event) => self.send(Signal::Event(event)),
            Err(error) => tracing::error!(cause = %error, "a report event cannot be read"),
        }
    }

    /// Nobody may be listening.
    fn send(&self, signal: Signal) {
        let _ = self.0.send(signal);
    }
}
