//! What is ordered of a report engine by hand, whatever it makes (a report, a print, an export): one order of a worker at a time and not too
//! many, an engine is told of each, and one that is cancelled stops.

use std::time::Duration;

use domain::{jobs::Queue, runs};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    error::{Error, Result},
    state::AppState,
};

/// Runs of one worker, asked for by hand, that may wait or run at one time; and of one institution.
const MOST_OPEN_OF_WORKER: i64 = 10;
const MOST_OPEN_OF_INSTITUTION: i64 = 100;

/// How long the engine has to stop the run by itself.
const ENGINE_GRACE: Duration = Duration::from_secs(5);

/// Wakes an engine. The row is the truth: a call that is lost is made again by the sweep.
pub async fn announce(state: AppState, run: Uuid) {
    let told = async {
        state.dispatcher.push(run, Queue::Interactive).await?;
        let mut connection = state.db.acquire().await?;
        runs::mark_dispatched(&mut connection, &[run]).await?;
        anyhow::Ok(())
    };
    if let Err(error) = told.await {
        tracing::warn!(%run, cause = %error, "no engine was told of a run; the sweep will tell");
    }
}

/// What is told of a key that another order has had.
pub const KEY_USED_UP: &str = "Ovaj ključ je već iskorišćen.";

/// One request of a worker at a time: the quotas and keys below are decided in order.
pub async fn one_order_at_a_time(tx: &mut PgConnection, worker: i64) -> sqlx::Result<()> {
    sqlx::query!("select id from worker where id = $1 for no key update", worker).fetch_optional(tx).await?;
    Ok(())
}

/// The run just written counts too.
pub async fn refuse_flood(tx: &mut PgConnection, worker: i64, institution: i64) -> Result<()> {
    let open = sqlx::query!(
        r#"select count(*) filter (where radnik_id = $1) as "radnika!", count(*) as "ustanove!"
             from report_run where status in ('queued', 'running') and queue = 'interactive' and ustanova_id = $2"#,
        worker,
        institution
    )
    .fetch_one(tx)
    .await?;
    if open.radnika > MOST_OPEN_OF_WORKER {
        return Err(Error::too_many(format!(
            "Već imate {MOST_OPEN_OF_WORKER} izveštaja koji se generišu. Sačekajte da se neki završi ili ga otkažite."
        )));
    }
    if open.ustanove > MOST_OPEN_OF_INSTITUTION {
        return Err(Error::too_many("Vaša ustanova trenutno generiše previše izveštaja. Pokušajte ponovo za nekoliko minuta."));
    }
    Ok(())
}

/// The run itself is ended by its engine, or by the sweep of lapsed leases when the engine is gone.
pub async fn stop_if_silent(db: PgPool, id: Uuid) {
    tokio::time::sleep(ENGINE_GRACE).await;
    match stop_statement(&db, id).await {
        Ok(0) => {}
        Ok(stopped) => tracing::warn!(run = %id, stopped, "the engine did not react to a cancel: its statement was stopped"),
        Err(error) => tracing::error!(run = %id, cause = %error, "a cancelled run's statement could not be stopped"),
    }
}

/// Stops what the run's connection executes. A process id may be taken by another connection meanwhile, so the connection
/// is known by the name that the engine gives it.
async fn stop_statement(db: &PgPool, id: Uuid) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) filter (where pg_cancel_backend(a.pid)) as "stopped!"
             from pg_stat_activity a join report_run r on r.id = $1 and r.status = 'running' and r.cancel_requested_at is not null
            where a.datname = current_database() and a.application_name = 'run:' || r.id"#,
        id
    )
    .fetch_one(db)
    .await
}
