//! The deliveries as rows: claimed with a fence like runs, and put off, ended or doubted by how far the sending came.

use sqlx::PgPool;
use uuid::Uuid;

/// Seconds to the next attempt, by the attempts made; after the last of them a day has passed.
const DELAYS: [f64; 9] = [60.0, 300.0, 900.0, 3600.0, 14_400.0, 14_400.0, 14_400.0, 14_400.0, 14_400.0];

/// Seconds to the one repetition of a message that the server may have taken.
const DOUBT_DELAY: f64 = 900.0;

/// A delivery that this engine is sending.
#[derive(Clone, Debug)]
pub struct Claimed {
    pub id: i64,
    pub run_id: Uuid,
    pub fence: i64,
    pub attempts: i32,
    pub address: String,
    pub message_id: String,
}

/// Takes one delivery, if it is due and nobody's.
pub async fn claim(app: &PgPool, id: i64, lease_seconds: f64) -> sqlx::Result<Option<Claimed>> {
    sqlx::query_as!(
        Claimed,
        "update report_delivery
            set status = 'sending', stage = 'connect', fence = fence + 1, attempts = attempts + 1,
                lease_until = clock_timestamp() + make_interval(secs => $2)
          where id = (select id from report_delivery
                       where id = $1 and status in ('pending', 'uncertain') and next_attempt_at <= clock_timestamp()
                         for update skip locked)
         returning id, run_id, fence, attempts, address, message_id",
        id,
        lease_seconds,
    )
    .fetch_optional(app)
    .await
}

/// Takes the delivery that has been due the longest.
pub async fn claim_next(app: &PgPool, lease_seconds: f64) -> sqlx::Result<Option<Claimed>> {
    sqlx::query_as!(
        Claimed,
        "update report_delivery
            set status = 'sending', stage = 'connect', fence = fence + 1, attempts = attempts + 1,
                lease_until = clock_timestamp() + make_interval(secs => $1)
          where id = (select id from report_delivery
                       where status in ('pending', 'uncertain') and next_attempt_at <= clock_timestamp()
                       order by next_attempt_at, id limit 1 for update skip locked)
         returning id, run_id, fence, attempts, address, message_id",
        lease_seconds,
    )
    .fetch_optional(app)
    .await
}

/// Notes that the message itself goes out now: from here on silence means doubt. False: the delivery is someone else's.
pub async fn mark_data(app: &PgPool, claimed: &Claimed, lease_seconds: f64) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "update report_delivery set stage = 'data', lease_until = clock_timestamp() + make_interval(secs => $3)
          where id = $1 and fence = $2 and status = 'sending'",
        claimed.id,
        claimed.fence,
        lease_seconds,
    )
    .execute(app)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// What the mail server, or its silence, said.
#[derive(Clone, Debug, Default)]
pub struct Word {
    pub code: Option<i32>,
    pub text: String,
}

pub async fn sent(app: &PgPool, claimed: &Claimed, word: &Word) -> sqlx::Result<()> {
    let mut tx = app.begin().await?;
    let done = sqlx::query!(
        "update report_delivery set status = 'sent', stage = null, lease_until = null, smtp_code = $3, smtp_text = $4, sent_at = clock_timestamp()
          where id = $1 and fence = $2 and status = 'sending'",
        claimed.id,
        claimed.fence,
        word.code,
        word.text,
    )
    .execute(&mut *tx)
    .await?;
    if done.rows_affected() == 1 {
        sqlx::query!(
            "insert into audit_log (radnik_id, klasa, akcija, red_id)
             select radnik_id, 'report_delivery', 'slanje', id::text from report_run where id = $1",
            claimed.run_id,
        )
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await
}

pub async fn failed(app: &PgPool, claimed: &Claimed, word: &Word) -> sqlx::Result<()> {
    sqlx::query!(
        "update report_delivery set status = 'failed', stage = null, lease_until = null, smtp_code = $3, smtp_text = $4
          where id = $1 and fence = $2 and status = 'sending'",
        claimed.id,
        claimed.fence,
        word.code,
        word.text,
    )
    .execute(app)
    .await?;
    Ok(())
}

/// Nothing was taken by the server: later again, for a day. `scale` stretches the delays.
pub async fn put_off(app: &PgPool, claimed: &Claimed, word: &Word, scale: f64) -> sqlx::Result<()> {
    let made = usize::try_from(claimed.attempts - 1).unwrap_or(0);
    let Some(delay) = DELAYS.get(made) else { return failed(app, claimed, word).await };
    let jitter = rand::random_range(0.8..1.2);
    sqlx::query!(
        "update report_delivery
            set status = 'pending', stage = null, lease_until = null, smtp_code = $3, smtp_text = $4,
                next_attempt_at = clock_timestamp() + make_interval(secs => $5)
          where id = $1 and fence = $2 and status = 'sending'",
        claimed.id,
        claimed.fence,
        word.code,
        word.text,
        delay * jitter * scale,
    )
    .execute(app)
    .await?;
    Ok(())
}

/// The server may have taken the message: it is repeated once, and a second doubt stays a doubt.
pub async fn doubted(app: &PgPool, claimed: &Claimed, word: &Word, scale: f64) -> sqlx::Result<()> {
    sqlx::query!(
        "update report_delivery
            set status = 'uncertain', stage = null, lease_until = null, smtp_code = $3, smtp_text = $4, doubts = doubts + 1,
                next_attempt_at = case when doubts = 0 then clock_timestamp() + make_interval(secs => $5) else 'infinity' end
          where id = $1 and fence = $2 and status = 'sending'",
        claimed.id,
        claimed.fence,
        word.code,
        word.text,
        DOUBT_DELAY * scale,
    )
    .execute(app)
    .await?;
    Ok(())
}

/// Takes back deliveries whose sender died: before the message went out nothing has been sent, after that who knows.
pub async fn sweep_lapsed(app: &PgPool, scale: f64) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "update report_delivery
            set status = case stage when 'data' then 'uncertain' else 'pending' end,
                doubts = doubts + case stage when 'data' then 1 else 0 end,
                next_attempt_at = case when stage is distinct from 'data' then clock_timestamp()
                                       when doubts = 0 then clock_timestamp() + make_interval(secs => $1) else 'infinity' end,
                smtp_code = null, smtp_text = 'Slanje je prekinuto.', stage = null, lease_until = null
          where id in (select id from report_delivery where status = 'sending' and lease_until < clock_timestamp() for update skip locked)",
        DOUBT_DELAY * scale,
    )
    .execute(app)
    .await?;
    Ok(done.rows_affected())
}
