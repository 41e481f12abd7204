//! Places where a test stops the engine to kill it there. Release builds have none.

/// Stops here for ever when `ENGINE_FAILPOINT` names `place`, after saying so on standard error.
#[cfg(debug_assertions)]
pub fn reached(place: &str) {
    if std::env::var("ENGINE_FAILPOINT").is_ok_and(|wanted| wanted == place) {
        eprintln!("failpoint {place} reached");
        loop {
            std::thread::park();
        }
    }
}

#[cfg(not(debug_assertions))]
pub fn reached(_place: &str) {}

/// As [`reached`], for asynchronous places.
pub async fn reached_async(place: &'static str) {
    #[cfg(debug_assertions)]
    if std::env::var("ENGINE_FAILPOINT").is_ok_and(|wanted| wanted == place) {
        eprintln!("failpoint {place} reached");
        std::future::pending::<()>().await;
    }
    #[cfg(not(debug_assertions))]
    let _ = place;
}
