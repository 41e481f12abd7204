//! What the maintenance area asks of every running process, and how a process hears of it.

use futures::future::{Either, ready};
use serde::Deserialize;

use crate::listen::{self, Notice};

const CHANNEL: &str = "regix_odrzavanje";

/// A row of `maintenance_request`, as its trigger announces it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "vrsta", content = "cilj", rename_all = "lowercase")]
pub enum Request {
    /// Drop this compiled report template, so that the next run reads the file; empty: all of them.
    Jasper(String),
    /// Close the idle connections of these pools; see [`names_pool`].
    Konekcija(String),
    /// Read the system parameters anew.
    Parametri(String),
    /// This engine is to take nothing new, or everything again: its row says which.
    Praznjenje(String),
}

/// What the maintenance screen calls a pool of a process.
pub fn pool_name(process: &str, pool: &str) -> String {
    format!("{process}/{pool}")
}

/// Whether `target` means this pool: it is empty (all pools of all processes), the pool's name within any process, or
/// [`pool_name`].
pub fn names_pool(target: &str, process: &str, pool: &str) -> bool {
    target.is_empty() || target == pool || target == pool_name(process, pool)
}

/// Hands each request to `handle`, for ever. What is asked while the connection is lost is not made up for.
pub async fn attend<F: Future<Output = ()>>(database_url: &str, application_name: &str, mut handle: impl FnMut(Request) -> F) {
    listen::forever(database_url, application_name, CHANNEL, |heard| match read(heard) {
        Some(request) => Either::Left(handle(request)),
        None => Either::Right(ready(())),
    })
    .await;
}

fn read(heard: Notice) -> Option<Request> {
    let Notice::Payload(payload) = heard else { return None };
    let request = serde_json::from_str(&payload);
    request.inspect_err(|error| tracing::error!(cause = %error, "a maintenance request cannot be read")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_announcement_is_read_as_its_trigger_writes_it() {
        let read = |payload| serde_json::from_str::<Request>(payload).unwrap();
        assert_eq!(read(r#"{"vrsta" : "jasper", "cilj" : "karton-pacijenta"}"#), Request::Jasper("karton-pacijenta".into()));
        assert_eq!(read(r#"{"vrsta" : "konekcija", "cilj" : ""}"#), Request::Konekcija(String::new()));
        assert_eq!(read(r#"{"vrsta" : "parametri", "cilj" : ""}"#), Request::Parametri(String::new()));
    }

    #[test]
    fn a_pool_is_meant_by_its_name_by_its_process_or_by_all() {
        assert!(names_pool("", "api-1", "regix_app"));
        assert!(names_pool("regix_app", "api-1", "regix_app"));
        assert!(names_pool("api-1/regix_app", "api-1", "regix_app"));
        assert!(!names_pool("api-2/regix_app", "api-1", "regix_app"));
        assert!(!names_pool("regix_report", "api-1", "regix_app"));
    }
}
