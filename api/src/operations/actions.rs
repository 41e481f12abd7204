//! What operators do: stop a run, begin a failed one again, let an engine take nothing new. Each of them is in the log.

use accounts::rights::{Allowed, Maintenance};
use axum::{extract::State, http::StatusCode};
use domain::{
    db,
    runs::{self, Cancel, Retry},
};
use platform::{
    error::{Error, Result},
    extract::Path,
    routes::{Routes, routes},
    run_order,
    state::AppState,
};
use sqlx::PgConnection;
use uuid::Uuid;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(cancel)).routes(routes!(retry)).routes(routes!(drain)).routes(routes!(resume))
}

/// Stops anybody's run.
#[utoipa::path(post, path = "/api/operations/runs/{id}/cancel", tag = "odrzavanje", params(("id" = Uuid, Path)),
    responses((status = 204), (status = 409, description = "Već je završen")))]
async fn cancel(State(state): State<AppState>, actor: Allowed<Maintenance>, Path(id): Path<Uuid>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let outcome = runs::request_cancel(&mut tx, id).await?;
    match outcome {
        Cancel::Unknown => return Err(Error::NotFound),
        Cancel::Ended => return Err(Error::conflict(runs::HAS_ENDED)),
        Cancel::Done | Cancel::Asked => {}
    }
    record_run(&mut tx, actor.radnik_id, "otkazivanje", id).await?;
    tx.commit().await?;
    if outcome == Cancel::Asked {
        tokio::spawn(run_order::stop_if_silent(state.db.clone(), id));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// A failed run goes back to the queue, for the same worker, with the same parameters and recipients; whether she may still have it is
/// asked again when it begins.
#[utoipa::path(post, path = "/api/operations/runs/{id}/retry", tag = "odrzavanje", params(("id" = Uuid, Path)),
    responses((status = 204), (status = 409, description = "Nije neuspeo")))]
async fn retry(State(state): State<AppState>, actor: Allowed<Maintenance>, Path(id): Path<Uuid>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let queue = match runs::retry(&mut tx, id).await? {
        Retry::Queued(queue) => queue,
        Retry::NotFailed => return Err(Error::conflict("Ponoviti se može samo izvršavanje koje nije uspelo.")),
        Retry::Unknown => return Err(Error::NotFound),
    };
    record_run(&mut tx, actor.radnik_id, "ponavljanje", id).await?;
    tx.commit().await?;
    if let Err(error) = state.dispatcher.push(id, queue).await {
        tracing::warn!(run = %id, %error, "a run that is begun again was not announced: the engines will find it");
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The engine takes nothing new and finishes what it has.
#[utoipa::path(post, path = "/api/operations/engines/{id}/drain", tag = "odrzavanje", params(("id" = String, Path)), responses((status = 204)))]
async fn drain(State(state): State<AppState>, actor: Allowed<Maintenance>, Path(id): Path<String>) -> Result<StatusCode> {
    set_drained(&state, actor.radnik_id, &id, true).await
}

/// The engine takes jobs again.
#[utoipa::path(post, path = "/api/operations/engines/{id}/resume", tag = "odrzavanje", params(("id" = String, Path)), responses((status = 204)))]
async fn resume(State(state): State<AppState>, actor: Allowed<Maintenance>, Path(id): Path<String>) -> Result<StatusCode> {
    set_drained(&state, actor.radnik_id, &id, false).await
}

/// What is so already is told to nobody and is in no log.
async fn set_drained(state: &AppState, worker: i64, id: &str, drained: bool) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, worker).await?;
    let changed = sqlx::query_scalar!(
        r#"update process p set drained_at = case when $2 then coalesce(p.drained_at, now()) end
             from (select id, drained_at is not null as drained from process where id = $1 and kind = 'report-engine' for update) before
            where p.id = before.id returning before.drained <> $2 as "changed!""#,
        id,
        drained
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or(Error::missing("Ova mašina više ne radi."))?;
    if changed {
        sqlx::query!("insert into maintenance_request (vrsta, cilj, radnik_id) values ('praznjenje', $1, $2)", id, worker)
            .execute(&mut *tx)
            .await?;
        sqlx::query!(
            "insert into audit_log (radnik_id, klasa, akcija, red_id, opis)
             select $1, 'process', $2, p.id, concat_ws(', ', p.kind, p.host) from process p where p.id = $3",
            worker,
            if drained { "pražnjenje" } else { "nastavljanje" },
            id
        )
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The log has whose run it is by its row, and none of its values.
async fn record_run(tx: &mut PgConnection, worker: i64, akcija: &str, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, klasa, akcija, red_id, opis)
         select $1, 'report_run', $2, r.id::text, coalesce(t.naziv, case when r.izvoz_id is null then 'Štampa unosa' else 'Izvoz podataka' end) || ', iz rada sistema'
           from report_run r left join report t on t.id = r.izvestaj_id where r.id = $3",
        worker,
        akcija,
        id
    )
    .execute(tx)
    .await?;
    Ok(())
}
