//! An authority of a hospital's own, and servers that it vouches for.

use std::path::PathBuf;

use domain::testing::TestDb;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use sqlx::AssertSqlSafe;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

use super::{MailServer, eventually};

pub struct Authority {
    folder: TempDir,
}

/// How the mail server's encryption begins.
#[derive(Clone, Copy)]
pub enum Begins {
    AtOnce,
    AfterStartTls,
}

impl Authority {
    /// Vouches for 127.0.0.1.
    pub fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut root = CertificateParams::new(Vec::new()).unwrap();
        root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = root.self_signed(&key).unwrap();
        let issuer = Issuer::new(root, key);
        let server_key = KeyPair::generate().unwrap();
        let server = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap().signed_by(&server_key, &issuer).unwrap();
        let authority = Self { folder: tempfile::tempdir().unwrap() };
        for (name, pem) in [("ca.pem", certificate.pem()), ("server.pem", server.pem()), ("server.key", server_key.serialize_pem())] {
            std::fs::write(authority.file(name), pem).unwrap();
        }
        authority
    }

    /// `ca.pem`, `server.pem` or `server.key`.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What a URL says to believe this authority alone.
    pub fn believed(&self) -> String {
        format!("sslrootcert={}", self.file("ca.pem").display())
    }

    /// Makes the whole cluster speak TLS, for those who ask for it. The server writes the files itself: they must be its own.
    pub async fn vouch_for_postgres(&self, db: &TestDb) {
        for (setting, name) in [("ssl_cert_file", "server.pem"), ("ssl_key_file", "server.key")] {
            let place = format!("regix-test-{}-{name}", db.name);
            let lines: Vec<String> = self.pem(name).lines().map(|line| format!("('{line}')")).collect();
            owner(db, &format!("copy (values {}) to program 'umask 077; cat > {place}'", lines.join(", "))).await;
            owner(db, &format!("alter system set {setting} = '{place}'")).await;
        }
        owner(db, "alter system set ssl = on").await;
        owner(db, "select pg_reload_conf()").await;
        eventually("PostgreSQL speaks TLS", async || {
            let on: String = sqlx::query_scalar("select current_setting('ssl')").fetch_one(&db.owner).await.unwrap();
            (on == "on").then_some(())
        })
        .await;
    }

    /// Nobody else is to meet a certificate that this test made up.
    pub async fn leave_postgres(&self, db: &TestDb) {
        for setting in ["ssl", "ssl_cert_file", "ssl_key_file"] {
            owner(db, &format!("alter system reset {setting}")).await;
        }
        owner(db, "select pg_reload_conf()").await;
    }

    /// A server in front of another; gives the address of the encrypted one.
    pub async fn vouch_for_mail(&self, server: &MailServer, begins: Begins) -> String {
        let port = self.vouch_for(server.port(), begins).await;
        match begins {
            Begins::AtOnce => format!("smtps://127.0.0.1:{port}?{}", self.believed()),
            Begins::AfterStartTls => format!("smtp://127.0.0.1:{port}?tls=required&{}", self.believed()),
        }
    }

    /// The same in front of any port of this machine; gives the port of the encrypted one.
    pub async fn vouch_for(&self, inner: u16, begins: Begins) -> u16 {
        let chain = CertificateDer::pem_file_iter(self.file("server.pem")).unwrap().map(Result::unwrap).collect();
        let key = PrivateKeyDer::from_pem_file(self.file("server.key")).unwrap();
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap();
        let acceptor = TlsAcceptor::from(std::sync::Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                // Whoever does not believe the certificate hangs up.
                tokio::spawn(carry(acceptor.clone(), client, inner, begins));
            }
        });
        port
    }

    fn pem(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap()
    }
}

async fn owner(db: &TestDb, sql: &str) {
    sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&db.owner).await.unwrap();
}

async fn carry(acceptor: TlsAcceptor, client: TcpStream, inner: u16, begins: Begins) -> std::io::Result<()> {
    let mut inner = BufReader::new(TcpStream::connect(("127.0.0.1", inner)).await?);
    let client = match begins {
        Begins::AtOnce => client,
        Begins::AfterStartTls => {
            let mut client = BufReader::new(client);
            let mut line = String::new();
            for answer in ["220 proba\r\n", "250-proba\r\n250 STARTTLS\r\n", "220 go on\r\n"] {
                client.write_all(answer.as_bytes()).await?;
                if answer != "220 go on\r\n" {
                    client.read_line(&mut line).await?;
                }
            }
            // The greeting has been said.
            inner.read_line(&mut line).await?;
            client.into_inner()
        }
    };
    let mut encrypted = acceptor.accept(client).await?;
    tokio::io::copy_bidirectional(&mut encrypted, &mut inner).await?;
    Ok(())
}
