//! Runs that look at all patients of a register by its rules: asked for, cancelled, and what became of them.

use accounts::rights::{Allowed, QualitySetup};
use axum::{extract::State, http::StatusCode};
use domain::{
    caller, db,
    jobs::QUALITY_QUEUE,
    parameters::{self, LEAST_GROUP},
    time::server_text,
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::admin::told_engines::announce;

/// The newest of them that are shown.
const SHOWN: i64 = 20;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(ask)).routes(routes!(of_register)).routes(routes!(cancel))
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
#[schema(as = QualityRunStatus)]
enum Status {
    Queued,
    Running,
    Done,
    Cancelled,
    Failed,
}

#[derive(Serialize, ToSchema)]
struct QualityRunAsked {
    id: i64,
}

/// Looks at all patients of the register now. One that waits or is under way is that run.
#[utoipa::path(post, path = "/api/registers/{id}/quality-runs",
    responses((status = 202, body = QualityRunAsked), (status = 409, description = "Registar nema pravila")))]
async fn ask(
    State(state): State<AppState>,
    actor: Allowed<QualitySetup>,
    Path(register): Path<i64>,
) -> Result<(StatusCode, Json<QualityRunAsked>)> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let has_rules = sqlx::query_scalar!(r#"select has_quality_rules(id) as "has!" from register where id = $1 and aktivan"#, register);
    if !has_rules.fetch_optional(&mut *tx).await?.ok_or(Error::NotFound)? {
        return Err(Error::conflict("Registar nema nijedno pravilo kvaliteta. Prvo ga napravite."));
    }
    let open = sqlx::query_scalar!("select id from quality_run where registar_id = $1 and status in ('queued', 'running')", register);
    let id = match open.fetch_optional(&mut *tx).await? {
        Some(id) => id,
        None => {
            let id = sqlx::query_scalar!(r#"select order_quality_run($1) as "id!""#, register).fetch_one(&mut *tx).await?;
            log(&mut tx, &actor, id, "kreiranje").await?;
            id
        }
    };
    tx.commit().await?;
    announce(&state, id, QUALITY_QUEUE);
    Ok((StatusCode::ACCEPTED, Json(QualityRunAsked { id })))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QualityRun {
    id: i64,
    status: Status,
    radnik: String,
    vreme: String,
    zavrseno: Option<String>,
    /// Asked to stop, and not stopped yet.
    otkazuje_se: bool,
    /// Patients, and how many of them were looked at.
    ukupno: i64,
    pregledano: i64,
    unosa: i64,
    /// Findings that began and ended; none where they are few, for they are of all institutions.
    novih: Option<i64>,
    okoncanih: Option<i64>,
}

/// Newest first.
#[utoipa::path(get, path = "/api/registers/{id}/quality-runs", responses((status = 200, body = Page<QualityRun>)))]
async fn of_register(State(state): State<AppState>, _: Allowed<QualitySetup>, Path(register): Path<i64>) -> Result<Json<Page<QualityRun>>> {
    let mut db = state.db.acquire().await?;
    let rows = sqlx::query!(
        r#"select q.id, q.status as "status: Status", w.prezime || ' ' || w.ime as "radnik!", q.vreme_kreiranja, q.vreme_zavrsetka,
                  q.cancel_requested_at, q.ukupno, q.pregledano, q.unosa, q.novih, q.okoncanih
             from quality_run q join worker w on w.id = q.radnik_id where q.registar_id = $1 order by q.id desc limit $2"#,
        register,
        SHOWN
    )
    .fetch_all(&mut *db)
    .await?;
    let least = i64::from(parameters::load(&mut *db).await?.number(&LEAST_GROUP));
    let told = |count: i64| (count == 0 || count >= least).then_some(count);
    let run = rows.into_iter().map(|row| QualityRun {
        id: row.id,
        otkazuje_se: row.status == Status::Running && row.cancel_requested_at.is_some(),
        status: row.status,
        radnik: row.radnik,
        vreme: server_text(row.vreme_kreiranja.to_jiff()),
        zavrseno: row.vreme_zavrsetka.map(|at| server_text(at.to_jiff())),
        ukupno: row.ukupno,
        pregledano: row.pregledano,
        unosa: row.unosa,
        novih: told(row.novih),
        okoncanih: told(row.okoncanih),
    });
    Ok(Json(Page::all(run.collect())))
}

/// What it has found stays found.
#[utoipa::path(post, path = "/api/quality-runs/{id}/cancel",
    responses((status = 204), (status = 409, description = "Već je završeno")))]
async fn cancel(State(state): State<AppState>, actor: Allowed<QualitySetup>, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let status = sqlx::query_scalar!(r#"select status as "status: Status" from quality_run where id = $1 for update"#, id);
    let status = status.fetch_optional(&mut *tx).await?.ok_or(Error::NotFound)?;
    if !matches!(status, Status::Queued | Status::Running) {
        return Err(Error::conflict("Provera je već završena."));
    }
    sqlx::query!(
        "update quality_run
            set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
                status = case status when 'queued' then 'cancelled' else status end,
                vreme_zavrsetka = case status when 'queued' then clock_timestamp() end
          where id = $1",
        id
    )
    .execute(&mut *tx)
    .await?;
    log(&mut tx, &actor, id, "otkazivanje").await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn log(tx: &mut PgConnection, actor: &Allowed<QualitySetup>, id: i64, akcija: &str) -> Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, ustanova_id, adresa, klasa, akcija, red_id) values ($1, $2, $3, 'quality_run', $4, $5::text)",
        actor.radnik_id,
        actor.ustanova_id,
        caller::current().adresa,
        akcija,
        id.to_string()
    )
    .execute(tx)
    .await?;
    Ok(())
}
