//! What was under way when the backup was made may have been finished since, where it was made. No e-mail goes twice and no report is
//! run twice: what was open ends here with a word, and its owner asks for it again.

use domain::db;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::{Connection, PgConnection};

const RUN_ENDED: &str = "Sistem je vraćen iz rezervne kopije pre nego što je izveštaj završen. Pokrenite ga ponovo.";
const MAIL_UNKNOWN: &str = "Sistem je vraćen iz rezervne kopije; nije poznato da li je poruka već poslata.";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettledCounts {
    pub deliveries: u64,
    pub runs: u64,
}

/// The scheduler does not catch up with what was planned before a restoration.
pub async fn settle(owner: &mut PgConnection, taken_at: Timestamp) -> sqlx::Result<SettledCounts> {
    let mut tx = owner.begin().await?;
    db::sign(&mut tx, db::SYSTEM_WORKER).await?;
    let deliveries = sqlx::query!(
        "update report_delivery set status = 'failed', stage = null, lease_until = null, smtp_code = null, smtp_text = $1
          where status in ('pending', 'sending', 'uncertain')",
        MAIL_UNKNOWN
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    let runs = sqlx::query!(
        "update report_run
            set status = 'failed', error_code = 'restored', error_text = $1, finished_at = clock_timestamp(), stage = null, rows_done = null,
                dispatched_at = null, lease_owner = null, lease_until = null, backend_pid = null
          where status in ('queued', 'running')",
        RUN_ENDED
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    sqlx::query!(
        "update recomputation set status = 'failed', vreme_zavrsetka = clock_timestamp(), lease_until = null where status in ('queued', 'running')"
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("insert into restoration (kopija_od) values ($1)", taken_at.to_sqlx() as _).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(SettledCounts { deliveries, runs })
}
