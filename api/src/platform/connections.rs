//! How long a connection may be held without asking for anything.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    time::Duration,
};

use axum_server::{Handle, Server};

/// A request's head comes within this time, counted from the connection's beginning or from the answer before; otherwise the
/// connection is closed. Bodies have limits of their own.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(15);

/// What serves the routes on `listener`, until `handle` is told to stop.
pub fn server(listener: TcpListener, head_timeout: Duration, handle: Handle<SocketAddr>) -> io::Result<Server<SocketAddr>> {
    listener.set_nonblocking(true)?;
    let mut server = axum_server::from_tcp(listener)?.handle(handle).first_request_timeout(head_timeout);
    server.http_builder().http1().header_read_timeout(head_timeout);
    Ok(server)
}
