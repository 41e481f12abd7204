//! What sending needs, and the deliveries of a finished run.

use anyhow::Context;
use domain::{
    jobs::{Dispatcher, MAIL_QUEUE},
    runs::Recipient,
};
use lettre::message::Mailbox;
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use uuid::Uuid;

use super::{letters::Letters, smtp::Server, state};
use crate::{
    jobs::{ServedQueue, Slots},
    settings::Settings,
    store::Store,
};

pub struct Mail {
    pub(super) app: PgPool,
    pub(super) store: Store,
    pub(super) server: Server,
    pub(super) from: Mailbox,
    pub(super) letters: Letters,
    pub(super) public_url: String,
    /// How long a delivery stays this engine's.
    pub(super) lease_seconds: f64,
    pub(super) delay_scale: f64,
    pub(super) queues: [ServedQueue; 1],
    dispatcher: Dispatcher,
}

impl Mail {
    /// Whether the settings of mail can be read at all.
    pub fn check(settings: &Settings) -> anyhow::Result<()> {
        Server::parse(&settings.mail.smtp_url, settings.mail.timeout).context("SMTP_URL")?;
        settings.mail.from.parse::<Mailbox>().context("MAIL_FROM is no address")?;
        Ok(())
    }

    pub fn new(settings: &Settings, app: PgPool, dispatcher: Dispatcher, store: Store) -> anyhow::Result<Self> {
        let server = Server::parse(&settings.mail.smtp_url, settings.mail.timeout).context("SMTP_URL")?;
        let slots = Slots::new(settings.mail.concurrency);
        Ok(Self {
            from: settings.mail.from.parse().context("MAIL_FROM is no address")?,
            letters: Letters::load(&settings.common.template_dir.join("email")).context("TEMPLATE_DIR")?,
            public_url: settings.common.public_url.clone(),
            lease_seconds: (server.longest() + settings.mail.timeout).as_secs_f64(),
            delay_scale: settings.mail.delay_scale,
            queues: [ServedQueue { name: MAIL_QUEUE, column: MAIL_QUEUE, slots }],
            app,
            store,
            server,
            dispatcher,
        })
    }

    /// Each address with its Message-ID, the same for every attempt, so that a mail server can tell a repetition.
    pub fn recipients(&self, run: Uuid, addresses: &[String]) -> Vec<Recipient> {
        let recipient = |address: &String| {
            let hash = hex::encode(Sha256::digest(address.to_lowercase()));
            let message_id = format!("<{}.{}@{}>", run.simple(), &hash[..16], self.from.email.domain());
            Recipient { address: address.clone(), message_id }
        };
        addresses.iter().map(recipient).collect()
    }

    /// Finds out whether the mail server is there, where no message has told lately.
    pub async fn look(&self) {
        if let Err(error) = state::look(self).await {
            tracing::warn!(%error, "the state of the mail server could not be written");
        }
    }

    /// Tells the mail queue about the deliveries of a run that has just ended. What Redis does not take is found by the poll.
    pub async fn announce(&self, run: Uuid) {
        let pending = sqlx::query_scalar!("select id from report_delivery where run_id = $1 and status = 'pending'", run);
        let Ok(pending) = pending.fetch_all(&self.app).await else { return };
        for delivery in pending {
            if let Err(error) = self.dispatcher.push(delivery, MAIL_QUEUE).await {
                tracing::warn!(%run, delivery, %error, "a delivery was not announced");
                return;
            }
        }
    }
}
