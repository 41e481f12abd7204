//! Ports for servers that tests start as programs.

use std::{
    net::TcpListener,
    sync::atomic::{AtomicU16, Ordering},
};

/// Below the ports that the kernel gives to connections of clients, so that none of those takes one before its server does.
const FIRST: u16 = 20_000;
const COUNT: u16 = 12_000;

/// A port of 127.0.0.1 where nobody listens. Tests run as processes of their own, each of which begins to look elsewhere.
///
/// # Panics
/// When every one is taken.
pub fn free_port() -> u16 {
    static TRIED: AtomicU16 = AtomicU16::new(0);
    let own = u16::try_from(std::process::id() * 7 % u32::from(COUNT)).expect("less than there are ports");
    (0..COUNT)
        .map(|_| FIRST + (own + TRIED.fetch_add(1, Ordering::Relaxed) % COUNT) % COUNT)
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .expect("a free port")
}
