//! One SMTP dialogue, held by hand so that every silence and refusal is known by its stage.
//!
//! Before the final dot the server has taken nothing and the message may be sent again. After it, only an answer tells.

use std::{
    net::IpAddr,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use anyhow::{Context, bail, ensure};
use domain::tls;
use lettre::{
    Address,
    transport::smtp::{
        Error,
        authentication::{Credentials, Mechanism},
        client::{AsyncSmtpConnection, Certificate, CertificateStore, TlsParameters},
        commands::{Data, Mail, Rcpt},
        extension::ClientId,
    },
};

use super::{queue::Reply, state::ServerState};

/// Content is written in pieces of this size.
const PIECE: usize = 32 * 1024;

/// The stage at which the server hears who sends.
const SENDER: &str = "MAIL FROM";

/// How much of a server's answer is kept.
const LONGEST_TEXT: usize = 300;

/// The mail server of this installation.
pub struct Server {
    host: String,
    port: u16,
    security: Security,
    /// Who vouches for the server; none: those who vouch for public sites.
    authorities: Option<Certificate>,
    credentials: Option<Credentials>,
    timeout: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Security {
    None,
    /// Plain at first, encrypted before anything is said.
    StartTls,
    Tls,
}

/// How a dialogue ended.
#[derive(Debug)]
pub enum Outcome {
    Sent(Reply),
    /// Nothing was taken, and trying again is of no use.
    Refused(Reply),
    /// Nothing was taken; it may be tried again.
    NotNow(Reply),
    /// The whole message went out and no answer came.
    Doubt(Reply),
    /// The delivery was taken over by another engine.
    Lost,
}

impl Server {
    /// Reads `smtp://[user:password@]host[:port][?tls=required]` or `smtps://…`; `sslrootcert=FILE` may stand in the query where it is
    /// encrypted.
    pub fn parse(url: &str, timeout: Duration) -> anyhow::Result<Self> {
        let (url, pem) = tls::authorities(url)?;
        let authorities = pem.map(|pem| Certificate::from_pem(&pem).context("sslrootcert holds no certificate in PEM")).transpose()?;
        let (scheme, rest) = url.split_once("://").context("no scheme in the address of the mail server")?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let security = match (scheme, query) {
            ("smtps", _) => Security::Tls,
            ("smtp", "tls=required") => Security::StartTls,
            ("smtp", "") => Security::None,
            _ => bail!("use smtp://, smtp://…?tls=required or smtps://"),
        };
        let (credentials, place) = match rest.rsplit_once('@') {
            Some((_, place)) => {
                let (user, password) = domain::db::credentials(&url).context("user and password of the mail server")?;
                (Some(Credentials::new(user, password)), place)
            }
            None => (None, rest),
        };
        ensure!(authorities.is_none() || security != Security::None, "sslrootcert asks for encryption: use smtps:// or tls=required");
        let place = place.trim_end_matches('/');
        let default_port = match security {
            Security::Tls => 465,
            Security::StartTls => 587,
            Security::None => 25,
        };
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().context("the port of the mail server is no number")?),
            None => (place, default_port),
        };
        if host.is_empty() {
            bail!("the mail server has no name");
        }
        Ok(Self { host: host.trim_matches(['[', ']']).to_owned(), port, security, authorities, credentials, timeout })
    }

    /// The longest that [`Server::send`] takes.
    pub fn longest(&self) -> Duration {
        self.timeout * 10
    }

    /// Says hello as for a message, and takes leave.
    pub async fn look(&self) -> Reply {
        match self.greet().await {
            Ok(connection) => {
                self.part(connection).await;
                Reply { server: Some(ServerState::Answers), ..Reply::default() }
            }
            Err(fault) => fault.at_greeting(),
        }
    }

    /// Sends one message to one recipient. `before_content` is awaited when the server is ready for the message; when
    /// it gives false, nothing more is said.
    pub async fn send(&self, from: &Address, to: &Address, message: &[u8], before_content: impl Future<Output = bool>) -> Outcome {
        let mut connection = match self.greet().await {
            Ok(connection) => connection,
            Err(fault) => return Outcome::NotNow(fault.at_greeting()),
        };
        let envelope = async {
            self.patient(SENDER, connection.command(Mail::new(Some(from.clone()), Vec::new()))).await?;
            self.patient("RCPT TO", connection.command(Rcpt::new(to.clone(), Vec::new()))).await?;
            self.patient("DATA", connection.command(Data)).await
        };
        if let Err(fault) = envelope.await {
            self.part(connection).await;
            return fault.before_the_dot();
        }
        if !before_content.await {
            return Outcome::Lost;
        }
        let outcome = self.content(&mut connection, message).await;
        if matches!(outcome, Outcome::Sent(_) | Outcome::Refused(_)) {
            self.part(connection).await;
        }
        outcome
    }

    /// Connects, says hello, encrypts and signs in. A refusal here is the installation's fault, not the recipient's.
    async fn greet(&self) -> Result<AsyncSmtpConnection, Fault> {
        let hello = ClientId::default();
        let outer = if self.security == Security::Tls { Some(self.encryption()?) } else { None };
        let none: Option<IpAddr> = None;
        let place = (self.host.as_str(), self.port);
        let connecting = AsyncSmtpConnection::connect_tokio1(place, Some(self.timeout), &hello, outer, none);
        let mut connection = self.patient("povezivanje", connecting).await?;
        if self.security == Security::StartTls {
            self.patient("STARTTLS", connection.starttls(self.encryption()?, &hello)).await?;
        }
        if let Some(credentials) = &self.credentials {
            self.patient("AUTH", connection.auth(&[Mechanism::Plain, Mechanism::Login], credentials)).await?;
        }
        Ok(connection)
    }

    fn encryption(&self) -> Result<TlsParameters, Fault> {
        let mut parameters = TlsParameters::builder(self.host.clone());
        if let Some(authorities) = &self.authorities {
            parameters = parameters.certificate_store(CertificateStore::None).add_root_certificate(authorities.clone());
        }
        parameters.build_rustls().map_err(|error| Fault::from_error("TLS", &error))
    }

    async fn content(&self, connection: &mut AsyncSmtpConnection, message: &[u8]) -> Outcome {
        // The pieces are asked for one by one as they go out: when none is left, the final dot follows.
        let all_out = AtomicBool::new(false);
        let mut pieces = message.chunks(PIECE);
        let pieces = std::iter::from_fn(|| {
            let piece = pieces.next();
            all_out.store(piece.is_none(), Ordering::Relaxed);
            piece
        });
        let sent = tokio::time::timeout(self.timeout * 4, connection.message_iter(pieces)).await;
        let fault = match sent {
            Ok(Ok(response)) => {
                let text = response.message().collect::<Vec<_>>().join(" ");
                let code = Some(u16::from(response.code()).into());
                return Outcome::Sent(Reply { code, text: cut(&text), server: Some(ServerState::Answers) });
            }
            Ok(Err(error)) => Fault::from_error("sadržaj", &error),
            Err(_) => Fault::silence("sadržaj"),
        };
        match (fault.code, all_out.load(Ordering::Relaxed)) {
            (None, true) => Outcome::Doubt(fault.reply()),
            _ => fault.before_the_dot(),
        }
    }

    async fn patient<T>(&self, stage: &'static str, answer: impl Future<Output = Result<T, Error>>) -> Result<T, Fault> {
        match tokio::time::timeout(self.timeout, answer).await {
            Ok(answer) => answer.map_err(|error| Fault::from_error(stage, &error)),
            Err(_) => Err(Fault::silence(stage)),
        }
    }

    /// Takes leave; a server that does not answer is left anyway.
    async fn part(&self, mut connection: AsyncSmtpConnection) {
        let _ = tokio::time::timeout(self.timeout.min(Duration::from_secs(2)), connection.quit()).await;
    }
}

/// What went wrong in a dialogue.
#[derive(Debug)]
struct Fault {
    code: Option<u16>,
    text: String,
    /// What was said when it went wrong.
    stage: &'static str,
}

impl Fault {
    fn silence(stage: &'static str) -> Self {
        Self { code: None, text: format!("E-mail server nije odgovorio na vreme ({stage})."), stage }
    }

    fn from_error(stage: &'static str, error: &Error) -> Self {
        let (code, text) = match error.status() {
            Some(code) => (Some(code.into()), cut(&error.to_string())),
            None if error.is_timeout() => return Self::silence(stage),
            None if is_unbelieved(error) => {
                (None, format!("E-mail server nije dokazao ko je: njegovom sertifikatu se ne veruje ({stage})."))
            }
            None => (None, format!("Veza sa e-mail serverom je prekinuta ({stage}).")),
        };
        Self { code, text, stage }
    }

    /// The server lets nobody in.
    fn at_greeting(self) -> Reply {
        Reply { server: Some(ServerState::ShutOut), ..self.reply() }
    }

    /// An answer about a recipient or a message is one; silence, a server that is going, and one that does not take our name are none.
    fn reply(self) -> Reply {
        let answers = self.code.is_some_and(|code| code != 421) && self.stage != SENDER;
        let server = if answers { ServerState::Answers } else { ServerState::TakesNothing };
        Reply { code: self.code.map(i32::from), text: self.text, server: Some(server) }
    }

    fn before_the_dot(self) -> Outcome {
        match self.code {
            Some(500..) => Outcome::Refused(self.reply()),
            _ => Outcome::NotNow(self.reply()),
        }
    }
}

/// Whether encryption failed because nobody who is believed vouches for the server.
fn is_unbelieved(error: &Error) -> bool {
    let causes = std::iter::successors(Some(error as &dyn std::error::Error), |cause| cause.source());
    causes.map(ToString::to_string).any(|cause| cause.contains("invalid peer certificate"))
}

fn cut(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(url: &str) -> Server {
        Server::parse(url, Duration::from_secs(1)).expect("a mail server")
    }

    #[test]
    fn an_address_names_host_port_and_security() {
        let plain = parsed("smtp://127.0.0.1:1025");
        assert!((plain.host.as_str(), plain.port) == ("127.0.0.1", 1025) && plain.security == Security::None);
        let relay = parsed("smtp://posta.bolnica.rs?tls=required");
        assert!(relay.port == 587 && relay.security == Security::StartTls);
        let wrapped = parsed("smtps://ana:p%40ss%3A1@posta.bolnica.rs/");
        assert!((wrapped.host.as_str(), wrapped.port) == ("posta.bolnica.rs", 465) && wrapped.security == Security::Tls);
        assert_eq!(wrapped.credentials, Some(Credentials::new("ana".to_owned(), "p@ss:1".to_owned())));
    }

    #[test]
    fn an_address_that_says_nothing_clear_is_refused() {
        for url in ["posta:25", "http://posta", "smtp://", "smtp://posta?tls=maybe", "smtp://ana@posta", "smtp://posta:x"] {
            assert!(Server::parse(url, Duration::from_secs(1)).is_err(), "{url}");
        }
    }
}
