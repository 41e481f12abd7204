//! The deliveries as rows: put off, ended or doubted by how far the sending came.

use domain::{
    jobs::{self, Retries},
    mail_address::ascii_address,
};
use lettre::Address;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::state::ServerState;

/// Seconds between the attempts at a delivery of which the server took nothing; after the last of them a day has passed.
const RETRIES: Retries = Retries(&[60.0, 300.0, 900.0, 3600.0, 14_400.0, 14_400.0, 14_400.0, 14_400.0, 14_400.0]);

/// Seconds to the one repetition of a message that the server may have taken.
const DOUBT_DELAY: f64 = 900.0;

/// A delivery that this engine is sending.
#[derive(Clone, Debug)]
pub struct ClaimedDelivery {
    pub id: i64,
    /// The run whose report it brings; none: it is a weekly letter, or one about questions.
    pub run_id: Option<Uuid>,
    pub pregled_id: Option<i64>,
    pub upiti_id: Option<i64>,
    pub fence: i64,
    pub attempts: i32,
    pub address: String,
    pub message_id: String,
}

impl ClaimedDelivery {
    /// Whether it tells a recipient that no report comes.
    pub fn tells_absence(&self) -> bool {
        self.message_id.ends_with(".primalac@regix>")
    }

    /// Whom it goes to; `None`: that is no address.
    pub fn to(&self) -> Option<Address> {
        ascii_address(self.address.trim())?.parse().ok()
    }
}

// All deliveries stand in one queue.
jobs::claim! {
    "report_delivery",
    id: i64,
    due: "status in ('pending', 'uncertain') and next_attempt_at <= clock_timestamp()",
    among: (""),
    in_queue: "$1 = 'mail'",
    order: "next_attempt_at, id",
    begin: "status = 'sending', stage = 'connect', attempts = attempts + 1",
    returning: "id, run_id, pregled_id, upiti_id, fence, attempts, address, message_id" as ClaimedDelivery,
    with: ()
}

/// A write of the sender; gives whether the delivery is still this engine's.
macro_rules! write {
    ($db:expr, $claimed:expr, $($rest:tt)+) => {
        jobs::held!("report_delivery", "sending", $db, $claimed.id, $claimed.fence, $($rest)+)
    };
}

/// A write with which the sender lets the delivery go, with the server's reply.
macro_rules! let_go {
    ($db:expr, $claimed:expr, $reply:expr, $set:literal $(, $value:expr)*) => {
        write!(
            $db,
            $claimed,
            "stage = null, lease_until = null, smtp_code = $3, smtp_text = $4, " $set,
            $reply.code,
            $reply.text
            $(, $value)*
        )
    };
}

/// Notes that the message itself goes out now: from here on silence means doubt. False: the delivery is someone else's.
pub async fn mark_data(app: &PgPool, claimed: &ClaimedDelivery, lease_seconds: f64) -> sqlx::Result<bool> {
    write!(app, claimed, "stage = 'data', lease_until = clock_timestamp() + make_interval(secs => $3)", lease_seconds)
}

/// What the mail server, or its silence, said.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    pub code: Option<i32>,
    pub text: String,
    /// What it tells of the server; none: the server was not asked.
    pub server: Option<ServerState>,
}

pub async fn sent(app: &PgPool, claimed: &ClaimedDelivery, reply: &Reply) -> sqlx::Result<()> {
    let mut tx = app.begin().await?;
    if let_go!(&mut *tx, claimed, reply, "status = 'sent', sent_at = clock_timestamp()")? {
        // Whom it was mailed to, and whose data the mail has opened to her.
        let Some(run) = claimed.run_id else {
            log_letter(&mut tx, claimed).await?;
            return tx.commit().await;
        };
        sqlx::query!(
            "with row as (
                insert into audit_log (radnik_id, ustanova_id, klasa, akcija, red_id, opis)
                select radnik_id, ustanova_id, 'report_delivery', 'slanje', id::text, 'Primalac: ' || $2 from report_run where id = $1
                returning vreme_pristupa, id)
             select log_patients_of_run(row.vreme_pristupa, row.id, $1) as shown from row",
            run,
            claimed.address,
        )
        .fetch_optional(&mut *tx)
        .await?;
    }
    tx.commit().await
}

/// A letter without a report names nobody: whom it was mailed to is all there is to tell.
async fn log_letter(tx: &mut PgConnection, claimed: &ClaimedDelivery) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, ustanova_id, klasa, akcija, red_id, opis)
         select radnik_id, ustanova_id, 'visit_digest', 'slanje nedeljnog pregleda', id::text, 'Primalac: ' || $3 from visit_digest where id = $1
         union all
         select radnik_id, ustanova_id, 'question_letter', 'slanje e-maila o upitima', id::text, 'Primalac: ' || $3 from question_letter where id = $2",
        claimed.pregled_id,
        claimed.upiti_id,
        claimed.address,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn failed(app: &PgPool, claimed: &ClaimedDelivery, reply: &Reply) -> sqlx::Result<()> {
    let_go!(app, claimed, reply, "status = 'failed'")?;
    Ok(())
}

/// Nothing was taken by the server: later again, for a day. `scale` stretches the delays.
pub async fn put_off(app: &PgPool, claimed: &ClaimedDelivery, reply: &Reply, scale: f64) -> sqlx::Result<()> {
    let Some(delay) = RETRIES.after(claimed.attempts) else { return failed(app, claimed, reply).await };
    let jitter = rand::random_range(0.8..1.2);
    let_go!(
        app,
        claimed,
        reply,
        "status = 'pending', next_attempt_at = clock_timestamp() + make_interval(secs => $5)",
        delay * jitter * scale
    )?;
    Ok(())
}

/// The server may have taken the message: it is repeated once, and a second doubt stays a doubt.
pub async fn doubted(app: &PgPool, claimed: &ClaimedDelivery, reply: &Reply, scale: f64) -> sqlx::Result<()> {
    let_go!(
        app,
        claimed,
        reply,
        "status = 'uncertain', doubts = doubts + 1,
         next_attempt_at = case when doubts = 0 then clock_timestamp() + make_interval(secs => $5) else 'infinity' end",
        DOUBT_DELAY * scale
    )?;
    Ok(())
}

/// A delivery whose lease had lapsed.
#[derive(Debug)]
pub struct SweptDelivery {
    pub id: i64,
    pub status: String,
}

/// Takes back deliveries whose sender died: before the message went out nothing has been sent, after that who knows.
pub async fn sweep_lapsed(app: &PgPool, scale: f64) -> sqlx::Result<Vec<SweptDelivery>> {
    jobs::sweep!(
        "report_delivery",
        "sending",
        app,
        returning: "id, status" as SweptDelivery,
        "status = case stage when 'data' then 'uncertain' else 'pending' end,
         doubts = doubts + case stage when 'data' then 1 else 0 end,
         next_attempt_at = case when stage is distinct from 'data' then clock_timestamp()
                                when doubts = 0 then clock_timestamp() + make_interval(secs => $1) else 'infinity' end,
         smtp_code = null, smtp_text = 'Slanje je prekinuto.', stage = null, lease_until = null",
        DOUBT_DELAY * scale
    )
}
