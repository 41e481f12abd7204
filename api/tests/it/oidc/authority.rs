//! A provider for which an authority of the hospital's own vouches.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::json;
use tempfile::NamedTempFile;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

use accounts::oidc::Settings;

use crate::support::TestApp;

/// What an authority says of itself, and a server on this machine that it vouches for.
struct Vouched {
    authority: NamedTempFile,
    acceptor: TlsAcceptor,
}

impl Vouched {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut root = CertificateParams::new(Vec::new()).unwrap();
        root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = NamedTempFile::new().unwrap();
        std::fs::write(authority.path(), root.self_signed(&key).unwrap().pem()).unwrap();
        let server_key = KeyPair::generate().unwrap();
        let server = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap().signed_by(&server_key, &Issuer::new(root, key)).unwrap();
        let chain = vec![CertificateDer::from_pem_slice(server.pem().as_bytes()).unwrap()];
        let key = PrivateKeyDer::from_pem_slice(server_key.serialize_pem().as_bytes()).unwrap();
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap();
        Self { authority, acceptor: TlsAcceptor::from(Arc::new(config)) }
    }

    /// Describes itself as a provider does, over TLS, until the test ends; gives its address.
    async fn provider(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("https://{}", listener.local_addr().unwrap());
        let (acceptor, own) = (self.acceptor.clone(), issuer.clone());
        tokio::spawn(async move {
            while let Ok((caller, _)) = listener.accept().await {
                // Whoever does not believe the certificate hangs up, and has asked for nothing.
                let Ok(mut caller) = acceptor.accept(caller).await else { continue };
                let mut asked = vec![0; 4096];
                let length = caller.read(&mut asked).await.unwrap_or_default();
                let said = if asked[..length].starts_with(b"GET /keys ") { json!({ "keys": [] }) } else { description(&own) }.to_string();
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                    said.len()
                );
                // A caller that is gone has heard enough.
                let _ = caller.write_all(format!("{head}{said}").as_bytes()).await;
                let _ = caller.shutdown().await;
            }
        });
        issuer
    }

    fn settings(&self, issuer: &str) -> Settings {
        let issuer = format!("{issuer}?sslrootcert={}", self.authority.path().display());
        let set = [("OIDC_ISSUER", issuer.as_str()), ("OIDC_CLIENT_ID", "regix"), ("OIDC_CLIENT_SECRET", "tajna-klijenta")];
        let variable = |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Settings::read(variable).expect("whole settings").expect("a provider")
    }
}

fn description(issuer: &str) -> serde_json::Value {
    json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/auth"), "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"), "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    })
}

#[tokio::test]
async fn a_provider_for_which_the_hospitals_own_authority_vouches_is_believed_and_one_of_a_strangers_is_not() {
    let (app, own, strangers) = (TestApp::new().await, Vouched::new(), Vouched::new());
    let issuer = own.provider().await;
    let begin = async |settings: Settings| super::Anonymous::new(app.beside(settings)).get("/api/oidc/login?povratak=/").await;
    let answer = begin(own.settings(&issuer)).await;
    answer.assert_status(303);
    let address = answer.header("location").expect("a location");
    assert!(address.starts_with(&format!("{issuer}/auth?")), "{address}");
    let refused = begin(strangers.settings(&issuer)).await;
    refused.assert_status(303);
    let told = super::told(refused.header("location").expect("a location"));
    assert_eq!(told.get("greska").map(String::as_str), Some("nedostupna"), "{told:?}");
}
