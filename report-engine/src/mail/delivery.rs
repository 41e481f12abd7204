//! One delivery, told from the claim to what is written about it.

use super::{
    letter::{self, LetterRefusal},
    mailer::Mail,
    queue::{self, ClaimedDelivery, Reply},
    smtp::Outcome,
    state,
};
use crate::failpoint;

/// Sends a claimed delivery. Never fails: what cannot be written is left to the lapse of the lease.
pub async fn deliver(mail: &Mail, claimed: ClaimedDelivery) {
    let outcome = match letter::write(mail, &claimed).await {
        Ok(message) => send(mail, &claimed, &message).await,
        Err(LetterRefusal::Gone) => Outcome::Refused(reply("Izveštaj je u međuvremenu obrisan ili je istekao.")),
        Err(LetterRefusal::NotAllowed(reason)) => Outcome::Refused(reply(&reason)),
        Err(LetterRefusal::BadAddress) => Outcome::Refused(reply("Adresa nije ispravna.")),
        Err(LetterRefusal::Defect(error)) => {
            tracing::error!(delivery = claimed.id, %error, "a message could not be written");
            Outcome::Refused(reply("Poruka nije mogla da se sastavi."))
        }
        Err(LetterRefusal::Passing(error)) => {
            tracing::warn!(delivery = claimed.id, %error, "a message could not be written now");
            Outcome::NotNow(reply("Podaci za poruku trenutno nisu dostupni."))
        }
    };
    if let Err(error) = record(mail, &claimed, outcome).await {
        tracing::warn!(delivery = claimed.id, %error, "the end of a delivery could not be written");
    }
}

async fn send(mail: &Mail, claimed: &ClaimedDelivery, message: &[u8]) -> Outcome {
    let Some(to) = claimed.to() else { return Outcome::Refused(reply("Adresa nije ispravna.")) };
    let before_content = async {
        let marked = queue::mark_data(&mail.app, claimed, mail.lease_seconds).await;
        failpoint::reached_async("mail-data").await;
        matches!(marked, Ok(true))
    };
    let sending = mail.server.send(&mail.from.email, &to, message, before_content);
    let outcome = match tokio::time::timeout(mail.server.longest(), sending).await {
        Ok(outcome) => outcome,
        // Each stage has its own limit, so this is out of reach; who knows how far it came.
        Err(_) => Outcome::Doubt(reply("E-mail server nije odgovorio na vreme.")),
    };
    failpoint::reached_async("mail-sent").await;
    outcome
}

async fn record(mail: &Mail, claimed: &ClaimedDelivery, outcome: Outcome) -> sqlx::Result<()> {
    if let Outcome::Sent(reply) | Outcome::Refused(reply) | Outcome::NotNow(reply) | Outcome::Doubt(reply) = &outcome {
        state::note(&mail.app, reply).await?;
    }
    let (app, scale) = (&mail.app, mail.delay_scale);
    let log = |reply: &Reply, what: &str| {
        tracing::info!(delivery = claimed.id, run = ?claimed.run_id, attempt = claimed.attempts, code = reply.code, "delivery {what}");
    };
    match outcome {
        Outcome::Sent(reply) => {
            log(&reply, "sent");
            queue::sent(app, claimed, &reply).await
        }
        Outcome::Refused(reply) => {
            log(&reply, "refused");
            queue::failed(app, claimed, &reply).await
        }
        Outcome::NotNow(reply) => {
            log(&reply, "will be retried");
            queue::put_off(app, claimed, &reply, scale).await
        }
        Outcome::Doubt(reply) => {
            log(&reply, "in doubt");
            queue::doubted(app, claimed, &reply, scale).await
        }
        Outcome::Lost => {
            tracing::warn!(delivery = claimed.id, "the lease of the delivery was lost before its message went out");
            Ok(())
        }
    }
}

fn reply(text: &str) -> Reply {
    Reply { text: text.to_owned(), ..Reply::default() }
}
