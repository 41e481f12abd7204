//! Mail: one message a recipient, each delivery a row with its own attempts.

mod delivery;
mod letter;
mod notice;
mod queue;
mod smtp;

use std::sync::Arc;

use anyhow::Context;
use domain::runs::Recipient;
use lettre::{Address, message::Mailbox};
use sha2::{Digest, Sha256};
use uuid::Uuid;

pub use delivery::{deliver, lease_seconds};
pub use queue::{Claimed, claim, claim_next, sweep_lapsed};

use crate::{engine::Engine, run::Job, settings::Settings};
use letter::Letters;
use smtp::Server;

/// What sending needs.
pub struct Mailer {
    server: Server,
    from: Mailbox,
    letters: Letters,
    public_url: String,
}

impl Mailer {
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        Ok(Self {
            server: Server::parse(&settings.mail.smtp_url, settings.mail.timeout).context("SMTP_URL")?,
            from: settings.mail.from.parse().context("MAIL_FROM is no address")?,
            letters: Letters::load(&settings.common.template_dir.join("email"))?,
            public_url: settings.common.public_url.clone(),
        })
    }

    /// The same for every attempt, so that a mail server can tell a repetition.
    fn message_id(&self, run: Uuid, address: &str) -> String {
        let hash = hex::encode(Sha256::digest(address.to_lowercase()));
        format!("<{}.{}@{}>", run.simple(), &hash[..16], self.from.email.domain())
    }
}

/// Whom a finished run is mailed to: nobody when it is empty and the report says so.
pub fn recipients(mailer: &Mailer, run: Uuid, job: &Job, rows: u64) -> Vec<Recipient> {
    if rows == 0 && job.skip_empty {
        return Vec::new();
    }
    let recipient = |address: &String| Recipient { address: address.clone(), message_id: mailer.message_id(run, address) };
    job.emails.iter().map(recipient).collect()
}

/// Tells the mail queue about the deliveries of a run that has just ended. What Redis does not take is found by the poll.
pub async fn announce(engine: &Arc<Engine>, run: Uuid) {
    let pending = sqlx::query_scalar!("select id from report_delivery where run_id = $1 and status = 'pending'", run);
    let Ok(pending) = pending.fetch_all(&engine.app).await else { return };
    for delivery in pending {
        if let Err(error) = engine.dispatcher.push_delivery(delivery).await {
            tracing::warn!(%run, delivery, %error, "a delivery was not announced");
            return;
        }
    }
}

fn address(text: &str) -> Option<Address> {
    text.trim().parse().ok()
}
