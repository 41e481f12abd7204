//! One delivery, told from the claim to what is written about it.

use std::sync::Arc;

use super::{
    Claimed, address,
    letter::{self, Unwritten},
    queue::{self, Word},
    smtp::Outcome,
};
use crate::{engine::Engine, failpoint};

/// Sends a claimed delivery. Never fails: what cannot be written is left to the lapse of the lease.
pub async fn deliver(engine: &Arc<Engine>, claimed: Claimed) {
    let outcome = match letter::write(engine, &claimed).await {
        Ok(message) => send(engine, &claimed, &message).await,
        Err(Unwritten::Gone) => Outcome::Refused(told("Izveštaj je u međuvremenu obrisan ili je istekao.")),
        Err(Unwritten::BadAddress) => Outcome::Refused(told("Adresa nije ispravna.")),
        Err(Unwritten::Defect(error)) => {
            tracing::error!(delivery = claimed.id, %error, "a message could not be written");
            Outcome::Refused(told("Poruka nije mogla da se sastavi."))
        }
        Err(Unwritten::Passing(error)) => {
            tracing::warn!(delivery = claimed.id, %error, "a message could not be written now");
            Outcome::NotNow(told("Podaci za poruku trenutno nisu dostupni."))
        }
    };
    if let Err(error) = record(engine, &claimed, outcome).await {
        tracing::warn!(delivery = claimed.id, %error, "the end of a delivery could not be written");
    }
}

/// How long a delivery stays this engine's.
pub fn lease_seconds(engine: &Engine) -> f64 {
    (engine.mailer.server.longest() + engine.settings.mail.timeout).as_secs_f64()
}

async fn send(engine: &Engine, claimed: &Claimed, message: &[u8]) -> Outcome {
    let mailer = &engine.mailer;
    let Some(to) = address(&claimed.address) else { return Outcome::Refused(told("Adresa nije ispravna.")) };
    let before_content = async {
        let marked = queue::mark_data(&engine.app, claimed, lease_seconds(engine)).await;
        failpoint::reached_async("mail-data").await;
        matches!(marked, Ok(true))
    };
    let sending = mailer.server.send(&mailer.from.email, &to, message, before_content);
    let outcome = match tokio::time::timeout(mailer.server.longest(), sending).await {
        Ok(outcome) => outcome,
        // Each stage has its own limit, so this is out of reach; who knows how far it came.
        Err(_) => Outcome::Doubt(told("Server za e-poštu nije odgovorio na vreme.")),
    };
    failpoint::reached_async("mail-sent").await;
    outcome
}

async fn record(engine: &Engine, claimed: &Claimed, outcome: Outcome) -> sqlx::Result<()> {
    let (app, scale) = (&engine.app, engine.settings.mail.delay_scale);
    let log = |word: &Word, what: &str| {
        tracing::info!(delivery = claimed.id, run = %claimed.run_id, attempt = claimed.attempts, code = word.code, "delivery {what}");
    };
    match outcome {
        Outcome::Sent(word) => {
            log(&word, "sent");
            queue::sent(app, claimed, &word).await
        }
        Outcome::Refused(word) => {
            log(&word, "refused");
            queue::failed(app, claimed, &word).await
        }
        Outcome::NotNow(word) => {
            log(&word, "put off");
            queue::put_off(app, claimed, &word, scale).await
        }
        Outcome::Doubt(word) => {
            log(&word, "in doubt");
            queue::doubted(app, claimed, &word, scale).await
        }
        Outcome::Lost => {
            tracing::warn!(delivery = claimed.id, "the delivery was another engine's before its message went out");
            Ok(())
        }
    }
}

fn told(text: &str) -> Word {
    Word { code: None, text: text.to_owned() }
}
