//! One address before several servers, as a hospital's proxy or floating address is: whoever connects comes to the one that it leads to now.

use std::sync::{Arc, Mutex};

use tokio::net::{TcpListener, TcpStream};

pub struct Forwarder {
    pub port: u16,
    target: Arc<Mutex<Option<u16>>>,
}

impl Forwarder {
    /// Leads to this port of the machine.
    pub async fn start(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let target = Arc::new(Mutex::new(Some(target)));
        let leads = target.clone();
        tokio::spawn(async move {
            while let Ok((mut caller, _)) = listener.accept().await {
                let to = *leads.lock().unwrap();
                tokio::spawn(async move {
                    // With nobody behind it the caller is hung up on.
                    let Some(to) = to else { return };
                    if let Ok(mut server) = TcpStream::connect(("127.0.0.1", to)).await {
                        let _ = tokio::io::copy_bidirectional(&mut caller, &mut server).await;
                    }
                });
            }
        });
        Self { port, target }
    }

    /// From now on it leads there, or nowhere; who is connected stays.
    pub fn lead(&self, target: Option<u16>) {
        *self.target.lock().unwrap() = target;
    }
}
