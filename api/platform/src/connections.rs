//! How long a connection may be held without asking for anything.

use std::{
    future::{Ready, ready},
    io,
    net::{SocketAddr, TcpListener},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum_server::{Handle, Server, accept::Accept};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A request's head comes within this time, counted from the connection's beginning or from the answer before; otherwise the
/// connection is closed. Bodies have limits of their own.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(15);

/// What serves the routes on `listener`, until `handle` is told to stop.
pub fn server(listener: TcpListener, head_timeout: Duration, handle: Handle<SocketAddr>) -> io::Result<Server<SocketAddr, Http1Only>> {
    listener.set_nonblocking(true)?;
    let mut server = axum_server::from_tcp(listener)?.handle(handle).first_request_timeout(head_timeout).acceptor(Http1Only);
    server.http_builder().http1().header_read_timeout(head_timeout);
    Ok(server)
}

/// Ends connections that begin as HTTP/2 does: after the first request it knows no limit for heads. Browsers speak it over TLS only,
/// which the proxy ends. The server's own switch for that would end WebSockets, too.
#[derive(Clone, Copy)]
pub struct Http1Only;

impl<I, S> Accept<I, S> for Http1Only {
    type Stream = Http1<I>;
    type Service = S;
    type Future = Ready<io::Result<(Http1<I>, S)>>;

    fn accept(&self, stream: I, service: S) -> Self::Future {
        ready(Ok((Http1 { stream, alike: Some(0) }, service)))
    }
}

/// How HTTP/2 begins, and nothing else.
const GREETING: &[u8] = b"PRI";

pub struct Http1<I> {
    stream: I,
    /// So many bytes came, all as in the greeting; none: it is another.
    alike: Option<usize>,
}

impl<I> Http1<I> {
    fn look(&mut self, came: &[u8]) -> io::Result<()> {
        let Some(alike) = self.alike else { return Ok(()) };
        let more = came.iter().zip(&GREETING[alike..]).take_while(|(came, expected)| came == expected).count();
        self.alike = (more == came.len()).then_some(alike + more);
        if alike + more == GREETING.len() { Err(io::ErrorKind::Unsupported.into()) } else { Ok(()) }
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Http1<I> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(Ok(())) => Poll::Ready(self.look(&buffer.filled()[before..])),
            other => other,
        }
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Http1<I> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, context: &mut Context<'_>, pieces: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
