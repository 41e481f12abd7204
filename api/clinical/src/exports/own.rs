//! One export, for its worker: stopped while it is being made, removed once it is over.

use accounts::{
    auth::Actor,
    rights::{Allowed, DataExport},
};
use axum::{extract::State, http::StatusCode};
use domain::{
    db,
    exports::{Count, Profile, WantedStates},
    runs::{self, Cancel, RunStatus},
};
use platform::{
    error::{Error, Result},
    extract::Path,
    routes::{Routes, routes},
    run_order::stop_if_silent,
    state::AppState,
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::trail::{self, ExportAction, Subject};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(cancel)).routes(routes!(delete))
}

/// An export of the worker's own; another's does not exist.
pub struct OwnExport {
    pub status: RunStatus,
    pub subject: Subject,
}

impl OwnExport {
    pub async fn lock(db: &mut PgConnection, actor: &Actor, id: Uuid) -> Result<Self> {
        let row = sqlx::query!(
            r#"select r.status as "status: RunStatus", g.naziv as registar, coalesce(f.naziv, 'pacijenti registra') as "obrazac!",
                      d.profil as "profil: Profile", d.ustanove, d.razlog, d.pretraga_id is not null as "pretraga!", d.stanja as "stanja: WantedStates", d.redova,
                      d.pacijenata
                 from report_run r
                 join data_export d on d.id = r.izvoz_id
                 join register g on g.id = d.registar_id
                 left join form f on f.id = d.tsa_id
                where r.id = $1 and r.radnik_id = $2 and r.deleted_at is null
                  for update of r"#,
            id,
            actor.radnik_id
        )
        .fetch_optional(db)
        .await?
        .ok_or(Error::NotFound)?;
        let subject = Subject {
            id: Some(id),
            naziv: format!("{}, {}", row.registar, row.obrazac),
            profil: row.profil,
            ustanove: row.ustanove,
            razlog: row.razlog,
            pretraga: row.pretraga,
            stanja: row.stanja,
            count: Some(Count { redova: row.redova, pacijenata: row.pacijenata }),
        };
        Ok(Self { status: row.status, subject })
    }
}

#[utoipa::path(post, path = "/api/data-exports/{id}/cancel", tag = "izvoz", params(("id" = Uuid, Path)), responses((status = 204), (status = 409, description = "Već je završen")))]
async fn cancel(State(state): State<AppState>, actor: Allowed<DataExport>, Path(id): Path<Uuid>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = OwnExport::lock(&mut tx, &actor, id).await?;
    let outcome = runs::request_cancel(&mut tx, id).await?;
    if outcome == Cancel::Ended {
        return Err(Error::conflict("Izvoz je već završen."));
    }
    trail::record(&mut tx, actor.radnik_id, ExportAction::Cancel, &own.subject, None).await?;
    tx.commit().await?;
    if outcome == Cancel::Asked {
        tokio::spawn(stop_if_silent(state.db.clone(), id));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Its file goes with the next clean-up, and cannot be had from now on.
#[utoipa::path(delete, path = "/api/data-exports/{id}", tag = "izvoz", params(("id" = Uuid, Path)), responses((status = 204), (status = 409, description = "Još se izrađuje")))]
async fn delete(State(state): State<AppState>, actor: Allowed<DataExport>, Path(id): Path<Uuid>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = OwnExport::lock(&mut tx, &actor, id).await?;
    if own.status.is_open() {
        return Err(Error::conflict("Izvoz se još izrađuje. Prvo ga otkažite."));
    }
    sqlx::query!("update report_run set deleted_at = now(), expires_at = least(expires_at, now()) where id = $1", id)
        .execute(&mut *tx)
        .await?;
    trail::record(&mut tx, actor.radnik_id, ExportAction::Delete, &own.subject, None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
