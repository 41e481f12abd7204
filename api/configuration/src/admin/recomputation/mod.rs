//! Recomputation of stored results by the newest version of a form: asked for by who may configure the form, carried out by an engine
//! (docs/decisions/0045-results-are-recomputed-when-it-is-asked-for.md).

mod order;
mod shown;

use accounts::rights::Allowed;
use axum::{extract::State, http::StatusCode};
use domain::{
    db,
    entry::{form_lock, version},
    jobs::RECOMPUTE_QUEUE,
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

pub use self::order::{SignatureChoice, known_to_version, order, supersede};
use crate::{
    admin::{form::Form, told_engines},
    crud::WriteAccess,
};

/// How far a recomputation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
#[schema(as = RecomputationStatus)]
enum Status {
    Queued,
    Running,
    Done,
    Cancelled,
    /// A later one takes its place.
    Superseded,
    Failed,
}

/// Who may publish the form.
type Designer = Allowed<WriteAccess<Form>>;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(ask)).routes(routes!(cancel)).merge(shown::routes())
}

#[derive(Serialize, ToSchema)]
#[schema(as = RecomputationAsked)]
struct OrderedRecomputation {
    id: i64,
}

/// Asks for it later than at publishing, for the results that are still marked.
#[utoipa::path(post, path = "/api/forms/{id}/recomputations", request_body = SignatureChoice,
    responses((status = 201, body = OrderedRecomputation), (status = 409, description = "Već je u toku, ili nema šta da se preračuna")))]
async fn ask(
    State(state): State<AppState>,
    actor: Designer,
    Path(id): Path<i64>,
    Json(signatures): Json<SignatureChoice>,
) -> Result<(StatusCode, Json<OrderedRecomputation>)> {
    let ends_signatures = signatures.reason(&actor)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    form_lock::take(&mut tx, id).await?;
    let version = version::make(&mut tx, id).await?;
    let marked = shown::marked(&mut tx, id).await?;
    if marked == 0 {
        return Err(Error::conflict("Nema snimljenih rezultata koje današnje formule daju drugačije."));
    }
    if marked == shown::left_for_good(&mut tx, id, ends_signatures.is_some()).await? {
        return Err(Error::conflict("Preračunavanje je ove unose već ostavilo kakvi jesu, a od tada se ništa nije promenilo."));
    }
    let ordered = order(&mut tx, &actor, id, version, ends_signatures).await?;
    let asked = ordered.ok_or_else(|| Error::conflict("Preračunavanje ovog formulara je već u toku."))?;
    tx.commit().await?;
    announce(&state, asked);
    Ok((StatusCode::CREATED, Json(OrderedRecomputation { id: asked })))
}

/// What is done of it stays done.
#[utoipa::path(post, path = "/api/recomputations/{id}/cancel",
    responses((status = 204), (status = 409, description = "Već je završeno")))]
async fn cancel(State(state): State<AppState>, actor: Designer, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let status = sqlx::query_scalar!(r#"select status as "status: Status" from recomputation where id = $1 for update"#, id);
    let status = status.fetch_optional(&mut *tx).await?.ok_or(Error::NotFound)?;
    if !matches!(status, Status::Queued | Status::Running) {
        return Err(Error::conflict("Preračunavanje je već završeno."));
    }
    sqlx::query!(
        "update recomputation
            set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
                status = case status when 'queued' then 'cancelled' else status end,
                vreme_zavrsetka = case status when 'queued' then clock_timestamp() end
          where id = $1",
        id
    )
    .execute(&mut *tx)
    .await?;
    order::log(&mut tx, &actor, id, "otkazivanje").await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

pub fn announce(state: &AppState, id: i64) {
    told_engines::announce(state, id, RECOMPUTE_QUEUE);
}
